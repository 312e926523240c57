/* SPDX-License-Identifier: MIT */
/* shared.c: see shared.h */
#include "emit/shared.h"

#include "emit/expression.h"
#include "emit/types.h"
#include "base/embedded.h"

#include <string.h>

/* What a function takes between in and out: results of the one that it comes after, numbers by row;
 * here an array of each. element: how one state's is passed, as "&mclp[i], nu[i], ". */
static const char *between(const ag_header *h, const ag_function *f, bool element) {
  const char *n = h->prefix;
  if (!f->after) return "";
  const char *list = element ? ag_printf(h->arena, "&%s[i], ", f->after)
                             : ag_printf(h->arena, "const %s_%s_out *%s, ", n, f->after, f->after);
  for (int i = 0; i < f->in.nquantities; i++) {
    const char *name = f->in.quantities[i].name;
    if (ag_is_result_of(f->after, name)) continue;
    list = element ? ag_printf(h->arena, "%s%s[i], ", list, name)
                   : ag_printf(h->arena, "%sconst %s_real (*%s)[%s], ", list, n, name,
                               ag_emit_length(h, &f->in.quantities[i]));
  }
  return list;
}

static const char *many_signature(const ag_header *h, const ag_function *f) {
  const char *n = h->prefix;
  return ag_printf(h->arena,
                   "void %s_%s_many(size_t n, const %s_%s_in *in, %s%s_%s_out *out, "
                   "%s_status *status)",
                   n, f->name, n, f->takes, between(h, f, false), n, f->fills, n);
}

void ag_emit_many_declaration(ag_text *t, const ag_header *h, const ag_function *f) {
  ag_text_add(t,
              "/* The same for n states: in[i] gives out[i] and status[i].%s Compiled with\n"
              " * OpenMP, it shares 1024 states and more between threads. */\n",
              h->target.batch && !f->after ? " It calls the batch function." : "");
  ag_emit_broken(t, "", ag_printf(h->arena, "%s;", many_signature(h, f)));
}

/* A batch's struct has the fields of a state's in the same order, each number once per state: a
 * matrix of numbers by states, whose columns are the structs of the states. */
static void block(ag_text *t, const ag_header *h, const ag_function *f) {
  const ag_substitution with[] = {
      {"PREFIX", h->prefix}, {"FUNCTION", f->name}, {"TAKES", f->takes},
      {"FILLS", f->fills},   {"UPPER", h->upper},   {"K", ag_printf(h->arena, "%s_K", h->upper)},
      {NULL, NULL}};
  ag_text_substitute(t, ag_file_text("many.c.in"), with);
}

void ag_emit_many_definition(ag_text *t, const ag_header *h, const ag_function *f) {
  const bool batches = h->target.batch && !f->after;
  const char *n = h->prefix;
  ag_text_add(t, "\n");
  if (batches) block(t, h, f);
  ag_emit_broken(t, "", ag_printf(h->arena, "%s {", many_signature(h, f)));
  ag_text_add(t,
              "\n"
              "  const ptrdiff_t count = (ptrdiff_t)n;\n"
              "  ptrdiff_t i;\n"
              "#if defined(_OPENMP)\n"
              "#pragma omp parallel for schedule(static) if (n >= 1024)\n"
              "#endif\n"
              "  for (i = 0; i < count; %s)\n",
              batches ? ag_printf(h->arena, "i += %s_K", h->upper) : "i++");
  ag_emit_broken(
      t, "    ",
      batches
          ? ag_printf(h->arena, "%s_%s_block(count - i, &in[i], &out[i], &status[i]);", n, f->name)
          : ag_printf(h->arena, "status[i] = %s_%s(&in[i], %s&out[i]);", n, f->name,
                      between(h, f, true)));
  ag_text_add(t, "}\n");
}

/* A line as a string of C. A question mark could begin a trigraph. */
static void literal(ag_text *t, const char *line, size_t length) {
  ag_text_add(t, "  \"");
  for (size_t i = 0; i < length; i++) {
    const unsigned char c = (unsigned char)line[i];
    if (c == '"' || c == '\\' || c == '?')
      ag_text_add(t, "\\%c", c);
    else if (c < 0x20 || c >= 0x7f)
      ag_text_add(t, "\\%03o", c);
    else
      ag_text_put(t, &line[i], 1);
  }
  ag_text_add(t, "\",\n");
}

void ag_emit_self_description(ag_text *t, const ag_header *h, const char *description) {
  const char *n = h->prefix;
  ag_text_add(t, "\n/* For programs that load the library. */\n");
  for (int k = 0; k < h->nfunctions; k++) {
    const ag_function *f = h->functions[k];
    ag_text_add(t,
                "extern const unsigned %s_%s_shape, %s_%s_in_size, %s_%s_out_size;\n"
                "const unsigned %s_%s_shape = %s_%s_SHAPE;\n"
                "const unsigned %s_%s_in_size = sizeof(%s_%s_in);\n"
                "const unsigned %s_%s_out_size = sizeof(%s_%s_out);\n",
                n, f->name, n, f->name, n, f->name, n, f->name, h->upper,
                ag_upper(h->arena, f->name), n, f->name, n, f->takes, n, f->name, n, f->fills);
  }
  ag_text_add(t,
              "\n/* What --describe json prints, line by line; NULL behind the last. */\n"
              "extern const char *const %s_description[];\n"
              "const char *const %s_description[] = {\n",
              n, n);
  for (const char *line = description; *line;) {
    const size_t length = strcspn(line, "\n");
    literal(t, line, length);
    line += length + (line[length] == '\n');
  }
  ag_text_add(t, "  NULL};\n");
}
