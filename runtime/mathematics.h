/* SPDX-License-Identifier: MIT */
/* mathematics.h: what the library needs of libm, in the precision of achd_real, and copies that
 * stay loops. Private to the library.
 *
 * The functions of libm are declared here, as C allows (C11, 7.1.4), since compilers for
 * microcontrollers come without math.h. Compilers make calls of memcpy and memset of plain loops
 * and of large structs; elements that are written through a volatile pointer are written where they
 * stand. So the library needs libm, and nothing of a C library's other parts. */
#ifndef ACHD_MATHEMATICS_H
#define ACHD_MATHEMATICS_H

#include <achd/real.h>

#include <stddef.h>

#ifdef ACHD_SINGLE
#define ACHD_LIBM(name) name##f
#else
#define ACHD_LIBM(name) name
#endif
#ifdef __GNUC__ /* one instruction where there is one, also for programs without a C library */
#define ACHD_BUILTIN(name) ACHD_LIBM(__builtin_##name)
#else
#define ACHD_BUILTIN(name) ACHD_LIBM(name)
#endif
achd_real ACHD_LIBM(sqrt)(achd_real x);
achd_real ACHD_LIBM(sin)(achd_real x);
achd_real ACHD_LIBM(cos)(achd_real x);
achd_real ACHD_LIBM(atan2)(achd_real y, achd_real x);
achd_real ACHD_LIBM(fma)(achd_real a, achd_real b, achd_real c);

/* Square root. */
/*@ requires x >= 0;
    assigns \nothing;
    ensures \result == \sqrt(x); */
static inline achd_real achd_sqrt(achd_real x) {
  return ACHD_BUILTIN(sqrt)(x);
}

/* Sine of an angle [rad]. */
static inline achd_real achd_sin(achd_real x) {
  return ACHD_LIBM(sin)(x);
}

/* Cosine of an angle [rad]. */
static inline achd_real achd_cos(achd_real x) {
  return ACHD_LIBM(cos)(x);
}

/* Angle of the point (x, y), from -pi to pi. */
static inline achd_real achd_atan2(achd_real y, achd_real x) {
  return ACHD_LIBM(atan2)(y, x);
}

/* a b + c, rounded once */
/*@ assigns \nothing;
    ensures \result == a * b + c; */
static inline achd_real achd_fma(achd_real a, achd_real b, achd_real c) {
  return ACHD_BUILTIN(fma)(a, b, c);
}

/* |x| */
/*@ assigns \nothing;
    ensures \result == \abs(x); */
static inline achd_real achd_magnitude(achd_real x) {
#ifdef __GNUC__ /* no jump, which is guessed wrong where signs are of any order */
  return ACHD_BUILTIN(fabs)(x);
#else
  return x < 0 ? -x : x;
#endif
}

/* to[0 .. count - 1] <- from */
static inline void achd_copy(achd_real *to, const achd_real *from, int count) {
  volatile achd_real *written = to;
  for (int i = 0; i < count; i++) written[i] = from[i];
}

/* Copies an object of any type, byte by byte. */
static inline void achd_assign(void *to, const void *from, size_t size) {
  volatile unsigned char *written = to;
  const unsigned char *read = from;
  for (size_t i = 0; i < size; i++) written[i] = read[i];
}

/* Sets all bytes of an object to 0. */
static inline void achd_clear(void *object, size_t size) {
  volatile unsigned char *written = object;
  for (size_t i = 0; i < size; i++) written[i] = 0;
}

/* x[0 .. count - 1] <- 0 */
static inline void achd_zero(achd_real *x, int count) {
  volatile achd_real *written = x;
  for (int i = 0; i < count; i++) written[i] = 0;
}

#endif
