/* SPDX-License-Identifier: MIT */
/* sincos_sweep.c: sines and cosines of an emitted header against long double, and against those of
 * the same header made to take one angle at a time.
 *
 * Compiled by sincos.sh with REAL (double or float), NAME and ALONE given: the prefixes of angles.h
 * and alone.h, of a robot whose joints all turn; STATES: of a batch of so many states, all at once. Arguments: random and equidistant ones over the
 * whole range, tiny ones, and the hardest: the doubles nearest to every multiple of pi/2 in range
 * and their neighbours. sinl and cosl are good to 2^-63 relative at reduced arguments, eleven bits
 * more than is asked.
 *   sweep N             judges this machine's
 *   sweep N ask FILE    writes the arguments, numbers one behind the other, for another machine
 *   sweep N judge FILE  judges what that wrote: sine, cosine, sine .. */
#include "alone.h"
#include "angles.h"
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)

static uint64_t state = 1;
static double uniform(void) { /* xorshift64*, [0, 1) */
  state ^= state >> 12;
  state ^= state << 25;
  state ^= state >> 27;
  return (double)((state * 2685821657736338717u) >> 11) * 0x1p-53;
}

static double worst_ulp, worst_absolute, at;
static long count, different;

/* Errors in units of the last place of the exact result, and absolute. */
static void judge(REAL got, long double exact, double x) {
  const long double error = fabsl((long double)got - exact);
  int exponent;
  frexpl(exact, &exponent);
  const long double ulp = ldexpl(1, exponent - (sizeof(REAL) == 8 ? 53 : 24));
  if (!(error / ulp <= worst_ulp)) {
    worst_ulp = (double)(error / ulp);
    at = x;
  }
  if (!(error <= worst_absolute)) worst_absolute = (double)error;
}

static void judge_both(REAL s, REAL c, REAL x) {
  judge(s, sinl((long double)x), (double)x);
  judge(c, cosl((long double)x), (double)x);
}

#ifdef STATES /* one angle of so many states of a batch */
enum { JOINTS = STATES };
typedef struct angles_of_states {
  REAL s[STATES], c[STATES];
} together;
static void take(const REAL *q, together *trig) {
  JOIN(NAME, _batch) angles, s, c;
  memcpy(&angles, q, sizeof angles);
  JOIN(NAME, _sincos_batch)(&angles, &s, &c);
  memcpy(trig->s, &s, sizeof s);
  memcpy(trig->c, &c, sizeof c);
}
#else
enum { JOINTS = sizeof((JOIN(NAME, _trig) *)0)->s / sizeof(REAL) };
typedef JOIN(NAME, _trig) together;
static void take(const REAL *q, together *trig) {
  JOIN(NAME, _trig_of)(q, trig);
}
#endif

/* The argument takes each place in turn; the other places hold earlier ones, now and then NaN. */
static void check_here(REAL x) {
  enum { OF_ALONE = sizeof((JOIN(ALONE, _trig) *)0)->s / sizeof(REAL) };
  static REAL q[JOINTS], q_alone[OF_ALONE];
  together trig;
  JOIN(ALONE, _trig) alone;
  const long place = count++ % JOINTS, there = place % OF_ALONE;
  q[place] = q_alone[there] = x;
  take(q, &trig);
  JOIN(ALONE, _trig_of)(q_alone, &alone);
  judge_both(trig.s[place], trig.c[place], x);
  different += memcmp(&trig.s[place], &alone.s[there], sizeof(REAL)) != 0;
  different += memcmp(&trig.c[place], &alone.c[there], sizeof(REAL)) != 0;
  if (count % 5 == 0) q[place] = (REAL)NAN;
}

static FILE *asked, *answers; /* of another machine */

static void check(REAL x) {
  REAL sincos[2];
  if (asked) {
    if (fwrite(&x, sizeof x, 1, asked) != 1) exit(2);
  } else if (answers) {
    if (fread(sincos, sizeof x, 2, answers) != 2) exit(2);
    judge_both(sincos[0], sincos[1], x);
    count++;
  } else {
    check_here(x);
  }
}

int main(int argc, char **argv) {
  const long random = argc > 1 ? atol(argv[1]) : 1000000;
  if (argc == 4) {
    const int ask = strcmp(argv[2], "ask") == 0;
    FILE *const file = fopen(argv[3], ask ? "wb" : "rb");
    if (!file) return 2;
    *(ask ? &asked : &answers) = file;
  }
  const double limit = sizeof(REAL) == 8 ? 1e5 : 1e4;
  for (long k = 0; k < random; k++) check((REAL)((2 * uniform() - 1) * limit));
  for (long k = 0; k < random; k++) check((REAL)((2 * uniform() - 1) * 7)); /* where joints are */
  for (long k = 0; k < random / 10; k++) check((REAL)ldexp(1 + uniform(), -(int)(uniform() * 60)));
  const long double half_pi = 1.57079632679489661923132169163975144L;
  for (long n = -(long)(limit / 1.5707963); n <= (long)(limit / 1.5707963); n++) {
    const REAL x = (REAL)((long double)n * half_pi);
    REAL near = x;
    for (int k = 0; k < 4; k++, near = (REAL)nextafter((double)near, 1e9)) {
#if SINGLE
      near = k ? nextafterf(near, 1e9f) : x;
#endif
      if (near >= -limit && near <= limit) check(near);
    }
  }
  if (asked) return fclose(asked) != 0;
  if (answers && getc(answers) != EOF) return 2;
  printf("%s: %ld arguments, worst %.4f ulp at %.17g, %.3g absolute (2^%.2f); %ld bits differ from "
         "one at a time\n",
         SINGLE ? "float" : "double", count, worst_ulp, at, worst_absolute, log2(worst_absolute),
         different);
  return !(SINGLE ? worst_absolute < 0x1p-24 : worst_ulp < 1) || different > 0;
}
