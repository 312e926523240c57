/* SPDX-License-Identifier: MIT */
/* task_error.h: the errors of a pose now, of those of the pose that a task predicts. Inside the library. */
#ifndef ACHD_TASK_ERROR_H
#define ACHD_TASK_ERROR_H

#include <achd/task.h>

/* The error that direction i has now [m, rad; m/s, rad/s; N, N m], of its exact error e as achd_task_examine finds it: that of a
 * position or an orientation is the predicted pose's, e = now - horizon v. After achd_task_control, which finds v. */
achd_real achd_task_error_now(const achd_task_run *run, int i, achd_real e);

/* Of a rotation vector along the axes of directions 3 to 5 the angle about those that hold the orientation [rad]. */
achd_real achd_task_held_angle(const achd_task *task, const achd_real v[3]);

#endif
