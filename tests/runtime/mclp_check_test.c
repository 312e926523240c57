/* SPDX-License-Identifier: MIT */
/* mclp_check_test.c: the certificate of bounded rows accepts right answers and refuses wrong ones.
 * What is right is decided in long double from the definition (mclp_oracle.c), and by how the
 * problems were made.
 *
 *   mclp_check_test [FOLDER] [WRONG ANSWERS]: 200000 of them; 10^6 where ACHD_SWEEP is set. */
#include <achd/mclp.h>

#include <stdlib.h>

#include "mclp_oracle.h"
#include "random.h"
#include "test.h"

enum { most_rows = ACHD_MCLP_ROWS };

static unsigned long long seed = 1;

static double uniform(void) {
  return random_number(&seed);
}

static double centred(void) {
  return 2 * uniform() - 1;
}

static int below(int n) {
  return (int)(uniform() * n);
}

typedef struct problem {
  achd_mclp_problem p;
  achd_real L[most_rows * (most_rows + 1) / 2], r[most_rows], lo[most_rows], hi[most_rows];
  achd_real nu[most_rows]; /* an answer of achd_mclp's */
} problem;

static achd_real element(const problem *p, int j, int k) {
  return p->L[j >= k ? j * (j + 1) / 2 + k : k * (k + 1) / 2 + j];
}

/* L = D C C^T D in one block, or in two that have nothing to do with each other; rank may lack, and
 * rows have units of several decades. */
static void random_problem(problem *p) {
  const int n = 1 + below(uniform() < 0.02 ? most_rows : 12);
  const int rank = uniform() < 0.3 ? 1 + below(n) : n + 1, split = uniform() < 0.3 ? below(n) : 0;
  const double decades = uniform() < 0.3 ? 3 : 0;
  static double C[most_rows][most_rows + 1];
  double unit[most_rows];
  for (int j = 0; j < n; j++) {
    for (int c = 0; c < rank; c++) C[j][c] = centred();
    unit[j] = pow(10, decades * centred());
  }
  for (int j = 0; j < n; j++)
    for (int k = 0; k <= j; k++) {
      double sum = 0;
      for (int c = 0; c < rank; c++) sum += C[j][c] * C[k][c];
      const bool apart = j >= split && k < split;
      p->L[j * (j + 1) / 2 + k] = (achd_real)(apart ? 0 : sum * unit[j] * unit[k]);
    }
  for (int j = 0; j < n; j++) {
    const int kind = below(5);
    const double width = uniform() / unit[j];
    p->r[j] = (achd_real)(centred() * unit[j]);
    p->lo[j] = (achd_real)(kind == 1 || kind == 2 ? 0 : -width);
    p->hi[j] = (achd_real)(kind == 4 ? -width / 2 : width);
    if (kind == 2 || kind == 3) p->hi[j] = kind == 2 ? ACHD_INFINITY : ACHD_MCLP_UNBOUNDED;
    if (kind == 3) p->lo[j] = uniform() < 0.5 ? -ACHD_INFINITY : -ACHD_MCLP_UNBOUNDED;
  }
  p->p = (achd_mclp_problem){n, p->L, p->r, p->lo, p->hi};
}

static achd_mclp_status solve(problem *p) {
  static achd_real work[ACHD_MCLP_WORK(most_rows)];
  signed char side[most_rows] = {0};
  achd_mclp_report report;
  return achd_mclp(&p->p, p->nu, side, 0, work, &report);
}

static const oracle_problem *for_oracle(const problem *p) {
  static oracle_problem o;
  o.rows = p->p.rows;
  o.rounding = ACHD_EPSILON;
  for (int j = 0; j < p->p.rows; j++) {
    for (int k = 0; k < p->p.rows; k++) o.L[j][k] = element(p, j, k);
    o.r[j] = p->r[j], o.lo[j] = p->lo[j], o.hi[j] = p->hi[j];
    if (o.lo[j] <= -ACHD_MCLP_UNBOUNDED) o.lo[j] = -(long double)INFINITY;
    if (o.hi[j] >= ACHD_MCLP_UNBOUNDED) o.hi[j] = (long double)INFINITY;
  }
  return &o;
}

static oracle_gap judge(const problem *p, const achd_real nu[]) {
  long double wide[most_rows];
  for (int j = 0; j < p->p.rows; j++) wide[j] = nu[j];
  return oracle_conditions(for_oracle(p), wide);
}

/* ---- wrong answers ---- */

enum { ways = 12 };

/* Spoils an answer in one of so many ways. */
static void spoil(const problem *p, int way, achd_real nu[]) {
  const int n = p->p.rows, j = below(n), k = below(n);
  const achd_real was = nu[j], lo = p->lo[j], hi = p->hi[j];
  const achd_real size = fmax(
      fabs(was),
      p->L[j * (j + 3) / 2] > 0 ? (achd_real)fabs((double)p->r[j]) / p->L[j * (j + 3) / 2] : 1);
  switch (way) {
  case 0:
    nu[j] = (achd_real)(was + size * (achd_real)pow(10, -12 * uniform()) * (achd_real)centred());
    break;
  case 1:
    nu[j] = -was;
    break;
  case 2:
    nu[j] = nu[k], nu[k] = was;
    break;
  case 3:
    nu[j] = isfinite(lo) ? lo : 0;
    break;
  case 4:
    nu[j] = isfinite(hi) ? hi : 0;
    break;
  case 5:
    nu[j] = isfinite(hi) ? hi + size * 1e-3F : NAN;
    break;
  case 6:
    nu[j] = isfinite(lo) ? lo - size * 1e-3F : INFINITY;
    break;
  case 7:
    for (int i = 0; i < n; i++) nu[i] = 0;
    break;
  case 8:
    for (int i = 0; i < n; i++) nu[i] *= (achd_real)(1 + centred());
    break;
  case 9:
    nu[j] = was * 1e12F;
    break;
  case 10:
    nu[j] = (achd_real)nextafter((double)was, centred()), nu[k] *= 1 + 1e-2F;
    break;
  default:
    for (int i = 0; i < n; i++) {
      const achd_real l = isfinite(p->lo[i]) ? p->lo[i] : -1, h = isfinite(p->hi[i]) ? p->hi[i] : 1;
      nu[i] = l + (h - l) * (achd_real)uniform();
    }
  }
}

/* What the oracle calls wrong, by a hundredth more than the tolerance, is refused; what it calls
 * right by far, and what achd_mclp solved, is accepted. */
static void wrong_answers_are_refused(long wanted) {
  long wrong = 0, right = 0, passed[ways] = {0}, of[ways] = {0}, refused_right = 0, spoilt = 0;
  while (wrong < wanted) {
    static problem p;
    random_problem(&p);
    if (solve(&p) != ACHD_MCLP_SOLVED) continue;
    achd_mclp_certificate c;
    right++;
    refused_right += !achd_mclp_check(&p.p, p.nu, &c) || c.row != -1 ||
                     fabsl(c.residual - judge(&p, p.nu).wrong) > 1e-3L * ACHD_MCLP_RESIDUAL;
    for (int i = 0; i < 40; i++) {
      achd_real nu[most_rows];
      memcpy(nu, p.nu, sizeof nu);
      const int way = below(ways);
      spoil(&p, way, nu);
      const oracle_gap gap = judge(&p, nu);
      bool finite = true;
      for (int j = 0; j < p.p.rows; j++) finite = finite && isfinite(nu[j]);
      const bool effective = !finite || gap.outside > 0 || gap.wrong > 1.01L * ACHD_MCLP_RESIDUAL;
      const bool accepted = achd_mclp_check(&p.p, nu, &c);
      spoilt++;
      if (accepted && c.residual > ACHD_MCLP_RESIDUAL) passed[way]++;
      if (!effective) continue;
      wrong++;
      of[way]++;
      if (accepted || c.row < 0 || c.row >= p.p.rows) passed[way]++;
    }
  }
  printf("%ld answers spoilt, %ld wrong; wrong ones by way:", spoilt, wrong);
  for (int i = 0; i < ways; i++) {
    printf(" %ld", of[i]);
    CHECK(passed[i] == 0);
    CHECK(of[i] > wanted / 100);
  }
  printf("\n%ld right answers, %ld refused\n", right, refused_right);
  CHECK(refused_right == 0);
}

/* ---- by hand ---- */

static bool accepts(const problem *p, achd_real a, achd_real b) {
  const achd_real nu[2] = {a, b};
  achd_mclp_certificate c = {0};
  return achd_mclp_check(&p->p, nu, &c);
}

static problem two_rows(void) {
  return (problem){.L = {2, 0, 2}, .r = {1, 1}, .lo = {-1, -1}, .hi = {1, 1}};
}

static void given(problem *p) {
  p->p = (achd_mclp_problem){2, p->L, p->r, p->lo, p->hi};
}

static void conditions_are_those_of_the_header(void) {
  problem p = two_rows();
  given(&p);
  const achd_real half = (achd_real)0.5, inf = (achd_real)INFINITY, nan = (achd_real)NAN;
  CHECK(accepts(&p, half, half));
  CHECK(!accepts(&p, half, 1));  /* w = 1 at the upper bound */
  CHECK(!accepts(&p, half, -1)); /* w = -3 at the lower bound */
  p.r[1] = 5;
  CHECK(accepts(&p, half, 1)); /* w = -3 at the upper bound */
  CHECK(!accepts(&p, half, -1));
  p.r[1] = -5;
  CHECK(accepts(&p, half, -1));
  CHECK(!accepts(&p, half, 1));
  p.hi[1] = p.lo[1] = half; /* fixed: any w */
  CHECK(accepts(&p, half, half));
  CHECK(!accepts(&p, half, (achd_real)0.25));
  p = two_rows();
  p.hi[0] = p.hi[1] = ACHD_MCLP_UNBOUNDED; /* at a bound that is none, w counts */
  p.r[1] = ACHD_MCLP_UNBOUNDED;
  given(&p);
  CHECK(!accepts(&p, half, ACHD_MCLP_UNBOUNDED));
  p.r[1] = -ACHD_MCLP_UNBOUNDED;
  CHECK(!accepts(&p, half, ACHD_MCLP_UNBOUNDED));
  p.L[2] = half, p.r[1] = ACHD_MCLP_UNBOUNDED;
  CHECK(!accepts(&p, half, ACHD_MCLP_UNBOUNDED)); /* w < 0 */
  CHECK(!accepts(&p, half, nan) && !accepts(&p, inf, half) && !accepts(&p, half, -inf));
}

static void numbers_of_no_problem_are_refused(void) {
  const achd_real half = (achd_real)0.5, inf = (achd_real)INFINITY, nan = (achd_real)NAN;
  const achd_real bad[] = {nan, inf, -inf};
  for (int i = 0; i < 3; i++) {
    for (int place = 0; place < 3; place++) {
      problem p = two_rows();
      given(&p);
      p.L[place] = bad[i];
      CHECK(!accepts(&p, half, half));
    }
    problem p = two_rows();
    given(&p);
    p.r[0] = bad[i];
    CHECK(!accepts(&p, half, half));
    p = two_rows();
    given(&p);
    if (i != 2) p.lo[1] = bad[i];
    if (i != 1) p.hi[1] = bad[i];
    CHECK(!accepts(&p, half, half));
  }
  problem p = two_rows();
  given(&p);
  p.lo[0] = p.hi[0] = inf; /* no nu at all */
  CHECK(!accepts(&p, inf, half) && !accepts(&p, ACHD_MCLP_UNBOUNDED, half));
  p.lo[0] = ACHD_MCLP_UNBOUNDED, p.L[0] = 0, p.r[0] = 0;
  CHECK(!accepts(&p, ACHD_MCLP_UNBOUNDED, half));
  p = two_rows();
  given(&p);
  p.L[2] = -2; /* no semidefinite L: w = -2 nu - r */
  CHECK(!accepts(&p, half, -half));
  p = two_rows();
  p.L[0] = p.L[2] = (achd_real)(sizeof(achd_real) == sizeof(float) ? 1e38 : 1e308);
  p.lo[1] = p.lo[0] = -1e3F;
  p.hi[1] = p.hi[0] = 1e3F;
  given(&p);
  CHECK(!accepts(&p, 1e3F, 1e3F)); /* the terms of w overflow */
  const achd_real most = (achd_real)(sizeof(achd_real) == sizeof(float) ? 2e38 : 1e308);
  p.L[0] = p.L[2] = most, p.L[1] = -most, p.r[0] = p.r[1] = 0;
  given(&p);
  CHECK(!accepts(&p, 1, 1)); /* w = 0, but the sum of its terms overflows */
  achd_mclp_certificate c;
  for (int rows = -1; rows <= most_rows + 1; rows += most_rows + 2) {
    const achd_mclp_problem none = {rows, NULL, NULL, NULL, NULL};
    CHECK(!achd_mclp_check(&none, NULL, &c) && c.row == -1 && isinf(c.residual));
  }
  const achd_mclp_problem empty = {0, NULL, NULL, NULL, NULL};
  CHECK(achd_mclp_check(&empty, NULL, &c) && c.row == -1 && c.residual == 0 && c.error == 0);
}

/* Rows that contradict each other but for rounding: forces of 1e14 hide what w misses from the sum
 * of its own terms, but not from r; and a large r of rows that are not coupled excuses nothing. */
static void immense_forces_hide_nothing(void) {
  const achd_real inf = (achd_real)INFINITY,
                  huge = sizeof(achd_real) == sizeof(float) ? 1e6F : 1e14F;
  const achd_real wrong = sizeof(achd_real) == sizeof(float) ? 0.75F : 0.01F;
  problem p = {.L = {1, 1, 1, 0, 0, 1},
               .r = {1, 1 + wrong, 1e6F},
               .lo = {-inf, -inf, -inf},
               .hi = {inf, inf, inf}};
  p.p = (achd_mclp_problem){3, p.L, p.r, p.lo, p.hi};
  const achd_real nu[3] = {huge, 1 - huge, 1e6F};
  achd_mclp_certificate c;
  CHECK(!achd_mclp_check(&p.p, nu, &c) && c.row == 1);
  CHECK(c.residual < ACHD_MCLP_RESIDUAL && c.error > ACHD_MCLP_ERROR);
  p.r[1] = p.r[0];
  CHECK(achd_mclp_check(&p.p, nu, &c)); /* they meet rows that agree, exactly */
}

/* Forces at bounds are given, like r: what w misses is small beside them. */
static void forces_at_bounds_count(void) {
  const achd_real inf = (achd_real)INFINITY;
  const double little = sizeof(achd_real) == sizeof(float) ? 1e-5 : 1e-12;
  problem p = {.L = {1, 0.5F, 1}, .r = {1, 1}, .lo = {1e9F, -inf}, .hi = {2e9F, inf}};
  given(&p);
  CHECK(accepts(&p, 1e9F, (achd_real)(1 - 0.5e9 * (1 + little))));
  p.L[1] = 0; /* a row of its own */
  CHECK(!accepts(&p, 1e9F, (achd_real)(1 - 0.5e9 * (1 + little))));
}

/* The sum keeps what plain rounding loses: 2^55 + 1 - 2^55 - 3 would be -4. */
static void sums_keep_twice_the_digits(void) {
  const achd_real big = (achd_real)ldexp(1, sizeof(achd_real) == sizeof(float) ? 26 : 55);
  const achd_real inf = (achd_real)INFINITY;
  problem p = {
      .L = {1, 1, 1, 1, 1, 1}, .r = {1, 1, 1}, .lo = {-inf, -inf, -inf}, .hi = {inf, inf, inf}};
  p.p = (achd_mclp_problem){3, p.L, p.r, p.lo, p.hi};
  const achd_real nu[3] = {big, 1, -big};
  achd_mclp_certificate c;
  CHECK(achd_mclp_check(&p.p, nu, &c) && c.residual == 0 && c.error == 0);
  p.r[0] = p.r[1] = p.r[2] = 3;
  CHECK(!achd_mclp_check(&p.p, nu, &c) && c.row == 0);
  CHECK_NEAR(3 * (double)c.error, 2, 1e-5);
}

int main(int argc, char **argv) {
  long wanted = getenv("ACHD_SWEEP") != NULL ? 1000000 : 200000;
  if (argc > 2) wanted = strtol(argv[2], NULL, 10) * 20;
  RUN(conditions_are_those_of_the_header);
  RUN(numbers_of_no_problem_are_refused);
  RUN(immense_forces_hide_nothing);
  RUN(forces_at_bounds_count);
  RUN(sums_keep_twice_the_digits);
  test_name = "wrong_answers_are_refused";
  wrong_answers_are_refused(wanted);
  return test_end();
}
