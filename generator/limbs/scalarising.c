/* SPDX-License-Identifier: MIT */
/* scalarising.c: see scalarising.h. Shares nothing with what makes them. */
#include "limbs/scalarising.h"

#include "graph/live.h"
#include "limbs/limbs.h"

typedef struct scalarizer {
  const ag_graph *from;
  ag_dag *dag;
  ag_id (*lane)[AG_LANES]; /* of each vector: its numbers; of a number: all the same */
} scalarizer;

static void take_apart(const scalarizer *u, ag_id id) {
  const ag_node *n = &u->from->dag.nodes[id];
  ag_id operand[3];
  const int arity = ag_all_operands(n, operand);
  const int half = u->from->width[id] / 2;
  u->dag->region = n->region;
  ag_id any = -1;
  if (n->op == AG_ANY) {
    for (int l = 0; l < u->from->width[n->a]; l++)
      any = l == 0 ? u->lane[n->a][0] : ag_or(u->dag, any, u->lane[n->a][l]);
  }
  for (int l = 0; l < AG_LANES; l++) {
    if (n->op == AG_JOIN) {
      u->lane[id][l] = l < half ? u->lane[n->a][l] : u->lane[n->b][l < 2 * half ? l - half : 0];
    } else if (n->op == AG_TAKE) {
      u->lane[id][l] = u->lane[n->a][n->b];
    } else if (n->op == AG_ANY) {
      u->lane[id][l] = any;
    } else {
      ag_id of[3] = {-1, -1, -1};
      for (int k = 0; k < arity; k++) of[k] = u->lane[operand[k]][l];
      const bool same = l > 0 && u->from->width[id] == 1;
      u->lane[id][l] = same ? u->lane[id][0] : ag_remake(u->dag, n, of);
    }
  }
}

static void scalar_results(const scalarizer *u, const ag_way *from, ag_way *to, ag_arena *arena) {
  to->outputs = ag_alloc(arena, (size_t)(from->noutputs + 1) * sizeof *to->outputs);
  to->status = ag_alloc(arena, (size_t)(from->nstatus + 1) * sizeof *to->status);
  for (int i = 0; i < from->noutputs; i++) to->outputs[i] = u->lane[from->outputs[i]][0];
  for (int i = 0; i < from->nstatus; i++) {
    to->status[i] = from->status[i];
    to->status[i].node = u->lane[from->status[i].node][0];
  }
}

ag_graph *ag_scalarise(const ag_graph *lanes, ag_arena *arena) {
  ag_graph *apart = ag_alloc(arena, sizeof *apart);
  *apart = *lanes;
  apart->width = NULL;
  ag_dag_init(&apart->dag, arena);
  scalarizer u = {.from = lanes, .dag = &apart->dag};
  u.lane = ag_alloc(arena, (size_t)(lanes->dag.count + 1) * sizeof *u.lane);
  for (ag_id id = 0; id < lanes->dag.count; id++) take_apart(&u, id);
  for (int way = 0; way < lanes->nways; way++)
    scalar_results(&u, &lanes->ways[way], &apart->ways[way], arena);
  if (lanes->nways > 1) {
    apart->guard = u.lane[lanes->guard][0];
    apart->dag.nodes[apart->guard].labelled = true; /* both ways begin with what it is made of */
  }
  ag_graph_complete(apart, arena);
  return apart;
}
