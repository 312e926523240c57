/* SPDX-License-Identifier: MIT */
/* wrench_test.c: conditioning of a measured wrench: tare, load, low pass, bound and rate of the feed-forward; and in the loop: what
 * the model is given of a sensor that awakes, and what no motor could bear. */
#include <achd/loop.h>

#include "test.h"

#include <math.h>
#include <string.h>

#define REAL(x) ((achd_real)(x))
static const double eps = sizeof(achd_real) == 4 ? 2e-5 : 1e-12;
static const achd_real period = REAL(1e-3);
static const achd_real still[3] = {0, 0, 0};

/* z of the tool is the base's x. */
static const achd_rotation sideways = {{{0, 0, 1}, {0, 1, 0}, {-1, 0, 0}}};

static void load_is_removed(void) {
  const achd_wrench_parameters p = {.mass = 2, .centre = {0, 0, REAL(0.1)}};
  const achd_real a[3] = {1, 0, REAL(0.19)};
  achd_wrench_run run = {0};
  /* f = 2 (0 0 -9.81 - a) at r = (0.1, 0, 0); r x f = (0, -r_x f_z, r_x f_y) */
  const achd_wrench reading = {{3 - 2, 4, 5 - 20}, {0, 2, 1}};
  achd_wrench_take(&run, &p, &reading, &sideways, a, period);
  const double lin[3] = {3, 4, 5}, ang[3] = {0, 2 - 0.1 * 20, 1};
  for (int i = 0; i < 3; i++) CHECK_NEAR(run.net.lin[i], lin[i], 10 * eps);
  for (int i = 0; i < 3; i++) CHECK_NEAR(run.net.ang[i], ang[i], 10 * eps);
  achd_wrench_parameters other = p;
  other.gravity[0] = 10; /* of a robot that hangs on a wall */
  achd_wrench_take(&run, &other, &(achd_wrench){{20, 0, 0}, {0}}, &sideways, still, period);
  for (int i = 0; i < 3; i++) CHECK_NEAR(run.net.lin[i], 0, 10 * eps);
}

/* The zero of the sensor turns with the tool. */
static void tare_is_the_sensor_s(void) {
  const achd_wrench_parameters p = {.mass = 1};
  const achd_rotation upright = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
  const achd_wrench first = {{1, 2, REAL(3 - 9.81)}, {4, 5, 6}};
  achd_wrench_run run = {0};
  for (int k = 0; k < 499; k++) achd_wrench_take(&run, &p, &first, &upright, still, period);
  CHECK(!achd_wrench_tare(&run) && run.tare.lin[0] == 0);
  for (int k = 0; k < 1501; k++) achd_wrench_take(&run, &p, &first, &upright, still, period);
  CHECK(achd_wrench_tare(&run));
  /* sideways: x y z of the tool are -z, y, x of the base */
  const achd_wrench turned = {{3, 2, REAL(-1 - 9.81)}, {6, 5, -4}};
  achd_wrench_take(&run, &p, &turned, &sideways, still, period);
  for (int i = 0; i < 3; i++) CHECK_NEAR(run.net.lin[i], 0, 1e-3);
  for (int i = 0; i < 3; i++) CHECK_NEAR(run.net.ang[i], 0, 1e-3);
}

static void readings_are_smoothed(void) {
  const achd_wrench step = {{7, 0, 0}, {0, 0, 7}};
  for (int k = 0; k < 2; k++) {
    const achd_wrench_parameters p = {.smoothing = k ? REAL(0.01) : 0};
    achd_wrench_run run = {0};
    for (int n = 0; n < 10; n++) achd_wrench_take(&run, &p, &step, &sideways, still, period);
    const double reached = k ? 1 - pow(10.0 / 11, 10) : 1;
    CHECK_NEAR(run.felt.lin[0], 7 * reached, 100 * eps);
    CHECK_NEAR(run.felt.ang[2], 7 * reached, 100 * eps);
    const achd_wrench before = run.felt;
    achd_wrench_take(&run, &p, &(achd_wrench){{0}, {0}}, &sideways, still, REAL(NAN));
    CHECK(run.felt.lin[0] == before.lin[0]);
  }
}

/* The joint bears 0.5 m times the force along x, with an effort of 40 N m: 24 N are 0.3 of it, and 40 N/s its half in a second. */
static void feed_forward_is_bounded(void) {
  const achd_twist columns[3] = {
      {{REAL(0.5), 0, 0}, {0}}, {{9, 9, 9}, {9, 9, 9}}, {{9, 0, 0}, {0}}};
  const achd_real effort[3] = {40, 0, REAL(INFINITY)};
  const achd_wrench_limits limits = {3, columns, effort};
  const achd_wrench_parameters usual = {0},
                               none = {.share = REAL(INFINITY), .rate = REAL(INFINITY)};
  const achd_wrench reading = {{100, 50, 0}, {0}};
  CHECK_NEAR(achd_wrench_load(&limits, &reading), 1.25, 10 * eps);
  achd_wrench_run run = {0};
  double most = 0, before = 0;
  for (int k = 0; k < 1000; k++) {
    achd_wrench_take(&run, &usual, &reading, &sideways, still, period);
    achd_wrench_feed(&run, &usual, &limits, period);
    most = fmax(most, run.fed.lin[0] - before), before = run.fed.lin[0];
  }
  CHECK_NEAR(most, 0.04, 1e-4);
  CHECK_NEAR(run.fed.lin[0], 24, 1e-3);
  CHECK_NEAR(run.fed.lin[1], 12, 1e-3); /* its direction stays */
  achd_wrench_feed(&run, &none, &limits, period);
  CHECK_NEAR(run.fed.lin[0], 100, 1e-3);
  achd_wrench_feed(&run, &usual, &limits, 0);
  CHECK_NEAR(run.fed.lin[0], 100, 1e-3);
}

static void senseless_numbers_are_refused(void) {
  achd_wrench_parameters p = {0};
  achd_real *const numbers[] = {&p.mass, &p.smoothing, &p.feeding,   &p.share,
                                &p.rate, &p.centre[1], &p.gravity[2]};
  CHECK(achd_wrench_valid(&p));
  for (int k = 0; k < 7; k++) {
    *numbers[k] = k < 5 ? -1 : REAL(INFINITY);
    CHECK(!achd_wrench_valid(&p));
    *numbers[k] = REAL(NAN);
    CHECK(!achd_wrench_valid(&p));
    *numbers[k] = 0;
  }
  CHECK(achd_wrench_valid(&p));
}

/* ---- in the loop ---- */

/* Three joints that slide along x, y and z, with 40 N each. The tool is what they carry, and a move keeps it where it is. */
enum { N = 3, STOP = 0, REST = 1, NO_EVENT = 0, FAULT, GO };
static const char *const states[] = {"stop", "rest"};
static const char *const events[] = {"none", "fault", "go"};
static const achd_transition transitions[] = {{"stop", 3, STOP}, {"rest", 1u << STOP, REST}};
static const achd_reaction reactions[] = {{FAULT, 0, 0}, {GO, 1, 0}};
static const achd_machine machine = {
    "rests", 2, 3, 2, 2, STOP, states, events, transitions, reactions, 1u << FAULT, 1u << GO};

static void kinematics(void *context, const achd_measurement *m, achd_pose *pose,
                       achd_twist *twist) {
  const achd_pose upright = {{0}, {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}};
  (void)context;
  *pose = upright;
  memset(twist, 0, sizeof *twist);
  for (int i = 0; i < N; i++) pose->p[i] = m->q[i], twist->lin[i] = m->qd[i];
}

static void solve(void *context, const achd_measurement *m, const achd_task_command *command,
                  achd_solution *s) {
  (void)context, (void)m, (void)command;
  s->usable = false;
}

static void gravity(void *context, const achd_measurement *m, achd_real *tau) {
  (void)context, (void)m;
  memset(tau, 0, N * sizeof *tau);
}

static achd_real fed[N]; /* what the model was given last */

static void torques(void *context, const achd_measurement *m, const achd_real *qdd,
                    achd_real *tau) {
  (void)context;
  for (int j = 0; j < N; j++) fed[j] = m->wrench.lin[j], tau[j] = qdd[j] - fed[j];
}

/* A sensor that shows 0, and then in every cycle the same force, of which no torque is fed forward faster than it may be, not even in
 * the first cycles. Of 100 N along an axis, a motor of 40 N would have to bear more than twice its effort. */
static void a_sensor_that_awakes_is_bounded(void) {
  const achd_loop_joint joint = {{-1, 1, 1}, 40, {REAL(8), REAL(60), REAL(0.5), -40, 40}};
  const achd_loop_joint joints[N] = {joint, joint, joint};
  const achd_loop_robot robot = {N, joints, NULL, kinematics, solve, gravity};
  const achd_real to[N] = {0};
  const achd_move_limits limit = {-1, 1, 1, 1, 10}, limits[N] = {limit, limit, limit};
  achd_move_profile profiles[N];
  const achd_loop_move move = {to, limits, profiles, 25, REAL(0.1), torques};
  const achd_loop_setup setup = {.robot = &robot,
                                 .machine = &machine,
                                 .states = {{ACHD_LOOP_STOP, NULL}, {ACHD_LOOP_MOVE, NULL}},
                                 .events = {.fault = FAULT},
                                 .latest = REAL(3e-3),
                                 .saturation_time = 1,
                                 .singular_time = 1,
                                 .braking_time = 1,
                                 .moves = {NULL, &move}};
  for (int axis = 0; axis < N; axis++) {
    for (int large = 0; large < 2; large++) {
      achd_loop loop;
      achd_measurement m = {.q = {0}};
      memset(fed, 0, sizeof fed);
      CHECK(achd_loop_start(&loop, &setup));
      CHECK(achd_loop_raise(&loop, GO));
      for (int k = 0; k < 10; k++) achd_loop_cycle(&loop, &m, period);
      CHECK(loop.mode == ACHD_LOOP_TORQUE && loop.fault == ACHD_LOOP_FINE);
      m.wrench.lin[axis] = large ? 100 : 30;
      double most = 0;
      for (int k = 0; k < 40; k++) {
        const double before = (double)fed[axis];
        achd_loop_cycle(&loop, &m, period);
        most = fmax(most, fabs((double)fed[axis] - before));
        if (large && k >= N) CHECK((loop.fault & ACHD_LOOP_IMPLAUSIBLE) != 0);
      }
      CHECK(most <= 0.5 * 40 * 1e-3 + 1e-5);
      if (!large) CHECK(loop.fault == ACHD_LOOP_FINE && most > 0.019 && fed[axis] > REAL(0.5));
    }
  }
}

int main(void) {
  RUN(load_is_removed);
  RUN(tare_is_the_sensor_s);
  RUN(readings_are_smoothed);
  RUN(feed_forward_is_bounded);
  RUN(senseless_numbers_are_refused);
  RUN(a_sensor_that_awakes_is_bounded);
  return test_end();
}
