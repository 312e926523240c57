/* SPDX-License-Identifier: MIT */
/* live.c: see live.h */
#include "graph/live.h"

/* Operands have smaller ids: one pass from the last node back marks what is needed. */
int ag_mark_operands(const ag_dag *dag, bool *live) {
  int count = 0;
  for (ag_id id = dag->count - 1; id >= 0; id--) {
    if (!live[id]) continue;
    ag_id of[3];
    const int arity = ag_operands(&dag->nodes[id], of);
    for (int k = 0; k < arity; k++) live[of[k]] = true;
    count++;
  }
  return count;
}

static void mark_results(const ag_graph *graph, int way, bool *live) {
  const ag_way *w = &graph->ways[way];
  for (int i = 0; i < w->noutputs; i++) live[w->outputs[i]] = true;
  for (int i = 0; i < w->nstatus; i++) live[w->status[i].node] = true;
}

void ag_mark_way(const ag_graph *graph, int way, bool *live) {
  mark_results(graph, way, live);
  if (way == AG_GENERAL && graph->nways > 1) live[graph->guard] = true;
  (void)ag_mark_operands(&graph->dag, live);
}

int *ag_uses(const ag_graph *graph, const bool *live, ag_arena *arena) {
  const ag_dag *dag = &graph->dag;
  int *uses = ag_alloc(arena, (size_t)dag->count * sizeof *uses);
  for (ag_id id = 0; id < dag->count; id++) {
    ag_id of[3];
    const int arity = live[id] ? ag_operands(&dag->nodes[id], of) : 0;
    for (int k = 0; k < arity; k++) uses[of[k]]++;
  }
  for (int way = 0; way < graph->nways; way++) {
    const ag_way *w = &graph->ways[way];
    for (int i = 0; i < w->noutputs; i++) uses[w->outputs[i]]++;
    for (int i = 0; i < w->nstatus; i++) uses[w->status[i].node]++;
  }
  if (graph->nways > 1) uses[graph->guard]++;
  return uses;
}

int ag_count_operations(const ag_dag *dag, bool *live) {
  (void)ag_mark_operands(dag, live);
  int count = 0;
  for (ag_id id = 0; id < dag->count; id++) {
    const ag_op op = dag->nodes[id].op;
    count += live[id] && (op == AG_ADD || op == AG_SUB || op == AG_MUL || op == AG_DIV);
  }
  return count;
}

int ag_count(const ag_graph *graph, int way, ag_arena *arena) {
  bool *live = ag_alloc(arena, (size_t)graph->dag.count * sizeof *live);
  mark_results(graph, way, live);
  if (graph->nways > 1) live[graph->guard] = true;
  return ag_count_operations(&graph->dag, live);
}

/* -(a - b), where nothing else uses the difference, is b - a. The hash table does not know the node
 * any more, so this is for a graph that is complete. */
static void turn_differences(ag_graph *graph, const bool *live, ag_arena *arena) {
  const int *uses = ag_uses(graph, live, arena);
  for (ag_id id = 0; id < graph->dag.count; id++) {
    ag_node *n = &graph->dag.nodes[id];
    if (!live[id] || n->op != AG_NEG || uses[n->a] != 1) continue;
    const ag_node *inner = &graph->dag.nodes[n->a];
    if (inner->op != AG_SUB) continue;
    n->op = AG_SUB;
    n->a = inner->b;
    n->b = inner->a;
  }
}

/* Appends the marked nodes to those of a way. */
static void list(ag_way *way, const bool *live, const bool *but, ag_id count) {
  for (ag_id id = 0; id < count; id++)
    if (live[id] && !(but && but[id])) way->nodes[way->nnodes++] = id;
}

void ag_graph_complete(ag_graph *graph, ag_arena *arena) {
  const size_t count = (size_t)graph->dag.count + 1;
  bool *all = ag_alloc(arena, count * sizeof *all), *guard = NULL;
  for (int way = 0; way < graph->nways; way++) ag_mark_way(graph, way, all);
  turn_differences(graph, all, arena);
  if (graph->nways > 1) {
    guard = ag_alloc(arena, count * sizeof *guard);
    guard[graph->guard] = true;
    graph->nguard = ag_mark_operands(&graph->dag, guard);
  }
  for (int way = 0; way < graph->nways; way++) {
    ag_way *w = &graph->ways[way];
    bool *live = ag_alloc(arena, count * sizeof *live);
    ag_mark_way(graph, way, live);
    w->nodes = ag_alloc(arena, count * sizeof *w->nodes);
    w->nnodes = 0;
    if (guard) list(w, guard, NULL, graph->dag.count);
    list(w, live, guard, graph->dag.count);
  }
}
