/* SPDX-License-Identifier: MIT */
/* tool_watch.c: see achd/tool_watch.h */
#include <achd/tool_watch.h>

#include "task_error.h"
#include "vector.h"

static const achd_real speed_time = (achd_real)0.05; /* of the low passes [s] */
static const achd_real short_time = (achd_real)0.02; /* of distance and power */
static const achd_real progress_time = (achd_real)0.15,
                       most_progress = (achd_real)1.5; /* [s], [1] */
static const achd_real calm_time =
    (achd_real)0.5;                 /* until a motion's speed is judged; of a task's [s] */
static const achd_real forgets = 4; /* times as fast as it counts, so that noise is nothing [1] */
static const achd_real gets_on = (achd_real)0.1; /* of the desired velocity [1] */
static const achd_real at_most = (achd_real)0.99;
static const achd_real crushes = 2;             /* times the bound of the force [1] */
static const achd_real seeks = (achd_real)0.02; /* [m/s] */

static void low_pass(achd_real *x, achd_real now, achd_real share) {
  *x += (now - *x) * share;
}

achd_tool_bounds achd_tool_bounds_of(const achd_task *task, const achd_tool_bounds *wished) {
  achd_real v[3] = {0, 0, 0}, force = 0, tolerance = 0;
  bool presses = false;
  for (int i = 0; i < 3; i++) {
    const achd_direction *d = &task->direction[i];
    if (d->kind == ACHD_VELOCITY) v[i] = achd_magnitude(d->value) + achd_magnitude(d->amplitude);
    if (d->kind == ACHD_FORCE) force = achd_larger(force, achd_magnitude(d->value)), presses = true;
    if (d->kind == ACHD_POSITION) tolerance = achd_larger(tolerance, d->tolerance);
  }
  achd_tool_bounds b = *wished;
  if (b.speed == 0) b.speed = (achd_real)0.15 + (achd_real)1.5 * achd_norm(v);
  if (b.away == 0) b.away = (achd_real)0.05 + 2 * tolerance;
  if (b.power == 0) b.power = (30 + 3 * force) * b.speed;
  if (b.stuck == 0) b.stuck = (achd_real)0.5;
  if (b.force == 0) b.force = presses ? 30 + 3 * force : ACHD_INFINITY;
  return b;
}

bool achd_tool_bounds_valid(const achd_tool_bounds *bounds) {
  return bounds->speed >= 0 && bounds->away >= 0 && bounds->power >= 0 && bounds->stuck >= 0 &&
         bounds->force >= 0;
}

/* Within the tube, as achd_task_examine sees it. */
static bool within(const achd_task *task, const achd_task_errors *errors) {
  for (int i = 0; i < 6; i++) {
    const achd_direction_kind kind = task->direction[i].kind;
    if ((kind == ACHD_POSITION || kind == ACHD_ORIENTATION) && errors->e[i] != 0) return false;
  }
  return true;
}

/* How far the tool is from where its linear positions are met [m]. */
static achd_real distance(const achd_task *task, const achd_task_errors *errors) {
  achd_real r[3] = {0, 0, 0};
  for (int i = 0; i < 3; i++)
    if (task->direction[i].kind == ACHD_POSITION) r[i] = errors->exact[i];
  return achd_norm(r);
}

/* Whether the command of direction i is at its limit. */
static bool is_at_most(const achd_task_run *run, int i) {
  const achd_direction *d = &run->task->direction[i];
  const achd_real upper = d->smooth ? 1 : d->abag.u.upper, lower = d->smooth ? -1 : d->abag.u.lower;
  const achd_real u = run->channel[i].u;
  return u > 0 ? u >= at_most * upper : u < 0 && u <= at_most * lower;
}

/* Whether the tool is turned by more than its tolerance now. */
static bool is_turned(const achd_task_run *run, const achd_task_errors *errors) {
  achd_real now[3];
  for (int i = 0; i < 3; i++) now[i] = achd_task_error_now(run, 3 + i, errors->exact[3 + i]);
  return achd_task_held_angle(run->task, now) > run->task->orientation_tolerance;
}

/* What a second of direction i adds to the time for which it is stuck: 1 if it is pushed and does not move that way, 0
 * where no motion is desired, as before a tube. A velocity gets on by its set-point: one that is too fast, and is
 * braked, is not stuck. A position or an orientation that is within its tolerance now is not
 * stuck, whatever is predicted. *progress: how far it gets on, low-passed within bounds, as one that trembles where it
 * is held does not. */
static achd_real stuck_by(const achd_task_run *run, int i, bool turned,
                          const achd_task_errors *errors, achd_real share, achd_real *progress) {
  const achd_direction *d = &run->task->direction[i];
  const achd_real u = run->channel[i].u, v = run->velocity[i];
  const achd_real velocity = d->kind == ACHD_VELOCITY ? errors->exact[i] + v : 0; /* desired */
  achd_real wished = achd_magnitude(velocity);
  bool there = false;
  if (wished <= d->tolerance) wished = 0;
  if (d->kind == ACHD_POSITION) {
    wished = d->tolerance / gets_on;
    there = achd_magnitude(achd_task_error_now(run, i, errors->exact[i])) <= d->tolerance;
  }
  if (d->kind == ACHD_ORIENTATION) {
    wished = run->task->orientation_tolerance / gets_on;
    there = !turned;
  }
  if (d->kind == ACHD_FORCE && i < 3 && is_at_most(run, i)) wished = seeks;
  if (!(wished > 0)) return 0;
  const int way = achd_sign(d->kind == ACHD_VELOCITY ? velocity : u);
  const achd_real now = v * (achd_real)way / (gets_on * wished);
  if (achd_finite(now)) low_pass(progress, achd_clamp(now, -most_progress, most_progress), share);
  return u * errors->e[i] > 0 && *progress < 1 && !there ? 1 : -forgets;
}

/* STUCK and why. */
static unsigned watch_directions(achd_tool_watch *w, const achd_tool_bounds *bounds,
                                 const achd_task_run *run, const achd_task_errors *errors,
                                 achd_real period) {
  const bool turned = is_turned(run, errors);
  const achd_real share = period / (progress_time + period);
  unsigned seen = 0;
  for (int i = 0; i < 6; i++) {
    const achd_real more = stuck_by(run, i, turned, errors, share, &w->progress[i]);
    w->stuck_for[i] = achd_larger(w->stuck_for[i] + more * period, 0);
    if (!(w->stuck_for[i] > bounds->stuck)) continue;
    seen |= ACHD_TOOL_STUCK;
    if (is_at_most(run, i)) seen |= ACHD_TOOL_AT_MOST;
  }
  return seen;
}

/* Whether the tool is too fast: of two tasks the faster one's bound holds at first. */
static bool is_fast(achd_tool_watch *w, achd_real bound, const achd_real velocity[3],
                    achd_real time) {
  if (achd_all_finite(velocity, 3))
    for (int i = 0; i < 3; i++) low_pass(&w->velocity[i], velocity[i], time / (speed_time + time));
  if (bound >= w->allowed || !achd_finite(w->allowed))
    w->allowed = bound;
  else
    low_pass(&w->allowed, bound, time / (calm_time + time));
  const bool fast = achd_norm(w->velocity) > w->allowed;
  if (w->calm_for < calm_time) w->calm_for = w->arrived && !fast ? w->calm_for + time : 0;
  return fast && w->calm_for >= calm_time;
}

unsigned achd_tool_watch_step(achd_tool_watch *w, const achd_tool_bounds *wished,
                              const achd_task_run *run, const achd_tool_state *tool,
                              const achd_task_errors *errors, achd_real period) {
  const achd_task *task = run->task;
  const achd_tool_bounds bounds = achd_tool_bounds_of(task, wished);
  const achd_real time = period > 0 && achd_finite(period) ? period : 0;
  const achd_real share = time / (short_time + time);
  const achd_real away = distance(task, errors), force = achd_norm(tool->wrench.lin);
  const achd_real power =
      -achd_dot(tool->wrench.lin, tool->twist.lin) - achd_dot(tool->wrench.ang, tool->twist.ang);
  if (w->task != task || w->section != run->section) w->arrived = false;
  w->task = task;
  w->section = run->section;
  w->arrived = w->arrived || within(task, errors);
  if (!w->arrived) w->away = 0;
  if (w->arrived && achd_finite(away)) /* one wrong reading of a velocity is not enough */
    low_pass(&w->away, achd_clamp(away, 0, 4 * bounds.away), share);
  if (achd_finite(power)) low_pass(&w->power, power, share);
  if (achd_finite(force)) low_pass(&w->force, achd_clamp(force, 0, 4 * bounds.force), share);
  w->seen = 0;
  if (is_fast(w, bounds.speed, tool->twist.lin, time)) w->seen |= ACHD_TOOL_FAST;
  if (w->away > bounds.away) w->seen |= ACHD_TOOL_AWAY;
  if (w->power > bounds.power) w->seen |= ACHD_TOOL_POWER;
  if (w->force > bounds.force) w->seen |= ACHD_TOOL_FORCE;
  if (w->force > crushes * bounds.force) w->seen |= ACHD_TOOL_CRUSHES;
  w->seen |= watch_directions(w, &bounds, run, errors, time);
  return w->seen;
}
