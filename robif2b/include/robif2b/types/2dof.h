/* SPDX-License-Identifier: MIT */
/* 2dof.h: the ports of an ideal arm with two joints that moves as commanded. */
#ifndef ROBIF2B_TYPES_2DOF_H
#define ROBIF2B_TYPES_2DOF_H

#ifdef __cplusplus
extern "C" {
#endif

#define ROBIF2B_2DOF_NR_JOINTS 2

struct robif2b_2dof_nbx {
  double *jnt_pos_msr;       /* of each joint [rad; m] */
  double *jnt_vel_msr;       /* the same [rad; m per update] */
  const double *jnt_vel_cmd; /* the same [rad; m per update] */
};

#ifdef __cplusplus
}
#endif

#endif
