/* SPDX-License-Identifier: MIT */
/* inertial.c: see inertial.h */
#include "model/inertial.h"

#include "base/limits.h"

#include <math.h>
#include <string.h>

/* Principal moments nearer to zero than this part of the largest are zero: a tensor written with
 * six digits is not known better. */
static const double MOMENT_TOLERANCE = 1e-6;

/* Negative moments below this part of m l^2 are somebody's rounding: l, from the link's origin to
 * its centre of mass or to the farthest of its joints, is what the mass is moved by. */
static const double ROUNDING_TOLERANCE = 1e-4;

#define WARN(line, ...) ag_note_add(&model->warnings, &model->nwarnings, arena, line, __VA_ARGS__)

static bool finite_numbers(const double *values, int count) {
  for (int i = 0; i < count; ++i)
    if (!isfinite(values[i])) return false;
  return true;
}

/* What a body's principal moments about its centre of mass may be: none is negative, and no one is
 * larger than the sum of the others, since each is a sum of m r^2 over two of three directions. */
static void check_moments(ag_model *model, const ag_urdf_link *raw, double squared_length,
                          ag_link *link, ag_arena *arena) {
  double moments[3];
  ag_principal_moments(raw->inertia, moments);
  const char *listed =
      ag_printf(arena, "%.4g, %.4g and %.4g kg m^2", moments[0], moments[1], moments[2]);
  const double largest = fmax(fabs(moments[0]), fabs(moments[2]));
  const double tolerance = MOMENT_TOLERANCE * largest;
  if (moments[0] < -tolerance) {
    if (-moments[0] <= ROUNDING_TOLERANCE * raw->mass * squared_length)
      WARN(raw->inertia_line,
           "link \"%s\": a principal moment of inertia is negative, by so little that it is taken "
           "as rounding: %s",
           raw->name, listed);
    else
      link->doubt = (ag_fault){
          raw->inertia_line,
          ag_printf(arena, "link \"%s\": a principal moment of inertia is negative: %s", raw->name,
                    listed),
          "no body has a negative one: check signs and digits of ixx .. izz; they are about the "
          "centre of mass"};
    return;
  }
  if (raw->mass == 0 && largest == 0) return; /* massless, and says so */
  if (raw->mass == 0)
    WARN(raw->mass_line, "link \"%s\" has a rotational inertia, but no mass", raw->name);
  if (largest == 0)
    WARN(raw->inertia_line, "link \"%s\": no rotational inertia; the mass counts as a point",
         raw->name);
  else if (moments[0] <= tolerance)
    WARN(raw->inertia_line, "link \"%s\": a principal moment of inertia is zero: %s", raw->name,
         listed);
  else if (moments[0] + moments[1] < moments[2] - tolerance)
    WARN(raw->inertia_line,
         "link \"%s\": no body has the principal moments of inertia %s: one is larger than the sum "
         "of the others",
         raw->name, listed);
}

void ag_inertial_check(ag_model *model, const ag_urdf_link *raw, double squared_length,
                       ag_link *link, ag_arena *arena) {
  if (raw->fault)
    link->fault = (ag_fault){raw->fault_line, raw->fault, raw->remedy};
  else if (raw->mass_line == 0 || raw->inertia_line == 0)
    link->fault = (ag_fault){
        raw->inertial_line,
        ag_printf(arena, "link \"%s\": <inertial> without <%s>", raw->name,
                  raw->mass_line ? "inertia" : "mass"),
        raw->mass_line ? "add <inertia ixx= ixy= ixz= iyy= iyz= izz=>, or drop <inertial>"
                       : "add <mass value=\"...\"/>, or drop <inertial> of a massless link"};
  else if (raw->mass < 0)
    link->fault = (ag_fault){
        raw->mass_line,
        ag_printf(arena, "link \"%s\" has the negative mass %g kg", raw->name, raw->mass),
        "write the mass in kg, 0 or more"};
  else
    check_moments(model, raw, squared_length, link, arena);
}

const char *ag_link_set_inertial(ag_link *link, double mass, const double com[3],
                                 const double central[6], ag_arena *arena) {
  double moments[3];
  const double m = isnan(mass) ? link->inertia.m : mass;
  if (m < 0) return "the mass is negative";
  if (m > AG_LARGEST_INERTIA)
    return ag_printf(arena, "the mass is more than %g kg", AG_LARGEST_INERTIA);
  ag_pose pose = ag_pose_identity;
  ag_inertia inertia = {.m = m};
  memcpy(pose.p, com ? com : link->com, sizeof pose.p);
  memcpy(inertia.I, central ? central : link->central, sizeof inertia.I);
  for (int i = 0; i < 6; ++i)
    if (fabs(inertia.I[i]) > AG_LARGEST_INERTIA)
      return ag_printf(arena, "a moment of inertia is more than %g kg m^2", AG_LARGEST_INERTIA);
  ag_principal_moments(inertia.I, moments);
  if (moments[0] < -MOMENT_TOLERANCE * fmax(fabs(moments[0]), fabs(moments[2])))
    return ag_printf(arena, "a principal moment of inertia is negative: %.4g, %.4g and %.4g kg m^2",
                     moments[0], moments[1], moments[2]);
  const ag_inertia moved = ag_inertia_transform(&pose, &inertia);
  if (!finite_numbers(moved.h, 3) || !finite_numbers(moved.I, 6))
    return "mass and position are too large to multiply";
  memcpy(link->com, pose.p, sizeof link->com);
  memcpy(link->central, inertia.I, sizeof link->central);
  link->inertia = moved;
  link->fault = link->doubt = (ag_fault){0, NULL, NULL};
  return NULL;
}
