/* SPDX-License-Identifier: MIT */
/* plan.c: see plan.h */
#include "lower/plan.h"

int ag_flops(const ag_cost *cost) {
  return cost->add + cost->mul + cost->div;
}

static int add_operands(const ag_sequence *way, ag_id id, ag_id *of, int count) {
  ag_id operands[3];
  const int arity = ag_operands(&way->graph->dag.nodes[id], operands);
  for (int k = 0; k < arity; k++) {
    if (way->statement[operands[k]])
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
