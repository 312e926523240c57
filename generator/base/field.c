/* field.c: see field.h */
#include "base/field.h"

#include <math.h>

/* Of x < 2^64: 2^61 = 1. */
static ag_residue fold(uint64_t x) {
  x = (x & AG_FIELD_P) + (x >> 61);
  return x >= AG_FIELD_P ? x - AG_FIELD_P : x;
}

ag_residue ag_residue_add(ag_residue a, ag_residue b) {
  const uint64_t sum = a + b;
  return sum >= AG_FIELD_P ? sum - AG_FIELD_P : sum;
}

ag_residue ag_residue_sub(ag_residue a, ag_residue b) {
  return a >= b ? a - b : a + AG_FIELD_P - b;
}

ag_residue ag_residue_neg(ag_residue a) {
  return a == 0 ? 0 : AG_FIELD_P - a;
}

/* With a = a1 2^32 + a0: a1 b1 2^64 + (a1 b0 + a0 b1) 2^32 + a0 b0, 2^64 = 8, 2^61 = 1. */
ag_residue ag_residue_mul(ag_residue a, ag_residue b) {
  const uint64_t a1 = a >> 32, a0 = a & UINT32_MAX, b1 = b >> 32, b0 = b & UINT32_MAX;
  const uint64_t middle = a1 * b0 + a0 * b1; /* < 2^62 */
  const uint64_t high = a1 * b1 * 8 + (middle >> 29);
  return fold(fold(high + ((middle & ((UINT64_C(1) << 29) - 1)) << 32)) + fold(a0 * b0));
}

/* a^(p - 2), p - 2 = 2^61 - 3: all bits but the second. */
ag_residue ag_residue_inverse(ag_residue a) {
  ag_residue power = a, result = a;
  for (int bit = 1; bit < 61; bit++) {
    power = ag_residue_mul(power, power);
    if (bit != 1) result = ag_residue_mul(result, power);
  }
  return result;
}

ag_residue ag_residue_of(double x) {
  if (x == 0 || !isfinite(x)) return 0;
  int exponent;
  const double fraction = frexp(fabs(x), &exponent); /* 53 bits */
  const uint64_t mantissa = (uint64_t)ldexp(fraction, 53);
  const int turn = ((exponent - 53) % 61 + 61) % 61; /* 2^61 = 1 */
  const ag_residue m = ag_residue_mul(fold(mantissa), UINT64_C(1) << turn);
  return x < 0 ? ag_residue_neg(m) : m;
}

ag_number ag_number_add(ag_number a, ag_number b) {
  return (ag_number){a.value + b.value, ag_residue_add(a.exact, b.exact),
                     ag_residue_add(a.rate, b.rate)};
}

ag_number ag_number_sub(ag_number a, ag_number b) {
  return (ag_number){a.value - b.value, ag_residue_sub(a.exact, b.exact),
                     ag_residue_sub(a.rate, b.rate)};
}

/* (a b)' = a' b + a b' */
ag_number ag_number_mul(ag_number a, ag_number b) {
  ag_number x = ag_number_from(a.value * b.value, ag_residue_mul(a.exact, b.exact));
  if ((a.rate | b.rate) != 0)
    x.rate = ag_residue_add(ag_residue_mul(a.rate, b.exact), ag_residue_mul(a.exact, b.rate));
  return x;
}

/* x = a / b, x' = (a' - x b') / b */
ag_number ag_number_div(ag_number a, ag_number b) {
  const ag_residue inverse = ag_residue_inverse(b.exact);
  ag_number x = ag_number_from(a.value / b.value, ag_residue_mul(a.exact, inverse));
  if ((a.rate | b.rate) != 0)
    x.rate = ag_residue_mul(ag_residue_sub(a.rate, ag_residue_mul(x.exact, b.rate)), inverse);
  return x;
}

ag_number ag_number_neg(ag_number a) {
  return (ag_number){-a.value, ag_residue_neg(a.exact), ag_residue_neg(a.rate)};
}

void ag_number_circle(double c, double s, ag_number *cosine, ag_number *sine) {
  /* cosine and sine of the rest, with |r| <= pi/4 */
  const bool odd = fabs(s) > fabs(c);
  const double x = odd ? fabs(s) : fabs(c), y = odd ? fabs(c) : fabs(s);
  ag_residue cr, sr;
  if (fabs(x - y) < 1e-15) {
    cr = sr = UINT64_C(1) << 30; /* 2^31 is the square root of 2 */
  } else {
    const ag_residue t = ag_residue_of(y / (1 + x)), tt = ag_residue_mul(t, t);
    const ag_residue scale = ag_residue_inverse(ag_residue_add(1, tt));
    cr = ag_residue_mul(ag_residue_sub(1, tt), scale);
    sr = ag_residue_mul(ag_residue_add(t, t), scale);
  }
  const ag_residue ce = odd ? sr : cr, se = odd ? cr : sr;
  *cosine = ag_number_from(c, c < 0 ? ag_residue_neg(ce) : ce);
  *sine = ag_number_from(s, s < 0 ? ag_residue_neg(se) : se);
}
