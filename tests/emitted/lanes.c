/* lanes.c: a function of a default header and of one made with --lanes 1, on random states, with
 * singular, masked and absurd ones among them: the same status, and where numbers are of use the same
 * numbers, to the bit but for the sign of zeros.
 *
 *   -DREAL=double -DP=plain_fd -DL=packed_fd -DSTART=PLAIN_FD_IN_DEFAULT; arguments: STATES */
#include "plain.h"
#include "packed.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)

#include "branchless_states.h"

enum { NOT_FINITE = 4 };

/* The first number that differs; -1: none. */
static long unlike(const REAL *a, const REAL *b, size_t count) {
  for (size_t k = 0; k < count; k++)
    if (!(a[k] == b[k] || (isnan(a[k]) && isnan(b[k])))) return (long)k;
  return -1;
}

int main(int argc, char **argv) {
  const long states = argc > 1 ? strtol(argv[1], NULL, 10) : 1000;
  enum {
    INPUTS = sizeof(JOIN(P, _in)) / sizeof(REAL),
    OUTPUTS = sizeof(JOIN(P, _out)) / sizeof(REAL)
  };
  static union {
    JOIN(P, _in) of_plain;
    JOIN(L, _in) of_packed;
    REAL x[INPUTS];
  } in;
  static union {
    JOIN(P, _out) of;
    REAL x[OUTPUTS];
  } plain;
  static union {
    JOIN(L, _out) of;
    REAL x[OUTPUTS];
  } packed;
  static unsigned long seen[1024];
  const JOIN(P, _in) start = START;
  for (long i = 0; i < states; i++) {
    in.of_plain = start;
    next_state(in.x, INPUTS, i);
    const unsigned a = P(&in.of_plain, &plain.of);
    const unsigned b = L(&in.of_packed, &packed.of);
    seen[a & 1023]++;
    const long k = a & NOT_FINITE ? -1 : unlike(plain.x, packed.x, OUTPUTS);
    if (a == b && k < 0) continue;
    printf("state %ld: status %u, %u", i, a, b);
    if (k >= 0) printf("; number %ld: %.17g, %.17g", k, (double)plain.x[k], (double)packed.x[k]);
    printf("\n");
    return 1;
  }
  printf("%ld states; by status:", states);
  for (unsigned k = 0; k < 1024; k++)
    if (seen[k]) printf(" %u: %lu", k, seen[k]);
  printf("\n");
  return seen[0] == 0 && seen[1] == 0;
}
