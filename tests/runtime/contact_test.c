/* SPDX-License-Identifier: MIT */
/* achd/contact.h: impulses of contacts with friction, limits and dry friction. Random problems are compared with
 * contact_oracle.c, and their conditions computed again in long double; the header's own certificate agrees. */
#include <achd/contact.h>

#include "contact_oracle.h"
#include "random.h"
#include "test.h"

enum { SINGLE = sizeof(achd_real) == sizeof(float), N = CONTACT_ORACLE_ROWS, DOF = 64 };

static const double not_a_number = (double)NAN;

typedef struct drawing {
  achd_contact_problem p;
  int rows;
  achd_real A[N * N], b[N], gap[N], mu[N], bound[N], R[N], lambda[N];
} drawing;

static achd_real work[ACHD_CONTACT_WORK(N)];

/* What the solver is asked, in long double; R raised as the header says. */
static void state(const drawing *d, contact_oracle_problem *o) {
  const int n = d->rows;
  *o = (contact_oracle_problem){0};
  o->contacts = d->p.contacts, o->limits = d->p.limits, o->boxes = d->p.boxes, o->rows = n;
  for (int j = 0; j < n; j++) {
    const int first = j < 3 * o->contacts ? j - j % 3 : j, count = j < 3 * o->contacts ? 3 : 1;
    long double mean = 0;
    for (int i = first; i < first + count; i++) mean += d->A[i * n + i] / (long double)count;
    const long double least = ACHD_CONTACT_LEAST * mean, given = d->p.R ? d->p.R[j] : 0;
    for (int k = 0; k < n; k++) o->G[j][k] = d->A[j * n + k];
    o->G[j][j] += given > least ? given : least;
    o->c[j] = (long double)d->b[j] + (d->p.gap ? d->p.gap[j] : 0);
  }
  for (int i = 0; i < o->contacts; i++) o->mu[i] = d->p.mu[i];
  for (int i = 0; i < o->boxes; i++) o->bound[i] = d->p.bound[i];
}

/* A problem of `contacts`, `limits` and `boxes` of a random robot of `freedoms` velocities with masses that
 * differ by up to 10^spread. */
static void draw(unsigned long long *random, drawing *d, const int sizes[3], int freedoms,
                 double spread) {
  static double J[N][DOF], velocity[DOF], mass[DOF];
  const int n = 3 * sizes[0] + sizes[1] + sizes[2];
  d->rows = n;
  d->p = (achd_contact_problem){sizes[0], sizes[1], sizes[2], d->A, d->b,
                                d->gap,   d->mu,    d->bound, NULL};
  for (int k = 0; k < freedoms; k++) {
    mass[k] = pow(10, spread * (random_number(random) - 0.5));
    velocity[k] = random_normal(random) / sqrt(mass[k]);
  }
  for (int j = 0; j < n; j++) {
    double b = 0;
    for (int k = 0; k < freedoms; k++) J[j][k] = random_normal(random), b += J[j][k] * velocity[k];
    d->b[j] = (achd_real)b;
    const bool has_gap = j < 3 * sizes[0] ? j % 3 == 0 : j < 3 * sizes[0] + sizes[1];
    d->gap[j] =
        (achd_real)(has_gap && random_number(random) < 0.5 ? random_between(random, -0.2, 1) : 0);
    d->lambda[j] = 0;
    for (int i = 0; i <= j; i++) {
      double a = 0;
      for (int k = 0; k < freedoms; k++) a += J[i][k] * J[j][k] / mass[k];
      d->A[j * n + i] = d->A[i * n + j] = (achd_real)a;
    }
    d->R[j] = (achd_real)((double)d->A[j * n + j] * pow(10, random_between(random, -6, 0)));
  }
  if (random_number(random) < 0.3) d->p.R = d->R;
  for (int i = 0; i < sizes[0]; i++) {
    d->mu[i] =
        (achd_real)(random_number(random) < 0.1 ? 0 : pow(10, random_between(random, -2, 0.5)));
  }
  for (int i = 0; i < sizes[2]; i++) {
    const double kind = random_number(random);
    d->bound[i] =
        kind < 0.1 ? (achd_real)INFINITY : (achd_real)(kind < 0.2 ? 0 : random_number(random));
  }
}

static achd_contact_status solve(drawing *d, achd_contact_report *report) {
  for (size_t i = 0; i < sizeof work / sizeof work[0]; i++)
    work[i] = (achd_real)not_a_number; /* memory's old content */
  return achd_contact_solve(&d->p, d->lambda, 0, work, report);
}

static bool is_answer(achd_contact_status status) {
  return status == ACHD_CONTACT_SOLVED || status == ACHD_CONTACT_INCONSISTENT;
}

/* ---- random problems ---- */

typedef struct tally {
  long problems, wrong, unsolved, without_path, iterations;
  int most_newton, most_path, most_of_both;
  long double worst_condition, worst_distance;
  long unanswered; /* by the oracle */
} tally;

/* even: masses do not differ by much, so that the conditions determine the impulses: what they leave is divided
 * by the root of the least regularisation at most, 1e-11 sqrt(rows) / sqrt(1e-9). */
static void compare(drawing *d, bool with_oracle, bool even, tally *sum) {
  static contact_oracle_problem o;
  static long double lambda[N], other[N];
  achd_contact_report report;
  const achd_contact_status status = solve(d, &report);
  achd_contact_certificate certificate;
  const bool accepted = achd_contact_check(&d->p, d->lambda, &certificate);
  state(d, &o);
  for (int j = 0; j < d->rows; j++) lambda[j] = d->lambda[j];
  const contact_oracle_conditions is = contact_oracle_check(&o, lambda);
  const long double worst = fmaxl(is.cone, fmaxl(is.dual, is.product));
  sum->problems++;
  if (!is_answer(status)) sum->unsolved++;
  bool wrong =
      is_answer(status) && !(accepted && worst <= 1.1L * (long double)ACHD_CONTACT_RESIDUAL);
  sum->worst_condition = fmaxl(sum->worst_condition, worst);
  sum->without_path += report.path == 0;
  sum->iterations += report.iterations + report.path;
  if (report.iterations > sum->most_newton) sum->most_newton = report.iterations;
  if (report.path > sum->most_path) sum->most_path = report.path;
  if (report.iterations + report.path > sum->most_of_both)
    sum->most_of_both = report.iterations + report.path;
  if (with_oracle) {
    const long double gap = contact_oracle_solve(&o, other);
    long double size;
    const long double distance = contact_oracle_distance(&o, lambda, other, &size) / size;
    if (!(gap >= 0 && sqrtl(2 * gap) <= 1e-6L * size)) {
      sum->unanswered++;
    } else if (even && status == ACHD_CONTACT_SOLVED) {
      sum->worst_distance = fmaxl(sum->worst_distance, distance);
      wrong = wrong || !(distance <= (SINGLE ? 3e-2L : 1e-5L) + sqrtl(2 * gap) / size);
    }
  }
  if (wrong && sum->wrong++ < 5) {
    printf("  %d contacts, %d limits, %d boxes: status %d, conditions %.2Lg %.2Lg %.2Lg, residual "
           "%g\n",
           d->p.contacts, d->p.limits, d->p.boxes, (int)status, is.cone, is.dual, is.product,
           (double)report.residual);
  }
}

static void tell(const char *what, const tally *sum) {
  const double problems = (double)sum->problems;
  CHECK(sum->wrong == 0);
  CHECK(sum->unanswered <= sum->problems / 50);
  CHECK(sum->most_of_both <= 200);
  printf("  %ld random problems of %s, cold: %ld wrong, %ld told as not solved; conditions to "
         "%.1Le, impulses to %.1Le in energy\n",
         sum->problems, what, sum->wrong, sum->unsolved, sum->worst_condition, sum->worst_distance);
  printf("    %.3g factorisations on the mean, at most %d by Newton and %d on the path, which %.3g "
         "%% did not need; the oracle left %ld\n",
         (double)sum->iterations / problems, sum->most_newton, sum->most_path,
         100.0 * (double)sum->without_path / problems, sum->unanswered);
}

static void random_problems_are_solved(void) {
  const long count = getenv("ACHD_SWEEP") ? 1000000
                     : TEST_SANITIZED     ? 1000
                     : getenv("Q")        ? 1500
                                          : 10000;
  unsigned long long random = 38;
  tally even = {0}, uneven = {0};
  for (long k = 0; k < count; k++) {
    static drawing d;
    const bool large = k % 20 == 0;
    const int sizes[3] = {(int)(random_number(&random) * (large ? 9 : 5)),
                          (int)(random_number(&random) * 3), (int)(random_number(&random) * 3)};
    const int rows = 3 * sizes[0] + sizes[1] + sizes[2];
    const int freedoms = 1 + (int)(random_number(&random) * (rows + 4)); /* A is often singular */
    draw(&random, &d, sizes, freedoms, k % 3 == 0 ? 6 : 0);
    compare(&d, !large || k % 200 == 0, k % 3 != 0, k % 3 != 0 ? &even : &uneven);
  }
  tell("like masses", &even);
  tell("masses that differ by up to a million", &uneven);
  const double share = SINGLE ? 1e-4 : 0; /* of those that may be told as not solved */
  CHECK((double)(even.unsolved + uneven.unsolved) <= share * (double)count);
}

/* ---- what can be computed by hand ---- */

/* A point mass of 2 kg over a step of 0.01 s on a slope, with the normal as first axis and the second one down. */
static achd_contact_status on_slope(double angle, double friction, drawing *d,
                                    achd_contact_report *report) {
  const double m = 2, h = 0.01, g = 9.81;
  *d = (drawing){0};
  d->rows = 3;
  d->p = (achd_contact_problem){1, 0, 0, d->A, d->b, NULL, d->mu, NULL, NULL};
  for (int i = 0; i < 3; i++) d->A[i * 3 + i] = (achd_real)(1 / m);
  d->b[0] = (achd_real)(-h * g * cos(angle)), d->b[1] = (achd_real)(h * g * sin(angle));
  d->mu[0] = (achd_real)friction;
  return solve(d, report);
}

static void block_on_slope(void) {
  const double m = 2, h = 0.01, g = 9.81, near = SINGLE ? 1e-5 : 1e-9;
  drawing d;
  achd_contact_report report;
  CHECK(on_slope(0.3, 0.5, &d, &report) == ACHD_CONTACT_SOLVED); /* sticks: tan 0.3 = 0.31 */
  CHECK_NEAR(d.lambda[0], m * h * g * cos(0.3), near);
  CHECK_NEAR(d.lambda[1], -m * h * g * sin(0.3), near);
  CHECK_NEAR(d.lambda[2], 0, near);
  /* slides: with w_n = mu v_t and lambda_t = -mu lambda_n, lambda_n = m (c_n - mu c_t) / (1 + mu^2) .. */
  const double mu = 0.2, angle = 0.6, cn = -h * g * cos(angle), ct = h * g * sin(angle);
  CHECK(on_slope(angle, mu, &d, &report) == ACHD_CONTACT_SOLVED);
  CHECK_NEAR(d.lambda[0], m * (mu * ct - cn) / (1 + mu * mu), near);
  CHECK_NEAR(d.lambda[1], -mu * (double)d.lambda[0], near);
  /* the gap that convex contact opens: v_n = mu v_t */
  CHECK_NEAR(cn + (double)d.lambda[0] / m, mu * (ct + (double)d.lambda[1] / m), near);
  /* on the border of sticking */
  CHECK(on_slope(0.4, tan(0.4), &d, &report) == ACHD_CONTACT_SOLVED);
  CHECK_NEAR(d.lambda[1], -m * h * g * sin(0.4), near);
  /* no friction; lifts off */
  CHECK(on_slope(0.4, 0, &d, &report) == ACHD_CONTACT_SOLVED);
  CHECK_NEAR(d.lambda[0], m * h * g * cos(0.4), near);
  CHECK(d.lambda[1] == 0 && d.lambda[2] == 0);
  CHECK(on_slope(3, 0.5, &d, &report) == ACHD_CONTACT_SOLVED);
  CHECK(d.lambda[0] == 0 && d.lambda[1] == 0 && report.iterations == 0);
}

/* A body of mass m with two flat feet of four corners each, half a metre apart, over a step of 2 ms: 24 rows
 * of rank 6, as those of one rigid body; two bodies, 12. */
static void draw_feet(drawing *d, int bodies, double friction, const double push[6]) {
  const double m = 40, inertia = 3, h = 0.002, g = 9.81;
  static double J[24][12];
  *d = (drawing){0};
  d->rows = 24;
  d->p = (achd_contact_problem){8, 0, 0, d->A, d->b, NULL, d->mu, NULL, NULL};
  for (int c = 0; c < 8; c++) {
    const int foot = c / 4, column = bodies == 2 ? 6 * foot : 0;
    const double at[3] = {-1, (c & 1 ? 0.1 : -0.1),
                          (foot ? 0.25 : -0.25) * (bodies == 1) + (c & 2 ? 0.05 : -0.05)};
    for (int i = 0; i < 3; i++) { /* v + w x at */
      for (int k = 0; k < 12; k++) J[3 * c + i][k] = 0;
      J[3 * c + i][column + i] = 1;
      const int next = (i + 1) % 3, last = (i + 2) % 3;
      J[3 * c + i][column + 3 + next] = at[last], J[3 * c + i][column + 3 + last] = -at[next];
    }
    d->mu[c] = (achd_real)friction;
  }
  for (int j = 0; j < 24; j++) {
    for (int k = 0; k < 24; k++) {
      double a = 0;
      for (int i = 0; i < 12; i++) a += J[j][i] * J[k][i] / (i % 6 < 3 ? m : inertia);
      d->A[j * 24 + k] = (achd_real)a;
    }
    double b = 0;
    for (int i = 0; i < 12; i++) b += J[j][i] * (push[i % 6] - (i % 6 == 0 ? h * g : 0));
    d->b[j] = (achd_real)b;
  }
}

/* The largest |v| of the rows. */
static double fastest(const drawing *d) {
  double most = 0;
  for (int j = 0; j < d->rows; j++) {
    double v = (double)d->b[j];
    for (int k = 0; k < d->rows; k++) v += (double)d->A[j * d->rows + k] * (double)d->lambda[k];
    most = fmax(most, fabs(v));
  }
  return most;
}

static void two_flat_feet(void) {
  for (int bodies = 1; bodies <= 2; bodies++) {
    static drawing d;
    achd_contact_report report;
    const double pushes[3][6] = {{0}, {0, 0.001, 0.0005}, {0, 0.02, 0.01}};
    for (int k = 0; k < 3; k++) {
      draw_feet(&d, bodies, k < 2 ? 0.7 : 0.05, pushes[k]);
      CHECK(solve(&d, &report) == ACHD_CONTACT_SOLVED);
      achd_contact_certificate certificate;
      CHECK(achd_contact_check(&d.p, d.lambda, &certificate));
      double weight = 0, side = 0;
      for (int c = 0; c < 8; c++)
        weight += (double)d.lambda[3 * c],
            side += hypot((double)d.lambda[3 * c + 1], (double)d.lambda[3 * c + 2]);
      printf("  %d bodies on eight corners, push %d: %d factorisations, %d of the path; %.6g N s\n",
             bodies, k, report.iterations, report.path, weight);
      if (k < 2) CHECK_NEAR(weight, 40 * 9.81 * 0.002 * bodies, SINGLE ? 1e-4 : 1e-8);
      if (k < 2) CHECK(fastest(&d) < (SINGLE ? 1e-6 : 1e-10));
      if (k == 2) CHECK(fastest(&d) > 0.01 && side > 0.049 * weight); /* slides */
      const int cold = report.iterations + report.path;
      for (int j = 0; j < 24; j++) d.b[j] *= (achd_real)1.001;
      CHECK(solve(&d, &report) == ACHD_CONTACT_SOLVED); /* warm */
      printf("    warm: %d factorisations\n", report.iterations + report.path);
      CHECK(report.iterations + report.path <= 60);
      if (bodies == 1) CHECK(report.path == 0 && report.iterations <= cold);
    }
  }
}

/* Four contacts of a body that stands: one factorisation warm. It is pushed until it slides; then two or three. */
static void warm_starts_are_fast(void) {
  unsigned long long random = 4;
  int most = 0;
  for (int k = 0; k < 100; k++) {
    static drawing d;
    const int sizes[3] = {4, 0, 0};
    draw(&random, &d, sizes, 18, 0);
    d.p.gap = NULL;
    achd_contact_report report;
    if (!is_answer(solve(&d, &report))) CHECK(false);
    for (int j = 0; j < 12; j++) d.b[j] += (achd_real)(1e-3 * random_normal(&random));
    CHECK(is_answer(solve(&d, &report)) && report.path == 0);
    if (report.iterations > most) most = report.iterations;
  }
  printf("  four contacts, warm: at most %d factorisations\n", most);
  CHECK(most <= 5);
}

static void contradicting_rows(void) {
  /* one unknown between two walls that both want it to leave by 1 m/s */
  const achd_real A[4] = {1, -1, -1, 1}, b[2] = {-1, -1};
  achd_real lambda[2] = {0, 0};
  achd_contact_report report;
  const achd_contact_problem walls = {0, 2, 0, A, b, NULL, NULL, NULL, NULL};
  CHECK(achd_contact_solve(&walls, lambda, 0, work, &report) == ACHD_CONTACT_INCONSISTENT);
  CHECK_NEAR((double)(lambda[0] / lambda[1]), 1, 1e-6);
  CHECK(isfinite((double)lambda[0]) && lambda[0] > 0);
  /* a row that nothing moves: met, and not met */
  const achd_real none[1] = {0}, leaves[1] = {1}, enters[1] = {-1};
  achd_contact_problem still = {0, 1, 0, none, leaves, NULL, NULL, NULL, NULL};
  CHECK(achd_contact_solve(&still, lambda, 0, work, &report) == ACHD_CONTACT_SOLVED &&
        lambda[0] == 0);
  still.b = enters;
  lambda[0] = 0;
  CHECK(achd_contact_solve(&still, lambda, 0, work, &report) == ACHD_CONTACT_INCONSISTENT &&
        isfinite((double)lambda[0]));
}

static void rows_of_every_kind(void) {
  /* independent rows: an equality, a box within and at its bound, a limit that is far and one that is met */
  achd_real A[25] = {0}, bound[3] = {(achd_real)INFINITY, 2, 2};
  for (int i = 0; i < 5; i++) A[i * 5 + i] = 2;
  const achd_real b[5] = {-1, -1, 6, 3, -7}, gap[5] = {2, (achd_real)0.5, 0, 0, 0};
  achd_real lambda[5] = {0};
  achd_contact_report report;
  const achd_contact_problem p = {0, 2, 3, A, b, gap, NULL, bound, NULL};
  CHECK(achd_contact_solve(&p, lambda, 0, work, &report) == ACHD_CONTACT_SOLVED);
  const double wanted[5] = {0, 0.25, -3, -1.5, 2};
  for (int i = 0; i < 5; i++) CHECK_NEAR(lambda[i], wanted[i], SINGLE ? 1e-4 : 1e-8);
  CHECK(achd_contact_solve(&(achd_contact_problem){0}, NULL, 0, work, &report) ==
        ACHD_CONTACT_SOLVED);
}

/* ---- what comes in may be wrong ---- */

static void refused(const drawing *good, int what, achd_real value, achd_contact_status wanted) {
  static drawing d;
  d = *good;
  d.p.A = d.A, d.p.b = d.b, d.p.gap = d.gap, d.p.mu = d.mu, d.p.bound = d.bound, d.p.R = d.R;
  achd_real *const places[] = {&d.A[7],     &d.b[4], &d.gap[0], &d.mu[1],
                               &d.bound[0], &d.R[5], &d.A[0]};
  *places[what] = value;
  achd_contact_report report;
  const achd_contact_status status = solve(&d, &report);
  if (status != wanted) printf("  what %d, %g: status %d\n", what, (double)value, (int)status);
  CHECK(status == wanted);
  for (int j = 0; j < d.rows; j++) CHECK(d.lambda[j] == 0);
  achd_contact_certificate certificate;
  if (wanted == ACHD_CONTACT_BAD_INPUT) {
    CHECK(!achd_contact_check(&d.p, d.lambda, &certificate) &&
          !isfinite((double)certificate.residual));
  }
}

static void bad_input_is_refused(void) {
  unsigned long long random = 9;
  static drawing d;
  const int sizes[3] = {2, 1, 1};
  draw(&random, &d, sizes, 20, 0);
  d.p.R = d.R, d.bound[0] = 1;
  for (int what = 0; what < 7; what++) {
    refused(&d, what, (achd_real)NAN, ACHD_CONTACT_BAD_INPUT);
    refused(&d, what, (achd_real)-INFINITY, ACHD_CONTACT_BAD_INPUT);
    if (what != 4)
      refused(&d, what, (achd_real)INFINITY, ACHD_CONTACT_BAD_INPUT); /* a bound may be */
    if (what >= 3) refused(&d, what, -1, ACHD_CONTACT_BAD_INPUT);
  }
  const int counts[5][3] = {
      {-1, 0, 0}, {0, -1, 0}, {0, 0, -5}, {33, 0, 0}, {2147483647, 2147483647, 2}};
  for (int k = 0; k < 5; k++) {
    achd_contact_report report;
    achd_contact_certificate certificate;
    achd_contact_problem p = d.p;
    p.contacts = counts[k][0], p.limits = counts[k][1], p.boxes = counts[k][2];
    CHECK(achd_contact_solve(&p, d.lambda, 0, work, &report) == ACHD_CONTACT_BAD_INPUT);
    CHECK(!achd_contact_check(&p, d.lambda, &certificate));
  }
  /* a start that is no number is none; not positive definite */
  achd_contact_report report;
  for (int j = 0; j < d.rows; j++) d.lambda[j] = j % 2 ? (achd_real)NAN : (achd_real)INFINITY;
  CHECK(solve(&d, &report) == ACHD_CONTACT_SOLVED);
  const achd_real A[4] = {1, 2, 2, 1}, b[2] = {-1, -1},
                  bound[2] = {(achd_real)INFINITY, (achd_real)INFINITY};
  const achd_contact_problem saddle = {0, 0, 2, A, b, NULL, NULL, bound, NULL};
  achd_real lambda[2] = {1, 1};
  CHECK(achd_contact_solve(&saddle, lambda, 0, work, &report) == ACHD_CONTACT_INDEFINITE);
  CHECK(lambda[0] == 0 && lambda[1] == 0);
}

/* Numbers of any size: an answer that the certificate accepts, or a status that says that there is none; never an
 * invalid number. */
static void any_numbers(void) {
  unsigned long long random = 77;
  const double most = SINGLE ? 38 : 308;
  long answered = 0;
  const int count = getenv("ACHD_SWEEP") ? 200000 : 3000;
  for (int k = 0; k < count; k++) {
    static drawing d;
    const int sizes[3] = {(int)(random_number(&random) * 4), (int)(random_number(&random) * 3),
                          (int)(random_number(&random) * 3)};
    draw(&random, &d, sizes, 1 + (int)(random_number(&random) * 12), 6);
    const int n = d.rows;
    for (int j = 0; j < n; j++) {
      const double scale = pow(10, random_between(&random, -most, most));
      if (random_number(&random) < 0.2) d.b[j] = (achd_real)((double)d.b[j] * scale);
      if (random_number(&random) < 0.1) d.lambda[j] = (achd_real)scale;
      if (random_number(&random) < 0.05)
        d.A[j * n + (int)(random_number(&random) * n)] = (achd_real)-scale;
      if (j < d.p.contacts && random_number(&random) < 0.2) d.mu[j] = (achd_real)scale;
      if (random_number(&random) < 0.2) d.R[j] = (achd_real)scale;
    }
    achd_contact_report report;
    achd_contact_certificate certificate;
    const achd_contact_status status = solve(&d, &report);
    for (int j = 0; j < n; j++) CHECK(isfinite((double)d.lambda[j]));
    if (!is_answer(status)) continue;
    answered++;
    (void)achd_contact_check(&d.p, d.lambda, &certificate);
    CHECK(report.residual <= ACHD_CONTACT_RESIDUAL);
  }
  printf("  %ld of %d problems with numbers of any size have an answer\n", answered, count);
  CHECK(answered > count / 4);
}

static void few_iterations_are_told(void) {
  unsigned long long random = 12;
  static drawing d;
  const int sizes[3] = {8, 2, 2};
  int stopped = 0;
  for (int k = 0; k < 50; k++) {
    draw(&random, &d, sizes, 12, 0);
    achd_contact_report report;
    const achd_contact_status status = achd_contact_solve(&d.p, d.lambda, 2, work, &report);
    CHECK(report.iterations + report.path <= 2);
    for (int c = 0; c < 8; c++) {
      CHECK(hypot((double)d.lambda[3 * c + 1], (double)d.lambda[3 * c + 2]) <=
            (double)d.mu[c] * (double)d.lambda[3 * c] * (1 + 1e-6));
    }
    stopped += status == ACHD_CONTACT_STOPPED;
  }
  CHECK(stopped > 0);
}

/* The certificate refuses what is no solution. */
static void certificate_refuses(void) {
  unsigned long long random = 31;
  for (int k = 0; k < 200; k++) {
    static drawing d;
    const int sizes[3] = {3, 1, 1};
    draw(&random, &d, sizes, 14, 0);
    achd_contact_report report;
    achd_contact_certificate certificate;
    if (solve(&d, &report) != ACHD_CONTACT_SOLVED) continue;
    CHECK(achd_contact_check(&d.p, d.lambda, &certificate));
    const int j = (int)(random_number(&random) * 10); /* contacts and the limit */
    if (j < 9 && j % 3 != 0 && !(d.mu[j / 3] > 0)) continue;
    double size = 1e-3;
    for (int i = 0; i < d.rows; i++) size = fmax(size, fabs((double)d.lambda[i]));
    d.lambda[j] += (achd_real)(0.1 * size);
    CHECK(!achd_contact_check(&d.p, d.lambda, &certificate));
    CHECK(certificate.row >= 0 && certificate.residual > ACHD_CONTACT_RESIDUAL);
  }
}

int main(void) {
  RUN(random_problems_are_solved);
  RUN(block_on_slope);
  RUN(two_flat_feet);
  RUN(warm_starts_are_fast);
  RUN(contradicting_rows);
  RUN(rows_of_every_kind);
  RUN(bad_input_is_refused);
  RUN(any_numbers);
  RUN(few_iterations_are_told);
  RUN(certificate_refuses);
  return test_end();
}
