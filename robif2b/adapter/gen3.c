/* SPDX-License-Identifier: MIT */
/* gen3.c: the control loop on a Kinova Gen3, through robif2b. */
#include <achd/robif2b_gen3.h>

#include "../clock.h"
#include "external.h"

#include <math.h>
#include <string.h>

#ifdef ACHD_ROBIF2B_SIMULATED
#include "../simulated/device_time.h"
#endif

enum { NJ = ACHD_GEN3_JOINTS };

static const double turn = 6.283185307179586, half_turn = 3.141592653589793;

/* { velocity per position error [1/s], torque per velocity error [N m s/rad], largest speed [rad/s],
 * smallest and largest torque [N m] } */
#define LARGE(low, high)                                                                           \
  {                                                                                                \
    {low, high, 1.3963}, 55, {                                                                     \
      8, 60, 0.5, -55, 55                                                                          \
    }                                                                                              \
  }
#define SMALL(low, high)                                                                           \
  {                                                                                                \
    {low, high, 1.2218}, 28, {                                                                     \
      8, 20, 0.5, -28, 28                                                                          \
    }                                                                                              \
  }
const achd_loop_joint achd_gen3_joints[NJ] = {
    LARGE(-INFINITY, INFINITY), LARGE(-2.21, 2.21), LARGE(-INFINITY, INFINITY), LARGE(-2.57, 2.57),
    SMALL(-INFINITY, INFINITY), SMALL(-2.09, 2.09), SMALL(-INFINITY, INFINITY)};

/* A joint brakes with 4 rad/s^2 at least. */
const achd_loop_guard achd_gen3_guards[NJ] = {
    {.deceleration = 4}, {.deceleration = 4}, {.deceleration = 4}, {.deceleration = 4},
    {.deceleration = 4}, {.deceleration = 4}, {.deceleration = 4}};

const double achd_gen3_rotors[NJ] = {0.5580, 0.5580, 0.5580, 0.5580, 0.1389, 0.1389, 0.1389};

const char *achd_gen3_library(void) {
#ifdef ACHD_ROBIF2B_SIMULATED
  return "simulated";
#else
  return "real";
#endif
}

/* Of the world, or of the machine [s]. */
static double time_now(const achd_gen3 *arm) {
#ifdef ACHD_ROBIF2B_SIMULATED
  return achd_device_time(arm->device.comm);
#else
  (void)arm;
  return achd_clock();
#endif
}

/* Until the next exchange is due. A stepped world has no clock that would have to be waited for. */
static void wait_for_cycle(achd_gen3 *arm) {
#ifdef ACHD_ROBIF2B_SIMULATED
  if (achd_device_stepped(arm->device.comm)) return;
#endif
  achd_clock_wait(&arm->due, arm->cycle_time);
}

/* Of the positions raw + 2 pi k the one nearest to another; what is not finite stays so. */
static double nearest(double raw, double other) {
  return other + remainder(raw - other, turn);
}

static void set_ports(achd_gen3 *arm, const achd_gen3_setup *setup) {
  struct robif2b_kinova_gen3_nbx *b = &arm->device;
  b->conf.ip_address = setup->ip_address ? setup->ip_address : "192.168.1.10";
  b->conf.port = 10000;
  b->conf.port_real_time = 10001;
  b->conf.user = setup->user ? setup->user : "admin";
  b->conf.password = setup->password ? setup->password : "admin";
  b->conf.session_timeout = 60000;
  b->conf.connection_timeout = 2000;
  b->cycle_time = &arm->cycle_time;
  b->ctrl_mode = &arm->mode;
  b->jnt_pos_msr = arm->q_raw;
  b->jnt_vel_msr = arm->qd;
  b->jnt_trq_msr = arm->trq_raw;
  b->act_cur_msr = arm->current;
  b->jnt_pos_cmd = arm->q_cmd;
  b->jnt_vel_cmd = arm->qd_cmd;
  b->jnt_trq_cmd = arm->tau_cmd;
  b->act_cur_cmd = arm->current_cmd;
  b->imu_ang_vel_msr = arm->gyro;
  b->imu_lin_acc_msr = arm->acceleration;
#ifdef ACHD_ROBIF2B_FAULTS
  b->fault_flags = &arm->fault_flags;
  b->jnt_fault_flags = arm->joint_faults;
#endif
  b->success = &arm->success;
}

/* The ports as the loop wants them. What is not finite does not get into the memory of turns. */
static void take_reading(achd_gen3 *arm) {
  for (int j = 0; j < NJ; j++) {
    const double q = nearest(arm->q_raw[j], arm->q_cmd[j]);
    arm->q[j] = q;
    if (isfinite(q)) arm->q_cmd[j] = q; /* the last position that was one */
    arm->tau[j] = -arm->trq_raw[j];
    /* from the reading before; nothing is known of the time over which a failed one is missing */
    arm->qdd[j] =
        arm->period > 0 && arm->age == 0 ? (arm->qd[j] - arm->qd_before[j]) / arm->period : 0;
    arm->qd_before[j] = arm->qd[j];
  }
  arm->stamp++;
  arm->age = 0;
}

bool achd_gen3_connect(achd_gen3 *arm, const achd_gen3_setup *setup) {
  memset(arm, 0, sizeof *arm);
  arm->cycle_time = setup->cycle_time > 0 ? setup->cycle_time : 1e-3;
  arm->period = arm->cycle_time;
  arm->wrench_time = setup->wrench_time > 0 ? setup->wrench_time : 5e-3;
  arm->mode = ROBIF2B_CTRL_MODE_FORCE;
  arm->q_cmd[2] = half_turn;
  if (setup->near) memcpy(arm->q_cmd, setup->near, sizeof arm->q_cmd);
  set_ports(arm, setup);
  robif2b_kinova_gen3_configure(&arm->device);
  arm->connected = arm->success;
  if (!arm->success) return false;
  take_reading(arm);
  for (int j = 0; j < NJ; j++) arm->tau_cmd[j] = isfinite(arm->tau[j]) ? arm->tau[j] : 0;
  if (!achd_gen3_recover(arm)) {
    achd_gen3_disconnect(arm);
    return false;
  }
  arm->time = time_now(arm);
  return true;
}

void achd_gen3_read(achd_gen3 *arm, achd_measurement *measured) {
  const double before = arm->time;
  const bool first = arm->stamp == 1;
  wait_for_cycle(arm);
  if (arm->connected && arm->started) {
    robif2b_kinova_gen3_update(&arm->device);
    arm->time = time_now(arm);
    arm->period = arm->time - before;
    /* between connecting and the first read there may be any time */
    if (first && arm->period > arm->cycle_time) arm->period = arm->cycle_time;
    if (arm->success)
      take_reading(arm);
    else
      arm->age += arm->period;
  } else {
    arm->period = arm->cycle_time;
    arm->age += arm->cycle_time;
  }
  memset(measured, 0, sizeof *measured);
  for (int j = 0; j < NJ; j++) {
    measured->q[j] = arm->q[j];
    measured->qd[j] = arm->qd[j];
  }
  measured->joints_stamp = measured->wrench_stamp = arm->stamp;
  measured->joints_age = measured->wrench_age = arm->age;
  measured->drives_fault = arm->fault_flags != 0;
}

void achd_gen3_command(achd_gen3 *arm, const achd_loop *loop) {
  for (int j = 0; j < NJ; j++) {
    arm->tau_cmd[j] = loop->tau[j];
    arm->qd_cmd[j] = 0;
  }
  /* A stop brakes by torques, too: changing the actuators' mode takes the arm several cycles. */
  arm->mode = ROBIF2B_CTRL_MODE_FORCE;
  const bool again = arm->disabled; /* until the loop is rearmed it says so in each cycle */
  arm->disabled = loop->mode == ACHD_LOOP_DISABLE;
  if (!arm->disabled || again || !arm->started) return;
  robif2b_kinova_gen3_stop(&arm->device);
  arm->started = false;
}

bool achd_gen3_recover(achd_gen3 *arm) {
  if (!arm->connected) return false;
  robif2b_kinova_gen3_recover(&arm->device);
  if (!arm->success) return false;
  arm->fault_flags = 0;
  if (!arm->started) robif2b_kinova_gen3_start(&arm->device);
  arm->started = arm->started || arm->success;
  return arm->success;
}

void achd_gen3_disconnect(achd_gen3 *arm) {
  if (!arm->connected) return;
  if (arm->started) robif2b_kinova_gen3_stop(&arm->device);
  robif2b_kinova_gen3_shutdown(&arm->device);
  arm->connected = arm->started = false;
}

/* Not const: C passes no arrays of arrays to such. */
/* cppcheck-suppress constParameter */
void achd_gen3_wrench(achd_gen3 *arm, double lin[3][NJ], double ang[3][NJ], const double *torques,
                      achd_wrench *wrench) {
  const double *J[6];
  for (int i = 0; i < 3; i++) {
    J[i] = lin[i];
    J[3 + i] = ang[i];
  }
  const achd_external reading = {NJ, J, torques, achd_gen3_rotors, arm->qdd, arm->tau};
  const double share = arm->period / (arm->period + arm->wrench_time);
  if (arm->age == 0) achd_external_follow(&reading, share, &arm->wrench);
  *wrench = arm->wrench;
}
