/* SPDX-License-Identifier: MIT */
/* branchless.c: a function of a default header and of one made with --branchless, on random states,
 * with singular, masked and absurd ones among them: bit-equal results and the same status.
 *
 *   -DREAL=double -DP=plain_mclp -DM=masked_mclp -DIN=plain_achd_in -DIN_MASKED=masked_achd_in
 *   -DSTART=PLAIN_ACHD_IN_DEFAULT; arguments: STATES */
#include "plain.h"
#include "masked.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)

#include "branchless_states.h"

static int same(const REAL *a, const REAL *b, size_t count) {
  for (size_t k = 0; k < count; k++)
    if (memcmp(a + k, b + k, sizeof *a) != 0 && !(isnan(a[k]) && isnan(b[k]))) return 0;
  return 1;
}

int main(int argc, char **argv) {
  const long states = argc > 1 ? strtol(argv[1], NULL, 10) : 1000;
  enum { INPUTS = sizeof(IN) / sizeof(REAL), OUTPUTS = sizeof(JOIN(P, _out)) / sizeof(REAL) };
  static union {
    IN of_plain;
    IN_MASKED of_masked;
    REAL x[INPUTS];
  } in;
  static union {
    JOIN(P, _out) of;
    REAL x[OUTPUTS];
  } plain;
  static union {
    JOIN(M, _out) of;
    REAL x[OUTPUTS];
  } masked;
  static unsigned long seen[1024];
  const IN start = START;
  for (long i = 0; i < states; i++) {
    in.of_plain = start;
    next_state(in.x, INPUTS, i);
    const unsigned a = P(&in.of_plain, &plain.of);
    const unsigned b = M(&in.of_masked, &masked.of);
    seen[a & 1023]++;
    if (a == b && same(plain.x, masked.x, OUTPUTS)) continue;
    printf("state %ld: status %u, %u\n", i, a, b);
    return 1;
  }
  printf("%ld states; by status:", states);
  for (unsigned k = 0; k < 1024; k++)
    if (seen[k]) printf(" %u: %lu", k, seen[k]);
  printf("\n");
  return 0;
}
