/* SPDX-License-Identifier: MIT */
/* products.c: see products.h */
#include "emit/products.h"

#include "emit/access.h"
#include "emit/language_batch.h"
#include "lower/products.h"

/* Bytes of the longest vector. */
enum { LONGEST = 32 };

/* Where the vector or number begins that a row is in: the last vector overlaps the one before, but a single row behind vectors is a
 * number. */
static int first_of(const ag_product *p, int row, int lanes) {
  const int first = row / lanes * lanes, left = p->n - first;
  return left >= lanes || left == 1 ? first : p->n - lanes;
}

static bool is_number(const ag_product *p, int first, int lanes) {
  return lanes == 1 || first + lanes > p->n;
}

/* The rows, and where they are stored. */
static void rows_of(ag_text *t, const ag_header *h, const ag_product *p, int lanes) {
  enum { ON_LINE = 6 };
  for (int i = 0; i < p->n; i += lanes) {
    const int first = first_of(p, i, lanes);
    const char *type =
        is_number(p, first, lanes) ? ag_printf(h->arena, "%s_real", h->prefix) : "rows";
    ag_text_add(t, "  const %s r%d = %s_ROWS(%s, %d);\n", type, first, h->upper, type, first);
  }
  for (int i = 0; i < p->n; i++) {
    const int first = first_of(p, i, lanes);
    ag_text_add(t, "%sx[%d] = r%d", i % ON_LINE ? " " : "  ", i * p->down, first);
    if (!is_number(p, first, lanes)) ag_text_add(t, "[%d]", i - first);
    ag_text_add(t, i % ON_LINE == ON_LINE - 1 || i + 1 == p->n ? ";\n" : ";");
  }
}

/* The same in vectors of `bytes` bytes, behind the condition for these. */
static void in_vectors(ag_text *t, const ag_header *h, const ag_product *p, int bytes) {
  const int real = h->target.single ? 4 : 8;
  ag_text_add(t,
              "%s\n  typedef %s rows __attribute__((vector_size(%d), may_alias, aligned(%d)));\n",
              bytes == LONGEST ? "defined(__AVX__)" : "(defined(__SSE2__) || defined(__aarch64__))",
              h->target.single ? "float" : "double", bytes, real);
  rows_of(t, h, p, bytes / real);
}

/* A sum with a term of each column of the matrix, which is a row of it, too. */
static void sum_macro(ag_text *t, const ag_header *h, const ag_product *p) {
  enum { ON_LINE = 3 };
  ag_text_add(t,
              "#define %s_AT(type, i) (*(const type *)(const void *)(m + (i)))\n"
              "#define %s_ROWS(type, i) \\\n  (",
              h->upper, h->upper);
  for (int k = 0; k < p->n; k++) {
    if (k) ag_text_add(t, k % ON_LINE ? " + " : " \\\n      + ");
    ag_text_add(t, "%s_AT(type, i + %d) * x[%d]", h->upper, k * p->across, k * p->down);
  }
  ag_text_add(t, ")\n");
}

/* "gen3_dfd_product_1": that of the first product that it is for. */
static const char *name_of(const ag_printer *printer, const char *name, int which) {
  const ag_products *all = printer->plan->products;
  int first = 0;
  while (!ag_same_product(&all->of[first], &all->of[which])) first++;
  return ag_printf(printer->header->arena, "%s_product_%d", name, first + 1);
}

static void function_of(ag_text *t, const ag_header *h, const ag_product *p, const char *name) {
  const int real = h->target.single ? 4 : 8;
  bool any = false;
  ag_text_add(t,
              "/* M x in place of x, a column of a matrix with %d columns; M has %d, of which it "
              "takes %d, and is symmetric: of several rows at\n * once, as vectors, the terms are "
              "neighbours. */\n"
              "static %s_PART void %s(const %s_real *m, %s_real *x) {\n  %s_IN_ORDER\n",
              p->down, p->across, p->n, h->upper, name, h->prefix, h->prefix, h->upper);
  sum_macro(t, h, p);
  for (int bytes = LONGEST; bytes >= LONGEST / 2; bytes /= 2) {
    if (bytes / real > p->n) continue;
    ag_text_add(t, "#%s defined(__GNUC__) && ", any ? "elif" : "if");
    in_vectors(t, h, p, bytes);
    any = true;
  }
  if (any) ag_text_add(t, "#else\n");
  rows_of(t, h, p, 1);
  ag_text_add(t, "%s#undef %s_ROWS\n#undef %s_AT\n}\n\n", any ? "#endif\n" : "", h->upper,
              h->upper);
}

/* Where an element of a symmetric matrix stands, of which each row ends at the diagonal. */
static int below_diagonal(int i, int k) {
  return i > k ? i * (i + 1) / 2 + k : k * (k + 1) / 2 + i;
}

/* The same of every state of a batch. Structs of batches stand at any place, vectors of their own at multiples of their size: these
 * are read faster. Functions that return vectors longer than the CPU's are warned of. */
static void batch_function_of(ag_text *t, const ag_header *h, const ag_product *p,
                              const char *name) {
  const char *n = h->prefix, *upper = h->upper;
  ag_text_add(t,
              "/* M x in place of x, a column of a matrix with %d columns; m: the rows of M, which "
              "is symmetric, up to the diagonal; infinite:\n * in which states a number is not "
              "finite. */\n",
              p->down);
  ag_emit_broken(t, "",
                 ag_printf(h->arena,
                           "static %s_PART void %s(const %s_batch *m, %s_real x[][%s_K], "
                           "%s_batch_mask *infinite) {",
                           upper, name, n, n, upper, n));
  ag_text_add(t, AG_IN_ORDER);
  for (int i = 0; i < p->n; i++)
    ag_text_add(t, "  const %s_batch x%d = %s_LOAD(x[%d]);\n", n, i, upper, i * p->down);
  const char **results = ag_alloc(h->arena, (size_t)p->n * sizeof *results);
  for (int i = 0; i < p->n; i++) {
    ag_text sum = {.arena = h->arena};
    for (int k = 0; k < p->n; k++)
      ag_text_add(&sum, "%sm[%d] * x%d", k ? " + " : "", below_diagonal(i, k), k);
    ag_emit_broken(t, "  ", ag_printf(h->arena, "const %s_batch r%d = %s;", n, i, sum.chars));
    results[i] = ag_printf(h->arena, "r%d", i);
  }
  for (int i = 0; i < p->n; i++) ag_text_add(t, "  %s_STORE(x[%d], r%d);\n", upper, i * p->down, i);
  ag_text infinite = {.arena = h->arena};
  ag_text_add(&infinite, "*infinite |= ");
  ag_emit_infinite(&infinite, h, results, p->n, p->n);
  ag_text_add(&infinite, ";");
  ag_emit_broken(t, "  ", infinite.chars);
  ag_text_add(t, "}\n\n");
}

/* One function for each kind of product. */
static void functions_of(ag_text *t, const ag_printer *printer, const char *name,
                         void (*one)(ag_text *, const ag_header *, const ag_product *,
                                     const char *)) {
  const ag_products *all = printer->plan->products;
  for (int k = 0; all && k < all->count; k++) {
    bool first = true;
    for (int l = 0; l < k; l++) first &= !ag_same_product(&all->of[l], &all->of[k]);
    if (first) one(t, printer->header, &all->of[k], name_of(printer, name, k));
  }
}

void ag_emit_products(ag_text *t, const ag_printer *printer, const char *name) {
  functions_of(t, printer, name, function_of);
}

void ag_emit_batch_products(ag_text *t, const ag_printer *printer, const char *name) {
  functions_of(t, printer, name, batch_function_of);
}

void ag_emit_product_calls(ag_text *t, const ag_printer *printer, const char *name) {
  const ag_header *h = printer->header;
  const ag_products *all = printer->plan->products;
  const ag_element *out = printer->plan->graph->function->out.elements;
  for (int k = 0; all && k < all->count; k++)
    ag_emit_statement(t, printer,
                      ag_printf(h->arena, "%s(&out->%s, &out->%s);", name_of(printer, name, k),
                                ag_emit_access(h, &out[all->of[k].matrix]),
                                ag_emit_access(h, &out[all->of[k].column])));
}

/* The rows of the matrix of the k-th product, where they are not those of the one before. */
static void load_matrix(ag_text *t, const ag_printer *printer, int k) {
  const ag_header *h = printer->header;
  const ag_product *p = &printer->plan->products->of[k];
  const ag_element *out = printer->plan->graph->function->out.elements;
  if (k > 0 && p[-1].matrix == p->matrix) return;
  for (int i = 0; i < p->n; i++)
    for (int j = 0; j <= i; j++)
      ag_emit_statement(t, printer,
                        ag_printf(h->arena, "m[%d] = %s_LOAD(out->%s);", below_diagonal(i, j),
                                  h->upper,
                                  ag_emit_access(h, &out[p->matrix + i * p->across + j])));
}

void ag_emit_batch_product_calls(ag_text *t, const ag_printer *printer, const char *name) {
  const ag_header *h = printer->header;
  const ag_products *all = printer->plan->products;
  const ag_element *out = printer->plan->graph->function->out.elements;
  int most = 0;
  for (int k = 0; k < all->count; k++) most = all->of[k].n > most ? all->of[k].n : most;
  ag_emit_statement(t, printer,
                    ag_printf(h->arena, "%s_batch m[%d];", h->prefix, most * (most + 1) / 2));
  ag_emit_statement(t, printer,
                    ag_printf(h->arena, "%s_batch_mask infinite = none != none;", h->prefix));
  for (int k = 0; k < all->count; k++) {
    load_matrix(t, printer, k);
    ag_emit_statement(t, printer,
                      ag_printf(h->arena, "%s(m, &out->%s, &infinite);", name_of(printer, name, k),
                                ag_emit_access(h, &out[all->of[k].column])));
  }
}
