/* SPDX-License-Identifier: MIT */
/* unsafe.c: an emitted header compiled with flags that let the compiler change arithmetic, against
 * the same header compiled without any: the same sines and cosines, the same numbers, the same
 * status; a NaN or an infinity in any place of `in` tells NOT_FINITE and leaves no torque. This
 * file itself is compiled without such flags.
 *
 * unsafe.sh gives TRIED and PLAIN, the prefixes of the two, AT_ONCE, how many states a batch has, and
 * SINGLE. */
#include "plain.h"
#include "tried.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)

typedef JOIN(TRIED, _real) real;
typedef JOIN(TRIED, _achd_in) input;
typedef JOIN(TRIED, _achd_out) output;
typedef JOIN(TRIED, _achd_batch_in) batch_input;
typedef JOIN(TRIED, _achd_batch_out) batch_output;

enum {
  IN = sizeof(input) / sizeof(real),
  OUT = sizeof(output) / sizeof(real),
  JOINTS = sizeof((input *)0)->q / sizeof(real),
  STATES = 400
};

#ifdef SINGLE
static const double sine_error = 1e-7, error = 2e-3, farthest = 1e4;
#else
static const double sine_error = 3e-16, error = 1e-8, farthest = 1e5;
#endif

static int failures;
static void bad(const char *what, int state, double got, double expected) {
  if (++failures <= 10) printf("%s, state %d: %.17g for %.17g\n", what, state, got, expected);
}

static uint64_t seed = 88172645463325252u;
static double uniform(void) { /* xorshift64, [-1, 1) */
  seed ^= seed << 13;
  seed ^= seed >> 7;
  seed ^= seed << 17;
  return (double)(seed >> 11) * 0x1p-52 - 1;
}

static void any_state(input *in, int k) {
  real x[IN];
  for (int e = 0; e < IN; e++) x[e] = (real)(2 * uniform());
  memcpy(in, x, sizeof x);
  for (int i = 0; i < JOINTS; i++) in->q[i] = (real)((k % 4 == 3 ? farthest : 6.4) * uniform());
  for (size_t r = 0; r < sizeof in->mask / sizeof(real); r++) in->mask[r] = uniform() < 0.8;
}

/* Numbers of one state against the expected, by the largest of each. */
static void compare(const char *what, int k, const real *got, const real *expected, int count) {
  double scale = 1;
  for (int e = 0; e < count; e++) scale = fmax(scale, fabs((double)expected[e]));
  for (int e = 0; e < count; e++)
    if (!(fabs((double)got[e] - (double)expected[e]) <= error * scale))
      bad(what, k, (double)got[e], (double)expected[e]);
}

static void compare_sines(int k, const input *in) {
  JOIN(TRIED, _trig) trig;
  JOIN(TRIED, _trig_of)(in->q, &trig);
  for (int i = 0; i < JOINTS; i++) {
    const double s = (double)sinl((long double)in->q[i]), c = (double)cosl((long double)in->q[i]);
    if (!(fabs((double)trig.s[i] - s) <= sine_error)) bad("sine", k, (double)trig.s[i], s);
    if (!(fabs((double)trig.c[i] - c) <= sine_error)) bad("cosine", k, (double)trig.c[i], c);
  }
}

static input states[STATES];
static output expected[STATES];
static unsigned told[STATES];

static void numbers_are_right(void) {
  for (int k = 0; k < STATES; k++) {
    JOIN(PLAIN, _achd_in) same;
    JOIN(PLAIN, _achd_out) plain;
    output out;
    do {
      any_state(&states[k], k);
      memcpy(&same, &states[k], sizeof same);
      told[k] = JOIN(PLAIN, _achd)(&same, &plain);
    } while (!((double)plain.pivot_min > 0.05)); /* far from the policies' thresholds */
    memcpy(&expected[k], &plain, sizeof plain);
    const unsigned status = JOIN(TRIED, _achd)(&states[k], &out);
    if (status != told[k]) bad("status", k, status, told[k]);
    compare("achd", k, (const real *)&out, (const real *)&expected[k], OUT);
    compare_sines(k, &states[k]);
  }
}

static void lanes_are_right(void) {
  for (int first = 0; first < STATES; first += AT_ONCE) {
    batch_input in;
    batch_output out;
    JOIN(TRIED, _status) status[AT_ONCE];
    for (int k = 0; k < AT_ONCE; k++)
      for (int e = 0; e < IN; e++)
        ((real *)&in)[e * AT_ONCE + k] = ((const real *)&states[first + k])[e];
    JOIN(TRIED, _achd_batch)(&in, &out, status);
    for (int k = 0; k < AT_ONCE; k++) {
      real one[OUT];
      for (int e = 0; e < OUT; e++) one[e] = ((const real *)&out)[e * AT_ONCE + k];
      if (status[k] != told[first + k])
        bad("status in a batch", first + k, status[k], told[first + k]);
      compare("batch", first + k, one, (const real *)&expected[first + k], OUT);
    }
  }
}

/* In each place of `in`, one after the other. */
static void what_is_not_finite_is_told(void) {
  static const double wrong[] = {(double)NAN, (double)INFINITY, (double)-INFINITY};
  for (int e = 0; e < IN; e++)
    for (int w = 0; w < 3; w++) {
      input in = states[e % STATES];
      output out;
      batch_input many;
      batch_output all;
      JOIN(TRIED, _status) status[AT_ONCE];
      ((real *)&in)[e] = (real)wrong[w];
      const unsigned one = JOIN(TRIED, _achd)(&in, &out);
      if (!(one & 4)) bad("NOT_FINITE", e, one, 4);
      for (int i = 0; i < JOINTS; i++)
        if (out.tau_ctrl[i] != 0) bad("torque", e, (double)out.tau_ctrl[i], 0);
      for (int k = 0; k < AT_ONCE; k++)
        for (int x = 0; x < IN; x++)
          ((real *)&many)[x * AT_ONCE + k] = ((const real *)(k ? &states[0] : &in))[x];
      JOIN(TRIED, _achd_batch)(&many, &all, status);
      if (!(status[0] & 4)) bad("NOT_FINITE in a batch", e, status[0], 4);
      for (int k = 1; k < AT_ONCE; k++)
        if (status[k] != told[0]) bad("status beside a NaN", e, status[k], told[0]);
      for (int i = 0; i < JOINTS; i++)
        if (all.tau_ctrl[i][0] != 0) bad("torque in a batch", e, (double)all.tau_ctrl[i][0], 0);
    }
}

int main(void) {
  numbers_are_right();
  lanes_are_right();
  what_is_not_finite_is_told();
  return failures != 0;
}
