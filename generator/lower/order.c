/* SPDX-License-Identifier: MIT */
/* order.c: see order.h
 *
 * List scheduling, beside the clock of a CPU that takes up the statements in this order. Of the statements whose operands are in
 * the text, next comes the one after which the fewest values wait, for whose operands the CPU waits the least, and from which the
 * longest way leads to a result. So values go as soon as they can, and what is independent (the inertias inward, velocities and
 * forces outward, the rows' directions) is interleaved, longest chains first: a CPU has something to do while it waits for one of them.
 * Against the algorithm's own order this takes 15 % of the time off an arm's function at -O3, 8 % at -O2 (gcc 12, x86-64), for 4
 * to 13 % more code; the clock takes 2 to 9 % off besides, most where a null-space solve begins with a long chain. */
#include "lower/order.h"

#include <limits.h>
#include <string.h>

/* ---- statements ---- */

enum { INLINE_OPERATORS = 4, INLINE_CONDITION = 12 };

/* Number of operators that a node's text would hold if operands without a name stand in it. */
static int weight_of(const ag_dag *dag, const int *weight, ag_id id) {
  ag_id of[3];
  int sum = ag_arity(dag->nodes[id].op) > 0;
  const int arity = ag_operands(&dag->nodes[id], of);
  for (int k = 0; k < arity; k++) sum += weight[of[k]];
  return sum;
}

/* Statements: what is used more than once, labelled, used in another region, probed (which takes an
 * address), or grown beyond what reads well in one expression. */
void ag_choose_statements(ag_sequence *way, const int *uses, ag_arena *arena) {
  const ag_dag *dag = &way->graph->dag;
  int *weight = ag_alloc(arena, (size_t)dag->count * sizeof *weight);
  int32_t *user_region = ag_alloc(arena, (size_t)dag->count * sizeof *user_region);
  bool *probed = ag_alloc(arena, (size_t)dag->count * sizeof *probed);
  way->statement = ag_alloc(arena, (size_t)dag->count * sizeof *way->statement);
  for (int i = 0; i < way->norder; i++) {
    const ag_node *n = &dag->nodes[way->order[i]];
    ag_id of[3];
    const int arity = ag_operands(n, of);
    for (int k = 0; k < arity; k++) user_region[of[k]] = n->region;
    if (n->op == AG_PROBE || n->op == AG_TAKE || n->op == AG_ANY) probed[n->a] = true;
  }
  for (int i = 0; i < way->norder; i++) {
    const ag_id id = way->order[i];
    const ag_node *n = &dag->nodes[id];
    weight[id] = weight_of(dag, weight, id);
    if (weight[id] == 0) {
      /* beside vectors on its own: it fills the pauses in which results wait for each other */
      way->statement[id] = way->graph->width && n->op == AG_PROBE_INPUTS;
      continue;
    }
    if (n->op == AG_JOIN) { /* joins of joins are one */
      way->statement[id] = n->labelled;
      weight[id] = 0;
      continue;
    }
    const bool boolean = ag_is_boolean(dag, id);
    const bool big = weight[id] >= (boolean ? INLINE_CONDITION : INLINE_OPERATORS);
    const bool away = user_region[id] != n->region && !boolean;
    const bool plain = n->op == AG_SIN || n->op == AG_COS || n->op == AG_NEG || n->op == AG_TAKE;
    const bool signs = n->op == AG_NEG && weight[n->a] <= 1; /* of a value, or of one operation */
    way->statement[id] =
        n->labelled || (uses[id] > 1 && !signs) || (!plain && (big || away || probed[id]));
    if (way->statement[id]) weight[id] = 0;
  }
}

/* ---- their order ---- */

/* How far a statement may come before the oldest that is not there yet, in statements. Whole
 * functions of arms fit; on chains of thirty joints wider windows made slower code, and compilers
 * spend minutes on values that wait so long. */
enum { WINDOW = 1000 };

enum { LATEST = 8 }; /* statements whose values may still be in registers */

/* Time is counted in thirds of a cycle of a CPU that begins three operations in each, and has the result of one 4 cycles later, of a
 * move between lanes 3. */
enum { OPERATION = 12, DIVISION = 42, CROSSING = 9 };

/* What speaks against a statement as the next one, in thirtieths of a cycle: each value more that waits then, and the time until its
 * operands are there; and for it: the way from it to a result, and each operand that is among the latest. Numbers: measured on eight
 * functions of five robots (gcc 12, x86-64). Vectors, of which a CPU has few registers: values that wait count above all, and ways are
 * counted in statements; with the weights of numbers, batches of 8 with AVX-512 take 7 % more time. */
typedef struct weights {
  int growth, wait, height, near;
  int pace; /* thirds of a cycle in which a CPU comes to an operation */
  bool timed;
} weights;
static const weights OF_NUMBERS = {
    .growth = 1200, .wait = 10, .height = 1, .near = 90, .pace = 1, .timed = true};
/* Of limbs in lanes: they wait for each other more than numbers do, and the longest ways count more. */
static const weights OF_LIMBS = {
    .growth = 1200, .wait = 10, .height = 3, .near = 90, .pace = 1, .timed = true};
static const weights OF_VECTORS = {
    .growth = 1 << 20, .wait = 0, .height = 1, .near = 10, .pace = 1, .timed = false};

/* For the shortest code: as few values wait as can, and what has just been computed is used. */
static const weights OF_SHORT = {
    .growth = 1 << 20, .wait = 0, .height = 1, .near = 1000, .pace = 1, .timed = false};

/* For code that is read anew in every call, at half the speed: a CPU comes later to what waits, so that operands may be nearer.
 * Chosen among 48 by predicted times (cycles.h) of chains of 14 and 30 joints. */
static const weights OF_READ = {
    .growth = 1200, .wait = 10, .height = 1, .near = 1000, .pace = 2, .timed = true};

typedef struct list { /* of lists, one behind the other: that of `id` begins at first[id] */
  int *first;
  ag_id *of;
  int count, room;
} list;

/* What a statement's price is made of, side by side: thousands are compared for each that is placed. */
typedef struct urgency {
  int growth;        /* of the number of waiting values, by the statement */
  int height;        /* time of the longest way from the statement's beginning to a result */
  int operands_made; /* when all of them are there */
  int rank;          /* of the statement in the algorithm's order */
  int first, behind; /* its operands in their list */
} urgency;

typedef struct scheduler {
  const ag_plan *plan;
  ag_sequence *way;
  ag_arena *arena;
  weights weight;
  int window;
  ag_id *order; /* the new one */
  int norder;
  bool *placed;
  list operands, users; /* of statements: statements */
  int *missing;         /* operands that are not there yet */
  int *waiting;         /* users that are not there yet; outputs and status never are */
  ag_id *last;          /* exclusive or of these users: the last one where it is alone */
  urgency *of;
  int *operations;  /* of the statement */
  int *latency;     /* of the statement's own operations, one after the other */
  int *result_made; /* when its value is there */
  int oldest;       /* least rank of those that are still to come */
  ag_id *by_rank;
  const bool *early; /* what comes before the choice between two ways; NULL: there is one way */
  int *made;         /* the how-many-eth statement of the new order, from 1 on */
  int nmade;
  int now; /* when a CPU comes to the next statement */
  ag_id *ready;
  int nready;
} scheduler;

static void *numbers(const scheduler *q, size_t size) {
  return ag_alloc(q->arena, ((size_t)q->way->graph->dag.count + 1) * size);
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
  const int arity = ag_operands(&q->way->graph->dag.nodes[id], operand);
  for (int k = 0; k < arity; k++) {
    if (!q->way->statement[operand[k]]) {
      collect(q, operand[k], statement, seen);
    } else if (seen[operand[k]] != statement) {
      seen[operand[k]] = statement;
      append(q, &q->operands, operand[k]);
    }
  }
}

static void find_operands(scheduler *q) {
  const ag_id count = q->way->graph->dag.count;
  ag_id *seen = numbers(q, sizeof *seen);
  memset(seen, -1, (size_t)count * sizeof *seen);
  q->operands.first = numbers(q, sizeof *q->operands.first);
  q->operands.of = numbers(q, sizeof *q->operands.of);
  q->operands.room = count + 1;
  for (ag_id id = 0; id < count; id++) {
    q->operands.first[id] = q->operands.count;
    if (q->way->statement[id]) collect(q, id, id, seen);
  }
  q->operands.first[count] = q->operands.count;
}

static void find_users(scheduler *q) {
  const ag_id count = q->way->graph->dag.count;
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
  if (q->way->statement[id]) {
    q->waiting[id]++;
    return;
  }
  ag_id operand[3];
  const int arity = ag_operands(&q->way->graph->dag.nodes[id], operand);
  for (int k = 0; k < arity; k++) hold(q, operand[k]);
}

/* A value that only one statement still waits for goes with it. */
static void find_last(scheduler *q, ag_id id) {
  if (q->waiting[id] == 1 && q->last[id]) q->of[q->last[id]].growth--;
}

/* Time until the value of `id` is there, from when its statement's operands are; counts the operations. */
static int latency(const scheduler *q, ag_id id, int *operations) {
  const ag_node *n = &q->way->graph->dag.nodes[id];
  ag_id operand[3];
  const int arity = ag_operands(n, operand);
  int most = 0;
  for (int k = 0; k < arity; k++) {
    if (q->way->statement[operand[k]]) continue;
    const int t = latency(q, operand[k], operations);
    if (most < t) most = t;
  }
  switch (n->op) {
  case AG_ADD:
  case AG_SUB:
  case AG_MUL:
  case AG_SELECT:
    *operations += 1;
    return most + OPERATION;
  case AG_DIV:
    *operations += 1;
    return most + DIVISION;
  case AG_JOIN: /* joins of joins are one move */
    *operations += n->labelled;
    return n->labelled ? most + CROSSING : most;
  case AG_PROBE_INPUTS:
    if (q->way->graph->width) *operations += n->b - n->a + 1;
    return most;
  case AG_TAKE:
    *operations += n->b > 0;
    return n->b > 0 ? most + CROSSING : most;
  default:
    return most;
  }
}

static void start(scheduler *q) {
  const ag_sequence *way = q->way;
  const ag_id count = way->graph->dag.count;
  for (ag_id id = 0; id < count; id++)
    if (way->statement[id]) {
      q->latency[id] = latency(q, id, &q->operations[id]);
      if (!q->weight.timed) q->latency[id] = 1;
    }
  for (ag_id id = 0; id < count; id++) {
    q->missing[id] = q->operands.first[id + 1] - q->operands.first[id];
    for (int k = q->users.first[id]; k < q->users.first[id + 1]; k++) {
      q->waiting[id]++;
      q->last[id] ^= q->users.of[k];
    }
    q->of[id].growth = 1;
    q->of[id].first = q->operands.first[id];
    q->of[id].behind = q->operands.first[id + 1];
  }
  for (int i = 0; i < way->results->noutputs && !q->plan->part; i++)
    hold(q, way->results->outputs[i]);
  for (int i = 0; i < way->results->nstatus; i++) hold(q, way->results->status[i].node);
  int rank = 0;
  for (int late = 0; late < 2; late++)
    for (ag_id id = 0; id < count; id++)
      if (way->statement[id] && (q->early && q->early[id]) == !late) {
        q->by_rank[rank] = id;
        q->of[id].rank = rank++;
      }
  for (ag_id id = count - 1; id >= 0; id--) {
    if (!way->statement[id]) continue;
    urgency *u = &q->of[id];
    if (q->waiting[id] == 0) u->growth = 0; /* an output, stored at once */
    for (int k = q->users.first[id]; k < q->users.first[id + 1]; k++)
      if (u->height < q->of[q->users.of[k]].height) u->height = q->of[q->users.of[k]].height;
    u->height += q->latency[id];
    find_last(q, id);
    if (q->missing[id] == 0) q->ready[q->nready++] = id;
  }
}

/* The price, where it is below the limit; else a number that is not. */
static int price(const scheduler *q, const urgency *u, int limit) {
  const weights *w = &q->weight;
  const int wait = u->operands_made - q->now;
  const int most = w->growth * u->growth + (wait > 0 ? w->wait * wait : 0) - w->height * u->height;
  if (most - w->near * (u->behind - u->first) >= limit) return limit;
  int near = 0;
  for (int k = u->first; k < u->behind; k++) near += q->made[q->operands.of[k]] > q->nmade - LATEST;
  return most - w->near * near;
}

/* Of the statements that are ready and within the window, the early ones before the others: the one with the least price, of equal
 * ones the first by its id. The oldest always is within. */
static ag_id take_best(scheduler *q) {
  while (q->placed[q->by_rank[q->oldest]]) q->oldest++;
  int best = -1, least = 0;
  bool best_early = false;
  for (int i = 0; i < q->nready; i++) {
    const ag_id id = q->ready[i];
    const urgency *u = &q->of[id];
    if (u->rank >= q->oldest + q->window) continue;
    const bool early = q->early && q->early[id];
    if (best >= 0 && early < best_early) continue;
    const bool first = best < 0 || early > best_early;
    const int limit = first ? INT_MAX : least + (id < q->ready[best]);
    const int cost = price(q, u, limit);
    if (cost >= limit) continue;
    best = i;
    best_early = early;
    least = cost;
  }
  const ag_id id = q->ready[best];
  q->ready[best] = q->ready[--q->nready];
  return id;
}

/* A node behind those that stand in its text. */
static void place(scheduler *q, ag_id id) {
  if (q->placed[id]) return;
  q->placed[id] = true;
  ag_id operand[3];
  const int arity = ag_operands(&q->way->graph->dag.nodes[id], operand);
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
  for (int k = q->users.first[id]; k < q->users.first[id + 1]; k++) {
    const ag_id user = q->users.of[k];
    if (q->of[user].operands_made < q->result_made[id])
      q->of[user].operands_made = q->result_made[id];
    if (--q->missing[user] == 0) q->ready[q->nready++] = user;
  }
}

static weights weights_for(const ag_sequence *way, bool vectors, int window) {
  if (window == AG_READ_ANEW) return OF_READ;
  if (window > 0) return OF_SHORT;
  if (vectors) return OF_VECTORS;
  return way->graph->width ? OF_LIMBS : OF_NUMBERS;
}

void ag_order(const ag_plan *plan, ag_sequence *way, bool vectors, int window, ag_arena *arena) {
  ag_arena own = {0}; /* several orders are tried, of long text */
  scheduler q = {.plan = plan, .way = way, .arena = &own, .window = window > 0 ? window : WINDOW};
  q.weight = weights_for(way, vectors, window);
  q.order = ag_alloc(arena, ((size_t)way->graph->dag.count + 1) * sizeof *q.order);
  q.placed = numbers(&q, sizeof *q.placed);
  q.missing = numbers(&q, sizeof *q.missing);
  q.waiting = numbers(&q, sizeof *q.waiting);
  q.last = numbers(&q, sizeof *q.last);
  q.of = numbers(&q, sizeof *q.of);
  q.latency = numbers(&q, sizeof *q.latency);
  q.result_made = numbers(&q, sizeof *q.result_made);
  q.operations = numbers(&q, sizeof *q.operations);
  q.ready = numbers(&q, sizeof *q.ready);
  q.by_rank = numbers(&q, sizeof *q.by_rank);
  q.made = numbers(&q, sizeof *q.made);
  q.early = plan->early;
  find_operands(&q);
  find_users(&q);
  start(&q);
  /* Inputs and constants, of which the guard may be one, have no statement that would place them. */
  for (ag_id id = 0; q.early && id < way->graph->dag.count; id++)
    if (q.early[id] && ag_arity(way->graph->dag.nodes[id].op) == 0) place(&q, id);
  while (q.nready > 0) {
    const ag_id id = take_best(&q);
    place(&q, id);
    q.made[id] = ++q.nmade;
    const int made = q.of[id].operands_made;
    q.result_made[id] = (made > q.now ? made : q.now) + q.latency[id];
    q.now += q.weight.pace * q.operations[id];
    finish(&q, id);
  }
  for (int i = 0; i < way->norder; i++) place(&q, way->order[i]); /* results without a name */
  way->order = q.order;
  ag_arena_free(&own);
}
