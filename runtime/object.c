/* SPDX-License-Identifier: MIT */
/* object.c: see achd/object.h */
#include <achd/object.h>

#include "vector.h"

/* x <- x + factor a x b */
static void add_cross(const achd_real a[3], const achd_real b[3], achd_real factor,
                      achd_real x[3]) {
  achd_real product[3];
  achd_cross(a, b, product);
  for (int i = 0; i < 3; i++) x[i] += factor * product[i];
}

/* From the object to the tool, along the axes of the base: r, v - v_o - w_o x r, w - w_o. */
typedef struct apart {
  achd_real r[3], v[3], w[3];
} apart;

static void apart_of(const achd_object_state *object, const achd_tool_state *tool, apart *d) {
  for (int i = 0; i < 3; i++) {
    d->r[i] = tool->pose.p[i] - object->pose.p[i];
    d->v[i] = tool->twist.lin[i] - object->twist.lin[i];
    d->w[i] = tool->twist.ang[i] - object->twist.ang[i];
  }
  add_cross(object->twist.ang, d->r, -1, d->v);
}

static bool finite_rotation(const achd_rotation *R) {
  for (int i = 0; i < 3; i++)
    if (!achd_all_finite(R->m[i], 3)) return false;
  return true;
}

bool achd_object_tool(const achd_object_state *object, const achd_tool_state *tool,
                      achd_tool_state *relative) {
  const achd_rotation *R = &object->pose.R;
  apart d;
  apart_of(object, tool, &d);
  achd_pose_relative(&object->pose, &tool->pose, &relative->pose);
  achd_rotate_back(R, d.v, relative->twist.lin);
  achd_rotate_back(R, d.w, relative->twist.ang);
  achd_rotate_back(R, tool->wrench.lin, relative->wrench.lin);
  achd_rotate_back(R, tool->wrench.ang, relative->wrench.ang);
  const bool good = finite_rotation(R) && finite_rotation(&tool->pose.R) &&
                    achd_all_finite(relative->pose.p, 3) &&
                    achd_all_finite(relative->twist.lin, 3) &&
                    achd_all_finite(relative->twist.ang, 3);
  for (int i = 0; i < 3 && !good; i++) {
    relative->pose.p[i] = relative->twist.lin[i] = relative->twist.ang[i] = ACHD_INFINITY;
    for (int k = 0; k < 3; k++) relative->pose.R.m[i][k] = ACHD_INFINITY;
  }
  return good;
}

static bool refuse(achd_task_command *command) {
  achd_zero(command->wrench.lin, 3);
  achd_zero(command->wrench.ang, 3);
  for (int i = 0; i < 3; i++) {
    achd_zero(command->axes.m[i], 3);
    command->axes.m[i][i] = 1;
  }
  achd_zero(command->b, 6);
  achd_zero(command->mask, 6);
  return false;
}

bool achd_object_command(const achd_object_state *object, const achd_tool_state *tool,
                         achd_task_command *command) {
  apart d;
  apart_of(object, tool, &d);
  const achd_real *w = object->twist.ang, *dw = object->acceleration.ang;
  achd_real lin[3], ang[3], turning[3], force[3], moment[3];
  achd_copy(lin, object->acceleration.lin, 3);
  achd_copy(ang, dw, 3);
  achd_cross(w, d.r, turning);
  add_cross(dw, d.r, 1, lin);
  add_cross(w, turning, 1, lin);
  add_cross(w, d.v, 2, lin);
  add_cross(w, d.w, 1, ang);
  achd_rotation axes;
  achd_rotation_product(&object->pose.R, &command->axes, &axes);
  if (!achd_all_finite(lin, 3) || !achd_all_finite(ang, 3) || !finite_rotation(&axes))
    return refuse(command);
  achd_rotate(&object->pose.R, command->wrench.lin, force);
  achd_rotate(&object->pose.R, command->wrench.ang, moment);
  for (int k = 0; k < 3; k++) {
    command->wrench.lin[k] = force[k], command->wrench.ang[k] = moment[k];
    for (int i = 0; i < 3; i++) {
      command->axes.m[i][k] = axes.m[i][k];
      if (command->mask[k] != 0) command->b[k] += axes.m[i][k] * lin[i];
      if (command->mask[3 + k] != 0) command->b[3 + k] += axes.m[i][k] * ang[i];
    }
  }
  return true;
}
