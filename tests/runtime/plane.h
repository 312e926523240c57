/* SPDX-License-Identifier: MIT */
/* plane.h: a plane that pushes back where points of the tool sink into it: springs with damping,
 * and friction. */
#ifndef PLANE_H
#define PLANE_H

#include "closed_loop.h"

typedef struct plane {
  double point[3], normal[3]; /* normal: out of the plane, a unit vector */
  double stiffness;           /* of all points together [N/m] */
  double damping;             /* [N s/m] */
  double friction;            /* coefficient */
  double half; /* the points are the corners of a square of the tool's x y plane, this
                  far from its origin along x and y; 0: the origin alone [m] */
} plane;

/* On one point, about the tool's origin; r: from there to the point, base axes. */
static inline void plane_push(const plane *s, double share, const achd_pose *tool,
                              const achd_twist *twist, const double r[3], achd_wrench *sum) {
  double v[3], depth = 0, rate = 0, f[3], tangential[3], speed = 0;
  for (int i = 0; i < 3; i++) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    v[i] = twist->lin[i] + twist->ang[j] * r[k] - twist->ang[k] * r[j];
    depth -= s->normal[i] * (tool->p[i] + r[i] - s->point[i]);
    rate -= s->normal[i] * v[i];
  }
  if (depth <= 0) return;
  const double pressed = share * fmax(0, s->stiffness * depth + s->damping * rate);
  for (int i = 0; i < 3; i++) tangential[i] = v[i] + rate * s->normal[i];
  for (int i = 0; i < 3; i++) speed += tangential[i] * tangential[i];
  speed = sqrt(speed);
  for (int i = 0; i < 3; i++)
    f[i] = pressed * (s->normal[i] - s->friction * tangential[i] / (speed + 1e-3));
  for (int i = 0; i < 3; i++) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    sum->lin[i] += f[i];
    sum->ang[i] += r[j] * f[k] - r[k] * f[j];
  }
}

/* closed_loop_environment of a plane. */
static inline achd_wrench plane_environment(const void *world, const achd_pose *tool,
                                            const achd_twist *twist) {
  const plane *s = world;
  achd_wrench sum = {{0}, {0}};
  const int points = s->half > 0 ? 4 : 1;
  for (int k = 0; k < points; k++) {
    const double corner[3] = {k & 1 ? -s->half : s->half, k & 2 ? -s->half : s->half, 0};
    double r[3];
    achd_rotate(&tool->R, corner, r);
    plane_push(s, 1.0 / points, tool, twist, r, &sum);
  }
  return sum;
}

#endif
