/* SPDX-License-Identifier: MIT */
/* closed_loop.h: a task that ships, in a closed loop on the generated dynamics of its own robot:
 * measurement with noise, the whole loop of achd/loop.h, joints with friction that the controller
 * does not know, and an environment that pushes back. CLOSED_LOOP_ARM makes the functions that the
 * loop wants of a generated header; closed_loop_run runs a state machine and its task to the end
 * and says what happened. */
#ifndef CLOSED_LOOP_H
#define CLOSED_LOOP_H

#include <achd/loop.h>

#include "random.h"
#include "test.h"

/* What the controller adds for what the rows leave free: damping, and near a joint limit a spring
 * that leads away from it. A share of the joint's effort each. No spring to a posture: it would
 * push along the directions of forces, which are free to the rows too. */
typedef struct free_motion {
  const achd_loop_joint *joints;
  double damping;  /* of the effort, per rad/s */
  double distance; /* from a limit within which the spring acts [rad] */
  double spring;   /* of the effort, per rad */
  /* Gravity is not compensated: it moves what the rows leave free, as in tables 7.1 to 7.4 of
   * Vukcevic 2020 ("Gravity compensation: Disabled"). */
  bool gravity_acts;
} free_motion;

static inline double free_motion_torque(const free_motion *f, int j, double q, double qd) {
  const achd_joint_limits *l = &f->joints[j].limits;
  const double low = fmax(0, l->lower + f->distance - q),
               high = fmax(0, q + f->distance - l->upper);
  return f->joints[j].effort * (f->spring * (low - high) - f->damping * qd);
}

/* Joint accelerations by the robot's own forward dynamics; push: of the environment on the tool,
 * about its origin, base axes. */
typedef void closed_loop_dynamics(const double *q, const double *qd, const double *tau,
                                  const achd_wrench *push, double *qdd);

/* Of the environment on the tool, from where the tool is and how it moves (base axes). */
typedef achd_wrench closed_loop_environment(const void *environment, const achd_pose *tool,
                                            const achd_twist *twist);

/* Of a generated header whose rows are the group "tool" at FRAME, with the wrenches "push" and "press":
 * CLOSED_LOOP_MODEL makes NAME_kinematics and NAME_weight, CLOSED_LOOP_CONTROLLER also NAME_solve,
 * whose context is a free_motion, and CLOSED_LOOP_ARM also NAME_dynamics. */
#define CLOSED_LOOP_MODEL(name, frame)                                                             \
  static inline void name##_kinematics(void *context, const achd_measurement *m, achd_pose *pose,  \
                                       achd_twist *twist) {                                        \
    (void)context;                                                                                 \
    name##_fk_in fk;                                                                               \
    name##_fvk_in fvk;                                                                             \
    name##_fk_out at;                                                                              \
    name##_fvk_out moving;                                                                         \
    memcpy(fk.q, m->q, sizeof fk.q);                                                               \
    memcpy(fvk.q, m->q, sizeof fvk.q);                                                             \
    memcpy(fvk.qd, m->qd, sizeof fvk.qd);                                                          \
    name##_fk(&fk, &at);                                                                           \
    name##_fvk(&fvk, &moving);                                                                     \
    *pose = ACHD_POSE_OF(at.pose.frame);                                                           \
    *twist = ACHD_TWIST_OF(moving.twist.frame);                                                    \
  }                                                                                                \
  static inline void name##_weight(void *context, const achd_measurement *m, double *tau) {        \
    (void)context;                                                                                 \
    name##_gravity_in in = {.gravity = {0, 0, -9.81}};                                             \
    name##_gravity_out out;                                                                        \
    memcpy(in.q, m->q, sizeof in.q);                                                               \
    name##_gravity(&in, &out);                                                                     \
    memcpy(tau, out.tau, sizeof out.tau);                                                          \
  }

#define CLOSED_LOOP_CONTROLLER(name, NAME, frame)                                                  \
  CLOSED_LOOP_MODEL(name, frame)                                                                   \
  static inline void name##_solve(void *context, const achd_measurement *m,                        \
                                  const achd_task_command *command, achd_solution *solution) {     \
    name##_achd_in in = {.gravity = {0, 0, -9.81}};                                                \
    name##_achd_out out;                                                                           \
    memcpy(in.q, m->q, sizeof in.q);                                                               \
    memcpy(in.qd, m->qd, sizeof in.qd);                                                            \
    memcpy(in.b, command->b, sizeof in.b);                                                         \
    memcpy(in.mask, command->mask, sizeof in.mask);                                                \
    memcpy(in.axes.tool, command->axes.m, sizeof in.axes.tool);                                    \
    ACHD_PUT_WRENCH(in.push, m->wrench);                                                           \
    ACHD_PUT_WRENCH(in.press, command->wrench);                                                    \
    const free_motion *given = (const free_motion *)context;                                       \
    if (!given->gravity_acts) name##_weight(NULL, m, in.tau_art);                                  \
    for (int j = 0; j < NAME##_NJ; j++)                                                            \
      in.tau_art[j] += free_motion_torque(given, j, m->q[j], m->qd[j]);                            \
    const name##_status status = name##_achd(&in, &out);                                           \
    memcpy(solution->tau, out.tau_ctrl, sizeof out.tau_ctrl);                                      \
    memcpy(solution->qdd, out.qdd, sizeof out.qdd);                                                \
    solution->usable = (status & NAME##_DO_NOT_COMMAND) == 0;                                      \
    solution->singular = (status & NAME##_SINGULAR) != 0;                                          \
  }

#define CLOSED_LOOP_ARM(name, NAME, frame)                                                         \
  CLOSED_LOOP_CONTROLLER(name, NAME, frame)                                                        \
  static inline void name##_dynamics(const double *q, const double *qd, const double *tau,         \
                                     const achd_wrench *push, double *qdd) {                       \
    name##_fd_in in = {.gravity = {0, 0, -9.81}};                                                  \
    name##_fd_out out;                                                                             \
    memcpy(in.q, q, sizeof in.q);                                                                  \
    memcpy(in.qd, qd, sizeof in.qd);                                                               \
    memcpy(in.tau, tau, sizeof in.tau);                                                            \
    ACHD_PUT_WRENCH(in.push, *push);                                                               \
    name##_fd(&in, &out);                                                                          \
    memcpy(qdd, out.qdd, sizeof out.qdd);                                                          \
  }

/* The robot as it is. */
typedef struct plant {
  const achd_loop_robot *robot;
  closed_loop_dynamics *dynamics;
  closed_loop_environment *environment; /* NULL: nothing is touched */
  const void *world;                    /* handed to the environment */
  double friction;       /* Coulomb, share of each joint's effort, unknown to the controller */
  double position_noise; /* deviations of what is measured [rad] */
  double velocity_noise; /* [rad/s] */
  double force_noise;    /* [N] */
  bool no_sensor;        /* of forces: the measured wrench is 0 */
  double q[ACHD_LOOP_JOINTS], qd[ACHD_LOOP_JOINTS];
  achd_wrench push; /* of the environment on the tool now */
  unsigned long long random;
} plant;

static inline void plant_touch(plant *p) {
  achd_measurement m = {.q = {0}};
  achd_pose tool;
  achd_twist twist;
  if (!p->environment) return;
  memcpy(m.q, p->q, sizeof m.q);
  memcpy(m.qd, p->qd, sizeof m.qd);
  p->robot->kinematics(p->robot->context, &m, &tool, &twist);
  p->push = p->environment(p->world, &tool, &twist);
}

/* One period [s] in steps of a quarter of a millisecond at most: semi-implicit Euler. */
static inline void plant_move(plant *p, const double commanded[], double period) {
  const int n = p->robot->njoints, steps = (int)ceil(period / 2.5e-4);
  for (int step = 0; step < steps; step++) {
    double tau[ACHD_LOOP_JOINTS], qdd[ACHD_LOOP_JOINTS];
    for (int j = 0; j < n; j++)
      tau[j] = commanded[j] - p->friction * p->robot->joints[j].effort * tanh(p->qd[j] / 0.01);
    p->dynamics(p->q, p->qd, tau, &p->push, qdd);
    for (int j = 0; j < n; j++) {
      p->qd[j] += qdd[j] * period / steps;
      p->q[j] += p->qd[j] * period / steps;
    }
    plant_touch(p);
  }
}

static inline achd_measurement plant_measure(plant *p) {
  achd_measurement m = {.wrench = p->push};
  for (int j = 0; j < p->robot->njoints; j++) {
    m.q[j] = p->q[j] + p->position_noise * random_normal(&p->random);
    m.qd[j] = p->qd[j] + p->velocity_noise * random_normal(&p->random);
  }
  for (int i = 0; i < 3; i++) m.wrench.lin[i] += p->force_noise * random_normal(&p->random);
  if (p->no_sensor) m.wrench = (achd_wrench){{0}, {0}};
  return m;
}

/* ---- a run ---- */

typedef struct closed_loop {
  achd_loop loop;
  plant plant;
  double period; /* [s] */
  int cycle;
  bool obstacle; /* that the tool may be stuck at */
  /* what happened */
  double in_tube;     /* first within the tube [s]; 0: never */
  double stopped;     /* first stop after the start [s]; 0: never */
  unsigned seen;      /* bits of achd_task_event at that stop */
  int sections;       /* entered, the first apart */
  double farthest;    /* from the tube's middle, once within and until the stop [m] */
  double most_torque; /* until the stop, share of the effort limits */
  double nearest;     /* to a joint limit [rad] */
} closed_loop;

/* Where a point stands in the frame of the present section. */
static inline void closed_loop_place(const achd_loop *loop, double r[3]) {
  const achd_pose *frame = &loop->task.task->frames[loop->task.section];
  double apart[3];
  for (int i = 0; i < 3; i++) apart[i] = loop->tool.pose.p[i] - frame->p[i];
  achd_rotate_back(&frame->R, apart, r);
}

/* Starts the loop; its machine's event `initialized` is raised. */
static inline closed_loop closed_loop_at(const achd_loop_setup *setup, plant p, double rate,
                                         int initialized) {
  closed_loop c = {.plant = p, .period = 1 / rate, .nearest = INFINITY};
  CHECK(achd_loop_start(&c.loop, setup));
  achd_loop_raise(&c.loop, initialized);
  plant_touch(&c.plant);
  return c;
}

static inline void closed_loop_note(closed_loop *c, int before, int section) {
  const achd_loop *loop = &c->loop;
  const achd_loop_robot *robot = loop->setup->robot;
  const double now = c->cycle * c->period;
  const bool stands = loop->setup->states[loop->machine.state].action == ACHD_LOOP_STOP;
  const bool stood = loop->setup->states[before].action == ACHD_LOOP_STOP;
  double r[3];
  if (loop->task.task) closed_loop_place(loop, r);
  if (c->in_tube == 0 && loop->seen & ACHD_TASK_WITHIN_TUBE) c->in_tube = now;
  if (c->stopped == 0 && stands && !stood) c->stopped = now, c->seen = loop->seen;
  for (int i = 1; i < 3 && c->stopped == 0 && c->in_tube > 0; i++)
    if (loop->task.task->direction[i].kind == ACHD_POSITION && section == loop->task.section)
      c->farthest = fmax(c->farthest, fabs(r[i]));
  c->sections += loop->task.section > section;
  CHECK(!loop->contact.chatters);
  CHECK(c->obstacle || c->stopped > 0 || loop->tool_watch.seen == 0);
  for (int j = 0; j < robot->njoints; j++) {
    const achd_joint_limits *l = &robot->joints[j].limits;
    CHECK(fabs(loop->tau[j]) <= robot->joints[j].effort);
    if (c->stopped == 0)
      c->most_torque = fmax(c->most_torque, fabs(loop->tau[j]) / robot->joints[j].effort);
    c->nearest = fmin(c->nearest, fmin(c->plant.q[j] - l->lower, l->upper - c->plant.q[j]));
  }
}

/* One cycle: measure, command, move. */
static inline void closed_loop_step(closed_loop *c) {
  const achd_measurement m = plant_measure(&c->plant);
  const int before = c->loop.machine.state, section = c->loop.task.section;
  achd_loop_cycle(&c->loop, &m, c->period);
  closed_loop_note(c, before, section);
  plant_move(&c->plant, c->loop.tau, c->period);
  c->cycle++;
}

/* Until it stops, then two seconds more; for `time` at most [s]. */
static inline void closed_loop_run(closed_loop *c, double time) {
  while (c->cycle * c->period < time && (c->stopped == 0 || c->cycle * c->period < c->stopped + 2))
    closed_loop_step(c);
}

#endif
