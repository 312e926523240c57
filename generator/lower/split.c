/* SPDX-License-Identifier: MIT */
/* split.c: see split.h */
#include "lower/split.h"

#include "lower/repeats.h"
#include "lower/stages.h"

#include <limits.h>
#include <string.h>

typedef struct splitter {
  const ag_plan *plan;
  ag_arena *arena;
  ag_split *split;
  bool *is_output; /* by node, of either way */
  ag_id *of;       /* the statements that a node's text names (ag_list_named) */
  int nof;
} splitter;

static int *filled(ag_arena *arena, int count, int value) {
  int *list = ag_alloc(arena, (size_t)(count + 1) * sizeof *list);
  for (int i = 0; i <= count; i++) list[i] = value;
  return list;
}

static const ag_sequence *way_of(const splitter *s, const ag_part *part) {
  return part->fast ? s->plan->fast : &s->plan->own;
}

/* Operations of a statement's text. */
static int operations(const ag_sequence *way, ag_id id) {
  ag_id of[3];
  const int arity = ag_operands(&way->graph->dag.nodes[id], of);
  int count = arity > 0;
  for (int k = 0; k < arity; k++)
    if (!way->statement[of[k]]) count += operations(way, of[k]);
  return count;
}

static void list_operands(splitter *s, const ag_sequence *way, ag_id id) {
  s->nof = ag_list_named(way, id, s->of);
}

static void list_result(splitter *s, const ag_sequence *way, ag_id id) {
  s->nof = ag_list_result(way, id, s->of);
}

/* ---- steps that repeat ---- */

/* Where a value waits in the frames of links; -1: it does not. */
static int frame_place(const splitter *s, ag_id id) {
  return s->plan->repeats ? s->plan->repeats->place[id] : -1;
}

/* ---- where to cut ---- */

/* Outputs are stored, sines, cosines and constants at hand: they can be read at any time. */
static bool waits_elsewhere(const splitter *s, ag_id id) {
  return s->is_output[id] || ag_is_at_hand(s->plan->graph, id);
}

/* By node of the order: how many values that are no outputs wait behind it for later statements. */
static int *count_waiting(splitter *s, const ag_sequence *way) {
  int *last = filled(s->arena, way->graph->dag.count, -1),
      *waiting = filled(s->arena, way->norder, 0);
  for (int i = 0; i < way->norder; i++) {
    if (!way->statement[way->order[i]]) continue;
    list_operands(s, way, way->order[i]);
    for (int k = 0; k < s->nof; k++) last[s->of[k]] = i;
  }
  for (int i = 0; i < way->norder; i++) {
    const ag_id id = way->order[i];
    if (last[id] < 0 || waits_elsewhere(s, id)) continue;
    waiting[i]++;
    waiting[last[id]]--;
  }
  for (int i = 1; i < way->norder; i++) waiting[i] += waiting[i - 1];
  return waiting;
}

/* Where a part that begins with node `first` of the order ends: between half of its size and all of
 * it, where the fewest values wait; the later of equals. */
static int end_of_part(const splitter *s, const ag_sequence *way, int first, int behind,
                       const int *waiting) {
  int size = 0, best = -1;
  for (int at = first; at < behind; at++) {
    const ag_id id = way->order[at];
    if (!way->statement[id]) continue;
    size += operations(way, id);
    if (size > s->plan->part && best >= 0) return best;
    if (2 * size >= s->plan->part && (best < 0 || waiting[at] <= waiting[best - 1])) best = at + 1;
  }
  return behind;
}

static void add_part(splitter *s, ag_part part) {
  ag_split *split = s->split;
  split->parts = ag_room(s->arena, split->parts, split->nparts, sizeof *split->parts);
  split->parts[split->nparts++] = part;
}

/* Of a plan with stages, for how many lanes the first statement from the `first` node of the order on is. */
static int lanes_from(const splitter *s, const ag_sequence *way, int first) {
  if (!s->plan->of_stages) return 0;
  while (first < way->norder && !way->statement[way->order[first]]) first++;
  return first < way->norder ? ag_lanes_of(s->plan->of_stages, way->order[first]) : 1;
}

/* The next node of the order that another number of lanes begins with, before `behind`, or this. */
static int end_of_lanes(const splitter *s, const ag_sequence *way, int first, int behind,
                        int lanes) {
  for (int i = first; i < behind && s->plan->of_stages; i++)
    if (way->statement[way->order[i]] && ag_lanes_of(s->plan->of_stages, way->order[i]) != lanes)
      return i;
  return behind;
}

/* Cuts the nodes from the `first`-th to the one before `behind` of a way's order; a step that repeats is a part. */
static void cut(splitter *s, const ag_sequence *way, int first, int behind) {
  const int *waiting = count_waiting(s, way);
  const bool fast = way == s->plan->fast;
  const ag_blocks *blocks = ag_blocks_of(s->plan, way);
  int k = 0;
  while (blocks && k < blocks->count && blocks->of[k].first < first) k++;
  while (first < behind) {
    const ag_block *block = blocks && k < blocks->count ? &blocks->of[k] : NULL;
    if (block && block->first == first) {
      add_part(s, (ag_part){fast, first, block->behind, 0, block->repeat, block->call});
      first = block->behind;
      k++;
      continue;
    }
    const int lanes = lanes_from(s, way, first);
    const int until =
        block && block->first < behind ? block->first : end_of_lanes(s, way, first, behind, lanes);
    const int end = end_of_part(s, way, first, until, waiting);
    add_part(s, (ag_part){.fast = fast, .first = first, .behind = end, .lanes = lanes});
    first = end;
  }
}

/* ---- what waits ---- */

/* The parts that a way runs through: those of the guard, then its own. */
typedef struct course {
  const ag_sequence *way;
  const ag_part *guard, *own;
  int nguard, count; /* of the guard's, of all */
  ag_waiting *waiting;
  int *last; /* by node: the last part that uses it; `count`: the results */
} course;

static const ag_part *part_of(const course *c, int p) {
  return p < c->nguard ? &c->guard[p] : &c->own[p - c->nguard];
}

static void note_uses(const splitter *s, const course *c, int part) {
  for (int k = 0; k < s->nof; k++)
    if (c->last[s->of[k]] < part) c->last[s->of[k]] = part;
}

/* Whether an output takes what limbs made, and they do not store it. */
static bool is_left(const splitter *s, int element) {
  const ag_stages *stages = s->plan->of_stages;
  if (!stages || stages->stored[element]) return false;
  for (int k = 0; k < s->nof; k++)
    if (s->plan->graph->width[s->of[k]] > 1) return true;
  return false;
}

/* An output is stored behind the last statement that it names, if that is one of the way's own
 * parts: returns which; else `count`. */
static int store_output(const splitter *s, const course *c, int element, const int *position) {
  int latest = -1, part = c->nguard;
  for (int k = 0; k < s->nof; k++)
    if (position[s->of[k]] > latest) latest = position[s->of[k]];
  if (c->nguard == c->count || latest < c->own[0].first || is_left(s, element)) return c->count;
  c->waiting->stored[element] = latest;
  while (part_of(c, part)->behind <= latest) part++;
  return part;
}

/* Finds where outputs are stored, and the last use of everything. */
static void follow(splitter *s, const course *c) {
  const ag_sequence *way = c->way;
  int *position = filled(s->arena, way->graph->dag.count, -1);
  for (int i = 0; i < way->norder; i++) position[way->order[i]] = i;
  for (int p = 0; p < c->count; p++) {
    const ag_part *part = part_of(c, p);
    for (int i = part->first; i < part->behind; i++) {
      if (!way->statement[way->order[i]]) continue;
      list_operands(s, way, way->order[i]);
      note_uses(s, c, p);
    }
  }
  for (int e = 0; e < way->results->noutputs; e++) {
    const ag_id node = way->results->outputs[e];
    list_result(s, way, node);
    note_uses(s, c, store_output(s, c, e, position));
    if (c->waiting->stored[e] >= 0 && way->statement[node] && frame_place(s, node) < 0)
      c->waiting->output[node] = e;
  }
  for (int i = 0; i < way->results->nstatus; i++) {
    list_result(s, way, way->results->status[i].node);
    note_uses(s, c, c->count);
  }
  if (!s->plan->fast) return;
  list_result(s, way, s->plan->graph->guard);
  note_uses(s, c, c->nguard);
}

/* Places of each kind. until: by place, the last part that uses what waits there. */
typedef struct places {
  int *until[AG_KINDS], count[AG_KINDS];
} places;

/* Gives places to what part p makes and others need up to the last part of last[]. */
static void give_places(const splitter *s, places *all, const ag_part *part, int p, const int *last,
                        const ag_waiting *waiting) {
  const ag_sequence *way = way_of(s, part);
  int from[AG_KINDS] = {s->plan->repeats ? s->plan->repeats->nplaces : 0};
  for (int i = part->first; i < part->behind; i++) {
    const ag_id id = way->order[i];
    if (way->statement[id] && frame_place(s, id) >= 0) {
      waiting->place[id] = frame_place(s, id);
      continue;
    }
    if (!way->statement[id] || last[id] <= p || waiting->output[id] >= 0) continue;
    if (ag_is_at_hand(s->plan->graph, id)) continue;
    const int kind = ag_kind_of(s->plan->graph, id);
    int at = from[kind];
    while (at < all->count[kind] && all->until[kind][at] >= p) at++;
    if (at == all->count[kind]) all->count[kind]++;
    all->until[kind][at] = last[id];
    waiting->place[id] = at;
    from[kind] = at + 1;
  }
}

static ag_waiting nothing(const splitter *s, const ag_sequence *way) {
  const int count = s->plan->graph->dag.count;
  return (ag_waiting){.place = filled(s->arena, count, -1),
                      .output = filled(s->arena, count, -1),
                      .stored = filled(s->arena, way->results->noutputs, -1)};
}

/* Gives every place that two courses need: what the guard's parts make waits at the same place for
 * both. */
static void place_all(const splitter *s, course *courses, int ncourses) {
  const int count = s->plan->graph->dag.count;
  ag_split *split = s->split;
  const int frames = s->plan->repeats ? s->plan->repeats->nplaces : 0;
  const int step = s->plan->graph->width ? 1 : AG_WIDTHS; /* where there are no vectors */
  places shared = {.count = {frames}};
  for (int kind = 0; kind < AG_KINDS; kind += step)
    shared.until[kind] = filled(s->arena, count + frames, -1);
  int *last = filled(s->arena, count, -1);
  for (ag_id id = 0; id < count; id++)
    for (int k = 0; k < ncourses; k++)
      if (courses[k].last[id] > last[id])
        last[id] = courses[k].last[id] < courses[k].nguard ? courses[k].last[id] : INT_MAX;
  for (int p = 0; p < courses[0].nguard; p++) {
    give_places(s, &shared, &courses[0].guard[p], p, last, courses[0].waiting);
    for (int k = 1; k < ncourses; k++)
      memcpy(courses[k].waiting->place, courses[0].waiting->place, (size_t)count * sizeof *last);
  }
  for (int k = 0; k < ncourses; k++) {
    const course *c = &courses[k];
    places own = shared;
    for (int kind = 0; kind < AG_KINDS; kind += step) {
      own.until[kind] = filled(s->arena, count + frames, -1);
      memcpy(own.until[kind], shared.until[kind], (size_t)(count + frames) * sizeof *last);
    }
    for (int p = c->nguard; p < c->count; p++)
      give_places(s, &own, part_of(c, p), p, c->last, c->waiting);
    for (int kind = 0; kind < AG_KINDS; kind++)
      if (own.count[kind] > split->count[kind]) split->count[kind] = own.count[kind];
  }
}

/* ---- what it costs ---- */

/* Marks what a part names, its statements and what they are made of, or removes the marks; returns
 * how many names that are. */
static int mark_names(splitter *s, const ag_part *part, bool *marked, bool mark) {
  const ag_sequence *way = way_of(s, part);
  int count = 0;
  for (int i = part->first; i < part->behind; i++) {
    const ag_id id = way->order[i];
    if (!way->statement[id]) continue;
    list_operands(s, way, id);
    s->of[s->nof++] = id;
    for (int k = 0; k < s->nof; k++) {
      count += marked[s->of[k]] != mark;
      marked[s->of[k]] = mark;
    }
  }
  return count;
}

/* Most values that are alive inside a part: from their statement, or for what another part made from
 * the part's beginning, to the last use. alive: by node, all false. */
static int most_live(splitter *s, const ag_part *part, bool *alive) {
  const ag_sequence *way = way_of(s, part);
  int live = 0, most = 0;
  for (int i = part->behind - 1; i >= part->first; i--) { /* the last use comes first */
    const ag_id id = way->order[i];
    if (!way->statement[id]) continue;
    live -= alive[id];
    alive[id] = false;
    list_operands(s, way, id);
    for (int k = 0; k < s->nof; k++) {
      live += !alive[s->of[k]];
      alive[s->of[k]] = true;
    }
    if (live + 1 > most) most = live + 1;
  }
  return most;
}

static void measure(splitter *s) {
  ag_split *split = s->split;
  bool *marked = ag_alloc(s->arena, ((size_t)s->plan->graph->dag.count + 1) * sizeof *marked);
  for (int p = 0; p < split->nparts; p++) {
    const int live = most_live(s, &split->parts[p], marked);
    (void)mark_names(s, &split->parts[p], marked, false);
    const int names = mark_names(s, &split->parts[p], marked, true);
    (void)mark_names(s, &split->parts[p], marked, false);
    if (live > split->live) split->live = live;
    if (names > split->names) split->names = names;
  }
}

int ag_part_of(int asked, int operations) {
  if (asked == AG_PARTS_LONG) return operations > AG_LONG ? AG_PART : 0;
  return operations > asked ? asked : 0;
}

const ag_split *ag_split_plan(const ag_plan *plan, ag_arena *arena) {
  splitter s = {.plan = plan, .arena = arena};
  const ag_sequence *fast = plan->fast;
  const size_t count = (size_t)plan->graph->dag.count + 1;
  ag_split *split = s.split = ag_alloc(arena, sizeof *split);
  s.of = ag_alloc(arena, count * sizeof *s.of);
  s.is_output = ag_alloc(arena, count * sizeof *s.is_output);
  for (int k = 0; k < (fast ? 2 : 1); k++) {
    const ag_sequence *way = k ? fast : &plan->own;
    for (int e = 0; e < way->results->noutputs; e++) s.is_output[way->results->outputs[e]] = true;
  }
  int nguard = 0, nfast = 0;
  if (fast) {
    cut(&s, fast, 0, plan->nguard);
    nguard = split->nparts;
    cut(&s, fast, plan->nguard, fast->norder);
    nfast = split->nparts - nguard;
  }
  const bool alone = fast && plan->target->apart; /* the general way is a function of its own */
  if (!alone) cut(&s, &plan->own, plan->nguard, plan->own.norder);
  split->own = nothing(&s, &plan->own);
  course courses[2];
  int ncourses = 0;
  if (!alone)
    courses[ncourses++] = (course){.way = &plan->own,
                                   .own = split->parts + nguard + nfast,
                                   .count = split->nparts - nfast,
                                   .waiting = &split->own};
  if (fast) {
    split->fast = nothing(&s, fast);
    courses[ncourses++] = (course){.way = fast,
                                   .own = split->parts + nguard,
                                   .count = nguard + nfast,
                                   .waiting = &split->fast};
  }
  for (int k = 0; k < ncourses; k++) {
    courses[k].guard = split->parts;
    courses[k].nguard = nguard;
    courses[k].last = filled(arena, plan->graph->dag.count, -1);
    follow(&s, &courses[k]);
  }
  place_all(&s, courses, ncourses);
  measure(&s);
  return split;
}
