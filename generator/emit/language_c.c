/* SPDX-License-Identifier: MIT */
/* language_c.c: see language_c.h */
#include "emit/language_c.h"

#include "emit/access.h"
#include "emit/expression.h"
#include "emit/number.h"
#include "emit/probe.h"
#include "emit/trig.h"

/* A choice by masks. */
static void choice(ag_text *t, const ag_printer *p, const ag_node *n) {
  const ag_id operands[] = {n->a, n->b, n->c};
  ag_text_add(t, "%s_select", p->header->prefix);
  for (int k = 0; k < 3; k++) {
    ag_text_add(t, k ? ", " : "(");
    ag_emit_operand_of(t, p, n, operands[k], AG_TERNARY);
  }
  ag_text_add(t, ")");
}

/* The numbers that a vector joins. */
static void joined(ag_text *t, const ag_printer *p, ag_id id) {
  const ag_node *n = &p->graph->dag.nodes[id];
  if (n->op != AG_JOIN) {
    ag_emit_expression(t, p, id);
    return;
  }
  joined(t, p, n->a);
  ag_text_add(t, ", ");
  joined(t, p, n->b);
}

/* The first of the inputs that a vector joins, where they stand one behind the other in the struct; -1: they do not. */
static ag_id first_in_row(const ag_printer *p, ag_id id) {
  const ag_plan *plan = p->plan;
  const int lanes = plan->graph->width[id];
  ag_id first = id;
  while (plan->graph->dag.nodes[first].op == AG_JOIN) first = plan->graph->dag.nodes[first].a;
  if (plan->graph->function->after || plan->graph->dag.nodes[first].op != AG_INPUT) return -1;
  const int *place = ag_places(p->header, &plan->graph->function->in);
  for (int l = 1; l < lanes; l++) {
    ag_id of = id;
    for (int half = lanes / 2; half > 0; half /= 2)
      of = (l & half) ? plan->graph->dag.nodes[of].b : plan->graph->dag.nodes[of].a;
    const ag_node *n = &plan->graph->dag.nodes[of];
    if (n->op != AG_INPUT || place[n->a] != place[plan->graph->dag.nodes[first].a] + l) return -1;
  }
  return first;
}

/* Whether this is the question whether a vector is finite, or several of them, and stands in one text but for its name. */
static bool are_all_probes(const ag_printer *p, ag_id id) {
  const ag_node *n = &p->graph->dag.nodes[id];
  if (n->op != AG_OR) return n->op == AG_PROBE;
  return !p->name[n->a] && !p->name[n->b] && are_all_probes(p, n->a) && are_all_probes(p, n->b);
}

/* The sum of what they ask of, each times what keeps it finite: one instruction each, and one question. */
static void probed_sum(ag_text *t, const ag_printer *p, ag_id id) {
  const ag_node *n = &p->graph->dag.nodes[id];
  if (n->op == AG_OR) {
    probed_sum(t, p, n->a);
    ag_text_add(t, " + ");
    probed_sum(t, p, n->b);
    return;
  }
  ag_text_add(t, "%s * ", ag_probe_scale(p->header));
  ag_emit_bound(t, p, n->a, AG_PRODUCT + 1);
}

/* A place of a vector that joins inputs one behind the other; -1: it does not. */
static int row_of(const ag_printer *p, ag_id id) {
  const ag_id first = first_in_row(p, id);
  if (first < 0) return -1;
  return ag_places(p->header, &p->graph->function->in)[p->graph->dag.nodes[first].a];
}

/* The text of a node that only programs with lanes have, or that vectors spell otherwise; false: it
 * is none. */
static bool limb_operation(ag_text *t, const ag_printer *p, ag_id id) {
  const ag_node *n = &p->graph->dag.nodes[id];
  const unsigned char *width = p->graph->width;
  switch (n->op) {
  case AG_JOIN:
    if (width && row_of(p, id) >= 0) {
      const char *prefix = p->header->prefix;
      ag_text_add(t,
                  "*(const %s_x%d_memory *)(const void *)((const %s_real *)(const void *)in + %d)",
                  prefix, width[id], prefix, row_of(p, id));
      return true;
    }
    ag_text_add(t, "{");
    joined(t, p, id);
    ag_text_add(t, "}");
    return true;
  case AG_TAKE:
    ag_emit_operand(t, p, n->a);
    ag_text_add(t, "[%d]", (int)n->b);
    return true;
  case AG_ANY:
    if (!width) return false;
    ag_text_add(t, "%s_X%d_ANY(", p->header->upper, width[n->a]);
    ag_emit_operand(t, p, n->a);
    ag_text_add(t, ")");
    return true;
  case AG_PROBE:
    if (!width || width[n->a] == 1) return false;
    ag_text_add(t, "%s_X%d_PROBE(", p->header->upper, width[n->a]);
    ag_emit_expression(t, p, n->a);
    ag_text_add(t, ")");
    return true;
  case AG_OR:
    if (!width || width[id] == 1 || !are_all_probes(p, id)) return false;
    ag_text_add(t, "%s_X%d_PROBE(", p->header->upper, width[id]);
    probed_sum(t, p, id);
    ag_text_add(t, ")");
    return true;
  default:
    return false;
  }
}

/* The operators of limbs' vectors, and choices without a branch. */
static bool c_operation(ag_text *t, const ag_printer *p, ag_id id) {
  const ag_node *n = &p->graph->dag.nodes[id];
  if (limb_operation(t, p, id)) return true;
  if (n->op != AG_SELECT || !p->header->target.branchless) return false;
  choice(t, p, n);
  return true;
}

/* The same in functions that are called once for each limb, or once for all in lanes: by macros (limb_functions.c). */
static bool limbs_operation(ag_text *t, const ag_printer *p, ag_id id) {
  const ag_node *n = &p->graph->dag.nodes[id];
  const unsigned char *width = p->graph->width;
  const char *upper = p->header->upper;
  if (n->op == AG_JOIN) {
    const int row = row_of(p, id);
    ag_text_add(t, "%s_%s%d(", upper, row < 0 ? "EACH" : "ROW", width[id]);
    if (row < 0)
      joined(t, p, id);
    else
      ag_text_add(t, "in, %d", row);
  } else if (n->op == AG_PROBE && width[n->a] > 1) {
    ag_text_add(t, "%s_EACH%d_PROBE(", upper, width[n->a]);
    ag_emit_expression(t, p, n->a);
  } else if (n->op == AG_OR && width[id] > 1 && are_all_probes(p, id)) {
    ag_text_add(t, "%s_EACH%d_PROBE(", upper, width[id]);
    probed_sum(t, p, id);
  } else {
    return c_operation(t, p, id);
  }
  ag_text_add(t, ")");
  return true;
}

/* Numbers that stand one behind the other are tested together; of results of another function each for itself. */
static void probe(ag_text *t, const ag_printer *p, const ag_node *n) {
  if (n->op == AG_PROBE_TURNS) {
    ag_emit_probe_of_turns(t, p->header);
  } else if (n->op == AG_PROBE_INPUTS && !p->graph->function->after) {
    ag_emit_probe_of_inputs(t, p->header, p->plan, n);
  } else if (n->op == AG_PROBE_INPUTS) {
    for (int i = n->a; i <= n->b; i++)
      ag_text_add(t, "%s%s_probe(&%s)", i == n->a ? "(" : " | ", p->header->prefix,
                  ag_emit_input(p, i));
    ag_text_add(t, ")");
  } else {
    ag_text_add(t, "%s_probe(&", p->header->prefix);
    ag_emit_bound(t, p, n->a, AG_PRIMARY);
    ag_text_add(t, ")");
  }
}

int ag_stored_at_once(const ag_sequence *way, int i) {
  const ag_node *nodes = way->graph->dag.nodes, *first = &nodes[way->results->outputs[i]];
  if (!way->graph->width || first->op != AG_TAKE || first->b != 0) return 1;
  const int lanes = way->graph->width[first->a];
  for (int k = 0; k < way->graph->function->out.nquantities; k++) {
    const ag_quantity *q = &way->graph->function->out.quantities[k];
    if (i < q->first || i >= q->first + q->size) continue;
    if (q->shape != AG_JOINTS || i + lanes > q->first + q->size) return 1;
  }
  for (int l = 1; l < lanes; l++) {
    const ag_node *n = &nodes[way->results->outputs[i + l]];
    if (n->op != AG_TAKE || n->a != first->a || n->b != l) return 1;
  }
  return lanes;
}

void ag_emit_output_vector(ag_text *t, const ag_printer *p, const ag_sequence *way, int element,
                           int lanes) {
  const ag_element *first = &way->graph->function->out.elements[element];
  ag_text_add(t, "*(%s_x%d_memory *)(void *)&%s = ", p->header->prefix, lanes,
              ag_emit_place(p->language, p->header, "out", ag_emit_access(p->header, first)));
  ag_emit_expression(t, p, p->graph->dag.nodes[way->results->outputs[element]].a);
  ag_text_add(t, ";");
}

/* What C has in common with the text of limbs' functions. */
#define IN_C                                                                                       \
  .real = "%s_real", .boolean = "int", .structs = "", .dimension = "", .constant = "const ",       \
  .space = "", .function = "", .member = "->", .sine = "trig->%c[%d]", .trig_of = ag_emit_trig,    \
  .probe = probe, .comment = {"/* ", " * ", " */"}, .number = ag_emit_number, .asks_ahead = true

const ag_language ag_in_c = {IN_C, .vector = "%s_x%d", .vector_boolean = "%s_x%d_mask",
                             .operation = c_operation};

const ag_language ag_in_limbs = {IN_C, .vector = "%s_each%d", .vector_boolean = "%s_each%d_mask",
                                 .operation = limbs_operation};
