/* SPDX-License-Identifier: MIT */
/* repeats.c: see repeats.h */
#include "lower/repeats.h"

#include "lower/sequence.h"

#include <string.h>

enum { RANGES = 3 };

/* Frames end at a multiple of the places that an instruction reaches in one byte (near.h), in double and in float. */
enum { WHOLE = 64 };

typedef struct finder {
  ag_plan *plan;
  ag_arena *arena;
  ag_repeats *repeats;
  ag_range range[RANGES]; /* what comes before the choice; the fast way; the general one */
  int *region[RANGES];    /* by node */
  int behind[RANGES];     /* of the repeats: those of the range end there */
  int nranges;
  ag_id *named; /* statements that a text names (ag_list_named) */
  bool of_rows; /* of a large system, not of links (ag_has_rows) */
} finder;

static void list_ranges(finder *q) {
  const ag_plan *p = q->plan;
  if (p->fast) {
    q->range[q->nranges++] = (ag_range){p->fast, 0, p->nguard, false};
    q->range[q->nranges++] = (ag_range){p->fast, p->nguard, p->fast->norder, true};
  }
  q->range[q->nranges++] = (ag_range){&p->own, p->nguard, p->own.norder, true};
}

/* ---- what waits ---- */

/* Marks the first n of q->named, but what is of the region `own`; -1: all. */
static void mark_named(const finder *q, int r, int own, int n, bool *waits) {
  for (int k = 0; k < n; k++) {
    const ag_id id = q->named[k];
    if (own < 0 || q->region[r][id] != own) waits[id] = true;
  }
}

/* By node: another step, or a result that is not stored in its own step, asks for it. */
static bool *find_waiting(const finder *q) {
  bool *waits = ag_alloc(q->arena, ((size_t)q->plan->graph->dag.count + 1) * sizeof *waits);
  for (int r = 0; r < q->nranges; r++) {
    const ag_sequence *way = q->range[r].way;
    for (int i = q->range[r].first; i < q->range[r].behind; i++) {
      const ag_id id = way->order[i];
      if (way->statement[id])
        mark_named(q, r, q->region[r][id], ag_list_named(way, id, q->named), waits);
    }
    bool *stored = ag_alloc(q->arena, (size_t)(way->results->noutputs + 1) * sizeof *stored);
    for (int k = r ? q->behind[r - 1] : 0; k < q->behind[r]; k++)
      for (int i = 0; i < q->repeats->of[k].count; i++) {
        const ag_step *step = q->repeats->of[k].step[i];
        for (int e = 0; e < step->stored.count; e++) {
          stored[step->stored.of[e]] = true;
          const ag_id output = way->results->outputs[step->stored.of[e]];
          mark_named(q, r, step->region, ag_list_result(way, output, q->named), waits);
        }
      }
    for (int e = 0; e < way->results->noutputs; e++)
      if (!stored[e])
        mark_named(q, r, -1, ag_list_result(way, way->results->outputs[e], q->named), waits);
    for (int i = 0; i < way->results->nstatus; i++)
      mark_named(q, r, -1, ag_list_result(way, way->results->status[i].node, q->named), waits);
  }
  if (q->plan->fast)
    mark_named(q, 0, -1, ag_list_result(q->plan->fast, q->plan->graph->guard, q->named), waits);
  return waits;
}

/* ---- order ---- */

typedef struct orderer {
  const ag_sequence *way;
  bool *placed, *inside; /* by node */
  ag_id *order;
  int norder;
} orderer;

/* A node behind those that stand in its text. */
static void place(orderer *q, ag_id id) {
  if (q->placed[id] || !q->inside[id]) return;
  q->placed[id] = true;
  ag_id of[3];
  const int arity = ag_operands(&q->way->graph->dag.nodes[id], of);
  for (int k = 0; k < arity; k++) place(q, of[k]);
  q->order[q->norder++] = id;
}

/* The statements of a step in the order of those of the repeat's first: numbers among its statements. */
static int *order_of_first(const ag_repeat *r, const int *position, ag_arena *arena) {
  const ag_named *s = &r->step[0]->statement;
  int *order = ag_alloc(arena, (size_t)(s->count + 1) * sizeof *order);
  for (int k = 0; k < s->count; k++) {
    int at = k;
    for (; at > 0 && position[s->of[order[at - 1]]] > position[s->of[k]]; at--)
      order[at] = order[at - 1];
    order[at] = k;
  }
  return order;
}

typedef struct named_step { /* by region */
  const ag_repeat *repeat;
  int call;
  const int *order; /* of its statements */
} named_step;

static named_step *steps_by_region(const finder *q, int r, const int *position) {
  named_step *by_region =
      ag_alloc(q->arena, (size_t)(q->plan->graph->nregions + 1) * sizeof *by_region);
  for (int k = r ? q->behind[r - 1] : 0; k < q->behind[r]; k++) {
    const ag_repeat *repeat = &q->repeats->of[k];
    const int *order = order_of_first(repeat, position, q->arena);
    for (int i = 0; i < repeat->count; i++)
      by_region[repeat->step[i]->region] = (named_step){repeat, i, order};
  }
  return by_region;
}

static void place_step(orderer *q, const named_step *of, ag_blocks *blocks, ag_arena *arena) {
  const ag_named *s = &of->repeat->step[of->call]->statement;
  blocks->of = ag_room(arena, blocks->of, blocks->count, sizeof *blocks->of);
  ag_block *block = &blocks->of[blocks->count++];
  *block = (ag_block){q->norder, 0, of->repeat, of->call};
  for (int k = 0; k < s->count; k++) place(q, s->of[of->order[k]]);
  block->behind = q->norder;
}

/* By region, when it comes: a step that repeats at a time of its own, others together where they follow each other. Returns how many
 * times there are. */
static int number_stages(const finder *q, const int *after, const named_step *steps, int *stage) {
  int stages = 0;
  for (int k = 0; k < q->plan->graph->nregions; k++) {
    stages += k > 0 && (steps[after[k]].repeat || steps[after[k - 1]].repeat);
    stage[after[k]] = stages;
  }
  return stages + 1;
}

/* The range's statements by stage, each stage's in the order of the plan: those of stage k begin at first[k]. */
static ag_id *sort_by_stage(const finder *q, int r, const int *stage, int *first, int stages) {
  const ag_range *range = &q->range[r];
  const ag_sequence *way = range->way;
  ag_id *sorted = ag_alloc(q->arena, ((size_t)way->norder + 1) * sizeof *sorted);
  int *next = ag_alloc(q->arena, (size_t)(stages + 1) * sizeof *next);
  for (int i = range->first; i < range->behind; i++)
    if (way->statement[way->order[i]]) first[stage[q->region[r][way->order[i]]] + 1]++;
  for (int k = 0; k < stages; k++) next[k] = first[k + 1] += first[k];
  for (int i = range->behind - 1; i >= range->first; i--) {
    const ag_id id = way->order[i];
    if (way->statement[id]) sorted[--next[stage[q->region[r][id]]]] = id;
  }
  return sorted;
}

static orderer begin_order(const finder *q, int r, int *position) {
  const ag_range *range = &q->range[r];
  const size_t count = (size_t)q->plan->graph->dag.count + 1;
  orderer o = {.way = range->way, .norder = range->first};
  o.placed = ag_alloc(q->arena, count * sizeof *o.placed);
  o.inside = ag_alloc(q->arena, count * sizeof *o.inside);
  o.order = ag_alloc(q->arena, ((size_t)range->way->norder + 1) * sizeof *o.order);
  for (int i = range->first; i < range->behind; i++) {
    o.inside[range->way->order[i]] = true;
    position[range->way->order[i]] = i;
  }
  return o;
}

/* Steps one after the other (sequence.h), and what is between those that repeat in the order of the plan. */
static void order_range(const finder *q, int r, ag_blocks *blocks) {
  const ag_range *range = &q->range[r];
  const int begin = r ? q->behind[r - 1] : 0;
  const size_t regions = (size_t)q->plan->graph->nregions + 1;
  int *position = ag_alloc(q->arena, ((size_t)q->plan->graph->dag.count + 1) * sizeof *position);
  int *stage = ag_alloc(q->arena, regions * sizeof *stage);
  int *after = ag_alloc(q->arena, regions * sizeof *after);
  int *first = ag_alloc(q->arena, (regions + 1) * sizeof *first);
  orderer o = begin_order(q, r, position);
  const named_step *steps = steps_by_region(q, r, position);
  ag_order_steps(range, q->region[r], q->repeats->of + begin, q->behind[r] - begin, after,
                 q->arena);
  const int stages = number_stages(q, after, steps, stage);
  const ag_id *sorted = sort_by_stage(q, r, stage, first, stages);
  for (int k = 0, at = 0; k < stages; k++) {
    while (stage[after[at]] < k) at++;
    if (steps[after[at]].repeat) place_step(&o, &steps[after[at]], blocks, q->arena);
    for (int i = first[k]; i < first[k + 1]; i++) place(&o, sorted[i]);
  }
  for (int i = range->first; i < range->behind; i++) place(&o, range->way->order[i]); /* results */
  memcpy(range->way->order + range->first, o.order + range->first,
         (size_t)(range->behind - range->first) * sizeof *o.order);
}

static void order_all(const finder *q) {
  ag_repeats *all = q->repeats;
  for (int r = 0; r < q->nranges; r++) {
    const bool own = r == q->nranges - 1, none = q->behind[r] == (r ? q->behind[r - 1] : 0);
    if (!none || !q->of_rows) order_range(q, r, own ? &all->own : &all->fast);
    if (r > 0 || own) continue;
    memcpy(q->plan->own.order, q->plan->fast->order,
           (size_t)q->plan->nguard * sizeof *q->plan->own.order);
    for (int k = 0; k < all->fast.count; k++) {
      all->own.of = ag_room(q->arena, all->own.of, all->own.count, sizeof *all->own.of);
      all->own.of[all->own.count++] = all->fast.of[k];
    }
  }
}

/* ---- all of it ---- */

/* Those of rows that spare most operations come first: what cannot be tied to frames any more is left out. */
static void sort_by_savings(ag_repeat *of, int count) {
  for (int k = 1; k < count; k++) {
    const ag_repeat r = of[k];
    const int spared = (r.count - 1) * r.step[0]->operations;
    int at = k;
    for (; at > 0 && (of[at - 1].count - 1) * of[at - 1].step[0]->operations < spared; at--)
      of[at] = of[at - 1];
    of[at] = r;
  }
}

/* Adds what is called often enough. */
static void add_repeat(const finder *q, ag_repeats *list, const ag_repeat *repeat) {
  if (repeat->count < ag_least_calls(q->plan->graph)) return;
  list->of = ag_room(q->arena, list->of, list->count, sizeof *list->of);
  list->of[list->count++] = *repeat;
}

/* Finds what is alike, and ties it to frames. That may leave steps out, whose values wait elsewhere then: so until none is left out.
 * Those of rows that are left out may be repeats among themselves. */
static void find(finder *q, ag_frames **frames) {
  ag_repeats *all = q->repeats;
  for (int r = 0; r < q->nranges; r++) {
    q->region[r] = ag_regions_of(&q->range[r], q->arena);
    const int before = all->count;
    all->count = ag_find_alike(&q->range[r], q->region[r], &all->of, all->count, q->arena);
    if (q->of_rows) sort_by_savings(all->of + before, all->count - before);
    q->behind[r] = all->count;
  }
  bool again = true;
  while (again) {
    again = false;
    const bool *waits = find_waiting(q);
    ag_repeats next = {0};
    *frames = ag_frames_new(q->plan, q->arena);
    for (int r = 0, k = 0; r < q->nranges; r++) {
      for (; k < q->behind[r]; k++) {
        ag_repeat *repeat = &all->of[k];
        const int before = repeat->count;
        ag_frames_tie(*frames, repeat, waits);
        again |= repeat->count < before;
        add_repeat(q, &next, repeat);
        if (!q->of_rows) continue;
        const ag_repeat others = {.step = repeat->step + repeat->count,
                                  .count = before - repeat->count};
        add_repeat(q, &next, &others);
      }
      q->behind[r] = next.count;
    }
    all->of = next.of;
    all->count = next.count;
  }
}

static bool *mark_again(const finder *q) {
  const ag_repeats *all = q->repeats;
  bool *again = ag_alloc(q->arena, ((size_t)q->plan->graph->dag.count + 1) * sizeof *again);
  for (int k = 0; k < all->count; k++)
    for (int i = 1; i < all->of[k].count; i++) {
      const ag_named *s = &all->of[k].step[i]->statement;
      for (int n = 0; n < s->count; n++) again[s->of[n]] = true;
    }
  return again;
}

const ag_repeats *ag_find_repeats(ag_plan *plan, ag_arena *arena) {
  finder q = {.plan = plan, .arena = arena, .of_rows = ag_has_rows(plan->graph)};
  const size_t count = (size_t)plan->graph->dag.count + 1;
  ag_repeats *all = q.repeats = ag_alloc(arena, sizeof *all);
  ag_frames *frames = NULL;
  q.named = ag_alloc(arena, count * sizeof *q.named);
  list_ranges(&q);
  find(&q, &frames);
  if (all->count == 0) return NULL;
  for (int k = 0; k < all->count; k++) all->of[k].number = k;
  order_all(&q);
  if (plan->fast) ag_frames_follow(frames, plan->fast, &all->fast);
  ag_frames_follow(frames, &plan->own, &all->own);
  all->place = ag_alloc(arena, count * sizeof *all->place);
  const int nplaces = ag_frames_place(frames, all->place, &all->stride, &all->base);
  all->nplaces = (nplaces + WHOLE - 1) / WHOLE * WHOLE;
  plan->own.again = mark_again(&q);
  if (plan->fast) plan->fast->again = plan->own.again;
  return all;
}
