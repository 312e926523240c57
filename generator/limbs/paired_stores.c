/* SPDX-License-Identifier: MIT */
/* paired_stores.c: see paired_stores.h
 *
 * Results of limbs stand in the lanes of vectors, a, b and so on for one joint after the other, and go to an array that has
 * limb by limb: a0 b0 .. a1 b1 .. . CPUs move halves of a vector of four lanes to memory as they are; so neighbours in the
 * array, and what is next to each other two limbs on,
 *
 *   {a0, b0, a2, b2} = z,   {z0, z1} -> a0 b0,   {z2, z3} -> a2 b2,
 *
 * are one move between lanes for four results. */
#include "limbs/paired_stores.h"

#include "graph/live.h"
#include "limbs/limbs.h"
#include "limbs/rebuild.h"

#include <string.h>

enum { LANES = 4, HALF = LANES / 2 };

typedef struct result { /* 0 where `unless` holds, else +-1 times a lane of a vector */
  ag_id vector, unless; /* -1: none */
  int lane;
  bool minus, stored;
} result;

typedef struct pairer {
  ag_graph *graph;
  ag_way *way;
  result *results;
} pairer;

static result result_of(const ag_graph *graph, ag_id id) {
  const ag_node *nodes = graph->dag.nodes;
  result r = {.vector = -1, .unless = -1};
  if (nodes[id].op == AG_SELECT) {
    const ag_node *zero = &nodes[nodes[id].b];
    if (zero->op != AG_CONST || zero->value != 0) return r;
    r.unless = nodes[id].a;
    id = nodes[id].c;
  }
  for (; nodes[id].op == AG_NEG; id = nodes[id].a) r.minus = !r.minus;
  if (nodes[id].op != AG_TAKE || graph->width[nodes[id].a] != LANES) return r;
  r.vector = nodes[id].a;
  r.lane = nodes[id].b;
  return r;
}

/* Whether two results are chosen alike, the second in this lane of this vector. */
static bool is_in(const result *first, const result *r, ag_id vector, int lane) {
  return vector >= 0 && r->vector == vector && r->lane == lane && r->unless == first->unless &&
         !r->stored;
}

/* A vector that is a statement. */
static ag_id vector_of(ag_dag *dag, const ag_id *of, int count) {
  const ag_id vector = ag_join_all(dag, of, count);
  dag->nodes[vector].labelled = true;
  return vector;
}

static ag_id same_in_all(ag_dag *dag, double value) {
  ag_id of[LANES];
  for (int l = 0; l < LANES; l++) of[l] = ag_constant(dag, value);
  return vector_of(dag, of, LANES);
}

/* The vector of these results: `x`, with their signs and where they are 0. */
static ag_id finished(ag_dag *dag, ag_id x, const result *const *r) {
  ag_id sign[LANES];
  int minus = 0;
  for (int l = 0; l < LANES; l++) {
    sign[l] = ag_constant(dag, r[l]->minus ? -1 : 1);
    minus += r[l]->minus;
  }
  if (minus == LANES)
    x = ag_neg(dag, x);
  else if (minus > 0)
    x = ag_mul(dag, vector_of(dag, sign, LANES), x);
  if (r[0]->unless >= 0) x = ag_select(dag, r[0]->unless, same_in_all(dag, 0), x);
  dag->nodes[x].labelled = true;
  return x;
}

/* Stores `count` lanes of a vector from output e on. */
static void store(pairer *s, int e, ag_id vector, int count) {
  for (int l = 0; l < count; l++) {
    s->way->outputs[e + l] = ag_take(&s->graph->dag, vector, l);
    s->results[e + l].stored = true;
  }
}

/* A vector whose lanes are results one behind the other as they are. */
static bool store_row(pairer *s, int e) {
  const result *r[LANES];
  for (int l = 0; l < LANES; l++) {
    r[l] = &s->results[e + l];
    if (!is_in(r[0], r[l], r[0]->vector, l)) return false;
  }
  store(s, e, finished(&s->graph->dag, r[0]->vector, r), LANES);
  return true;
}

/* Two results one behind the other, and those at f. */
static void store_pairs(pairer *s, int e, int f) {
  ag_dag *dag = &s->graph->dag;
  const result *const r[LANES] = {&s->results[e], &s->results[e + 1], &s->results[f],
                                  &s->results[f + 1]};
  ag_id of[LANES], half[HALF];
  for (int l = 0; l < LANES; l++) of[l] = ag_take(dag, r[l]->vector, r[l]->lane);
  const ag_id z = finished(dag, vector_of(dag, of, LANES), r);
  for (int k = 0; k < 2; k++) {
    for (int l = 0; l < HALF; l++) half[l] = ag_take(dag, z, HALF * k + l);
    store(s, k ? f : e, vector_of(dag, half, HALF), HALF);
  }
}

/* Stores what begins at output e, one of those before `end`, which are one behind the other. */
static void store_from(pairer *s, int e, int end) {
  const result *a = &s->results[e], *b = a + 1;
  if (a->stored || a->vector < 0 || e + 1 >= end) return;
  if (e + LANES <= end && store_row(s, e)) return;
  if (a->lane >= HALF || b->lane >= HALF || !is_in(a, b, b->vector, b->lane)) return;
  for (int f = e + 2; f + 1 < end; f++)
    if (is_in(a, &s->results[f], a->vector, a->lane + HALF) &&
        is_in(a, &s->results[f + 1], b->vector, b->lane + HALF)) {
      store_pairs(s, e, f);
      return;
    }
}

static void pair_outputs(ag_graph *graph, ag_way *way, ag_arena *arena) {
  const ag_list *out = &graph->function->out;
  pairer s = {.graph = graph, .way = way};
  s.results = ag_alloc(arena, ((size_t)out->nelements + 1) * sizeof *s.results);
  for (int e = 0; e < out->nelements; e++) s.results[e] = result_of(graph, way->outputs[e]);
  for (int k = 0; k < out->nquantities; k++) {
    const ag_quantity *q = &out->quantities[k];
    if (q->shape != AG_JOINTS) continue;
    for (int e = q->first; e < q->first + q->size; e++) {
      graph->dag.region = graph->dag.nodes[way->outputs[e]].region;
      store_from(&s, e, q->first + q->size);
    }
  }
}

static void pair_stores(ag_graph *lanes, ag_arena *arena) {
  for (int way = 0; way < lanes->nways; way++) pair_outputs(lanes, &lanes->ways[way], arena);
  lanes->width = ag_widths(&lanes->dag, arena);
  ag_graph_complete(lanes, arena);
}

void ag_pair_stores(ag_header *header) {
  if (header->target.single || header->target.branchless)
    return; /* registers of floats have four lanes; masks choose numbers */
  for (int k = 0; k < header->nfunctions; k++)
    if (header->functions[k]->limbs) pair_stores(header->functions[k]->limbs, header->arena);
}
