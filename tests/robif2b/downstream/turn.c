/* SPDX-License-Identifier: MIT */
/* turn.c: written for robif2b and nothing else: high-level control turns the tool by a moment about its
 * own axis, then moves it up. */
#include <robif2b/functions/kinova_gen3.h>

#include <math.h>
#include <stdio.h>

enum { N = ROBIF2B_KINOVA_GEN3_NR_JOINTS };

int main(void) {
  bool success = false;
  enum robif2b_hl_ctrl_mode mode = ROBIF2B_HL_CTRL_MODE_WRENCH;
  enum robif2b_kinova_cart_ref_frame frame = ROBIF2B_KINOVA_CART_REF_FRAME_TOOL;
  enum robif2b_kinova_cart_wrench_mode kind = ROBIF2B_KINOVA_CART_WRENCH_MODE_NORMAL;
  double position[N], velocity[N], torque[N], current[N], gyro[3], acceleration[3], external[6];
  double wrench[] = {0, 0, 0, 0, 0, 5}, twist[] = {0, 0, 0.05, 0, 0, 0};
  struct robif2b_kinova_gen3_hl_nbx arm = {.conf.ip_address = "192.168.1.10",
                                           .conf.port = 10000,
                                           .conf.user = "admin",
                                           .conf.password = "admin",
                                           .conf.session_timeout = 60000,
                                           .conf.connection_timeout = 2000,
                                           .ctrl_mode = &mode,
                                           .reference_frame = &frame,
                                           .wrench_mode = &kind,
                                           .jnt_pos_msr = position,
                                           .jnt_vel_msr = velocity,
                                           .jnt_trq_msr = torque,
                                           .act_cur_msr = current,
                                           .imu_ang_vel_msr = gyro,
                                           .imu_lin_acc_msr = acceleration,
                                           .tool_ext_wrench_msr = external,
                                           .twist_cmd = NULL,
                                           .wrench_cmd = wrench,
                                           .success = &success};
  double turned = 0, bent = 0;
  robif2b_kinova_gen3_hl_configure(&arm);
  if (!success) goto shutdown;
  robif2b_kinova_gen3_hl_recover(&arm);
  if (!success) goto shutdown;
  robif2b_kinova_gen3_hl_start(&arm);
  if (!success) goto stop;
  const double before = position[6], elbow = position[3];
  for (int i = 0; i < 1000 && success; i++) robif2b_kinova_gen3_hl_update(&arm);
  turned = fabs(remainder(position[6] - before, 6.283185307179586));
  arm.twist_cmd = twist;
  mode = ROBIF2B_HL_CTRL_MODE_TWIST;
  frame = ROBIF2B_KINOVA_CART_REF_FRAME_MIXED;
  for (int i = 0; i < 1000 && success; i++) robif2b_kinova_gen3_hl_update(&arm);
  bent = fabs(remainder(position[3] - elbow, 6.283185307179586));
  printf("joint 7 turned by %.1f rad, the elbow by %.2f rad\n", turned, bent);
stop:
  robif2b_kinova_gen3_hl_stop(&arm);
shutdown:
  robif2b_kinova_gen3_hl_shutdown(&arm);
  return success && turned > 0.2 && bent > 0.02 ? 0 : 1;
}
