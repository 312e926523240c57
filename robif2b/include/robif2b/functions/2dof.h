/* SPDX-License-Identifier: MIT */
/* 2dof.h: an ideal arm with two joints. */
#ifndef ROBIF2B_FUNCTIONS_2DOF_H
#define ROBIF2B_FUNCTIONS_2DOF_H

#include <robif2b/types/2dof.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Adds the commanded velocity to the position of each joint, and publishes it as the measured
 * velocity: time is counted in updates. A command that is not finite moves nothing. */
void robif2b_2dof_update(struct robif2b_2dof_nbx *b);

#ifdef __cplusplus
}
#endif

#endif
