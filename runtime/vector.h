/* SPDX-License-Identifier: MIT */
/* vector.h: three-vectors, and other small algebra; private to the library. */
#ifndef ACHD_VECTOR_H
#define ACHD_VECTOR_H

#include "mathematics.h"

/* The larger and the smaller one of two numbers; b if one of them is NaN. */
static inline achd_real achd_larger(achd_real a, achd_real b) {
  return a > b ? a : b;
}
static inline achd_real achd_smaller(achd_real a, achd_real b) {
  return a < b ? a : b;
}

/* c = a x b */
static inline void achd_cross(const achd_real a[3], const achd_real b[3], achd_real c[3]) {
  c[0] = a[1] * b[2] - a[2] * b[1];
  c[1] = a[2] * b[0] - a[0] * b[2];
  c[2] = a[0] * b[1] - a[1] * b[0];
}

/* a . b */
static inline achd_real achd_dot(const achd_real a[3], const achd_real b[3]) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* |v|, without the overflow or underflow of squares. */
static inline achd_real achd_norm(const achd_real v[3]) {
  const achd_real a = achd_magnitude(v[0]), b = achd_magnitude(v[1]), c = achd_magnitude(v[2]);
  const achd_real most = a > b ? (a > c ? a : c) : (b > c ? b : c);
  if (!(most > 0)) return a + b + c; /* 0, or NaN if one of them is */
  const achd_real x = a / most, y = b / most, z = c / most;
  return most * achd_sqrt(x * x + y * y + z * z);
}

/* Whether all of `count` numbers are finite: 0 times any other is no number. In four sums, which compilers make one vector,
 * unless code is to be short; in four variables, since an array would be cleared by memset, which firmware does not have. */
static inline bool achd_all_finite(const achd_real *x, int count) {
  achd_real a = 0, b = 0, c = 0, d = 0;
  int i = 0;
#ifndef __OPTIMIZE_SIZE__
  for (; i + 3 < count; i += 4) {
    a += 0 * x[i];
    b += 0 * x[i + 1];
    c += 0 * x[i + 2];
    d += 0 * x[i + 3];
  }
#endif
  for (; i < count; i++) a += 0 * x[i];
  return a + b + c + d == 0;
}

/* The rotation by which a' = cosine a - sine b, b' = sine a + cosine b are orthogonal, from the products
 * aa, bb and ab of a and b; ab is not 0. Of the two the smaller one (Jacobi). */
static inline void achd_jacobi(achd_real aa, achd_real bb, achd_real ab, achd_real *cosine,
                               achd_real *sine) {
  const achd_real zeta = (bb - aa) / (2 * ab);
  const achd_real small = 1 / (achd_magnitude(zeta) + achd_sqrt(1 + zeta * zeta));
  const achd_real tangent = zeta < 0 ? -small : small;
  *cosine = 1 / achd_sqrt(1 + tangent * tangent);
  *sine = *cosine * tangent;
}

/* A <- R^T A R and V <- V R, with R the rotation of the plane of axes p and q by achd_jacobi. */
static inline void achd_turn_plane(achd_real A[3][3], achd_real V[3][3], int p, int q,
                                   achd_real cosine, achd_real sine) {
  for (int i = 0; i < 3; i++) {
    const achd_real x = A[i][p], y = A[i][q], v = V[i][p], w = V[i][q];
    A[i][p] = cosine * x - sine * y, A[i][q] = sine * x + cosine * y;
    V[i][p] = cosine * v - sine * w, V[i][q] = sine * v + cosine * w;
  }
  for (int i = 0; i < 3; i++) {
    const achd_real x = A[p][i], y = A[q][i];
    A[p][i] = cosine * x - sine * y, A[q][i] = sine * x + cosine * y;
  }
}

#endif
