/* SPDX-License-Identifier: MIT */
/* directions.c: see directions.h */
#include "experiments/directions.h"

#include <string.h>

const char *const directions_names[6] = {"along_x", "along_y", "along_z",
                                         "about_x", "about_y", "about_z"};

static bool is_used(const achd_loop_setup *setup, int i) {
  for (int s = 0; s < ACHD_LOOP_STATES; s++)
    if (setup->states[s].task && setup->states[s].task->direction[i].kind != ACHD_FREE) return true;
  return false;
}

int directions_signals(const achd_loop_setup *setup, const achd_signal *loop, int nloop,
                       const char *const *joints, achd_signal signals[DIRECTIONS_SIGNALS]) {
  static const char *const quantities[4] = {"measured", "reference", "lower", "upper"};
  static const char *const states[4] = {"filtered", "bias", "gain", "u"};
  static const char *const axes[3] = {"x", "y", "z"};
  int n = 0, errors = 0;
  while (errors < nloop && strcmp(loop[errors].name, "error") != 0) errors++;
  for (int i = 0; i < 6; i++) {
    if (!is_used(setup, i)) continue;
    for (int k = 0; k < 4; k++)
      signals[n++] = (achd_signal){directions_names[i], quantities[k], 0, loop[errors + i].unit};
    for (int k = 0; k < 4; k++)
      signals[n++] = (achd_signal){directions_names[i], states[k], 0, "1"};
  }
  for (int i = 0; i < 3; i++) signals[n++] = (achd_signal){"place", axes[i], 0, "m"};
  for (int j = 0; j < setup->robot->njoints; j++)
    signals[n++] = (achd_signal){"tau_limit", joints[j], 0, "N m"};
  return n;
}

directions_view directions_now(const achd_loop *loop) {
  return (directions_view){loop->task.task, loop->task.section,
                           loop->setup->states[loop->machine.state].action};
}

/* All that a direction may control, in its motion frame and in its force frame. */
typedef struct seen {
  double place[3], velocity[6], exerted[6];
} seen;

static void see(const achd_loop *loop, const directions_view *view, seen *now) {
  const achd_pose *frame = &view->task->frames[view->section], *tool = &loop->tool.pose;
  double apart[3], in_tool[3];
  for (int i = 0; i < 3; i++) apart[i] = tool->p[i] - frame->p[i];
  achd_rotate_back(&frame->R, apart, now->place);
  achd_rotate_back(&frame->R, loop->tool.twist.lin, now->velocity);
  achd_rotate_back(&frame->R, loop->tool.twist.ang, now->velocity + 3);
  achd_rotate_back(&tool->R, loop->tool.wrench.lin, in_tool);
  achd_rotate_back(&view->task->force_axes, in_tool, now->exerted);
  achd_rotate_back(&tool->R, loop->tool.wrench.ang, in_tool);
  achd_rotate_back(&view->task->force_axes, in_tool, now->exerted + 3);
  for (int i = 0; i < 6; i++) now->exerted[i] = -now->exerted[i];
}

/* measured, reference, tolerance */
static void quantities(const achd_loop *loop, const directions_view *view, int i, const seen *now,
                       double q[3]) {
  const achd_direction *d = &view->task->direction[i];
  const double error = loop->errors.exact[i];
  const bool solved = view->action != ACHD_LOOP_STOP && loop->fault == ACHD_LOOP_FINE;
  q[0] = q[1] = 0;
  q[2] = d->kind == ACHD_ORIENTATION ? view->task->orientation_tolerance : d->tolerance;
  switch (d->kind) {
  case ACHD_VELOCITY:
    q[0] = now->velocity[i];
    q[1] = solved ? q[0] + error : 0;
    break;
  case ACHD_POSITION:
    q[0] = now->place[i];
    q[1] = d->value;
    break;
  case ACHD_FORCE:
    q[0] = now->exerted[i];
    q[1] = d->value;
    break;
  case ACHD_ORIENTATION:
  case ACHD_FORCE_DIRECTION:
    q[0] = -error;
    break;
  case ACHD_ACCELERATION:
    q[0] = q[1] = solved ? loop->command.b[i] : 0;
    break;
  case ACHD_FREE:
    q[2] = 0;
    break;
  }
}

int directions_values(const achd_loop *loop, const directions_view *view,
                      double values[DIRECTIONS_SIGNALS]) {
  const achd_loop_robot *robot = loop->setup->robot;
  seen now = {{0}, {0}, {0}};
  int n = 0;
  if (view->task) see(loop, view, &now);
  for (int i = 0; i < 6; i++) {
    const achd_abag *abag = &loop->task.channel[i];
    double q[3] = {0, 0, 0};
    if (!is_used(loop->setup, i)) continue;
    if (view->task) quantities(loop, view, i, &now, q);
    const double all[8] = {q[0],       q[1],       q[1] - q[2], q[1] + q[2],
                           abag->ebar, abag->bias, abag->gain,  abag->u};
    memcpy(values + n, all, sizeof all);
    n += 8;
  }
  for (int i = 0; i < 3; i++) values[n++] = now.place[i];
  for (int j = 0; j < robot->njoints; j++) values[n++] = robot->joints[j].effort;
  return n;
}
