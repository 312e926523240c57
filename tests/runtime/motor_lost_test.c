/* SPDX-License-Identifier: MIT */
/* motor_lost_test.c: docs/examples/controller on an arm of which a motor loses its torque: the loop
 * tells it and disables the drives within 55 ms, and the joint moves by 0.3 rad at most. The example's
 * main is called with an arm of ours, whose drives' brakes take 20 rad/s^2. */
#include "gen3_achd.h"
#include "test.h"

#include <achd/loop.h>

int controller_main(int argc, char **argv);
void arm_lose_encoders(void);
void arm_read(achd_measurement *measured);
void arm_command(achd_loop_mode mode, const double *tau, double period);

static const double friction = 0.5, brakes = 20; /* [N m], [rad/s^2] */

static struct {
  double q[GEN3_NJ], qd[GEN3_NJ], time;
  int lost;            /* joint whose motor has no torque; -1: none */
  double at;           /* from then on [s] */
  double from;         /* where the joint was */
  double disabled;     /* when the loop has done so [s]; 0: never */
  double travel, held; /* of the joint since [rad]; torque that its motor bore [N m] */
} arm;

void arm_lose_encoders(void) {}

void arm_read(achd_measurement *measured) {
  memset(measured, 0, sizeof *measured);
  memcpy(measured->q, arm.q, sizeof arm.q);
  memcpy(measured->qd, arm.qd, sizeof arm.qd);
}

static void note(achd_loop_mode mode, const double *tau) {
  const bool lost = arm.lost >= 0 && arm.time >= arm.at;
  if (!lost) return;
  if (arm.held == 0) arm.held = tau[arm.lost], arm.from = arm.q[arm.lost];
  if (mode == ACHD_LOOP_DISABLE && arm.disabled == 0) arm.disabled = arm.time;
  arm.travel = fmax(arm.travel, fabs(arm.q[arm.lost] - arm.from));
}

static void move(achd_loop_mode mode, const double *tau, double period) {
  gen3_fd_in in = GEN3_FD_IN_DEFAULT;
  gen3_fd_out out;
  memcpy(in.q, arm.q, sizeof in.q);
  memcpy(in.qd, arm.qd, sizeof in.qd);
  for (int j = 0; j < GEN3_NJ; j++) {
    const bool lost = j == arm.lost && arm.time >= arm.at;
    in.tau[j] = (lost ? 0 : tau[j]) - friction * tanh(arm.qd[j] / 0.01);
  }
  gen3_fd(&in, &out);
  for (int j = 0; j < GEN3_NJ; j++) {
    const double slower = fmax(0, fabs(arm.qd[j]) - brakes * period);
    arm.qd[j] =
        mode == ACHD_LOOP_DISABLE ? copysign(slower, arm.qd[j]) : arm.qd[j] + period * out.qdd[j];
    arm.q[j] += period * arm.qd[j];
  }
  arm.time += period;
}

void arm_command(achd_loop_mode mode, const double *tau, double period) {
  note(mode, tau);
  move(mode, tau, period);
}

static void run(int lost, double at) {
  static const double start[GEN3_NJ] = {0, 0.26, 3.14, -2.27, 0, 0.96, 1.57};
  static double still[GEN3_NJ];
  memset(&arm, 0, sizeof arm);
  memcpy(arm.q, start, sizeof arm.q);
  arm.lost = lost, arm.at = at;
  CHECK(controller_main(1, NULL) == 0);
  for (int k = 0; k < 1000 && arm.disabled > 0; k++) /* until the brakes have closed */
    arm_command(ACHD_LOOP_DISABLE, still, 1e-3);
}

static void motors_that_work_are_believed(void) {
  run(-1, 0);
  CHECK(arm.disabled == 0 && arm.time > 9); /* a second after the goal the brakes hold it */
}

/* On the way, and at rest: the goal is reached after 8.1 s. On the way the tool may leave its path first
 * (ACHD_LOOP_TOOL), and the stop that this begins is what shows that the motor is missing: 3 ms later. */
static void a_motor_that_bears_weight_is_told(void) {
  static const double times[] = {1, 3, 5, 9};
  static const int joints[] = {1, 3}; /* both bear more than 3 N m */
  for (int i = 0; i < 2; i++)
    for (int k = 0; k < 4; k++) {
      run(joints[i], times[k]);
      printf("  joint %d, %.1f N m, lost at %.0f s: disabled after %.0f ms, travel %.3f rad\n",
             joints[i] + 1, arm.held, times[k], 1e3 * (arm.disabled - times[k]), arm.travel);
      CHECK(fabs(arm.held) > 3 && arm.disabled > times[k] && arm.disabled - times[k] < 0.055);
      CHECK(arm.travel < 0.3);
    }
}

int main(void) {
  RUN(motors_that_work_are_believed);
  RUN(a_motor_that_bears_weight_is_told);
  return test_end();
}
