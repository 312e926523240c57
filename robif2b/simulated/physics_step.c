/* SPDX-License-Identifier: MIT */
/* physics_step.c: the mechanics of a world by steps that achdgen generated (achd/step_robot.h): one robot on a fixed base, whose
 * contacts touch a plane. What generated code does not say is measured on it when the world begins: which joint each row of
 * the step belongs to, and the viscous friction of each joint. */
#include "../cholesky.h"
#include "physics.h"
#include "step_robots.h"

#include <achd/step_robot.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FRAME_TOOL = 0, LINK_BASE = 0, LINK_LAST = 1, LINK_TOOL = 2 };

static const double longest = 1e-3; /* step [s] */
static const double probe =
    1e-3; /* by which a joint is moved to see which rows are its own [rad; m] */

typedef struct joint {
  achd_joint_type type;
  bool limited;
  double viscous; /* [N m s/rad; N s/m] */
  int dry;        /* row of its dry friction among the boxes; -1: none */
  double coulomb; /* in place of the layout's, if it is not below 0 [N m; N] */
  double friction, touched,
      pushed; /* torques in the last step: of friction, of contacts and pushes, of pushes */
} joint;

struct achd_physics {
  const achd_step_robot *robot;
  achd_step_input now; /* tau: what the devices apply */
  double qdd[ACHD_STEP_JOINTS], push[3];
  joint joints[ACHD_STEP_JOINTS];
  achd_step_view view;
  achd_step_motion motion;
  achd_step_problem problem;
  double lambda[ACHD_CONTACT_ROWS], work[ACHD_CONTACT_WORK(ACHD_CONTACT_ROWS)];
  bool lost; /* a function had no result */
};

const char *achd_physics_title(void) {
  return "generated steps";
}

/* ---- models ---- */

enum { MOST_ROBOTS = 16 };
static const achd_step_robot *added[MOST_ROBOTS];

static const achd_step_robot *robot_named(const char *name) {
  for (int i = 0; achd_step_robots[i]; i++)
    if (strcmp(achd_step_robots[i]->name, name) == 0) return achd_step_robots[i];
  for (int i = 0; i < MOST_ROBOTS && added[i]; i++)
    if (strcmp(added[i]->name, name) == 0) return added[i];
  return NULL;
}

bool achd_step_add(const achd_step_robot *robot) {
  if (robot_named(robot->name)) return false;
  for (int i = 0; i < MOST_ROBOTS; i++)
    if (!added[i]) {
      added[i] = robot;
      return true;
    }
  return false;
}

/* M v, M the lower triangle of joint space. */
static double times_inertia(const achd_physics *p, int i, const double v[]) {
  double sum = 0;
  for (int k = 0; k < p->robot->joints; k++) {
    const int row = i > k ? i : k, column = i > k ? k : i;
    sum += p->view.M[row * (row + 1) / 2 + column] * v[k];
  }
  return sum;
}

static void look(achd_physics *p) {
  p->lost = !p->robot->view(&p->now, &p->view) || p->lost;
}

/* D_j: with torques that hold against all else, v* = v - h M^-1 D v*, from v of joint j alone. */
static double viscous(achd_physics *p, int j) {
  double change[ACHD_STEP_JOINTS];
  const double *free = p->problem.v_free;
  memset(p->now.qd, 0, sizeof p->now.qd);
  p->now.qd[j] = 1;
  look(p);
  for (int i = 0; i < p->robot->joints; i++) p->now.tau[i] = p->view.bias[i] + p->view.weight[i];
  if (!p->robot->begin(&p->now, &p->problem)) p->lost = true;
  for (int i = 0; i < p->robot->joints; i++) change[i] = free[i] - p->now.qd[i];
  const double D = -times_inertia(p, j, change) / (p->now.period * free[j]);
  memset(p->now.qd, 0, sizeof p->now.qd);
  memset(p->now.tau, 0, sizeof p->now.tau);
  return D > 1e-9 ? D : 0;
}

/* A joint slides if it moves the tool without turning it. */
static achd_joint_type type_of(const achd_physics *p, int j) {
  double moves = 0, turns = 0;
  for (int i = 0; i < 3; i++) {
    moves += fabs(p->view.J[i][j]);
    turns += fabs(p->view.J[3 + i][j]);
  }
  return turns > 0.5 ? ACHD_JOINT_TURNS : moves > 0.5 ? ACHD_JOINT_SLIDES : ACHD_JOINT_OTHER;
}

/* Whether a joint has rows of limits: their gaps change with its position, and with no other. */
static bool has_limits(achd_physics *p, int j) {
  double gap[ACHD_CONTACT_ROWS];
  bool moved = false;
  if (!p->robot->begin(&p->now, &p->problem)) p->lost = true;
  memcpy(gap, p->problem.gap, sizeof gap);
  p->now.q[j] += probe;
  if (!p->robot->begin(&p->now, &p->problem)) p->lost = true;
  p->now.q[j] -= probe;
  const int first = 3 * p->problem.contacts, end = p->problem.rows - p->problem.boxes;
  for (int i = first; i < end; i++)
    moved = moved || fabs(p->problem.gap[i] - gap[i]) * p->now.period > probe / 2;
  return moved;
}

/* The box whose impulse is a torque of this joint. */
static int dry_row(const achd_physics *p, int j) {
  const achd_step_problem *b = &p->problem;
  for (int k = 0; k < b->boxes; k++) {
    const double *v = b->v_lambda + (size_t)((b->rows - b->boxes + k) * p->robot->joints);
    if (fabs(times_inertia(p, j, v) - 1) < 1e-3) return k;
  }
  return -1;
}

/* What generated code does not say, measured on it. */
static void explore(achd_physics *p) {
  const double height = p->now.plane[3];
  p->now.plane[3] = -1e3; /* nothing is touched meanwhile */
  look(p);
  for (int j = 0; j < p->robot->joints; j++) {
    joint *one = &p->joints[j];
    one->viscous = viscous(p, j);
    look(p);
    one->type = type_of(p, j);
    one->limited = has_limits(p, j);
    one->dry = dry_row(p, j);
    one->coulomb = -1;
  }
  p->now.plane[3] = height;
}

achd_physics *achd_physics_builtin(const char *name, char why[ACHD_WORLD_WHY]) {
  const achd_step_robot *robot = robot_named(name);
  achd_physics *p = robot ? calloc(1, sizeof *p) : NULL;
  if (strcmp(name, "robile") == 0 || strcmp(name, "platform") == 0) {
    snprintf(
        why, ACHD_WORLD_WHY,
        "%s is a platform, whose wheels roll and slip: that needs MuJoCo (ACHD_SIMULATOR=mujoco)",
        name);
  } else if (!robot) {
    snprintf(why, ACHD_WORLD_WHY,
             "there is no model builtin:%.60s: generated steps have gen3, and what the program "
             "adds by achd_step_add",
             name);
  } else if (!p) {
    snprintf(why, ACHD_WORLD_WHY, "there is no memory for the model");
  } else {
    p->robot = robot;
    p->now =
        (achd_step_input){.gravity = {0, 0, -9.81}, .period = longest, .plane = {0, 0, 1, 0, 0.8}};
    explore(p);
    if (!p->lost) return p;
    snprintf(why, ACHD_WORLD_WHY, "the generated code of %.60s has no result at its beginning",
             name);
  }
  free(p);
  return NULL;
}

achd_physics *achd_physics_load(const char *path, char why[ACHD_WORLD_WHY]) {
  snprintf(why, ACHD_WORLD_WHY,
           "%.80s: generated steps read no models and no meshes: write model builtin:gen3, add a "
           "robot by "
           "achd_step_add, or build with ACHD_SIMULATOR=mujoco",
           path);
  return NULL;
}

void achd_physics_free(achd_physics *p) {
  free(p);
}

double achd_physics_longest(const achd_physics *p) {
  (void)p;
  return longest;
}

/* ---- time ---- */

void achd_physics_renew(achd_physics *p) {
  look(p);
}

void achd_physics_before(achd_physics *p, double h) {
  p->now.period = h;
  look(p);
}

/* Impulses of the step, from those of the last one; where that finds none, from nothing. */
static bool find_impulses(achd_physics *p) {
  const achd_step_problem *b = &p->problem;
  const achd_contact_problem problem = {.contacts = b->contacts,
                                        .limits = b->rows - 3 * b->contacts - b->boxes,
                                        .boxes = b->boxes,
                                        .A = b->A,
                                        .b = b->b,
                                        .gap = b->gap,
                                        .mu = b->mu,
                                        .bound = b->box};
  achd_contact_report report;
  if (achd_contact_solve(&problem, p->lambda, 0, p->work, &report) == ACHD_CONTACT_SOLVED)
    return true;
  memset(p->lambda, 0, sizeof p->lambda);
  return achd_contact_solve(&problem, p->lambda, 0, p->work, &report) == ACHD_CONTACT_SOLVED;
}

/* Torques of the rows from `first` on in the last step. */
static double torque_of_rows(const achd_physics *p, int j, int first, int end) {
  double v[ACHD_STEP_JOINTS] = {0};
  for (int i = first; i < end; i++)
    for (int k = 0; k < p->robot->joints; k++)
      v[k] += p->problem.v_lambda[i * p->robot->joints + k] * p->lambda[i];
  return times_inertia(p, j, v) / p->now.period;
}

bool achd_physics_after(achd_physics *p) {
  const int n = p->robot->joints;
  achd_step_input acting = p->now;
  double q[ACHD_STEP_JOINTS], qd[ACHD_STEP_JOINTS];
  for (int j = 0; j < n; j++) {
    p->joints[j].pushed = 0;
    for (int i = 0; i < 3; i++) p->joints[j].pushed += p->view.J[i][j] * p->push[i];
    acting.tau[j] += p->joints[j].pushed;
  }
  if (p->lost || !p->robot->begin(&acting, &p->problem)) return false;
  for (int j = 0; j < n; j++)
    if (p->joints[j].dry >= 0 && p->joints[j].coulomb >= 0)
      p->problem.box[p->joints[j].dry] = p->joints[j].coulomb * acting.period;
  if (!find_impulses(p) || !p->robot->end(&acting, p->lambda, q, qd)) return false;
  const int touching = 3 * p->problem.contacts, dry = p->problem.rows - p->problem.boxes;
  for (int j = 0; j < n; j++) {
    joint *one = &p->joints[j];
    if (!isfinite(q[j]) || !isfinite(qd[j])) return false;
    one->friction = torque_of_rows(p, j, dry, p->problem.rows) - one->viscous * qd[j];
    one->touched = torque_of_rows(p, j, 0, touching) + one->pushed;
    p->qdd[j] = (qd[j] - p->now.qd[j]) / p->now.period;
  }
  memcpy(p->now.q, q, (size_t)n * sizeof *q);
  memcpy(p->now.qd, qd, (size_t)n * sizeof *qd);
  return true;
}

void achd_physics_sense(achd_physics *p) {
  p->lost = !p->robot->motion(&p->now, p->qdd, &p->motion) || p->lost;
}

/* ---- joints ---- */

int achd_physics_joints(const achd_physics *p) {
  return p->robot->joints;
}

int achd_physics_joint(const achd_physics *p, const char *name) {
  for (int j = 0; j < p->robot->joints; j++)
    if (strcmp(p->robot->joint_names[j], name) == 0) return j;
  return -1;
}

const char *achd_physics_joint_name(const achd_physics *p, int j) {
  return p->robot->joint_names[j];
}

achd_joint_type achd_physics_joint_type(const achd_physics *p, int j) {
  return p->joints[j].type;
}

bool achd_physics_limited(const achd_physics *p, int j) {
  return p->joints[j].limited;
}

double achd_physics_q(const achd_physics *p, int j) {
  return p->now.q[j];
}

double achd_physics_qd(const achd_physics *p, int j) {
  return p->now.qd[j];
}

double achd_physics_qdd(const achd_physics *p, int j) {
  return p->qdd[j];
}

void achd_physics_place(achd_physics *p, int j, double q) {
  p->now.q[j] = q;
}

void achd_physics_stop(achd_physics *p, int j) {
  p->now.qd[j] = 0;
}

double achd_physics_inertia(const achd_physics *p, int j) {
  return p->view.M[j * (j + 1) / 2 + j];
}

double achd_physics_bias(const achd_physics *p, int j) {
  return p->view.bias[j] + p->view.weight[j];
}

double achd_physics_weight(const achd_physics *p, int j) {
  return p->view.weight[j];
}

double achd_physics_rotor(const achd_physics *p, int j) {
  return p->robot->rotors ? p->robot->rotors[j] : 0;
}

double achd_physics_friction(const achd_physics *p, int j) {
  return p->joints[j].friction;
}

void achd_physics_apply(achd_physics *p, int j, double torque) {
  p->now.tau[j] = torque;
}

/* ---- what a world's file changes ---- */

bool achd_physics_set(achd_physics *p, achd_joint_number which, int j, double value,
                      char why[ACHD_WORLD_WHY]) {
  static const char *const missing[3] = {
      "friction: the layout of the steps gives none to joint %s: write friction = { coulomb = .. } "
      "into it",
      "damping: joint %s has that of the layout of its steps: write friction = { viscous = .. } "
      "into it",
      "armature: joint %s has that of the layout of its steps: write armature = { .. } into it"};
  joint *one = &p->joints[j];
  const bool settable = which == ACHD_JOINT_FRICTION && one->dry >= 0;
  if (settable) one->coulomb = value;
  if (!settable) snprintf(why, ACHD_WORLD_WHY, missing[which], p->robot->joint_names[j]);
  return settable;
}

bool achd_physics_scale(achd_physics *p, int n, const int joints[], const double factors[],
                        char why[ACHD_WORLD_WHY]) {
  (void)p, (void)joints;
  for (int i = 0; i < n; i++) {
    if (factors[i] == 1) continue;
    snprintf(why, ACHD_WORLD_WHY,
             "masses: generated steps have those of their URDF: generate them from another one, or "
             "build with "
             "ACHD_SIMULATOR=mujoco");
    return false;
  }
  return true;
}

bool achd_physics_surface(achd_physics *p, const double plane[5], char why[ACHD_WORLD_WHY]) {
  if (p->problem.contacts == 0) {
    snprintf(
        why, ACHD_WORLD_WHY,
        "surface: the robot has no contacts: write contacts = { .. } into the layout of its steps");
    return false;
  }
  memcpy(p->now.plane, plane, sizeof p->now.plane);
  return true;
}

/* ---- links and frames ---- */

int achd_physics_link(const achd_physics *p, const char *name) {
  return strcmp(name, p->robot->link) == 0 ? LINK_LAST : -1;
}

int achd_physics_moved(const achd_physics *p, int j) {
  (void)p, (void)j;
  return LINK_LAST;
}

int achd_physics_carrier(const achd_physics *p, int j) {
  (void)p, (void)j;
  return LINK_BASE;
}

void achd_physics_axes(const achd_physics *p, int link, double axes[9]) {
  for (int i = 0; i < 9; i++) axes[i] = link == LINK_LAST ? p->motion.R[i] : i % 4 == 0;
}

void achd_physics_motion(const achd_physics *p, int link, double gyro[3], double acceleration[3]) {
  const bool moves = link == LINK_LAST;
  double axes[9], w[3], a[3];
  achd_physics_axes(p, link, axes);
  for (int i = 0; i < 3; i++) {
    w[i] = moves ? p->motion.angular[i] : 0;
    a[i] = (moves ? p->motion.acceleration[i] : 0) - p->now.gravity[i];
  }
  achd_turned_back(gyro, w, axes);
  achd_turned_back(acceleration, a, axes);
}

int achd_physics_pushed(const achd_physics *p, const char *name, char why[ACHD_WORLD_WHY]) {
  if (strcmp(name, p->robot->tool) == 0) return LINK_TOOL;
  snprintf(why, ACHD_WORLD_WHY, "generated steps push %.60s, at its origin, and not %.60s",
           p->robot->tool, name);
  return -1;
}

void achd_physics_push(achd_physics *p, int link, const double force[3]) {
  (void)link;
  for (int i = 0; i < 3; i++) p->push[i] += force[i];
}

int achd_physics_frame(const achd_physics *p, const char *name) {
  const size_t length = strlen(p->robot->tool);
  const bool same = strncmp(name, p->robot->tool, length) == 0 &&
                    (name[length] == '\0' || strcmp(name + length, "_site") == 0);
  return same ? FRAME_TOOL : -1;
}

int achd_physics_tool(const achd_physics *p, int link) {
  (void)p, (void)link;
  return FRAME_TOOL;
}

void achd_physics_pose(const achd_physics *p, int frame, double origin[3], double axes[9]) {
  (void)frame;
  memcpy(origin, p->view.p, sizeof p->view.p);
  memcpy(axes, p->view.R, sizeof p->view.R);
}

void achd_physics_column(const achd_physics *p, int frame, int j, double column[6]) {
  (void)frame;
  for (int i = 0; i < 6; i++) column[i] = p->view.J[i][j];
}

/* The wrench on the tool that gives the joints the torques of contacts and pushes: J J^T W = J tau, of least squares where
 * J is singular. */
void achd_physics_external(const achd_physics *p, int link, const double point[3],
                           double wrench[6]) {
  static const double singular = 1e-4; /* [m/rad] */
  const int n = p->robot->joints;
  double A[6][6], arm[3], shift[3];
  (void)link;
  for (int i = 0; i < 6; i++) {
    wrench[i] = 0;
    for (int j = 0; j < n; j++) wrench[i] += p->view.J[i][j] * p->joints[j].touched;
    for (int k = 0; k <= i; k++) {
      A[i][k] = i == k ? singular * singular : 0;
      for (int j = 0; j < n; j++) A[i][k] += p->view.J[i][j] * p->view.J[k][j];
    }
  }
  (void)achd_solve_six(A, wrench, 0); /* it is positive definite */
  for (int i = 0; i < 3; i++) arm[i] = p->view.p[i] - point[i];
  achd_crossed(shift, arm, wrench);
  for (int i = 0; i < 3; i++) wrench[3 + i] += shift[i];
}

int achd_physics_sensor(const achd_physics *p) {
  (void)p;
  return FRAME_TOOL;
}

bool achd_physics_feels(const achd_physics *p, int frame, char why[ACHD_WORLD_WHY]) {
  (void)p, (void)frame;
  why[0] = '\0';
  return true;
}

int achd_physics_reading(const achd_physics *p, const char *name) {
  (void)p, (void)name;
  return -1;
}

void achd_physics_read(const achd_physics *p, int reading, double values[3]) {
  (void)p, (void)reading;
  memset(values, 0, 3 * sizeof *values);
}

/* The sensor stands at the tool's frame and carries nothing: it feels contacts and pushes. */
void achd_physics_felt(const achd_physics *p, int frame, double wrench[6]) {
  double acting[6];
  (void)frame;
  achd_physics_external(p, LINK_LAST, p->view.p, acting);
  achd_turned_back(wrench, acting, p->view.R);
  achd_turned_back(wrench + 3, acting + 3, p->view.R);
}
