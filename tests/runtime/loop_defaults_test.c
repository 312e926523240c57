/* SPDX-License-Identifier: MIT */
/* loop_defaults_test.c: the same arm in the loop by two headers: gravity as a constant of the layout, and everything that a layout
 * can leave to run time as inputs that the program does not set: gravity, an inertia, a load, further torques and wrenches. All
 * functions of achd/loop_robot.h give the same numbers; both arms hold still, and reach the same place. */
#include <achd/loop.h>
#include <achd/loop_robot.h>

#include "gen3_fixed.h"
#include "gen3_given.h"
#include "random.h"
#include "test.h"

enum { NJ = FIXED_NJ };

ACHD_LOOP_ROBOT(fixed, FIXED, tool_frame, tool, push, press);
ACHD_LOOP_TORQUES(fixed, FIXED, push);
ACHD_LOOP_ACCELERATIONS(fixed, FIXED, push);
ACHD_LOOP_ROBOT(given, GIVEN, tool_frame, tool, push, press);
ACHD_LOOP_TORQUES(given, GIVEN, push);
ACHD_LOOP_ACCELERATIONS(given, GIVEN, push);

/* An arm that hangs from the ceiling, by the macro. */
#define HANGS(in, context) ((in).gravity[2] = 9.81, (void)(context))
#define hung_fk_in given_fk_in
#define hung_fk_out given_fk_out
#define hung_fk given_fk
#define hung_fvk_in given_fvk_in
#define hung_fvk_out given_fvk_out
#define hung_fvk given_fvk
#define hung_gravity_in given_gravity_in
#define hung_gravity_out given_gravity_out
#define hung_gravity given_gravity
#define hung_achd_in given_achd_in
#define hung_achd_out given_achd_out
#define hung_achd given_achd
#define hung_status given_status
ACHD_LOOP_ROBOT_WITH(achd_loop_posture, HANGS, hung, GIVEN, tool_frame, tool, push, press);

static double start[NJ] = {0, 0.26, 3.14, -2.27, 0, 0.96, 1.57};
static achd_loop_posture posture = {start, 20, 4, false};

static double apart(const achd_real *a, const achd_real *b) {
  double most = 0;
  for (int j = 0; j < NJ; j++) most = fmax(most, fabs(a[j] - b[j]));
  return most;
}

static double largest(const achd_real *a) {
  double most = 0;
  for (int j = 0; j < NJ; j++) most = fmax(most, fabs(a[j]));
  return most;
}

static achd_wrench drawn_wrench(unsigned long long *seed) {
  achd_wrench w;
  for (int i = 0; i < 3; i++)
    w.lin[i] = random_between(seed, -9, 9), w.ang[i] = random_between(seed, -1, 1);
  return w;
}

static void all_functions_give_the_same(void) {
  unsigned long long seed = 3;
  double farthest = 0, weight = 0, turned = 0;
  for (int k = 0; k < 300; k++) {
    achd_measurement m = {.q = {0}};
    achd_task_command command = {.axes = {{{0, 0, 1}, {1, 0, 0}, {0, 1, 0}}}};
    achd_solution a, b;
    achd_real tau[2][NJ], qdd[NJ];
    for (int j = 0; j < NJ; j++) {
      m.q[j] = random_between(&seed, -2, 2), m.qd[j] = random_between(&seed, -1, 1);
      qdd[j] = random_between(&seed, -3, 3);
    }
    for (int i = 0; i < 6; i++) {
      command.b[i] = random_between(&seed, -3, 3);
      command.mask[i] = random_between(&seed, 0, 1) < 0.7;
    }
    m.wrench = drawn_wrench(&seed), command.wrench = drawn_wrench(&seed);
    posture.gravity_acts = k % 5 == 4;
    fixed_loop_solve(&posture, &m, &command, &a);
    given_loop_solve(&posture, &m, &command, &b);
    CHECK(a.usable == b.usable && a.singular == b.singular && a.usable);
    const double scale = fmax(1, fmax(largest(a.tau), largest(a.qdd)));
    farthest = fmax(farthest, fmax(apart(a.tau, b.tau), apart(a.qdd, b.qdd)) / scale);
    fixed_loop_gravity(&posture, &m, tau[0]);
    given_loop_gravity(&posture, &m, tau[1]);
    farthest = fmax(farthest, apart(tau[0], tau[1]));
    weight = fmax(weight, largest(tau[1]));
    hung_loop_gravity(&posture, &m, tau[1]);
    for (int j = 0; j < NJ; j++) turned = fmax(turned, fabs(tau[0][j] + tau[1][j]));
    fixed_loop_torques(&posture, &m, qdd, tau[0]);
    given_loop_torques(&posture, &m, qdd, tau[1]);
    farthest = fmax(farthest, apart(tau[0], tau[1]));
    fixed_loop_accelerations(&posture, &m, tau[0], tau[1]);
    CHECK(apart(tau[1], qdd) < 1e-9 * (1 + largest(tau[0])));
    given_loop_accelerations(&posture, &m, tau[0], tau[1]);
    CHECK(apart(tau[1], qdd) < 1e-9 * (1 + largest(tau[0])));
  }
  posture.gravity_acts = false;
  printf("  apart by %.1e, largest weight %.1f N m, hung from the ceiling %.1e\n", farthest, weight,
         turned);
  CHECK(farthest < 1e-9 && weight > 20 && turned < 1e-9);
}

/* Nothing but rows that are masked out: the arm neither sinks nor rises. */
static void both_hold_still(void) {
  static void (*const solve[2])(void *, const achd_measurement *, const achd_task_command *,
                                achd_solution *) = {fixed_loop_solve, given_loop_solve};
  for (int k = 0; k < 2; k++) {
    achd_measurement m = {.q = {0}};
    const achd_task_command command = {.axes = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}};
    achd_solution s;
    memcpy(m.q, start, sizeof start);
    for (int cycle = 0; cycle < 1000; cycle++) {
      solve[k](&posture, &m, &command, &s);
      fixed_fd_in in = FIXED_FD_IN_DEFAULT;
      fixed_fd_out out;
      memcpy(in.q, m.q, sizeof in.q);
      memcpy(in.qd, m.qd, sizeof in.qd);
      memcpy(in.tau, s.tau, sizeof in.tau);
      fixed_fd(&in, &out);
      for (int j = 0; j < NJ; j++) m.qd[j] += 1e-3 * out.qdd[j], m.q[j] += 1e-3 * m.qd[j];
    }
    const double moved = apart(m.q, start);
    printf("  %s: moved by %.1e rad in 1 s\n", k ? "inputs" : "constant", moved);
    CHECK(moved < 1e-9);
  }
}

int main(void) {
  RUN(all_functions_give_the_same);
  RUN(both_hold_still);
  return test_end();
}
