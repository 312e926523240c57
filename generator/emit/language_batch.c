/* SPDX-License-Identifier: MIT */
/* language_batch.c: see language_batch.h */
#include "emit/language_batch.h"

#include "emit/expression.h"
#include "emit/limits.h"
#include "emit/number.h"
#include "emit/probe.h"

/* As an operand of vectors, of constants too. */
static void operand(ag_text *t, const ag_printer *p, ag_id id) {
  const ag_node *n = &p->graph->dag.nodes[id];
  if (n->op == AG_CONST)
    ag_text_add(t, "(none + %s)", ag_emit_number(p->header, n->value));
  else
    ag_emit_bound(t, p, id, AG_SUM + 1);
}

/* The same of node n, whose constant may have a name. */
static void operand_of(ag_text *t, const ag_printer *p, const ag_node *n, ag_id id) {
  const char *limit = ag_limit_operand(p, n, id);
  if (limit)
    ag_text_add(t, "(none + %s)", limit);
  else
    operand(t, p, id);
}

void ag_emit_infinite(ag_text *t, const ag_header *h, const char *const *numbers, int count,
                      int at_once) {
  for (int k = 0; k < count; k++) {
    const bool first = k % at_once == 0;
    if (first) ag_text_add(t, "%s%s_PROBE(", k ? ") | " : "", h->upper);
    ag_text_add(t, "%s%s * %s", first ? "" : " + ", ag_probe_scale(h), numbers[k]);
  }
  ag_text_add(t, ")");
}

static void inputs_are_finite(ag_text *t, const ag_printer *p, const ag_node *n) {
  const int count = n->b - n->a + 1;
  const char **inputs = ag_alloc(p->header->arena, (size_t)count * sizeof *inputs);
  for (int k = 0; k < count; k++) inputs[k] = ag_emit_input(p, n->a + k);
  ag_emit_infinite(t, p->header, inputs, count, AG_ASKED_AT_ONCE);
}

/* Sines were made here, of angles that need them. */
static void probe(ag_text *t, const ag_printer *p, const ag_node *n) {
  const char *upper = p->header->upper;
  if (n->op == AG_PROBE_TURNS) {
    ag_text_add(t, "(none != none)");
  } else if (n->op == AG_PROBE) {
    ag_text_add(t, "%s_PROBE(", upper);
    ag_emit_bound(t, p, n->a, AG_TERNARY);
    ag_text_add(t, ")");
  } else {
    ag_text_add(t, "(");
    if (n->c == AG_FINITE) inputs_are_finite(t, p, n);
    for (int i = n->a; i <= n->b && n->c != AG_FINITE; i++)
      ag_text_add(t, "%s%s_PROBE_EXP(%s, %s)", i == n->a ? "" : " | ", upper, ag_emit_input(p, i),
                  ag_bits_below(p->header, n->c));
    ag_text_add(t, ")");
  }
}

/* What a disjunction that stands in one text is of: questions whether a number is finite, and others. */
typedef struct questions {
  ag_id *finite, *others;
  int nfinite, nothers;
} questions;

static void collect(questions *q, const ag_printer *p, ag_id id) {
  const ag_node *n = &p->graph->dag.nodes[id];
  ag_arena *arena = p->header->arena;
  if (n->op == AG_OR && !p->name[id]) {
    collect(q, p, n->a);
    collect(q, p, n->b);
  } else if (n->op == AG_PROBE && !p->name[id]) {
    q->finite = ag_room(arena, q->finite, q->nfinite, sizeof *q->finite);
    q->finite[q->nfinite++] = n->a;
  } else {
    q->others = ag_room(arena, q->others, q->nothers, sizeof *q->others);
    q->others[q->nothers++] = id;
  }
}

/* Whether one of some numbers is not finite, by one question. Returns whether there are several. */
static bool asked_together(ag_text *t, const ag_printer *p, const ag_node *n) {
  questions q = {0};
  collect(&q, p, n->a);
  collect(&q, p, n->b);
  if (q.nfinite < 2) return false;
  if (q.nothers) ag_text_add(t, "(");
  const char **finite = ag_alloc(p->header->arena, (size_t)q.nfinite * sizeof *finite);
  for (int k = 0; k < q.nfinite; k++) {
    ag_text number = {.arena = p->header->arena};
    ag_emit_bound(&number, p, q.finite[k], AG_PRODUCT + 1);
    finite[k] = number.chars;
  }
  ag_emit_infinite(t, p->header, finite, q.nfinite, q.nfinite);
  for (int k = 0; k < q.nothers; k++) {
    ag_text_add(t, " | ");
    ag_emit_bound(t, p, q.others[k], AG_PRIMARY);
  }
  if (q.nothers) ag_text_add(t, ")");
  return true;
}

/* The operators that vectors spell otherwise: comparisons and what is made of them. Returns whether
 * this was one. */
static bool batch_operation(ag_text *t, const ag_printer *p, ag_id id) {
  const ag_node *n = &p->graph->dag.nodes[id];
  switch (n->op) {
  case AG_BOOL:
    ag_text_add(t, n->value != 0 ? "(none == none)" : "(none != none)");
    return true;
  case AG_LT:
  case AG_EQ:
    ag_text_add(t, "(");
    operand_of(t, p, n, n->a);
    ag_text_add(t, n->op == AG_LT ? " < " : " == ");
    operand_of(t, p, n, n->b);
    ag_text_add(t, ")");
    return true;
  case AG_OR:
    return asked_together(t, p, n);
  case AG_NOT:
    ag_text_add(t, "~");
    ag_emit_bound(t, p, n->a, AG_PRIMARY);
    return true;
  case AG_SELECT:
    ag_text_add(t, "%s_SELECT(", p->header->upper);
    ag_emit_bound(t, p, n->a, AG_TERNARY);
    ag_text_add(t, ", ");
    operand_of(t, p, n, n->b);
    ag_text_add(t, ", ");
    operand_of(t, p, n, n->c);
    ag_text_add(t, ")");
    return true;
  default:
    return false;
  }
}

static void store(ag_text *t, const ag_printer *p, const char *place, ag_id id) {
  ag_text_add(t, "%s_STORE(%s, ", p->header->upper, place);
  operand(t, p, id);
  ag_text_add(t, ");");
}

const ag_language ag_in_batch = {.real = "%s_batch",
                                 .boolean = "%s_batch_mask",
                                 .scalar = "%s_real",
                                 .structs = "_batch",
                                 .earlier = "_lanes",
                                 .dimension = "[%s_K]",
                                 .constant = "const ",
                                 .space = "",
                                 .function = "",
                                 .member = "->",
                                 .load = "%s_LOAD(%s)",
                                 .store = store,
                                 .sine = "trig->%c[%d]",
                                 .probe = probe,
                                 .comment = {"/* ", " * ", " */"},
                                 .number = ag_emit_number,
                                 .operation = batch_operation,
                                 .begin = "  const %s_batch none = {0};\n  (void)none;\n"};
