/* SPDX-License-Identifier: MIT */
/* plausible.c: see plausible.h
 *
 * Each bound is far from what robots have: of 228 vendors' files five are warned of, for links of
 * 100 and 200 kg with moments of inertia that fit a thousandth of that mass. */
#include "model/plausible.h"

#include <math.h>

/* Joints turn a few times, some ten turns where they are winches; 45 and more written without a
 * fraction, up to two full turns, are degrees. */
static const double LEAST_DEGREES = 45, MOST_DEGREES = 720;
/* Orientations stay within a turn; 7 is more. */
static const double MOST_RPY = 6.3;
/* [m]: the largest arms reach 10 m. */
static const double FAR_CENTRE = 10, FAR_JOINT = 50;
/* Radius of gyration [m]. */
static const double LARGEST_RADIUS = 10;
/* A body has the least moment of inertia as a ball, 2/5 m r^2: [kg/m^3] of osmium, the densest
 * metal; [kg] from which on it is tested, since vendors fill in small moments of small bodies. */
static const double DENSEST = 22600, HEAVY = 100;

static const double DEGREE = 3.14159265358979323846 / 180;

static bool in_degrees(double limit) {
  const double size = fabs(limit);
  return size >= LEAST_DEGREES && size <= MOST_DEGREES && size == floor(size);
}

static double length_of(const ag_urdf_pose *pose) {
  const ag_decimal *p = pose->xyz;
  return sqrt(p[0].value * p[0].value + p[1].value * p[1].value + p[2].value * p[2].value);
}

static void check_orientation(const ag_urdf_pose *pose, const char *what, const char *name,
                              ag_model *model, ag_arena *arena) {
  double most = 0;
  for (int i = 0; i < 3; ++i)
    if (fabs(pose->rpy[i].value) > fabs(most)) most = pose->rpy[i].value;
  if (fabs(most) > MOST_RPY)
    ag_note_add(&model->warnings, &model->nwarnings, arena, pose->line,
                "%s \"%s\": an angle of rpy is %g: URDF has radians; %g degrees are %.5g", what,
                name, most, most, most * DEGREE);
}

static void check_joint(const ag_urdf_joint *j, ag_model *model, ag_arena *arena) {
  check_orientation(&j->origin, "joint", j->name, model, arena);
  if (length_of(&j->origin) > FAR_JOINT)
    ag_note_add(&model->warnings, &model->nwarnings, arena, j->origin.line,
                "joint \"%s\" is %g m away from its parent link's frame: URDF has metres", j->name,
                length_of(&j->origin));
  if (j->type == AG_REVOLUTE && (in_degrees(j->lower) || in_degrees(j->upper)))
    ag_note_add(&model->warnings, &model->nwarnings, arena, j->limit_line,
                "joint \"%s\" has limits of %g and %g: URDF has radians; in degrees they are %.4g "
                "and %.4g",
                j->name, j->lower, j->upper, j->lower * DEGREE, j->upper * DEGREE);
}

static void check_link(const ag_urdf_link *l, ag_model *model, ag_arena *arena) {
  if (l->inertial_line == 0) return;
  check_orientation(&l->com, "inertial of link", l->name, model, arena);
  if (length_of(&l->com) > FAR_CENTRE)
    ag_note_add(&model->warnings, &model->nwarnings, arena, l->com.line,
                "link \"%s\": its centre of mass is %g m away from its frame: URDF has metres",
                l->name, length_of(&l->com));
  const double largest = fmax(l->inertia[0], fmax(l->inertia[3], l->inertia[5]));
  if (l->mass > 0 && largest > l->mass * LARGEST_RADIUS * LARGEST_RADIUS)
    ag_note_add(&model->warnings, &model->nwarnings, arena, l->inertia_line,
                "link \"%s\": %g kg with an inertia of %g kg m^2 would be %.3g m away from the "
                "axis: URDF has kg m^2",
                l->name, l->mass, largest, sqrt(largest / l->mass));
  const double ball = cbrt(3 * l->mass / (4 * 3.14159265358979323846 * DENSEST));
  if (l->mass > HEAVY && largest > 0 && largest < 0.4 * l->mass * ball * ball)
    ag_note_add(&model->warnings, &model->nwarnings, arena, l->inertia_line,
                "link \"%s\": %g kg with an inertia of %g kg m^2 would be denser than any metal: "
                "URDF has kg and kg m^2",
                l->name, l->mass, largest);
}

void ag_plausible(const ag_urdf *doc, ag_model *model, ag_arena *arena) {
  for (int i = 0; i < doc->njoints; ++i) check_joint(&doc->joints[i], model, arena);
  for (int i = 0; i < doc->nlinks; ++i) check_link(&doc->links[i], model, arena);
  ag_note_sort(model->warnings, model->nwarnings, arena);
}
