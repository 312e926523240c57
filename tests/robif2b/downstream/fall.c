/* SPDX-License-Identifier: MIT */
/* fall.c: an arm that is commanded no torque for 3000 cycles, as a first program for it is. */
#include <robif2b/functions/kinova_gen3.h>

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <unistd.h>

int main(int argc, char **argv) {
  bool success = false;
  enum robif2b_ctrl_mode mode = ROBIF2B_CTRL_MODE_FORCE;
  double cycle_time = 0.001, position[7], velocity[7], torque[7], current[7], gyro[3],
         acceleration[3];
  double no_position[7] = {0}, no_velocity[7] = {0}, no_torque[7] = {0}, no_current[7] = {0};
  struct robif2b_kinova_gen3_nbx arm = {.conf.ip_address = argc > 1 ? argv[1] : "192.168.1.10",
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
                                        .jnt_pos_cmd = no_position,
                                        .jnt_vel_cmd = no_velocity,
                                        .jnt_trq_cmd = no_torque,
                                        .act_cur_cmd = no_current,
                                        .imu_ang_vel_msr = gyro,
                                        .imu_lin_acc_msr = acceleration,
                                        .success = &success};
  robif2b_kinova_gen3_configure(&arm);
  if (!success) goto shutdown;
  robif2b_kinova_gen3_recover(&arm);
  if (!success) goto shutdown;
  robif2b_kinova_gen3_start(&arm);
  if (!success) goto stop;
  const double before = position[1];
  for (int i = 0; i < 3000; i++) {
    robif2b_kinova_gen3_update(&arm);
    if (!success) {
      printf("update %d failed\n", i);
      goto stop;
    }
    if (i % 20 == 0) usleep(1000);
  }
  printf("joint 2 fell by %.1f rad\n", fabs(position[1] - before));
stop:
  robif2b_kinova_gen3_stop(&arm);
shutdown:
  robif2b_kinova_gen3_shutdown(&arm);
  return success ? 0 : 1;
}
