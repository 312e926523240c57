/* SPDX-License-Identifier: MIT */
/* magnitude.c: see magnitude.h. Bounds go through the graph from the inputs to the results:
 *
 *   |a + b| <= |a| + |b|,   |a b| <= |a| |b|,   |a / b| <= |a| / (least size of b).
 *
 * No difference is larger than the sum, so that reordered and fused sums have the same bounds. */
#include "graph/magnitude.h"

#include "base/arena.h"

#include <math.h>

typedef struct bounds {
  const ag_dag *dag;
  double *most;  /* by node: its size is at most this; infinite: unknown */
  double *least; /* by node: it is at least this; negative infinity: unknown */
  double *away;  /* by node: its size is at least this */
} bounds;

static const ag_node *at(const bounds *b, ag_id id) {
  return &b->dag->nodes[id];
}

/* Is it what is selected where it is above the other: the larger one of the two? */
static bool is_larger_of_two(const bounds *b, const ag_node *n) {
  const ag_node *test = at(b, n->a);
  return test->op == AG_LT && test->a == n->c && test->b == n->b;
}

/* What a node is certainly above, by what it is made of. */
static double least_of(const bounds *b, ag_id id) {
  const ag_node *n = at(b, id);
  const double x = n->a >= 0 && ag_arity(n->op) > 0 ? b->least[n->a] : 0;
  const double y = n->b >= 0 && ag_arity(n->op) > 1 ? b->least[n->b] : 0;
  switch (n->op) {
  case AG_CONST:
    return n->value;
  case AG_ADD:
    return x + y;
  case AG_MUL:
    if (n->a == n->b) return x > 0 ? x * x : 0;
    return x >= 0 && y >= 0 ? x * y : -INFINITY;
  case AG_DIV:
    return x >= 0 && y > 0 ? x / b->most[n->b] : -INFINITY;
  case AG_SELECT: {
    const double yes = b->least[n->b], no = b->least[n->c];
    return is_larger_of_two(b, n) ? fmax(yes, no) : fmin(yes, no);
  }
  default:
    return -INFINITY;
  }
}

/* How far a node is from zero at least. */
static double away_of(const bounds *b, ag_id id) {
  const ag_node *n = at(b, id);
  if (n->op == AG_NEG) return b->away[n->a];
  if (n->op == AG_MUL) return b->away[n->a] * b->away[n->b];
  if (n->op == AG_CONST) return fabs(n->value);
  return fmax(b->least[id], 0);
}

/* Of sums, products and quotients, a slack for their rounding. */
static double most_of(const bounds *b, ag_id id) {
  const double slack = 1.000001;
  const ag_node *n = at(b, id);
  switch (n->op) {
  case AG_CONST:
    return fabs(n->value);
  case AG_ADD:
  case AG_SUB:
    return slack * (b->most[n->a] + b->most[n->b]);
  case AG_MUL:
    return slack * (b->most[n->a] * b->most[n->b]);
  case AG_DIV:
    return b->away[n->b] > 0 ? slack * (b->most[n->a] / b->away[n->b]) : INFINITY;
  case AG_NEG:
    return b->most[n->a];
  case AG_SELECT:
    return fmax(b->most[n->b], b->most[n->c]);
  default:
    return INFINITY;
  }
}

/* ---- what the condition says ---- */

/* That a condition does not hold. */
static void say_not(bounds *b, ag_id id) {
  const ag_node *n = at(b, id);
  if (n->op == AG_OR) {
    say_not(b, n->a);
    say_not(b, n->b);
  } else if (n->op == AG_PROBE_INPUTS && n->c != AG_FINITE) {
    for (ag_id k = 0; k < b->dag->count; k++)
      if (at(b, k)->op == AG_INPUT && n->a <= at(b, k)->a && at(b, k)->a <= n->b)
        b->most[k] = ldexp(1, n->c);
  } else if (n->op == AG_PROBE_TURNS) {
    for (ag_id k = 0; k < b->dag->count; k++)
      if (at(b, k)->op == AG_SIN || at(b, k)->op == AG_COS) b->most[k] = 2;
  }
}

/* That it does. */
static void say(bounds *b, ag_id id) {
  const ag_node *n = at(b, id);
  if (n->op == AG_AND) {
    say(b, n->a);
    say(b, n->b);
  } else if (n->op == AG_NOT) {
    say_not(b, n->a);
  } else if (n->op == AG_LT) {
    b->least[n->b] = fmax(b->least[n->b], b->least[n->a]);
  }
}

/* ---- through the graph ---- */

static bool *needed_for(const ag_graph *graph, const ag_id *results, int nresults,
                        ag_arena *arena) {
  const ag_dag *dag = &graph->dag;
  bool *needed = ag_alloc(arena, (size_t)dag->count * sizeof *needed);
  for (int i = 0; i < nresults; i++) needed[results[i]] = true;
  for (int i = 0; i < graph->nlengths; i++) needed[graph->lengths[i].square] = true;
  for (ag_id id = dag->count - 1; id >= 0; id--) {
    ag_id of[3];
    const int arity = needed[id] ? ag_operands(&dag->nodes[id], of) : 0;
    for (int k = 0; k < arity; k++) needed[of[k]] = true;
  }
  return needed;
}

/* By node the sum of squares that its own square is at most; -1: none is known. */
static ag_id *squares_of(const ag_graph *graph, ag_arena *arena) {
  ag_id *square = ag_alloc(arena, (size_t)graph->dag.count * sizeof *square);
  for (ag_id id = 0; id < graph->dag.count; id++) square[id] = -1;
  for (int i = 0; i < graph->nlengths; i++)
    square[graph->lengths[i].component] = graph->lengths[i].square;
  return square;
}

bool ag_bound_sizes(const ag_graph *graph, ag_id holds, const ag_id *results, int nresults,
                    ag_arena *arena, ag_divisors *divisors) {
  const double largest = ldexp(1, 1000), least_divisor = ldexp(1, -140);
  const ag_dag *dag = &graph->dag;
  bounds b = {.dag = dag};
  b.most = ag_alloc(arena, (size_t)dag->count * sizeof *b.most);
  b.least = ag_alloc(arena, (size_t)dag->count * sizeof *b.least);
  b.away = ag_alloc(arena, (size_t)dag->count * sizeof *b.away);
  *divisors = (ag_divisors){.least = least_divisor};
  for (ag_id id = 0; id < dag->count; id++) {
    b.most[id] = INFINITY;
    b.least[id] = -INFINITY;
  }
  for (int pass = 0; pass < 2; pass++) { /* what is said of factors tells of products */
    for (ag_id id = 0; id < dag->count; id++)
      if (!ag_is_boolean(dag, id)) b.least[id] = fmax(b.least[id], least_of(&b, id));
    say(&b, holds);
  }
  const bool *needed = needed_for(graph, results, nresults, arena);
  const ag_id *square = squares_of(graph, arena);
  for (ag_id id = 0; id < dag->count; id++) {
    if (!needed[id] || ag_is_boolean(dag, id)) continue;
    const ag_node *n = at(&b, id);
    b.least[id] = fmax(b.least[id], least_of(&b, id));
    b.away[id] = away_of(&b, id);
    if (n->op == AG_DIV && !(b.away[n->b] > 0)) {
      divisors->of = ag_room(arena, divisors->of, divisors->count, sizeof *divisors->of);
      divisors->of[divisors->count++] = n->b;
      b.away[n->b] = divisors->least;
    }
    b.most[id] = fmin(b.most[id], most_of(&b, id));
    if (square[id] >= 0) b.most[id] = fmin(b.most[id], 1.001 * sqrt(b.most[square[id]]));
    if (!(b.most[id] < largest)) return false;
  }
  return true;
}
