/* SPDX-License-Identifier: MIT */
/* robot.c: the functions that the loop calls, in terms of the generated ones. */
#include "robot.h"

#include "gen3_achd.h"

#include <math.h>
#include <string.h>

/* Limits, effort, and how a stop brakes: { velocity per position error [1/s], torque per velocity
 * error [N m s/rad], largest speed [rad/s], smallest and largest torque [N m] }. */
#define LARGE(low, high)                                                                           \
  {                                                                                                \
    {low, high, 1.3963}, 55, {                                                                     \
      8, 60, 0.5, -55, 55                                                                          \
    }                                                                                              \
  }
#define SMALL(low, high)                                                                           \
  {                                                                                                \
    {low, high, 1.2218}, 28, {                                                                     \
      8, 20, 0.5, -28, 28                                                                          \
    }                                                                                              \
  }
static const achd_loop_joint joints[GEN3_NJ] = {
    LARGE(-INFINITY, INFINITY), LARGE(-2.24, 2.24), LARGE(-INFINITY, INFINITY), LARGE(-2.57, 2.57),
    SMALL(-INFINITY, INFINITY), SMALL(-2.09, 2.09), SMALL(-INFINITY, INFINITY)};

/* A joint brakes with 4 rad/s^2 at least, so its limits are looked at over the way that this takes.
 */
const achd_loop_guard gen3_guards[GEN3_NJ] = {
    {.deceleration = 4}, {.deceleration = 4}, {.deceleration = 4}, {.deceleration = 4},
    {.deceleration = 4}, {.deceleration = 4}, {.deceleration = 4}};

static void kinematics(void *context, const achd_measurement *m, achd_pose *pose,
                       achd_twist *twist) {
  (void)context;
  gen3_fk_in fk;
  gen3_fk_out at;
  gen3_fvk_in fvk;
  gen3_fvk_out moving;
  memcpy(fk.q, m->q, sizeof fk.q);
  memcpy(fvk.q, m->q, sizeof fvk.q);
  memcpy(fvk.qd, m->qd, sizeof fvk.qd);
  gen3_fk(&fk, &at);
  gen3_fvk(&fvk, &moving);
  *pose = ACHD_POSE_OF(at.pose.tool_frame);
  *twist = ACHD_TWIST_OF(moving.twist.tool_frame);
}

static void gravity(void *context, const achd_measurement *m, double *tau) {
  (void)context;
  gen3_gravity_in in = GEN3_GRAVITY_IN_DEFAULT;
  gen3_gravity_out out;
  memcpy(in.q, m->q, sizeof in.q);
  gen3_gravity(&in, &out);
  memcpy(tau, out.tau, sizeof out.tau);
}

/* The command's rows and wrench go in; torques come out. What the rows leave free is held against
 * gravity and damped. */
static void solve(void *context, const achd_measurement *m, const achd_task_command *command,
                  achd_solution *solution) {
  gen3_achd_in in = GEN3_ACHD_IN_DEFAULT;
  gen3_achd_out out;
  memcpy(in.q, m->q, sizeof in.q);
  memcpy(in.qd, m->qd, sizeof in.qd);
  memcpy(in.b, command->b, sizeof in.b);
  memcpy(in.mask, command->mask, sizeof in.mask);
  memcpy(in.axes.tool, command->axes.m, sizeof in.axes.tool);
  ACHD_PUT_WRENCH(in.push, m->wrench);
  ACHD_PUT_WRENCH(in.press, command->wrench);
  gravity(context, m, in.tau_art);
  for (int j = 0; j < GEN3_NJ; j++) in.tau_art[j] -= 8 * m->qd[j];

  const gen3_status status = gen3_achd(&in, &out);
  memcpy(solution->tau, out.tau_ctrl, sizeof out.tau_ctrl);
  memcpy(solution->qdd, out.qdd, sizeof out.qdd);
  solution->usable = (status & GEN3_DO_NOT_COMMAND) == 0;
  solution->singular = (status & GEN3_SINGULAR) != 0;
}

const achd_loop_robot gen3_robot = {.njoints = GEN3_NJ,
                                    .joints = joints,
                                    .kinematics = kinematics,
                                    .solve = solve,
                                    .gravity = gravity};
