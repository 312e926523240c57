/* SPDX-License-Identifier: MIT */
/* mclp_gen3_test.c: does float solve gen3's problems that double solves, near singular
 * configurations too? Two layouts, moving and at rest, over random states. */
#include <math.h>
#include <stdlib.h>

#include "gen3_problems.h"
#include "random.h"
#include "test.h"

static long states;

static double most(unsigned long long *random, double largest) {
  return (2 * random_number(random) - 1) * largest;
}

static gen3_state random_state(unsigned long long *random, bool moves) {
  gen3_state state = {{0}, {0}, {0}, {0}, {0}};
  for (int i = 0; i < problem_joints; i++) {
    state.q[i] = most(random, 3.1);
    state.qd[i] = moves ? most(random, 1) : 0;
    state.friction[i] = 5 + most(random, 5);
    state.tau_art[i] = most(random, 20);
  }
  for (int i = 0; i < problem_rows; i++) state.b[i] = most(random, 5);
  return state;
}

/* What w, of the wrong sign, is of the largest r and of the forces at bounds, in the rows' own
 * scales; L nu in double. */
static double wrong(const gen3_problem *p, const double nu[]) {
  double largest = 0, worst = 0, at_bounds = 0;
  for (int j = 0; j < p->rows; j++) {
    double w = -p->r[j];
    for (int k = 0; k < p->rows; k++)
      w += p->L[j >= k ? j * (j + 1) / 2 + k : k * (k + 1) / 2 + j] * nu[k];
    const double root = sqrt(p->L[j * (j + 3) / 2]);
    CHECK(nu[j] >= p->lo[j] && nu[j] <= p->hi[j]);
    if (w < 0 ? nu[j] < p->hi[j] : nu[j] > p->lo[j]) worst = fmax(worst, fabs(w) / root);
    largest = fmax(largest, fabs(p->r[j]) / root);
    if (nu[j] == p->lo[j] || nu[j] == p->hi[j]) at_bounds += root * fabs(nu[j]);
  }
  return worst / (largest + at_bounds);
}

/* Returns how many problems float does not solve of those that double does. */
static int compare(const char *name, bool task, bool moves) {
  unsigned long long random = 1;
  int solved = 0, unsolved = 0, most_pivots = 0;
  double median = 0, worst = 0;
  for (long k = 0; k < states; k++) {
    const gen3_state state = random_state(&random, moves);
    gen3_problem precise, p;
    make_double(task, &state, &precise);
    if (solve_double(&precise).status != ACHD_MCLP_SOLVED) continue;
    solved++;
    make_float(task, &state, &p);
    const gen3_solution s = solve_float(&p);
    if (s.pivots > most_pivots) most_pivots = s.pivots;
    if (s.status != ACHD_MCLP_SOLVED) {
      unsolved++;
      continue;
    }
    const double here = wrong(&p, s.nu);
    worst = fmax(worst, here);
    median += here;
  }
  printf("%-16s %6d solved in double, not in float: %d; pivots %d at most, w wrong by %.1e of the "
         "largest r and forces at bounds at most, %.1e in the mean\n",
         name, solved, unsolved, most_pivots, worst, median / solved);
  CHECK(solved > states * 9 / 10);
  CHECK(worst <= 0.11);
  return unsolved;
}

/* Left: pivots of the size of the rounding of L itself. */
static void float_solves_what_double_solves(void) {
  CHECK(compare("task, at rest", true, false) <= 2e-4 * (double)states);
  CHECK(compare("task, moving", true, true) <= 2e-4 * (double)states);
}

/* Where joints are within their limits' margins and the tool is held too, more rows contradict each
 * other but for a little. */
static void float_solves_most_of_contended_limits(void) {
  CHECK(compare("limits, at rest", false, false) <= 4e-3 * (double)states);
  CHECK(compare("limits, moving", false, true) <= 4e-3 * (double)states);
}

/* mclp_gen3_test [STATES] */
int main(int argc, char **argv) {
  states = argc > 1 ? strtol(argv[1], NULL, 10) : 20000;
  RUN(float_solves_what_double_solves);
  RUN(float_solves_most_of_contended_limits);
  return test_end();
}
