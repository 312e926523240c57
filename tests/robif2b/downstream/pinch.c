/* SPDX-License-Identifier: MIT */
/* pinch.c: written for robif2b and nothing else: the gripper behind an arm closes while the arm stands. */
#include "robif2b/functions/kinova_gen3.h"

#include <stdio.h>

enum { N = ROBIF2B_KINOVA_GEN3_NR_JOINTS };

int main(void) {
  bool success = false;
  double cycle_time = 0.001;
  enum robif2b_ctrl_mode mode = ROBIF2B_CTRL_MODE_VELOCITY;
  double position[N], velocity[N], torque[N], current[N], gyro[3], acceleration[3], still[N] = {0};
  float gripper_position[] = {0}, gripper_velocity[] = {0}, gripper_current[] = {0};
  float goal[] = {60}, speed[] = {80}, force[] = {50};
  enum robif2b_kinova_gen3_error error = ROBIF2B_KINOVA_NO_ERROR;
  enum robif2b_kinova_arm_state state = ROBIF2B_KINOVA_ARM_STATE_UNSPECIFIED;
  struct robif2b_kinova_gen3_nbx arm = {.conf.ip_address = "192.168.1.12",
                                        .conf.port = 10000,
                                        .conf.port_real_time = 10001,
                                        .conf.user = "admin",
                                        .conf.password = "admin",
                                        .conf.session_timeout = 60000,
                                        .conf.connection_timeout = 2000,
                                        .cycle_time = &cycle_time,
                                        .ctrl_mode = &mode,
                                        .jnt_pos_msr = position,
                                        .jnt_vel_msr = velocity,
                                        .jnt_trq_msr = torque,
                                        .act_cur_msr = current,
                                        .jnt_vel_cmd = still,
                                        .imu_ang_vel_msr = gyro,
                                        .imu_lin_acc_msr = acceleration,
                                        .arm_state = &state,
                                        .error = &error,
                                        .success = &success};
  struct robif2b_kg3_robotiq_gripper_nbx gripper = {.gripper_pos_msr = gripper_position,
                                                    .gripper_vel_msr = gripper_velocity,
                                                    .gripper_cur_msr = gripper_current,
                                                    .gripper_pos_cmd = goal,
                                                    .gripper_vel_cmd = speed,
                                                    .gripper_frc_cmd = force,
                                                    .success = &success};
  robif2b_kinova_gen3_configure(&arm);
  if (!success) goto shutdown;
  robif2b_kg3_robotiq_gripper_configure(&gripper, &arm);
  if (!success) goto shutdown;
  robif2b_kinova_gen3_recover(&arm);
  if (!success) goto shutdown;
  robif2b_kinova_gen3_start(&arm);
  if (!success) goto stop;
  robif2b_kg3_robotiq_gripper_start(&gripper);
  if (!success) goto stop;
  for (int i = 0; i < 1000 && success; i++) {
    robif2b_kg3_robotiq_gripper_update(&gripper);
    if (success) robif2b_kinova_gen3_update(&arm);
  }
  printf("%s: gripper at %.0f %%, arm in state %d\n", success ? "good" : "bad",
         (double)gripper_position[0], (int)state);
stop:
  robif2b_kg3_robotiq_gripper_stop(&gripper);
  robif2b_kinova_gen3_stop(&arm);
shutdown:
  robif2b_kinova_gen3_shutdown(&arm);
  return success && gripper_position[0] > 59 && gripper_position[0] < 61 ? 0 : 1;
}
