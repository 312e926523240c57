/* SPDX-License-Identifier: MIT */
/* trig_test.c: the sines and cosines that become constants are correctly rounded, and the same on
 * every machine. */
#include "base/sincos.h"

#include "test.h"

#include <float.h>

/* A fixed series of numbers in [0, 1): Knuth's MMIX generator. */
static double next_random(unsigned long long *state) {
  *state = *state * 6364136223846793005ull + 1442695040888963407ull;
  return (double)(*state >> 11) * 0x1p-53;
}

/* The double nearest to a value known to a little better than double's half unit. */
static bool is_rounded(double got, long double exact) {
  const long double unit = (long double)(nextafter(fabs(got), 2.0) - fabs(got));
  return fabsl((long double)got - exact) <= unit * (0.5L + 1.0L / 512);
}

/* libm's long double has eleven bits more than double (none on some machines: nothing to compare).
 */
static void sines_are_correctly_rounded(void) {
  unsigned long long state = 1;
  int wrong = 0;
  const volatile long double one_and_a_bit = 1.0L + 0x1p-63L;
  if (LDBL_MANT_DIG < 64 || (double)(one_and_a_bit - 1) == 0) return;
  for (int i = 0; i < 100000; ++i) {
    const double range = i % 2 ? 2e5 : 8, x = (next_random(&state) - 0.5) * range;
    double s, c;
    ag_sincos(x, &s, &c);
    wrong += !is_rounded(s, sinl((long double)x)) + !is_rounded(c, cosl((long double)x));
  }
  CHECK(wrong == 0);
}

/* Near multiples of pi/2 most bits cancel in the reduction. The cosine of this one is the least of
 * all doubles next to such a multiple up to 1e5; reference: 113-bit arithmetic of libquadmath. */
static void hardest_reduction_keeps_all_bits(void) {
  double s, c;
  ag_sincos(0x1.6c6cbc45dc8dep+5, &s, &c);
  CHECK(s == 1);
  CHECK(c == -0x1.6d61b58c99c43p-61);
}

static void largest_argument_is_right(void) {
  double s, c;
  ag_sincos(1e5, &s, &c);
  CHECK(s == 0x1.24daa9c527e96p-5);
  CHECK(c == -0x1.ffac3841b3da7p-1);
}

static void zero_is_exact(void) {
  double s, c;
  ag_sincos(0, &s, &c);
  CHECK(s == 0 && c == 1);
}

static void sine_of_tiny_is_itself(void) {
  double s, c;
  ag_sincos(-1e-300, &s, &c);
  CHECK(s == -1e-300 && c == 1);
}

static void sine_is_odd_cosine_even(void) {
  unsigned long long state = 2;
  for (int i = 0; i < 1000; ++i) {
    const double x = next_random(&state) * 100;
    double s, c, minus_s, same_c;
    ag_sincos(x, &s, &c);
    ag_sincos(-x, &minus_s, &same_c);
    CHECK(s == -minus_s && c == same_c);
  }
}

static void eighths_are_exact(void) {
  static const double SINE[8] = {0, 0.70710678118654752440,  1,  0.70710678118654752440,
                                 0, -0.70710678118654752440, -1, -0.70710678118654752440};
  for (int k = -17; k <= 17; ++k) {
    double s, c;
    ag_sincos_eighth(k, &s, &c);
    CHECK(s == SINE[(k + 24) % 8]);
    CHECK(c == SINE[(k + 26) % 8]);
  }
}

int main(void) {
  RUN(sines_are_correctly_rounded);
  RUN(hardest_reduction_keeps_all_bits);
  RUN(largest_argument_is_right);
  RUN(zero_is_exact);
  RUN(sine_of_tiny_is_itself);
  RUN(sine_is_odd_cosine_even);
  RUN(eighths_are_exact);
  return test_end();
}
