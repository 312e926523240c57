/* SPDX-License-Identifier: MIT */
/* cartesian.c: the laws of high-level control. Those of the arm's base are not published; these are this
 * simulation's. V: the tool's twist, J: its Jacobian, h: the bias torques.
 *
 * TWIST: the wanted twist is approached with bounded acceleration, and divided among the joints with
 * damped least squares,
 *
 *   qd* = J^T (J J^T + l^2 1)^-1 V*,   tau = h + M_jj (w (qd* - qd) + z),   dz/dt = w w_i (qd* - qd)
 *
 * WRENCH: the tool presses with the wanted wrench F, and drifts through free space with F / B,
 *
 *   tau = h + J^T (F - B V) - b qd
 *
 * RESTRICTED: along a component that is 0, a spring to where the command began and a strong damper hold
 * the tool instead. */
#include "cartesian.h"

#include "../cholesky.h"

#include <math.h>
#include <string.h>

/* Largest speeds [m/s], [rad/s], accelerations [m/s^2], [rad/s^2]. */
static const double fastest[2] = {0.5, 50 * ACHD_PI / 180}, quickest[2] = {2, 8};
static const double joint_speed = 1.2;              /* largest of a joint [rad/s] */
static const double singular = 0.02;                /* l [m/rad] */
static const double bandwidth = 100, integral = 10; /* w, w_i [1/s] */
static const double free_damping[2] = {100, 8};     /* B [N s/m], [N m s/rad] */
static const double joint_damping = 1;              /* b [N m s/rad] */
static const double stiff[2] = {4000, 200};         /* [N/m], [N m/rad] */
static const double stiff_damping[2] = {600, 30};   /* [N s/m], [N m s/rad] */

static double clamp(double x, double most) {
  return fmax(-most, fmin(most, x));
}

/* ---- geometry ---- */

typedef struct pose {
  double p[3], R[9];
} pose;

static pose tool_pose(const achd_cartesian *c) {
  pose tool = {{0}, {0}};
  achd_physics_pose(c->motors->physics, c->tool, tool.p, tool.R);
  return tool;
}

/* Axes of the linear (0) or the angular part (1) of a command. */
static void axes_of(const achd_cartesian *c, int part, double axes[9]) {
  const enum robif2b_kinova_cart_ref_frame frame = c->command.frame;
  const bool tool = frame == ROBIF2B_KINOVA_CART_REF_FRAME_TOOL ||
                    (frame == ROBIF2B_KINOVA_CART_REF_FRAME_MIXED && part == 1);
  if (tool)
    memcpy(axes, tool_pose(c).R, 9 * sizeof *axes);
  else
    achd_physics_axes(c->motors->physics, c->base, axes);
}

/* J[i][j]: linear part first, along the axes of the world. */
static void jacobian(const achd_cartesian *c, double J[6][ACHD_ARM_JOINTS]) {
  for (int j = 0; j < c->motors->n; j++) {
    double column[6];
    achd_physics_column(c->motors->physics, c->tool, c->motors->motor[j].joint, column);
    for (int i = 0; i < 6; i++) J[i][j] = column[i];
  }
}

static double velocity(const achd_cartesian *c, int j) {
  return achd_physics_qd(c->motors->physics, c->motors->motor[j].joint);
}

static double bias(const achd_cartesian *c, int j) {
  return achd_physics_bias(c->motors->physics, c->motors->motor[j].joint);
}

static void tool_twist(const achd_cartesian *c, double J[6][ACHD_ARM_JOINTS], double V[6]) {
  for (int i = 0; i < 6; i++) {
    V[i] = 0;
    for (int j = 0; j < c->motors->n; j++) V[i] += J[i][j] * velocity(c, j);
  }
}

/* ---- TWIST ---- */

/* The joints' velocities for a twist; all smaller alike where one would be too large. */
static void divide(const achd_cartesian *c, double J[6][ACHD_ARM_JOINTS], const double V[6],
                   double qd[ACHD_ARM_JOINTS]) {
  double A[6][6], x[6], most = 0;
  const int n = c->motors->n;
  memcpy(x, V, sizeof x);
  for (int i = 0; i < 6; i++)
    for (int k = 0; k <= i; k++) {
      A[i][k] = i == k ? singular * singular : 0;
      for (int j = 0; j < n; j++) A[i][k] += J[i][j] * J[k][j];
    }
  (void)achd_solve_six(A, x, 0); /* it is positive definite */
  for (int j = 0; j < n; j++) {
    qd[j] = 0;
    for (int i = 0; i < 6; i++) qd[j] += J[i][j] * x[i];
    most = fmax(most, fabs(qd[j]));
  }
  for (int j = 0; j < n && most > joint_speed; j++) qd[j] *= joint_speed / most;
}

/* Brings c->twist nearer to the wanted one, along the axes of the world. */
static void approach(achd_cartesian *c, double step) {
  for (int part = 0; part < 2; part++) {
    const double *given = c->command.values + 3 * (size_t)part;
    double *now = c->twist + 3 * (size_t)part, wanted[3], axes[9];
    const double size = sqrt(given[0] * given[0] + given[1] * given[1] + given[2] * given[2]);
    axes_of(c, part, axes);
    achd_turned(wanted, given, axes);
    if (size > fastest[part])
      for (int i = 0; i < 3; i++) wanted[i] *= fastest[part] / size;
    for (int i = 0; i < 3; i++) now[i] += clamp(wanted[i] - now[i], quickest[part] * step);
  }
}

static void follow_twist(achd_cartesian *c, double J[6][ACHD_ARM_JOINTS], double step) {
  double qd[ACHD_ARM_JOINTS];
  approach(c, step);
  divide(c, J, c->twist, qd);
  const double w = fmin(bandwidth, 0.3 / step);
  for (int j = 0; j < c->motors->n; j++) {
    achd_arm_motor *motor = &c->motors->motor[j];
    const double M = achd_physics_inertia(c->motors->physics, motor->joint);
    const double e = qd[j] - velocity(c, j);
    motor->torque = bias(c, j) + M * (w * e + motor->integral);
    motor->integral += w * integral * e * step;
  }
}

/* ---- WRENCH ---- */

/* Where the tool is, from where the command began: translation and rotation, along the world's axes. */
static void displacement(const achd_cartesian *c, double off[6]) {
  const pose tool = tool_pose(c);
  const double *R = tool.R;
  for (int i = 0; i < 3; i++) off[i] = tool.p[i] - c->p[i];
  for (int i = 0; i < 3; i++) off[3 + i] = 0;
  for (int k = 0; k < 3; k++) { /* half the sum of the cross products of the axes then and now */
    const double then[3] = {c->axes[k], c->axes[3 + k], c->axes[6 + k]};
    const double now[3] = {R[k], R[3 + k], R[6 + k]};
    double turn[3];
    achd_crossed(turn, then, now);
    for (int i = 0; i < 3; i++) off[3 + i] += turn[i] / 2;
  }
}

/* The force that is wanted along one axis of the command. */
static double along(const achd_cartesian *c, int part, double wanted, double off, double speed) {
  if (wanted == 0 && c->command.restricted) return -stiff[part] * off - stiff_damping[part] * speed;
  return wanted - free_damping[part] * speed;
}

static void follow_wrench(achd_cartesian *c, double J[6][ACHD_ARM_JOINTS]) {
  double V[6], off[6], F[6];
  tool_twist(c, J, V);
  displacement(c, off);
  for (int part = 0; part < 2; part++) {
    const int first = 3 * part;
    double axes[9], speed[3], away[3], force[3];
    axes_of(c, part, axes);
    achd_turned_back(speed, V + first, axes);
    achd_turned_back(away, off + first, axes);
    for (int i = 0; i < 3; i++)
      force[i] = along(c, part, c->command.values[first + i], away[i], speed[i]);
    achd_turned(F + first, force, axes);
  }
  for (int j = 0; j < c->motors->n; j++) {
    achd_arm_motor *motor = &c->motors->motor[j];
    motor->torque = bias(c, j) - joint_damping * velocity(c, j);
    for (int i = 0; i < 6; i++) motor->torque += J[i][j] * F[i];
  }
}

/* ---- control ---- */

static bool same(const achd_cartesian_command *a, const achd_cartesian_command *b) {
  bool equal = a->mode == b->mode && a->frame == b->frame && a->restricted == b->restricted;
  for (int i = 0; i < 6; i++) equal = equal && (a->values[i] == 0) == (b->values[i] == 0);
  return equal;
}

void achd_cartesian_take(achd_cartesian *c, const achd_cartesian_command *command) {
  const bool goes_on = c->active && same(&c->command, command);
  const bool moved = c->active && c->command.mode == ROBIF2B_HL_CTRL_MODE_TWIST;
  c->command = *command;
  if (!c->active) achd_motors_obey(c->motors);
  if (!goes_on) {
    achd_physics_pose(c->motors->physics, c->tool, c->p, c->axes);
    if (!moved) memset(c->twist, 0, sizeof c->twist);
  }
  c->active = true;
  c->motors->mode = ROBIF2B_CTRL_MODE_FORCE;
  c->motors->compensated = true;
}

void achd_cartesian_end(achd_cartesian *c) {
  c->active = false;
  c->motors->compensated = false;
}

void achd_cartesian_act(achd_cartesian *c, double step) {
  static const double spare = 0.99; /* of the torque that is a fault */
  double J[6][ACHD_ARM_JOINTS] = {{0}};
  if (!c->active) return;
  jacobian(c, J);
  if (c->command.mode == ROBIF2B_HL_CTRL_MODE_TWIST)
    follow_twist(c, J, step);
  else
    follow_wrench(c, J);
  for (int j = 0; j < c->motors->n; j++) {
    achd_arm_motor *motor = &c->motors->motor[j];
    motor->torque = clamp(motor->torque, spare * motor->limits.torque_fault);
    motor->position = achd_physics_q(c->motors->physics, motor->joint);
  }
}

void achd_cartesian_external(const achd_cartesian *c, double wrench[6]) {
  for (int i = 0; i < 6; i++) wrench[i] = 0;
  if (c->tool < 0) return;
  const achd_physics *p = c->motors->physics;
  const int wrist = achd_physics_moved(p, c->motors->motor[c->motors->n - 1].joint);
  const pose tool = tool_pose(c);
  double acting[6], axes[9];
  achd_physics_external(p, wrist, tool.p, acting);
  achd_physics_axes(p, c->base, axes);
  achd_turned_back(wrench, acting, axes);
  achd_turned_back(wrench + 3, acting + 3, axes);
}
