/* SPDX-License-Identifier: MIT */
/* task.c: see achd/task.h */
#include <achd/task.h>

#include <achd/predict.h>

#include "task_error.h"
#include "vector.h"

#include <stddef.h>

/* ---- whether a task can be carried out ---- */

static bool at_least_zero(achd_real x) {
  return x >= 0; /* NaN is not */
}

/* Three unit vectors at right angles, right-handed. */
static bool rotation_valid(const achd_rotation *R) {
  const achd_real off = (achd_real)0.02;
  achd_real z[3];
  achd_cross(R->m[0], R->m[1], z);
  for (int i = 0; i < 3; i++)
    if (!(achd_magnitude(z[i] - R->m[2][i]) <= off) ||
        !(achd_magnitude(achd_dot(R->m[i], R->m[i]) - 1) <= off) ||
        !(achd_magnitude(achd_dot(R->m[i], R->m[(i + 1) % 3])) <= off))
      return false;
  return true;
}

static bool frames_valid(const achd_task *task) {
  if (task->frames == NULL || task->nframes < 1) return false;
  for (int k = 0; k < task->nframes; k++)
    if (!achd_all_finite(task->frames[k].p, 3) || !rotation_valid(&task->frames[k].R)) return false;
  return true;
}

static bool kind_fits(achd_direction_kind kind, int i) {
  switch (kind) {
  case ACHD_VELOCITY:
  case ACHD_FORCE:
  case ACHD_ACCELERATION:
    return true;
  case ACHD_POSITION:
    return i < 3;
  case ACHD_ORIENTATION:
    return i >= 3;
  case ACHD_FORCE_DIRECTION:
    return i == 3 || i == 4;
  case ACHD_FREE:
  default:
    return false;
  }
}

static bool smooth_valid(const achd_direction *d) {
  return d->kind != ACHD_FORCE_DIRECTION && at_least_zero(d->rate) && achd_finite(d->rate) &&
         at_least_zero(d->damping) && achd_finite(d->damping) && at_least_zero(d->speed) &&
         achd_finite(d->speed);
}

static bool is_force(achd_direction_kind kind) {
  return kind == ACHD_FORCE || kind == ACHD_FORCE_DIRECTION;
}

static bool gain_valid(achd_real x) {
  return at_least_zero(x) && achd_finite(x);
}

static bool law_valid(const achd_direction *d) {
  const achd_gains *g = &d->gains;
  const bool gains = gain_valid(g->proportional) && gain_valid(g->derivative) &&
                     gain_valid(g->integral) && gain_valid(g->limit);
  if (d->kind == ACHD_ACCELERATION) return d->law == ACHD_LAW_ABAG && !d->smooth;
  switch (d->law) {
  case ACHD_LAW_ABAG:
    return d->smooth ? smooth_valid(d) : achd_abag_valid(&d->abag);
  case ACHD_LAW_PID:
    return !d->smooth && gains;
  case ACHD_LAW_CASCADE: /* it stays where it is without its gains, or with a speed of at most 0 */
    return !d->smooth && gains && !is_force(d->kind) && g->derivative > 0 &&
           (d->kind == ACHD_VELOCITY || (g->proportional > 0 && g->limit > 0));
  case ACHD_LAW_IMPEDANCE:
    return !d->smooth && gains && !is_force(d->kind);
  default:
    return false;
  }
}

static bool direction_valid(const achd_direction *d, int i) {
  return d->kind == ACHD_FREE ||
         (kind_fits(d->kind, i) && achd_finite(d->value) && achd_finite(d->amplitude) &&
          achd_finite(d->wave) && at_least_zero(d->tolerance) && achd_finite(d->largest) &&
          at_least_zero(d->largest) && law_valid(d));
}

/* A direction that is a row of the solver. */
static bool is_row(const achd_direction *d) {
  return d->kind != ACHD_FREE && !is_force(d->kind) && d->law != ACHD_LAW_IMPEDANCE;
}

static bool all_rows(const achd_direction three[3]) {
  return is_row(&three[0]) && is_row(&three[1]) && is_row(&three[2]);
}

/* Whether rows of one rotation can do what the task wants, where angular motions have axes of their own. */
static bool turn_valid(const achd_task *task) {
  const achd_direction *d = task->direction;
  const bool none = !is_row(&d[3]) && !is_row(&d[4]) && !is_row(&d[5]);
  return !task->turned ||
         (rotation_valid(&task->turn_axes) && (none || all_rows(d) || all_rows(d + 3)));
}

static bool rule_valid(const achd_contact_rule *rule) {
  return at_least_zero(rule->force) && at_least_zero(rule->duration);
}

/* Whether a direction holds the orientation; where none does, no logarithm is computed. */
static bool holds_orientation(const achd_task *task) {
  return task->direction[3].kind == ACHD_ORIENTATION ||
         task->direction[4].kind == ACHD_ORIENTATION || task->direction[5].kind == ACHD_ORIENTATION;
}

/* Of the axes, of the mean velocity, and of the alignment. */
static bool contacts_valid(const achd_task *task, bool *presses) {
  const achd_standstill_rule *s = &task->standstill;
  for (int i = 0; i < 6; i++) {
    if (!rule_valid(&task->along[i])) return false;
    *presses = *presses || task->along[i].force > 0;
  }
  if (!at_least_zero(s->velocity) || !achd_finite(s->velocity) || s->axis < 0 || s->axis > 2)
    return false;
  if (s->velocity > 0 && (s->samples < 1 || s->samples > ACHD_TASK_SAMPLES)) return false;
  return at_least_zero(task->alignment.duration) && at_least_zero(task->alignment.time) &&
         at_least_zero(task->alignment.within);
}

/* What laws beside ABAG take for the distance now has no acceleration in it. */
static bool prediction_valid(const achd_task *task) {
  for (int i = 0; i < 6; i++) {
    const achd_direction *d = &task->direction[i];
    const bool predicted = d->kind == ACHD_POSITION || d->kind == ACHD_ORIENTATION;
    if (predicted && (d->smooth || d->law != ACHD_LAW_ABAG) && task->accelerated) return false;
  }
  return achd_finite(task->horizon) && at_least_zero(task->horizon) &&
         !(task->accelerated && task->object > 0);
}

/* Who is to stop at a waypoint is there once the velocity along x is within its tolerance. */
static bool pass_valid(const achd_task *task) {
  const achd_direction *x = &task->direction[0];
  return task->pass < ACHD_PASS_STOP ||
         (task->pass == ACHD_PASS_STOP && x->kind == ACHD_VELOCITY && x->tolerance > 0);
}

static bool numbers_valid(const achd_task *task) {
  bool presses = task->across.force > 0;
  if (!contacts_valid(task, &presses)) return false;
  for (int i = 0; i < 6; i++) {
    const achd_direction *d = &task->direction[i];
    if (!direction_valid(d, i)) return false;
    presses = presses || d->kind == ACHD_FORCE || d->kind == ACHD_FORCE_DIRECTION;
  }
  if (holds_orientation(task) && !rotation_valid(&task->orientation)) return false;
  if (presses && !rotation_valid(&task->force_axes)) return false;
  return frames_valid(task) && at_least_zero(task->orientation_tolerance) &&
         prediction_valid(task) && achd_finite(task->goal_area) && at_least_zero(task->goal_area) &&
         at_least_zero(task->time) && rule_valid(&task->contact) && rule_valid(&task->lost) &&
         rule_valid(&task->across) && task->object >= 0 && task->object <= ACHD_TASK_OBJECTS &&
         turn_valid(task) && pass_valid(task);
}

/* Whether a section differs from the whole in nothing but numbers that may change on the way. */
static bool section_fits(const achd_task *task, const achd_task *section) {
  for (int i = 0; i < 6; i++) {
    const achd_direction *a = &task->direction[i], *b = &section->direction[i];
    if (a->kind != b->kind || a->law != b->law || a->smooth != b->smooth) return false;
  }
  return section->frames == task->frames && section->nframes == task->nframes &&
         !section->sections && section->object == task->object &&
         section->accelerated == task->accelerated && section->turned == task->turned &&
         section->standstill.samples == task->standstill.samples &&
         section->standstill.axis == task->standstill.axis;
}

bool achd_task_valid(const achd_task *task) {
  if (!numbers_valid(task)) return false;
  for (int k = 0; task->sections && k < task->nframes; k++)
    if (!section_fits(task, &task->sections[k]) || !numbers_valid(&task->sections[k])) return false;
  return true;
}

/* ---- sections ---- */

/* Whether something else than ABAG drives a direction. */
static bool is_other(const achd_direction *d) {
  return d->smooth || d->law != ACHD_LAW_ABAG || d->kind == ACHD_ACCELERATION;
}

void achd_task_start(achd_task_run *run, const achd_task *task) {
  achd_clear(run, sizeof *run);
  run->task = task->sections ? &task->sections[0] : task;
  run->whole = task;
  for (int i = 0; i < 6; i++) {
    const achd_direction *d = &task->direction[i];
    achd_abag_reset(&run->channel[i], &d->abag, 0);
    run->is_smooth = run->is_smooth || (d->smooth && d->kind != ACHD_FREE);
    run->is_other = run->is_other || (is_other(d) && d->kind != ACHD_FREE);
  }
}

/* Whether the integral of a direction means the same in both. */
static bool goes_on(const achd_direction *from, const achd_direction *to) {
  return from->smooth && to->smooth && from->kind != ACHD_FREE && to->kind != ACHD_FREE &&
         (from->kind == ACHD_FORCE) == (to->kind == ACHD_FORCE);
}

void achd_task_follow(achd_task_run *run, const achd_task *task) {
  const achd_task *before = run->task;
  achd_real sum[6], slope[6];
  bool running[6];
  if (!before || !run->is_smooth) {
    achd_task_start(run, task);
    return;
  }
  for (int i = 0; i < 6; i++) {
    const bool same = goes_on(&before->direction[i], &task->direction[i]);
    running[i] = same && run->smooth[i].running;
    sum[i] = same ? run->smooth[i].sum : 0;
    slope[i] = same ? run->smooth[i].slope : 0;
  }
  achd_task_start(run, task);
  for (int i = 0; i < 6; i++) {
    run->smooth[i].running = running[i];
    run->smooth[i].sum = sum[i];
    run->smooth[i].slope = slope[i];
  }
}

bool achd_task_next_section(achd_task_run *run) {
  if (run->task == NULL || run->section + 1 >= run->task->nframes) return false;
  run->section++;
  if (run->whole->sections) run->task = &run->whole->sections[run->section];
  return true;
}

static const achd_pose *frame_of(const achd_task_run *run) {
  return &run->task->frames[run->section];
}

/* Along the axes of the motion frame. */
static void in_frame(const achd_task_run *run, const achd_real v[3], achd_real r[3]) {
  achd_rotate_back(&frame_of(run)->R, v, r);
}

/* Along the axes about which the tool is turned. */
static const achd_rotation *turn_axes(const achd_task_run *run) {
  return run->task->turned ? &run->task->turn_axes : &frame_of(run)->R;
}

/* Along the axes of the force frame, where the tool's are R. */
static void in_force_axes(const achd_task_run *run, const achd_rotation *R, const achd_real v[3],
                          achd_real r[3]) {
  achd_real in_tool[3];
  achd_rotate_back(R, v, in_tool);
  achd_rotate_back(&run->task->force_axes, in_tool, r);
}

/* A wrench along the axes of the force frame: force, moment. */
static void wrench_in_force_frame(const achd_task_run *run, const achd_rotation *R,
                                  const achd_wrench *measured, achd_real wrench[6]) {
  in_force_axes(run, R, measured->lin, wrench);
  in_force_axes(run, R, measured->ang, wrench + 3);
}

/* The measured one. */
static void in_force_frame(const achd_task_run *run, const achd_tool_state *tool,
                           achd_real wrench[6]) {
  wrench_in_force_frame(run, &tool->pose.R, &tool->wrench, wrench);
}

/* From the motion frame's origin to a point of the base frame. */
static void from_goal(const achd_task_run *run, const achd_real p[3], achd_real r[3]) {
  const achd_pose *frame = frame_of(run);
  const achd_real apart[3] = {p[0] - frame->p[0], p[1] - frame->p[1], p[2] - frame->p[2]};
  achd_rotate_back(&frame->R, apart, r);
}

static void copy_rotation(achd_rotation *to, const achd_rotation *from) {
  for (int i = 0; i < 3; i++) achd_copy(&to->m[i][0], from->m[i], 3);
}

/* Rotation vector from the orientation to the wanted one; 0 where no direction holds it. */
static void orientation_error(const achd_task_run *run, const achd_rotation *R, achd_real v[3]) {
  achd_zero(v, 3);
  if (!holds_orientation(run->task)) return;
  achd_pose from, to;
  achd_zero(from.p, 3);
  achd_zero(to.p, 3);
  copy_rotation(&from.R, R);
  copy_rotation(&to.R, &run->task->orientation);
  achd_twist difference;
  achd_pose_difference(&from, &to, &difference);
  achd_rotate_back(turn_axes(run), difference.ang, v);
}

achd_real achd_task_held_angle(const achd_task *task, const achd_real v[3]) {
  achd_real held[3];
  for (int i = 0; i < 3; i++) held[i] = task->direction[3 + i].kind == ACHD_ORIENTATION ? v[i] : 0;
  return achd_norm(held);
}

static bool pose_finite(const achd_pose *pose) {
  return achd_all_finite(pose->p, 3) && achd_all_finite(pose->R.m[0], 3) &&
         achd_all_finite(pose->R.m[1], 3) && achd_all_finite(pose->R.m[2], 3);
}

static bool tool_finite(const achd_tool_state *tool) {
  return pose_finite(&tool->pose) && achd_all_finite(tool->twist.lin, 3) &&
         achd_all_finite(tool->twist.ang, 3) && achd_all_finite(tool->wrench.lin, 3) &&
         achd_all_finite(tool->wrench.ang, 3);
}

/* ---- noise ---- */

/* So many times the deviation a threshold has to be, that noise does not feign what is above it, nor hide what is
 * below, as nine in ten readings of three components are then [1]. The longest low pass, and of the time that an alignment has [s], [1]. */
static const achd_real not_feigned = 5, not_hidden = (achd_real)2.5;
static const achd_real longest_smoothing = (achd_real)0.5, most_of_time = (achd_real)0.25;

/* The time constant with which noise is low-passed until `most` is so many times its deviation: of s^2 a low pass leaves
 * a / (2 - a), a = every / (time + every). */
static achd_real smoothing_for(achd_real deviation, achd_real times, achd_real most,
                               achd_real every) {
  const achd_real ratio = times * deviation / most;
  return deviation > 0 && ratio > 1 ? (ratio * ratio - 1) * every / 2 : 0;
}

/* Of a threshold, if there is one. */
static achd_real smoothing_of(achd_real deviation, achd_real threshold, achd_real every) {
  return threshold > 0 ? smoothing_for(deviation, not_feigned, threshold, every) : 0;
}

static achd_real smoothing_of_axes(const achd_task *task, const achd_noise *noise) {
  achd_real time = smoothing_of(noise->force, task->across.force, noise->every);
  for (int i = 0; i < 6; i++)
    time = achd_larger(time, smoothing_of(i < 3 ? noise->force : noise->moment,
                                          task->along[i].force, noise->every));
  return time;
}

static achd_real smoothing_of_alignment(const achd_task *task, const achd_noise *noise) {
  achd_real time = 0;
  for (int i = 0; i < 6 && task->alignment.time > 0; i++) {
    const achd_direction *d = &task->direction[i];
    const achd_real deviation = i < 3 ? noise->force : noise->moment;
    if (d->kind != ACHD_FORCE) continue;
    time = achd_larger(time, smoothing_for(deviation, not_hidden,
                                           task->alignment.within * d->tolerance, noise->every));
  }
  return time;
}

static bool is_noise(achd_real x) {
  return achd_finite(x) && x > 0;
}

/* The mean of n readings has s / sqrt(n). */
static bool hides_standstill(const achd_standstill_rule *rule, achd_real speed) {
  return rule->velocity > 0 &&
         9 * speed * speed > rule->velocity * rule->velocity * (achd_real)rule->samples;
}

unsigned achd_task_expect(achd_task_run *run, const achd_noise *noise) {
  const achd_task *task = run->task;
  const achd_noise n = {is_noise(noise->force) ? noise->force : 0,
                        is_noise(noise->moment) ? noise->moment : 0,
                        is_noise(noise->speed) ? noise->speed : 0,
                        is_noise(noise->every) ? noise->every : (achd_real)1e-3};
  run->hidden = 0;
  if (!task) return 0;
  achd_real *time = run->smoothing;
  time[ACHD_TASK_BY_CONTACT] = smoothing_of(n.force, task->contact.force, n.every);
  time[ACHD_TASK_BY_LOST] =
      task->lost.force > 0 ? smoothing_for(n.force, not_hidden, task->lost.force, n.every) : 0;
  time[ACHD_TASK_BY_AXES] = smoothing_of_axes(task, &n);
  time[ACHD_TASK_BY_ALIGNED] = smoothing_of_alignment(task, &n);
  for (int k = 0; k < ACHD_TASK_BY_FORCES; k++) {
    achd_real most = longest_smoothing;
    if (k == ACHD_TASK_BY_ALIGNED && most_of_time * task->alignment.time < most)
      most = most_of_time * task->alignment.time;
    if (time[k] <= most) continue;
    run->hidden |= 1U << k;
    time[k] = most;
  }
  if (hides_standstill(&task->standstill, n.speed)) run->hidden |= 1U << ACHD_TASK_BY_STANDSTILL;
  return run->hidden;
}

/* The wrench that a condition is judged by. */
static const achd_wrench *judged(achd_task_run *run, int condition, const achd_tool_state *tool,
                                 achd_real period) {
  const achd_real time = run->smoothing[condition];
  achd_wrench *w = &run->smoothed[condition];
  const bool lost = condition == ACHD_TASK_BY_LOST;
  if (!(time > 0)) {
    if (lost) *w = tool->wrench; /* a later section may low-pass it: it begins with this */
    return &tool->wrench;
  }
  const bool begins = lost && !(run->elapsed > 0);
  const achd_real share = begins ? 1 : period > 0 ? period / (time + period) : 0;
  for (int i = 0; i < 3; i++) {
    w->lin[i] += (tool->wrench.lin[i] - w->lin[i]) * share;
    w->ang[i] += (tool->wrench.ang[i] - w->ang[i]) * share;
  }
  return w;
}

/* ---- events ---- */

/* Where the tool is now. */
typedef struct place {
  achd_real r[3];  /* from the motion frame's origin, along its axes [m] */
  achd_real angle; /* from the orientation, where it is held [rad] */
} place;

static place place_of(const achd_task_run *run, const achd_tool_state *tool) {
  place at;
  achd_real turn[3];
  from_goal(run, tool->pose.p, at.r);
  orientation_error(run, &tool->pose.R, turn);
  at.angle = achd_task_held_angle(run->task, turn);
  return at;
}

/* Within `margin` times the tolerances of all positions and of the orientation. */
static bool within_tube(const achd_task *task, const place *at, achd_real margin) {
  for (int i = 0; i < 3; i++) {
    const achd_direction *d = &task->direction[i];
    if (d->kind == ACHD_POSITION && achd_magnitude(d->value - at->r[i]) > margin * d->tolerance)
      return false;
  }
  return at->angle <= margin * task->orientation_tolerance;
}

/* Whether the tool may go on to the next section. */
static bool is_covered(const achd_task *task, const place *at, const achd_tool_state *tool) {
  if (at->r[0] < -task->goal_area) return false;
  if (task->pass == ACHD_PASS_OVER) return true;
  const bool rests =
      task->pass != ACHD_PASS_STOP ||
      (at->r[0] <= task->goal_area && achd_norm(tool->twist.lin) <= task->direction[0].tolerance);
  return rests && within_tube(task, at, 1);
}

/* The tube counts as well as the distance: beside the goal is not at the goal. Once there, margins
 * keep noise at the area's edge from leading in and out, and the tool that sags a little where it
 * is held from being moved again. */
static unsigned goal_event(achd_task_run *run, const place *at, const achd_tool_state *tool) {
  const achd_task *task = run->task;
  const achd_real x = at->r[0];
  if (!(task->goal_area > 0)) return 0;
  if (run->section + 1 < task->nframes) return is_covered(task, at, tool) ? ACHD_TASK_COVERED : 0;
  const achd_real edge = run->at_goal ? task->goal_area * 5 / 4 : task->goal_area;
  run->at_goal = achd_magnitude(x) <= edge && within_tube(task, at, run->at_goal ? 4 : 1);
  return run->at_goal ? ACHD_TASK_GOAL_AREA : 0;
}

/* The force across the force frame's z [N]. */
static achd_real across(const achd_real wrench[6]) {
  const achd_real side[3] = {wrench[0], wrench[1], 0};
  return achd_norm(side);
}

/* Whether a contact is detected by components of the wrench: of most tasks it is not. */
static bool looks_at_axes(const achd_task *task) {
  achd_real most = task->across.force;
  for (int i = 0; i < 6; i++) most += task->along[i].force;
  return most > 0;
}

/* Whether a force or a moment has been above the threshold of its axis for its duration. */
static bool touches_along(achd_task_run *run, const achd_real wrench[6], achd_real period) {
  bool touches = false;
  for (int i = 0; i < 6; i++) {
    const achd_contact_rule *rule = &run->task->along[i];
    const bool above = rule->force > 0 && achd_magnitude(wrench[i]) > rule->force;
    run->along[i] = above ? run->along[i] + period : 0;
    touches = touches || (run->along[i] > 0 && run->along[i] >= rule->duration);
  }
  return touches;
}

/* The same; and for how long the force beside z has been above its threshold. */
static bool touches_beside(achd_task_run *run, const achd_tool_state *tool, achd_real period) {
  achd_real wrench[6];
  wrench_in_force_frame(run, &tool->pose.R, judged(run, ACHD_TASK_BY_AXES, tool, period), wrench);
  run->blocked = across(wrench) > run->task->across.force ? run->blocked + period : 0;
  return touches_along(run, wrench, period);
}

/* Whether the tool has moved and stands, by the mean of the last velocities. */
static bool stands_still(achd_task_run *run, const achd_tool_state *tool) {
  const achd_standstill_rule *rule = &run->task->standstill;
  achd_real v[3], mean = 0;
  if (!(rule->velocity > 0)) return false;
  in_frame(run, tool->twist.lin, v);
  run->speeds[run->next] = v[rule->axis];
  run->next = (run->next + 1) % rule->samples;
  run->nspeeds += run->nspeeds < rule->samples;
  if (run->nspeeds < rule->samples) return false;
  for (int i = 0; i < rule->samples; i++) mean += run->speeds[i] / (achd_real)rule->samples;
  run->moved = run->moved || achd_magnitude(mean) >= 2 * rule->velocity;
  return run->moved && achd_magnitude(mean) < rule->velocity;
}

/* The angle about x (i = 3) or y (i = 4) of the force frame that turns its z, or its -z where that
 * is nearer, into the measured force F. A turn by d about x takes z to (0, -sin d, cos d), about y
 * to (sin d, 0, cos d), so that for z
 *
 *   about x  atan2(-F_y, F_z),   about y  atan2(F_x, F_z)
 *
 * and for -z those of -F. A force below that of a lost contact has no direction: 0. */
static achd_real direction_error(const achd_task *task, int i, const achd_real F[3]) {
  const achd_real side = F[2] < 0 ? -1 : 1;
  if (achd_norm(F) < task->lost.force) return 0;
  return achd_atan2(side * (i == 3 ? -F[1] : F[0]), side * F[2]);
}

/* Whether forces, moments and directions of the force are within their tolerances, of a tool that
 * touches. */
static bool is_aligned(const achd_task *task, const achd_real wrench[6]) {
  for (int i = 0; i < 6; i++) {
    const achd_direction *d = &task->direction[i];
    achd_real e = 0;
    if (d->kind == ACHD_FORCE) e = d->value + wrench[i];
    if (d->kind == ACHD_FORCE_DIRECTION) e = direction_error(task, i, wrench);
    if (!(achd_magnitude(e) <= task->alignment.within * d->tolerance)) return false;
  }
  const achd_real force = achd_norm(wrench);
  return force > 0 && force >= task->lost.force;
}

/* The events of the alignment, of which it is too late for the second once the first has been. */
static unsigned alignment_event(achd_task_run *run, const achd_tool_state *tool, achd_real period) {
  const achd_alignment_rule *rule = &run->task->alignment;
  achd_real wrench[6];
  if (!(rule->time > 0)) return 0;
  wrench_in_force_frame(run, &tool->pose.R, judged(run, ACHD_TASK_BY_ALIGNED, tool, period),
                        wrench);
  run->aligned = is_aligned(run->task, wrench) ? run->aligned + period : 0;
  const bool done = run->aligned > 0 && run->aligned >= rule->duration;
  run->was_aligned = run->was_aligned || done;
  if (done) return ACHD_TASK_ALIGNED;
  return !run->was_aligned && run->elapsed >= rule->time ? ACHD_TASK_NOT_ALIGNED : 0;
}

unsigned achd_task_watch(achd_task_run *run, const achd_tool_state *tool, achd_real period) {
  const achd_task *task = run->task;
  if (!tool_finite(tool) || !achd_finite(period)) return ACHD_TASK_NOT_FINITE;
  const place at = place_of(run, tool);
  if (!achd_all_finite(at.r, 3) || !achd_finite(at.angle)) return ACHD_TASK_NOT_FINITE;
  const achd_wrench *by_contact = judged(run, ACHD_TASK_BY_CONTACT, tool, period),
                    *by_lost = judged(run, ACHD_TASK_BY_LOST, tool, period);
  const achd_real force = achd_norm(by_contact->lin),
                  left = by_lost == by_contact ? force : achd_norm(by_lost->lin);
  run->elapsed += period;
  run->period = period;
  run->pressed = force > task->contact.force ? run->pressed + period : 0;
  run->unpressed = left < task->lost.force ? run->unpressed + period : 0;
  const bool along = looks_at_axes(task) && touches_beside(run, tool, period);
  const bool still = stands_still(run, tool);

  unsigned events = goal_event(run, &at, tool) | alignment_event(run, tool, period);
  if (within_tube(task, &at, 1)) events |= ACHD_TASK_WITHIN_TUBE;
  if (run->elapsed >= task->time) events |= ACHD_TASK_TIMEOUT;
  if (run->pressed > 0 && run->pressed >= task->contact.duration) events |= ACHD_TASK_CONTACT;
  if (along || still) events |= ACHD_TASK_CONTACT;
  if (run->unpressed > 0 && run->unpressed >= task->lost.duration) events |= ACHD_TASK_NO_CONTACT;
  if (task->across.force > 0 && run->blocked > 0 && run->blocked >= task->across.duration)
    events |= ACHD_TASK_CONTACT_X_Y;
  return events;
}

/* ---- errors ---- */

/* Whether any direction is one: most tasks need nothing of the wrench for their directions. */
static bool has_force(const achd_task *task) {
  for (int i = 0; i < 6; i++)
    if (is_force(task->direction[i].kind)) return true;
  return false;
}

/* What the directions' errors are made of. */
typedef struct observed {
  achd_real position[3], orientation[3]; /* predicted; motion frame */
  achd_real velocity[6];                 /* motion frame */
  achd_real wrench[6];                   /* force frame; of a task with forces, as the next one */
  achd_real force[3];                    /* measured now; predicted force frame */
  achd_real x;                           /* now, along the motion [m] */
} observed;

static void observe(const achd_task_run *run, const achd_tool_state *tool, observed *o) {
  achd_pose predicted;
  achd_real r[3];
  achd_pose_predict(&tool->pose, &tool->twist, run->task->accelerated ? &run->acceleration : NULL,
                    run->task->horizon, &predicted);
  from_goal(run, predicted.p, o->position);
  orientation_error(run, &predicted.R, o->orientation);
  from_goal(run, tool->pose.p, r);
  o->x = r[0];
  in_frame(run, tool->twist.lin, o->velocity);
  achd_rotate_back(turn_axes(run), tool->twist.ang, o->velocity + 3);
  if (!has_force(run->task)) return;
  in_force_frame(run, tool, o->wrench);
  in_force_axes(run, &predicted.R, tool->wrench.lin, o->force);
}

/* The velocity that a direction wants at x:
 *
 *   v = value + amplitude sin(wave |x|)
 *
 * and along x itself, where the task has a goal, towards the goal: v for x < 0, -v for x > 0. On
 * the way to a goal a wave neither turns around nor stops: v is at least twice its tolerance, so
 * that rest is an error, or the wave's crest where that is less. At a waypoint to stop at it is 0. */
static achd_real wanted_velocity(const achd_task_run *run, int i, achd_real x) {
  const achd_task *task = run->task;
  const achd_direction *d = &task->direction[i];
  const achd_real v = d->value + d->amplitude * achd_sin(d->wave * achd_magnitude(x));
  if (i != 0 || !(task->goal_area > 0)) return v;
  if (task->pass == ACHD_PASS_STOP && achd_magnitude(x) <= task->goal_area &&
      run->section + 1 < task->nframes)
    return 0;
  const achd_real crest = d->value + d->amplitude;
  const achd_real least = crest < 2 * d->tolerance ? crest : 2 * d->tolerance;
  const achd_real on_the_way = achd_magnitude(x) > task->goal_area && v < least ? least : v;
  return x > 0 ? -on_the_way : on_the_way;
}

static achd_real exact_error(const achd_task_run *run, int i, const observed *o,
                             achd_task_mode mode) {
  const achd_task *task = run->task;
  const achd_direction *d = &task->direction[i];
  switch (d->kind) {
  case ACHD_VELOCITY:
    if (mode == ACHD_TASK_APPROACH) return -o->velocity[i];
    return wanted_velocity(run, i, o->x) - o->velocity[i];
  case ACHD_POSITION:
    return d->value - o->position[i % 3];
  case ACHD_ORIENTATION:
    return o->orientation[i % 3];
  case ACHD_FORCE:
    return d->value + o->wrench[i];
  case ACHD_FORCE_DIRECTION:
    return direction_error(task, i, o->force);
  case ACHD_ACCELERATION:
  case ACHD_FREE:
  default:
    return 0;
  }
}

void achd_task_examine(const achd_task_run *run, const achd_tool_state *tool, achd_task_mode mode,
                       achd_task_errors *errors) {
  const achd_task *task = run->task;
  observed o;
  observe(run, tool, &o);
  const bool turned = !(achd_task_held_angle(task, o.orientation) <= task->orientation_tolerance);
  for (int i = 0; i < 6; i++) {
    const achd_direction *d = &task->direction[i];
    const achd_real e = exact_error(run, i, &o, mode);
    const bool strict = d->kind == ACHD_VELOCITY && mode == ACHD_TASK_APPROACH;
    const bool counts =
        d->kind == ACHD_ORIENTATION ? turned : strict || !(achd_magnitude(e) <= d->tolerance);
    errors->exact[i] = e;
    errors->e[i] = counts ? e : 0;
  }
}

/* ---- control ---- */

static const achd_real force_rate = 10, motion_rate = 20; /* [1/s] */
static const achd_real touch_speed = (achd_real)0.02,
                       turn_speed = (achd_real)0.1; /* [m/s, rad/s] */

static achd_real drive(achd_abag *channel, const achd_direction *d, achd_real e, bool saturated) {
  const int side = saturated ? achd_sign(channel->u) : 0;
  return d->largest * achd_abag_step(channel, &d->abag, e, side);
}

static achd_real or_default(achd_real x, achd_real otherwise) {
  return x > 0 ? x : otherwise;
}

/* The numbers of a smooth direction. */
static achd_smooth_parameters law_of(const achd_task_run *run, int i) {
  const achd_direction *d = &run->task->direction[i];
  const bool force = d->kind == ACHD_FORCE;
  return (achd_smooth_parameters){.rate = or_default(d->rate, force ? force_rate : motion_rate),
                                  .damping = or_default(d->damping, run->damping[i]),
                                  .speed = or_default(d->speed, i < 3 ? touch_speed : turn_speed),
                                  .largest = d->largest};
}

/* How much faster a motion has to be than v, with the gain g = 1 / horizon or rate / 4, whichever is less, and the
 * exact error e, which of a position or an orientation is that of the predicted pose: now it is e + horizon v, and
 *
 *   d = g (e + horizon v) - v */
static achd_real too_slow(const achd_task_run *run, int i, achd_real rate, achd_real e,
                          achd_real v) {
  const achd_real horizon = run->task->horizon, most = rate / 4;
  const achd_real gain = horizon * most > 1 ? 1 / horizon : most;
  return run->task->direction[i].kind == ACHD_VELOCITY ? e : gain * (e + horizon * v) - v;
}

static achd_real drive_smoothly(achd_task_run *run, int i, achd_real e, bool saturated) {
  const achd_direction *d = &run->task->direction[i];
  const achd_real v = run->velocity[i];
  const achd_smooth_parameters law = law_of(run, i);
  achd_smooth *state = &run->smooth[i];
  const int side = saturated ? achd_sign(state->u) : 0;
  if (d->kind != ACHD_FORCE)
    (void)achd_smooth_motion(state, &law, too_slow(run, i, law.rate, e, v), run->period, side);
  else if (law.damping > 0)
    (void)achd_smooth_force(state, &law, e, v, run->period, side);
  else
    state->u = 0;
  run->channel[i].u = d->largest > 0 ? state->u / d->largest : 0;
  run->channel[i].bias = d->largest > 0 ? state->sum / d->largest : 0;
  return state->u;
}

achd_real achd_task_error_now(const achd_task_run *run, int i, achd_real e) {
  const achd_direction_kind kind = run->task->direction[i].kind;
  const bool predicted = kind == ACHD_POSITION || kind == ACHD_ORIENTATION;
  return predicted ? e + run->task->horizon * run->velocity[i] : e;
}

/* While a motor is at its limit, the command does not grow. */
static achd_real drive_by_pid(achd_task_run *run, int i, achd_real e, bool saturated) {
  const achd_direction *d = &run->task->direction[i];
  const achd_gains *g = &d->gains;
  const achd_real last = run->channel[i].u * d->largest;
  const achd_pid_parameters p = {.proportional = g->proportional,
                                 .integral = g->integral,
                                 .derivative = g->derivative,
                                 .filter = g->limit,
                                 .lower = saturated && last < 0 ? last : -d->largest,
                                 .upper = saturated && last > 0 ? last : d->largest};
  const achd_real u = achd_pid_step(&run->pid[i], &p, achd_task_error_now(run, i, e), run->period);
  run->channel[i].bias = d->largest > 0 ? run->pid[i].sum / d->largest : 0;
  return u;
}

/* A cascade of motions: of a velocity its inner half. */
static achd_real drive_by_cascade(const achd_task_run *run, int i, achd_real e) {
  const achd_direction *d = &run->task->direction[i];
  const achd_real v = run->velocity[i];
  const bool outer = d->kind != ACHD_VELOCITY;
  const achd_cascade_parameters p = {.position_gain = outer ? d->gains.proportional : 0,
                                     .velocity_gain = d->gains.derivative,
                                     .largest_speed = outer ? d->gains.limit : ACHD_INFINITY,
                                     .lower = -d->largest,
                                     .upper = d->largest};
  return achd_cascade(&p, achd_task_error_now(run, i, e), v, outer ? 0 : e + v);
}

/* What is commanded; 0 where numbers overflow. */
static achd_real limited(const achd_direction *d, achd_real u) {
  return achd_finite(u) ? achd_clamp(u, -d->largest, d->largest) : 0;
}

static achd_real drive_by_spring(const achd_task_run *run, int i, achd_real e) {
  const achd_direction *d = &run->task->direction[i];
  const achd_gains *g = &d->gains;
  const achd_real damped = d->kind == ACHD_VELOCITY ? e : -run->velocity[i];
  const achd_real spring =
      d->kind == ACHD_VELOCITY ? 0 : g->proportional * achd_task_error_now(run, i, e);
  return limited(d, spring + g->derivative * damped);
}

/* A direction that ABAG does not drive. */
static achd_real drive_otherwise(achd_task_run *run, int i, achd_real e, bool saturated) {
  const achd_direction *d = &run->task->direction[i];
  achd_real u = 0;
  if (d->smooth) return drive_smoothly(run, i, e, saturated);
  if (d->kind == ACHD_ACCELERATION)
    u = limited(d, d->value + d->amplitude * achd_cos(d->wave * run->elapsed));
  else if (d->law == ACHD_LAW_PID)
    u = drive_by_pid(run, i, e, saturated);
  else if (d->law == ACHD_LAW_CASCADE)
    u = drive_by_cascade(run, i, e);
  else
    u = drive_by_spring(run, i, e);
  run->channel[i].u = d->largest > 0 ? u / d->largest : 0;
  return u;
}

/* Rows have one rotation. Accelerations along three axes are the same along any other three: where angular motions
 * have axes of their own, they are given along those of the motion frame, or linear ones along theirs. */
static void join_axes(const achd_task_run *run, achd_task_command *command) {
  const achd_task *task = run->task;
  achd_real v[3];
  if (all_rows(task->direction + 3)) {
    achd_rotate(&task->turn_axes, command->b + 3, v);
    achd_rotate_back(&command->axes, v, command->b + 3);
  } else if (all_rows(task->direction)) {
    achd_rotate(&command->axes, command->b, v);
    achd_rotate_back(&task->turn_axes, v, command->b);
    copy_rotation(&command->axes, &task->turn_axes);
  }
}

/* What springs exert, which forces of the task come on top of. */
static void add_springs(const achd_task_run *run, achd_task_command *command) {
  achd_real force[3], moment[3];
  achd_rotate(&frame_of(run)->R, run->springs, force);
  achd_rotate(turn_axes(run), run->springs + 3, moment);
  for (int i = 0; i < 3; i++) {
    command->wrench.lin[i] += force[i];
    command->wrench.ang[i] += moment[i];
  }
}

/* Velocities of the tool along (first = 0) or about (3) each direction: of forces in the force frame. */
static void find_velocities(achd_task_run *run, const achd_tool_state *tool, int first) {
  const achd_real *twist = first == 0 ? tool->twist.lin : tool->twist.ang;
  const achd_direction *d = &run->task->direction[first];
  achd_real along[3], *v = &run->velocity[first];
  achd_rotate_back(first == 0 ? &frame_of(run)->R : turn_axes(run), twist, v);
  if (!is_force(d[0].kind) && !is_force(d[1].kind) && !is_force(d[2].kind)) return;
  in_force_axes(run, &tool->pose.R, twist, along);
  for (int i = 0; i < 3; i++)
    if (is_force(d[i].kind)) v[i] = along[i];
}

/* What is exerted now, in the force frame, as the first bias of each force; of a smooth one what exerts it, or its
 * set-point where that is less, while the tool moves as it does: s = u + D v. */
static void take_over_forces(achd_task_run *run, const achd_tool_state *tool) {
  achd_real wrench[6];
  in_force_frame(run, tool, wrench);
  for (int i = 0; i < 6; i++) {
    const achd_direction *d = &run->task->direction[i];
    if (d->kind != ACHD_FORCE) continue;
    achd_abag_reset(&run->channel[i], &d->abag, -wrench[i] / d->largest);
    if (d->law == ACHD_LAW_PID) run->pid[i].sum = achd_clamp(-wrench[i], -d->largest, d->largest);
    if (!d->smooth || run->smooth[i].running) continue;
    const achd_real low = d->value < 0 ? d->value : 0, high = d->value < 0 ? 0 : d->value;
    run->smooth[i].sum =
        achd_clamp(-wrench[i], low, high) + law_of(run, i).damping * run->velocity[i];
  }
}

bool achd_task_control(achd_task_run *run, const achd_tool_state *tool,
                       const achd_task_errors *errors, bool saturated, achd_task_command *command) {
  achd_real wrench[6];
  achd_zero(wrench, 6);
  achd_zero(command->b, 6);
  achd_zero(command->mask, 6);
  achd_zero(command->wrench.lin, 3);
  achd_zero(command->wrench.ang, 3);
  if (!tool_finite(tool) || !pose_finite(frame_of(run))) {
    for (int i = 0; i < 3; i++) achd_zero(command->axes.m[i], 3);
    return false;
  }
  copy_rotation(&command->axes, &frame_of(run)->R);
  const bool any_other = run->is_other;
  find_velocities(run, tool, 0);
  find_velocities(run, tool, 3);
  if (!run->driven && has_force(run->task)) take_over_forces(run, tool);
  run->driven = true;
  for (int i = 0; i < 6; i++) {
    const achd_direction *d = &run->task->direction[i];
    if (d->kind == ACHD_FREE) continue;
    const achd_real driven = any_other && is_other(d)
                                 ? drive_otherwise(run, i, errors->exact[i], saturated)
                                 : drive(&run->channel[i], d, errors->e[i], saturated);
    if (is_force(d->kind)) {
      wrench[i] = driven;
    } else if (d->law == ACHD_LAW_IMPEDANCE) {
      run->springs[i] = driven;
    } else {
      command->b[i] = driven;
      command->mask[i] = 1;
    }
  }
  if (has_force(run->task)) {
    achd_real force[3], moment[3];
    achd_rotate(&run->task->force_axes, wrench, force);
    achd_rotate(&run->task->force_axes, wrench + 3, moment);
    achd_rotate(&tool->pose.R, force, command->wrench.lin);
    achd_rotate(&tool->pose.R, moment, command->wrench.ang);
  }
  if (any_other) add_springs(run, command);
  if (run->task->turned) join_axes(run, command);
  return true;
}
