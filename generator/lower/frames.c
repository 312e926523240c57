/* SPDX-License-Identifier: MIT */
/* frames.c: see frames.h
 *
 * Two values are tied where one text names both, for different links: their places then differ by as many frames as these links. So
 * values form sets, which are lists by link: each set has one place in all frames, and sets that never wait at the same time share
 * one. Sets with such distances are kept as trees (R. E. Tarjan, Efficiency of a good but not linear set union algorithm, JACM 22,
 * 1975). */
#include "lower/frames.h"

#include <limits.h>
#include <string.h>

enum { WAYS = AG_MOST_WAYS };

/* From a value's making to its last use, by places of a way's order; of a step all at its beginning and end. */
typedef struct span {
  int made, last; /* last < 0: the way does not have it */
} span;

typedef struct set { /* of a root */
  ag_named of;
  bool framed, placed;
  int shift; /* link of the root's own value */
  int slot;
} set;

struct ag_frames {
  const ag_plan *plan;
  ag_arena *arena;
  ag_id *parent;
  int *distance; /* to the parent, in links */
  set *sets;     /* by root */
  span *spans[WAYS];
};

ag_frames *ag_frames_new(const ag_plan *plan, ag_arena *arena) {
  const size_t count = (size_t)plan->graph->dag.count + 1;
  ag_frames *f = ag_alloc(arena, sizeof *f);
  *f = (ag_frames){.plan = plan, .arena = arena};
  f->parent = ag_alloc(arena, count * sizeof *f->parent);
  f->distance = ag_alloc(arena, count * sizeof *f->distance);
  f->sets = ag_alloc(arena, count * sizeof *f->sets);
  for (ag_id id = 0; id < plan->graph->dag.count; id++) f->parent[id] = id;
  return f;
}

/* The root of a value's set, and how many links it is behind that. */
static ag_id root_of(const ag_frames *f, ag_id id, int *links) {
  *links = 0;
  while (f->parent[id] != id) {
    *links += f->distance[id];
    id = f->parent[id];
  }
  return id;
}

/* The set of a root, which has at least the root. */
static set *set_of(ag_frames *f, ag_id root) {
  set *s = &f->sets[root];
  if (s->of.count == 0) ag_add_named(f->arena, &s->of, root);
  return s;
}

/* Whether a set has a value so many links behind its root. */
static bool is_taken(const ag_frames *f, const set *s, int links) {
  for (int k = 0; k < s->of.count; k++) {
    int at;
    (void)root_of(f, s->of.of[k], &at);
    if (at == links) return true;
  }
  return false;
}

/* Says that b is so many links behind a; false: that cannot be. */
static bool tie(ag_frames *f, ag_id a, ag_id b, int links) {
  int of_a, of_b;
  const ag_id x = root_of(f, a, &of_a), y = root_of(f, b, &of_b);
  if (x == y) return of_b - of_a == links;
  set *s = set_of(f, x);
  const set *t = set_of(f, y);
  const int shift = of_a + links - of_b; /* of y behind x */
  for (int k = 0; k < t->of.count; k++) {
    int at;
    (void)root_of(f, t->of.of[k], &at);
    if (is_taken(f, s, at + shift)) return false;
  }
  for (int k = 0; k < t->of.count; k++) ag_add_named(f->arena, &s->of, t->of.of[k]);
  f->parent[y] = x;
  f->distance[y] = shift;
  return true;
}

/* The same of all values of two steps. */
static bool tie_steps(ag_frames *f, const ag_repeat *r, const ag_step *a, const ag_step *b,
                      const bool *made) {
  const int links = b->link - a->link;
  bool can = links != 0;
  for (int k = 0; k < a->statement.count && can; k++)
    if (made[k]) can = tie(f, a->statement.of[k], b->statement.of[k], links);
  for (int k = 0; k < a->outer.count && can; k++)
    can = r->common[k] ? a->outer.of[k] == b->outer.of[k]
                       : tie(f, a->outer.of[k], b->outer.of[k], links);
  return can;
}

/* Marks the sets of a step's values; link: of the step, that its own ones stand in the frame of. */
static void mark_framed(ag_frames *f, const ag_repeat *r, const ag_step *step, const bool *made) {
  for (int k = 0; k < step->statement.count + step->outer.count; k++) {
    const int outer = k - step->statement.count;
    if (outer < 0 ? !made[k] : r->common[outer]) continue;
    int links;
    set *s =
        set_of(f, root_of(f, outer < 0 ? step->statement.of[k] : step->outer.of[outer], &links));
    if (!s->framed || (outer < 0 && !s->placed)) s->shift = step->link - links;
    s->framed = true;
    s->placed |= outer < 0;
  }
}

/* The step that has most in common with the next one; of several that next to the middle. */
static int most_common(const ag_repeat *r) {
  int best = (r->count - 1) / 2, most = -1;
  for (int n = 0; n < 2 * r->count; n++) {
    const int i = (r->count - 1) / 2 + (n % 2 ? -(n + 1) / 2 : n / 2);
    if (i < 0 || i + 1 >= r->count) continue;
    const ag_step *a = r->step[i], *b = r->step[i + 1];
    int same = 0;
    for (int k = 0; k < a->outer.count; k++) same += a->outer.of[k] == b->outer.of[k];
    if (same <= most) continue;
    most = same;
    best = i;
  }
  return best;
}

void ag_frames_tie(ag_frames *f, ag_repeat *r, const bool *waits) {
  if (r->count < 2) return;
  const int middle = most_common(r), outers = r->step[0]->outer.count;
  const ag_step *a = r->step[middle], *b = r->step[middle + 1];
  bool *made = ag_alloc(f->arena, (size_t)(a->statement.count + 1) * sizeof *made);
  bool *kept = ag_alloc(f->arena, (size_t)(r->count + 1) * sizeof *kept);
  r->common = ag_alloc(f->arena, (size_t)(outers + 1) * sizeof *r->common);
  for (int k = 0; k < outers; k++) r->common[k] = a->outer.of[k] == b->outer.of[k];
  for (int i = 0; i < r->count; i++)
    for (int k = 0; k < a->statement.count; k++) made[k] |= waits[r->step[i]->statement.of[k]];
  kept[middle] = true;
  const ag_step *last = a;
  for (int i = middle + 1; i < r->count; i++) {
    kept[i] = tie_steps(f, r, last, r->step[i], made);
    if (kept[i]) last = r->step[i];
  }
  last = a;
  for (int i = middle - 1; i >= 0; i--) {
    kept[i] = tie_steps(f, r, last, r->step[i], made);
    if (kept[i]) last = r->step[i];
  }
  int count = 0, behind = 0;
  ag_step **dropped = ag_alloc(f->arena, (size_t)(r->count + 1) * sizeof(ag_step *));
  for (int i = 0; i < r->count; i++)
    if (!kept[i])
      dropped[behind++] = r->step[i];
    else
      r->step[count++] = r->step[i];
  for (int i = 0; i < behind; i++) r->step[count + i] = dropped[i];
  r->count = count;
  for (int i = 0; i < r->count && r->count > 1; i++) mark_framed(f, r, r->step[i], made);
}

/* ---- when values wait ---- */

/* The first n of `of` are asked for at a place of the order. */
static void use(span *spans, const ag_id *of, int n, int at) {
  for (int k = 0; k < n; k++)
    if (spans[of[k]].last < at) spans[of[k]].last = at;
}

void ag_frames_follow(ag_frames *f, const ag_sequence *way, const ag_blocks *blocks) {
  const size_t count = (size_t)way->graph->dag.count + 1;
  int *from = ag_alloc(f->arena, (size_t)(way->norder + 1) * sizeof *from);
  int *to = ag_alloc(f->arena, (size_t)(way->norder + 1) * sizeof *to);
  ag_id *of = ag_alloc(f->arena, count * sizeof *of);
  span *spans = f->spans[way == f->plan->fast] = ag_alloc(f->arena, count * sizeof *spans);
  for (size_t k = 0; k < count; k++) spans[k].last = -1;
  for (int i = 0; i < way->norder; i++) from[i] = to[i] = i;
  for (int k = 0; k < blocks->count; k++)
    for (int i = blocks->of[k].first; i < blocks->of[k].behind; i++) {
      from[i] = blocks->of[k].first;
      to[i] = blocks->of[k].behind - 1;
    }
  for (int i = 0; i < way->norder; i++) {
    const ag_id id = way->order[i];
    if (!way->statement[id]) continue;
    spans[id] = (span){from[i], to[i]};
    use(spans, of, ag_list_named(way, id, of), to[i]);
  }
  for (int k = 0; k < way->results->noutputs + way->results->nstatus; k++) {
    const int status = k - way->results->noutputs;
    const ag_id id = status < 0 ? way->results->outputs[k] : way->results->status[status].node;
    use(spans, of, ag_list_result(way, id, of), INT_MAX);
  }
}

/* ---- places ---- */

static bool meet(const span *a, const span *b) {
  return a->last >= 0 && b->last >= 0 && a->made <= b->last && b->made <= a->last;
}

/* Whether two sets have values of one link that wait at the same time. by_link: those of the second. */
static bool sets_meet(const ag_frames *f, const set *s, const ag_id *by_link, int nlinks) {
  for (int k = 0; k < s->of.count; k++) {
    int links;
    const ag_id id = s->of.of[k];
    (void)root_of(f, id, &links);
    const int link = links + s->shift;
    if (link < 0 || link >= nlinks || by_link[link] < 0) continue;
    for (int way = 0; way < WAYS; way++)
      if (f->spans[way] && meet(&f->spans[way][id], &f->spans[way][by_link[link]])) return true;
  }
  return false;
}

/* The least and the greatest link of framed values. */
static void find_links(const ag_frames *f, int *least, int *most) {
  *least = INT_MAX;
  *most = INT_MIN;
  for (ag_id id = 0; id < f->plan->graph->dag.count; id++) {
    int links;
    const set *s = &f->sets[root_of(f, id, &links)];
    if (!s->framed) continue;
    if (links + s->shift < *least) *least = links + s->shift;
    if (links + s->shift > *most) *most = links + s->shift;
  }
}

/* The first place whose sets all come and go apart from the one of by_link; slots: the sets that have been placed, `count` of them. */
static int find_slot(const ag_frames *f, set *const *slots, int count, int nslots,
                     const ag_id *by_link, int nlinks) {
  bool *taken = ag_alloc(f->arena, (size_t)(nslots + 1) * sizeof *taken);
  for (int k = 0; k < count; k++)
    if (!taken[slots[k]->slot]) taken[slots[k]->slot] = sets_meet(f, slots[k], by_link, nlinks);
  int slot = 0;
  while (slot < nslots && taken[slot]) slot++;
  return slot;
}

int ag_frames_place(ag_frames *f, int *place, int *stride, int *base) {
  const ag_id count = f->plan->graph->dag.count;
  int least, most, nslots = 0, placed = 0;
  find_links(f, &least, &most);
  const int nlinks = most - least + 1;
  ag_id *by_link = ag_alloc(f->arena, (size_t)(nlinks + 1) * sizeof *by_link);
  set **slots = ag_alloc(f->arena, ((size_t)count + 1) * sizeof(set *));
  for (ag_id root = 0; root < count; root++) {
    set *s = &f->sets[root];
    if (f->parent[root] != root || !s->framed) continue;
    s->shift -= least; /* links from the first on */
    memset(by_link, -1, (size_t)nlinks * sizeof *by_link);
    for (int k = 0; k < s->of.count; k++) {
      int links;
      (void)root_of(f, s->of.of[k], &links);
      by_link[links + s->shift] = s->of.of[k];
    }
    s->slot = find_slot(f, slots, placed, nslots, by_link, nlinks);
    if (s->slot == nslots) nslots++;
    slots[placed++] = s;
  }
  *stride = nslots;
  *base = -least * nslots;
  for (ag_id id = 0; id < count; id++) {
    int links;
    const set *s = &f->sets[root_of(f, id, &links)];
    place[id] = s->framed ? (links + s->shift) * nslots + s->slot : -1;
  }
  return nlinks * nslots;
}
