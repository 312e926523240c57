/* SPDX-License-Identifier: MIT */
/* gen3_robot.h: a Kinova Gen3 for the loop, by generated code; and the plant, a Gen3 that may be
 * another. */
#ifndef GEN3_ROBOT_H
#define GEN3_ROBOT_H

#include <achd/loop.h>

#include "gen3_controlled.h"
#include "random.h"

#include <string.h>

enum { NJ = GEN3_NJ };

/* What the rows leave free is drawn here; handed to gen3_solve as the robot's context. */
static double start_posture[NJ] = {0, 0.26, 3.14, -2.27, 0, 0.96, 1.57};

/* Limits of the URDF (velocities of the published controllers' stop), efforts of the published
 * controllers. */
#define GEN3_LARGE(low, high)                                                                      \
  {                                                                                                \
    {low, high, 1.3963}, 55, {                                                                     \
      8, 60, 0.5, -55, 55                                                                          \
    }                                                                                              \
  }
#define GEN3_SMALL(low, high)                                                                      \
  {                                                                                                \
    {low, high, 1.2218}, 28, {                                                                     \
      8, 20, 0.5, -28, 28                                                                          \
    }                                                                                              \
  }
static const achd_loop_joint gen3_joints[NJ] = {
    GEN3_LARGE(-INFINITY, INFINITY), GEN3_LARGE(-2.24, 2.24),
    GEN3_LARGE(-INFINITY, INFINITY), GEN3_LARGE(-2.57, 2.57),
    GEN3_SMALL(-INFINITY, INFINITY), GEN3_SMALL(-2.09, 2.09),
    GEN3_SMALL(-INFINITY, INFINITY)};

static inline void gen3_kinematics(void *context, const achd_measurement *m, achd_pose *pose,
                                   achd_twist *twist) {
  (void)context;
  gen3_fk_in fk;
  gen3_fvk_in fvk;
  gen3_fk_out at;
  gen3_fvk_out moving;
  memcpy(fk.q, m->q, sizeof fk.q);
  memcpy(fvk.q, m->q, sizeof fvk.q);
  memcpy(fvk.qd, m->qd, sizeof fvk.qd);
  gen3_fk(&fk, &at);
  gen3_fvk(&fvk, &moving);
  *pose = ACHD_POSE_OF(at.pose.tool_frame);
  *twist = ACHD_TWIST_OF(moving.twist.tool_frame);
}

static inline void gen3_weight(void *context, const achd_measurement *m, double *tau) {
  (void)context;
  gen3_gravity_in in = {.gravity = {0, 0, -9.81}};
  gen3_gravity_out out;
  memcpy(in.q, m->q, sizeof in.q);
  gen3_gravity(&in, &out);
  memcpy(tau, out.tau, sizeof out.tau);
}

static inline void gen3_solve(void *context, const achd_measurement *m,
                              const achd_task_command *command, achd_solution *solution) {
  const double *posture = context;
  gen3_achd_in in = {.gravity = {0, 0, -9.81}};
  gen3_achd_out out;
  memcpy(in.q, m->q, sizeof in.q);
  memcpy(in.qd, m->qd, sizeof in.qd);
  memcpy(in.b, command->b, sizeof in.b);
  memcpy(in.mask, command->mask, sizeof in.mask);
  memcpy(in.axes.tool, command->axes.m, sizeof in.axes.tool);
  ACHD_PUT_WRENCH(in.push, m->wrench);
  ACHD_PUT_WRENCH(in.press, command->wrench);
  gen3_weight(NULL, m, in.tau_art);
  for (int j = 0; j < NJ; j++) in.tau_art[j] += 20 * (posture[j] - m->q[j]) - 4 * m->qd[j];
  const gen3_status status = gen3_achd(&in, &out);
  memcpy(solution->tau, out.tau_ctrl, sizeof out.tau_ctrl);
  memcpy(solution->qdd, out.qdd, sizeof out.qdd);
  solution->usable = (status & GEN3_DO_NOT_COMMAND) == 0;
  solution->singular = (status & GEN3_SINGULAR) != 0;
}

static const achd_loop_robot gen3_robot = {NJ,         gen3_joints, start_posture, gen3_kinematics,
                                           gen3_solve, gen3_weight};

#endif
