/* SPDX-License-Identifier: MIT */
/* field.c: see field.h */
#include "base/field.h"

#include <math.h>
#include <string.h>

/* Of x < 2^64: 2^61 = 1. */
static ag_residue fold(uint64_t x) {
  x = (x & AG_FIELD_P) + (x >> 61);
  return x >= AG_FIELD_P ? x - AG_FIELD_P : x;
}

/* With a = a1 2^32 + a0: a1 b1 2^64 + (a1 b0 + a0 b1) 2^32 + a0 b0, 2^64 = 8, 2^61 = 1. */
ag_residue ag_residue_mul_in_halves(ag_residue a, ag_residue b) {
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

/* r = a^((p + 1) / 4) = a^(2^59): r^2 = a a^((p - 1) / 2), and a^((p - 1) / 2) is 1 or -1 */
ag_residue ag_residue_root(ag_residue a) {
  for (int k = 0; k < 59; k++) a = ag_residue_mul(a, a);
  return a;
}

ag_residue ag_residue_of(double x) {
  if (x == 0 || !isfinite(x)) return 0;
  /* IEEE 754: sign, 11 bits of exponent, 52 of fraction; x = +-mantissa 2^(exponent - 1075), where the exponent 0 means 1, without
   * the leading 1 */
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  const uint64_t exponent = bits >> 52 & 0x7ff, fraction = bits & ((UINT64_C(1) << 52) - 1);
  const uint64_t mantissa = exponent ? fraction | UINT64_C(1) << 52 : fraction;
  const uint64_t turn =
      ((exponent ? exponent : 1) + (UINT64_C(18) * 61 - 1075)) % 61; /* 2^61 = 1 */
  const ag_residue m = ag_residue_mul(mantissa, UINT64_C(1) << turn);
  return x < 0 ? ag_residue_neg(m) : m;
}

/* x = a / b, x' = (a' - x b') / b */
ag_number ag_number_div(ag_number a, ag_number b) {
  const ag_residue inverse = ag_residue_inverse(b.exact);
  ag_number x = ag_number_from(a.value / b.value, ag_residue_mul(a.exact, inverse));
  if ((a.rate | b.rate) != 0)
    x.rate = ag_residue_mul(ag_residue_sub(a.rate, ag_residue_mul(x.exact, b.rate)), inverse);
  return x;
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
