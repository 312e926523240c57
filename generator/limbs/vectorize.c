/* SPDX-License-Identifier: MIT */
/* vectorize.c: see vectorize.h
 *
 * Superword-level parallelism (Larsen and Amarasinghe, PLDI 2000), begun where it is known to be: at
 * outputs of corresponding joints and rows, and at what limbs hand to the rest of the robot. */
#include "limbs/vectorize.h"

#include "graph/live.h"
#include "limbs/build.h"
#include "limbs/correspondence.h"
#include "limbs/critical_path.h"
#include "limbs/finite_tests.h"
#include "limbs/first_pairs.h"
#include "limbs/horizontal_sums.h"
#include "limbs/lane_signs.h"
#include "limbs/paired_stores.h"
#include "limbs/pruning.h"
#include "limbs/rebuild.h"

#include <string.h>

/* What a way costs, in hundredths of an operation of numbers or vectors. */
static long cost_of(const ag_graph *graph, int way) {
  const ag_way *w = &graph->ways[way];
  long cost = 0;
  for (int i = 0; i < w->nnodes; i++) {
    const ag_node *n = &graph->dag.nodes[w->nodes[i]];
    if (n->op >= AG_ADD && n->op <= AG_DIV) cost += 100;
    if (n->op == AG_TAKE) cost += 100;
    if (n->op == AG_JOIN && graph->dag.nodes[n->a].op != AG_CONST) cost += 100;
  }
  return cost;
}

/* Whether vectors leave this share of a way's operations at most: of so many parts, one less. */
static bool save(const ag_graph *lanes, const ag_graph *graph, int way, int parts) {
  return parts * cost_of(lanes, way) <= (parts - 1) * cost_of(graph, way);
}

/* Whether vectors save a quarter of the operations of most states, and of those of the others a fifth, of floats a quarter; most: a
 * fifth of those of most states, which decide alone. */
static bool gains(const ag_graph *lanes, const ag_graph *graph, bool single, bool most) {
  const int last = graph->nways - 1;
  if (most) return save(lanes, graph, last, 5);
  return save(lanes, graph, last, 4) && save(lanes, graph, AG_GENERAL, single ? 4 : 5);
}

/* The graph with these limbs as lanes. */
static ag_graph *vectorize_limbs(const ag_header *header, const ag_graph *graph, ag_limbs *sets,
                                 int nsets) {
  ag_arena own = {0}; /* what the search needs, which is much */
  vectorizer q = {.header = header, .graph = graph, .arena = &own};
  const size_t count = (size_t)graph->dag.count + 1;
  size_t room = 1;
  while (room < count) room *= 2;
  q.nnodes = graph->dag.count;
  q.nodes = ag_alloc(q.arena, room * sizeof *q.nodes);
  memcpy(q.nodes, graph->dag.nodes, (size_t)q.nnodes * sizeof *q.nodes);
  q.sets = sets;
  q.nsets = nsets;
  q.look = ag_alloc(q.arena, room * sizeof *q.look);
  q.fine = ag_alloc(q.arena, room * sizeof *q.fine);
  q.form = ag_alloc(q.arena, room * sizeof *q.form);
  q.nkeys = 4 * room - 1;
  q.keys = ag_alloc(q.arena, (q.nkeys + 1) * sizeof *q.keys);
  q.equals = ag_alloc(q.arena, (q.nkeys + 1) * sizeof *q.equals);
  q.leaves = ag_alloc(q.arena, room * sizeof *q.leaves);
  q.limb = ag_alloc(q.arena, room * sizeof *q.limb);
  q.own = ag_alloc(q.arena, room * sizeof *q.own);
  q.depth = ag_alloc(q.arena, room * sizeof *q.depth);
  q.home = ag_alloc(q.arena, room * sizeof *q.home);
  memset(q.home, -1, room * sizeof *q.home);
  memset(q.bucket, -1, sizeof q.bucket);
  ag_look_back(&q);
  for (ag_id id = 0; id < graph->dag.count; id++) ag_look_at(&q, id);
  bool *live = ag_alloc(q.arena, count * sizeof *live);
  ag_mark_way(graph, AG_GENERAL, live);
  q.uses = ag_uses(graph, live, q.arena);
  ag_begin_lockstep(&q);
  q.made = ag_alloc(q.arena, ((size_t)q.nnodes + 1) * sizeof *q.made);
  memset(q.made, -1, (size_t)q.nnodes * sizeof *q.made);
  q.state = ag_alloc(q.arena, (size_t)q.nnodes + 1);
  q.open = ag_alloc(q.arena, (size_t)(q.ncandidates + 1) * sizeof *q.open);
  ag_choose_candidates(&q);
  ag_choose_signs(&q);
  for (int k = 0; k < q.ncandidates; k++) q.candidates[k].made = -1;
  ag_graph *lanes = ag_graph_like(header->arena, graph);
  lanes->first = 0; /* what is alike in limbs comes before the choice */
  q.dag = &lanes->dag;
  ag_build_rows(&q, live);
  ag_make_results(graph, lanes, ag_build_node, &q, header->arena);
  lanes->limbs = sets;
  lanes->nlimbs = nsets;
  ag_arena_free(&own);
  return lanes;
}

/* The operand of a sum that is a product for it alone, which CPUs multiply and add at once; -1: none. */
static ag_id product_of(const ag_graph *lanes, const ag_node *sum, const int *uses) {
  const ag_id of[2] = {sum->a, sum->b};
  for (int k = 0; k < 2; k++)
    if (lanes->dag.nodes[of[k]].op == AG_MUL && uses[of[k]] == 1) return of[k];
  return -1;
}

/* Operations of a graph with limbs as lanes, of numbers or vectors. */
static int operations_of(const ag_graph *lanes, ag_arena *arena) {
  const int *uses = ag_uses_of_all(lanes, arena);
  int operations = 0;
  const ag_way *way = &lanes->ways[AG_GENERAL];
  for (int i = 0; i < way->nnodes; i++) {
    const ag_node *n = &lanes->dag.nodes[way->nodes[i]];
    operations += n->op >= AG_ADD && n->op <= AG_DIV;
    if (n->op == AG_ADD || n->op == AG_SUB) operations -= product_of(lanes, n, uses) >= 0;
  }
  return operations;
}

/* Whether x takes less time than y: it has fewer operations; or fewer cycles, about, of operations two at a time
 * or of the longest chain, whichever are more. */
static bool is_shorter(const ag_graph *x, const ag_graph *y, ag_arena *arena) {
  const int of_x = operations_of(x, arena), of_y = operations_of(y, arena);
  const int cycles_x = of_x / 2 > x->chain ? of_x / 2 : x->chain;
  const int cycles_y = of_y / 2 > y->chain ? of_y / 2 : y->chain;
  return of_x < of_y || cycles_x < cycles_y;
}

/* `from`, whose results are those of `graph`, with limbs as lanes; NULL: nothing is gained. */
static ag_graph *vectorize_alike(const ag_header *header, const ag_graph *from,
                                 const ag_graph *graph, bool most) {
  ag_graph *best = NULL; /* arms and legs may look alike, and have little in common */
  const int way = most ? graph->nways - 1 : AG_GENERAL;
  for (int siblings = 0; siblings < 2; siblings++) {
    ag_limbs *sets;
    const int nsets = ag_find_limbs(header, siblings, &sets);
    ag_graph *lanes = nsets > 0 ? vectorize_limbs(header, from, sets, nsets) : NULL;
    if (lanes && (!best || cost_of(lanes, way) < cost_of(best, way))) best = lanes;
  }
  if (!best || !gains(best, graph, header->target.single, most)) return NULL;
  return ag_shorten_chains(ag_sum_across(best, header->target.single, header->arena),
                           header->arena);
}

ag_graph *ag_vectorize_function(const ag_header *header, const ag_function *function, bool most) {
  if (function->after) return NULL;
  const ag_graph *graph = function->graph;
  ag_graph *lanes = vectorize_alike(header, graph, graph, most), *shorter = NULL;
  if (function->for_limbs) shorter = vectorize_alike(header, function->for_limbs, graph, most);
  if (!lanes || !shorter) return lanes ? lanes : shorter;
  return is_shorter(shorter, lanes, header->arena) ? shorter : lanes;
}

bool ag_vectorize_functions(ag_header *header) {
  int count = 0;
  for (int k = 0; k < header->nfunctions; k++) {
    ag_function *function = header->functions[k];
    function->limbs = ag_vectorize_function(header, function, false);
    count += function->limbs != NULL;
  }
  if (count > 0 && !header->target.small) {
    ag_ask_less(header);
    ag_pair_stores(header);
  }
  return count > 0;
}
