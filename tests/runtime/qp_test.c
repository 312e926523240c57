/* SPDX-License-Identifier: MIT */
/* qp_test.c: the solver of quadratic programs in levels against all sets of rows at their bounds, against an interior
 * point method, against its own certificate; degenerate, cycling and contradictory problems; warm starts; and what it
 * says of input that means nothing. ACHD_SWEEP: 10^6 random problems in place of 10^4. */
#include <achd/qp.h>

#include <stdint.h>
#include <stdlib.h>

#include "qp_oracle.h"
#include "test.h"

#ifdef ACHD_SINGLE
static const double near_optimum = 2e-2, ridge = 0.3, most_unsolved = 0.001;
#else
static const double near_optimum = 1e-8, ridge = 0.01, most_unsolved = 0;
#endif

static uint64_t seed;

static double uniform(void) { /* 0..1 */
  seed ^= seed << 13, seed ^= seed >> 7, seed ^= seed << 17;
  return (double)(seed >> 11) * 0x1p-53;
}
static double centred(void) {
  return 2 * uniform() - 1;
}
static int below(int n) {
  return (int)(uniform() * n);
}
static void start(uint64_t number) {
  seed = 88172645463325252u + number * 7919;
  for (int k = 0; k < 5; k++) (void)uniform();
}

enum { N = 40, M = 90, LEVELS = 4 };

typedef struct problem {
  achd_real H[N * (N + 1) / 2], g[N], A[M * N], lo[M], hi[M], level[M], weight[M];
  achd_qp_problem p;
} problem;

typedef struct answer {
  achd_real x[N], dual[ACHD_QP_DUAL(LEVELS, M)];
  signed char side[M];
  achd_qp_report report;
  achd_qp_status status;
} answer;

static achd_real work[ACHD_QP_WORK(N, M)];

/* whole: normals and bounds of small whole numbers, so that many rows meet in one point. */
static void draw(problem *q, int n, int m, int levels, bool whole) {
  double B[N][N];
  for (int i = 0; i < n; i++)
    for (int k = 0; k < n; k++) B[i][k] = centred();
  for (int i = 0, at = 0; i < n; i++)
    for (int k = 0; k <= i; k++, at++) {
      double sum = i == k ? ridge : 0;
      for (int l = 0; l < n; l++) sum += B[i][l] * B[k][l];
      q->H[at] = (achd_real)sum;
    }
  for (int i = 0; i < n; i++) q->g[i] = (achd_real)(3 * centred());
  for (int j = 0; j < m; j++) {
    achd_real *a = q->A + (size_t)(j * n);
    for (int i = 0; i < n; i++) a[i] = (achd_real)(whole ? below(3) - 1 : centred());
    if (j > 0 && uniform() < 0.15) /* parallel to the one before */
      for (int i = 0; i < n; i++) a[i] = a[i - n] * (achd_real)(whole ? 1 : 1 + uniform());
    if (uniform() < 0.02)
      for (int i = 0; i < n; i++) a[i] = 0;
    const double top = whole ? below(4) - 1.5 : 2 * centred();
    const double kind = uniform(), width = uniform() < 0.5 ? 1 : uniform();
    q->hi[j] = (achd_real)top;
    q->lo[j] = (achd_real)(top - width);
    if (kind < 0.3)
      q->lo[j] = -ACHD_INFINITY;
    else if (kind < 0.4)
      q->hi[j] = ACHD_INFINITY;
    else if (kind < 0.6)
      q->lo[j] = q->hi[j];
    q->level[j] = (achd_real)below(levels + 1);
    q->weight[j] = (achd_real)(0.1 + uniform());
  }
  q->p = (achd_qp_problem){n, m, levels, q->H, q->g, q->A, q->lo, q->hi, q->level, q->weight};
}

static void solve(const problem *q, answer *a) {
  a->status = achd_qp(&q->p, a->x, a->dual, a->side, 0, work, &a->report);
}

static bool certified(const problem *q, const answer *a) {
  achd_qp_certificate c;
  return achd_qp_check(&q->p, a->x, a->dual, &c);
}

static bool solved(const answer *a) {
  return a->status == ACHD_QP_SOLVED || a->status == ACHD_QP_YIELDED;
}

static void to_oracle(const problem *q, qp_oracle_problem *o) {
  o->n = q->p.unknowns, o->m = q->p.rows, o->levels = q->p.levels;
  for (int i = 0; i < o->n; i++) {
    for (int k = 0; k <= i; k++) o->H[i][k] = o->H[k][i] = q->H[i * (i + 1) / 2 + k];
    o->g[i] = q->g[i];
  }
  for (int j = 0; j < o->m; j++) {
    for (int i = 0; i < o->n; i++) o->A[j][i] = q->A[j * o->n + i];
    o->lo[j] = q->lo[j], o->hi[j] = q->hi[j];
    o->level[j] = (int)q->level[j], o->weight[j] = q->weight[j];
  }
}

/* ---- against oracles ---- */

/* How far x is from the oracle's, relative to its size. */
static double distance(const answer *a, const long double x[], int n) {
  double most = 0, size = 1;
  for (int i = 0; i < n; i++) {
    most = fmax(most, fabs((double)(a->x[i] - x[i])));
    size = fmax(size, fabs((double)x[i]));
  }
  return most / size;
}

static void compare(int problems, int n, int m, bool few) {
  static problem q;
  static answer a;
  static qp_oracle_problem o;
  long double x[ORACLE_N], v[ORACLE_M];
  int compared = 0, contradictory = 0, yielding = 0, unsolved = 0, no_oracle = 0;
  double worst = 0;
  for (int k = 0; k < problems; k++) {
    start((uint64_t)k + 1000000u * (uint64_t)n);
    draw(&q, 1 + below(n), 1 + below(m), below(3), uniform() < 0.4);
    memset(a.side, 0, sizeof a.side);
    solve(&q, &a);
    to_oracle(&q, &o);
    if (a.status == ACHD_QP_INFEASIBLE) {
      contradictory++;
      const long double left = qp_oracle_infeasibility(&o);
      CHECK(left > 1e-19L || left < 0);
      CHECK(a.report.level == 0 && a.report.row >= 0 && a.report.row < q.p.rows);
      continue;
    }
    unsolved += !solved(&a);
    if (!solved(&a)) continue;
    if (!qp_oracle(&o, few, x, v)) {
      no_oracle++;
      continue;
    }
    compared++;
    yielding += a.status == ACHD_QP_YIELDED;
    const double off = distance(&a, x, q.p.unknowns);
    if (!(off < near_optimum)) printf("problem %d: off by %g, status %d\n", k, off, (int)a.status);
    worst = fmax(worst, off);
  }
  printf("%d unknowns, %d rows at most: %d compared, %d of them yield, %d contradict, %d without "
         "oracle; off by %.1e at most\n",
         n, m, compared, yielding, contradictory, no_oracle, worst);
  CHECK(compared > problems / 4);
  CHECK(yielding > problems / 20);
  CHECK(contradictory > 0);
  CHECK(no_oracle <= problems / 12); /* rows that meet in a point leave the path no inside */
  CHECK(unsolved <= problems * most_unsolved);
  CHECK(worst < near_optimum);
}

static void agrees_with_all_sets(void) {
  compare(getenv("ACHD_SWEEP") ? 20000 : 1500, 4, 6, true);
}
static void agrees_with_interior_point(void) {
  compare(getenv("ACHD_SWEEP") ? 3000 : 150, 10, 20, false);
}

/* ---- by its certificate ---- */

/* By how much a row may be missed and count as met: 1e-8 of what it is a sum of, in floats what the certificate allows. */
static double allowed(const problem *q, const answer *a, int j) {
  const int n = q->p.unknowns;
  double size = 1, norm = 0, length = 0, bound = 0;
  for (int i = 0; i < n; i++) {
    const double own = (double)q->H[i * (i + 3) / 2], x = (double)a->x[i], g = (double)q->g[i];
    const double by = (double)q->A[j * n + i];
    size += fabs(by * x);
    norm += by * by / own, length += own * x * x + g * g / own;
  }
  if (sizeof(achd_real) == sizeof(double)) return 1e-8 * size;
  if (isfinite((double)q->lo[j])) bound = fabs((double)q->lo[j]);
  if (isfinite((double)q->hi[j])) bound = fmax(bound, fabs((double)q->hi[j]));
  return (double)ACHD_QP_RESIDUAL * (bound + sqrt(norm * length));
}

/* Does the report name the first level that is not met, and a row of it that is not? */
static bool named(const problem *q, const answer *a) {
  bool there = a->status == ACHD_QP_SOLVED;
  for (int j = 0; j < q->p.rows; j++) {
    double value = 0;
    for (int i = 0; i < q->p.unknowns; i++)
      value += (double)q->A[j * q->p.unknowns + i] * (double)a->x[i];
    const double v = fmax(fmax((double)q->lo[j] - value, value - (double)q->hi[j]), 0);
    const double most = allowed(q, a, j);
    if (v > most && (a->report.level < 0 || (double)q->level[j] < a->report.level)) return false;
    if (j == a->report.row) there = v > 1e-4 * most && (int)q->level[j] == a->report.level;
  }
  return there && (a->status == ACHD_QP_SOLVED) == (a->report.level < 0);
}

static void random_problems(void) {
  const int problems = getenv("ACHD_SWEEP") ? 1000000 : TEST_SANITIZED ? 1000 : 10000;
  static problem q;
  static answer cold, warm;
  /* of 10^6, those that other ways to find multipliers did not solve: in double, the last one where the multiplier of a row
   * shrinks while violations stand; and in float those whose balances are met only after signs are turned */
  static const int hard[] = {11667,  28692,  121549, 153610, 225537, 332982, 526221,
                             804990, 938606, 983480, 105234, 151465, 205944, 233180};
  enum { HARD = sizeof hard / sizeof *hard };
  int unsolved = 0, refused = 0, most_steps = 0, differ = 0, misnamed = 0, still_hard = 0;
  for (int number = -HARD; number < problems; number++) {
    const int k = number < 0 ? hard[number + HARD] : number;
    start((uint64_t)k);
    const int n = 1 + below(k % 100 == 0 ? N : 8), m = below(k % 100 == 0 ? M : 17);
    draw(&q, n, m, below(LEVELS), uniform() < 0.4);
    memset(cold.side, 0, sizeof cold.side);
    solve(&q, &cold);
    if (cold.report.steps > most_steps) most_steps = cold.report.steps;
    if (!solved(&cold)) {
      unsolved += cold.status != ACHD_QP_INFEASIBLE;
      still_hard += number < 0 && cold.status != ACHD_QP_INFEASIBLE;
      continue;
    }
    if (!certified(&q, &cold)) refused++;
    misnamed += !named(&q, &cold);
    for (int j = 0; j < m; j++) warm.side[j] = (signed char)(below(5) - 2);
    solve(&q, &warm); /* from anywhere: the same solution */
    double off = 0, size = 1;
    for (int i = 0; i < n; i++) {
      off = fmax(off, fabs((double)(warm.x[i] - cold.x[i])));
      size = fmax(size, fabs((double)cold.x[i]));
    }
    if (warm.status != cold.status || off > near_optimum * size) differ++;
  }
  printf("%d random problems: %d not solved, %d refused by the certificate, %d depend on the "
         "start; %d steps at most\n",
         problems, unsolved, refused, differ, most_steps);
  CHECK(misnamed == 0);
  CHECK(still_hard == 0);
  CHECK(unsolved <= problems * most_unsolved);
  CHECK(refused <= problems * most_unsolved);
  CHECK(differ <= problems * most_unsolved * 10);
}

/* Four feet in flat cones, f = F x + f_0, from which far more is asked than they can give: the forces of several feet
 * are at the tips of their cones, where five rows meet in three unknowns, up to rounding. Motors of random
 * strength, joints beyond their limits, six demands in two levels. */
static void draw_tips(problem *q) {
  enum { FEET = 4, n = 3 * FEET };
  double F[n][n], f_0[n];
  const double mu = uniform() < 0.5 ? 0.03 : uniform(), strength = pow(10, 3 * uniform());
  int m = 0;
  for (int i = 0; i < n; i++) {
    for (int k = 0; k < n; k++) F[i][k] = centred();
    f_0[i] = 10 * centred();
  }
  for (int i = 0, at = 0; i < n; i++)
    for (int k = 0; k <= i; k++, at++) {
      double sum = i == k ? 0.01 : 0;
      for (int l = 0; l < n; l++) sum += (l < n / 2 ? 1 : 1e-5) * F[l][i] * F[l][k];
      q->H[at] = (achd_real)sum;
    }
  for (int i = 0; i < n; i++) q->g[i] = (achd_real)centred();
#define ROW(number, low, high)                                                                     \
  (q->level[m] = (achd_real)(number), q->lo[m] = (achd_real)(low), q->hi[m] = (achd_real)(high),   \
   q->weight[m] = 1, m++)
  for (int j = 0; j < n; j++) {
    for (int i = 0; i < n; i++) q->A[m * n + i] = i == j;
    ROW(0, -strength, strength);
  }
  for (int foot = 0; foot < FEET; foot++) {
    const double *const x = F[3 * foot], *const y = F[3 * foot + 1], *const z = F[3 * foot + 2];
    const double *const at = &f_0[3 * foot];
    for (int i = 0; i < n; i++) q->A[m * n + i] = (achd_real)z[i];
    ROW(1, -at[2], ACHD_INFINITY);
    for (int side = 0; side < 4; side++) {
      const double sign = side % 2 ? -1 : 1, *const t = side < 2 ? x : y;
      for (int i = 0; i < n; i++) q->A[m * n + i] = (achd_real)(sign * t[i] - mu * z[i]);
      ROW(1, -ACHD_INFINITY, mu * at[2] - sign * at[side < 2 ? 0 : 1]);
    }
  }
  for (int j = 0; j < 3; j++) { /* limits */
    for (int i = 0; i < n; i++) q->A[m * n + i] = (achd_real)centred();
    ROW(2, -ACHD_INFINITY, -100 * uniform());
  }
  for (int j = 0; j < 6; j++) { /* z, moments; x, y */
    static const int demand[6] = {2, 3, 4, 5, 0, 1};
    double c[n] = {0};
    for (int foot = 0; foot < FEET; foot++) {
      const double at[3] = {foot < 2 ? 0.25 : -0.25, foot % 2 ? 0.15 : -0.15, -0.4};
      const int k = demand[j] % 3, k1 = (k + 1) % 3, k2 = (k + 2) % 3;
      if (demand[j] < 3)
        c[3 * foot + k] = 1;
      else /* at x f along k */
        c[3 * foot + k2] = at[k1], c[3 * foot + k1] = -at[k2];
    }
    for (int i = 0; i < n; i++) {
      double sum = 0;
      for (int k = 0; k < n; k++) sum += c[k] * F[k][i];
      q->A[m * n + i] = (achd_real)sum;
    }
    const double b = 100 * centred() - (j == 0 ? 50 : 0);
    ROW(j < 4 ? 3 : 4, b, b);
  }
#undef ROW
  q->p = (achd_qp_problem){n, m, LEVELS, q->H, q->g, q->A, q->lo, q->hi, q->level, q->weight};
}

static void at_the_tips_of_cones(void) {
  const int problems = getenv("ACHD_SWEEP") ? 100000 : TEST_SANITIZED ? 200 : 1000;
  static problem q;
  static answer a;
  int yielding = 0, unsolved = 0, refused = 0, misnamed = 0;
  for (int k = 0; k < problems; k++) {
    start((uint64_t)k);
    draw_tips(&q);
    memset(a.side, 0, sizeof a.side);
    solve(&q, &a);
    yielding += a.status == ACHD_QP_YIELDED;
    unsolved += !solved(&a);
    if (!solved(&a)) continue;
    refused += !certified(&q, &a);
    misnamed += !named(&q, &a);
  }
  printf("%d problems of feet at the tips of cones: %d yield, %d not solved, %d refused, %d "
         "misnamed\n",
         problems, yielding, unsolved, refused, misnamed);
  CHECK(yielding > problems / 2);
  CHECK(unsolved <= problems * most_unsolved);
  CHECK(refused <= problems * most_unsolved);
  CHECK(misnamed == 0);
}

/* ---- by hand ---- */

static achd_real one_H[3] = {1, 0, 1}, one_g[2] = {-4, -4};

/* |x| <= 1 twice in one row each: two rows, both held at hi. */
static void two_sided_rows_count_once(void) {
  const achd_real A[4] = {1, 0, 0, 1}, lo[2] = {-1, -1}, hi[2] = {1, 1};
  achd_qp_problem p = {2, 2, 0, one_H, one_g, A, lo, hi, NULL, NULL};
  answer a = {.side = {0}};
  CHECK(achd_qp(&p, a.x, a.dual, a.side, 0, work, &a.report) == ACHD_QP_SOLVED);
  CHECK(a.x[0] == 1 && a.x[1] == 1);
  CHECK(a.side[0] == 1 && a.side[1] == 1);
  CHECK(fabs((double)(a.dual[0] - 3)) < 1e-6 && fabs((double)(a.dual[1] - 3)) < 1e-6);
  CHECK(a.report.level == -1 && a.report.row == -1);
}

/* x <= 1 for ever, x = 3 at level 1, y = 2 at level 1, x + y = 0 at level 2. */
static void levels_yield_in_order(void) {
  const achd_real A[8] = {1, 0, 1, 0, 0, 1, 1, 1}, lo[4] = {-ACHD_INFINITY, 3, 2, 0};
  const achd_real hi[4] = {1, 3, 2, 0}, level[4] = {0, 1, 1, 2};
  achd_qp_problem p = {2, 4, 2, one_H, one_g, A, lo, hi, level, NULL};
  answer a = {.side = {0}};
  CHECK(achd_qp(&p, a.x, a.dual, a.side, 0, work, &a.report) == ACHD_QP_YIELDED);
  CHECK(fabs((double)a.x[0] - 1) < near_optimum && fabs((double)a.x[1] - 2) < near_optimum);
  CHECK(a.report.level == 1 && a.report.row == 1);
  CHECK(a.x[0] <= 1 + 8 * ACHD_EPSILON);
}

/* What was left of a humanoid that falls, at speeds where its simulation ends: the ground asks for 10^5 in three rows, of
 * which one follows from the others but for 4e-14, and level 3 asks a motor of 10 for 2 10^8. The rounding of that
 * step moves x out of the rows that level 1 has reached; these are no contradiction. */
static void large_steps_contradict_nothing(void) {
  const achd_real small = (achd_real)2e-5, no = -ACHD_INFINITY;
  const achd_real H[10] = {700, 0, small, 0, 0, small, 0, 0, 0, small}, g[4] = {0};
  const achd_real A[20] = {1,
                           0,
                           0,
                           0, /**/
                           0,
                           (achd_real)-0.074685119158,
                           (achd_real)0.720082299823,
                           0, /**/
                           0,
                           (achd_real)-0.07468511915804,
                           (achd_real)-0.668647849836,   /**/
                           (achd_real)-0.04962916669855, /**/
                           0,
                           (achd_real)0.3734255957902,
                           (achd_real)-0.128586124968, /**/
                           (achd_real)0.1240729167464, /**/
                           30,
                           0,
                           0,
                           0};
  const achd_real lo[5] = {-10, no, no, no, 2e8}, hi[5] = {10, -1e5, 2e4, -6e4, 2e8};
  const achd_real level[5] = {0, 1, 1, 1, 3};
  const achd_qp_problem p = {4, 5, 3, H, g, A, lo, hi, level, NULL};
  achd_qp_certificate c;
  answer a = {.side = {0}};
  CHECK(achd_qp(&p, a.x, a.dual, a.side, 0, work, &a.report) == ACHD_QP_YIELDED);
  CHECK(a.report.level == 1);
  CHECK(achd_qp_check(&p, a.x, a.dual, &c));
  CHECK(fabs((double)a.x[0] - 10) < near_optimum);
}

/* Solves the problem of n unknowns and m rows, each of n + 4 numbers: a, lo, hi, level, weight; g is 0. */
static void it_is_certified(int n, int m, const double H[], const double row[]) {
  static problem q;
  static answer a;
  for (int k = 0; k < n * (n + 1) / 2; k++) q.H[k] = (achd_real)H[k];
  for (int i = 0; i < n; i++) q.g[i] = 0;
  for (int j = 0; j < m; j++, row += n + 4) {
    for (int i = 0; i < n; i++) q.A[j * n + i] = (achd_real)row[i];
    q.lo[j] = (achd_real)row[n], q.hi[j] = (achd_real)row[n + 1];
    q.level[j] = (achd_real)row[n + 2], q.weight[j] = (achd_real)row[n + 3];
  }
  q.p = (achd_qp_problem){n, m, 3, q.H, q.g, q.A, q.lo, q.hi, q.level, q.weight};
  memset(a.side, 0, sizeof a.side);
  solve(&q, &a);
  CHECK(a.status == ACHD_QP_YIELDED);
  CHECK(certified(&q, &a));
}

/* What was left of two cycles of a quadruped that falls: rows of level 1 and 2 follow from those that their levels hold, but
 * for 1e-9 of what they are sums of. A step of any size is allowed along what they leave; the rounding of the
 * place that levels have reached is not to become one (first problem), nor to contradict it (second). */
static void rows_that_nearly_follow_contradict_nothing(void) {
  const double none = (double)ACHD_INFINITY;
  const double H_cones[] = {700, 0, 10, 0, 0, 100, 0, 0, 0, 700, 0, 0, 0, 0, 4, 0, 0, 0, 0, 0, 200};
  const double cones[8][10] = {
      /* a, lo, hi, level, weight */
      {1.97066213, -3.09541812, 0.8211269, 0.15602151, -0.02478138, -0.0396293, -none, 0, 1, 1},
      {-0.0795603, -0.0115149, -0.026453, -0.93432187, -2.386124, 8.173264, 0, none, 1, 1},
      {-0.15602151, -0.02478138, -0.0396293, -1.97066213, -3.0954181, 0.8211269, -none, 0, 1, 1},
      {-0.128302792, 0.002908703, 0.04203243, -0.090529568, 0.056801539, -0.0143792, -none, 0, 1,
       1},
      {0, 0, 0, 0, -7, 0, 0, none, 2, 0.01},
      {-7.63643918, -8.9846557, 23.266652, -10.5421253, 0.9344695, 3.586266, -none, -10000, 2,
       0.002},
      {17.827119, 6.71421404, -10.542125, 18.71900288, -4.8798596, 7.636439, -none, 0, 2, 0.01},
      {-7.43273241, -1.8200799, 0.986174, -7.43273241, 1.8200799, -0.986174, 0, 0, 3, 0.2},
  };
  const double H_limits[] = {26.903, 6.99, 4, -10, 0,  700, 26.894, 6.8, -10, 26.903, -7, 0, 0, -7,
                             80,     10,   0, 0,   10, 0,   300,    -7,  0,   0,      -7, 0, 0, 50};
  const double limits[8][11] = {
      /* a, lo, hi, level, weight */
      {1, 0, 0, 0, 0, 0, 0, 0, none, 0, 1},
      {0.04232128985, -0.00280134, -0.012050043, 0.04394716205, -0.0333284472, 0.044852136, 1,
       -none, 0, 1, 1},
      {-10.451740087, -9.54483921, 24.8041939, -10.271193138, -1.64179765, 9.947918, 0, -none, 0, 2,
       0.002},
      {10.2714931924, -1.64170954, 9.9479182, 10.452044546, -9.54546438, 24.805591, 0, -none, 0, 2,
       0.002},
      {-11.453854501, -7.76856044, 4.92537876, -10.987741991, -0.33813111, -5.28059052, 0, -none, 0,
       2, 0.002},
      {10.9878086295, -0.33820673, -5.28041445, 11.45388754, -7.76867581, 4.92568643, -20, -none,
       90, 2, 0.002},
      {-0.0179545978, -0.4404022946, 0.541930617, 0.01795268211, -0.4404090543, 0.541946534, 0, 30,
       30, 3, 10},
      {0.67073753, 0.4516903, -2.366055, 0.67074858, -0.451723, 2.3661075, 0, 0, 0, 3, 0.4},
  };
  it_is_certified(6, 8, H_cones, cones[0]);
  it_is_certified(7, 8, H_limits, limits[0]);
}

/* Ten demands x_i + d z = 101 + d of level 1 against x_i <= 1, each with an unknown that weighs nearly as x_i does. They pull
 * at z by 2e-10 of what they pull at x_i, or 5e-10, and still that holds z: at z <= 1, or where a demand z <= 1000 of
 * their own level yields by 5e-7; level 2 asks for z = -1 and for a large x_0, whose sign is turned by much of it.
 * Between them z follows from two rows, but for 2e-10: no step of 10^11 along it. */
static void what_pulls_little_holds(void) {
  if (sizeof(achd_real) == sizeof(float)) return;
  enum { DEMANDS = 10, z = DEMANDS, n = 2 * DEMANDS + 1 };
  for (int own = 0; own < 2; own++) {
    static problem q;
    static answer a;
    const double d = own ? 5e-10 : 2e-10, most = own ? 1000 : 1, none = (double)ACHD_INFINITY;
    int m = 0;
    memset(&q, 0, sizeof q), memset(&a, 0, sizeof a);
    for (int i = 0; i < n; i++) q.H[i * (i + 3) / 2] = 1;
    for (int i = z + 1; i < n; i++) q.H[i * (i + 1) / 2 + i - z - 1] = (achd_real)0.99;
#define ROW(unknown, low, high, number)                                                            \
  (q.A[m * n + (unknown)] = 1, q.lo[m] = (achd_real)(low), q.hi[m] = (achd_real)(high),            \
   q.level[m] = (achd_real)(number), q.weight[m] = 1, m++)
    for (int i = 0; i < DEMANDS; i++) ROW(i, -none, 1, 0);
    ROW(z, -none, most, own);
    for (int i = 0; i < DEMANDS; i++) q.A[m * n + z] = (achd_real)d, ROW(i, 101, 101, 1);
    ROW(z, -1, -1, 2);
    ROW(0, -1e6, -1e6, 2);
#undef ROW
    q.p = (achd_qp_problem){n, m, 2, q.H, q.g, q.A, q.lo, q.hi, q.level, q.weight};
    solve(&q, &a);
    CHECK(a.status == ACHD_QP_YIELDED && a.report.level == 1);
    CHECK(certified(&q, &a));
    for (int i = 0; i < DEMANDS; i++) CHECK_NEAR((double)a.x[i], 1, 1e-12);
    CHECK_NEAR((double)a.x[z], own ? most + 5e-7 : most, 1e-8); /* ten times d times 100 */
  }
}

/* x = 0 is held from below, y - x >= 1 pushes it further down: an equality does not leave for that, and comes back. */
static void equalities_stay(void) {
  const achd_real A[4] = {1, 0, -1, 1}, lo[2] = {0, 1}, hi[2] = {0, ACHD_INFINITY}, g[2] = {4, 0};
  const achd_qp_problem p = {2, 2, 0, one_H, g, A, lo, hi, NULL, NULL};
  answer a = {.side = {0}};
  CHECK(achd_qp(&p, a.x, a.dual, a.side, 0, work, &a.report) == ACHD_QP_SOLVED);
  CHECK(a.x[0] == 0 && a.x[1] == 1);
  CHECK(a.report.steps == 1);
}

/* Two demands on one unknown, of unlike weights: between them, as they weigh. */
static void weights_share_a_level(void) {
  const achd_real A[4] = {1, 0, 1, 0}, lo[2] = {0, 4}, hi[2] = {0, 4}, level[2] = {1, 1};
  const achd_real weight[2] = {1, 3};
  achd_qp_problem p = {2, 2, 1, one_H, one_g, A, lo, hi, level, weight};
  answer a = {.side = {0}};
  CHECK(achd_qp(&p, a.x, a.dual, a.side, 0, work, &a.report) == ACHD_QP_YIELDED);
  CHECK(fabs((double)a.x[0] - 3) < 1e-5);
}

/* No rows; rows without bounds. */
static void nothing_to_bound(void) {
  achd_qp_problem p = {2, 0, 0, one_H, one_g, NULL, NULL, NULL, NULL, NULL};
  answer a = {.side = {0}};
  CHECK(achd_qp(&p, a.x, a.dual, a.side, 0, work, &a.report) == ACHD_QP_SOLVED);
  CHECK_NEAR((double)a.x[0], 4, 1e-6);
  const achd_real A[2] = {1, 1}, lo[1] = {-ACHD_QP_UNBOUNDED}, hi[1] = {ACHD_QP_UNBOUNDED};
  p.rows = 1, p.A = A, p.lo = lo, p.hi = hi;
  CHECK(achd_qp(&p, a.x, a.dual, a.side, 0, work, &a.report) == ACHD_QP_SOLVED);
  CHECK_NEAR((double)a.x[0], 4, 1e-6);
}

/* A warm start at a side that has no bound is none: the solution is the cold start's. */
static void no_bound_to_start_from(void) {
  const achd_real A[2] = {1, 0}, lo[1] = {-2 * ACHD_QP_UNBOUNDED}, hi[1] = {10};
  const achd_qp_problem p = {2, 1, 0, one_H, one_g, A, lo, hi, NULL, NULL};
  answer cold = {.side = {0}}, warm = {.side = {-1}};
  CHECK(achd_qp(&p, cold.x, cold.dual, cold.side, 0, work, &cold.report) == ACHD_QP_SOLVED);
  CHECK(achd_qp(&p, warm.x, warm.dual, warm.side, 0, work, &warm.report) == ACHD_QP_SOLVED);
  CHECK(memcmp(cold.x, warm.x, 2 * sizeof cold.x[0]) == 0);
}

/* No certificate for an answer with a multiplier or an unknown that is no number. */
static void no_certificate_without_numbers(void) {
  const achd_real A[2] = {1, 0}, lo[1] = {-1}, hi[1] = {1};
  const achd_qp_problem p = {2, 1, 0, one_H, one_g, A, lo, hi, NULL, NULL};
  answer a = {.side = {0}};
  achd_qp_certificate c;
  CHECK(achd_qp(&p, a.x, a.dual, a.side, 0, work, &a.report) == ACHD_QP_SOLVED);
  CHECK(achd_qp_check(&p, a.x, a.dual, &c));
  const achd_real multiplier = a.dual[0];
  a.dual[0] = (achd_real)NAN;
  CHECK(!achd_qp_check(&p, a.x, a.dual, &c));
  a.dual[0] = multiplier;
  a.x[1] = (achd_real)NAN;
  CHECK(!achd_qp_check(&p, a.x, a.dual, &c));
  /* nor for a problem without rows whose gradient is none */
  const achd_real g[2] = {(achd_real)NAN, 0}, x[2] = {0, 0};
  const achd_qp_problem odd = {2, 0, 0, one_H, g, NULL, NULL, NULL, NULL, NULL};
  CHECK(!achd_qp_check(&odd, x, a.dual, &c));
}

static achd_qp_status status_of(achd_qp_problem p, answer *a) {
  achd_qp_certificate c;
  memset(a, 0x55, sizeof *a);
  memset(a->side, 1, sizeof a->side);
  const achd_qp_status s = achd_qp(&p, a->x, a->dual, a->side, 0, work, &a->report);
  if (s == ACHD_QP_BAD_INPUT && p.unknowns == 2) CHECK(a->x[0] == 0 && a->x[1] == 0);
  if (s == ACHD_QP_BAD_INPUT) CHECK(!achd_qp_check(&p, a->x, a->dual, &c) || p.H != one_H);
  return s;
}

static void input_without_meaning(void) {
  const achd_real A[2] = {1, 1}, lo[1] = {0}, hi[1] = {1};
  const achd_qp_problem good = {2, 1, 1, one_H, one_g, A, lo, hi, NULL, NULL};
  answer a;
  CHECK(status_of(good, &a) == ACHD_QP_SOLVED);
  achd_qp_problem p = good;
  p.unknowns = 0;
  CHECK(status_of(p, &a) == ACHD_QP_BAD_INPUT);
  p.unknowns = ACHD_QP_UNKNOWNS + 1;
  CHECK(status_of(p, &a) == ACHD_QP_BAD_INPUT);
  p = good, p.rows = ACHD_QP_ROWS + 1;
  CHECK(status_of(p, &a) == ACHD_QP_BAD_INPUT);
  p = good, p.rows = -1;
  CHECK(status_of(p, &a) == ACHD_QP_BAD_INPUT);
  p = good, p.levels = ACHD_QP_LEVELS + 1;
  CHECK(status_of(p, &a) == ACHD_QP_BAD_INPUT);
  const achd_real nan = (achd_real)NAN, infinite = ACHD_INFINITY;
  const achd_real odd[] = {nan, infinite, -infinite};
  for (int k = 0; k < 3; k++) {
    const achd_real H[3] = {1, odd[k], 1}, g[2] = {odd[k], 0}, B[2] = {1, odd[k]}, w[1] = {odd[k]};
    p = good, p.H = H;
    CHECK(status_of(p, &a) == ACHD_QP_BAD_INPUT);
    p = good, p.g = g;
    CHECK(status_of(p, &a) == ACHD_QP_BAD_INPUT);
    p = good, p.A = B;
    CHECK(status_of(p, &a) == ACHD_QP_BAD_INPUT);
    p = good, p.weight = w;
    CHECK(status_of(p, &a) == ACHD_QP_BAD_INPUT);
  }
  const achd_real bounds[][2] = {
      {nan, 1}, {0, nan}, {1, 0}, {infinite, infinite}, {-infinite, -infinite}};
  for (int k = 0; k < 5; k++) {
    p = good, p.lo = &bounds[k][0], p.hi = &bounds[k][1];
    CHECK(status_of(p, &a) == ACHD_QP_BAD_INPUT);
  }
  const achd_real levels[] = {-1, (achd_real)0.5, 2, nan}, zero = 0;
  for (int k = 0; k < 4; k++) {
    p = good, p.level = &levels[k];
    CHECK(status_of(p, &a) == ACHD_QP_BAD_INPUT);
  }
  p = good, p.weight = &zero;
  CHECK(status_of(p, &a) == ACHD_QP_BAD_INPUT);
  const achd_real flat[3] = {1, 1, 1}, saddle[3] = {1, 2, 1}, negative[3] = {-1, 0, 1};
  p = good, p.H = flat;
  CHECK(status_of(p, &a) == ACHD_QP_NOT_CONVEX && a.x[0] == 0);
  p.H = saddle;
  CHECK(status_of(p, &a) == ACHD_QP_NOT_CONVEX);
  p.H = negative;
  CHECK(status_of(p, &a) == ACHD_QP_NOT_CONVEX);
}

/* Whatever comes in, every x is finite, and nothing is written beyond what the caller gave. */
static void hostile_numbers(void) {
  const achd_real values[] = {0,
                              1,
                              -1,
                              (achd_real)1e-30,
                              (achd_real)1e30,
                              (achd_real)-1e30,
                              ACHD_INFINITY,
                              (achd_real)NAN,
                              (achd_real)1e-38,
                              (achd_real)3e38};
  enum { n = 3, m = 5, levels = 2, guard = 7 };
  static achd_real own[ACHD_QP_WORK(n, m) + guard], x[n + guard],
      dual[ACHD_QP_DUAL(levels, m) + guard];
  signed char side[m + guard];
  int wrong = 0, spilt = 0;
  for (int k = 0; k < 20000; k++) {
    start((uint64_t)k);
    achd_real H[6], g[3], A[15], lo[5], hi[5], level[5], weight[5];
    const double rate = uniform() * 0.3;
#define ODD(normal) (uniform() < rate ? values[below(10)] : (achd_real)(normal))
    for (int i = 0; i < 6; i++)
      H[i] = ODD(i == 0 || i == 2 || i == 5 ? 1 + uniform() : 0.3 * centred());
    for (int i = 0; i < 3; i++) g[i] = ODD(centred());
    for (int i = 0; i < 15; i++) A[i] = ODD(centred());
    for (int j = 0; j < 5; j++) {
      lo[j] = ODD(-uniform()), hi[j] = ODD(uniform());
      level[j] = (achd_real)below(3), weight[j] = ODD(1);
      side[j] = (signed char)(below(3) - 1);
    }
    for (int i = 0; i < guard; i++)
      own[ACHD_QP_WORK(n, m) + i] = x[n + i] = dual[ACHD_QP_DUAL(levels, m) + i] = 77;
    memset(side + m, 77, guard);
    const achd_qp_problem p = {n, m, levels, H, g, A, lo, hi, level, weight};
    achd_qp_report report;
    const achd_qp_status status = achd_qp(&p, x, dual, side, 0, own, &report);
    for (int i = 0; i < n; i++) wrong += !achd_finite(x[i]);
    for (int i = 0; i < guard; i++)
      spilt += own[ACHD_QP_WORK(n, m) + i] != 77 || x[n + i] != 77 ||
               dual[ACHD_QP_DUAL(levels, m) + i] != 77 || side[m + i] != 77;
    wrong += status < ACHD_QP_SOLVED || status > ACHD_QP_BAD_INPUT;
  }
  CHECK(wrong == 0);
  CHECK(spilt == 0);
}

/* How far row j is outside its bounds. */
static double outside_of(const problem *q, const achd_real x[], int j) {
  double value = 0;
  for (int i = 0; i < q->p.unknowns; i++)
    value += (double)q->A[j * q->p.unknowns + i] * (double)x[i];
  return fmax(0, fmax(value - (double)q->hi[j], (double)q->lo[j] - value));
}

/* Whether x is within the rows of level 0, and reaches no less of each level before `level` than `full`, whose rows of a
 * level all have one weight here. */
static bool as_good_before(const problem *q, const achd_real x[], const achd_real full[],
                           int level) {
  for (int k = 0; k < level; k++) {
    double here = 0, there = 0;
    for (int j = 0; j < q->p.rows; j++) {
      if (q->p.level[j] != (achd_real)k) continue;
      const double weight = (double)q->weight[j];
      here += weight * pow(outside_of(q, x, j), 2),
          there += weight * pow(outside_of(q, full, j), 2);
    }
    if (!(sqrt(here) <= sqrt(there) + 1e3 * near_optimum)) return false;
  }
  return true;
}

/* At the limit of steps the levels before the one that is named, less the last of these, are as the whole solution has
 * them; and its sides begin the next solve. */
static void a_cap_ends_it(void) {
  static problem q;
  static answer a, full;
  int capped = 0, later = 0, stopped = 0, worse = 0, wrong = 0;
  for (int k = 0; k < 2000; k++) {
    start((uint64_t)k);
    draw(&q, 8, 16, 3, k % 2 == 0);
    memset(a.side, 0, sizeof a.side), memset(full.side, 0, sizeof full.side);
    solve(&q, &full);
    a.status = achd_qp(&q.p, a.x, a.dual, a.side, 2 + k % 60, work, &a.report);
    for (int i = 0; i < 8; i++) CHECK(achd_finite(a.x[i]));
    capped += a.status == ACHD_QP_NOT_SOLVED;
    if (!solved(&full)) continue;
    wrong += a.status == ACHD_QP_INFEASIBLE;
    if (a.status != ACHD_QP_STOPPED) continue;
    stopped++, later += a.report.level > 1;
    worse += !as_good_before(&q, a.x, full.x, a.report.level > 1 ? a.report.level - 1 : 1);
    solve(&q, &a);
    wrong += a.status != full.status;
  }
  printf("limit of steps: %d without answer, %d stopped, %d of them after level 1\n", capped,
         stopped, later);
  CHECK(capped == 0 && later > 20 && stopped - later > 200);
  CHECK(worse == 0);
  CHECK(wrong == 0);
}

static void the_same_bits(void) {
  static problem q;
  static answer a, b;
  for (int k = 0; k < 100; k++) {
    start((uint64_t)k);
    draw(&q, 6, 12, 2, uniform() < 0.4);
    memset(&a, 0, sizeof a), memset(&b, 0, sizeof b);
    solve(&q, &a);
    for (size_t i = 0; i < sizeof work / sizeof *work; i++) work[i] = (achd_real)NAN;
    solve(&q, &b);
    CHECK(memcmp(a.x, b.x, sizeof a.x) == 0 && memcmp(a.dual, b.dual, sizeof a.dual) == 0 &&
          a.status == b.status);
  }
}

/* The row of a warm start is held without a step. */
static void warm_starts_are_short(void) {
  static problem q;
  static answer a;
  int cold = 0, warm = 0;
  for (int k = 0; k < 300; k++) {
    start((uint64_t)k);
    draw(&q, 8, 16, 0, false);
    for (int j = 0; j < 16; j++) q.hi[j] += 3, q.lo[j] -= 3;
    memset(a.side, 0, sizeof a.side);
    solve(&q, &a);
    if (!solved(&a)) continue;
    cold += a.report.steps;
    solve(&q, &a);
    warm += a.report.steps;
  }
  CHECK(cold > 100);
  CHECK(warm == 0);
}

/* ---- the certificate ---- */

static void the_certificate_refuses(void) {
  static problem q;
  static answer a, b;
  int tried = 0, accepted = 0;
  for (int k = 0; k < 2000; k++) {
    start((uint64_t)k);
    draw(&q, 1 + below(6), 1 + below(10), below(3), uniform() < 0.4);
    memset(a.side, 0, sizeof a.side);
    solve(&q, &a);
    if (!solved(&a) || !certified(&q, &a)) continue;
    b = a;
    const int n = q.p.unknowns, i = below(n);
    const double by =
        (uniform() < 0.5 ? -1 : 1) * (sizeof(achd_real) == sizeof(float) ? 0.3 : 1e-5);
    b.x[i] +=
        (achd_real)(by * (1 + fabs((double)a.x[i]))); /* another x is no minimum: H is definite */
    double length = 0;
    for (int l = 0; l < n; l++) length += fabs((double)a.x[l]);
    if (fabs((double)a.x[i]) * 10 < length) continue; /* a change that is small beside the rest */
    tried++;
    accepted += certified(&q, &b);
    b = a;
    b.x[i] = (achd_real)NAN;
    CHECK(!certified(&q, &b));
    b = a;
    b.dual[below(q.p.rows)] = (achd_real)NAN;
    (void)certified(&q, &b); /* reads no more than that */
  }
  printf("%d wrong answers, %d accepted\n", tried, accepted);
  CHECK(tried > 300);
  CHECK(accepted == 0);
}

static bool accepts(const achd_qp_problem *p, achd_real x, achd_real y, const achd_real dual[]) {
  const achd_real at[2] = {x, y};
  achd_qp_certificate c;
  return achd_qp_check(p, at, dual, &c);
}

/* Least distance from (4, 4). */
static void the_certificate_by_hand(void) {
  const achd_real A[2] = {1, 0}, none[1] = {0}, inside[1] = {1}, below_it[1] = {-1},
                  odd[1] = {(achd_real)NAN};
  const achd_real lo[1] = {0}, one[1] = {1}, ten[1] = {10};
  achd_qp_problem p = {2, 1, 0, one_H, one_g, A, lo, one, NULL, NULL};
  const achd_real three[1] = {3};
  CHECK(accepts(&p, 1, 4, three));
  CHECK(!accepts(&p, 4, 4, none)); /* outside */
  CHECK(!accepts(&p, 1, 4, odd));
  CHECK(!accepts(&p, 1, 4, none));
  p.hi = ten;
  CHECK(accepts(&p, 4, 4, none));
  CHECK(!accepts(&p, 3, 4, inside)); /* at neither bound */
  CHECK(!accepts(&p, 5, 4, below_it));
  /* x <= 1; then x = 3 and y = 2; then y = 1, which is no reason for y to be 1 */
  const achd_real B[8] = {1, 0, 1, 0, 0, 1, 0, 1}, low[4] = {-ACHD_INFINITY, 3, 2, 1},
                  high[4] = {1, 3, 2, 1};
  const achd_real level[4] = {0, 1, 1, 2};
  const achd_qp_problem q = {2, 4, 2, one_H, one_g, B, low, high, level, NULL};
  const achd_real right[12] = {3, 0, 2, 0, 2, 0, 0, 0, 0, 0, -1, 0};
  const achd_real wrong[12] = {3, 0, 3, 0, 2, 0, 0, 0}, worse[12] = {3, 0, 3, 0, 2, 0, 0, 1};
  CHECK(accepts(&q, 1, 2, right));
  CHECK(!accepts(&q, 1, 1, wrong));
  CHECK(!accepts(&q, 1, 1, worse));
}

int main(void) {
  RUN(the_certificate_by_hand);
  RUN(two_sided_rows_count_once);
  RUN(levels_yield_in_order);
  RUN(large_steps_contradict_nothing);
  RUN(rows_that_nearly_follow_contradict_nothing);
  RUN(what_pulls_little_holds);
  RUN(equalities_stay);
  RUN(weights_share_a_level);
  RUN(nothing_to_bound);
  RUN(no_bound_to_start_from);
  RUN(no_certificate_without_numbers);
  RUN(input_without_meaning);
  RUN(hostile_numbers);
  RUN(a_cap_ends_it);
  RUN(the_same_bits);
  RUN(warm_starts_are_short);
  RUN(agrees_with_all_sets);
  RUN(agrees_with_interior_point);
  RUN(random_problems);
  RUN(at_the_tips_of_cones);
  RUN(the_certificate_refuses);
  return test_end();
}
