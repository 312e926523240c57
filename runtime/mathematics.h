/* mathematics.h: what the library needs of libm, in the precision of achd_real, and copies that
 * stay loops. Private to the library.
 *
 * Compilers make calls of memcpy and memset of plain loops and of large structs; elements that are
 * written through a volatile pointer are written where they stand. So the library needs libm, and
 * nothing of a C library's other parts. */
#ifndef ACHD_MATHEMATICS_H
#define ACHD_MATHEMATICS_H

#include <achd/real.h>

#include <math.h>
#include <stddef.h>

#ifdef ACHD_SINGLE
#define ACHD_LIBM(name) name##f
#else
#define ACHD_LIBM(name) name
#endif

static inline achd_real achd_sqrt(achd_real x) {
  return ACHD_LIBM(sqrt)(x);
}

static inline achd_real achd_sin(achd_real x) {
  return ACHD_LIBM(sin)(x);
}

static inline achd_real achd_cos(achd_real x) {
  return ACHD_LIBM(cos)(x);
}

/* Angle of the point (x, y), from -pi to pi. */
static inline achd_real achd_atan2(achd_real y, achd_real x) {
  return ACHD_LIBM(atan2)(y, x);
}

/* a b + c, rounded once */
static inline achd_real achd_fma(achd_real a, achd_real b, achd_real c) {
  return ACHD_LIBM(fma)(a, b, c);
}

static inline achd_real achd_magnitude(achd_real x) {
  return x < 0 ? -x : x;
}

/* to[0 .. count - 1] <- from */
static inline void achd_copy(achd_real *to, const achd_real *from, int count) {
  volatile achd_real *written = to;
  for (int i = 0; i < count; i++) written[i] = from[i];
}

/* x[0 .. count - 1] <- 0 */
static inline void achd_zero(achd_real *x, int count) {
  volatile achd_real *written = x;
  for (int i = 0; i < count; i++) written[i] = 0;
}

#endif
