/* SPDX-License-Identifier: MIT */
/* mclp_test.c: the complementarity solver against its conditions, against brute force over all sets
 * of rows at their bounds, and what it says of input that means nothing. */
#include <achd/mclp.h>

#include <float.h>
#include <stdint.h>
#include <stdlib.h>

#include "mclp_oracle.h"
#include "test.h"

/* What is promised of the residual; what w, the value of the dual and, against brute force that is
 * off by delta, the norm are judged by. (A residual e leaves w open to sqrt(e): in float 1e-3 to
 * 3e-2.) half_decades: rows' scales from 1/10^n to 10^n. */
#ifdef ACHD_SINGLE
enum { half_decades = 3 };
static const double most_unsolved = 1e-3; /* share of problems at the end of float's digits */
static const double in_doubt = 0.15;      /* of r, by which w may be wrong where rows contradict */
static const double digits = 1e-3, w_digits = 3e-2, value_digits = 1e-2, norm_digits = 5e-2;
static const long double delta = 1e-6L;
#else
enum { half_decades = 6 };
static const double most_unsolved = 0;
static const double in_doubt = 3e-6;
static const double digits = 1e-10, w_digits = 1e-8, value_digits = 1e-10, norm_digits = 1e-4;
static const long double delta = 1e-11L;
#endif

/* ---- random problems ---- */

static uint64_t seed;

static double uniform(void) { /* 0..1 */
  seed = seed * 6364136223846793005u + 1442695040888963407u;
  return (double)(seed >> 11) * 0x1p-53;
}

static double centred(void) {
  return 2 * uniform() - 1;
}

static int below(int n) {
  return (int)(uniform() * n);
}

/* What makes a problem hard. */
typedef struct kind {
  const char *name;
  bool deficient;   /* L has less rank than rows */
  bool duplicates;  /* rows stand twice, or thrice */
  bool scaled;      /* rows have scales of many decades */
  bool bounded;     /* all bounds finite */
  bool constructed; /* around a solution: some w are exactly zero at bounds */
  bool equal;       /* some bounds are */
} kind;

static const kind kinds[] = {
    {.name = "regular", .bounded = true},
    {.name = "mixed bounds", .constructed = true, .equal = true},
    {.name = "rank deficient", .deficient = true, .bounded = true, .equal = true},
    {.name = "rank deficient, mixed bounds", .deficient = true, .constructed = true},
    {.name = "duplicates", .duplicates = true, .bounded = true},
    {.name = "duplicates, mixed bounds", .duplicates = true, .constructed = true, .equal = true},
    {.name = "badly scaled", .scaled = true, .bounded = true, .equal = true},
    {.name = "badly scaled, mixed bounds", .scaled = true, .constructed = true},
    {.name = "badly scaled, rank deficient",
     .scaled = true,
     .deficient = true,
     .constructed = true},
};
enum { kind_count = sizeof kinds / sizeof *kinds };

typedef struct problem {
  int rows;
  achd_real L[ACHD_MCLP_ROWS * (ACHD_MCLP_ROWS + 1) / 2];
  achd_real r[ACHD_MCLP_ROWS], lo[ACHD_MCLP_ROWS], hi[ACHD_MCLP_ROWS];
  achd_real unit[ACHD_MCLP_ROWS]; /* scale of each row's nu */
  double w[ACHD_MCLP_ROWS];       /* of a constructed one */
} problem;

/* L = unit^-1 C C^T unit^-1 with C of `rank` columns. */
static void random_coupling(problem *p, const kind *k) {
  const int n = p->rows, rank = k->deficient ? 1 + below(n) : n + 1;
  double C[ACHD_MCLP_ROWS][ACHD_MCLP_ROWS + 1];
  for (int i = 0; i < n; i++) {
    for (int c = 0; c < rank; c++) C[i][c] = centred();
    if (k->duplicates && i > 0 && uniform() < 0.4) {
      memcpy(C[i], C[below(i)], sizeof C[i]);
      const double factor = uniform() < 0.5 ? 1 : -2;
      for (int c = 0; c < rank; c++) C[i][c] *= factor;
    }
    p->unit[i] = (achd_real)(k->scaled ? pow(10, half_decades * centred()) : 1);
  }
  achd_real *L = p->L;
  for (int i = 0; i < n; i++) {
    for (int j = 0; j <= i; j++) {
      double sum = 0;
      for (int c = 0; c < rank; c++) sum += C[i][c] * C[j][c];
      *L++ = (achd_real)(sum / (double)p->unit[i] / (double)p->unit[j]);
    }
  }
}

static void random_bounds(problem *p, const kind *k) {
  for (int j = 0; j < p->rows; j++) {
    const double unit = (double)p->unit[j], centre = uniform() < 0.5 ? 0 : centred();
    p->lo[j] = (achd_real)(unit * (centre - uniform()));
    p->hi[j] = (achd_real)(unit * (centre + uniform()));
    if (k->equal && uniform() < 0.15) p->hi[j] = p->lo[j];
    if (k->bounded) continue;
    const int which = below(4);
    if (which & 1) p->lo[j] = (achd_real)-INFINITY;
    if (which & 2) p->hi[j] = (achd_real)INFINITY;
    if (which == 1 && uniform() < 0.5) p->hi[j] = 0;
    if (which == 2 && uniform() < 0.5) p->lo[j] = 0;
  }
}

static achd_real packed(const problem *p, int j, int k) {
  return p->L[j >= k ? j * (j + 1) / 2 + k : k * (k + 1) / 2 + j];
}

/* Some nu within the bounds, and w of the right signs. */
static void random_solution(problem *p, double nu[]) {
  for (int j = 0; j < p->rows; j++) {
    const double lo = (double)p->lo[j], hi = (double)p->hi[j], unit = (double)p->unit[j];
    const int side = below(3) - 1;
    p->w[j] = 0;
    if (side < 0 && isfinite(lo)) {
      nu[j] = lo;
      if (uniform() < 0.8) p->w[j] = uniform() / unit;
    } else if (side > 0 && isfinite(hi)) {
      nu[j] = hi;
      if (uniform() < 0.8) p->w[j] = -uniform() / unit;
    } else {
      const double from = isfinite(lo) ? lo : isfinite(hi) ? hi - unit : -unit;
      const double to = isfinite(hi) ? hi : from + unit;
      nu[j] = from + uniform() * (to - from);
    }
  }
}

/* r = L nu - w of some solution. One whose terms cancel to less than a hundredth is not taken:
 * dependent rows would contradict each other by the rounding of r. */
static void right_side_of_solution(problem *p) {
  double nu[ACHD_MCLP_ROWS];
  bool cancels = true;
  while (cancels) {
    random_solution(p, nu);
    cancels = false;
    for (int j = 0; j < p->rows; j++) {
      double sum = -p->w[j], sizes = fabs(sum);
      for (int k = 0; k < p->rows; k++) {
        sum += (double)packed(p, j, k) * nu[k];
        sizes += fabs((double)packed(p, j, k) * nu[k]);
      }
      p->r[j] = (achd_real)sum;
      cancels = cancels || fabs(sum) < 0.01 * sizes;
    }
  }
}

static void random_problem(problem *p, const kind *k, int rows) {
  p->rows = rows;
  random_coupling(p, k);
  random_bounds(p, k);
  if (k->constructed) {
    right_side_of_solution(p);
  } else {
    for (int j = 0; j < rows; j++) p->r[j] = (achd_real)(centred() / (double)p->unit[j]);
  }
}

/* ---- solving ---- */

typedef struct solution {
  achd_mclp_status status;
  achd_real nu[ACHD_MCLP_ROWS];
  signed char side[ACHD_MCLP_ROWS];
  achd_mclp_report report;
} solution;

static achd_real work[ACHD_MCLP_WORK(ACHD_MCLP_ROWS)];

static solution solve_from(const problem *p, const signed char side[], int most_pivots) {
  solution s = {0};
  if (side != NULL) memcpy(s.side, side, sizeof s.side);
  const achd_mclp_problem given = {p->rows, p->L, p->r, p->lo, p->hi};
  s.status = achd_mclp(&given, s.nu, s.side, most_pivots, work, &s.report);
  return s;
}

static solution solve(const problem *p) {
  return solve_from(p, NULL, 0);
}

static bool certified(const problem *p, const solution *s) {
  const achd_mclp_problem given = {p->rows, p->L, p->r, p->lo, p->hi};
  achd_mclp_certificate certificate;
  return achd_mclp_check(&given, s->nu, &certificate);
}

static const oracle_problem *for_oracle(const problem *p) {
  static oracle_problem o;
  o.rows = p->rows;
  o.rounding = ACHD_EPSILON;
  for (int j = 0; j < p->rows; j++) {
    for (int k = 0; k < p->rows; k++) o.L[j][k] = packed(p, j, k);
    o.r[j] = p->r[j], o.lo[j] = p->lo[j], o.hi[j] = p->hi[j];
  }
  return &o;
}

static const long double *wide(const achd_real narrow[]) {
  static long double nu[ACHD_MCLP_ROWS];
  for (int j = 0; j < ACHD_MCLP_ROWS; j++) nu[j] = narrow[j];
  return nu;
}

static int problems; /* of each kind */

/* Larger ones first. */
static int random_rows(int i) {
  return 1 + below(i < problems / 50 ? ACHD_MCLP_ROWS : 12);
}

static void random_problems_meet_their_conditions(void) {
  printf("%-30s %8s %8s %6s %9s %11s\n", "", "problems", "pivots", "most", "residual",
         "nu not unique");
  for (int k = 0; k < kind_count; k++) {
    seed = (uint64_t)k + 1;
    long pivots = 0, most = 0, many = 0, failed = 0, unsolved = 0;
    double worst = 0;
    for (int i = 0; i < problems; i++) {
      problem p;
      random_problem(&p, &kinds[k], random_rows(i));
      const solution s = solve(&p);
      const oracle_gap gap = oracle_conditions(for_oracle(&p), wide(s.nu));
      pivots += s.report.pivots;
      if (s.report.pivots > most) most = s.report.pivots;
      many += s.report.nullity > 0;
      worst = fmax(worst, (double)gap.wrong);
      const bool solved = s.status == ACHD_MCLP_SOLVED;
      const bool honest = fabs((double)s.report.residual - (double)gap.wrong) <= digits / 10;
      unsolved += !solved;
      failed += !honest || gap.outside > 0 || (solved && gap.wrong > 1.1 * digits);
      failed += solved && !certified(&p, &s);
    }
    printf("%-30s %8d %8.2f %6ld %9.1e %11ld\n", kinds[k].name, problems, (double)pivots / problems,
           most, worst, many);
    CHECK(failed == 0);
    CHECK((double)unsolved <= most_unsolved * problems);
  }
}

/* w is unique: the one that the problem was made around. */
static void w_is_the_one_it_was_made_of(void) {
  for (int k = 0; k < kind_count; k++) {
    if (!kinds[k].constructed) continue;
    seed = 100 + (uint64_t)k;
    long failed = 0;
    for (int i = 0; i < problems / 4; i++) {
      problem p;
      random_problem(&p, &kinds[k], random_rows(i));
      const solution s = solve(&p);
      const oracle_problem *o = for_oracle(&p);
      long double total = 0, largest = 0;
      for (int j = 0; j < p.rows; j++) {
        total += sqrtl(o->L[j][j]) * fabsl((long double)s.nu[j]);
        largest = fmaxl(largest, fabsl(o->r[j]) / sqrtl(o->L[j][j]));
      }
      total += o->rounding * largest;
      for (int j = 0; j < p.rows; j++) {
        long double w = -o->r[j];
        for (int m = 0; m < p.rows; m++) w += o->L[j][m] * (long double)s.nu[m];
        const long double size = fabsl(o->r[j]) + sqrtl(o->L[j][j]) * total;
        failed += fabsl(w - (long double)p.w[j]) > w_digits * size;
      }
    }
    CHECK(failed == 0);
  }
}

/* The value of the dual, by all 3^rows sets of rows at their bounds. */
static void value_is_that_of_brute_force(void) {
  double worst = 0;
  for (int k = 0; k < kind_count; k++) {
    seed = 200 + (uint64_t)k;
    long failed = 0;
    for (int i = 0; i < problems / 80; i++) {
      problem p;
      random_problem(&p, &kinds[k], 1 + below(6));
      const solution s = solve(&p);
      const oracle_problem *o = for_oracle(&p);
      long double nu[oracle_rows] = {0}, scale, scale_found;
      const bool any = oracle_solve(o, 0, nu);
      const long double value = oracle_value(o, nu, &scale);
      const long double found = oracle_value(o, wide(s.nu), &scale_found);
      const double gap = (double)(fabsl(found - value) / fmaxl(scale, LDBL_MIN));
      failed += !any || s.status != ACHD_MCLP_SOLVED || !(gap <= value_digits);
      worst = fmax(worst, gap);
    }
    CHECK(failed == 0);
  }
  printf("dual value, worst gap to brute force: %.1e\n", worst);
}

/* Where nu is not unique: brute force on L + delta 1, whose solution tends to the least norm. */
static void nu_is_of_least_norm(void) {
  long many = 0;
  for (int k = 0; k < kind_count; k++) {
    if (kinds[k].scaled) continue; /* delta would be large for some rows, and nothing for others */
    seed = 300 + (uint64_t)k;
    long failed = 0;
    for (int i = 0; i < problems / 20; i++) {
      problem p;
      random_problem(&p, &kinds[k], 1 + below(5));
      const solution s = solve(&p);
      if (s.report.nullity == 0) continue;
      many++;
      long double nu[oracle_rows] = {0}, shorter = 0, norm = 0;
      failed += !oracle_solve(for_oracle(&p), delta, nu);
      for (int j = 0; j < p.rows; j++) {
        norm += (long double)s.nu[j] * (long double)s.nu[j];
        shorter += nu[j] * nu[j];
      }
      failed += sqrtl(norm) > sqrtl(shorter) * (1 + norm_digits) + norm_digits;
    }
    CHECK(failed == 0);
  }
  printf("of least norm: %ld\n", many);
  CHECK(many > problems / 50);
}

/* The same solution from wherever it starts: its own sides, the opposite, any. */
static void warm_start_ends_where_cold_does(void) {
  long cold_pivots = 0, warm_pivots = 0;
  for (int k = 0; k < kind_count; k++) {
    seed = 400 + (uint64_t)k;
    long failed = 0;
    for (int i = 0; i < problems / 10; i++) {
      problem p;
      random_problem(&p, &kinds[k], random_rows(i));
      const solution cold = solve(&p);
      signed char side[ACHD_MCLP_ROWS];
      for (int start = 0; start < 3; start++) {
        for (int j = 0; j < ACHD_MCLP_ROWS; j++) {
          side[j] =
              start == 0 ? cold.side[j] : (signed char)(start == 1 ? -cold.side[j] : below(9) - 4);
        }
        const solution warm = solve_from(&p, side, 0);
        if (cold.status != ACHD_MCLP_SOLVED && most_unsolved > 0) continue;
        failed += warm.status != ACHD_MCLP_SOLVED;
        long double scale, other;
        const long double value = oracle_value(for_oracle(&p), wide(cold.nu), &scale);
        const long double again = oracle_value(for_oracle(&p), wide(warm.nu), &other);
        failed += fabsl(again - value) > value_digits * scale;
        if (start == 0) {
          warm_pivots += warm.report.pivots;
          cold_pivots += cold.report.pivots;
        }
      }
    }
    CHECK(failed == 0);
  }
  printf("pivots cold %ld, from its own sides %ld\n", cold_pivots, warm_pivots);
  CHECK(warm_pivots < cold_pivots / 4);
}

static void sides_say_where_rows_ended(void) {
  const problem p = {.rows = 3,
                     .L = {1, 0, 1, 0, 0, 1},
                     .r = {5, -5, (achd_real)0.5},
                     .lo = {-1, -1, -1},
                     .hi = {1, 1, 1}};
  const solution s = solve(&p);
  CHECK(s.status == ACHD_MCLP_SOLVED);
  CHECK(s.side[0] == 1 && s.side[1] == -1 && s.side[2] == 0);
  CHECK(s.nu[0] == 1 && s.nu[1] == -1 && s.nu[2] == (achd_real)0.5);
}

/* Where both bounds are one, the side is that to which w pushes. */
static void sides_of_fixed_rows_are_those_of_w(void) {
  const problem p = {.rows = 2, .L = {1, 0, 1}, .r = {5, -5}, .lo = {1, 1}, .hi = {1, 1}};
  const solution s = solve(&p);
  CHECK(s.status == ACHD_MCLP_SOLVED && s.nu[0] == 1 && s.nu[1] == 1);
  CHECK(s.side[0] == 1 && s.side[1] == -1); /* w = -4, 6 */
}

static void same_input_same_bits(void) {
  seed = 500;
  for (int k = 0; k < kind_count; k++) {
    problem p;
    random_problem(&p, &kinds[k], 12);
    const solution a = solve(&p);
    for (size_t i = 0; i < sizeof work / sizeof *work; i++) work[i] = (achd_real)NAN;
    const solution b = solve(&p);
    CHECK(memcmp(a.nu, b.nu, sizeof a.nu) == 0);
    CHECK(memcmp(a.side, b.side, sizeof a.side) == 0);
  }
}

/* Two joints that only a common torque turns: any split solves, the even one is shortest, and where
 * one is at its limit the other takes the rest. */
static void dependent_rows_share(void) {
  problem p = {.rows = 2, .L = {1, 1, 1}, .r = {3, 3}, .lo = {-4, -4}, .hi = {4, 4}};
  solution s = solve(&p);
  CHECK(s.report.nullity == 1);
  CHECK_NEAR((double)s.nu[0], 1.5, digits);
  CHECK_NEAR((double)s.nu[1], 1.5, digits);
  p.hi[1] = 1;
  s = solve(&p);
  CHECK_NEAR((double)s.nu[0], 2, digits);
  CHECK_NEAR((double)s.nu[1], 1, digits);
  p.lo[0] = (achd_real)-INFINITY, p.hi[0] = (achd_real)INFINITY; /* an equality */
  p.hi[1] = 4;
  s = solve(&p);
  CHECK_NEAR((double)s.nu[0], 1.5, digits);
  CHECK_NEAR((double)s.nu[1], 1.5, digits);
}

/* A row that nothing moves (L_jj = 0): its force is that of a bound or of least norm. */
static void row_out_of_reach(void) {
  problem p = {.rows = 2, .L = {0, 0, 2}, .r = {1, 1}, .lo = {-3, -3}, .hi = {3, 3}};
  solution s = solve(&p);
  CHECK(s.status == ACHD_MCLP_SOLVED);
  CHECK(s.nu[0] == 3 && s.nu[1] == (achd_real)0.5);
  p.r[0] = 0;
  s = solve(&p);
  CHECK(s.status == ACHD_MCLP_SOLVED);
  CHECK(s.nu[0] == 0 && s.nu[1] == (achd_real)0.5);
  p.lo[0] = 1;
  s = solve(&p);
  CHECK(s.nu[0] == 1);
}

static void contradicting_rows_are_told(void) {
  const achd_real inf = (achd_real)INFINITY;
  problem p = {.rows = 3,
               .L = {1, 1, 1, 0, 0, 1},
               .r = {1, 2, 3},
               .lo = {-inf, -inf, -inf},
               .hi = {inf, inf, inf}};
  solution s = solve(&p);
  CHECK(s.status == ACHD_MCLP_INCONSISTENT);
  CHECK(s.report.residual > (achd_real)0.1);
  CHECK_NEAR((double)s.nu[2], 3, digits); /* the others are met */
  p.r[1] = 1;
  CHECK(solve(&p).status == ACHD_MCLP_SOLVED);
  /* two limits of one joint, each wanting it on its own side */
  problem limits = {.rows = 2, .L = {1, -1, 1}, .r = {1, 1}, .lo = {0, 0}, .hi = {inf, inf}};
  s = solve(&limits);
  CHECK(s.status == ACHD_MCLP_INCONSISTENT);
  CHECK(s.nu[0] >= 0 && s.nu[1] >= 0);
  limits.r[1] = -2;
  CHECK(solve(&limits).status == ACHD_MCLP_SOLVED);
}

/* A bound of the size that stands for none is none. */
/* Two rows without bounds and five with one, of rank five: most contradict each other, many by so
 * little that forces of 1e12 would meet them but for rounding. L = (G M)(G M)^T. */
static void contradicting_problem(problem *p) {
  double M[5][5], C[7][5];
  for (int i = 0; i < 5; i++)
    for (int k = 0; k < 5; k++) M[i][k] = i == k ? exp(2 * centred()) : 0.3 * centred();
  *p = (problem){.rows = 7};
  for (int j = 0; j < 7; j++) {
    double G[5];
    for (int i = 0; i < 5; i++) G[i] = j < 2 ? centred() : i == j - 2;
    for (int k = 0; k < 5; k++) {
      C[j][k] = 0;
      for (int i = 0; i < 5; i++) C[j][k] += G[i] * M[i][k];
    }
    const bool up = centred() < 0;
    p->r[j] = (achd_real)((j < 2 ? 10 : 300) * centred());
    p->lo[j] = j < 2 || up ? -(achd_real)INFINITY : 0;
    p->hi[j] = j < 2 || !up ? (achd_real)INFINITY : 0;
  }
  for (int j = 0, at = 0; j < 7; j++)
    for (int k = 0; k <= j; k++, at++) {
      double sum = 0;
      for (int i = 0; i < 5; i++) sum += C[j][i] * C[k][i];
      p->L[at] = (achd_real)sum;
    }
}

/* What is called solved has its w right beside the largest r, not only beside its own forces. */
static void contradictions_do_not_pass_for_solutions(void) {
  seed = 19;
  int solved = 0;
  long double worst = 0;
  for (int i = 0; i < 5 * problems; i++) {
    problem p;
    contradicting_problem(&p);
    const solution s = solve(&p);
    if (s.status != ACHD_MCLP_SOLVED) continue;
    solved++;
    CHECK(certified(&p, &s));
    long double largest = 0, wrong = 0; /* in the rows' own scales */
    for (int j = 0; j < p.rows; j++) {
      long double w = -(long double)p.r[j];
      for (int k = 0; k < p.rows; k++) w += (long double)packed(&p, j, k) * s.nu[k];
      const long double root = sqrtl((long double)packed(&p, j, j));
      const long double here = w < 0 ? (s.nu[j] < p.hi[j] ? -w : 0) : s.nu[j] > p.lo[j] ? w : 0;
      wrong = fmaxl(wrong, here / root);
      largest = fmaxl(largest, fabsl((long double)p.r[j]) / root);
    }
    if (wrong > worst * largest) worst = wrong / largest;
  }
  printf("contradicting rows: %d of %d solved, w wrong by %.1Le of the largest r at most\n", solved,
         5 * problems, worst);
  CHECK(solved > problems);
  CHECK((double)worst < in_doubt);
}

static void far_bounds_are_none(void) {
  const achd_real inf = (achd_real)INFINITY, far = ACHD_MCLP_UNBOUNDED;
  problem p = {.rows = 2, .L = {2, 1, 2}, .r = {3, -1}, .lo = {-inf, 0}, .hi = {inf, inf}};
  const solution infinite = solve(&p);
  p.lo[0] = -far, p.hi[0] = far, p.hi[1] = far;
  const solution wide_ones = solve(&p);
  CHECK(wide_ones.status == ACHD_MCLP_SOLVED);
  CHECK(memcmp(infinite.nu, wide_ones.nu, sizeof infinite.nu) == 0);
  const signed char side[ACHD_MCLP_ROWS] = {-1, -1}; /* nothing rests at a bound that is none */
  const solution warm = solve_from(&p, side, 0);
  CHECK(warm.status == ACHD_MCLP_SOLVED);
  for (int j = 0; j < 2; j++) CHECK_NEAR((double)warm.nu[j], (double)infinite.nu[j], digits);
  for (int way = 0; way < 2; way++) { /* rows that contradict each other do not run off to them */
    const problem apart = {.rows = 2,
                           .L = {1, 1, 1},
                           .r = {(achd_real)(1 + way), (achd_real)(2 - way)},
                           .lo = {-far, -far},
                           .hi = {far, far}};
    const solution none = solve(&apart);
    CHECK(none.status == ACHD_MCLP_INCONSISTENT);
    CHECK(fabs((double)none.nu[0]) < 3 && fabs((double)none.nu[1]) < 3);
  }
}

/* A limit that is met: what comes back says so, and is within its bounds. */
static void limit_of_pivots_is_told(void) {
  long met = 0;
  seed = 600;
  for (int i = 0; i < 1000; i++) {
    problem p;
    random_problem(&p, &kinds[0], 12);
    const solution s = solve_from(&p, NULL, 1);
    const oracle_gap gap = oracle_conditions(for_oracle(&p), wide(s.nu));
    CHECK(gap.outside <= 0);
    CHECK((s.status == ACHD_MCLP_SOLVED) == (gap.wrong <= digits));
    CHECK_NEAR((double)s.report.residual, (double)gap.wrong, 1e-3 * (double)gap.wrong + digits);
    CHECK(s.status == ACHD_MCLP_SOLVED || s.status == ACHD_MCLP_STOPPED);
    CHECK(s.report.pivots <= 1 + p.rows);
    met += s.status == ACHD_MCLP_STOPPED;
  }
  CHECK(met > 100);
}

static void no_rows_are_solved(void) {
  const problem p = {.rows = 0};
  const solution s = solve(&p);
  CHECK(s.status == ACHD_MCLP_SOLVED && s.report.residual == 0 && s.report.pivots == 0);
}

/* Refused: zeros, an infinite residual. */
static bool refused(const problem *p, achd_mclp_status status) {
  solution s = {.nu = {7, 7}};
  const achd_mclp_problem given = {p->rows, p->L, p->r, p->lo, p->hi};
  s.status = achd_mclp(&given, s.nu, s.side, 0, work, &s.report);
  return s.status == status && s.nu[0] == 0 && s.nu[1] == 0 && isinf(s.report.residual);
}

static void meaningless_input_is_refused(void) {
  const achd_real inf = (achd_real)INFINITY, nan = (achd_real)NAN;
  const problem good = {.rows = 2, .L = {2, 1, 2}, .r = {1, 1}, .lo = {-1, -1}, .hi = {1, 1}};
  CHECK(solve(&good).status == ACHD_MCLP_SOLVED);
  for (int j = 0; j < 2; j++) {
    problem p = good;
    p.lo[j] = 2; /* lo > hi: as a negative friction gives it */
    CHECK(refused(&p, ACHD_MCLP_BAD_INPUT));
    p.lo[j] = nan;
    CHECK(refused(&p, ACHD_MCLP_BAD_INPUT));
    p.lo[j] = inf, p.hi[j] = inf;
    CHECK(refused(&p, ACHD_MCLP_BAD_INPUT));
    p.lo[j] = -inf, p.hi[j] = -inf;
    CHECK(refused(&p, ACHD_MCLP_BAD_INPUT));
    p = good, p.hi[j] = nan;
    CHECK(refused(&p, ACHD_MCLP_BAD_INPUT));
    p = good, p.r[j] = nan;
    CHECK(refused(&p, ACHD_MCLP_BAD_INPUT));
    p = good, p.r[j] = inf;
    CHECK(refused(&p, ACHD_MCLP_BAD_INPUT));
  }
  for (int k = 0; k < 3; k++) {
    problem p = good;
    p.L[k] = nan;
    CHECK(refused(&p, ACHD_MCLP_BAD_INPUT));
    p.L[k] = -inf;
    CHECK(refused(&p, ACHD_MCLP_BAD_INPUT));
  }
  const achd_mclp_problem negative = {-1, good.L, good.r, good.lo, good.hi};
  achd_mclp_report report;
  CHECK(achd_mclp(&negative, NULL, NULL, 0, work, &report) == ACHD_MCLP_BAD_INPUT);
}

/* Too many rows: all of nu and side is zero all the same. */
static void too_many_rows_are_refused(void) {
  enum { many = ACHD_MCLP_ROWS + 1 };
  static achd_real L[many * (many + 1) / 2], r[many], lo[many], hi[many], nu[many];
  static signed char side[many];
  for (int j = 0; j < many; j++) L[j * (j + 3) / 2] = r[j] = 1, hi[j] = 9, nu[j] = 7, side[j] = 7;
  achd_mclp_problem given = {many, L, r, lo, hi};
  achd_mclp_report report;
  CHECK(achd_mclp(&given, nu, side, 0, work, &report) == ACHD_MCLP_BAD_INPUT);
  CHECK(isinf(report.residual) && report.pivots == 0 && report.nullity == 0);
  for (int j = 0; j < many; j++) CHECK(nu[j] == 0 && side[j] == 0);
  given.rows = ACHD_MCLP_ROWS;
  CHECK(achd_mclp(&given, nu, side, 0, work, &report) == ACHD_MCLP_SOLVED);
  for (int j = 0; j < ACHD_MCLP_ROWS; j++) CHECK(nu[j] == 1);
}

/* Rows that have nothing to do with each other are each solved by their own measure, wherever the
 * solver starts: also one whose r is 1e15 times the other's, and a block of contradicting rows
 * beside one. */
static void rows_of_far_apart_sizes_are_each_solved(void) {
  const achd_real far = sizeof(achd_real) == 4 ? (achd_real)1e6 : (achd_real)1e15;
  for (int start = -1; start <= 1; start++) {
    const problem p = {
        .rows = 2, .L = {2, 0, 4}, .r = {2 * far, 4}, .lo = {-9 * far, -9}, .hi = {9 * far, 9}};
    const signed char side[ACHD_MCLP_ROWS] = {(signed char)start, (signed char)start};
    const solution s = solve_from(&p, side, 0);
    CHECK(s.status == ACHD_MCLP_SOLVED);
    CHECK_NEAR((double)(s.nu[0] / far), 1, digits);
    CHECK_NEAR((double)s.nu[1], 1, digits);
  }
  const achd_real inf = (achd_real)INFINITY;
  const problem block = {.rows = 3,
                         .L = {1, 0, 1, 0, 1, 1},
                         .r = {far, 1, 3},
                         .lo = {-inf, -inf, -inf},
                         .hi = {inf, inf, inf}};
  CHECK(solve(&block).status == ACHD_MCLP_INCONSISTENT);
}

/* Two rows that pull apart a body which their difference hardly moves: forces of 1e8 (float 1e4)
 * times r meet them. Beside a row of r as large as those forces, with which they have nothing to
 * do, they are the same forces, and as much in doubt. */
static void doubt_is_by_rows_that_are_coupled(void) {
  const achd_real inf = (achd_real)INFINITY, epsilon = ACHD_EPSILON;
  const achd_real apart = 1 - 4096 * epsilon;
  problem p = {.rows = 3,
               .L = {1, apart, 1, 0, 0, 1},
               .r = {1, -1, 0},
               .lo = {-inf, -inf, -inf},
               .hi = {inf, inf, inf}};
  const achd_mclp_status alone = solve(&p).status;
  p.r[2] = 1 / (4096 * epsilon);
  CHECK(solve(&p).status == alone);
  p.L[1] = 1 - 4 * epsilon; /* more than digits tell */
  p.r[2] = 0;
  CHECK(solve(&p).status != ACHD_MCLP_SOLVED);
  p.r[2] = 1 / (4 * epsilon);
  CHECK(solve(&p).status != ACHD_MCLP_SOLVED);
}

static void indefinite_coupling_is_refused(void) {
  const problem good = {.rows = 2, .L = {2, 1, 2}, .r = {1, 1}, .lo = {-9, -9}, .hi = {9, 9}};
  problem p = good;
  p.L[0] = -2;
  CHECK(refused(&p, ACHD_MCLP_INDEFINITE));
  p = good, p.L[1] = 3; /* larger than its diagonals allow */
  CHECK(refused(&p, ACHD_MCLP_INDEFINITE));
  p = good, p.L[2] = 0;
  CHECK(refused(&p, ACHD_MCLP_INDEFINITE));
  /* three rows that are each fine in pairs */
  problem three = {.rows = 3,
                   .L = {1, (achd_real)0.9, 1, (achd_real)0.9, (achd_real)-0.9, 1},
                   .r = {1, 1, 1},
                   .lo = {-9, -9, -9},
                   .hi = {9, 9, 9}};
  CHECK(refused(&three, ACHD_MCLP_INDEFINITE));
}

/* Overflow on the way: told, and nothing comes out that is not finite. */
static void overflow_is_told(void) {
  const achd_real most = sizeof(achd_real) == 4 ? (achd_real)FLT_MAX : (achd_real)DBL_MAX;
  const problem p = {.rows = 2,
                     .L = {most, most / 2, most},
                     .r = {most, -most},
                     .lo = {-most, -most},
                     .hi = {most, most}};
  const solution s = solve(&p);
  CHECK(s.nu[0] - s.nu[0] == 0 && s.nu[1] - s.nu[1] == 0);
  const problem far = {.rows = 2,
                       .L = {most, most, most},
                       .r = {most, most},
                       .lo = {ACHD_MCLP_UNBOUNDED / 4, ACHD_MCLP_UNBOUNDED / 4},
                       .hi = {ACHD_MCLP_UNBOUNDED / 4, ACHD_MCLP_UNBOUNDED / 4}};
  const solution unsolved = solve(&far);
  CHECK(unsolved.status == ACHD_MCLP_NOT_SOLVED);
  CHECK(unsolved.nu[0] == far.lo[0] &&
        unsolved.nu[1] == far.lo[1]); /* within the bounds all the same */
  const achd_real inf = (achd_real)INFINITY,
                  tiny = sizeof(achd_real) == 4 ? (achd_real)1e-30 : (achd_real)1e-300;
  const problem weak = {
      .rows = 2, .L = {tiny, 0, 1}, .r = {1 / tiny, 0}, .lo = {-inf, 1}, .hi = {inf, 2}};
  const solution none = solve(&weak);
  CHECK(none.status == ACHD_MCLP_NOT_SOLVED && none.nu[0] == 0 && none.nu[1] == 1);
}

/* mclp_test [FOLDER [PROBLEMS]] */
int main(int argc, char **argv) {
  problems = argc > 2 ? (int)strtol(argv[2], NULL, 10) : TEST_SANITIZED ? 300 : 12000;
  RUN(random_problems_meet_their_conditions);
  RUN(w_is_the_one_it_was_made_of);
  RUN(value_is_that_of_brute_force);
  RUN(nu_is_of_least_norm);
  RUN(warm_start_ends_where_cold_does);
  RUN(sides_say_where_rows_ended);
  RUN(sides_of_fixed_rows_are_those_of_w);
  RUN(same_input_same_bits);
  RUN(dependent_rows_share);
  RUN(row_out_of_reach);
  RUN(contradicting_rows_are_told);
  RUN(contradictions_do_not_pass_for_solutions);
  RUN(far_bounds_are_none);
  RUN(limit_of_pivots_is_told);
  RUN(no_rows_are_solved);
  RUN(meaningless_input_is_refused);
  RUN(too_many_rows_are_refused);
  RUN(rows_of_far_apart_sizes_are_each_solved);
  RUN(doubt_is_by_rows_that_are_coupled);
  RUN(indefinite_coupling_is_refused);
  RUN(overflow_is_told);
  return test_end();
}
