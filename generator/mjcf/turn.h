/* SPDX-License-Identifier: MIT */
/* turn.h: rotations as quaternions, and principal axes of inertia. */
#ifndef AG_TURN_H
#define AG_TURN_H

#include "model/pose.h"

/* The unit quaternion w x y z of a pose's rotation. */
void ag_quaternion(const ag_pose *pose, double quaternion[4]);

/* Principal moments and axes of a symmetric tensor xx xy xz yy yz zz:
 *   I = R diag(moments) R^T,   R the rotation of the quaternion. */
void ag_principal_axes(const double tensor[6], double moments[3], double quaternion[4]);

#endif
