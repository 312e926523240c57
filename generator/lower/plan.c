/* SPDX-License-Identifier: MIT */
/* plan.c: see plan.h */
#include "lower/plan.h"

int ag_flops(const ag_cost *cost) {
  return cost->add + cost->mul + cost->div;
}

int ag_kind_of(const ag_graph *graph, ag_id id) {
  int kind = ag_is_boolean(&graph->dag, id) ? AG_WIDTHS : 0;
  for (int lanes = graph->width ? graph->width[id] : 1; lanes > 1; lanes /= 2) kind++;
  return kind;
}

int ag_kind_lanes(int kind) {
  return 1 << kind % AG_WIDTHS;
}

bool ag_is_at_hand(const ag_graph *graph, ag_id id) {
  const ag_node *n = &graph->dag.nodes[id];
  if (n->op != AG_JOIN) return ag_is_given(&graph->dag, id);
  for (int k = 0; k < 2; k++) {
    const ag_id of = k ? n->b : n->a;
    const ag_op op = graph->dag.nodes[of].op;
    if (op != AG_CONST && (op != AG_JOIN || !ag_is_at_hand(graph, of))) return false;
  }
  return true;
}

static int add_operands(const ag_sequence *way, ag_id id, ag_id *of, int count) {
  ag_id operands[3];
  const ag_node *nodes = way->graph->dag.nodes;
  const int arity = ag_operands(&nodes[id], operands);
  for (int k = 0; k < arity; k++) {
    const bool joined = nodes[id].op == AG_JOIN && nodes[operands[k]].op == AG_JOIN; /* as one */
    if (way->statement[operands[k]] && !joined)
      of[count++] = operands[k];
    else
      count = add_operands(way, operands[k], of, count);
  }
  return count;
}

int ag_list_named(const ag_sequence *way, ag_id id, ag_id *of) {
  return add_operands(way, id, of, 0);
}

int ag_list_result(const ag_sequence *way, ag_id id, ag_id *of) {
  if (!way->statement[id]) return add_operands(way, id, of, 0);
  of[0] = id;
  return 1;
}
