/* SPDX-License-Identifier: MIT */
/* robot.h: the Gen3 as the loop sees it (robot.c), and the arm itself (simulated.c). */
#ifndef ROBOT_H
#define ROBOT_H

#include <achd/loop.h>

/* Joints with their limits, kinematics, solver and gravity, all by generated code. */
extern const achd_loop_robot gen3_robot;

/* How far each joint is watched. */
extern const achd_loop_guard gen3_guards[];

/* The arm: yours has a driver in place of these. */
void arm_read(achd_measurement *measured);
void arm_command(achd_loop_mode mode, const double *tau, double period);
/* From now on the encoders give NaN. */
void arm_lose_encoders(void);

#endif
