/* SPDX-License-Identifier: MIT */
/* field.h: the numbers modulo the prime p = 2^61 - 1, in which formulas are compared exactly.
 *
 * Two rational functions that agree at random points of a large finite field are the same function
 * (Schwartz 1980, Zippel 1979): a formula of degree d that is wrong agrees by accident at one point
 * in p / d. Every double is a dyadic rational and so has one exact element; the rest are quotients
 * of such. 2 is a square modulo p (2^62 = 2), so sines of multiples of pi/4 are elements too. */
#ifndef AG_FIELD_H
#define AG_FIELD_H

#include <stdbool.h>
#include <stdint.h>

typedef uint64_t ag_residue; /* 0 <= x < p */

#define AG_FIELD_P ((UINT64_C(1) << 61) - 1)

/* A number in both worlds: the double that code computes with, rounded, and what it stands for,
 * exact. The double decides comparisons. Beside the exact number its derivative along a direction
 * that somebody looks along (a dual number, exact + rate e with e^2 = 0): 0 where nobody does. */
typedef struct ag_number {
  double value;
  ag_residue exact, rate;
} ag_number;

/* a + b, a - b, -a, a b, 1 / a (of 0: 0). Nearly all that a proof computes are these: inline. */
static inline ag_residue ag_residue_add(ag_residue a, ag_residue b) {
  const uint64_t total = a + b;
  return total >= AG_FIELD_P ? total - AG_FIELD_P : total;
}
static inline ag_residue ag_residue_sub(ag_residue a, ag_residue b) {
  return a >= b ? a - b : a + AG_FIELD_P - b;
}
static inline ag_residue ag_residue_neg(ag_residue a) {
  return a == 0 ? 0 : AG_FIELD_P - a;
}
/* The product where processors have none of twice the width. */
ag_residue ag_residue_mul_in_halves(ag_residue a, ag_residue b);
static inline ag_residue ag_residue_mul(ag_residue a, ag_residue b) {
#ifdef __SIZEOF_INT128__
  __extension__ typedef unsigned __int128 wide;
  const wide product = (wide)a * b; /* < 2^122; 2^61 = 1 */
  return ag_residue_add((uint64_t)product & AG_FIELD_P, (uint64_t)(product >> 61));
#else
  return ag_residue_mul_in_halves(a, b);
#endif
}
ag_residue ag_residue_inverse(ag_residue a);
/* A root of a, or where the field has none of -a: it has one of the two. */
ag_residue ag_residue_root(ag_residue a);
/* The element that a double is: m 2^e. Of a NaN or an infinity: 0. */
ag_residue ag_residue_of(double x);

/* The number that a double is. */
static inline ag_number ag_number_of(double value) {
  return (ag_number){.value = value, .exact = ag_residue_of(value)};
}
/* The number with these two. */
static inline ag_number ag_number_from(double value, ag_residue exact) {
  return (ag_number){.value = value, .exact = exact};
}
/* Whether a number is this double in both worlds. */
static inline bool ag_number_is(ag_number x, double value) {
  return x.value == value && x.exact == ag_residue_of(value);
}

/* The operations in both worlds, with their derivatives. */
static inline ag_number ag_number_add(ag_number a, ag_number b) {
  return (ag_number){a.value + b.value, ag_residue_add(a.exact, b.exact),
                     ag_residue_add(a.rate, b.rate)};
}
static inline ag_number ag_number_sub(ag_number a, ag_number b) {
  return (ag_number){a.value - b.value, ag_residue_sub(a.exact, b.exact),
                     ag_residue_sub(a.rate, b.rate)};
}
/* (a b)' = a' b + a b' */
static inline ag_number ag_number_mul(ag_number a, ag_number b) {
  ag_number x = ag_number_from(a.value * b.value, ag_residue_mul(a.exact, b.exact));
  if ((a.rate | b.rate) != 0)
    x.rate = ag_residue_add(ag_residue_mul(a.rate, b.exact), ag_residue_mul(a.exact, b.rate));
  return x;
}
static inline ag_number ag_number_neg(ag_number a) {
  return (ag_number){-a.value, ag_residue_neg(a.exact), ag_residue_neg(a.rate)};
}
ag_number ag_number_div(ag_number a, ag_number b);

/* An exact point of the unit circle for the rounded cosine and sine: k quarter turns and the rest r,
 * whose t = tan(r / 2) is taken for a dyadic rational: cos r = (1 - t^2) / (1 + t^2), sin r =
 * 2 t / (1 + t^2). Odd multiples of pi/4 are those. The doubles stay what they are. */
void ag_number_circle(double c, double s, ag_number *cosine, ag_number *sine);

#endif
