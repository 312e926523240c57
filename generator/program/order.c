/* order.c: see order.h
 *
 * List scheduling. Of the statements whose operands are there, next comes the one after which the
 * fewest values wait; of equals the one from which the longest way leads to a result; of equals the
 * one that the algorithm made first. So values go as soon as they can, and what is independent (the
 * inertias inward, velocities and forces outward, the rows' directions) is interleaved, longest
 * chains first: a CPU has something to do while it waits for one of them. Against the algorithm's
 * own order this takes 15 % of the time off an arm's function at -O3, 8 % at -O2 (gcc 12, x86-64),
 * for 4 to 13 % more code. */
#include "program/order.h"

#include <string.h>

/* ---- statements ---- */

enum { INLINE_OPERATORS = 4, INLINE_CONDITION = 12 };

/* Number of operators that a node's text would hold if operands without a name stand in it. */
static int weight_of(const ag_program *program, const int *weight, ag_id id) {
  ag_id of[3];
  int sum = ag_arity(program->dag.nodes[id].op) > 0;
  const int arity = ag_operands(&program->dag.nodes[id], of);
  for (int k = 0; k < arity; k++) sum += weight[of[k]];
  return sum;
}

/* Statements: what is used more than once, labelled, used in another region, probed (which takes an
 * address), or grown beyond what reads well in one expression. */
void ag_choose_statements(ag_program *program, const int *uses, ag_arena *arena) {
  const ag_dag *dag = &program->dag;
  int *weight = ag_alloc(arena, (size_t)dag->count * sizeof *weight);
  int32_t *user_region = ag_alloc(arena, (size_t)dag->count * sizeof *user_region);
  bool *probed = ag_alloc(arena, (size_t)dag->count * sizeof *probed);
  program->statement = ag_alloc(arena, (size_t)dag->count * sizeof *program->statement);
  for (int i = 0; i < program->norder; i++) {
    const ag_node *n = &dag->nodes[program->order[i]];
    ag_id of[3];
    const int arity = ag_operands(n, of);
    for (int k = 0; k < arity; k++) user_region[of[k]] = n->region;
    if (n->op == AG_PROBE || n->op == AG_TAKE || n->op == AG_ANY) probed[n->a] = true;
  }
  for (int i = 0; i < program->norder; i++) {
    const ag_id id = program->order[i];
    const ag_node *n = &dag->nodes[id];
    weight[id] = weight_of(program, weight, id);
    if (weight[id] == 0) continue;
    if (n->op == AG_JOIN) { /* joins of joins are one */
      program->statement[id] = n->labelled;
      weight[id] = 0;
      continue;
    }
    const bool boolean = ag_is_boolean(dag, id);
    const bool big = weight[id] >= (boolean ? INLINE_CONDITION : INLINE_OPERATORS);
    const bool away = user_region[id] != n->region && !boolean;
    const bool plain = n->op == AG_SIN || n->op == AG_COS || n->op == AG_NEG;
    program->statement[id] =
        n->labelled || (uses[id] > 1 && n->op != AG_NEG) || (!plain && (big || away || probed[id]));
    if (program->statement[id]) weight[id] = 0;
  }
}

/* ---- their order ---- */

/* How far a statement may come before the oldest that is not there yet, in statements. Whole
 * functions of arms fit; on chains of thirty joints wider windows made slower code, and compilers
 * spend minutes on values that wait so long. */
enum { WINDOW = 1000 };

enum { LATEST = 8 }; /* statements whose values may still be in registers */

typedef struct list { /* of lists, one behind the other: that of `id` begins at first[id] */
  int *first;
  ag_id *of;
  int count, room;
} list;

typedef struct scheduler {
  ag_program *program;
  ag_arena *arena;
  ag_id *order; /* the new one */
  int norder;
  bool *placed;
  list operands, users; /* of statements: statements */
  int *missing;         /* operands that are not there yet */
  int *waiting;         /* users that are not there yet; outputs and status never are */
  ag_id *last;          /* exclusive or of these users: the last one where it is alone */
  int *growth;          /* of the number of waiting values, by the statement */
  int *height;          /* statements on the longest way to a result */
  int *rank;            /* of the statement in the algorithm's order */
  int oldest;           /* least rank of those that are still to come */
  ag_id *by_rank;
  bool *early; /* what the guard is made of, which comes first */
  int *made;   /* the how-many-eth statement of the new order, from 1 on */
  int nmade;
  int nearness;
  ag_id *ready;
  int nready;
} scheduler;

static void *numbers(const scheduler *q, size_t size) {
  return ag_alloc(q->arena, ((size_t)q->program->dag.count + 1) * size);
}

static void append(scheduler *q, list *l, ag_id id) {
  if (l->count == l->room) {
    const size_t used = (size_t)l->count * sizeof *l->of;
    l->of = ag_grow(q->arena, l->of, used, 2 * used);
    l->room *= 2;
  }
  l->of[l->count++] = id;
}

/* Adds the statements that the text of `id` names to the operands of `statement`, each once: `seen`
 * has the statement that named it last. */
static void collect(scheduler *q, ag_id id, ag_id statement, ag_id *seen) {
  ag_id operand[3];
  const int arity = ag_operands(&q->program->dag.nodes[id], operand);
  for (int k = 0; k < arity; k++) {
    if (!q->program->statement[operand[k]]) {
      collect(q, operand[k], statement, seen);
    } else if (seen[operand[k]] != statement) {
      seen[operand[k]] = statement;
      append(q, &q->operands, operand[k]);
    }
  }
}

static void find_operands(scheduler *q) {
  const ag_id count = q->program->dag.count;
  ag_id *seen = numbers(q, sizeof *seen);
  memset(seen, -1, (size_t)count * sizeof *seen);
  q->operands.first = numbers(q, sizeof *q->operands.first);
  q->operands.of = numbers(q, sizeof *q->operands.of);
  q->operands.room = count + 1;
  for (ag_id id = 0; id < count; id++) {
    q->operands.first[id] = q->operands.count;
    if (q->program->statement[id]) collect(q, id, id, seen);
  }
  q->operands.first[count] = q->operands.count;
}

static void find_users(scheduler *q) {
  const ag_id count = q->program->dag.count;
  const int total = q->operands.count;
  q->users.first = numbers(q, sizeof *q->users.first);
  q->users.of = ag_alloc(q->arena, (size_t)(total + 1) * sizeof *q->users.of);
  for (int k = 0; k < total; k++) q->users.first[q->operands.of[k] + 1]++;
  for (ag_id id = 0; id < count; id++) q->users.first[id + 1] += q->users.first[id];
  int *end = numbers(q, sizeof *end);
  memcpy(end, q->users.first, (size_t)count * sizeof *end);
  for (ag_id id = 0; id < count; id++)
    for (int k = q->operands.first[id]; k < q->operands.first[id + 1]; k++)
      q->users.of[end[q->operands.of[k]]++] = id;
}

/* What status and outputs take stays to the end; parts store their outputs at once. */
static void hold(scheduler *q, ag_id id) {
  if (q->program->statement[id]) {
    q->waiting[id]++;
    return;
  }
  ag_id operand[3];
  const int arity = ag_operands(&q->program->dag.nodes[id], operand);
  for (int k = 0; k < arity; k++) hold(q, operand[k]);
}

/* A value that only one statement still waits for goes with it. */
static void find_last(scheduler *q, ag_id id) {
  if (q->waiting[id] == 1 && q->last[id]) q->growth[q->last[id]]--;
}

/* Marks the nodes that the guard is made of. */
static void find_early(scheduler *q) {
  const ag_dag *dag = &q->program->dag;
  if (q->program->nguard == 0) return;
  q->early[q->program->guard] = true;
  for (ag_id id = q->program->guard; id >= 0; id--) {
    ag_id operand[3];
    const int arity = q->early[id] ? ag_operands(&dag->nodes[id], operand) : 0;
    for (int k = 0; k < arity; k++) q->early[operand[k]] = true;
  }
}

static void start(scheduler *q) {
  const ag_program *program = q->program;
  const ag_id count = program->dag.count;
  for (ag_id id = 0; id < count; id++) {
    q->missing[id] = q->operands.first[id + 1] - q->operands.first[id];
    for (int k = q->users.first[id]; k < q->users.first[id + 1]; k++) {
      q->waiting[id]++;
      q->last[id] ^= q->users.of[k];
    }
    q->growth[id] = 1;
  }
  for (int i = 0; i < program->out.nelements && !program->part; i++)
    hold(q, program->out.elements[i].node);
  for (int i = 0; i < program->nstatus; i++) hold(q, program->status[i].node);
  int rank = 0;
  for (int late = 0; late < 2; late++)
    for (ag_id id = 0; id < count; id++)
      if (program->statement[id] && q->early[id] == !late) {
        q->by_rank[rank] = id;
        q->rank[id] = rank++;
      }
  for (ag_id id = count - 1; id >= 0; id--) {
    if (!program->statement[id]) continue;
    if (q->waiting[id] == 0) q->growth[id] = 0; /* an output, stored at once */
    for (int k = q->users.first[id]; k < q->users.first[id + 1]; k++)
      if (q->height[id] <= q->height[q->users.of[k]]) q->height[id] = q->height[q->users.of[k]] + 1;
    find_last(q, id);
    if (q->missing[id] == 0) q->ready[q->nready++] = id;
  }
}

/* How early the statement should come: by its way to a result, and what it takes of the latest. */
static int urgency(const scheduler *q, ag_id id) {
  int urgency = q->height[id];
  for (int k = q->operands.first[id]; q->nearness && k < q->operands.first[id + 1]; k++)
    if (q->made[q->operands.of[k]] > q->nmade - LATEST) urgency += q->nearness;
  return urgency;
}

static bool better(const scheduler *q, ag_id a, ag_id b) {
  if (q->early[a] != q->early[b]) return q->early[a];
  if (q->growth[a] != q->growth[b]) return q->growth[a] < q->growth[b];
  const int urgent_a = urgency(q, a), urgent_b = urgency(q, b);
  if (urgent_a != urgent_b) return urgent_a > urgent_b;
  return a < b;
}

/* Of the statements that are ready and within the window. The oldest always is. */
static ag_id take_best(scheduler *q) {
  while (q->placed[q->by_rank[q->oldest]]) q->oldest++;
  int best = -1;
  for (int i = 0; i < q->nready; i++)
    if (q->rank[q->ready[i]] < q->oldest + WINDOW &&
        (best < 0 || better(q, q->ready[i], q->ready[best])))
      best = i;
  const ag_id id = q->ready[best];
  q->ready[best] = q->ready[--q->nready];
  return id;
}

/* A node behind those that stand in its text. */
static void place(scheduler *q, ag_id id) {
  if (q->placed[id]) return;
  q->placed[id] = true;
  ag_id operand[3];
  const int arity = ag_operands(&q->program->dag.nodes[id], operand);
  for (int k = 0; k < arity; k++) place(q, operand[k]);
  q->order[q->norder++] = id;
}

/* The statement is there: others may be ready now, or become the last to use something. */
static void finish(scheduler *q, ag_id id) {
  for (int k = q->operands.first[id]; k < q->operands.first[id + 1]; k++) {
    const ag_id value = q->operands.of[k];
    q->last[value] ^= id;
    q->waiting[value]--;
    find_last(q, value);
  }
  for (int k = q->users.first[id]; k < q->users.first[id + 1]; k++)
    if (--q->missing[q->users.of[k]] == 0) q->ready[q->nready++] = q->users.of[k];
}

void ag_order(ag_program *program, int nearness, ag_arena *arena) {
  scheduler q = {.program = program, .arena = arena, .nearness = nearness};
  q.order = numbers(&q, sizeof *q.order);
  q.placed = numbers(&q, sizeof *q.placed);
  q.missing = numbers(&q, sizeof *q.missing);
  q.waiting = numbers(&q, sizeof *q.waiting);
  q.last = numbers(&q, sizeof *q.last);
  q.growth = numbers(&q, sizeof *q.growth);
  q.height = numbers(&q, sizeof *q.height);
  q.ready = numbers(&q, sizeof *q.ready);
  q.rank = numbers(&q, sizeof *q.rank);
  q.by_rank = numbers(&q, sizeof *q.by_rank);
  q.made = numbers(&q, sizeof *q.made);
  q.early = numbers(&q, sizeof *q.early);
  find_early(&q);
  find_operands(&q);
  find_users(&q);
  start(&q);
  while (q.nready > 0) {
    const ag_id id = take_best(&q);
    place(&q, id);
    q.made[id] = ++q.nmade;
    finish(&q, id);
  }
  for (int i = 0; i < program->norder; i++)
    place(&q, program->order[i]); /* results without a name */
  program->order = q.order;
}
