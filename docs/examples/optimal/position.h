/* position.h: positions q of a robot and small changes of them, for ilqr.h. With a floating base q
 * begins with its position and quaternion (w x y z), and a change with its translation and rotation
 * vector, along the axes of the world: R(d) = exp([d]x) R, as in achdgen's derivatives. */
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

typedef double matrix3[3][3];

/* 1 + a [w]x + b [w]x^2 */
static inline void rotation_series(const double w[3], double a, double b, matrix3 out) {
  const double square = w[0] * w[0] + w[1] * w[1] + w[2] * w[2];
  for (int i = 0; i < 3; i++) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    out[i][i] = 1 + b * (w[i] * w[i] - square);
    out[i][j] = b * w[i] * w[j] - a * w[k];
    out[i][k] = b * w[i] * w[k] + a * w[j];
  }
}

/* R = exp([w]x). With w + dw it is exp([J dw]x) R, to first order. */
static inline void rotation(const double w[3], matrix3 R, matrix3 J) {
  const double t2 = w[0] * w[0] + w[1] * w[1] + w[2] * w[2], t = sqrt(t2);
  const bool small = t < 1e-3;
  const double s = small ? 1 - t2 / 6 : sin(t) / t, c = small ? 0.5 - t2 / 24 : (1 - cos(t)) / t2;
  rotation_series(w, s, c, R);
  rotation_series(w, c, small ? 1.0 / 6 - t2 / 120 : (1 - s) / t2, J);
}

/* a b, or a b* with the conjugate of b where sign is -1 */
static inline void quaternion_product(const double a[4], const double b[4], double sign,
                                      double out[4]) {
  const double x = sign * b[1], y = sign * b[2], z = sign * b[3];
  out[0] = a[0] * b[0] - a[1] * x - a[2] * y - a[3] * z;
  out[1] = a[0] * x + a[1] * b[0] + a[2] * z - a[3] * y;
  out[2] = a[0] * y - a[1] * z + a[2] * b[0] + a[3] * x;
  out[3] = a[0] * z + a[1] * y - a[2] * x + a[3] * b[0];
}

/* The rotation vector from one orientation to another, no longer than pi. */
static inline void rotation_between(const double from[4], const double to[4], double d[3]) {
  double q[4];
  quaternion_product(to, from, -1, q);
  const double sine = sqrt(q[1] * q[1] + q[2] * q[2] + q[3] * q[3]), side = q[0] < 0 ? -1 : 1;
  const double scale = sine < 1e-9 ? 2 * side : 2 * side * atan2(sine, fabs(q[0])) / sine;
  for (int i = 0; i < 3; i++) d[i] = scale * q[1 + i];
}

/* d such that `from`, changed by d, is `to`. */
static inline void position_difference(const double to[NQ], const double from[NQ], double d[NV]) {
  for (int i = 0; i < QUAT; i++) d[i] = to[i] - from[i];
  if (NB) rotation_between(from + QUAT, to + QUAT, d + QUAT);
  for (int i = NB; i < NV; i++) d[i] = to[JOINTS - NB + i] - from[JOINTS - NB + i];
}

/* out: q after it has moved with v for a time h. */
static inline void position_after(const double q[NQ], const double v[NV], double h,
                                  double out[NQ]) {
  for (int i = 0; i < QUAT; i++) out[i] = q[i] + h * v[i];
  if (NB) {
    const double *w = v + QUAT, t = 0.5 * h * sqrt(w[0] * w[0] + w[1] * w[1] + w[2] * w[2]);
    const double s = 0.5 * h * (t < 1e-6 ? 1 : sin(t) / t);
    const double turn[4] = {cos(t), s * w[0], s * w[1], s * w[2]};
    quaternion_product(turn, q + QUAT, 1, out + QUAT);
  }
  for (int i = NB; i < NV; i++) out[JOINTS - NB + i] = q[JOINTS - NB + i] + h * v[i];
}

#endif
