/* SPDX-License-Identifier: MIT */
/* registers.c: see registers.h */
#include "lower/registers.h"

#include <limits.h>

/* Of x86-64 and of a Cortex-M's doubles 16, two of them for what is just being computed. */
enum { REGISTERS = 14, NEVER = INT_MAX };

typedef struct simulation {
  const ag_sequence *way;
  int *first,
      *of;      /* the uses of value `id`: of[first[id]] to before of[first[id + 1]], ascending */
  int *next;    /* by node: its next use among these */
  bool *stored; /* by node: memory has it */
  ag_id held[REGISTERS];
  int moves;
} simulation;

/* Calls `use` for each statement that the text of a node names. Sines and cosines come from memory,
 * as inputs do. */
static void each_named(simulation *s, ag_id id, int at, void (*use)(simulation *, ag_id, int)) {
  ag_id of[3];
  const int arity = ag_operands(&s->way->graph->dag.nodes[id], of);
  for (int k = 0; k < arity; k++) {
    if (!s->way->statement[of[k]])
      each_named(s, of[k], at, use);
    else if (!ag_is_given(&s->way->graph->dag, of[k]))
      use(s, of[k], at);
  }
}

/* Whether a node has a statement in the text. */
static bool is_written(const simulation *s, ag_id id) {
  return s->way->statement[id] && !(s->way->again && s->way->again[id]);
}

static void each_use(simulation *s, void (*use)(simulation *, ag_id, int)) {
  for (int i = 0; i < s->way->norder; i++)
    if (is_written(s, s->way->order[i])) each_named(s, s->way->order[i], i, use);
}

static void count(simulation *s, ag_id value, int at) {
  (void)at;
  s->first[value + 1]++;
}

static void note(simulation *s, ag_id value, int at) {
  s->of[s->next[value]++] = at;
}

static void list_uses(simulation *s, ag_arena *arena) {
  const size_t nodes = (size_t)s->way->graph->dag.count + 2;
  s->first = ag_alloc(arena, nodes * sizeof *s->first);
  s->next = ag_alloc(arena, nodes * sizeof *s->next);
  s->stored = ag_alloc(arena, nodes * sizeof *s->stored);
  each_use(s, count);
  for (ag_id id = 0; id < s->way->graph->dag.count; id++) {
    s->first[id + 1] += s->first[id];
    s->next[id] = s->first[id];
  }
  s->of = ag_alloc(arena, ((size_t)s->first[s->way->graph->dag.count] + 1) * sizeof *s->of);
  each_use(s, note);
  for (ag_id id = 0; id < s->way->graph->dag.count; id++) s->next[id] = s->first[id];
}

static int next_use(const simulation *s, ag_id value) {
  return s->next[value] < s->first[value + 1] ? s->of[s->next[value]] : NEVER;
}

/* Gives the value a register. */
static void hold(simulation *s, ag_id value) {
  int best = 0, furthest = -1;
  for (int r = 0; r < REGISTERS; r++) {
    const int next = s->held[r] < 0 ? NEVER : next_use(s, s->held[r]);
    if (next > furthest) {
      best = r;
      furthest = next;
    }
  }
  const ag_id leaves = s->held[best];
  if (furthest != NEVER && !s->stored[leaves]) {
    s->stored[leaves] = true;
    s->moves++;
  }
  s->held[best] = value;
}

static void use(simulation *s, ag_id value, int at) {
  (void)at;
  bool there = false;
  for (int r = 0; r < REGISTERS; r++) there |= s->held[r] == value;
  if (!there) {
    s->moves++;
    hold(s, value);
  }
  s->next[value]++;
}

int ag_count_moves(const ag_sequence *way, int first) {
  ag_arena arena = {0};
  simulation s = {.way = way};
  for (int r = 0; r < REGISTERS; r++) s.held[r] = -1;
  list_uses(&s, &arena);
  for (int i = 0; i < way->norder; i++) {
    const ag_id id = way->order[i];
    if (!is_written(&s, id) || ag_is_given(&way->graph->dag, id)) continue;
    each_named(&s, id, i, use);
    hold(&s, id);
    if (i < first) s.moves = 0;
  }
  ag_arena_free(&arena);
  return s.moves;
}
