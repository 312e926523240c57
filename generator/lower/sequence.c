/* SPDX-License-Identifier: MIT */
/* sequence.c: see sequence.h
 *
 * List scheduling as that of statements (order.c), of steps: next comes the one that a CPU can begin first; of several, that from which
 * the longest way leads to a result. So the inertias inward, where each link waits for the one before it, are interleaved with velocities
 * and forces outward. Against sweep after sweep that takes 10 to 15 % of the time off chains of 30 and 60 joints. */
#include "lower/sequence.h"

/* In thirds of a cycle, as in order.c: the time until a result is there; a CPU begins an operation in each. */
enum { OPERATION = 12, DIVISION = 42 };

typedef struct step_time {
  int operations, latency;
  int height;         /* time of the longest way from its beginning to a result */
  int missing;        /* steps that it waits for */
  int made;           /* when their results are there */
  int *users, nusers; /* steps that wait for it */
  bool placed;
} step_time;

typedef struct sequencer {
  const ag_sequence *way;
  const int *region; /* by node */
  bool *inside;      /* by node: of the range */
  step_time *of;     /* by region */
  int *path;         /* by node: the longest from what other steps make */
  ag_id *named;      /* statements that a text names (ag_list_named) */
  int nregions;
  ag_arena *arena;
} sequencer;

/* ---- what waits for what ---- */

static void note_use(sequencer *q, int from, int by) {
  step_time *m = &q->of[from];
  if (from == by || (m->nusers > 0 && m->users[m->nusers - 1] == by)) return;
  m->users = ag_room(q->arena, m->users, m->nusers, sizeof *m->users);
  m->users[m->nusers++] = by;
  q->of[by].missing++;
}

/* Notes that step `by` waits for the first n statements of q->named. */
static void note_named(sequencer *q, int n, int by) {
  for (int k = 0; k < n; k++)
    if (q->inside[q->named[k]]) note_use(q, q->region[q->named[k]], by);
}

static int time_of(const ag_node *n) {
  if (n->op == AG_DIV) return DIVISION;
  return (n->op >= AG_ADD && n->op <= AG_MUL) || n->op == AG_SELECT ? OPERATION : 0;
}

/* The time from what other steps make to a node's value; -1: it is made of inputs and constants. */
static int path_to(const sequencer *q, ag_id id) {
  const ag_dag *dag = &q->way->graph->dag;
  ag_id of[3];
  const int arity = ag_operands(&dag->nodes[id], of);
  int longest = -1;
  for (int k = 0; k < arity; k++) {
    if (ag_arity(dag->nodes[of[k]].op) == 0 || ag_is_given(dag, of[k]) || !q->inside[of[k]])
      continue;
    const int path = q->region[of[k]] == q->region[id] ? q->path[of[k]] : 0;
    if (path > longest) longest = path;
  }
  return longest < 0 ? -1 : longest + time_of(&dag->nodes[id]);
}

static void measure(sequencer *q) {
  const ag_dag *dag = &q->way->graph->dag;
  for (ag_id id = 0; id < dag->count; id++) {
    if (!q->inside[id] || ag_arity(dag->nodes[id].op) == 0) continue;
    step_time *m = &q->of[q->region[id]];
    q->path[id] = path_to(q, id);
    m->operations += time_of(&dag->nodes[id]) > 0;
    if (q->path[id] > m->latency) m->latency = q->path[id];
    if (q->way->statement[id]) note_named(q, ag_list_named(q->way, id, q->named), q->region[id]);
  }
}

/* What a step stores, it names. */
static void note_stores(sequencer *q, const ag_repeat *repeat) {
  for (int i = 0; i < repeat->count; i++) {
    const ag_step *step = repeat->step[i];
    for (int e = 0; e < step->stored.count; e++) {
      const ag_id output = q->way->results->outputs[step->stored.of[e]];
      note_named(q, ag_list_result(q->way, output, q->named), step->region);
    }
  }
}

static void find_heights(sequencer *q) {
  for (int r = q->nregions - 1; r >= 0; r--) { /* users are later regions */
    step_time *m = &q->of[r];
    for (int u = 0; u < m->nusers; u++)
      if (m->height < q->of[m->users[u]].height) m->height = q->of[m->users[u]].height;
    m->height += m->latency;
  }
}

/* ---- their order ---- */

static int begin_of(const step_time *m, int now) {
  return m->made > now ? m->made : now;
}

static int take_best(sequencer *q, int now) {
  int best = -1;
  for (int r = 0; r < q->nregions; r++) {
    const step_time *m = &q->of[r];
    if (m->placed || m->missing > 0) continue;
    if (best >= 0) {
      const int later = begin_of(m, now) - begin_of(&q->of[best], now);
      if (later > 0 || (later == 0 && m->height <= q->of[best].height)) continue;
    }
    best = r;
  }
  q->of[best].placed = true;
  return best;
}

void ag_order_steps(const ag_range *range, const int *region, const ag_repeat *repeats, int count,
                    int *after, ag_arena *arena) {
  const ag_graph *graph = range->way->graph;
  const size_t nodes = (size_t)graph->dag.count + 1;
  sequencer q = {.way = range->way, .region = region, .nregions = graph->nregions, .arena = arena};
  q.inside = ag_alloc(arena, nodes * sizeof *q.inside);
  q.path = ag_alloc(arena, nodes * sizeof *q.path);
  q.named = ag_alloc(arena, nodes * sizeof *q.named);
  q.of = ag_alloc(arena, (size_t)(graph->nregions + 1) * sizeof *q.of);
  for (int i = range->first; i < range->behind; i++) q.inside[range->way->order[i]] = true;
  measure(&q);
  for (int k = 0; k < count; k++) note_stores(&q, &repeats[k]);
  find_heights(&q);
  for (int n = 0, now = 0; n < graph->nregions; n++) {
    const int r = after[n] = take_best(&q, now);
    const int made = begin_of(&q.of[r], now) + q.of[r].latency;
    now += q.of[r].operations;
    for (int u = 0; u < q.of[r].nusers; u++) {
      step_time *m = &q.of[q.of[r].users[u]];
      m->missing--;
      if (m->made < made) m->made = made;
    }
  }
}
