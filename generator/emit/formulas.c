/* SPDX-License-Identifier: MIT */
/* formulas.c: see formulas.h */
#include "emit/formulas.h"

#include "base/names.h"
#include "base/text.h"
#include "emit/expression.h"
#include "emit/language_c.h"
#include "emit/number.h"
#include "graph/finite.h"

#include <stdlib.h>
#include <string.h>

typedef struct formulas {
  const ag_header *header;
  const ag_plan *plan;
  const ag_sequence *way;
  const ag_node *nodes;
  const char **name; /* by node, as in the header; NULL: it stands where it is used */
  bool *needed;      /* by node */
  FILE *to;
} formulas;

/* How strongly operators bind. */
enum { ANY, CONDITION, ORDER, SUM, PRODUCT, FACTOR };

enum { MOST_IN_A_LINE = 90 }; /* characters of a formula's text, names and signs alone */

/* ---- names and numbers ---- */

/* A name in upright letters: "forearm_w_x". */
static const char *upright(ag_arena *arena, const char *name) {
  const char *out = "";
  for (const char *c = name; *c; c++) out = ag_printf(arena, *c == '_' ? "%s\\_" : "%s%c", out, *c);
  return ag_printf(arena, "\\mathrm{%s}", out);
}

/* Text of a heading, as LaTeX takes it. */
static const char *heading(ag_arena *arena, const char *text) {
  const char *out = "";
  for (const char *c = text; *c; c++) {
    if (c[0] == '-' && c[1] == '>') {
      out = ag_printf(arena, "%s$\\rightarrow$", out);
      c++;
    } else if (*c == '^' || *c == '~' || *c == '\\') {
      out = ag_printf(arena, *c == '\\' ? "%s\\textbackslash{}" : "%s\\%c{}", out, *c);
    } else {
      out = ag_printf(arena, strchr("_%&#${}", *c) ? "%s\\%c" : "%s%c", out, *c);
    }
  }
  return out;
}

/* A column, "q.joint_1", as a letter with an index: q_{joint_1}. */
static const char *column(ag_arena *arena, const char *name) {
  const char *dot = strchr(name, '.');
  if (!dot) return upright(arena, name);
  return ag_printf(arena, "%s_{%s}",
                   upright(arena, ag_printf(arena, "%.*s", (int)(dot - name), name)),
                   upright(arena, dot + 1));
}

/* 0.5, 1.5 \cdot 10^{-6}, with the digits that the header has. */
static const char *number(const formulas *f, double value) {
  ag_arena *arena = f->header->arena;
  const char *text = ag_emit_number(f->header, value < 0 ? -value : value);
  size_t length = strcspn(text, "ef");
  const char *power = text[length] == 'e' ? text + length + 1 : NULL;
  if (length > 2 && strncmp(text + length - 2, ".0", 2) == 0) length -= 2;
  const char *sign = value < 0 ? "-" : "";
  if (!power) return ag_printf(arena, "%s%.*s", sign, (int)length, text);
  const int by = (int)strtol(power, NULL, 10);
  return ag_printf(arena, "%s%.*s \\cdot 10^{%d}", sign, (int)length, text, by);
}

/* ---- expressions ---- */

/* Of a choice that only asks whether numbers are finite, what stands for finite ones; else the node itself. */
static ag_id where_finite(const formulas *f, ag_id id) {
  const ag_node *n = &f->nodes[id];
  while (n->op == AG_SELECT) {
    const ag_held which = ag_where_finite(f->nodes, n->a);
    if (which == AG_UNDECIDED) break;
    id = which == AG_HOLDS ? n->b : n->c;
    n = &f->nodes[id];
  }
  return id;
}

static void expression(ag_text *t, const formulas *f, ag_id id, int least);

static void operation(ag_text *t, const formulas *f, ag_id id, int least);

static void between(ag_text *t, const formulas *f, const ag_node *n, const char *sign, int bind,
                    int right) {
  expression(t, f, n->a, bind);
  ag_text_add(t, "%s", sign);
  expression(t, f, n->b, right);
}

/* \sin(q + 0.5) */
static void sine(ag_text *t, const formulas *f, const ag_node *n) {
  ag_text_add(t, n->op == AG_SIN ? "\\sin\\left(" : "\\cos\\left(");
  operation(t, f, n->a, ANY); /* angles have no statement */
  ag_text_add(t, "\\right)");
}

static void choice(ag_text *t, const formulas *f, const ag_node *n) {
  ag_text_add(t, "\\begin{cases} ");
  expression(t, f, n->b, ANY);
  ag_text_add(t, " & \\text{where } ");
  expression(t, f, n->a, ANY);
  ag_text_add(t, " \\\\ ");
  expression(t, f, n->c, ANY);
  ag_text_add(t, " & \\text{else} \\end{cases}");
}

static int binding(const formulas *f, const ag_node *n) {
  switch (n->op) {
  case AG_AND:
  case AG_OR:
    return CONDITION;
  case AG_LT:
  case AG_EQ:
    return ORDER;
  case AG_ADD:
  case AG_SUB:
  case AG_NEG:
    return SUM;
  case AG_CONST:
    return n->value < 0 ? SUM : strchr(number(f, n->value), ' ') ? PRODUCT : FACTOR;
  case AG_MUL:
    return PRODUCT;
  default:
    return FACTOR;
  }
}

/* What holds or not. */
static void condition(ag_text *t, const formulas *f, const ag_node *n) {
  switch (n->op) {
  case AG_LT:
    between(t, f, n, " < ", SUM, SUM);
    break;
  case AG_EQ:
    between(t, f, n, " = ", SUM, SUM);
    break;
  case AG_AND:
    between(t, f, n, " \\wedge ", ORDER, ORDER);
    break;
  case AG_OR:
    between(t, f, n, " \\vee ", ORDER, ORDER);
    break;
  case AG_NOT:
    ag_text_add(t, "\\neg ");
    expression(t, f, n->a, FACTOR);
    break;
  case AG_BOOL:
    ag_text_add(t, n->value != 0 ? "\\text{true}" : "\\text{false}");
    break;
  default: /* a test for NaN, of finite numbers */
    ag_text_add(t, "\\text{false}");
    break;
  }
}

static void operation(ag_text *t, const formulas *f, ag_id id, int least) {
  const ag_node *n = &f->nodes[id];
  const bool brackets = binding(f, n) < least;
  if (brackets) ag_text_add(t, "\\left(");
  switch (n->op) {
  case AG_CONST:
    ag_text_add(t, "%s", number(f, n->value));
    break;
  case AG_INPUT:
    ag_text_add(t, "%s",
                column(f->header->arena, f->plan->graph->function->in.elements[n->a].column));
    break;
  case AG_ADD:
    between(t, f, n, " + ", SUM, PRODUCT);
    break;
  case AG_SUB:
    between(t, f, n, " - ", SUM, PRODUCT);
    break;
  case AG_MUL:
    between(t, f, n, " \\, ", PRODUCT, FACTOR);
    break;
  case AG_DIV:
    ag_text_add(t, "\\frac{");
    expression(t, f, n->a, ANY);
    ag_text_add(t, "}{");
    expression(t, f, n->b, ANY);
    ag_text_add(t, "}");
    break;
  case AG_NEG:
    ag_text_add(t, "-");
    expression(t, f, n->a, PRODUCT);
    break;
  case AG_SIN:
  case AG_COS:
    sine(t, f, n);
    break;
  case AG_SELECT:
    choice(t, f, n);
    break;
  default:
    condition(t, f, n);
    break;
  }
  if (brackets) ag_text_add(t, "\\right)");
}

/* A node by its name or in place. */
static void expression(ag_text *t, const formulas *f, ag_id id, int least) {
  id = where_finite(f, id);
  if (f->name[id] && f->nodes[id].op != AG_CONST && f->nodes[id].op != AG_INPUT)
    ag_text_add(t, "%s", upright(f->header->arena, f->name[id]));
  else
    operation(t, f, id, least);
}

/* ---- lines ---- */

/* Breaks a formula before signs of its outermost sum, where a line would be too long. */
static void print_line(const formulas *f, const char *left, const char *right) {
  fprintf(f->to, "%s &= ", left);
  int depth = 0, length = 0;
  for (const char *c = right; *c; c++) {
    depth +=
        (*c == '{' || strncmp(c, "\\left", 5) == 0) - (*c == '}' || strncmp(c, "\\right", 6) == 0);
    length += strchr("\\{}_ ", *c) == NULL;
    const bool sign = *c == ' ' && (c[1] == '+' || c[1] == '-') && c[2] == ' ';
    if (sign && depth == 0 && length > MOST_IN_A_LINE) {
      fputs(" \\\\\n &\\quad", f->to);
      length = 0;
    }
    fputc(*c, f->to);
  }
}

/* Marks what a node is made of, the last first. */
static void mark(const formulas *f) {
  for (ag_id id = f->plan->graph->dag.count - 1; id >= 0; id--) {
    if (!f->needed[id]) continue;
    const ag_id is = where_finite(f, id);
    if (is != id) {
      f->needed[is] = true;
      continue;
    }
    ag_id of[3];
    const int arity = ag_operands(&f->nodes[id], of);
    for (int k = 0; k < arity; k++) f->needed[of[k]] = true;
  }
}

static bool has_line(const formulas *f, ag_id id) {
  return f->needed[id] && f->way->statement[id] && where_finite(f, id) == id;
}

/* The statements by step: a step is what the algorithm calls a region. */
static void print_steps(const formulas *f) {
  const ag_graph *graph = f->plan->graph;
  int32_t region = -1;
  bool open = false;
  for (int i = 0; i < f->way->norder; i++) {
    const ag_id id = f->way->order[i];
    if (!has_line(f, id)) continue;
    const int32_t own = f->nodes[id].region;
    if (open) fputs(own == region ? " \\\\\n" : "\n\\end{align*}\n\n", f->to);
    if (!open || own != region) {
      const bool known = own >= 0 && own < graph->nregions;
      fprintf(f->to, "\\subsection*{%s}\n\\begin{align*}\n",
              known ? heading(f->header->arena, graph->regions[own].title)
                    : "What is needed in several steps");
      region = own;
      open = true;
    }
    ag_text line = {.arena = f->header->arena};
    operation(&line, f, id, ANY);
    print_line(f, upright(f->header->arena, f->name[id]), line.chars);
  }
  if (open) fputs("\n\\end{align*}\n\n", f->to);
}

/* Which elements are meant: those of a quantity, or one; false: there are none. */
static bool find_elements(const ag_function *function, const char *output, int *first, int *count) {
  for (int i = 0; i < function->out.nquantities; i++) {
    const ag_quantity *q = &function->out.quantities[i];
    if (strcmp(q->name, output) != 0) continue;
    *first = q->first;
    *count = q->size;
    return true;
  }
  for (int i = 0; i < function->out.nelements; i++) {
    if (strcmp(function->out.elements[i].column, output) != 0) continue;
    *first = i;
    *count = 1;
    return true;
  }
  return false;
}

static bool no_such_output(const ag_header *h, const ag_function *function, const char *output,
                           ag_err *err) {
  const int count = function->out.nquantities;
  const char **names = ag_alloc(h->arena, (size_t)(count + 1) * sizeof *names);
  for (int i = 0; i < count; i++) names[i] = function->out.quantities[i].name;
  const char *near = ag_near_names(names, count, output, h->arena);
  const char *list = "";
  for (int i = 0; i < count; i++)
    list = ag_printf(h->arena, "%s%s%s", list, i ? ", " : "", names[i]);
  const char *remedy =
      near[0] ? ag_printf(h->arena, "did you mean %s? there is %s", near, list)
              : ag_printf(h->arena, "there is %s; --columns lists the numbers of each", list);
  return ag_fail(err, "", 0, remedy, "%s has no output %s", function->name, output);
}

static void print_head(const formulas *f, const char *output) {
  const ag_graph *graph = f->plan->graph;
  fprintf(f->to,
          "%% %s of %s_%s, as achdgen --formulas prints it. Names are those of the header.\n"
          "\\documentclass[a4paper]{article}\n\\usepackage{amsmath}\n\\usepackage[margin=2cm]{"
          "geometry}\n"
          "\\allowdisplaybreaks\n\\begin{document}\n\\section*{%s}\n",
          output, f->header->prefix, graph->function->name,
          heading(f->header->arena, ag_printf(f->header->arena, "%s of %s_%s", output,
                                              f->header->prefix, graph->function->name)));
  if (f->way != &f->plan->own)
    fprintf(f->to,
            "%s, which the function takes in most states. \\verb|--formulation recursion| and "
            "\\verb|joint| print the general ones.\n\n",
            strcmp(graph->function->formulation, "early") == 0 ? "Early elimination"
                                                               : "The null-space solve");
}

bool ag_formulas(const ag_header *h, const ag_plan *plan, const char *output, FILE *to,
                 ag_err *err) {
  const ag_graph *graph = plan->graph;
  int first = 0, count = 0;
  if (!find_elements(graph->function, output, &first, &count))
    return no_such_output(h, graph->function, output, err);
  const ag_sequence *way = plan->fast ? plan->fast : &plan->own;
  formulas f = {h, plan, way, graph->dag.nodes, ag_printer_of(&ag_in_c, h, plan).name, NULL, to};
  f.needed = ag_alloc(h->arena, (size_t)(graph->dag.count + 1) * sizeof *f.needed);
  for (int i = 0; i < count; i++) f.needed[way->results->outputs[first + i]] = true;
  mark(&f);
  print_head(&f, output);
  print_steps(&f);
  fputs("\\subsection*{Results}\n\\begin{align*}\n", to);
  for (int i = 0; i < count; i++) {
    ag_text line = {.arena = h->arena};
    expression(&line, &f, way->results->outputs[first + i], ANY);
    print_line(&f, column(h->arena, graph->function->out.elements[first + i].column), line.chars);
    fputs(i + 1 < count ? " \\\\\n" : "\n", to);
  }
  fputs("\\end{align*}\n\\end{document}\n", to);
  return true;
}
