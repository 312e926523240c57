/* SPDX-License-Identifier: MIT */
/* ideal_arm.c: an arm of two joints that moves as it is told, ten updates. */
#include <robif2b/functions/2dof.h>

#include <stdio.h>

int main(void) {
  double pos[ROBIF2B_2DOF_NR_JOINTS] = {0, 0}, vel[ROBIF2B_2DOF_NR_JOINTS] = {0, 0};
  double cmd[ROBIF2B_2DOF_NR_JOINTS] = {0.1, 0.2};
  struct robif2b_2dof_nbx arm = {.jnt_pos_msr = pos, .jnt_vel_msr = vel, .jnt_vel_cmd = cmd};
  for (int k = 0; k < 10; k++) robif2b_2dof_update(&arm);
  printf("%.6f %.6f\n", pos[0], pos[1]);
  return 0;
}
