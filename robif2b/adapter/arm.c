/* SPDX-License-Identifier: MIT */
/* arm.c: the control loop on a simulated arm of any number of joints. */
#include <achd/robif2b_arm.h>

#include "../clock.h"
#include "../simulated/device_time.h"
#include "external.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

/* Until the next exchange is due, where the world has a clock that has to be waited for. */
static void wait_for_cycle(achd_loop_arm *arm) {
  if (achd_device_stepped(arm->device.comm)) return;
  achd_clock_wait(&arm->due, arm->cycle_time);
}

static void set_ports(achd_loop_arm *arm, const achd_loop_arm_setup *setup) {
  struct achd_arm_nbx *b = &arm->device;
  b->address = setup->address;
  b->num_joints = setup->num_joints;
  b->cycle_time = &arm->cycle_time;
  b->ctrl_mode = &arm->mode;
  b->jnt_pos_msr = arm->q;
  b->jnt_vel_msr = arm->qd;
  b->jnt_trq_msr = arm->trq_raw;
  b->act_cur_msr = arm->current;
  b->jnt_pos_cmd = arm->q_cmd;
  b->jnt_vel_cmd = arm->qd_cmd;
  b->jnt_trq_cmd = arm->tau_cmd;
  b->act_cur_cmd = arm->current_cmd;
  b->imu_ang_vel_msr = arm->gyro;
  b->imu_lin_acc_msr = arm->acceleration;
  b->force_msr = arm->force;
  b->moment_msr = arm->moment;
  b->fault_flags = &arm->fault_flags;
  b->jnt_fault_flags = arm->joint_faults;
  b->success = &arm->success;
}

/* The ports as the loop wants them. */
static void take_reading(achd_loop_arm *arm) {
  for (int j = 0; j < arm->device.num_joints; j++) {
    arm->tau[j] = -arm->trq_raw[j];
    /* from the reading before; nothing is known of the time over which a failed one is missing */
    arm->qdd[j] =
        arm->period > 0 && arm->age == 0 ? (arm->qd[j] - arm->qd_before[j]) / arm->period : 0;
    arm->qd_before[j] = arm->qd[j];
  }
  arm->stamp++;
  arm->age = 0;
}

bool achd_loop_arm_connect(achd_loop_arm *arm, const achd_loop_arm_setup *setup) {
  memset(arm, 0, sizeof *arm);
  if (setup->num_joints < 1 || setup->num_joints > ACHD_ARM_JOINTS) return false;
  arm->cycle_time = setup->cycle_time > 0 ? setup->cycle_time : 1e-3;
  arm->period = arm->cycle_time;
  arm->wrench_time = setup->wrench_time > 0 ? setup->wrench_time : 5e-3;
  arm->mode = ROBIF2B_CTRL_MODE_FORCE;
  for (int j = 0; setup->rotors && j < setup->num_joints; j++) arm->rotors[j] = setup->rotors[j];
  set_ports(arm, setup);
  achd_arm_configure(&arm->device);
  arm->connected = arm->success;
  if (!arm->success) return false;
  take_reading(arm);
  for (int j = 0; j < setup->num_joints; j++)
    arm->tau_cmd[j] = isfinite(arm->tau[j]) ? arm->tau[j] : 0;
  if (!achd_loop_arm_recover(arm)) {
    achd_loop_arm_disconnect(arm);
    return false;
  }
  arm->time = achd_device_time(arm->device.comm);
  return true;
}

void achd_loop_arm_read(achd_loop_arm *arm, achd_measurement *measured) {
  const double before = arm->time;
  const bool first = arm->stamp == 1;
  wait_for_cycle(arm);
  if (arm->connected && arm->started) {
    achd_arm_update(&arm->device);
    arm->time = achd_device_time(arm->device.comm);
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
  for (int j = 0; j < arm->device.num_joints; j++) {
    measured->q[j] = arm->q[j];
    measured->qd[j] = arm->qd[j];
  }
  measured->joints_stamp = measured->wrench_stamp = arm->stamp;
  measured->joints_age = measured->wrench_age = arm->age;
  measured->drives_fault = arm->fault_flags != 0;
}

void achd_loop_arm_command(achd_loop_arm *arm, const achd_loop *loop) {
  for (int j = 0; j < arm->device.num_joints; j++) arm->tau_cmd[j] = loop->tau[j];
  const bool again = arm->disabled; /* until the loop is rearmed it says so in each cycle */
  arm->disabled = loop->mode == ACHD_LOOP_DISABLE;
  if (!arm->disabled || again || !arm->started) return;
  achd_arm_stop(&arm->device);
  arm->started = false;
}

bool achd_loop_arm_recover(achd_loop_arm *arm) {
  if (!arm->connected) return false;
  achd_arm_recover(&arm->device);
  if (!arm->success) return false;
  achd_arm_start(&arm->device);
  arm->started = arm->success;
  return arm->success;
}

void achd_loop_arm_disconnect(achd_loop_arm *arm) {
  if (!arm->connected) return;
  if (arm->started) achd_arm_stop(&arm->device);
  achd_arm_shutdown(&arm->device);
  arm->connected = arm->started = false;
}

void achd_loop_arm_sensor(const achd_loop_arm *arm, const achd_pose *tool,
                          achd_measurement *measured) {
  achd_rotate(&tool->R, arm->force, measured->wrench.lin);
  achd_rotate(&tool->R, arm->moment, measured->wrench.ang);
}

void achd_loop_arm_wrench(achd_loop_arm *arm, const double *lin, const double *ang,
                          const double *torques, achd_wrench *wrench) {
  const int n = arm->device.num_joints;
  const double *J[6];
  for (int i = 0; i < 3; i++) {
    J[i] = lin + (ptrdiff_t)i * n;
    J[3 + i] = ang + (ptrdiff_t)i * n;
  }
  const achd_external reading = {n, J, torques, arm->rotors, arm->qdd, arm->tau};
  const double share = arm->period / (arm->period + arm->wrench_time);
  if (n >= 6 && arm->age == 0) achd_external_follow(&reading, share, &arm->wrench);
  *wrench = arm->wrench;
}
