/* SPDX-License-Identifier: MIT */
/* small_program.h: programs made by hand, and random ones, for the tests of DAG, schedule,
 * evaluator and emitter. */
#ifndef AG_SMALL_PROGRAM_H
#define AG_SMALL_PROGRAM_H

#include "graph/eval.h"
#include "graph/live.h"
#include "lower/lower.h"

#include <math.h>
#include <stdint.h>

static ag_arena arena;
static ag_header header;
static ag_function *function;
static ag_graph *graph;
static ag_plan *plan; /* since lower() */

/* A header with the joints "turn" and "slide" and a program that has no inputs yet. */
static inline void start(bool single) {
  static ag_joint_info joints[] = {{"turn", "turn", false, AG_NO_JOINT, NAN, NAN, NAN, NAN},
                                   {"slide", "slide", true, 0, -0.5, 0.25, NAN, 30}};
  static ag_angle angles[] = {{0, 1, 0}, {1, 1, 0}};
  header = (ag_header){.arena = &arena,
                       .prefix = single ? "smallf" : "small",
                       .upper = single ? "SMALLF" : "SMALL",
                       .robot = "small",
                       .target = {.single = single},
                       .joints = joints,
                       .njoints = 2,
                       .angles = angles,
                       .nangles = 2};
  function = ag_function_new(&arena, "f", "A function.");
  function->formulation = "by hand";
  graph = function->graph = ag_graph_new(&arena, function);
  plan = NULL;
  header.functions = ag_alloc(&arena, sizeof *header.functions);
  header.functions[0] = function;
  header.nfunctions = 1;
  header.plans = ag_alloc(&arena, sizeof *header.plans);
}

static inline ag_id input(const char *name) {
  const ag_quantity *q =
      ag_quantity_add(&header, &function->in, &(ag_declaration){name, AG_SCALAR, 1, "1", "1", ""});
  return ag_input(&graph->dag, q->first);
}

static inline void output(const char *name, ag_id id) {
  const ag_quantity *q =
      ag_quantity_add(&header, &function->out, &(ag_declaration){name, AG_SCALAR, 1, "1", "1", ""});
  ag_graph_output(&arena, graph, AG_GENERAL, q->first, id);
}

/* Ends the making of the graph, and puts it in order. */
static inline void lower(void) {
  ag_graph_complete(graph, &arena);
  plan = header.plans[0] = ag_lower(graph, &header.target, &arena);
}

static inline unsigned run(const double *in, double *out) {
  double *work = ag_alloc(&arena, (size_t)graph->dag.count * sizeof *work);
  return ag_eval(graph, header.target.single, in, out, work);
}

/* splitmix64: the same numbers on every machine. */
typedef struct dice {
  uint64_t state;
} dice;

static inline uint64_t roll(dice *d) {
  uint64_t z = d->state += 0x9E3779B97F4A7C15u;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}
static inline int below(dice *d, int n) {
  return (int)(roll(d) % (uint64_t)n);
}
static inline double between(dice *d, double low, double high) {
  return low + (high - low) * (double)(roll(d) >> 11) * 0x1p-53;
}

/* An expression built twice: as a node, and directly in double. `size` is what the absolute values
 * of its terms add up to, so that rounding, in whatever order the terms are taken, is a small
 * multiple of 1e-16 size. */
typedef struct twin {
  ag_id id;
  double value, size;
} twin;

enum { POOL = 24, SMALL_INPUTS = 6 };

typedef struct forest {
  dice dice;
  twin pool[POOL];
  double in[2 + SMALL_INPUTS]; /* q.turn, q.slide, x0.. */
} forest;

/* Constants that the constructors treat apart, and others. */
static inline double some_constant(dice *d) {
  static const double special[] = {0, 1, -1, 2, -2, 0.5, -0.5, 3};
  const int k = below(d, 12);
  return k < 8 ? special[k] : between(d, -3, 3);
}

static inline void forest_new(forest *f, uint64_t seed) {
  f->dice.state = seed;
  const ag_quantity *q =
      ag_quantity_add(&header, &function->in, &(ag_declaration){"q", AG_JOINTS, 1, "m", "rad", ""});
  f->pool[0].id = ag_input(&graph->dag, q->first);
  f->pool[1].id = ag_input(&graph->dag, q->first + 1);
  for (int k = 0; k < SMALL_INPUTS; k++) f->pool[2 + k].id = input(ag_printf(&arena, "x%d", k));
  for (int k = 0; k < 2 + SMALL_INPUTS; k++) {
    f->in[k] = between(&f->dice, -2, 2);
    f->pool[k].value = header.target.single ? (double)(float)f->in[k] : f->in[k];
    f->pool[k].size = fabs(f->pool[k].value);
  }
  for (int k = 2 + SMALL_INPUTS; k < POOL; k++) {
    const double value = some_constant(&f->dice);
    f->pool[k] = (twin){ag_constant(&graph->dag, value), value, fabs(value)};
  }
}

static inline bool apart(twin a, twin b) { /* rounding cannot turn a < b round */
  return fabs(a.value - b.value) > 1e-9 * (a.size + b.size);
}

/* One more expression of two or three of the pool, which takes a place there. */
static inline twin grow(forest *f) {
  ag_dag *dag = &graph->dag;
  const twin a = f->pool[below(&f->dice, POOL)], b = f->pool[below(&f->dice, POOL)],
             c = f->pool[below(&f->dice, POOL)];
  twin r = {-1, 0, 0};
  switch (below(&f->dice, 11)) {
  case 0:
  case 1:
    r = (twin){ag_add(dag, a.id, b.id), a.value + b.value, a.size + b.size};
    break;
  case 2:
  case 3:
    r = (twin){ag_sub(dag, a.id, b.id), a.value - b.value, a.size + b.size};
    break;
  case 4:
  case 5:
  case 6:
    r = (twin){ag_mul(dag, a.id, b.id), a.value * b.value, a.size * b.size};
    break;
  case 7:
    r = (twin){ag_neg(dag, a.id), -a.value, a.size};
    break;
  case 8: /* not by what cancelled */
    if (fabs(b.value) < 0.1 || fabs(b.value) < 1e-3 * b.size) break;
    r = (twin){ag_div(dag, a.id, b.id), a.value / b.value,
               a.size / fabs(b.value) * (b.size / fabs(b.value))};
    break;
  case 9: /* of joints that turn: there are no others in emitted text */
    r = below(&f->dice, 2)
            ? (twin){ag_sin(dag, f->pool[0].id), sin(f->pool[0].value), 1 + f->pool[0].size}
            : (twin){ag_cos(dag, ag_neg(dag, f->pool[0].id)), cos(f->pool[0].value),
                     1 + f->pool[0].size};
    break;
  default:
    if (!apart(a, b) || !apart(b, c)) break;
    {
      const bool first = a.value < b.value, second = c.value < b.value;
      ag_id condition = ag_lt(dag, a.id, b.id), other = ag_lt(dag, c.id, b.id);
      bool holds = first;
      const int kind = below(&f->dice, 4);
      if (kind == 1) condition = ag_and(dag, condition, other), holds = first && second;
      if (kind == 2)
        condition = ag_or(dag, ag_not(dag, condition), other), holds = !first || second;
      if (kind == 3) condition = ag_not(dag, ag_eq(dag, a.id, b.id)), holds = true;
      r = (twin){ag_select(dag, condition, a.id, c.id), holds ? a.value : c.value, a.size + c.size};
    }
    break;
  }
  if (r.id < 0 || r.size > 1e3 || r.size < 1e-3) return f->pool[2];
  /* q.turn stays at home, inputs now and then return */
  f->pool[1 + below(&f->dice, POOL - 1)] = r;
  if (below(&f->dice, 20) == 0) {
    const int k = below(&f->dice, 2 + SMALL_INPUTS);
    const double value = header.target.single ? (double)(float)f->in[k] : f->in[k];
    f->pool[1 + below(&f->dice, POOL - 1)] = (twin){ag_input(&graph->dag, k), value, fabs(value)};
  }
  return r;
}

#endif
