/* SPDX-License-Identifier: MIT */
/* parts_test.c: a function that is whole (header whole.h, named whole) against the same in parts (parts.h): the same bits and the
 * same status on random states, singular, masked, huge and NaN ones among them. Compiled by parts.sh with the function's names:
 *   IN, OUT, WHOLE, PARTS, REAL   types of the whole one's structs, the two functions, the number
 *   ZEROS                         0 and -0 are the same
 *   STORED, COUNT                 the test of so many results, in parts
 *   BATCH                         the functions are those of a batch of so many states */
#include "whole.h"
/* in between: the headers may not know of each other */
#include "parts.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { STATES = 400, READ = sizeof(IN) / sizeof(REAL), WRITTEN = sizeof(OUT) / sizeof(REAL) };

static unsigned long long state = 88172645463325252u;
static double uniform(void) { /* xorshift64, [-1, 1) */
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return (double)(state >> 11) * 0x1p-52 - 1;
}

static void draw(REAL in[READ], int s) {
  for (int i = 0; i < READ; i++) {
    in[i] = (REAL)(s % 3 == 0 ? (uniform() < 0 ? 0 : 1) : 2 * uniform()); /* masks: 0 and 1 */
    if (s % 3 == 1 && uniform() > 0.5) in[i] = 1;
  }
  if (s % 20 == 19) in[s % READ] = (REAL)NAN;
  if (s % 50 == 48) in[s % READ] = (REAL)1e30;
}

#ifndef BATCH
/* Makes one number as large as leaves the results finite, of which the sum may not be so. */
static void enlarge(REAL in[READ], int s) {
  static REAL out[WRITTEN];
  REAL *const x = &in[s / 10 % READ];
  const int most = sizeof(REAL) == 4 ? 127 : 1023;
  for (int e = most; e > most - 80; e--) {
    *x = (REAL)(ldexp(1, e) * (1 + 0.25 * (s % 4)));
    if (WHOLE((const void *)in, (void *)out) == 0) return;
  }
}
#endif

static int equal(REAL a, REAL b) {
#ifdef ZEROS
  if (a == b) return 1;
#endif
  return memcmp(&a, &b, sizeof a) == 0 ||
         (isnan(a) && isnan(b)); /* which NaN is the compiler's choice */
}

#ifdef STORED
/* Whether the test of so many results notices a bad one among others that are `all`, and none where there is none. */
static int notices(REAL all) {
  const REAL bad[] = {(REAL)NAN, (REAL)INFINITY, (REAL)-INFINITY};
  REAL x[COUNT];
  for (int k = 0; k < COUNT; k++) x[k] = all;
  if (STORED(x)) return 0;
  for (int k = 0; k < 3 * COUNT; k++) {
    x[k / 3] = bad[k % 3];
    if (!STORED(x)) return 0;
    x[k / 3] = all;
  }
  return 1;
}
#endif

int main(void) {
#ifdef STORED
  const REAL largest = (REAL)(sizeof(REAL) == 4 ? 0x1.fffffep127 : 0x1.fffffffffffffp1023);
  if (!notices(0) || !notices(largest)) return printf("the test of results is wrong\n"), 1;
#endif
  static REAL in[READ], whole[WRITTEN], parts[WRITTEN];
  unsigned seen = 0, good = 0;
  for (int s = 0; s < STATES; s++) {
    draw(in, s);
    memset(whole, 1, sizeof whole);
    memset(parts, 2, sizeof parts); /* what is not written differs */
#ifdef BATCH
    unsigned one[BATCH], other[BATCH];
    WHOLE((const void *)in, (void *)whole, one);
    PARTS((const void *)in, (void *)parts, other);
    for (int k = 0; k < BATCH; k++) {
      if (one[k] != other[k])
        return printf("state %d, place %d of the batch: status %x, in parts %x\n", s, k, one[k],
                      other[k]),
               1;
      seen |= one[k];
      good += one[k] == 0;
    }
#else
    if (s % 10 == 7) enlarge(in, s);
    const unsigned one = WHOLE((const void *)in, (void *)whole);
    const unsigned other = PARTS((const void *)in, (void *)parts);
    if (one != other) return printf("state %d: status %x, in parts %x\n", s, one, other), 1;
    seen |= one;
    good += one == 0;
#endif
    for (int i = 0; i < WRITTEN; i++)
      if (!equal(whole[i], parts[i]))
        return printf("state %d, number %d: %.17g, in parts %.17g\n", s, i, (double)whole[i],
                      (double)parts[i]),
               1;
  }
  printf("%d states, %u good ones, status bits %x\n", STATES, good, seen);
  return good == 0 || seen == 0; /* both kinds were there */
}
