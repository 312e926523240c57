/* SPDX-License-Identifier: MIT */
/* two_dof.c: see robif2b/functions/2dof.h */
#include <robif2b/functions/2dof.h>

#include <math.h>
#include <stddef.h>

void robif2b_2dof_update(struct robif2b_2dof_nbx *b) {
  if (!b) return;
  for (int i = 0; i < ROBIF2B_2DOF_NR_JOINTS; i++) {
    const double step = b->jnt_vel_cmd && isfinite(b->jnt_vel_cmd[i]) ? b->jnt_vel_cmd[i] : 0;
    if (b->jnt_pos_msr) b->jnt_pos_msr[i] += step;
    if (b->jnt_vel_msr) b->jnt_vel_msr[i] = step;
  }
}
