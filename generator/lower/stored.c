/* SPDX-License-Identifier: MIT */
/* stored.c: see stored.h */
#include "lower/stored.h"

#include "graph/finite.h"
#include "graph/live.h"
#include "graph/status.h"

/* So many results at least: in place of fewer, a test behind each is as short. */
enum { LEAST = 16 };

/* Alternatives. */
typedef struct alternatives {
  ag_id *of;
  int count;
} alternatives;

static void list_alternatives(const ag_dag *dag, ag_id id, alternatives *list) {
  const ag_node *n = &dag->nodes[id];
  if (n->op != AG_OR) {
    list->of[list->count++] = id;
    return;
  }
  list_alternatives(dag, n->a, list);
  list_alternatives(dag, n->b, list);
}

/* The condition for NOT_FINITE; NULL: there is none. */
static const ag_status_bit *not_finite(const ag_way *way) {
  for (int k = 0; k < way->nstatus; k++)
    if (way->status[k].bit == AG_BIT_NOT_FINITE) return &way->status[k];
  return NULL;
}

/* Whether each output is a constant, or one of the numbers that are told to be finite, and LEAST of them are; result: by node, it is
 * one. */
static bool asks_for_all(const ag_graph *graph, const bool *told, bool *result) {
  const ag_way *way = &graph->ways[AG_GENERAL];
  int count = 0;
  for (int e = 0; e < way->noutputs; e++) {
    const ag_id id = ag_without_sign(&graph->dag, way->outputs[e]);
    if (graph->dag.nodes[id].op == AG_CONST) continue;
    if (!told[id]) return false;
    count += !result[id];
    result[id] = true;
  }
  return count >= LEAST;
}

/* By node, whether one of these questions is about it. */
static bool *asked_numbers(const ag_dag *dag, const alternatives *list, ag_arena *arena) {
  bool *asked = ag_alloc(arena, ((size_t)dag->count + 1) * sizeof *asked);
  for (int k = 0; k < list->count; k++) {
    const ag_node *n = &dag->nodes[list->of[k]];
    if (n->op == AG_PROBE) asked[n->a] = true;
  }
  return asked;
}

bool *ag_asked_results(const ag_graph *graph, ag_arena *arena) {
  const ag_way *way = &graph->ways[AG_GENERAL];
  const ag_status_bit *finite = not_finite(way);
  alternatives list = {.of = ag_alloc(arena, ((size_t)graph->dag.count + 1) * sizeof *list.of)};
  if (finite) list_alternatives(&graph->dag, finite->node, &list);
  bool *asked = asked_numbers(&graph->dag, &list, arena);
  bool *results = ag_alloc(arena, (size_t)(way->noutputs + 1) * sizeof *results);
  for (int e = 0; e < way->noutputs; e++) {
    const ag_id id = ag_without_sign(&graph->dag, way->outputs[e]);
    results[e] = asked[id];
    asked[id] = false; /* once */
  }
  return results;
}

/* Gives NOT_FINITE the condition `rest`, and lists the nodes that the way is made of then; live: by node. */
static void replace_condition(ag_graph *graph, ag_id rest, bool *live, ag_arena *arena) {
  ag_way *way = &graph->ways[AG_GENERAL];
  ag_status_bit *status = ag_alloc(arena, (size_t)way->nstatus * sizeof *status);
  for (int k = 0; k < way->nstatus; k++) {
    status[k] = way->status[k];
    if (status[k].bit == AG_BIT_NOT_FINITE) status[k].node = rest;
  }
  way->status = status;
  ag_mark_way(graph, AG_GENERAL, live);
  way->nodes = ag_alloc(arena, ((size_t)graph->dag.count + 1) * sizeof *way->nodes);
  way->nnodes = 0;
  for (ag_id id = 0; id < graph->dag.count; id++)
    if (live[id]) way->nodes[way->nnodes++] = id;
}

ag_graph *ag_test_stored(const ag_graph *graph, ag_arena *arena) {
  const size_t count = (size_t)graph->dag.count + 1;
  const ag_status_bit *finite = not_finite(&graph->ways[AG_GENERAL]);
  if (!finite || graph->nways > 1 || graph->width || graph->function->after) return NULL;
  alternatives list = {.of = ag_alloc(arena, count * sizeof *list.of)};
  list_alternatives(&graph->dag, finite->node, &list);
  const ag_node *nodes = graph->dag.nodes;
  const bool *asked = asked_numbers(&graph->dag, &list, arena);
  bool *result = ag_alloc(arena, count * sizeof *result);
  if (!asks_for_all(graph, ag_told_finite(&graph->dag, asked, arena), result)) return NULL;
  ag_graph *apart = ag_graph_copy(arena, graph);
  ag_id rest = ag_bool(&apart->dag, false);
  for (int k = 0; k < list.count; k++)
    if (nodes[list.of[k]].op != AG_PROBE || !result[nodes[list.of[k]].a])
      rest = ag_or(&apart->dag, rest, list.of[k]);
  if (apart->dag.nodes[rest].op == AG_BOOL) return NULL;
  bool *live = ag_alloc(arena, ((size_t)apart->dag.count + 1) * sizeof *live);
  replace_condition(apart, rest, live, arena);
  for (int k = 0; k < list.count; k++)
    if (live[list.of[k]] && nodes[list.of[k]].op == AG_PROBE && result[nodes[list.of[k]].a])
      return NULL;
  return apart;
}
