/* SPDX-License-Identifier: MIT */
/* friction_test.c: static friction as the max-min problem that it is (Vukcevic 2018): for every
 * reaction mu of the joint the least Gauss function Z, the motion and the torque that go with it,
 * and the mu that the solver takes: where Z is largest. As data, asserted, and as pictures. */
#include <achd/mclp.h>

#include "plot.h"
#include "rod_free.h"
#include "rod_held.h"
#include "test.h"
#include "two_rods.h"

enum { SAMPLES = 401 };

typedef struct scan {
  double from, step;
  double gauss[SAMPLES], qdd[SAMPLES], tau[SAMPLES]; /* Z less that without rows and friction */
  double mu, qdd_there, tau_there;                   /* what the solver takes */
} scan;

static double value_of(int rows, const double *L, const double *r, const double *nu) {
  double value = 0;
  for (int j = 0; j < rows; j++) {
    for (int k = 0; k < rows; k++)
      value += nu[j] * L[j >= k ? j * (j + 1) / 2 + k : k * (k + 1) / 2 + j] * nu[k] / 2;
    value -= r[j] * nu[j];
  }
  return value;
}

/* Defines scan_NAME(in, row): mu of friction row `row` held at every sample within its bounds, the
 * other rows solved; then mu left to the solver. */
#define DEFINE_SCAN(name, NAME)                                                                    \
  static void solve_##name(const name##_achd_in *in, const name##_mclp_out *p, double nu[],        \
                           name##_achd_out *out) {                                                 \
    double work[ACHD_MCLP_WORK(NAME##_NR)];                                                        \
    signed char side[NAME##_NR] = {0};                                                             \
    achd_mclp_report report;                                                                       \
    const achd_mclp_problem problem = {NAME##_NR, p->L, p->r, p->lo, p->hi};                       \
    CHECK(achd_mclp(&problem, nu, side, 0, work, &report) == ACHD_MCLP_SOLVED);                    \
    name##_apply(in, p, nu, out);                                                                  \
  }                                                                                                \
  static scan scan_##name(const name##_achd_in *in, int row) {                                     \
    scan s;                                                                                        \
    name##_mclp_out p;                                                                             \
    name##_achd_out out;                                                                           \
    double nu[NAME##_NR];                                                                          \
    CHECK(name##_mclp(in, &p) == NAME##_OK);                                                       \
    solve_##name(in, &p, nu, &out);                                                                \
    s.mu = nu[row], s.qdd_there = out.qdd[0], s.tau_there = out.tau_ctrl[0];                       \
    s.from = p.lo[row], s.step = (p.hi[row] - p.lo[row]) / (SAMPLES - 1);                          \
    for (int k = 0; k < SAMPLES; k++) {                                                            \
      p.lo[row] = p.hi[row] = s.from + k * s.step;                                                 \
      solve_##name(in, &p, nu, &out);                                                              \
      s.gauss[k] = -value_of(NAME##_NR, p.L, p.r, nu);                                             \
      s.qdd[k] = out.qdd[0], s.tau[k] = out.tau_ctrl[0];                                           \
    }                                                                                              \
    return s;                                                                                      \
  }

DEFINE_SCAN(rod_free, ROD_FREE)
DEFINE_SCAN(rod_held, ROD_HELD)
DEFINE_SCAN(two_rods, TWO_RODS)

/* The sample where Z is largest. */
static int largest(const scan *s) {
  int best = 0;
  for (int k = 1; k < SAMPLES; k++) {
    if (s->gauss[k] > s->gauss[best]) best = k;
  }
  return best;
}

static void solver_takes_the_largest(const scan *s) {
  const double mu = s->from + largest(s) * s->step;
  CHECK(fabs(s->mu - mu) <= s->step / 2 + 1e-12);
}

static const char *folder;

static void draw(const scan *s, const char *file, const char *title, bool commands) {
  if (!folder) return;
  char path[4096];
  snprintf(path, sizeof path, "%s/%s.svg", folder, file);
  const plot_panel panels[] = {{"J/s^2", {{"Z(mu) - Z_free", s->gauss}}},
                               {"rad/s^2", {{"qdd(mu)", s->qdd}}},
                               {commands ? "N m" : NULL, {{"tau(mu)", s->tau}}},
                               {0}};
  CHECK(plot_write_over(path, title, (plot_axis){"mu [N m]", s->from, s->step, &s->mu, NULL, 0},
                        SAMPLES, panels) == 0);
}

/* The rod lies along y: a force F along x at its end is a torque -F. Z = -(mu - F)^2 / (2 J) + F^2
 * / (2 J) less that without friction, J = 1/3. */
static void push_below_breakaway(void) {
  const rod_free_achd_in in = {.push.lin = {5, 0, 0}};
  const scan s = scan_rod_free(&in, ROD_FREE_FRICTION_JOINT1);
  CHECK_NEAR(s.mu, 5, 1e-12);
  CHECK_NEAR(s.qdd_there, 0, 1e-12);
  CHECK_NEAR(s.gauss[largest(&s)], 37.5, 1e-9); /* 5^2 / (2 J) */
  CHECK_NEAR(s.gauss[0], 37.5 - 337.5, 1e-9);   /* mu = -10 */
  CHECK_NEAR(s.qdd[0], -45, 1e-9);
  solver_takes_the_largest(&s);
  draw(&s, "friction_5", "One joint, 5 N m against 10 N m of friction: rest", false);
}

static void push_above_breakaway(void) {
  const rod_free_achd_in in = {.push.lin = {11, 0, 0}};
  const scan s = scan_rod_free(&in, ROD_FREE_FRICTION_JOINT1);
  CHECK_NEAR(s.mu, 10, 1e-12);
  CHECK_NEAR(s.qdd_there, -3, 1e-12);
  CHECK(largest(&s) == SAMPLES - 1);
  CHECK_NEAR(s.gauss[SAMPLES - 1], 181.5 - 1.5, 1e-9);
  solver_takes_the_largest(&s);
  draw(&s, "friction_11", "One joint, 11 N m against 10 N m of friction: it moves", false);
}

/* Nothing is free, so Z is a line in mu: its largest value is at a vertex. */
static void imposed_acceleration(void) {
  const rod_held_achd_in in = {.b = {[ROD_HELD_TIP_ANG_Z] = 5}};
  const scan s = scan_rod_held(&in, ROD_HELD_FRICTION_JOINT1);
  CHECK_NEAR(s.mu, -10, 1e-12);
  CHECK_NEAR(s.qdd_there, 5, 1e-12);
  CHECK_NEAR(s.tau_there, 5. / 3 + 10, 1e-12);              /* J qdd, and against friction */
  CHECK_NEAR(s.gauss[0] - s.gauss[SAMPLES - 1], 100, 1e-9); /* 5 rad/s^2 times 20 N m */
  for (int k = 0; k < SAMPLES; k++) CHECK_NEAR(s.qdd[k], 5, 1e-12);
  solver_takes_the_largest(&s);
  draw(&s, "friction_vertex", "One joint, 5 rad/s^2 imposed: the optimum is a vertex", true);
}

/* One row leaves one freedom of two: Z is a parabola, its top inside. */
static void one_row_of_two_joints(void) {
  const two_rods_achd_in in = {
      .q = {0.5, 1.2}, .b = {[TWO_RODS_TIP_LIN_X] = 1}, .tau_art = {0, -1}};
  const scan s = scan_two_rods(&in, TWO_RODS_FRICTION_SHOULDER);
  const int top = largest(&s);
  CHECK(top > 10 && top < SAMPLES - 10);
  CHECK(s.mu > -4 && s.mu < 4);
  CHECK_NEAR(s.qdd_there, 0, 1e-12); /* it sticks; the elbow alone serves the row */
  const double bend = s.gauss[top - 10] - 2 * s.gauss[top] + s.gauss[top + 10];
  CHECK(bend < 0);
  for (int k = 10; k + 10 < SAMPLES; k += 10)
    CHECK_NEAR(s.gauss[k - 10] - 2 * s.gauss[k] + s.gauss[k + 10], bend, 1e-9);
  solver_takes_the_largest(&s);
  draw(&s, "friction_inside", "Two joints, one row: the optimum is inside", true);
}

int main(int argc, char **argv) {
  folder = argc > 1 ? argv[1] : NULL;
  RUN(push_below_breakaway);
  RUN(push_above_breakaway);
  RUN(imposed_acceleration);
  RUN(one_row_of_two_joints);
  return test_end();
}
