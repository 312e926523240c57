/* SPDX-License-Identifier: MIT */
/* rebuild.c: see rebuild.h */
#include "limbs/rebuild.h"

#include "graph/live.h"

static void make_way(const ag_way *from, ag_way *to, ag_maker *make, void *pass, ag_arena *arena) {
  to->outputs = ag_alloc(arena, (size_t)(from->noutputs + 1) * sizeof *to->outputs);
  to->status = ag_alloc(arena, (size_t)(from->nstatus + 1) * sizeof *to->status);
  for (int i = 0; i < from->noutputs; i++) to->outputs[i] = make(pass, from->outputs[i]);
  for (int i = 0; i < from->nstatus; i++) {
    to->status[i] = from->status[i];
    to->status[i].node = make(pass, from->status[i].node);
  }
}

void ag_make_results(const ag_graph *from, ag_graph *to, ag_maker *make, void *pass,
                     ag_arena *arena) {
  if (from->nways > 1) {
    make_way(&from->ways[AG_FAST], &to->ways[AG_FAST], make, pass, arena);
    to->guard = make(pass, from->guard);
    to->dag.nodes[to->guard].labelled = true;
  }
  make_way(&from->ways[AG_GENERAL], &to->ways[AG_GENERAL], make, pass, arena);
  to->width = ag_widths(&to->dag, arena);
  ag_graph_complete(to, arena);
}
const unsigned char *ag_widths(const ag_dag *dag, ag_arena *arena) {
  unsigned char *lanes = ag_alloc(arena, (size_t)dag->count + 1);
  for (ag_id id = 0; id < dag->count; id++) {
    const ag_node *n = &dag->nodes[id];
    lanes[id] = 1;
    if (n->op == AG_JOIN) lanes[id] = (unsigned char)(2 * lanes[n->a]);
    if (n->op == AG_SELECT) lanes[id] = lanes[n->c];
    const bool sum = n->op >= AG_ADD && n->op <= AG_NEG, or = n->op == AG_OR || n->op == AG_LT;
    if (!sum && ! or &&n->op != AG_PROBE) continue;
    lanes[id] = lanes[n->a];
    if (ag_arity(n->op) == 2 && lanes[n->b] > lanes[id]) lanes[id] = lanes[n->b];
  }
  return lanes;
}

int *ag_uses_of_all(const ag_graph *lanes, ag_arena *arena) {
  int *uses = ag_alloc(arena, ((size_t)lanes->dag.count + 1) * sizeof *uses);
  for (const ag_way *way = lanes->ways; way < lanes->ways + lanes->nways; way++) {
    for (int i = 0; i < way->noutputs; i++) uses[way->outputs[i]]++;
    for (int i = 0; i < way->nstatus; i++) uses[way->status[i].node]++;
  }
  if (lanes->nways > 1) uses[lanes->guard]++;
  for (ag_id id = lanes->dag.count - 1; id >= 0; id--) {
    ag_id of[3]; /* angles too */
    const int arity = uses[id] ? ag_all_operands(&lanes->dag.nodes[id], of) : 0;
    for (int k = 0; k < arity; k++) uses[of[k]]++;
  }
  return uses;
}
