/* SPDX-License-Identifier: MIT */
/* arm.h: the robot's drives and sensors, as the loop sees them. */
#ifndef ARM_H
#define ARM_H

#include "gen3f_achd.h"

#include <stdbool.h>

typedef struct {
  float q[GEN3F_NJ], qd[GEN3F_NJ]; /* joint positions [rad] and velocities [rad/s] */
  gen3f_wrench push;               /* what pushes the tool, see gen3f_achd_in */
} arm_sensors;

bool arm_read(arm_sensors *sensors);         /* false: no answer, or an old one */
void arm_command(const float tau[GEN3F_NJ]); /* joint torques [N m] until the next command */
void arm_brake(void); /* motors off, brakes on; from anywhere, faults included */

#endif
