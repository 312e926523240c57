/* SPDX-License-Identifier: MIT */
/* gappa.c: see gappa.h
 *
 * A statement t = a op b becomes two lines: t as the function rounds it, and Mt without rounding.
 * Gappa (Daumas, Melquiond, Certification of bounds on expressions involving rounded operators, ACM
 * Transactions on Mathematical Software 37, 2010) bounds t - Mt by interval arithmetic. */
#include "tables/gappa.h"

#include "base/embedded.h"
#include "base/names.h"
#include "base/text.h"
#include "emit/expression.h"
#include "emit/number.h"
#include "graph/eval.h"
#include "graph/finite.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct theorem {
  const ag_header *header;
  const ag_graph *graph;
  const ag_node *nodes;
  const double *value; /* of nodes, at the centre */
  double half;
  bool *needed; /* by node */
  ag_id *is;    /* by node: itself, or what a choice among finite numbers leaves */
  FILE *to;
  ag_printer printer;
} theorem;

/* ---- what is chosen ---- */

/* Marks what a node is made of, the last first; false: something is chosen by a comparison. */
static bool mark(theorem *t, ag_id output) {
  t->needed[output] = true;
  for (ag_id id = output; id >= 0; id--) {
    if (!t->needed[id]) continue;
    const ag_node *n = &t->nodes[id];
    ag_id operands[] = {n->a, n->b};
    int count = n->op == AG_NEG ? 1 : 2;
    if (n->op == AG_CONST || n->op == AG_INPUT || n->op == AG_SIN || n->op == AG_COS) continue;
    if (n->op == AG_SELECT) {
      const ag_held which = ag_where_finite(t->nodes, n->a); /* as Gappa's numbers are */
      if (which == AG_UNDECIDED) return false;
      operands[0] = which == AG_HOLDS ? n->b : n->c;
      t->is[id] = operands[0];
      count = 1;
    }
    for (int k = 0; k < count; k++) t->needed[operands[k]] = true;
  }
  return true;
}

/* ---- lines ---- */

static ag_id what(const theorem *t, ag_id id) {
  while (t->is[id] != id) id = t->is[id];
  return id;
}

static bool is_leaf(const ag_node *n) {
  return n->op == AG_INPUT || n->op == AG_SIN || n->op == AG_COS;
}

/* Numbers have all their bits; the names are given, and a choice is followed to what it leaves. */
static const ag_language gappa = {
    .real = "", .comment = {"# ", "# ", ""}, .number = ag_emit_bits, .constant = "", .member = "."};

/* A constant with all its bits; the name of anything else, without rounding where `exact`. */
static const char *name_of(const theorem *t, ag_id id, bool exact) {
  ag_arena *arena = t->header->arena;
  const ag_id node = what(t, id);
  const ag_node *n = &t->nodes[node];
  if (n->op == AG_CONST) return gappa.number(t->header, n->value);
  return ag_printf(arena, "%s%d", is_leaf(n) ? "x" : exact ? "Mt" : "t", (int)node);
}

/* Two statements: of the same operator, its operands as the function rounds them, and without rounding. */
static void define(const theorem *t, ag_id id) {
  const ag_node *n = &t->nodes[id];
  if (n->op == AG_CONST || what(t, id) != id) return;
  if (is_leaf(n)) {
    fprintf(t->to, "x%d = rnd(Rx%d);\n", (int)id, (int)id);
    return;
  }
  ag_id of[3];
  const int arity = ag_operands(n, of);
  for (int exact = 0; exact < 2; exact++) {
    ag_text line = {.arena = t->header->arena};
    for (int k = 0; k < arity; k++) t->printer.name[of[k]] = name_of(t, of[k], exact);
    ag_emit_operation(&line, &t->printer, id);
    fprintf(t->to, "%s%d %s= %s;\n", exact ? "Mt" : "t", (int)id,
            exact || n->op == AG_NEG ? "" : "rnd", line.chars);
  }
}

/* The interval of an input; of a sine or cosine, whose values change by no more than the angle. */
static void interval(const theorem *t, ag_id id, double *low, double *high) {
  const ag_node *n = &t->nodes[id];
  double centre = t->value[id], half = t->half;
  if (n->op != AG_INPUT) {
    int input = 0;
    double k = 0, c = 0;
    if (ag_affine(&t->graph->dag, n->a, &input, &k, &c)) half *= fabs(k);
    half += 1e-12; /* more than sines are off, and the centre's is */
  }
  *low = nextafter(centre - half, -INFINITY);
  *high = nextafter(centre + half, INFINITY);
  if (n->op == AG_INPUT) return;
  *low = fmax(*low, -1 - 1e-12);
  *high = fmin(*high, 1 + 1e-12);
}

static const char *leaf_text(const theorem *t, ag_id id) {
  const ag_node *n = &t->nodes[id];
  int input = n->a;
  double k, c;
  const char *of = "";
  if (n->op != AG_INPUT) {
    of = n->op == AG_SIN ? "sine of " : "cosine of ";
    if (!ag_affine(&t->graph->dag, n->a, &input, &k, &c)) return of;
  }
  return ag_printf(t->header->arena, "%s%s", of, t->graph->function->in.elements[input].column);
}

static void print(const theorem *t, ag_id output, const char *column) {
  const ag_id goal = what(t, output);
  fprintf(t->to, "# %s of %s_%s: |computed - exact|, every input within %g of a state\n", column,
          t->header->prefix, t->graph->function->name, t->half);
  fprintf(t->to, "@rnd = float<ieee_%d, ne>;\n", t->header->target.single ? 32 : 64);
  for (ag_id id = 0; id <= goal; id++) {
    if (!t->needed[id] || what(t, id) != id) continue;
    if (is_leaf(&t->nodes[id]))
      fprintf(t->to, "%sx%d: %s\n", gappa.comment[0], (int)id, leaf_text(t, id));
    define(t, id);
  }
  fprintf(t->to, "\n{ ");
  for (ag_id id = 0; id <= goal; id++) {
    if (!t->needed[id] || !is_leaf(&t->nodes[id])) continue;
    double low, high;
    interval(t, id, &low, &high);
    fprintf(t->to, "x%d in [%a, %a] ->\n  ", (int)id, low, high);
  }
  fprintf(t->to, "%s - %s in ? }\n", name_of(t, goal, false), name_of(t, goal, true));
}

static int find_output(const ag_graph *graph, const char *output) {
  for (int i = 0; i < graph->function->out.nelements; i++)
    if (strcmp(graph->function->out.elements[i].column, output) == 0) return i;
  return -1;
}

bool ag_gappa(const ag_header *h, const ag_graph *graph, const char *output,
              const ag_input_box *box, FILE *to, ag_err *err) {
  const double *in = box->in;
  ag_arena *arena = h->arena;
  const size_t count = (size_t)graph->dag.count;
  const int place = find_output(graph, output);
  if (place < 0) {
    const char **columns =
        ag_alloc(arena, (size_t)(graph->function->out.nelements + 1) * sizeof *columns);
    for (int i = 0; i < graph->function->out.nelements; i++)
      columns[i] = graph->function->out.elements[i].column;
    const char *near = ag_near_names(columns, graph->function->out.nelements, output, arena);
    const char *remedy = "--columns lists the outputs";
    if (near[0]) remedy = ag_printf(arena, "did you mean %s? %s", near, remedy);
    return ag_fail(err, "", 0, remedy, "%s has no output %s", graph->function->name, output);
  }
  double *out = ag_alloc(arena, (size_t)(graph->function->out.nelements + 1) * sizeof *out);
  double *work = ag_alloc(arena, count * sizeof *work);
  for (int i = 0; i < graph->function->in.nelements; i++)
    if (!isfinite(in[i]))
      return ag_fail(err, "standard input", 0, "give finite numbers", "%s is not finite",
                     graph->function->in.elements[i].column);
  (void)ag_eval(graph, h->target.single, in, out, work);
  theorem t = {h, graph, graph->dag.nodes, work, box->half, NULL, NULL, to, {0}};
  t.printer = (ag_printer){.language = &gappa, .header = h, .graph = graph};
  t.printer.name = ag_alloc(arena, count * sizeof *t.printer.name);
  t.needed = ag_alloc(arena, count * sizeof *t.needed);
  t.is = ag_alloc(arena, count * sizeof *t.is);
  for (size_t k = 0; k < count; k++) t.is[k] = (ag_id)k;
  const ag_id node = graph->ways[AG_GENERAL].outputs[place];
  if (graph->nways > 1 || !mark(&t, node))
    return ag_fail(err, "", 0, "ask for an output of id, gravity or fk",
                   "%s is chosen at run time among several numbers, which Gappa cannot follow",
                   output);
  const ag_node *goal = &graph->dag.nodes[what(&t, node)];
  if (goal->op == AG_CONST || is_leaf(goal))
    return ag_fail(err, "", 0, "ask for another output", "%s is not computed, so nothing rounds",
                   output);
  print(&t, node, output);
  return true;
}

/* ---- sine and cosine ---- */

/* An expression of C as one of Gappa's: numbers with all their bits, names without rounding where
 * `exact`, except r and e, which are given. */
static void translate(const ag_header *h, const char *at, const char *end, bool exact, FILE *to) {
  static const char letters[] = "abcdefghijklmnopqrstuvwxyz_";
  while (at < end) {
    size_t length = strspn(at, letters);
    if (length) {
      const bool given = length == 1 && (*at == 'r' || *at == 'e');
      fprintf(to, "%s%.*s", exact && !given ? "M" : "", (int)length, at);
      at += length;
    } else if (*at >= '0' && *at <= '9') {
      char *after;
      const double value = strtod(at, &after);
      fprintf(to, "%a", h->target.single ? (double)(float)value : value);
      at = after + (*after == 'f');
    } else {
      length = strspn(at, " \n");
      if (length) fputc(' ', to);
      if (!length) fputc(*at, to);
      at += length ? length : 1;
    }
  }
}

/* Of the template's text, from the square of r on to the turn by quarters. */
void ag_gappa_sincos(const ag_header *h, FILE *to) {
  static const char start[] = "const @T@ ";
  const char *text =
      ag_file_text(h->target.single ? "sincos_float_body.h.in" : "sincos_double_body.h.in");
  const char *first = strstr(text, "const @T@ z "), *last = strstr(text, "const @T@ h ");
  fprintf(to,
          "# sine and cosine of %s: |computed - exact| of the polynomials, for every angle r + e "
          "that is left\n"
          "# of the reduction by quarter turns\n@rnd = float<ieee_%d, ne>;\nr = rnd(Rr);\ne = "
          "rnd(Re);\n",
          h->prefix, h->target.single ? 32 : 64);
  for (const char *at = first; at && last && at < last; at = strstr(at + 1, start)) {
    const char *name = at + strlen(start), *equals = strchr(name, '='), *end = strchr(name, ';');
    for (int exact = 0; exact < 2; exact++) {
      translate(h, name, equals, exact, to);
      fputs(exact ? "=" : "rnd=", to);
      translate(h, equals + 1, end, exact, to);
      fputs(";\n", to);
    }
  }
  const char *least = h->target.single ? "1b-24" : "1b-53";
  fprintf(to,
          "\n{ r in [-0.7854, 0.7854] -> e in [-%s, %s] ->\n"
          "  sin_r - Msin_r in ? /\\ cos_r - Mcos_r in ? }\n",
          least, least);
}
