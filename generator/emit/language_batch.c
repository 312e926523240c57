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

/* Inputs one by one; sines were made here, of angles that need them. */
static void probe(ag_text *t, const ag_printer *p, const ag_node *n) {
  const char *upper = p->header->upper;
  if (n->op == AG_PROBE_TURNS) {
    ag_text_add(t, "(none != none)");
  } else if (n->op == AG_PROBE) {
    ag_text_add(t, "%s_PROBE(", upper);
    ag_emit_bound(t, p, n->a, AG_TERNARY);
    ag_text_add(t, ")");
  } else {
    for (int i = n->a; i <= n->b; i++) {
      ag_text_add(t, "%s", i == n->a ? "(" : " | ");
      if (n->c == AG_FINITE)
        ag_text_add(t, "%s_PROBE(%s)", upper, ag_emit_input(p, i));
      else
        ag_text_add(t, "%s_PROBE_EXP(%s, %s)", upper, ag_emit_input(p, i),
                    ag_bits_below(p->header, n->c));
    }
    ag_text_add(t, ")");
  }
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
