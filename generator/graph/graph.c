/* SPDX-License-Identifier: MIT */
/* graph.c: see graph.h */
#include "graph/graph.h"

#include "base/text.h"

#include <string.h>

ag_graph *ag_graph_new(ag_arena *arena, const ag_function *function) {
  ag_graph *graph = ag_alloc(arena, sizeof *graph);
  graph->function = function;
  graph->nways = 1;
  ag_dag_init(&graph->dag, arena);
  return graph;
}

ag_graph *ag_graph_like(ag_arena *arena, const ag_graph *graph) {
  ag_graph *like = ag_alloc(arena, sizeof *like);
  *like = *graph;
  like->nlengths = like->nroots = 0; /* they name nodes */
  ag_dag_init(&like->dag, arena);
  like->dag.alike = graph->dag.alike;
  for (int i = 0; i < graph->function->in.nelements; i++) (void)ag_input(&like->dag, i);
  return like;
}

ag_graph *ag_graph_copy(ag_arena *arena, const ag_graph *graph) {
  ag_graph *copy = ag_alloc(arena, sizeof *copy);
  *copy = *graph;
  ag_dag *dag = &copy->dag;
  dag->nodes = ag_alloc(arena, (size_t)dag->capacity * sizeof *dag->nodes);
  memcpy(dag->nodes, graph->dag.nodes, (size_t)dag->count * sizeof *dag->nodes);
  dag->places = ag_alloc(arena, dag->nplaces * sizeof *dag->places);
  memcpy(dag->places, graph->dag.places, dag->nplaces * sizeof *dag->places);
  for (int way = 0; way < graph->nways; way++) {
    ag_way *w = &copy->ways[way];
    w->outputs = ag_alloc(arena, ((size_t)w->noutputs + 1) * sizeof *w->outputs);
    for (int e = 0; e < w->noutputs; e++) w->outputs[e] = graph->ways[way].outputs[e];
  }
  return copy;
}

void ag_graph_output(ag_arena *arena, ag_graph *graph, int way, int element, ag_id node) {
  ag_way *w = &graph->ways[way];
  const size_t count = (size_t)graph->function->out.nelements;
  if (element >= w->noutputs) {
    w->outputs = ag_grow(arena, w->outputs, (size_t)w->noutputs * sizeof *w->outputs,
                         count * sizeof *w->outputs);
    while (w->noutputs < (int)count) w->outputs[w->noutputs++] = -1;
  }
  w->outputs[element] = node;
}

void ag_graph_status(ag_arena *arena, ag_graph *graph, int way, unsigned bit, ag_id condition) {
  ag_way *w = &graph->ways[way];
  w->status = ag_room(arena, w->status, w->nstatus, sizeof *w->status);
  w->status[w->nstatus++] = (ag_status_bit){.bit = bit, .node = condition};
}

void ag_graph_add_fast_way(ag_arena *arena, ag_graph *graph, ag_id guard, ag_id first,
                           const char *when, const char *otherwise) {
  graph->nways = AG_MOST_WAYS;
  graph->guard = guard;
  graph->first = first;
  graph->when = ag_comment(arena, when);
  graph->otherwise = ag_comment(arena, otherwise);
  graph->dag.nodes[guard].labelled = true; /* a statement of its own */
}

void ag_graph_no_longer(ag_arena *arena, ag_graph *graph, ag_id component, ag_id square) {
  const ag_node *n = &graph->dag.nodes[component];
  graph->lengths = ag_room(arena, graph->lengths, graph->nlengths, sizeof *graph->lengths);
  graph->lengths[graph->nlengths++] =
      (struct ag_length){n->op == AG_NEG ? n->a : component, square};
}

void ag_graph_root(ag_arena *arena, ag_graph *graph, ag_id root, ag_id square) {
  graph->roots = ag_room(arena, graph->roots, graph->nroots, sizeof *graph->roots);
  graph->roots[graph->nroots++] = (struct ag_root){root, square};
}

void ag_graph_region(ag_arena *arena, ag_graph *graph, const char *title, const char *source,
                     const char *body, int row) {
  graph->regions = ag_room(arena, graph->regions, graph->nregions, sizeof *graph->regions);
  graph->regions[graph->nregions] = (ag_region){.title = ag_comment(arena, title),
                                                .source = ag_strdup(arena, source),
                                                .body = body ? ag_strdup(arena, body) : NULL,
                                                .row = row};
  graph->dag.region = graph->nregions++;
}

bool ag_is_of_row(const ag_graph *graph, ag_id id) {
  return graph->nregions > 0 && graph->regions[graph->dag.nodes[id].region].row > 0;
}

bool *ag_named_by_rows(const ag_graph *graph, ag_arena *arena) {
  bool *named = NULL;
  for (ag_id id = 0; id < graph->dag.count; id++) {
    ag_id of[3];
    const int arity = ag_is_of_row(graph, id) ? ag_operands(&graph->dag.nodes[id], of) : 0;
    if (arity > 0 && !named) named = ag_alloc(arena, (size_t)graph->dag.count * sizeof *named);
    for (int k = 0; k < arity; k++)
      named[of[k]] |= graph->dag.nodes[of[k]].region != graph->dag.nodes[id].region;
  }
  return named;
}

bool ag_always_zero(const ag_graph *graph, int element) {
  const ag_list *out = &graph->function->out;
  int k = 0;
  while (element >= out->quantities[k].first + out->quantities[k].size) k++;
  const ag_node *node = &graph->dag.nodes[graph->ways[AG_GENERAL].outputs[element]];
  return ag_is_sparse(&out->quantities[k]) && node->op == AG_CONST && node->value == 0;
}
