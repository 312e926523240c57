/* SPDX-License-Identifier: MIT */
/* real.h: the real type of the runtime library, and what keeps its two builds apart.
 *
 * achd_real is double, or float where ACHD_SINGLE is defined: define it for the sources that use
 * libachdf. Functions of the float build have the prefix achdf_ in the object files; sources write
 * achd_ in either case, so that the same code serves both, and both fit into one program. */
#ifndef ACHD_REAL_H
#define ACHD_REAL_H

#if defined(__FAST_MATH__) || defined(__ASSOCIATIVE_MATH__) || defined(_M_FP_FAST) ||              \
    (defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__ != 0)
#error "compile without -ffast-math and its parts: checks for NaN, and sines, would be lost"
#endif

#include <stdbool.h>
#include <stdint.h>

#ifdef ACHD_SINGLE
typedef float achd_real;
#define ACHD_EPSILON ((achd_real)0x1p-23)
#include <achd/single.h>
#else
typedef double achd_real;
#define ACHD_EPSILON ((achd_real)0x1p-52)
#endif

/* Infinity, without math.h, which some compilers for microcontrollers do not have. */
#ifdef __GNUC__
#define ACHD_INFINITY ((achd_real)__builtin_inff())
#else
#include <math.h>
#define ACHD_INFINITY ((achd_real)INFINITY)
#endif

/* The bits of a real: those of its exponent, which are all set in NaN and the infinities alone. */
#ifdef ACHD_SINGLE
typedef uint32_t achd_bits;
#define ACHD_EXPONENT UINT32_C(0x7f800000)
#else
typedef uint64_t achd_bits;
#define ACHD_EXPONENT UINT64_C(0x7ff0000000000000)
#endif

/* Returns false for NaN and the infinities. It looks at the bits, since compilers may assume that
 * arithmetic has no NaN. */
/*@ assigns \nothing; */
static inline bool achd_finite(achd_real x) {
  const union {
    achd_real x;
    achd_bits bits;
  } of = {x};
  return (of.bits & ACHD_EXPONENT) != ACHD_EXPONENT;
}

/* Returns the sign of x: -1, 0 or 1; 0 for NaN. */
static inline int achd_sign(achd_real x) {
  return (x > 0) - (x < 0);
}

/* Returns x limited to low..high; low for NaN. */
static inline achd_real achd_clamp(achd_real x, achd_real low, achd_real high) {
  return x >= low ? (x <= high ? x : high) : low;
}

#endif
