/* SPDX-License-Identifier: MIT */
/* singular.c: see singular.h
 *
 * At random positions no row is nearly dependent. So from random positions Gauss and Newton's steps lead to where the rows of J, of
 * length 1 in the metric of M^-1, k_j, depend on each other:
 *   sum u_j k_j(q) = 0,  |u| = 1, by the least dq, du with  sum u_j dk_j/dq dq + sum k_j du_j = -sum u_j k_j,  u . du = 0;
 * and from there back along the way they came from, until the least relative pivot d_k / L_kk is one of some shares of the threshold:
 * its root is the distance of a row from those before it, and grows about as the distance from the singular configuration. (Of a policy
 * that cuts eigenvalues of L, the least of these over the largest.) There the forces nu are judged by definition (policy.h). */
#include "check/singular.h"

#include "check/policy.h"
#include "check/rows.h"
#include "check/solve.h"

#include <math.h>
#include <string.h>

enum { STARTS = 12, ENOUGH = 6, STEPS = 40, DESCENT = 30, INVERSE_STEPS = 4, SHORTER = 4 };
/* Relative pivots over the threshold: where no policy acts, about where a function with two solves passes from the one to the other,
 * and below; where damping changes quickly, and where a row is all but lost. */
static const double goals[] = {3e3, 3e2, 30, 3, 0.6, 1e-3}, farthest = 0.1;
enum { GOALS = sizeof goals / sizeof *goals };
static const double longest_step = 0.6; /* rad, m */
/* Of the way back to the start: without an end the search would come to angles beyond those that floats are made for. */
static const double farthest_share = 3;

typedef struct search {
  ag_checker *c;
  ag_policy *policy;
  bool *independent;       /* by row */
  double *q, *kept, *step; /* of joints */
  double *start, *singular;
  double *u, *combined, *forward; /* by row; by coordinate, two: sum u_j k_j */
  double *A, *square,
      *right; /* equations of a step, their product with their transpose, the right side */
} search;

/* Places the robot where the joints are, and finds the pivots of the rows that are searched for. */
static bool place(search *s) {
  if (!ag_reference_place(&s->c->robot)) return false;
  ag_pivots_find(&s->policy->pivots, &s->c->robot, s->independent);
  return true;
}

/* ---- to where rows depend on each other ---- */

/* A x = b in place of b, by Gauss. */
static void solve(double *A, double *b, int n) {
  for (int k = 0; k < n; k++) {
    int most = k;
    for (int i = k + 1; i < n; i++)
      if (fabs(A[i * n + k]) > fabs(A[most * n + k])) most = i;
    for (int j = 0; j < n && most != k; j++) {
      const double kept = A[k * n + j];
      A[k * n + j] = A[most * n + j], A[most * n + j] = kept;
    }
    const double moved = b[k];
    b[k] = b[most], b[most] = most == k ? b[k] : moved;
    for (int i = k + 1; i < n; i++) {
      const double factor = A[i * n + k] / A[k * n + k];
      for (int j = k; j < n; j++) A[i * n + j] -= factor * A[k * n + j];
      b[i] -= factor * b[k];
    }
  }
  for (int k = n - 1; k >= 0; k--) {
    for (int j = k + 1; j < n; j++) b[k] -= A[k * n + j] * b[j];
    b[k] /= A[k * n + k];
  }
}

/* One over the length of row k; 0: it has no force. */
static double scale_of(const search *s, int k) {
  const double L = (double)s->policy->pivots.L[k * s->c->robot.nrows + k];
  return s->independent[k] && L > 0 ? 1 / sqrt(L) : 0;
}

static void normalise(double *x, int n) {
  const double length = ag_check_norm(x, n);
  for (int i = 0; i < n; i++) x[i] /= length;
}

/* sum u_j k_j, and its length. */
static double combine(const search *s, double *sum) {
  const int n = s->c->robot.n, m = s->c->robot.nrows;
  for (int i = 0; i < n; i++) {
    sum[i] = 0;
    for (int k = 0; k < m; k++)
      sum[i] += s->u[k] * scale_of(s, k) * (double)s->policy->pivots.K[k * n + i];
  }
  return ag_check_norm(sum, n);
}

/* The combination u of length 1 of the rows' k_j that is least, and its length: by inverse iteration. */
static double least_combination(search *s) {
  const int m = s->c->robot.nrows;
  const double ridge = 1e-13;
  if (!place(s)) return INFINITY;
  for (int k = 0; k < m; k++) s->u[k] = scale_of(s, k) > 0 ? 1 + 0.1 * k : 0;
  for (int times = 0; times < INVERSE_STEPS; times++) {
    for (int j = 0; j < m; j++)
      for (int k = 0; k < m; k++) {
        const double L = (double)s->policy->pivots.L[j > k ? j * m + k : k * m + j];
        s->square[j * m + k] = scale_of(s, j) * scale_of(s, k) * L;
        if (j == k) s->square[j * m + k] = scale_of(s, j) > 0 ? 1 + ridge : 1;
      }
    solve(s->square, s->u, m);
    normalise(s->u, m);
  }
  return combine(s, s->combined);
}

/* The step of q. */
static void find_step(search *s) {
  const int n = s->c->robot.n, m = s->c->robot.nrows, joints = s->c->header->njoints,
            wide = joints + m;
  const double step = 1e-5, ridge = 1e-12;
  for (int k = 0; k < m; k++) {
    for (int i = 0; i < n; i++)
      s->A[i * wide + joints + k] = scale_of(s, k) * (double)s->policy->pivots.K[k * n + i];
    s->A[n * wide + joints + k] = s->u[k];
  }
  for (int j = 0; j < joints; j++) {
    const double kept = s->q[j];
    for (int side = 1; side >= -1; side -= 2) {
      s->q[j] = kept + side * step;
      (void)place(s);
      (void)combine(s, s->forward);
      for (int i = 0; i < n; i++)
        s->A[i * wide + j] =
            (side > 0 ? 0 : s->A[i * wide + j]) + side * s->forward[i] / (2 * step);
    }
    s->A[n * wide + j] = 0;
    s->q[j] = kept;
  }
  for (int i = 0; i <= n; i++) {
    for (int k = 0; k <= n; k++) {
      double sum = i == k ? ridge : 0;
      for (int j = 0; j < wide; j++) sum += s->A[i * wide + j] * s->A[k * wide + j];
      s->square[i * (n + 1) + k] = sum;
    }
    s->right[i] = i < n ? -s->combined[i] : 0;
  }
  solve(s->square, s->right, n + 1);
  for (int j = 0; j < joints; j++) {
    s->step[j] = 0;
    for (int i = 0; i <= n; i++) s->step[j] += s->A[i * wide + j] * s->right[i];
  }
}

/* Until rows depend on each other; false: they do not come there. */
static bool descend(search *s) {
  const int joints = s->c->header->njoints;
  const double nearly = 1e-8;
  double at = least_combination(s);
  for (int k = 0; k < DESCENT && at > nearly; k++) {
    find_step(s);
    double share = fmin(1, longest_step / ag_check_norm(s->step, joints)), next = INFINITY;
    memcpy(s->kept, s->q, (size_t)joints * sizeof *s->q);
    for (int shorter = 0; shorter < SHORTER && !(next < at); shorter++) {
      for (int j = 0; j < joints; j++) s->q[j] = s->kept[j] + share * s->step[j];
      next = least_combination(s);
      share /= 4;
    }
    if (!(next < at)) return false;
    at = next;
  }
  return at <= nearly;
}

/* Away from there, towards the start and not far beyond it, until the least relative pivot, or eigenvalue, is `wanted`; false: it never
 * is. share: of the way. */
static bool leave(search *s, double wanted, double *share) {
  for (int k = 0; k < STEPS; k++) {
    for (int j = 0; j < s->c->header->njoints; j++)
      s->q[j] = s->singular[j] + *share * (s->start[j] - s->singular[j]);
    for (int j = 0; s->c->single && j < s->c->header->njoints; j++)
      s->q[j] = (double)(float)s->q[j];
    if (!ag_reference_place(&s->c->robot)) return false;
    ag_policy_find(s->policy, &s->c->robot, s->independent);
    const double least = ag_policy_least(s->policy);
    if (fabs(least - wanted) < 0.1 * wanted) return true;
    const double most = 100, ratio = least > 0 ? wanted / least : most;
    *share *= pow(fmin(most, fmax(ratio, 1 / most)), 0.35); /* a root, and less where it is none */
    *share = fmin(*share, farthest_share);
  }
  return false;
}

static void judge(search *s, ag_run *r) {
  ag_checker *c = s->c;
  if (!ag_reference_evaluate(&c->robot)) return;
  const bool single = c->single && r == &s->policy->own->run; /* the reference is of doubles */
  ag_run_evaluate(&c->robot.sampler, r, single);
  if (!ag_policy_judge(c, r, true)) return;
  const bool acted = s->policy->acted > 0;
  ag_check_solve(c, r, c->single ? AG_CHECK_SINGLE : 1); /* the reference has its thresholds */
  c->report->nacted += acted;
  c->report->nexact += !acted;
}

/* From a random state. Returns whether the row came to where the policy has all but taken it out. */
static bool begin(search *s, ag_run *r) {
  ag_checker *c = s->c;
  const double rounding = 1e-10;
  if (!ag_reference_evaluate(&c->robot)) return false;
  ag_policy *p = s->policy;
  ag_rows_with_forces(&c->robot, ag_output_of(ag_reference_run(&c->robot, "achd"), "nu"), p->force);
  ag_pivots_find(&p->pivots, &c->robot, p->force);
  for (int k = 0; k < c->robot.nrows; k++) {
    s->independent[k] = p->pivots.has[k] && p->pivots.relative[k] > rounding;
    if (p->pivots.has[k] && !s->independent[k])
      return false; /* everywhere: there is nowhere to go from here */
  }
  const size_t size = (size_t)c->header->njoints * sizeof *s->q;
  memcpy(s->start, s->q, size);
  if (!descend(s)) return false;
  memcpy(s->singular, s->q, size);
  const double close_by = 1e-3;
  double share = close_by;
  bool there = false;
  for (int k = 0; k < GOALS; k++, c->state++) {
    if (goals[k] * p->threshold > farthest) continue;
    there = leave(s, goals[k] * p->threshold, &share);
    if (there)
      judge(s, r);
    else
      share = close_by;
  }
  return there;
}

void ag_check_singular(ag_checker *c) {
  ag_policy *p = c->policy;
  if (!p || c->robot.nrows < 2) return;
  c->report->unjudged =
      p->threshold < AG_LEAST_THRESHOLD(c->header->target.single) ? p->threshold : 0;
  if (c->report->unjudged > 0) return;
  ag_run *r =
      ag_check_complete(c, &p->own->run) ? &p->own->run : ag_reference_run(&c->robot, "achd");
  const size_t joints = (size_t)c->header->njoints + 1, rows = (size_t)c->robot.nrows + 1,
               n = (size_t)c->robot.n + 1;
  search s = {.c = c,
              .policy = p,
              .independent = ag_alloc(c->arena, rows * sizeof(bool)),
              .q = ag_sampler_find(&c->robot.sampler, "q"),
              .kept = ag_alloc(c->arena, joints * sizeof(double)),
              .step = ag_alloc(c->arena, joints * sizeof(double)),
              .start = ag_alloc(c->arena, joints * sizeof(double)),
              .singular = ag_alloc(c->arena, joints * sizeof(double)),
              .u = ag_alloc(c->arena, rows * sizeof(double)),
              .combined = ag_alloc(c->arena, n * sizeof(double)),
              .forward = ag_alloc(c->arena, n * sizeof(double)),
              .A = ag_alloc(c->arena, n * (joints + rows) * sizeof(double)),
              .square = ag_alloc(c->arena, (n * n + rows * rows) * sizeof(double)),
              .right = ag_alloc(c->arena, n * sizeof(double))};
  int found = 0;
  for (int k = 0; k < STARTS && found < ENOUGH; k++) {
    bool shorter;
    if (ag_reference_draw(&c->robot, k, c->single, &shorter)) found += begin(&s, r);
  }
}
