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

/* out: q after it has moved with v for a time h; an orientation by the quaternion (1, h v / 2). */
static inline void position_after(const double q[NQ], const double v[NV], double h,
                                  double out[NQ]) {
  for (int i = 0; i < QUAT; i++) out[i] = q[i] + h * v[i];
  if (NB) {
    const double *w = v + QUAT, a = 0.5 * h;
    const double s = 1 / sqrt(1 + a * a * (w[0] * w[0] + w[1] * w[1] + w[2] * w[2]));
    const double turn[4] = {s, s * a * w[0], s * a * w[1], s * a * w[2]};
    quaternion_product(turn, q + QUAT, 1, out + QUAT);
  }
  for (int i = NB; i < NV; i++) out[JOINTS - NB + i] = q[JOINTS - NB + i] + h * v[i];
}

/* How `out` of position_after changes in i with changes of q and of v. Of an orientation, a = h v / 2:
 * 1 + 2 ([a]x + [a]x^2) / (1 + a^2) and h (1 + [a]x) / (1 + a^2). */
static inline void position_after_rows(const double v[NV], double h, int i, double by_q[NV],
                                       double by_v[NV]) {
  by_q[i] = 1;
  by_v[i] = h;
  if (!NB || i / 3 != 1) return;
  const int j = QUAT + (i + 1) % 3, k = QUAT + (i + 2) % 3;
  const double x = 0.5 * h * v[i], y = 0.5 * h * v[j], z = 0.5 * h * v[k];
  const double s = 1 / (1 + x * x + y * y + z * z);
  by_q[i] = 1 - 2 * s * (y * y + z * z);
  by_q[j] = 2 * s * (x * y - z);
  by_q[k] = 2 * s * (x * z + y);
  by_v[i] = s * h;
  by_v[j] = -s * h * z;
  by_v[k] = s * h * y;
}

#endif
