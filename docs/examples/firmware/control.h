/* SPDX-License-Identifier: MIT */
/* control.h: one cycle of the controller, without board or drives. */
#ifndef CONTROL_H
#define CONTROL_H

#include "arm.h"

/* Set-points of the position and velocity of the tool, and where the freedom that its rows leave
 * rests. */
typedef struct {
  gen3f_pose tool;
  float velocity[3];       /* of the tool [m/s] */
  float posture[GEN3F_NJ]; /* [rad] */
} control_goal;

/* Status bits with which there is no torque to command. */
enum { CONTROL_FAILED = GEN3F_DO_NOT_COMMAND };

/* The goal to stay as things are. */
void control_hold(const arm_sensors *now, control_goal *goal);

typedef struct {
  float tau[GEN3F_NJ]; /* joint torques to command [N m] */
  float distance;      /* of the tool from its goal, largest component [m] */
  gen3f_status status;
} control_answer;

/* Torques that take the tool to the goal. */
void control_solve(const arm_sensors *now, const control_goal *goal, control_answer *answer);

#endif
