/* SPDX-License-Identifier: MIT */
/* near.c: see near.h */
#include "lower/near.h"

#include "lower/repeats.h"
#include "lower/split.h"

#include <stddef.h>

/* Rounds of moves at most, and operations of all rounds for each value: what bounds the time on large robots. */
enum { ROUNDS = 20, PATIENCE = 3000 };

/* How steeply a part pays for the first values of a block: first little, so that large groups form. */
static const int slopes[] = {20, 10, 4};

/* A number that waits. */
typedef struct value {
  int *place[2];  /* its place, in the general way and in the fast one; NULL: it is of the other */
  int made, last; /* by which part, and up to which one it waits */
  int *parts;     /* those that name it */
  int nparts;
} value;

typedef struct placing {
  value *values;
  int count, nparts, nblocks, block;
  int from;  /* places before these are taken: frames of links */
  int slope; /* of these rounds */
  int *of;   /* by value: its block */
  int *first, *next,
      *before; /* by block, its first value; by value, its neighbours in the block; -1: none */
  int *named;  /* by part and block: values that it names there */
  int *full;   /* by block and part: values that wait there */
  long spent;  /* operations */
} placing;

/* What a part pays for so many values of a block: most for the first ones, as one pointer then reaches all. */
static int price(const placing *p, int count) {
  return 10000 * count / (count + p->slope);
}

static int *named(const placing *p, int part, int block) {
  return &p->named[(ptrdiff_t)part * p->nblocks + block];
}

static int *full(const placing *p, int block) {
  return &p->full[(ptrdiff_t)block * p->nparts];
}

static void count_names(const placing *p, int v, int block, int change) {
  const value *x = &p->values[v];
  for (int k = 0; k < x->nparts; k++) *named(p, x->parts[k], block) += change;
}

static void count_value(const placing *p, int v, int block, int change) {
  const value *x = &p->values[v];
  count_names(p, v, block, change);
  for (int part = x->made; part <= x->last; part++) full(p, block)[part] += change;
}

static void put(placing *p, int v, int block) {
  const int next = p->first[block];
  count_value(p, v, block, 1);
  p->of[v] = block;
  p->first[block] = v;
  p->next[v] = next;
  p->before[v] = -1;
  if (next >= 0) p->before[next] = v;
}

static void take(placing *p, int v) {
  const int block = p->of[v], next = p->next[v], before = p->before[v];
  count_value(p, v, block, -1);
  if (next >= 0) p->before[next] = before;
  if (before >= 0)
    p->next[before] = next;
  else
    p->first[block] = next;
}

/* Whether a value fits into a block, once `other` has left it; -1: nothing leaves. */
static bool has_room(const placing *p, int v, int block, int other) {
  const value *x = &p->values[v], *left = other < 0 ? x : &p->values[other];
  const int *of_block = full(p, block);
  for (int part = x->made; part <= x->last; part++) {
    const bool leaves = other >= 0 && part >= left->made && part <= left->last;
    if (of_block[part] - leaves >= p->block) return false;
  }
  return true;
}

/* What it costs more that a value, which is in none, is in this block. */
static int cost_of(placing *p, int v, int block) {
  const value *x = &p->values[v];
  int cost = 0;
  for (int k = 0; k < x->nparts; k++) {
    const int count = *named(p, x->parts[k], block);
    cost += price(p, count + 1) - price(p, count);
  }
  p->spent += x->nparts;
  return cost;
}

/* Value v, which costs `cost` in its block and is in none now, changes places with the first value of another block by which
 * both together cost less: returns whether there is one. */
static bool exchange(placing *p, int v, int block, int cost) {
  const int from = p->of[v];
  const value *x = &p->values[v];
  for (int w = p->first[block]; w >= 0; w = p->next[w]) {
    const value *other = &p->values[w];
    p->spent++;
    if (other->made > x->last || other->last < x->made) continue;
    count_names(p, w, block, -1);
    const int before = cost + cost_of(p, w, block);
    const int after = cost_of(p, v, block) + cost_of(p, w, from);
    count_names(p, w, block, 1);
    if (after >= before || !has_room(p, v, block, w) || !has_room(p, w, from, -1)) continue;
    take(p, w);
    put(p, w, from);
    p->of[v] = block;
    return true;
  }
  return false;
}

/* Puts a value into the block where it costs least, or, where that is full, in place of another one; returns whether it moved. */
static bool move(placing *p, int v) {
  const int before = p->of[v];
  take(p, v);
  const int cost = cost_of(p, v, before);
  int least = cost;
  for (int block = 0; block < p->nblocks; block++) {
    if (block == before) continue;
    const int there = cost_of(p, v, block);
    if (there >= least || !has_room(p, v, block, -1)) continue;
    least = there;
    p->of[v] = block;
  }
  for (int block = 0; block < p->nblocks && p->of[v] == before; block++)
    if (block != before && cost_of(p, v, block) < cost) (void)exchange(p, v, block, cost);
  put(p, v, p->of[v]);
  return p->of[v] != before;
}

static void improve(placing *p) {
  for (size_t k = 0; k < sizeof slopes / sizeof *slopes; k++) {
    p->slope = slopes[k];
    bool moved = true;
    for (int round = 0; round < ROUNDS && moved; round++) {
      moved = false;
      for (int v = 0; v < p->count && p->spent / PATIENCE < p->count; v++) moved |= move(p, v);
    }
  }
}

/* Places inside of the blocks, the first free one for each value in the order in which parts make them: returns how many. */
static int number_places(const placing *p, ag_arena *arena) {
  const int all = p->nblocks * p->block;
  int *until = ag_alloc(arena, (size_t)(all + 1) * sizeof *until), most = 0;
  for (int at = 0; at < all; at++) until[at] = -1;
  for (int v = 0; v < p->count; v++) {
    const value *x = &p->values[v];
    int at = p->of[v] * p->block;
    while (until[at] >= x->made) at++;
    until[at] = x->last;
    for (int way = 0; way < 2; way++)
      if (x->place[way]) *x->place[way] = p->from + at;
    if (at >= most) most = at + 1;
  }
  return most;
}

/* Gives places of parts anew, of `taken` ones those from p.from on; returns how many there are. */
static int place(placing p, int taken, int nparts, ag_arena *arena) {
  const value *values = p.values;
  const int count = p.count, block = p.block;
  p.nparts = nparts;
  p.nblocks = (taken - p.from + block - 1) / block;
  const size_t cells = (size_t)p.nparts * (size_t)p.nblocks + 1;
  p.of = ag_alloc(arena, (size_t)(count + 1) * sizeof *p.of);
  p.named = ag_alloc(arena, cells * sizeof *p.named);
  p.full = ag_alloc(arena, cells * sizeof *p.full);
  p.first = ag_alloc(arena, (size_t)(p.nblocks + 1) * sizeof *p.first);
  p.next = ag_alloc(arena, (size_t)(count + 1) * sizeof *p.next);
  p.before = ag_alloc(arena, (size_t)(count + 1) * sizeof *p.before);
  for (int k = 0; k < p.nblocks; k++) p.first[k] = -1;
  for (int v = 0; v < count; v++)
    put(&p, v, (*values[v].place[values[v].place[0] ? 0 : 1] - p.from) / block);
  improve(&p);
  return p.from + number_places(&p, arena);
}

/* ---- the values of a plan ---- */

typedef struct collector {
  const ag_plan *plan;
  int kind; /* of the values */
  ag_arena *arena;
  value *values;
  int count;
  int *number[2]; /* by node of the general way, and of the fast one: the value; -1: none */
  ag_id *of;      /* room for ag_list_named */
} collector;

static const ag_waiting *waiting_of(const collector *c, int way) {
  return way ? &c->plan->split->fast : &c->plan->split->own;
}

static const ag_sequence *sequence_of(const collector *c, int way) {
  return way ? c->plan->fast : &c->plan->own;
}

/* What a part makes waits, of the guard for both ways. */
static void add_value(collector *c, const ag_part *part, int way, ag_id id) {
  const bool guard = part->fast && part->behind <= c->plan->nguard;
  if (waiting_of(c, way)->place[id] < 0 || ag_kind_of(c->plan->graph, id) != c->kind) return;
  if (c->plan->repeats && c->plan->repeats->place[id] >= 0) return; /* it has its place */
  c->values = ag_room(c->arena, c->values, c->count, sizeof *c->values);
  value *x = &c->values[c->count];
  *x = (value){.made = (int)(part - c->plan->split->parts)};
  x->last = x->made;
  for (int k = 0; k < 2; k++) {
    if (k != way && !guard) continue;
    x->place[k] = &waiting_of(c, k)->place[id];
    c->number[k][id] = c->count;
  }
  c->count++;
}

/* A part names the first n of c->of. */
static void name_values(collector *c, int way, int part, int n) {
  for (int k = 0; k < n; k++) {
    const int number = c->number[way][c->of[k]];
    if (number < 0 || !c->values) continue;
    value *x = &c->values[number];
    if (part > x->last) x->last = part;
    if (c->plan->split->parts[part].lanes == 1 && ag_kind_lanes(c->kind) > 1)
      continue; /* from afar */
    if (x->nparts > 0 && x->parts[x->nparts - 1] == part) continue;
    x->parts = ag_room(c->arena, x->parts, x->nparts, sizeof *x->parts);
    x->parts[x->nparts++] = part;
  }
}

static void follow_part(collector *c, int p) {
  const ag_part *part = &c->plan->split->parts[p];
  const int way = part->fast;
  const ag_sequence *sequence = sequence_of(c, way);
  for (int i = part->first; i < part->behind; i++) {
    const ag_id id = sequence->order[i];
    if (!sequence->statement[id]) continue;
    name_values(c, way, p, ag_list_named(sequence, id, c->of));
    add_value(c, part, way, id);
    c->of[0] = id;
    name_values(c, way, p, 1);
  }
  for (int e = 0; e < sequence->results->noutputs; e++) {
    const int at = waiting_of(c, way)->stored[e];
    if (at >= part->first && at < part->behind)
      name_values(c, way, p, ag_list_result(sequence, sequence->results->outputs[e], c->of));
  }
}

/* The first n of c->of wait up to a part, at least. */
static void keep(collector *c, int way, int part, int n) {
  for (int k = 0; k < n; k++) {
    const int number = c->number[way][c->of[k]];
    if (number >= 0 && c->values && c->values[number].last < part) c->values[number].last = part;
  }
}

/* What the function itself names, between its parts and behind them, waits to the end. */
static void keep_results(collector *c, int way) {
  const ag_sequence *sequence = sequence_of(c, way);
  const int end = c->plan->split->nparts - 1;
  for (int e = 0; e < sequence->results->noutputs; e++)
    if (waiting_of(c, way)->stored[e] < 0)
      keep(c, way, end, ag_list_result(sequence, sequence->results->outputs[e], c->of));
  for (int k = 0; k < sequence->results->nstatus; k++)
    keep(c, way, end, ag_list_result(sequence, sequence->results->status[k].node, c->of));
  if (c->plan->fast) keep(c, way, end, ag_list_result(sequence, c->plan->graph->guard, c->of));
}

static int *no_numbers(const collector *c) {
  const size_t count = (size_t)c->plan->graph->dag.count;
  int *list = ag_alloc(c->arena, (count + 1) * sizeof *list);
  for (size_t k = 0; k < count; k++) list[k] = -1;
  return list;
}

int ag_near_block(const ag_target *target, int kind) {
  return (target->single ? 64 : 32) >> kind;
}

static void place_kind(const ag_plan *plan, ag_split *near, int kind, ag_arena *arena) {
  collector c = {.plan = plan, .kind = kind, .arena = arena};
  c.of = ag_alloc(arena, ((size_t)plan->graph->dag.count + 1) * sizeof *c.of);
  for (int way = 0; way < 2; way++) c.number[way] = no_numbers(&c);
  for (int p = 0; p < plan->split->nparts; p++) follow_part(&c, p);
  for (int way = 0; way < (plan->fast ? 2 : 1); way++) keep_results(&c, way);
  placing p = {.values = c.values, .count = c.count, .block = ag_near_block(plan->target, kind)};
  if (plan->repeats && kind == 0) p.from = plan->repeats->nplaces;
  near->count[kind] = place(p, plan->split->count[kind], plan->split->nparts, arena);
}

void ag_place_near(ag_plan *plan, ag_arena *arena) {
  if (!plan->split) return;
  ag_split *near = ag_alloc(arena, sizeof *near);
  *near = *plan->split;
  for (int kind = 0; kind < AG_WIDTHS; kind++)
    if (plan->split->count[kind] > 0) place_kind(plan, near, kind, arena);
  plan->split = near;
}
