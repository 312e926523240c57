/* SPDX-License-Identifier: MIT */
/* lanes.c: a function of a default header and of one made with --lanes 1, on random states, with
 * singular, masked and absurd ones among them: the same status (of bad inputs, the bits that say so), and numbers that are no worse: beside
 * the default header in a longer format, where its own error is small, the error of the other is not
 * more than twice in the median and of 99 of 100, and not more than ten times at worst.
 *
 *   -DREAL=double -DLONGER="long double" -DP=plain_fd -DL=packed_fd -DE=exact_fd
 *   -DSTART=PLAIN_FD_IN_DEFAULT; arguments: STATES
 *   -DOVERFLOWS: of absurd inputs one may overflow where the other does not, as the status says then
 *   -DZEROED: after NOT_FINITE all numbers are 0
 *   -DSAME: no longer format: the same numbers, to the bit but for the sign of zeros */
#include "plain.h"
#include "packed.h"
#ifndef SAME
#define EXACT_LIBM
#include "exact.h"
#endif

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)

#include "branchless_states.h"

enum {
  NOT_FINITE = 4,
#ifdef OVERFLOWS
  CERTAIN = 0,
#else
  CERTAIN = NOT_FINITE,
#endif
  BAD_INPUT = 16,
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

static int all_finite(const REAL *x) {
  for (int k = 0; k < OUTPUTS; k++)
    if (!isfinite(x[k])) return 0;
  return 1;
}

#ifdef SAME
/* Whether numbers are the same; else says which are not. */
static int same(long state) {
  for (int k = 0; k < OUTPUTS; k++) {
    const REAL a = plain.x[k], b = packed.x[k];
    if (a == b || (isnan(a) && isnan(b))) continue;
    printf("state %ld: number %d: %.17g, %.17g\n", state, k, (double)a, (double)b);
    return 0;
  }
  return 1;
}
#else
static union {
  JOIN(E, _in) of;
  LONGER x[INPUTS];
} exact_in;
static union {
  JOIN(E, _out) of;
  LONGER x[OUTPUTS];
} exact;

/* The largest error, in the largest number. */
static double error_of(const REAL *x, double largest) {
  double most = 0;
  for (int k = 0; k < OUTPUTS; k++) {
    const double error = fabs((double)((LONGER)x[k] - exact.x[k])) / largest;
    if (!(error <= most)) most = error;
  }
  return isnan(most) ? HUGE_VAL : most;
}

static int by_size(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static int compare(double *of_plain, double *of_packed, long count) {
  const double unit = sizeof(REAL) == sizeof(float) ? FLT_EPSILON : DBL_EPSILON;
  const long at[] = {count / 2, count * 99 / 100, count - 1};
  static const char *const what[] = {"median", "99 of 100", "worst"};
  int bad = count < 20;
  qsort(of_plain, (size_t)count, sizeof *of_plain, by_size);
  qsort(of_packed, (size_t)count, sizeof *of_packed, by_size);
  for (int k = 0; k < 3 && count; k++) {
    const double a = of_plain[at[k]], b = of_packed[at[k]];
    printf("; %s: %.2g, with lanes %.2g", what[k], a, b);
    bad |= !(b <= (k < 2 ? 2 : 10) * a + 2 * unit);
  }
  printf("\n");
  if (bad) printf("number of states %ld, errors of numbers too large\n", count);
  return bad;
}
#endif

/* Each input alone NaN or infinite, in a few states: both functions say so; -DZEROED: and all numbers are 0. */
static int each_input_is_asked(void) {
  const REAL infinity = (REAL)HUGE_VAL, values[] = {infinity - infinity, infinity, -infinity};
  const JOIN(P, _in) start = START;
  for (long i = 0; i < 10; i++)
    for (int k = 0; k < INPUTS; k++)
      for (int v = 0; v < 3; v++) {
        in.of_plain = start;
        next_state(in.x, INPUTS, 5 * i);
        in.x[k] = values[v];
        const unsigned a = P(&in.of_plain, &plain.of);
        const unsigned b = L(&in.of_packed, &packed.of);
        int zero = 1;
#ifdef ZEROED
        for (int l = 0; l < OUTPUTS; l++) zero &= packed.x[l] == 0;
#endif
        if (a == b && (b & NOT_FINITE) && zero) continue;
        printf("input %d is %g: status %u, with lanes %u%s\n", k, (double)values[v], a, b,
               zero ? "" : ", and numbers that are not 0");
        return 0;
      }
  return 1;
}

int main(int argc, char **argv) {
  const long states = argc > 1 ? strtol(argv[1], NULL, 10) : 1000;
  static unsigned long seen[1024];
  const JOIN(P, _in) start = START;
#ifndef SAME
  double *errors[2];
  long count = 0;
  for (int k = 0; k < 2; k++) errors[k] = malloc((size_t)states * sizeof **errors);
  if (!errors[0] || !errors[1]) return 2;
#endif
  uint64_t bits = 0; /* of all that the lanes gave */
  for (long i = 0; i < states; i++) {
    in.of_plain = start;
    next_state(in.x, INPUTS, i);
    const unsigned a = P(&in.of_plain, &plain.of);
    const unsigned b = L(&in.of_packed, &packed.of);
    for (int k = 0; k < OUTPUTS; k++) {
      uint64_t number = 0;
      memcpy(&number, &packed.x[k], sizeof packed.x[k]);
      bits = (bits ^ number) * 1099511628211u;
    }
    seen[a & 1023]++;
    /* of absurd inputs, whose numbers are of no use, rounding decides whether rows depend on each other */
    const unsigned of_use = a & b & BAD_INPUT ? CERTAIN | BAD_INPUT : ~0u;
    if (!(b & NOT_FINITE) && !all_finite(packed.x)) {
      printf("state %ld: status %u with lanes, and a number that is not finite\n", i, b);
      return 1;
    }
    if ((a & of_use) != (b & of_use)) {
      printf("state %ld: status %u, with lanes %u\n", i, a, b);
      return 1;
    }
#ifdef SAME
    if (!(a & NOT_FINITE) && !same(i)) return 1;
#else
    if (i % 5 > 1 || a & NOT_FINITE) continue; /* neither tiny, huge, nor none */
    for (int k = 0; k < INPUTS; k++) exact_in.x[k] = in.x[k];
    (void)E(&exact_in.of, &exact.of);
    double largest = DBL_MIN;
    for (int k = 0; k < OUTPUTS; k++)
      if ((double)fabsl(exact.x[k]) > largest) largest = (double)fabsl(exact.x[k]);
    errors[0][count] = error_of(plain.x, largest);
    errors[1][count] = error_of(packed.x, largest);
    count += errors[0][count] < 1e-3; /* else the state is too close to a singular one */
#endif
  }
  printf("%ld states, bits %016llx; by status:", states, (unsigned long long)bits);
  for (unsigned k = 0; k < 1024; k++)
    if (seen[k]) printf(" %u: %lu", k, seen[k]);
#ifdef SAME
  printf("\n");
#else
  if (compare(errors[0], errors[1], count)) return 1;
#endif
  if (!each_input_is_asked()) return 1;
  return seen[0] == 0 && seen[1] == 0;
}
