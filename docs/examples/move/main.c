/* SPDX-License-Identifier: MIT */
/* main.c: a Gen3 moves from its home position over a point of a table down to it, is called away in the middle of the next motion, and goes home.
 * Inverse kinematics find the positions, moves within limits lead there, computed torques follow. The simulated arm has friction that the
 * controller does not know. */
#include "gen3_achd.h"

#include <achd/ik.h>
#include <achd/move.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

ACHD_IK_ROBOT(gen3, GEN3, tool_frame);

/* Velocities are the URDF's. Acceleration and jerk are ours: how hard the arm may shake what it stands on. */
static const achd_move_limits limits[GEN3_NJ] = {
    {-INFINITY, INFINITY, GEN3_VELOCITY_JOINT_1, 5, 50},
    {GEN3_LOWER_JOINT_2, GEN3_UPPER_JOINT_2, GEN3_VELOCITY_JOINT_2, 5, 50},
    {-INFINITY, INFINITY, GEN3_VELOCITY_JOINT_3, 5, 50},
    {GEN3_LOWER_JOINT_4, GEN3_UPPER_JOINT_4, GEN3_VELOCITY_JOINT_4, 5, 50},
    {-INFINITY, INFINITY, GEN3_VELOCITY_JOINT_5, 8, 100},
    {GEN3_LOWER_JOINT_6, GEN3_UPPER_JOINT_6, GEN3_VELOCITY_JOINT_6, 8, 100},
    {-INFINITY, INFINITY, GEN3_VELOCITY_JOINT_7, 8, 100}};
static const double home[GEN3_NJ] = {0, 0.26, 3.14, -2.27, 0, 0.96, 1.57}; /* [rad] */
static const double period = 1e-3;                                         /* of the control [s] */

static double q[GEN3_NJ], qd[GEN3_NJ]; /* of the simulated arm */

/* One period of the simulated arm: forward dynamics, and friction of 1 N m s/rad and 0.5 N m. */
static void arm_moves(const double tau[]) {
  gen3_fd_in in = {.gravity = {0, 0, -9.81}};
  gen3_fd_out out;
  memcpy(in.q, q, sizeof q);
  memcpy(in.qd, qd, sizeof qd);
  for (int j = 0; j < GEN3_NJ; j++) in.tau[j] = tau[j] - qd[j] - 0.5 * tanh(qd[j] / 0.01);
  gen3_fd(&in, &out);
  for (int j = 0; j < GEN3_NJ; j++) {
    qd[j] += period * out.qdd[j];
    q[j] += period * qd[j];
  }
}

/* tau = id(q, qd, qdd_wanted + 400 (q_wanted - q) + 40 (qd_wanted - qd)): errors fade within 0.1 s. */
static void follow(const achd_move_state wanted[]) {
  gen3_id_in in = {.gravity = {0, 0, -9.81}};
  gen3_id_out out;
  memcpy(in.q, q, sizeof q);
  memcpy(in.qd, qd, sizeof qd);
  for (int j = 0; j < GEN3_NJ; j++)
    in.qdd[j] = wanted[j].qdd + 400 * (wanted[j].q - q[j]) + 40 * (wanted[j].qd - qd[j]);
  if (gen3_id(&in, &out) & GEN3_DO_NOT_COMMAND) memset(out.tau, 0, sizeof out.tau);
  arm_moves(out.tau);
}

static double worst; /* difference of a joint from where it was wanted [rad] */

static void control(const achd_move_state wanted[]) {
  for (int j = 0; j < GEN3_NJ; j++) worst = fmax(worst, fabs(wanted[j].q - q[j]));
  follow(wanted);
}

static achd_pose tool(void) {
  gen3_fk_in in;
  gen3_fk_out out;
  memcpy(in.q, q, sizeof q);
  gen3_fk(&in, &out);
  return ACHD_POSE_OF(out.pose.tool_frame);
}

static void report(const char *what, double duration) {
  const achd_pose at = tool();
  printf("%-20s %.2f s, joints at most %.3f rad off, tool at %.3f %.3f %.3f m\n", what, duration,
         worst, at.p[0], at.p[1], at.p[2]);
  worst = 0;
}

/* Joint positions near `from` with which the tool stands at a point, pointing downwards. */
static bool find(double x, double y, double z, const double from[], double found[]) {
  static const achd_ik_joint joints[GEN3_NJ] = {
      {-INFINITY, INFINITY, false}, {GEN3_LOWER_JOINT_2, GEN3_UPPER_JOINT_2, false},
      {-INFINITY, INFINITY, false}, {GEN3_LOWER_JOINT_4, GEN3_UPPER_JOINT_4, false},
      {-INFINITY, INFINITY, false}, {GEN3_LOWER_JOINT_6, GEN3_UPPER_JOINT_6, false},
      {-INFINITY, INFINITY, false}};
  const achd_ik_robot robot = {GEN3_NJ, joints, gen3_ik_kinematics, NULL};
  const achd_ik_goal goal = {
      {{x, y, z}, {{{1, 0, 0}, {0, -1, 0}, {0, 0, -1}}}}, ACHD_IK_AXIS, 1e-6, 1e-6};
  const achd_ik_search search = ACHD_IK_SEARCH_DEFAULT;
  achd_ik_result result;
  memcpy(found, from, sizeof home);
  const achd_ik_status status = achd_ik_solve(&robot, &goal, &search, found, &result);
  if (status == ACHD_IK_FOUND) return true;
  printf("%.2f %.2f %.2f m is out of reach: the tool comes within %.3f m and %.3f rad\n", x, y, z,
         result.position, result.angle);
  return false;
}

int main(void) {
  double points[3][GEN3_NJ], aside[GEN3_NJ], far[GEN3_NJ];
  achd_move_profile profiles[2 * GEN3_NJ];
  achd_move_state wanted[GEN3_NJ];
  memcpy(q, home, sizeof q);
  memcpy(points[0], home, sizeof home);
  if (!find(0.45, 0.15, 0.30, home, points[1]) || !find(0.45, 0.15, 0.10, points[1], points[2]) ||
      !find(0.30, -0.35, 0.25, points[2], aside))
    return 1;
  (void)find(1.20, 0, 0.3, home, far); /* what out of reach looks like */

  /* over the point, and down to it without a stop */
  achd_move_path path = {GEN3_NJ, 3, profiles, 0};
  if (achd_move_path_plan(&path, limits, points[0]) != ACHD_MOVE_OK) return 1;
  for (int k = 0; k * period < path.duration; k++) {
    achd_move_path_at(&path, k * period, wanted);
    control(wanted);
  }
  report("down to the table", path.duration);

  /* home, but half a second later somebody wants it elsewhere: from the middle of the motion */
  achd_move move = {GEN3_NJ, profiles, 0};
  achd_move_path_at(&path, path.duration, wanted);
  if (achd_move_plan(&move, limits, wanted, home) != ACHD_MOVE_OK) return 1;
  for (int k = 0; k < 500; k++) {
    achd_move_at(&move, k * period, wanted);
    control(wanted);
  }
  report("on the way home", 0.5);
  if (achd_move_plan(&move, limits, wanted, aside) != ACHD_MOVE_OK) return 1;
  for (int k = 0; k * period < move.duration; k++) {
    achd_move_at(&move, k * period, wanted);
    control(wanted);
  }
  report("called away", move.duration);

  achd_move_at(&move, move.duration, wanted);
  if (achd_move_plan(&move, limits, wanted, home) != ACHD_MOVE_OK) return 1;
  for (int k = 0; k * period < move.duration + 0.5; k++) { /* and half a second of rest */
    achd_move_at(&move, k * period, wanted);
    control(wanted);
  }
  report("home", move.duration);
  double left = 0;
  for (int j = 0; j < GEN3_NJ; j++) left = fmax(left, fabs(q[j] - home[j]));
  return left < 0.02 ? 0 : 1;
}
