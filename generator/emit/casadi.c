/* SPDX-License-Identifier: MIT */
/* casadi.c: see casadi.h
 *
 * Every quantity is a matrix there, its elements by columns (compressed columns: rows, columns, where each column begins,
 * the row of each element). Vectors are columns; M is its lower triangle. Names have _ in place of dots. */
#include "emit/casadi.h"

#include "base/text.h"
#include "emit/access.h"
#include "emit/expression.h"
#include "emit/number.h"
#include "emit/types.h"
#include "graph/functions.h"

#include <string.h>

/* What functions are called with are numbers of CasADi's; the structs of the solver are variables. */
static const ag_language in_casadi = {.real = "casadi_real",
                                      .boolean = "casadi_int",
                                      .constant = "const ",
                                      .function = "EXPORTED ",
                                      .member = ".",
                                      .comment = {"/* ", " * ", " */"},
                                      .number = ag_emit_number};

typedef struct cell { /* an element of a matrix that can differ from zero */
  int row, column;
  const char *text; /* its value in C */
} cell;

typedef struct matrix {
  const char *name;
  int rows, columns, ncells;
  cell *cells; /* by columns */
} matrix;

typedef struct external {
  const ag_header *h;
  const char *name; /* "gen3_fd" */
  matrix *in, *out;
  int nin, nout;
} external;

static const char *plain(ag_arena *arena, const char *name) {
  char *copy = ag_strdup(arena, name);
  for (char *c = copy; *c; c++)
    if (*c == '.') *c = '_';
  return copy;
}

static bool comes_behind(const cell *a, const cell *b) {
  return a->column > b->column || (a->column == b->column && a->row > b->row);
}

static void put(ag_arena *arena, matrix *m, int row, int column, const char *text) {
  m->cells = ag_room(arena, m->cells, m->ncells, sizeof *m->cells);
  const cell made = {row, column, text};
  int at = m->ncells++;
  for (; at > 0 && comes_behind(&m->cells[at - 1], &made); at--) m->cells[at] = m->cells[at - 1];
  m->cells[at] = made;
}

/* A quantity as a matrix. list: "in" or "out", as its struct is called. */
static matrix matrix_of(const ag_header *h, const ag_function *p, const ag_quantity *q,
                        const char *list) {
  const ag_list *all = strcmp(list, "in") == 0 ? &p->in : &p->out;
  const int nv = h->nbase + h->njoints;
  matrix m = {.name = plain(h->arena, q->name), .rows = q->size, .columns = 1};
  int width = 1; /* elements of a row, which stand together */
  if (q->shape == AG_ROTATION) width = 3;
  if (q->shape == AG_JACOBIAN || q->shape == AG_PARTIALS) width = nv;
  if (q->shape == AG_DERIVATIVE || q->shape == AG_MATRIX) width = ag_derivative_columns(h, q);
  if (width > 1) {
    m.rows = q->size / width;
    m.columns = width;
  }
  if (q->shape == AG_PACKED) m.rows = m.columns = nv;
  for (int k = 0, row = 0, column = 0; k < q->size; k++) {
    const int at = q->first + k;
    const bool zero = strcmp(list, "out") == 0 && ag_always_zero(p->graph, at);
    if (q->shape != AG_PACKED) {
      row = k / width;
      column = k % width;
    }
    if (!zero)
      put(h->arena, &m, row, column,
          ag_emit_place(&in_casadi, h, list, ag_emit_access(h, &all->elements[at])));
    if (q->shape == AG_PACKED && column++ == row) {
      row++;
      column = 0;
    }
  }
  return m;
}

static void add(const ag_header *h, matrix **list, int *count, matrix m) {
  *list = ag_room(h->arena, *list, *count, sizeof m);
  (*list)[(*count)++] = m;
}

static const ag_function *program_of(const ag_header *h, const char *function) {
  for (int k = 0; function && k < h->nfunctions; k++)
    if (strcmp(h->functions[k]->name, function) == 0) return h->functions[k];
  return NULL;
}

static const ag_quantity *output_of(const ag_function *p, const char *name) {
  for (int k = 0; k < p->out.nquantities; k++)
    if (strcmp(p->out.quantities[k].name, name) == 0) return &p->out.quantities[k];
  return NULL;
}

/* ---- blocks of a Jacobian ---- */

/* Outputs that have derivatives, and inputs that these are by. nbase: whose numbers stand before. */
typedef struct part {
  const char *name, *in_names;
  bool behind_base;
} part;

static const part
    ofs[] = {{"qdd", "qdd", true}, {"base.acc", "qdd", false},
             {"tau", "tau", true}, {"base.wrench", "tau", false},
             {"nu", "nu", false},  {"tau_ctrl", "tau_ctrl", false}},
    bys[] = {{"q", "q", true},          {"base.quat", "q", false},       {"base.yaw", "q", false},
             {"qd", "qd", true},        {"base.twist", "qd", false},     {"tau", "tau", false},
             {"tau_art", "tau", false}, {"tau_phys", "tau_phys", false}, {"b", "b", false},
             {"qdd", "M", true},        {"base.acc", "M", false}};

static const part *find_part(const part *list, size_t count, const char *name) {
  for (size_t k = 0; k < count; k++)
    if (strcmp(list[k].name, name) == 0) return &list[k];
  return NULL;
}

static bool differentiable(const ag_quantity *q) {
  return find_part(ofs, sizeof ofs / sizeof *ofs, q->name) != NULL;
}

/* Where and what a block is: the derivative's matrix with the first row and column. */
typedef struct block {
  const ag_quantity *q; /* NULL: the derivative is zero everywhere */
  const ag_function *p;
  int row, column;
} block;

/* The element of a block in C; NULL: zero. */
static const char *element(const ag_header *h, const block *b, int i, int k) {
  if (!b->q) return NULL;
  int at = 0;
  i += b->row;
  k += b->column;
  if (b->q->shape == AG_PACKED)
    at = i >= k ? i * (i + 1) / 2 + k : k * (k + 1) / 2 + i;
  else
    at = i * ag_derivative_columns(h, b->q) + k;
  at += b->q->first;
  return ag_always_zero(b->p->graph, at)
             ? NULL
             : ag_emit_place(&in_casadi, h, "out", ag_emit_access(h, &b->p->out.elements[at]));
}

/* The first of the three joints that are axes of a ball joint, by the input that is its rotation; -1: the input is none. */
static int first_axis(const ag_header *h, const char *input) {
  for (int j = 0; j < h->njoints; j++)
    if (h->joints[j].ball && strcmp(h->joints[j].ball, input) == 0) return j - h->joints[j].axis;
  return -1;
}

/* d by a quaternion w x y z, d = 2 E dquat (docs/derivatives.md): column k of row i. A base is turned about the axes of the
 * world, a ball about those of its child. */
static const char *by_quaternion(const ag_header *h, const block *b, const ag_quantity *by, int i,
                                 int k) {
  static const char *const E[2][3][4] = {
      {{"-x", "w", "-z", "y"}, {"-y", "z", "w", "-x"}, {"-z", "-y", "x", "w"}},
      {{"-x", "w", "z", "-y"}, {"-y", "-z", "w", "x"}, {"-z", "y", "-x", "w"}}};
  const int ball = first_axis(h, by->name), first = ball < 0 ? 3 : h->nbase + ball;
  const char *sum = "";
  for (int axis = 0; axis < 3; axis++) {
    const char *x = element(h, b, i, first + axis), *e = E[ball >= 0][axis][k];
    const bool minus = e[0] == '-';
    if (x)
      sum = ag_printf(h->arena, "%s%s%s * (%sin.%s.%s)", sum, sum[0] ? " + " : "", x,
                      minus ? "-" : "", by->name, e + minus);
  }
  return sum[0] ? ag_printf(h->arena, "2 * (%s)", sum) : NULL;
}

/* Finds the derivative of an output by an input; false: there is none, and it is not zero. A mask is a
 * switch: between its two values there is nothing to differentiate, and CasADi takes zero for it. */
static bool find_block(const ag_header *h, const ag_function *d, const ag_quantity *of,
                       const ag_quantity *by, block *b) {
  *b = (block){0};
  if (strcmp(by->name, "mask") == 0) return true;
  const part *row = find_part(ofs, sizeof ofs / sizeof *ofs, of->name),
             *column = find_part(bys, sizeof bys / sizeof *bys, by->name);
  const bool turns = first_axis(h, by->name) >= 0; /* a ball */
  const char *what = turns ? "q" : column ? column->in_names : by->name;
  if (!column && !turns && by->shape != AG_WRENCH) return false;
  const char *name =
      strcmp(what, "M") == 0 ? "M" : ag_printf(h->arena, "d%s_d%s", row->in_names, what);
  *b = (block){output_of(d, name), d, row->behind_base ? h->nbase : 0,
               column && column->behind_base ? h->nbase : 0};
  if (strcmp(by->name, "base.yaw") == 0) b->column = 2;
  return b->q != NULL;
}

static matrix block_matrix(const ag_header *h, const ag_quantity *of, const ag_quantity *by,
                           const block *b) {
  matrix m = {.name = ag_printf(h->arena, "jac_%s_%s", plain(h->arena, of->name),
                                plain(h->arena, by->name)),
              .rows = of->size,
              .columns = by->size};
  for (int i = 0; i < m.rows; i++)
    for (int k = 0; k < m.columns; k++) {
      if (strcmp(by->name, "q") == 0 && h->joints[k].ball) continue; /* no position of it is read */
      const char *text =
          by->shape == AG_QUATERNION ? by_quaternion(h, b, by, i, k) : element(h, b, i, k);
      if (text) put(h->arena, &m, i, k, text);
    }
  return m;
}

/* ---- text ---- */

static void list_numbers(ag_text *t, const ag_header *h, const char *name, const matrix *m) {
  ag_text line = {.arena = h->arena};
  ag_text_add(&line, "static const casadi_int %s[] = {%d, %d, 0", name, m->rows, m->columns);
  for (int column = 0, at = 0; column < m->columns; column++) {
    while (at < m->ncells && m->cells[at].column == column) at++;
    ag_text_add(&line, ", %d", at);
  }
  for (int k = 0; k < m->ncells; k++) ag_text_add(&line, ", %d", m->cells[k].row);
  ag_text_add(&line, "};");
  ag_text_wrap(t, line.chars, "    ", 100);
  ag_text_add(t, "\n");
}

/* A function that CasADi finds by its name: "EXPORTED int gen3_fd_work(..)"; what: behind gen3_fd. */
static void exported(ag_text *t, const external *e, const char *type, const char *what,
                     const char *takes) {
  ag_text_add(t, "%s%s%s%s(%s) {", in_casadi.function, type, e->name, what, takes);
}

static void patterns(ag_text *t, const external *e, const char *side, const matrix *list,
                     int count) {
  ag_arena *arena = e->h->arena;
  for (int k = 0; k < count; k++)
    list_numbers(t, e->h, ag_printf(arena, "%s_%s_%d", e->name, side, k), &list[k]);
  exported(t, e, "const casadi_int *", ag_printf(arena, "_sparsity_%s", side), "casadi_int i");
  ag_text_add(t, "\n  switch (i) {\n");
  for (int k = 0; k < count; k++)
    ag_text_add(t, "  case %d: return %s_%s_%d;\n", k, e->name, side, k);
  ag_text_add(t, "  default: return 0;\n  }\n}\n");
  exported(t, e, "const char *", ag_printf(arena, "_name_%s", side), "casadi_int i");
  ag_text_add(t, "\n  switch (i) {\n");
  for (int k = 0; k < count; k++) ag_text_add(t, "  case %d: return \"%s\";\n", k, list[k].name);
  ag_text_add(t, "  default: return 0;\n  }\n}\n");
  exported(t, e, "casadi_int ", ag_printf(arena, "_n_%s", side), "void");
  ag_text_add(t, " return %d; }\n", count);
}

/* Everything but the function itself. taken: how many inputs it reads. */
static void protocol(ag_text *t, const external *e) {
  patterns(t, e, "in", e->in, e->nin);
  patterns(t, e, "out", e->out, e->nout);
  exported(t, e, "casadi_real ", "_default_in", "casadi_int i");
  ag_text_add(t, " (void)i; return 0; }\n");
  exported(t, e, "int ", "_work",
           "casadi_int *sz_arg, casadi_int *sz_res, casadi_int *sz_iw, casadi_int *sz_w");
  ag_text_add(t,
              "\n  if (sz_arg) *sz_arg = %d;\n  if (sz_res) *sz_res = %d;\n"
              "  if (sz_iw) *sz_iw = 0;\n  if (sz_w) *sz_w = 0;\n  return 0;\n}\n",
              e->nin, e->nout);
  static const struct {
    const char *type, *what, *takes, *body;
  } empty[] = {{"int ", "_alloc_mem", "void", " return 0; }"},
               {"int ", "_init_mem", "int mem", " (void)mem; return 0; }"},
               {"void ", "_free_mem", "int mem", " (void)mem; }"},
               {"int ", "_checkout", "void", " return 0; }"},
               {"void ", "_release", "int mem", " (void)mem; }"},
               {"void ", "_incref", "void", "}"},
               {"void ", "_decref", "void", "}"}};
  for (size_t k = 0; k < sizeof empty / sizeof *empty; k++) {
    exported(t, e, empty[k].type, empty[k].what, empty[k].takes);
    ag_text_add(t, "%s\n", empty[k].body);
  }
}

/* The variables that a function is called with; returns the list of its arguments but the last. One that goes on with what another put out takes that one's results
 * and numbers by row beside a struct that it does not read. */
static const char *variables(ag_text *t, const ag_header *h, const ag_function *p) {
  const char *n = h->prefix, *list = ag_printf(h->arena, "&%s", p->after ? "unread" : "in");
  ag_text_add(t, "\n  %s_%s_in %s = %s_%s_IN_DEFAULT;\n", n, p->takes, list + 1, h->upper,
              ag_upper(h->arena, p->takes));
  if (p->after) {
    list = ag_printf(h->arena, "%s, &in.%s", list, p->after);
    ag_text_add(t, "  struct {\n    %s_%s_out %s;\n", n, p->after, p->after);
    for (int i = 0; i < p->in.nquantities; i++) {
      const ag_quantity *q = &p->in.quantities[i];
      if (ag_is_result_of(p->after, q->name)) continue;
      ag_text_add(t, "    %s_real %s[%s];\n", n, q->name, ag_emit_length(h, q));
      list = ag_printf(h->arena, "%s, in.%s", list, q->name);
    }
    ag_text_add(t, "  } in;\n");
  }
  ag_text_add(t, "  %s_%s_out out;\n  (void)iw;\n  (void)w;\n  (void)mem;\n", n, p->fills);
  return list;
}

/* p: the program that is called; taken: how many of the inputs are its own. */
static void function(ag_text *t, const external *e, const ag_function *p, int taken) {
  ag_text_add(t, "\n");
  exported(t, e, "int ", "",
           "const casadi_real **arg, casadi_real **res, casadi_int *iw, casadi_real *w, int mem");
  const char *list = variables(t, e->h, p);
  for (int i = 0; i < taken; i++)
    for (int k = 0; k < e->in[i].ncells; k++)
      ag_text_add(t, "  %s = arg[%d] ? arg[%d][%d] : 0;\n", e->in[i].cells[k].text, i, i, k);
  ag_text_add(t, "  if (%s_%s(%s, &out) & %s_DO_NOT_COMMAND) return 1;\n", e->h->prefix, p->name,
              list, e->h->upper);
  for (int i = 0; i < e->nout; i++) {
    if (e->out[i].ncells == 0) continue;
    ag_text_add(t, "  if (res[%d]) {\n", i);
    for (int k = 0; k < e->out[i].ncells; k++)
      ag_text_add(t, "    res[%d][%d] = %s;\n", i, k, e->out[i].cells[k].text);
    ag_text_add(t, "  }\n");
  }
  ag_text_add(t, "  return 0;\n}\n");
  protocol(t, e);
}

/* What to do about an input without derivative. d: the function that gives the others. */
static const char *remedy_of(const ag_header *h, const ag_function *d, const ag_quantity *by) {
  const part *known = find_part(bys, sizeof bys / sizeof *bys, by->name);
  if (known || by->shape == AG_WRENCH)
    return "name no derivatives in the layout's outputs: all of them are made then";
  if (strcmp(by->name, "gravity") == 0) return "fix it in the layout: gravity = { 0, 0, -9.81 }";
  if (by->shape == AG_ROTATION && strcmp(by->name, "base.rot") == 0)
    return "write orientation = \"quaternion\" in the layout";
  return ag_printf(h->arena,
                   "fix it in the layout, or write --functions %s, whose matrices need no Jacobian",
                   d->name);
}

/* Fails: the derivatives d of p have none of this output by this input. */
static bool no_derivative(const ag_header *h, const ag_function *d, const ag_function *p,
                          const ag_quantity *of, const ag_quantity *by, ag_err *err) {
  static const char start[] = "linkage_start.";
  if (strncmp(by->name, start, strlen(start)) != 0)
    return ag_fail(err, "", 0, remedy_of(h, d, by), "--casadi: %s has no derivative of %s by %s",
                   p->name, of->name, by->name);
  return ag_fail(
      err, "", 0,
      ag_printf(h->arena,
                "leave linkages out, or write --functions %s, whose matrices need no Jacobian",
                d->name),
      "--casadi: %s has no Jacobian of where the linkage \"%s\" is closed", p->name,
      by->name + strlen(start));
}

/* jac_NAME_F: the inputs of F, then its outputs, which it does not need; of every output by every input. */
static bool jacobian(ag_text *t, const external *f, const ag_function *p, const ag_function *d,
                     ag_err *err) {
  const ag_header *h = f->h;
  external e = {.h = h, .name = ag_printf(h->arena, "jac_%s", f->name)};
  for (int k = 0; k < p->in.nquantities; k++)
    add(h, &e.in, &e.nin, matrix_of(h, d, &d->in.quantities[k], "in"));
  const int taken = e.nin;
  for (int k = 0; k < f->nout; k++) {
    matrix m = f->out[k];
    m.name = ag_printf(h->arena, "out_%s", m.name);
    add(h, &e.in, &e.nin, m);
  }
  for (int i = 0; i < p->out.nquantities; i++) {
    const ag_quantity *of = &p->out.quantities[i];
    if (!differentiable(of)) continue;
    for (int k = 0; k < p->in.nquantities; k++) {
      const ag_quantity *by = &p->in.quantities[k];
      block b;
      if (!find_block(h, d, of, by, &b)) return no_derivative(h, d, p, of, by, err);
      add(h, &e.out, &e.nout, block_matrix(h, of, by, &b));
    }
  }
  function(t, &e, d, taken);
  return true;
}

static const char opening[] =
    "\n/* ---- as CasADi calls it ---- */\n"
    "#ifndef casadi_real\n#define casadi_real double\n#endif\n"
    "#ifndef casadi_int\n#define casadi_int long long int\n#endif\n"
    "#if defined(_WIN32)\n#define EXPORTED __declspec(dllexport)\n"
    "#elif defined(__GNUC__)\n#define EXPORTED __attribute__((visibility(\"default\")))\n"
    "#else\n#define EXPORTED\n#endif\n"
    "#ifdef __cplusplus\nextern \"C\" {\n#endif\n";

/* Of the acceleration of a fixed base, by which no derivatives are computed. */
static bool takes_root_acceleration(const ag_function *p) {
  for (int k = 0; k < p->in.nquantities; k++)
    if (strcmp(p->in.quantities[k].name, "root_acc") == 0) return true;
  return false;
}

/* " *   fk, dmclp have no Jacobian\n": those whose derivatives no function here gives. */
static const char *without_jacobian(const ag_header *h) {
  const char *list = "";
  for (int k = 0; k < h->nfunctions; k++) {
    const char *name = h->functions[k]->name;
    if (!ag_function_derivative(name) || takes_root_acceleration(h->functions[k]))
      list = ag_printf(h->arena, "%s%s%s", list, list[0] ? ", " : "", name);
  }
  return list[0] ? ag_printf(h->arena, " * Without a Jacobian: %s.\n", list) : "";
}

/* How CasADi loads the first function; o->file is the source itself. */
static const char *usage(const ag_header *h, const ag_header_options *o, int length) {
  const char *first = h->functions[0]->name;
  const int stem = (int)strcspn(o->file, ".");
  return ag_printf(h->arena,
                   "/* Use, with CasADi 3.6 or newer:\n"
                   " *   cc -O2 -fPIC -shared %s -o %.*s.so -lm\n"
                   " *   %s = casadi.external(\"%.*s_%s\", \"./%.*s.so\")    in Python\n"
                   "%s"
                   " * acados reads int where CasADi reads long long int: -Dcasadi_int=int. */\n",
                   o->file, stem, o->file, first, length, h->prefix, first, stem, o->file,
                   without_jacobian(h));
}

bool ag_casadi_text(const ag_header *h, const ag_header_options *options, const char **text,
                    ag_err *err) {
  const char *solver, *none;
  const int length = (int)(strlen(h->prefix) - strlen(AG_CASADI_SOLVER));
  ag_header_options inside = *options;
  inside.usage = usage(h, options, length);
  if (!ag_header_text(h, &inside, &solver, &none, err)) return false;
  ag_text t = {.arena = h->arena}, calls = t;
  for (int k = 0; k < h->nfunctions; k++) {
    const ag_function *p = h->functions[k];
    const ag_function *d =
        takes_root_acceleration(p) ? NULL : program_of(h, ag_function_derivative(p->name));
    external e = {.h = h, .name = ag_printf(h->arena, "%.*s_%s", length, h->prefix, p->name)};
    for (int i = 0; i < p->in.nquantities; i++)
      add(h, &e.in, &e.nin, matrix_of(h, p, &p->in.quantities[i], "in"));
    for (int i = 0; i < p->out.nquantities; i++)
      if (!d || differentiable(&p->out.quantities[i]))
        add(h, &e.out, &e.nout, matrix_of(h, p, &p->out.quantities[i], "out"));
    function(&calls, &e, p, e.nin);
    if (d && !jacobian(&calls, &e, p, d, err)) return false;
  }
  ag_text_add(&t, "%s%s%s\n#ifdef __cplusplus\n}\n#endif\n", solver, opening, calls.chars);
  *text = t.chars;
  return true;
}
