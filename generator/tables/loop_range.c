/* SPDX-License-Identifier: MIT */
/* loop_range.c: see loop_range.h */
#include "tables/loop_range.h"

#include "graph/eval.h"

#include <assert.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

/* Drawn configurations; values of one joint that are tried, the others as they are; how often all joints are gone through. */
enum { DRAWN = 500, TRIED = 24, ROUNDS = 3, ROTATIONS = 60 };

typedef enum what { LEAST, MOST, WEIGHT, KINDS } what;

/* A function that is computed at a configuration. */
typedef struct evaluated {
  const ag_graph *graph;
  double *in, *out, *work;
  int q, result; /* places of the first joint, and of the matrix or the torques */
} evaluated;

typedef struct search {
  evaluated crba, gravity;
  int n;
  const ag_loop_range *ranges;
  double *L, *x; /* the factor of M; a column of its inverse */
} search;

static evaluated evaluated_of(const ag_graph *graph, const char *result, ag_arena *arena) {
  const ag_list *in = &graph->function->in, *out = &graph->function->out;
  const ag_quantity *q = ag_quantity_of(in, "q"), *r = ag_quantity_of(out, result);
  assert(q && r);
  const size_t size = sizeof(double);
  evaluated e = {graph,
                 ag_alloc(arena, (size_t)(in->nelements + 1) * size),
                 ag_alloc(arena, (size_t)(out->nelements + 1) * size),
                 ag_alloc(arena, (size_t)(graph->dag.count + 1) * size),
                 q->first,
                 r->first};
  memset(e.in, 0, (size_t)in->nelements * size);
  const ag_quantity *g = ag_quantity_of(in, "gravity"); /* at run time: as the loop has it */
  if (g && g->defaults) memcpy(e.in + g->first, g->defaults, 3 * size);
  return e;
}

static const double *evaluate(evaluated *e, const double *q, int n) {
  memcpy(e->in + e->q, q, (size_t)n * sizeof *q);
  (void)ag_eval(e->graph, false, e->in, e->out, e->work);
  return e->out + e->result;
}

/* M = L L^T, packed by rows; false: M is not positive definite. */
static bool factor(const double *M, double *L, int n) {
  for (int i = 0; i < n; i++)
    for (int k = 0; k <= i; k++) {
      const double *row = L + i * (i + 1) / 2, *other = L + k * (k + 1) / 2;
      double sum = M[i * (i + 1) / 2 + k];
      for (int m = 0; m < k; m++) sum -= row[m] * other[m];
      if (i == k && !(sum > 0)) return false;
      L[i * (i + 1) / 2 + k] = i == k ? sqrt(sum) : sum / other[k];
    }
  return true;
}

/* x = L^-1 x, then, with all, x = L^-T x: the inverse of M times x. */
static void solve(const double *L, double *x, int n, bool all) {
  for (int i = 0; i < n; i++) {
    for (int k = 0; k < i; k++) x[i] -= L[i * (i + 1) / 2 + k] * x[k];
    x[i] /= L[i * (i + 1) / 2 + i];
  }
  for (int i = n - 1; all && i >= 0; i--) {
    for (int k = i + 1; k < n; k++) x[i] -= L[k * (k + 1) / 2 + i] * x[k];
    x[i] /= L[i * (i + 1) / 2 + i];
  }
}

/* Value k = KINDS j + kind at a configuration whose matrix and torques are known; where M has no inverse in doubles,
 * `least` is 0. */
static double value_of(search *s, const double *M, const double *g, bool regular, int k) {
  const int j = k / KINDS;
  if (k % KINDS == MOST) return M[j * (j + 1) / 2 + j];
  if (k % KINDS == WEIGHT) return fabs(g[j]);
  double mobility = 0; /* (M^-1)_jj = |L^-1 e_j|^2 */
  for (int i = 0; i < s->n; i++) s->x[i] = i == j;
  if (regular) solve(s->L, s->x, s->n, false);
  for (int i = 0; i < s->n; i++) mobility += s->x[i] * s->x[i];
  return regular ? 1 / mobility : 0;
}

/* The same, computed from the configuration on. */
static double measure(search *s, const double *q, int k) {
  if (k % KINDS == WEIGHT) return fabs(evaluate(&s->gravity, q, s->n)[k / KINDS]);
  const double *M = evaluate(&s->crba, q, s->n);
  return value_of(s, M, NULL, k % KINDS == LEAST && factor(M, s->L, s->n), k);
}

/* All values. */
static void measure_all(search *s, const double *q, double *values) {
  const double *M = evaluate(&s->crba, q, s->n), *g = evaluate(&s->gravity, q, s->n);
  const bool regular = factor(M, s->L, s->n);
  for (int k = 0; k < KINDS * s->n; k++) values[k] = value_of(s, M, g, regular, k);
}

static bool better(int k, double value, double best) {
  return k % KINDS == LEAST ? value < best : value > best;
}

/* Improves value k from configuration q, joint by joint, over the joint's whole range and then around the best. */
static void improve(search *s, int k, double *q, double *best) {
  const int rounds = s->n > 12 ? 1 : ROUNDS;
  for (int round = 0; round < rounds; round++)
    for (int j = 0; j < s->n; j++) {
      const ag_loop_range *r = &s->ranges[j];
      double middle = (r->lower + r->upper) / 2, half = (r->upper - r->lower) / 2, at = q[j];
      for (int finer = 0; finer < 2; finer++) {
        for (int i = 0; i <= TRIED; i++) {
          q[j] = fmin(fmax(middle + half * (2.0 * i / TRIED - 1), r->lower), r->upper);
          const double value = measure(s, q, k);
          if (better(k, value, *best)) *best = value, at = q[j];
        }
        middle = at, half *= 2.0 / TRIED;
      }
      q[j] = at;
    }
}

/* A configuration within the range; the sequence of Knuth's 64-bit generator. */
static void draw(const search *s, unsigned long long *state, double *q) {
  for (int j = 0; j < s->n; j++) {
    *state = *state * 6364136223846793005ULL + 1442695040888963407ULL;
    const double share = (double)(*state >> 11) * 0x1p-53;
    q[j] = s->ranges[j].lower + share * (s->ranges[j].upper - s->ranges[j].lower);
  }
}

/* The largest eigenvalue of M^-1 diag(least) where s->L is the factor of M, by the power method. */
static double fastest(search *s, double *v) {
  double size = 0;
  for (int i = 0; i < s->n; i++) v[i] = 1 + 0.1 * i;
  for (int turn = 0; turn < ROTATIONS; turn++) {
    for (int i = 0; i < s->n; i++) s->x[i] = s->ranges[i].least * v[i];
    solve(s->L, s->x, s->n, true);
    size = 0;
    for (int i = 0; i < s->n; i++) size = fmax(size, fabs(s->x[i]));
    for (int i = 0; i < s->n && size > 0; i++) v[i] = s->x[i] / size;
  }
  return size;
}

double ag_loop_ranges(const ag_graph *crba, const ag_graph *gravity, int n, ag_loop_range *ranges,
                      ag_arena *arena) {
  const size_t size = sizeof(double), N = (size_t)n;
  search s = {evaluated_of(crba, "M", arena),
              evaluated_of(gravity, "tau", arena),
              n,
              ranges,
              ag_alloc(arena, N * (N + 1) / 2 * size),
              ag_alloc(arena, N * size)};
  double *q = ag_alloc(arena, N * size), *best = ag_alloc(arena, KINDS * N * size),
         *values = ag_alloc(arena, KINDS * N * size),
         *where = ag_alloc(arena, KINDS * N * N * size);
  unsigned long long state = 1;
  for (int i = 0; i < DRAWN; i++) {
    draw(&s, &state, q);
    measure_all(&s, q, values);
    for (int k = 0; k < KINDS * n; k++)
      if (i == 0 || better(k, values[k], best[k])) {
        best[k] = values[k];
        memcpy(where + (ptrdiff_t)k * n, q, N * size);
      }
  }
  for (int k = 0; k < KINDS * n; k++) improve(&s, k, where + (ptrdiff_t)k * n, &best[k]);
  for (int j = 0; j < n; j++) {
    ranges[j].least = best[KINDS * j + LEAST];
    ranges[j].most = best[KINDS * j + MOST];
    ranges[j].weight = best[KINDS * j + WEIGHT];
  }
  double rate = 1;
  state = 1;
  for (int i = 0; i < DRAWN + KINDS * n; i++) {
    const double *at = i < DRAWN ? q : where + (ptrdiff_t)(i - DRAWN) * n;
    if (i < DRAWN) draw(&s, &state, q);
    if (factor(evaluate(&s.crba, at, n), s.L, n)) rate = fmax(rate, fastest(&s, values));
  }
  return rate;
}
