/* SPDX-License-Identifier: MIT */
/* fingers.c: how the fingers move.
 *
 * Without mass: with their speed, until the goal or the object. As joints of the model: each is driven
 * to a velocity that ends at the goal,
 *
 *   e = q_goal - q,   v = sgn(e) min(|e| / T, v_max),   tau = h + sat(M w (v - qd) + z, f),
 *   dz/dt = k (v - qd),   f = F stroke / sum |q_closed - q_open|
 *
 * so that both together press with the force F: F times the change of the opening is the work of the
 * drives. Speeds and forces are those of a Robotiq 2F-85: 20 to 150 mm/s, 20 to 235 N. */
#include "fingers.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double least_force = 20, most_force = 235;      /* [N] */
static const double least_speed = 0.020, most_speed = 0.150; /* [m/s] */
static const double near_goal = 1.0 / 510;                   /* half a count */
static const double stopped_long = 0.05;                     /* before it is an object [s] */
static const double settling = 0.02, bandwidth = 100;        /* T [s], w [1/s] */

static double clamp(double x, double most) {
  return fmax(-most, fmin(most, x));
}

double achd_fingers_force(double share) {
  return least_force + (most_force - least_force) * fmax(0, fmin(1, share));
}

double achd_fingers_speed(const achd_fingers *f, double share) {
  return (least_speed + (most_speed - least_speed) * fmax(0, fmin(1, share))) / f->stroke;
}

/* ---- words ---- */

static bool fail(char why[ACHD_WORLD_WHY], const char *what, const char *name) {
  snprintf(why, ACHD_WORLD_WHY, "%.150s%.100s", what, name);
  return false;
}

static bool one_number(const achd_world_device *device, const char *word, double *value,
                       char why[ACHD_WORLD_WHY]) {
  if (!achd_world_text(device, word, 0)) return true;
  if (achd_world_numbers(device, word, value, 1) == 1 && *value > 0 && *value < 10) return true;
  return fail(why, "a length [m] is expected after ", word);
}

/* Positions of the joints: one for all, or one for each. */
static bool positions(const achd_fingers *f, const achd_world_device *device, const char *word,
                      double values[ACHD_FINGERS], char why[ACHD_WORLD_WHY]) {
  double given[ACHD_FINGERS];
  const int n = achd_world_numbers(device, word, given, ACHD_FINGERS);
  if (n != 1 && n != f->n)
    return fail(why, "fingers with joints need one number for each after ", word);
  for (int i = 0; i < f->n; i++) values[i] = given[n == 1 ? 0 : i];
  return true;
}

static bool find_joints(achd_fingers *f, const achd_world_device *device, const char *word,
                        char why[ACHD_WORLD_WHY]) {
  for (const char *name = NULL; (name = achd_world_text(device, word, f->n));) {
    const int joint = achd_physics_joint(f->physics, name);
    if (joint < 0) return fail(why, "the model has no joint ", name);
    if (achd_physics_joint_type(f->physics, joint) == ACHD_JOINT_OTHER)
      return fail(why, "not a hinge or slide: joint ", name);
    if (f->n == ACHD_FINGERS) return fail(why, "there are more than two joints after ", word);
    f->joint[f->n++] = joint;
  }
  return true;
}

bool achd_fingers_read(achd_fingers *f, const achd_world_device *device, const char *prefix,
                       char why[ACHD_WORLD_WHY]) {
  char word[5][32];
  static const char *const names[5] = {"joints", "open", "closed", "stroke", "object"};
  memset(f, 0, sizeof *f);
  for (int i = 0; i < 5; i++) snprintf(word[i], sizeof word[i], "%s%s", prefix, names[i]);
  f->physics = achd_world_physics(device);
  f->stroke = 0.085;
  f->force = achd_fingers_force(1);
  if (!find_joints(f, device, word[0], why) || !one_number(device, word[3], &f->stroke, why) ||
      !one_number(device, word[4], &f->object, why))
    return false;
  if (f->object > f->stroke) return fail(why, "wider than the stroke: ", word[4]);
  if (f->n > 0 && f->object > 0)
    return fail(why, "fingers with joints touch the model, not ", word[4]);
  if (f->n > 0 && (!positions(f, device, word[1], f->open, why) ||
                   !positions(f, device, word[2], f->closed, why)))
    return false;
  for (int i = 0; i < f->n; i++)
    if (f->open[i] == f->closed[i]) return fail(why, "the same as open: ", word[2]);
  achd_fingers_open(f);
  return true;
}

void achd_fingers_open(achd_fingers *f) {
  for (int i = 0; i < f->n; i++) {
    achd_physics_place(f->physics, f->joint[i], f->open[i]);
    achd_physics_stop(f->physics, f->joint[i]);
    f->pushed[i] = f->integral[i] = 0;
  }
  f->goal = f->s = f->velocity = f->pressing = f->stopped_for = 0;
}

void achd_fingers_command(achd_fingers *f, double goal, double speed, double force) {
  if (goal != f->goal) f->stopped_for = 0;
  f->goal = goal;
  f->speed = speed;
  f->force = force;
}

/* ---- motion ---- */

/* The share at which fingers without mass touch the object; 2: there is none. */
static double touch(const achd_fingers *f) {
  return f->object > 0 && !f->dropped ? 1 - f->object / f->stroke : 2;
}

static void move_massless(achd_fingers *f, double step) {
  const double reach = f->speed * step;
  double way = clamp(f->goal - f->s, reach);
  const double stop = fmax(touch(f), 0);
  const bool blocked = f->jammed ? way != 0 : way > 0 && f->s <= stop && f->s + way >= stop;
  if (blocked) way = f->jammed ? 0 : stop - f->s;
  f->pressing = blocked && fabs(f->goal - f->s) > near_goal ? f->force : 0;
  f->s += way;
  f->velocity = way / step;
}

static void drive_joint(achd_fingers *f, int i, double lever, double step) {
  achd_physics *p = f->physics;
  const int joint = f->joint[i];
  const double way = f->closed[i] - f->open[i];
  const double q = achd_physics_q(p, joint), qd = achd_physics_qd(p, joint);
  const double e = f->open[i] + f->goal * way - q;
  const double v = f->jammed ? 0 : clamp(e / settling, f->speed * fabs(way));
  const double most = f->force * lever, fastest = fmax(f->speed * fabs(way), 1e-6);
  const double M = achd_physics_inertia(p, joint);
  const double wanted = M * fmin(bandwidth, 0.3 / step) * (v - qd) + f->integral[i];
  f->pushed[i] = f->jammed ? clamp(wanted, 100 * most) : clamp(wanted, most);
  f->integral[i] = clamp(f->integral[i] + most / fastest / settling * (v - qd) * step, most);
  achd_physics_apply(p, joint, achd_physics_bias(p, joint) + f->pushed[i]);
}

static void move_joints(achd_fingers *f, double step) {
  double sum = 0, share = 0, velocity = 0, pushed = 0;
  for (int i = 0; i < f->n; i++) sum += fabs(f->closed[i] - f->open[i]);
  const double lever = f->stroke / sum;
  for (int i = 0; i < f->n; i++) {
    const double way = f->closed[i] - f->open[i];
    drive_joint(f, i, lever, step);
    share += (achd_physics_q(f->physics, f->joint[i]) - f->open[i]) / way / f->n;
    velocity += achd_physics_qd(f->physics, f->joint[i]) / way / f->n;
    pushed += fabs(f->pushed[i]) / lever / f->n;
  }
  f->s = share;
  f->velocity = velocity;
  f->pressing = f->jammed ? f->force : fmin(pushed, f->force);
}

void achd_fingers_act(achd_fingers *f, double step) {
  if (f->n > 0)
    move_joints(f, step);
  else
    move_massless(f, step);
  const bool slow = fabs(f->velocity) < 0.02 * f->speed;
  f->stopped_for = slow && fabs(f->goal - f->s) > near_goal ? f->stopped_for + step : 0;
}

achd_fingers_state achd_fingers_does(const achd_fingers *f) {
  if (fabs(f->goal - f->s) <= near_goal) return ACHD_FINGERS_ARRIVED;
  if (f->stopped_for < stopped_long) return ACHD_FINGERS_MOVE;
  return f->goal > f->s ? ACHD_FINGERS_STOPPED_CLOSING : ACHD_FINGERS_STOPPED_OPENING;
}

double achd_fingers_current(const achd_fingers *f) {
  const double moving = f->speed > 0 && fabs(f->velocity) > 0.02 * f->speed ? 0.1 : 0;
  return fmin(1, moving + f->pressing / most_force);
}
