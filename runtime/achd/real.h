/* real.h: the real type of the runtime library, and what keeps its two builds apart.
 *
 * achd_real is double, or float where ACHD_SINGLE is defined: define it for the sources that use
 * libachdf. Functions of the float build have the prefix achdf_ in the object files; sources write
 * achd_ in either case, so that the same code serves both, and both fit into one program. */
#ifndef ACHD_REAL_H
#define ACHD_REAL_H

#ifdef __FAST_MATH__
#error "compile without -ffast-math: the checks for NaN and Inf would be lost"
#endif

#include <stdbool.h>

#ifdef ACHD_SINGLE
typedef float achd_real;
#define ACHD_EPSILON ((achd_real)0x1p-23)
#include <achd/single.h>
#else
typedef double achd_real;
#define ACHD_EPSILON ((achd_real)0x1p-52)
#endif

/* Without math.h, which compilers for microcontrollers do not bring. */
#ifdef __GNUC__
#define ACHD_INFINITY ((achd_real)__builtin_inff())
#else
#include <math.h>
#define ACHD_INFINITY ((achd_real)INFINITY)
#endif

/* False for NaN and the infinities. */
static inline bool achd_finite(achd_real x) {
  return x - x == 0;
}

/* -1, 0 or 1; 0 for NaN. */
static inline int achd_sign(achd_real x) {
  return (x > 0) - (x < 0);
}

/* x within [low, high]; low for NaN. */
static inline achd_real achd_clamp(achd_real x, achd_real low, achd_real high) {
  return x >= low ? (x <= high ? x : high) : low;
}

#endif
