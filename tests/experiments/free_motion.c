/* SPDX-License-Identifier: MIT */
/* free_motion.c: experiments 1 to 4 (Vukcevic 2020): to where an arm can grasp, and along a path,
 * of the LWR 4 and of the youBot's arm, with the published start, rate and task.
 *
 * As published: "Gravity compensation: Disabled" (tables 7.1 to 7.4), no damping, and friction in the
 * joints, which the thesis simulated for the LWR without printing it (p. 89): the dry friction of the
 * URDFs. The spring before joint limits stays, since experiment 1 begins 6e-5 rad before one. Then
 * the same with gravity compensated. The goal and the tube at the published times within 15 %, and
 * no overshoot of the tube: 5 % of its tolerance (both bounds are those of
 * tests/runtime/tasks_published_test.c, with friction and noise). */
#include "experiments/experiment.h"
#include "experiments/figures.h"
#include "runtime/arms.h"
#include "runtime/closed_loop.h"
#include "runtime/plot.h"

#include <achd/impedance.h>

#include "lwr4_controlled.h"
#include "lwr4_path_task.h"
#include "lwr4_pregrasp_task.h"
#include "path_machine.h"
#include "pregrasp_machine.h"
#include "youbot_controlled.h"
#include "youbot_path_task.h"
#include "youbot_pregrasp_task.h"

CLOSED_LOOP_CONTROLLER(lwr4, LWR4, lwr_7_link)
CLOSED_LOOP_CONTROLLER(youbot, YOUBOT, gripper_palm_link)

static free_motion lwr4_free = {lwr4_joints, 0, 0.1, 0.5, true};
static free_motion youbot_free = {youbot_joints, 0, 0.1, 0.5, true};

/* ---- what laziness is compared with: the same task by controllers that follow a point ---- */

typedef enum servo { LAZY, IMPEDANCE, COMPUTED_TORQUE } servo;

/* The point that the tool is to follow, in the motion frame: along x at the task's speed once the tool
 * is in the tube, across x to the middle with the time constant of the task's prediction, which is how
 * a lazy tool comes there. */
static struct {
  servo by;
  const achd_loop *loop;
  double period;
  bool moves;
  double p[3], v[3];
} point;

static void follow(void) {
  const achd_task *t = point.loop->task.task;
  const bool cruises = point.loop->machine.state == PREGRASP_CRUISE_THROUGH_TUBE;
  if (!point.moves) experiment_place(point.loop, point.p);
  point.moves = true;
  const achd_direction *x = &t->direction[0];
  point.v[0] = cruises ? x->value + x->amplitude * sin(x->wave * fabs(point.p[0])) : 0;
  for (int i = 1; i < 3; i++) point.v[i] = -point.p[i] / t->horizon;
  for (int i = 0; i < 3; i++) point.p[i] += point.v[i] * point.period;
}

/* Impedance: 20000 N/m and 2000 N s/m at the tool. Computed torque: accelerations of 2500 1/s^2 of the
 * distance and 100 1/s of the velocity. A spring of 5000 N/m
 * is too soft for the joints' friction of 10 N m, which none of them knows: with it the tool leaves the
 * tube. */
static void lwr4_follow(void *context, const achd_measurement *m, const achd_task_command *command,
                        achd_solution *solution) {
  static const achd_cartesian_impedance spring = {{{20000, 20000, 20000}, {0, 0, 0}},
                                                  {{2000, 2000, 2000}, {0, 0, 0}},
                                                  {{500, 500, 500}, {1, 1, 1}}};
  if (point.by == LAZY) {
    lwr4_solve(context, m, command, solution);
    return;
  }
  follow();
  achd_task_command own = {.axes = command->axes};
  const achd_pose *frame = &point.loop->task.task->frames[0], *tool = &point.loop->tool.pose;
  double place[3], v[3];
  experiment_place(point.loop, place);
  achd_rotate_back(&frame->R, point.loop->tool.twist.lin, v);
  for (int i = 0; i < 3 && point.by == COMPUTED_TORQUE; i++) {
    own.b[i] = 2500 * (point.p[i] - place[i]) + 100 * (point.v[i] - v[i]);
    own.mask[i] = 1;
  }
  if (point.by == IMPEDANCE) {
    achd_pose wanted = *tool;
    achd_twist moving = {{0}, {0}};
    achd_rotate(&frame->R, point.p, wanted.p);
    for (int i = 0; i < 3; i++) wanted.p[i] += frame->p[i];
    achd_rotate(&frame->R, point.v, moving.lin);
    achd_cartesian_impedance_wrench(&spring, &frame->R, &wanted, &moving, tool,
                                    &point.loop->tool.twist, &own.wrench);
  }
  lwr4_solve(context, m, &own, solution);
}

static const achd_loop_robot lwr4_robot = {.njoints = LWR4_NJ,
                                           .joints = lwr4_joints,
                                           .context = &lwr4_free,
                                           .kinematics = lwr4_kinematics,
                                           .solve = lwr4_follow,
                                           .gravity = lwr4_weight};
static const achd_loop_robot youbot_robot = {.njoints = YOUBOT_NJ,
                                             .joints = youbot_joints,
                                             .context = &youbot_free,
                                             .kinematics = youbot_kinematics,
                                             .solve = youbot_solve,
                                             .gravity = youbot_weight};

static const char *const lwr4_names[] = {"lwr_a1_joint", "lwr_a2_joint", "lwr_e1_joint",
                                         "lwr_a3_joint", "lwr_a4_joint", "lwr_a5_joint",
                                         "lwr_a6_joint"};
static const char *const youbot_names[] = {"arm_joint_1", "arm_joint_2", "arm_joint_3",
                                           "arm_joint_4", "arm_joint_5"};

/* All that the loop can look after, at every joint: the braking distance too. */
#define GUARD                                                                                      \
  { .deceleration = 10, .beyond = 0.02, .slip = 0.01 }
static const achd_loop_guard guards[] = {GUARD, GUARD, GUARD, GUARD, GUARD, GUARD, GUARD};

static achd_loop_setup to_goal(const achd_loop_robot *robot, const achd_task *task) {
  const achd_loop_setup setup = {
      .robot = robot,
      .machine = &pregrasp_machine,
      .states = {[PREGRASP_STOP_MOTION] = {ACHD_LOOP_STOP, NULL},
                 [PREGRASP_START_TO_CRUISE] = {ACHD_LOOP_APPROACH, task},
                 [PREGRASP_CRUISE_THROUGH_TUBE] = {ACHD_LOOP_CRUISE, task}},
      .events = {.fault = -1,
                 .joint_limit = PREGRASP_E_JOINT_LIMIT,
                 .timeout = PREGRASP_E_TIMEOUT,
                 .contact = PREGRASP_E_CONTACT,
                 .no_contact = -1,
                 .within_tube = PREGRASP_E_WITHIN_TUBE,
                 .out_of_tube = PREGRASP_E_OUT_OF_TUBE,
                 .goal_area = PREGRASP_E_GOAL_AREA,
                 .out_of_goal_area = PREGRASP_E_OUT_OF_GOAL_AREA,
                 .section_covered = -1},
      .latest = 3e-3,
      .saturation_time = 1,
      .singular_time = 0.1,
      .braking_time = 0.3,
      .watch = {.joints = guards}};
  return setup;
}

static achd_loop_setup along_path(const achd_loop_robot *robot, const achd_task *task) {
  const achd_loop_setup setup = {
      .robot = robot,
      .machine = &path_machine,
      .states = {[PATH_STOP_MOTION] = {ACHD_LOOP_STOP, NULL},
                 [PATH_START_TO_CRUISE] = {ACHD_LOOP_APPROACH, task},
                 [PATH_FOLLOW_PATH] = {ACHD_LOOP_CRUISE, task},
                 [PATH_TRANSITION_PATH_SECTION] = {ACHD_LOOP_NEXT_SECTION, task}},
      .events = {.fault = -1,
                 .joint_limit = PATH_E_JOINT_LIMIT,
                 .timeout = PATH_E_TIMEOUT,
                 .contact = PATH_E_CONTACT,
                 .within_tube = PATH_E_WITHIN_TUBE,
                 .out_of_tube = PATH_E_OUT_OF_TUBE,
                 .goal_area = PATH_E_FINAL_GOAL_AREA,
                 .out_of_goal_area = PATH_E_OUT_OF_GOAL_AREA,
                 .section_covered = PATH_E_SECTION_COVERED},
      .latest = 3e-3,
      .saturation_time = 1,
      .singular_time = 0.1,
      .braking_time = 0.3,
      .watch = {.joints = guards}};
  return setup;
}

/* How the arm is driven, and what holds it beside its motors. */
typedef struct way {
  const char *name;
  bool gravity_acts; /* gravity is not compensated */
  double damping;    /* of the effort, per rad/s */
  bool friction;     /* the dry friction of the URDF */
  servo by;          /* experiment 1 alone has others than lazy control */
} way;

enum { PUBLISHED, COMPENSATED, SMOOTH, WAYS };
static const way ways[WAYS] = {
    [PUBLISHED] = {"as published, gravity not compensated", true, 0, true, LAZY},
    [COMPENSATED] = {"gravity compensated, damped", false, 0.1, true, LAZY},
    [SMOOTH] = {"as published, but without friction", true, 0, false, LAZY},
};

typedef struct experiment {
  const char *title, *world;
  const achd_loop_robot *robot;
  free_motion *given;
  const char *const *joints;
  const achd_task *task;
  double rate;             /* [Hz] */
  double in_tube, goal;    /* published [s]; in_tube 0: not */
  double tube;             /* its tolerance [m] */
  double length;           /* of the tube, to be drawn [m] */
  int logged;              /* the way that is logged and judged by all bounds */
  double start[YOUBOT_NJ]; /* of the youBot [rad] */
} experiment;

/* Experiment 4 as published ends at a joint limit: the one with gravity compensated is logged. */
static const experiment experiments[] = {
    {"to where the LWR can grasp",
     "lwr4_pregrasp",
     &lwr4_robot,
     &lwr4_free,
     lwr4_names,
     &lwr4_pregrasp_tasks[0],
     630,
     4.5,
     8.5,
     0.01,
     0.5,
     PUBLISHED,
     {0}},
    {"to where the youBot can grasp",
     "youbot_pregrasp",
     &youbot_robot,
     &youbot_free,
     youbot_names,
     &youbot_pregrasp_tasks[0],
     660,
     4.7,
     8.5,
     0.015,
     0.3,
     PUBLISHED,
     {1.384, 1.597, -1.495, 1.925, 2.957}},
    {"the LWR follows steps",
     "lwr4_path",
     &lwr4_robot,
     &lwr4_free,
     lwr4_names,
     &lwr4_path_tasks[0],
     630,
     0,
     11.8,
     0.01,
     0.03,
     PUBLISHED,
     {0}},
    {"the youBot follows a chirp",
     "youbot_path",
     &youbot_robot,
     &youbot_free,
     youbot_names,
     &youbot_path_tasks[0],
     660,
     0,
     17.1,
     0.015,
     0.01,
     COMPENSATED,
     {1.000, 1.353, -0.549, 0.732, 2.962}},
};

/* What happened until the stop. */
typedef struct outcome {
  double in_tube, goal; /* first in the tube, and stopped [s]; 0: never */
  unsigned seen;        /* bits of achd_task_event at the stop */
  unsigned fault;
  double farthest; /* from the tube's middle, once within [m] */
  double most;     /* largest share of a torque limit */
  double left;     /* to the goal along x, 2 s after the stop [m] */
  int sections;    /* passed */
  double work;     /* sum over the joints of the positive work of the commanded torques [J] */
  double peak;     /* largest torque [N m] */
  /* sums of squares while it cruises: from the tube's middle [m^2], of the speed's error [m^2/s^2] */
  double off, speed;
  int cruised;                    /* cycles */
  double share[ACHD_LOOP_JOINTS]; /* mean of each torque's share of its limit, by time */
  double joint4;                  /* at the stop [rad] */
  double rough;                   /* sum of all changes of the torques [N m] */
  double last[ACHD_LOOP_JOINTS];  /* torques [N m] */
} outcome;

static bool at_goal(const outcome *o) {
  return o->fault == 0 && o->seen & ACHD_TASK_GOAL_AREA &&
         !(o->seen & (ACHD_TASK_TIMEOUT | ACHD_TASK_CONTACT));
}

static void note(outcome *o, const achd_loop *loop, double now, double period, int before,
                 int section) {
  const achd_loop_robot *robot = loop->setup->robot;
  const int stands = loop->setup->machine->initial, n = robot->njoints;
  double place[3];
  experiment_place(loop, place);
  o->left = fabs(place[0]);
  o->fault |= loop->fault;
  o->sections += loop->task.section > section;
  if (o->in_tube == 0 && loop->seen & ACHD_TASK_WITHIN_TUBE) o->in_tube = now;
  if (o->goal > 0) return;
  if (loop->machine.state == stands && before != stands) {
    o->goal = now, o->seen = loop->seen;
    o->joint4 = loop->measured.q[3];
    return;
  }
  for (int i = 1; i < 3 && o->in_tube > 0 && section == loop->task.section; i++)
    o->farthest = fmax(o->farthest, fabs(place[i]));
  for (int j = 0; j < n; j++) {
    const double share = fabs(loop->tau[j]) / robot->joints[j].effort;
    o->most = fmax(o->most, share);
    o->peak = fmax(o->peak, fabs(loop->tau[j]));
    o->rough += fabs(loop->tau[j] - o->last[j]);
    o->last[j] = loop->tau[j];
    o->share[j] += (share - o->share[j]) * period / (now + period);
    o->work += period * fmax(0, loop->tau[j] * loop->measured.qd[j]);
  }
}

/* How well it follows the middle of the tube, and its speed. */
static void note_tracking(outcome *o, const achd_loop *loop) {
  const achd_task *t = loop->task.task;
  const achd_direction *x = &t->direction[0];
  double place[3], v[3];
  if (loop->setup->states[loop->machine.state].action != ACHD_LOOP_CRUISE) return;
  experiment_place(loop, place);
  achd_rotate_back(&t->frames[loop->task.section].R, loop->tool.twist.lin, v);
  o->cruised++;
  o->off += place[1] * place[1] + place[2] * place[2];
  o->speed += pow(x->value + x->amplitude * sin(x->wave * fabs(place[0])) - v[0], 2);
}

/* Work and largest torque over time, to be drawn. */
enum { TRACES = 8, TRACE = 1500, EVERY = 4 };
static double traced[2][TRACES][TRACE]; /* [J], [N m] */
static int trace = -1;                  /* the run that is traced; -1: none */

static void note_trace(const outcome *o, const achd_loop *loop, int cycle) {
  double most = 0;
  if (trace < 0 || cycle % EVERY != 0 || cycle / EVERY >= TRACE) return;
  for (int j = 0; j < loop->setup->robot->njoints; j++) most = fmax(most, fabs(loop->tau[j]));
  traced[0][trace][cycle / EVERY] = o->work;
  traced[1][trace][cycle / EVERY] = most;
}

/* Carries it out; r: the record, NULL: none, and then the run ends with the stop. */
static bool carry_out(const experiment *e, const way *w, const achd_loop_setup *setup, record *r,
                      outcome *o) {
  const bool path = e->task->nframes > 1;
  static arm a;
  static achd_loop loop;
  achd_signal more[EXPERIMENT_MORE * ACHD_LOOP_JOINTS];
  char world[600];
  e->given->gravity_acts = w->gravity_acts;
  e->given->damping = w->damping;
  snprintf(world, sizeof world, "%s/%s%s.world", EXPERIMENTS_WORLDS, e->world,
           w->friction ? "" : "_smooth");
  arm_open(&a, world, e->robot->njoints, 1 / e->rate, NULL);
  if (r) {
    const int nmore = experiment_signals(&a, e->joints, more);
    record_start(r, setup, e->joints, more, nmore, 4);
  }
  if (!achd_loop_start(&loop, setup)) return false;
  achd_loop_raise(&loop, path ? PATH_E_INITIALIZED : PREGRASP_E_INITIALIZED);

  *o = (outcome){.in_tube = 0};
  point.by = w->by, point.loop = &loop, point.period = a.period, point.moves = false;
  int before = loop.machine.state, section = 0;
  for (int cycle = 0;; cycle++) {
    const double now = cycle * a.period;
    if (now > e->task->time + 4 || (o->goal > 0 && now > o->goal + (r ? 2 : 0))) break;
    experiment_cycle(&a, &loop, r, now);
    note(o, &loop, now, a.period, before, section);
    note_tracking(o, &loop);
    note_trace(o, &loop, cycle);
    section = loop.task.section;
    before = loop.machine.state;
  }
  arm_close(&a);
  if (trace >= 0) /* as it was at the end */
    for (int k = (int)(o->goal * e->rate) / EVERY + 1; k < TRACE; k++)
      traced[0][trace][k] = o->work;
  return true;
}

/* The way that is logged, with all bounds. */
static void judge(const experiment *e, const outcome *o, record *r) {
  if (e->in_tube > 0)
    record_near(r, "in the tube", "s", e->in_tube, o->in_tube, 0.15);
  else
    record_say(r, "in the tube", "s", NAN, o->in_tube);
  record_near(r, "at the goal", "s", e->goal, o->goal, 0.15);
  record_bound(r, "ends at the goal area, not by time or contact", "1", NAN,
               o->seen & ACHD_TASK_GOAL_AREA ? 1 : 0, "1", at_goal(o));
  record_bound(r, "off the middle of the tube, once within", "m", NAN, o->farthest,
               "1.05 of the tolerance", o->farthest <= 1.05 * e->tube);
  if (e->task->nframes > 1)
    record_bound(r, "waypoints passed", "1", NAN, o->sections + 1, "all",
                 o->sections == e->task->nframes - 1);
  record_bound(r, "largest share of a torque limit", "1", NAN, o->most, "0.7, a small share",
               o->most < 0.7);
  for (int j = 0; j < e->robot->njoints; j++) {
    char line[80];
    snprintf(line, sizeof line, "mean share of its torque limit, joint %d", j + 1);
    record_say(r, line, "1", NAN, o->share[j]);
  }
  record_bound(r, "left to the goal along x at the end", "m", NAN, o->left, "1.25 goal areas",
               o->left <= 1.25 * e->task->goal_area);
  record_bound(r, "faults of the loop", "1", 0, o->fault, "none", o->fault == 0);
}

/* The weight of the arm along the motion of joints 2, 3 and 4 that leaves the tool where it is, per
 * rad of joint 4 [N m], and what dry friction of 1 N m in each of them can hold of it while they
 * stand. All three turn about the same horizontal axis: their columns of the Jacobian lie in the
 * vertical plane through the arm, and the motion is the vector product of the plane's two rows. */
static void self_motion(const double *q, double *weight, double *held) {
  achd_measurement m = {.q = {0}};
  double column[3][3], tau[YOUBOT_NJ], row[2][3], n[3];
  achd_pose at[2];
  achd_twist twist;
  const double step = 1e-6;
  memcpy(m.q, q, YOUBOT_NJ * sizeof *q);
  youbot_weight(NULL, &m, tau);
  for (int k = 0; k < 3; k++) {
    for (int side = 0; side < 2; side++) {
      m.q[1 + k] = q[1 + k] + (side ? step : -step);
      youbot_kinematics(NULL, &m, &at[side], &twist);
    }
    m.q[1 + k] = q[1 + k];
    for (int i = 0; i < 3; i++) column[k][i] = (at[1].p[i] - at[0].p[i]) / (2 * step);
  }
  for (int k = 0; k < 3; k++) {
    row[0][k] = column[k][0] * column[1][0] + column[k][1] * column[1][1];
    row[1][k] = column[k][2];
  }
  for (int k = 0; k < 3; k++)
    n[k] = row[0][(k + 1) % 3] * row[1][(k + 2) % 3] - row[0][(k + 2) % 3] * row[1][(k + 1) % 3];
  *weight = *held = 0;
  for (int k = 0; k < 3; k++) {
    *weight += tau[1 + k] * n[k] / n[2];
    *held += fabs(n[k] / n[2]);
  }
}

static void tell_self_motion(const experiment *e, record *r) {
  double weight, held;
  self_motion(e->start, &weight, &held);
  record_say(r, "weight along the motion of joints 2 to 4 that no row holds", "N m", NAN,
             fabs(weight));
  record_say(r, "what dry friction of 1 N m in each of them holds of it at rest", "N m", NAN, held);
}

/* The other ways: when each stopped, and why. */
static void tell_others(const experiment *e, const outcome *o, record *r) {
  char line[200];
  for (int k = 0; k < WAYS; k++) {
    if (k == e->logged) continue;
    snprintf(line, sizeof line, "%s: %s",
             at_goal(&o[k])                 ? "at the goal"
             : o[k].fault & ACHD_LOOP_LIMIT ? "at a joint limit"
                                            : "stopped elsewhere",
             ways[k].name);
    if (k == COMPENSATED)
      record_near(r, line, "s", e->goal, at_goal(&o[k]) ? o[k].goal : NAN, 0.15);
    else
      record_bound(r, line, "s", NAN, o[k].goal, "by a joint limit", o[k].fault == ACHD_LOOP_LIMIT);
    if (k == PUBLISHED)
      record_say(r, "joint 4 then, whose lower limit is 0", "rad", NAN, o[k].joint4);
  }
  for (int k = 0; k < WAYS; k++) {
    snprintf(line, sizeof line, "positive work of the motors: %s", ways[k].name);
    if (at_goal(&o[k])) record_say(r, line, "J", NAN, o[k].work);
  }
}

static bool draw_laziness(const char *folder, const char *const names[TRACES], double period) {
  char path[600];
  plot_panel panels[PLOT_PANELS] = {
      {.unit = "J"}, {.unit = "N m"}, {.unit = "J, friction"}, {.unit = "N m, friction"}};
  for (int k = 0; k < TRACES; k++)
    for (int what = 0; what < 2; what++)
      panels[k / 4 * 2 + what].curves[k % 4] = (plot_curve){names[k], traced[what][k]};
  snprintf(path, sizeof path, "%s/laziness.svg", folder);
  return plot_write(path, "Positive work of the motors, and the largest torque of all joints",
                    period, TRACE, panels) == 0;
}

/* What laziness saves: experiment 1 by lazy control and by controllers that follow a point, with the
 * friction of the URDF and without; all at the goal. */
static bool compare_laziness(const experiment *e, const achd_loop_setup *setup, record *r) {
  static const way all[] = {
      {"lazy, gravity acts, damped", true, 0.1, false, LAZY},
      {"lazy, gravity compensated, damped", false, 0.1, false, LAZY},
      {"impedance, gravity compensated, damped", false, 0.1, false, IMPEDANCE},
      {"computed torque, gravity compensated, damped", false, 0.1, false, COMPUTED_TORQUE},
  };
  char line[200];
  static const char *const short_names[TRACES] = {"gravity acts", "lazy", "impedance", "computed",
                                                  "gravity acts", "lazy", "impedance", "computed"};
  for (int k = 0; k < TRACES; k++) {
    way w = all[k % 4];
    outcome o;
    trace = k;
    w.friction = k >= 4;
    if (!carry_out(e, &w, setup, NULL, &o)) return false;
    const char *with = w.friction ? "friction" : "no friction";
    snprintf(line, sizeof line, "at the goal: %s, %s", w.name, with);
    record_bound(r, line, "s", NAN, o.goal, "at the goal", at_goal(&o));
    record_say(r, "  positive work of the motors", "J", NAN, o.work);
    record_say(r, "  largest torque", "N m", NAN, o.peak);
    record_say(r, "  off the middle of the tube, root of mean of squares", "mm", NAN,
               1e3 * sqrt(o.off / o.cruised));
    record_say(r, "  off the speed, root of mean of squares", "mm/s", NAN,
               1e3 * sqrt(o.speed / o.cruised));
  }
  trace = -1;
  if (!r->folder) return true;
  r->pictures[r->npictures].file = "laziness.svg";
  r->pictures[r->npictures++].text =
      "Work and largest torque of lazy control, impedance and computed torque";
  return draw_laziness(r->folder, short_names, EVERY / e->rate);
}

/* The future work of the thesis: "predictions of the future robot's Cartesian velocities [..] simply
 * derived from an output of the ACHD solver namely, the resultant spatial accelerations" (chapter 8).
 * Experiment 1 by a horizon of 0.4 s with and without; friction, as ever, is unknown to the solver.
 * Bounds, chosen after exploring: at the goal with it, and torques that change less than half as much. */
static bool compare_prediction(const experiment *e, record *r) {
  double rough[2][2];
  char line[200];
  for (int k = 0; k < 4; k++) {
    static achd_task task;
    const way w = {"", false, 0.1, k >= 2, LAZY};
    const char *with = w.friction ? "friction" : "no friction";
    experiment near = *e;
    outcome o;
    task = *e->task;
    task.horizon = 0.4;
    task.accelerated = k % 2 != 0;
    near.task = &task;
    const achd_loop_setup setup = to_goal(e->robot, &task);
    if (!carry_out(&near, &w, &setup, NULL, &o)) return false;
    snprintf(line, sizeof line, "at the goal: predicted over 0.4 s %s acceleration, %s",
             k % 2 ? "with" : "without", with);
    record_bound(r, line, "s", NAN, o.goal, "at the goal", at_goal(&o));
    record_say(r, "  largest torque", "N m", NAN, o.peak);
    record_say(r, "  positive work of the motors", "J", NAN, o.work);
    record_say(r, "  off the middle of the tube, root of mean of squares", "mm", NAN,
               1e3 * sqrt(o.off / o.cruised));
    rough[k / 2][k % 2] = o.rough / o.goal;
    record_say(r, "  changes of all torques", "N m/s", NAN, rough[k / 2][k % 2]);
    if (k % 2)
      record_bound(r, "  share of these that the acceleration leaves", "1", NAN,
                   rough[k / 2][1] / rough[k / 2][0], "0.5",
                   rough[k / 2][1] < 0.5 * rough[k / 2][0]);
  }
  return true;
}

/* The figures of the thesis of experiments 1 to 4, and the "notable time-points" that are printed with
 * them. */
static const figures drawn[] = {
    {.first = 2, .directions = 3, .times = {4.5, 8.5}},
    {.first = 8, .directions = 3, .times = {4.7, 8.5}},
    {.first = 14,
     .directions = 3,
     .planes = true,
     .plane = {{0, 2}, {1, 2}},
     .times = {0.1, 0.4, 0.6, 1.9, 2.1, 2.9, 4.9, 6.0, 7.6, 8.7, 9.2, 10.3, 10.8, 11.8}},
    {.first = 20,
     .directions = 3,
     .planes = true,
     .plane = {{0, 1}, {0, 2}},
     .times = {3.6, 5.6, 7.6, 9.4, 11.2, 13.0, 14.9, 16.6, 17.1}},
};

bool run_free_motion(int n, const char *folder) {
  const experiment *e = &experiments[n - 1];
  const achd_task *t = e->task;
  const bool path = t->nframes > 1;
  const achd_loop_setup setup = path ? along_path(e->robot, t) : to_goal(e->robot, t);
  static record r;
  outcome o[WAYS];
  r = (record){.folder = folder,
               .title = e->title,
               .source = path ? "Vukcevic 2020, chapter 7, path following"
                              : "Vukcevic 2020, chapter 7, pre-grasp",
               .text =
                   path ? "The tool follows waypoints within a tube; the next one counts as soon "
                          "as its goal area is reached."
                        : "The tool moves into a tube, and along it to the goal; its "
                          "orientation is free.",
               .number = n,
               .task = t,
               .tube = e->tube,
               .length = e->length};
  for (int k = 0; k < WAYS; k++)
    if (!carry_out(e, &ways[k], &setup, k == e->logged ? &r : NULL, &o[k])) return false;
  judge(e, &o[e->logged], &r);
  tell_others(e, o, &r);
  if (e->robot == &youbot_robot) tell_self_motion(e, &r);
  if (!figures_draw(&drawn[n - 1], &r)) return false;
  if (n == 1 && !(compare_laziness(e, &setup, &r) && compare_prediction(e, &r))) return false;
  return record_end(&r);
}
