/* SPDX-License-Identifier: MIT */
/* surface_run.h: tasks on a surface in a closed loop by the surface machine: down to a plane that
 * pushes back, flat on it, along it. */
#ifndef SURFACE_RUN_H
#define SURFACE_RUN_H

#include "plane.h"
#include "surface_machine.h"

static inline achd_loop_setup surface_setup(const achd_loop_robot *robot, const achd_task *lower,
                                            const achd_task *align, const achd_task *slide) {
  const achd_loop_setup setup = {
      .robot = robot,
      .machine = &surface_machine,
      .states = {[SURFACE_STOP_MOTION] = {ACHD_LOOP_STOP, NULL},
                 [SURFACE_APPROACH_SURFACE] = {ACHD_LOOP_CRUISE, lower},
                 [SURFACE_ALIGN_WITH_SURFACE] = {ACHD_LOOP_APPROACH, align},
                 [SURFACE_START_TO_CRUISE] = {ACHD_LOOP_APPROACH, slide},
                 [SURFACE_CRUISE_THROUGH_TUBE] = {ACHD_LOOP_CRUISE, slide}},
      .events = {.fault = -1,
                 .joint_limit = SURFACE_E_JOINT_LIMIT,
                 .timeout = SURFACE_E_TIMEOUT,
                 .contact = SURFACE_E_CONTACT_Z,
                 .no_contact = SURFACE_E_NO_CONTACT,
                 .within_tube = SURFACE_E_WITHIN_TUBE,
                 .out_of_tube = SURFACE_E_OUT_OF_TUBE,
                 .goal_area = SURFACE_E_GOAL_AREA,
                 .contact_x_y = SURFACE_E_CONTACT_X_Y,
                 .align_done = SURFACE_E_ALIGN_DONE,
                 .align_error = SURFACE_E_ALIGN_ERROR},
      .latest = 3e-3,
      .saturation_time = 3,
      .singular_time = 0.1,
      .braking_time = 0.3};
  return setup;
}

typedef struct surface_run {
  closed_loop c;
  double contact, aligned; /* [s]; 0: never */
  int lost;                /* contacts */
  double quiet;            /* time for which the tool has been aligned [s] */
  /* while sliding */
  int slid;            /* cycles */
  double force, speed; /* mean along the force frame's z, and along x [N, m/s] */
  double most;         /* force along z, 0.5 s after the beginning and later [N] */
  double lean;         /* of the tool's z from the plane's normal, then too [rad] */
} surface_run;

static inline double surface_lean(const plane *s, const achd_pose *tool) {
  double along = 0;
  for (int i = 0; i < 3; i++) along -= s->normal[i] * tool->R.m[i][2];
  return acos(fmax(-1, fmin(1, along)));
}

/* What the tool exerts along the force frame's z [N]. */
static inline double surface_force(const achd_loop *loop) {
  double in_tool[3], r[3];
  achd_rotate_back(&loop->tool.pose.R, loop->tool.wrench.lin, in_tool);
  achd_rotate_back(&loop->task.task->force_axes, in_tool, r);
  return -r[2];
}

/* Forces within four tolerances, directions within two: friction moves the latter about. */
static inline bool surface_aligned(const achd_loop *loop) {
  for (int i = 0; i < 6; i++) {
    const achd_direction *d = &loop->task.task->direction[i];
    const double e = fabs(loop->errors.exact[i]);
    if (d->kind == ACHD_FORCE && e > 4 * d->tolerance) return false;
    if (d->kind == ACHD_FORCE_DIRECTION && e > 2 * d->tolerance) return false;
  }
  return true;
}

/* Aligned for 0.1 s: the program's event, where the task itself does not say what aligned is. */
static inline void surface_events(surface_run *r) {
  achd_loop *loop = &r->c.loop;
  const bool aligning = loop->machine.state == SURFACE_ALIGN_WITH_SURFACE;
  if (r->aligned == 0 && loop->machine.state == SURFACE_START_TO_CRUISE)
    r->aligned = r->c.cycle * r->c.period;
  if (loop->task.task->alignment.time > 0) return;
  const double before = r->quiet;
  r->quiet = aligning && surface_aligned(loop) ? r->quiet + r->c.period : 0;
  if (before < 0.1 && r->quiet >= 0.1) {
    achd_loop_raise(loop, SURFACE_E_ALIGN_DONE);
    r->aligned = r->c.cycle * r->c.period;
  }
}

/* Until the goal, or another stop, and a second more. */
static inline void surface_slide(surface_run *r, const plane *s, double time) {
  closed_loop *c = &r->c;
  while (c->cycle * c->period < time &&
         (c->stopped == 0 || c->cycle * c->period < c->stopped + 1)) {
    const int before = c->loop.machine.state;
    closed_loop_step(c);
    surface_events(r);
    const int now = c->loop.machine.state;
    if (r->contact == 0 && now == SURFACE_ALIGN_WITH_SURFACE) r->contact = c->cycle * c->period;
    r->lost += before > SURFACE_APPROACH_SURFACE && now == SURFACE_APPROACH_SURFACE;
    if (now != SURFACE_CRUISE_THROUGH_TUBE) continue;
    double v[3];
    achd_rotate_back(&c->loop.task.task->frames[0].R, c->loop.tool.twist.lin, v);
    r->slid++;
    r->force += (surface_force(&c->loop) - r->force) / r->slid;
    r->speed += (v[0] - r->speed) / r->slid;
    if (r->slid * c->period < 0.5) continue;
    r->most = fmax(r->most, surface_force(&c->loop));
    r->lean = fmax(r->lean, surface_lean(s, &c->loop.tool.pose));
  }
  printf(
      "  %s: contact %.2f s, aligned %.2f s, goal %.2f s, %d lost; sliding: %.3f N, at most %.3f "
      "N, %.4f m/s, lean %.3f, %.4f m off the middle, %.0f %% of the torques\n",
      c->loop.task.task->name, r->contact, r->aligned, c->stopped, r->lost, r->force, r->most,
      r->speed, r->lean, c->farthest, 100 * c->most_torque);
}

#endif
