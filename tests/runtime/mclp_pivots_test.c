/* SPDX-License-Identifier: MIT */
/* mclp_pivots_test.c: how many pivots achd_mclp takes for problems of friction rows, at worst of 10^4
 * random states of five arms (ACHD_SWEEP=1: 10^6), from a cold start; and what it answers at a limit
 * of pivots: within the bounds, with the rows without bounds met. */
#include "random.h"
#include "rubbing.h"
#include "test.h"

static unsigned long long seed = 11;

/* Some joints move, some stand; friction of very different sizes. */
static void draw(const rubbing_arm *arm, rubbing_problem *p) {
  rubbing_state s = {.period = 1e-3, .held = random_between(&seed, 0, 1) < 0.7};
  const double speed = random_between(&seed, 0, 1) < 0.5 ? 1e-3 : 2,
               size = random_between(&seed, -2, 2);
  for (int i = 0; i < arm->joints; i++) {
    s.q[i] = random_between(&seed, -3, 3);
    s.qd[i] = random_between(&seed, 0, 1) < 0.3 ? 0 : random_between(&seed, -speed, speed);
    s.friction[i] = 10 * exp(size + random_between(&seed, -2, 2));
    s.tau[i] = random_between(&seed, -30, 30);
    s.b[i] = random_between(&seed, -5, 5);
  }
  arm->make(&s, p);
}

enum { limits = 4 };
static const int limit[limits] = {1, 2, 3, 5};

typedef struct tally {
  long problems, pivots, stopped[limits], unsolved;
  int worst;
} tally;

/* What is missed of the rows without bounds, relative to their terms. */
static double missed(const rubbing_arm *arm, const rubbing_problem *p, const double nu[]) {
  double worst = 0;
  for (int j = 0; j < arm->rows; j++) {
    if (p->lo[j] > -ACHD_MCLP_UNBOUNDED) continue;
    long double size;
    const long double w = rubbing_row(arm, p, nu, j, &size);
    if (size > 0) worst = fmax(worst, (double)(fabsl(w) / size));
  }
  return worst;
}

static double largest(int rows, const double nu[]) {
  double most = 0;
  for (int j = 0; j < rows; j++) most = fmax(most, fabs(nu[j]));
  return most;
}

static void try_limit(const rubbing_arm *arm, const rubbing_problem *p, int k, tally *t) {
  double nu[rubbing_rows], work[ACHD_MCLP_WORK(rubbing_rows)];
  signed char side[rubbing_rows] = {0};
  achd_mclp_report report;
  const achd_mclp_problem problem = {arm->rows, p->L, p->r, p->lo, p->hi};
  const achd_mclp_status status = achd_mclp(&problem, nu, side, limit[k], work, &report);
  CHECK(status == ACHD_MCLP_SOLVED || status == ACHD_MCLP_STOPPED);
  CHECK(report.pivots <= limit[k] + arm->rows);
  for (int j = 0; j < arm->rows; j++) CHECK(p->lo[j] <= nu[j] && nu[j] <= p->hi[j]);
  CHECK(missed(arm, p, nu) <= 2e-10);
  t->stopped[k] += status == ACHD_MCLP_STOPPED;
}

static void pivots_of_friction(void) {
  const long count = getenv("ACHD_SWEEP") ? 200000 : 2000;
  printf("   arm         problems unsolved  pivots: mean  worst   stopped at 1, 2, 3, 5 pivots "
         "[%%]\n");
  for (int k = 0; k < rubbing_arms; k++) {
    tally t = {0};
    for (long n = 0; n < count; n++) {
      rubbing_problem p;
      double nu[rubbing_rows], work[ACHD_MCLP_WORK(rubbing_rows)];
      signed char side[rubbing_rows] = {0};
      achd_mclp_report report;
      draw(rubbing_all[k], &p);
      if (p.status != 0) continue; /* a row out of reach */
      const achd_mclp_problem problem = {rubbing_all[k]->rows, p.L, p.r, p.lo, p.hi};
      const achd_mclp_status status = achd_mclp(&problem, nu, side, 0, work, &report);
      t.problems++;
      t.pivots += report.pivots;
      if (report.pivots > t.worst) t.worst = report.pivots;
      if (status !=
          ACHD_MCLP_SOLVED) { /* the tool's rows contradict each other, but for rounding */
        CHECK(status == ACHD_MCLP_NOT_SOLVED && largest(rubbing_all[k]->rows, nu) > 1e10);
        t.unsolved++;
        continue;
      }
      if (n % 10) continue;
      for (int l = 0; l < limits; l++) try_limit(rubbing_all[k], &p, l, &t);
    }
    printf("   %-10s %9ld %8ld %14.2f %6d  ", rubbing_all[k]->name, t.problems, t.unsolved,
           (double)t.pivots / (double)t.problems, t.worst);
    for (int l = 0; l < limits; l++) printf(" %7.1f", 1000. * t.stopped[l] / count);
    printf("\n");
    CHECK(t.problems > count * 99 / 100);
    CHECK(t.unsolved <= count / 10000);
    CHECK(t.worst <= 4 * rubbing_all[k]->rows);
    CHECK(t.stopped[0] > t.stopped[3]);
  }
}

int main(void) {
  RUN(pivots_of_friction);
  return test_end();
}
