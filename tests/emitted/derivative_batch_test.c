/* SPDX-License-Identifier: MIT */
/* derivative_batch_test.c: a batch of a function with derivatives against the plain one, state by state: the same bits and the
 * same status; masked and singular states, NaN and numbers that overflow among them. Compiled by batch.sh with the header and its names:
 *   HEADER, IN, OUT, PLAIN, BATCH   the plain one's structs, the two functions
 *   REAL, AT_ONCE                     the number, how many states a batch has
 *   QUATERNION                      the base has one, which gets the norm 1 */
#include HEADER
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

enum { BATCHES = 60, READ = sizeof(IN) / sizeof(REAL), WRITTEN = sizeof(OUT) / sizeof(REAL) };

static unsigned long long state = 88172645463325252u;
static double uniform(void) { /* xorshift64, [-1, 1) */
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return (double)(state >> 11) * 0x1p-52 - 1;
}

/* Masks have to be 0 or 1: in a half of the states they are, and everything else with them. */
static void draw(REAL in[READ], int s) {
  for (int i = 0; i < READ; i++) in[i] = (REAL)(s % 2 ? (double)(uniform() > 0) : 2 * uniform());
  if (s % 20 == 19) in[s % READ] = (REAL)NAN;
  if (s % 20 == 9) in[s % READ] = (REAL)(sizeof(REAL) == sizeof(float) ? 1e30 : 1e200);
#ifdef QUATERNION
  IN *as = (void *)in;
  REAL *q = (REAL *)&as->base.quat;
  double norm = 0;
  if (s % 2) q[0] = 1;
  for (int i = 0; i < 4; i++) norm += (double)q[i] * (double)q[i];
  for (int i = 0; i < 4; i++) q[i] = (REAL)((double)q[i] / sqrt(norm));
#endif
}

int main(void) {
  static REAL one[AT_ONCE][READ], many[READ * AT_ONCE], plain[WRITTEN], together[WRITTEN * AT_ONCE];
  unsigned seen = 0, good = 0, moved = 0;
  for (int b = 0; b < BATCHES; b++) {
    unsigned status[AT_ONCE];
    for (int k = 0; k < AT_ONCE; k++) {
      draw(one[k], b * AT_ONCE + k);
      for (int e = 0; e < READ; e++) many[e * AT_ONCE + k] = one[k][e];
    }
    BATCH((const void *)many, (void *)together, status);
    for (int k = 0; k < AT_ONCE; k++) {
      const unsigned expected = PLAIN((const void *)one[k], (void *)plain);
      seen |= expected;
      good += expected == 0;
      if (status[k] != expected)
        return printf("batch %d, state %d: status %x, alone %x\n", b, k, status[k], expected), 1;
      for (int e = 0; e < WRITTEN; e++) {
        const REAL x = plain[e], y = together[e * AT_ONCE + k];
        moved += expected == 0 && (double)x != 0;
        if (memcmp(&x, &y, sizeof x) != 0 && !(isnan(x) && isnan(y)))
          return printf("batch %d, state %d, number %d: %.17g, alone %.17g\n", b, k, e, (double)y,
                        (double)x),
                 1;
      }
    }
  }
  printf("%u good states, %u numbers that are not 0, status bits %x\n", good, moved, seen);
  return good == 0 || moved == 0 || seen == 0;
}
