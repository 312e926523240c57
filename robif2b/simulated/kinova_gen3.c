/* SPDX-License-Identifier: MIT */
/* kinova_gen3.c: a simulated Kinova Gen3 behind robif2b's ports. */
#include <robif2b/functions/kinova_gen3.h>

#include "arm.h"
#include "kinds.h"

#include <math.h>
#include <string.h>

enum { NJ = ROBIF2B_KINOVA_GEN3_NR_JOINTS };

/* The same ports as those of any arm. */
static struct achd_arm_nbx ports(const struct robif2b_kinova_gen3_nbx *b) {
  return (struct achd_arm_nbx){.address = b->conf.ip_address,
                               .num_joints = NJ,
                               .cycle_time = b->cycle_time,
                               .ctrl_mode = b->ctrl_mode,
                               .jnt_pos_msr = b->jnt_pos_msr,
                               .jnt_vel_msr = b->jnt_vel_msr,
                               .jnt_trq_msr = b->jnt_trq_msr,
                               .act_cur_msr = b->act_cur_msr,
                               .jnt_pos_cmd = b->jnt_pos_cmd,
                               .jnt_vel_cmd = b->jnt_vel_cmd,
                               .jnt_trq_cmd = b->jnt_trq_cmd,
                               .act_cur_cmd = b->act_cur_cmd,
                               .imu_ang_vel_msr = b->imu_ang_vel_msr,
                               .imu_lin_acc_msr = b->imu_lin_acc_msr,
                               .fault_flags = b->fault_flags,
                               .warning_flags = b->warning_flags,
                               .jnt_fault_flags = b->jnt_fault_flags,
                               .jnt_warning_flags = b->jnt_warning_flags,
                               .arm_state = b->arm_state,
                               .error = b->error,
                               .success = b->success,
                               .comm = (struct achd_arm *)(void *)b->comm,
                               .ctrl_mode_prev = b->ctrl_mode_prev};
}

static void keep(struct robif2b_kinova_gen3_nbx *b, const struct achd_arm_nbx *p) {
  b->comm = (struct robif2b_kinova_gen3_comm *)(void *)p->comm;
  b->ctrl_mode_prev = p->ctrl_mode_prev;
}

/* Through the supply: what the motors turn into motion, and 10 W for the electronics [A]. */
static double supply_current(const achd_arm *arm) {
  double power = 10;
  for (int j = 0; j < NJ; j++) power += fabs(arm->motors.motor[j].tau * arm->qd[j]);
  return power / arm->voltage;
}

static void publish_all(double *port, double value) {
  for (int j = 0; port && j < NJ; j++) port[j] = value;
}

static void publish_one(double *port, double value) {
  if (port) *port = value;
}

/* Optional ports that other arms do not have. Temperatures are constant. */
static void publish_more(const struct robif2b_kinova_gen3_nbx *b) {
  static const double warm = 35, ambient = 25; /* [degree Celsius] */
  achd_world_lock();                           /* another device's thread may advance the world */
  const achd_arm *arm = achd_arm_of(b->comm);
  if (!arm) {
    achd_world_unlock();
    return;
  }
  publish_all(b->jnt_volt_msr, arm->voltage);
  publish_all(b->jnt_temp_motor_msr, warm);
  publish_all(b->jnt_temp_core_msr, warm);
  publish_all(b->jnt_comm_jitter_msr, 0);
  publish_one(b->arm_volt_msr, arm->voltage);
  publish_one(b->arm_cur_msr, supply_current(arm));
  publish_one(b->cpu_temp_msr, warm);
  publish_one(b->ambient_temp_msr, ambient);
  if (b->icm_imu_ang_vel_msr)
    memcpy(b->icm_imu_ang_vel_msr, arm->wrist_gyro, sizeof arm->wrist_gyro);
  if (b->icm_imu_lin_acc_msr)
    memcpy(b->icm_imu_lin_acc_msr, arm->wrist_acceleration, sizeof arm->wrist_acceleration);
  achd_world_unlock();
}

/* One of the arm's functions, on the same ports. */
static void call(struct robif2b_kinova_gen3_nbx *b, void (*function)(struct achd_arm_nbx *)) {
  if (!b) return;
  struct achd_arm_nbx p = ports(b);
  function(&p);
  keep(b, &p);
}

static void connect(struct achd_arm_nbx *p) {
  achd_world_lock();
  achd_arm_connect(p, "gen3", achd_world_kinds);
  achd_world_unlock();
}

void robif2b_kinova_gen3_configure(struct robif2b_kinova_gen3_nbx *b) {
  call(b, connect);
  if (b && b->success && *b->success) publish_more(b);
}

void robif2b_kinova_gen3_recover(struct robif2b_kinova_gen3_nbx *b) {
  call(b, achd_arm_recover);
}

void robif2b_kinova_gen3_start(struct robif2b_kinova_gen3_nbx *b) {
  call(b, achd_arm_start);
}

void robif2b_kinova_gen3_update(struct robif2b_kinova_gen3_nbx *b) {
  call(b, achd_arm_update);
  if (b && b->success && *b->success) publish_more(b);
}

void publish_measurement(struct robif2b_kinova_gen3_nbx *b) {
  call(b, achd_arm_publish);
  if (b) publish_more(b);
}

void robif2b_kinova_gen3_stop(struct robif2b_kinova_gen3_nbx *b) {
  call(b, achd_arm_stop);
}

void robif2b_kinova_gen3_shutdown(struct robif2b_kinova_gen3_nbx *b) {
  call(b, achd_arm_shutdown);
}
