/* SPDX-License-Identifier: MIT */
#ifndef ROBIF2B_TYPES_KINOVA_GEN3_H
#define ROBIF2B_TYPES_KINOVA_GEN3_H

#include <robif2b/types/control_mode.h>
#include <stdbool.h>

#define ROBIF2B_KINOVA_GEN3_NR_JOINTS 7

struct robif2b_kinova_gen3_config {
  const char *ip_address;
  int port, port_real_time;
  const char *user, *password;
  int session_timeout, connection_timeout;
};

struct robif2b_kinova_gen3_comm;

struct robif2b_kinova_gen3_nbx {
  struct robif2b_kinova_gen3_config conf;
  const double *cycle_time;
  enum robif2b_ctrl_mode *ctrl_mode;
  double *jnt_pos_msr, *jnt_vel_msr, *jnt_trq_msr, *act_cur_msr;
  const double *jnt_pos_cmd, *jnt_vel_cmd, *jnt_trq_cmd, *act_cur_cmd;
  double *imu_ang_vel_msr, *imu_lin_acc_msr;
  bool *success;
  struct robif2b_kinova_gen3_comm *comm;
  enum robif2b_ctrl_mode ctrl_mode_prev;
};

#endif
