/* SPDX-License-Identifier: MIT */
/* position.h: positions q of a robot and small changes of them, for ilqr.h. With a floating base q
 * begins with its position and quaternion (w x y z), and a change with its translation and rotation,
 * along the axes of the world, as in achdgen's derivatives. */
#ifndef POSITION_H
#define POSITION_H

#include <math.h>
#include <stdbool.h>

enum {
  NB = ILQR_BASE,         /* velocities of the base: 0 or 6 */
  NV = ILQR_V,            /* velocities, those of the base first */
  NQ = NV + (NB ? 1 : 0), /* numbers of q */
  QUAT = NB ? 3 : 0,      /* where the orientation stands, in q and in a change of it */
  JOINTS = NB ? 7 : 0     /* where the joints stand in q */
};

/* a b, or a b* with the conjugate of b where sign is -1 */
static inline void quaternion_product(const double a[4], const double b[4], double sign,
                                      double out[4]) {
  const double x = sign * b[1], y = sign * b[2], z = sign * b[3];
  out[0] = a[0] * b[0] - a[1] * x - a[2] * y - a[3] * z;
  out[1] = a[0] * x + a[1] * b[0] + a[2] * z - a[3] * y;
  out[2] = a[0] * y - a[1] * z + a[2] * b[0] + a[3] * x;
  out[3] = a[0] * z + a[1] * y - a[2] * x + a[3] * b[0];
}

/* d = to - from; of orientations 2 sin(angle / 2) along the axis of the rotation between them. */
static inline void position_difference(const double to[NQ], const double from[NQ], double d[NV]) {
  double turn[4] = {0};
  for (int i = 0; i < QUAT; i++) d[i] = to[i] - from[i];
  if (NB) quaternion_product(to + QUAT, from + QUAT, -1, turn);
  for (int i = QUAT; i < NB; i++) d[i] = (turn[0] < 0 ? -2 : 2) * turn[1 + i - QUAT];
  for (int i = NB; i < NV; i++) d[i] = to[JOINTS - NB + i] - from[JOINTS - NB + i];
}

/* row i, so far that of 1, of how position_difference changes with `to`: of an orientation
 * cos(angle / 2) 1 - [d / 2]x. */
static inline void position_difference_row(const double d[NV], int i, double row[NV]) {
  if (!NB || i / 3 != 1) return;
  const int j = QUAT + (i + 1) % 3, k = QUAT + (i + 2) % 3;
  row[i] = sqrt(fmax(0, 1 - 0.25 * (d[i] * d[i] + d[j] * d[j] + d[k] * d[k])));
  row[j] = 0.5 * d[k];
  row[k] = -0.5 * d[j];
}

#endif
