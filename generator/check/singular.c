/* singular.c: see singular.h
 *
 * At random positions no row is nearly dependent. So from random positions Gauss and Newton's steps lead to where the rows of J, of
 * length 1 in the metric of M^-1, k_j, depend on each other:
 *   sum u_j k_j(q) = 0,  |u| = 1, by the least dq, du with  sum u_j dk_j/dq dq + sum k_j du_j = -sum u_j k_j,  u . du = 0;
 * and from there back along the way they came from, until the least relative pivot d_k / L_kk is one of some shares of the threshold:
 * its root is the distance of a row from those before it, and grows about as the distance from the singular configuration.
 * There the forces nu are compared with L nu = b - A^T (a at nu = 0), solved by definition (pivots.h). */
#include "check/singular.h"

#include "check/rows.h"
#include "check/solve.h"

#include <math.h>
#include <string.h>

enum { STARTS = 12, ENOUGH = 6, STEPS = 40, DESCENT = 30, INVERSE_STEPS = 4, SHORTER = 4 };
/* Relative pivots over the threshold: where no policy acts, about where a function with two solves passes from the one to the other,
 * and below; where damping changes quickly, and where a row is all but lost. */
static const double goals[] = {3e3, 3e2, 30, 3, 0.6, 1e-3}, farthest = 0.1;
enum { GOALS = sizeof goals / sizeof *goals };
static const double least_threshold = 1e-13; /* doubles know pivots to so much less */
/* Where pivots lose half as many digits, those that M loses by its own condition count. */
static const double inertias = 100;
static const double most_allowed = 1e-2; /* of nu: damping changes it by much more */
static const double longest_step = 0.6;  /* rad, m */
/* A null-space solve judges by the Jacobian's pivots, which can be much larger than those of L (docs/performance.md). */
static const double surely = 1e-2;

typedef struct search {
  ag_checker *c;
  ag_pivots pivots;
  bool *force, *independent; /* by row */
  double *q, *kept, *step;   /* of joints */
  double *start, *singular;
  double *u, *unit, *combined, *forward; /* by row, two; by coordinate: sum u_j k_j */
  double *A, *square,
      *right;    /* equations of a step, their product with their transpose, the right side */
  bool demanded; /* nu is what rows demand where torques are clamped, too */
} search;

/* Places the robot where the joints are, and finds the pivots of the rows that are searched for. */
static bool place(search *s) {
  if (!ag_reference_place(&s->c->robot)) return false;
  ag_pivots_find(&s->pivots, &s->c->robot, s->independent);
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
  const double L = (double)s->pivots.L[k * s->c->robot.nrows + k];
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
    for (int k = 0; k < m; k++) sum[i] += s->u[k] * scale_of(s, k) * (double)s->pivots.K[k * n + i];
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
        const double L = (double)s->pivots.L[j > k ? j * m + k : k * m + j];
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
      s->A[i * wide + joints + k] = scale_of(s, k) * (double)s->pivots.K[k * n + i];
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

/* Away from there, towards the start, until the least relative pivot is `wanted`; false: it never is. share: of the way. */
static bool leave(search *s, double wanted, double *share) {
  for (int k = 0; k < STEPS; k++) {
    for (int j = 0; j < s->c->header->njoints; j++)
      s->q[j] = s->singular[j] + *share * (s->start[j] - s->singular[j]);
    double least = 1;
    if (!place(s)) return false;
    for (int j = 0; j < s->c->robot.nrows; j++)
      if (s->independent[j]) least = fmin(least, s->pivots.relative[j]);
    if (fabs(least - wanted) < 0.1 * wanted) return true;
    const double most = 100, ratio = least > 0 ? wanted / least : most;
    *share *= pow(fmin(most, fmax(ratio, 1 / most)), 0.35); /* a root, and less where it is none */
  }
  return false;
}

/* r = b + what rows let pass - A^T a of the motion without their forces. */
static void find_right_side(ag_checker *c, double *right) {
  const ag_reference *robot = &c->robot;
  const int n = robot->n;
  double *given = c->v[3], *size = c->v[4], *none = c->v[0];
  for (int i = 0; i < n; i++) size[i] = none[i] = 0;
  ag_reference_join(robot, NULL, ag_sampler_find(&robot->sampler, "tau_art"), given);
  ag_reference_wrenches(robot, false, given, size);
  const double *phys = ag_sampler_find(&robot->sampler, "tau_phys"),
               *friction = ag_output_of(ag_reference_run(robot, "achd"), "tau_friction"),
               *held = ag_reference_torques(robot, none),
               *b = ag_sampler_find(&robot->sampler, "b");
  for (int i = 0; i < n; i++) {
    const int j = i - robot->nbase;
    given[i] -= held[i];
    if (phys && j >= 0) given[i] += phys[j];
    if (friction && j >= 0) given[i] += friction[j];
  }
  for (int k = 0; k < robot->nrows; k++)
    right[k] = b[k] + robot->yield[k] - robot->drift[k] - ag_rows_caused(robot, k, given, NULL);
}

static double root_of_own(const search *s, int k) {
  return (double)sqrtl(s->pivots.L[k * s->c->robot.nrows + k]);
}

/* nu beside that of the definition, over its size: each row's by the root of its L_kk, so that units do not count. */
static double difference(search *s, const double *nu) {
  const int m = s->c->robot.nrows;
  double apart = 0, whole = 0;
  find_right_side(s->c, s->unit);
  ag_pivots_solve(&s->pivots, m, s->unit, s->u);
  for (int k = 0; k < m; k++) {
    const double x = (nu[k] - s->u[k]) * root_of_own(s, k), y = s->u[k] * root_of_own(s, k);
    apart += x * x;
    whole += y * y;
  }
  return sqrt(apart) / sqrt(whole);
}

static bool took_null_space(const ag_run *r) {
  return r->graph->nways > 1 && r->work[r->graph->guard] != 0;
}

/* How many rows' pivots the policy acts on, and the least share of the threshold. */
static int acted_on(const search *s, double *least) {
  int count = 0;
  *least = INFINITY;
  for (int k = 0; k < s->c->robot.nrows; k++) {
    if (isnan(s->pivots.relative[k])) continue;
    *least = fmin(*least, s->pivots.relative[k] / s->pivots.threshold);
    count += s->pivots.left[k] != 0; /* or NaN: dropped */
  }
  return count;
}

/* A null-space solve is there for states whose least pivot, which it judges by, is above this. */
static double seam(double threshold) {
  return fmax(1e3 * threshold, sqrt(threshold));
}

static void judge(search *s, ag_run *r) {
  ag_checker *c = s->c;
  if (!ag_reference_evaluate(&c->robot)) return;
  ag_run_evaluate(&c->robot.sampler, r, false);
  if (ag_check_clamped(r) && !s->demanded) return;
  const double *nu = ag_output_of(r, "nu");
  ag_rows_with_forces(&c->robot, nu, s->force);
  ag_pivots_find(&s->pivots, &c->robot, s->force);
  if (s->pivots.close) return;
  double least;
  const int acted = acted_on(s, &least);
  const bool fast = took_null_space(r), singular = (r->status & AG_BIT_SINGULAR) != 0;
  if (acted > 0 && (!fast || least < surely))
    ag_check_note(c, "achd", "SINGULAR where a policy acts", !singular, 0);
  const double *pivot = ag_output_of(r, "pivot_min");
  if (fast && pivot)
    ag_check_note(c, "achd", "null-space solve where the least pivot allows it",
                  fmax(0, seam(s->pivots.threshold) / *pivot - 1), AG_CHECK_SAME);
  if (acted > 0 && fast) return; /* which is exact there */
  const double magnified = ag_pivots_condition(&s->pivots, c->robot.nrows);
  const double allowed =
      AG_CHECK_SAME * (s->pivots.by_columns ? inertias * sqrt(magnified) : magnified);
  if (allowed <= most_allowed) /* else rounding alone may change nu by as much as damping does */
    ag_check_note(c, "achd",
                  acted > 0 ? "nu of states made singular, where a policy acts, by definition"
                            : "nu of states made nearly singular, by definition",
                  difference(s, nu), allowed);
  ag_check_solve(c, r, 1);
  c->report->nacted += acted > 0;
  c->report->nexact += acted == 0;
}

/* From a random state. Returns whether the row came to all goals. */
static bool begin(search *s, ag_run *r) {
  ag_checker *c = s->c;
  const double rounding = 1e-10;
  if (!ag_reference_evaluate(&c->robot)) return false;
  ag_rows_with_forces(&c->robot, ag_output_of(ag_reference_run(&c->robot, "achd"), "nu"), s->force);
  ag_pivots_find(&s->pivots, &c->robot, s->force);
  for (int k = 0; k < c->robot.nrows; k++) {
    s->independent[k] = s->force[k] && s->pivots.relative[k] > rounding;
    if (s->force[k] && !s->independent[k])
      return false; /* everywhere: its force is rounding over rounding */
  }
  const size_t size = (size_t)c->header->njoints * sizeof *s->q;
  memcpy(s->start, s->q, size);
  if (!descend(s)) return false;
  memcpy(s->singular, s->q, size);
  double share = 1e-3;
  for (int k = 0; k < GOALS; k++, c->state++) {
    if (goals[k] * s->pivots.threshold > farthest) continue;
    if (!leave(s, goals[k] * s->pivots.threshold, &share)) return false;
    judge(s, r);
  }
  return true;
}

void ag_check_singular(ag_checker *c) {
  ag_subject *own = NULL;
  for (int k = 0; k < c->header->nfunctions; k++)
    if (strcmp(c->header->functions[k]->name, "achd") == 0) own = &c->subjects[k];
  if (c->header->target.single || !own || !c->robot.solves || c->robot.nrows < 2 ||
      c->header->by_motors)
    return;
  if (!ag_check_rows_alone(c)) return;
  const char *policy = ag_value_text(&own->problem, "singularity");
  if (strcmp(policy, "truncate") == 0) return; /* eigenvalues, no pivots */
  const double threshold = ag_value_number(&own->problem, "threshold");
  c->report->unjudged = threshold < least_threshold ? threshold : 0;
  if (threshold < least_threshold) return;
  ag_run *r = ag_check_complete(c, &own->run) ? &own->run : ag_reference_run(&c->robot, "achd");
  const size_t joints = (size_t)c->header->njoints + 1, rows = (size_t)c->robot.nrows + 1,
               n = (size_t)c->robot.n + 1;
  search s = {.c = c,
              .pivots = ag_pivots_new(&c->robot, threshold, policy, c->arena),
              .force = ag_alloc(c->arena, rows * sizeof(bool)),
              .independent = ag_alloc(c->arena, rows * sizeof(bool)),
              .q = ag_sampler_find(&c->robot.sampler, "q"),
              .kept = ag_alloc(c->arena, joints * sizeof(double)),
              .step = ag_alloc(c->arena, joints * sizeof(double)),
              .start = ag_alloc(c->arena, joints * sizeof(double)),
              .singular = ag_alloc(c->arena, joints * sizeof(double)),
              .u = ag_alloc(c->arena, rows * sizeof(double)),
              .unit = ag_alloc(c->arena, rows * sizeof(double)),
              .combined = ag_alloc(c->arena, n * sizeof(double)),
              .forward = ag_alloc(c->arena, n * sizeof(double)),
              .A = ag_alloc(c->arena, n * (joints + rows) * sizeof(double)),
              .square = ag_alloc(c->arena, (n * n + rows * rows) * sizeof(double)),
              .right = ag_alloc(c->arena, n * sizeof(double))};
  s.demanded = !ag_value_boolean(&own->problem, "scales");
  for (int k = 0; k < c->robot.nrows; k++)
    s.demanded = s.demanded && !c->robot.rows[k].group->physical;
  int found = 0;
  for (int k = 0; k < STARTS && found < ENOUGH; k++) {
    ag_sampler_draw(&c->robot.sampler, k, false);
    found += begin(&s, r);
  }
}
