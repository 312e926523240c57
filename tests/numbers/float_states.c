/* SPDX-License-Identifier: MIT */
/* float_states.c: a float header against the double one of the same robot, over states as a
 * controller meets them: q in +-pi (joints that slide: +-0.2 m), |qd| <= 1, |b| <= 5, gravity as on
 * a table, both given the same numbers. How many states the float solve flags SINGULAR, and the
 * relative error of qdd (the largest difference over the largest of double's) that 99.9 % of the
 * others stay below; of the latter those that double flags are left out: there is no answer.
 *   float_states STATES MOST_FLAGGED LARGEST_ERROR
 * Compiled by float_states.sh with NAME and NAMEF, the prefixes; with GENERAL, that of the float solve by the general way
 * alone, the states that go the fast way (other bits than that one's) are judged apart: 99.9 % of them below 1e-4. */
#include "double.h"
#include "float.h"
#ifdef GENERAL
#include "general.h"
#endif

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)

typedef JOIN(NAME, _achd_in) input;
typedef JOIN(NAMEF, _achd_in) input_float;
enum { IN = sizeof(input) / sizeof(double), JOINTS = sizeof((input *)0)->q / sizeof(double) };

static uint64_t seed = 88172645463325252u;
static double uniform(double limit) {
  seed ^= seed << 13;
  seed ^= seed >> 7;
  seed ^= seed << 17;
  return limit * ((double)(seed >> 11) * 0x1p-52 - 1);
}

static int ascending(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* Did the solve go the fast way? */
static int went_fast(const input_float *in, const JOIN(NAMEF, _achd_out) * out) {
#ifdef GENERAL
  JOIN(GENERAL, _achd_out) general;
  JOIN(GENERAL, _achd)((const void *)in, &general);
  return memcmp(general.qdd, out->qdd, sizeof out->qdd) != 0;
#else
  (void)in, (void)out;
  return 0;
#endif
}

int main(int argc, char **argv) {
  if (argc < 4) return 2;
  const int states = atoi(argv[1]);
  double *errors = malloc((size_t)states * sizeof *errors),
         *fast = malloc((size_t)states * sizeof *fast);
  int flagged = 0, judged = 0, wrong = 0, nfast = 0;
  if (!errors || !fast) return 2;
  for (int k = 0; k < states; k++) {
    input in;
    input_float inf;
    JOIN(NAME, _achd_out) out;
    JOIN(NAMEF, _achd_out) outf;
    memset(&in, 0, sizeof in);
    for (int i = 0; i < JOINTS; i++) {
      in.q[i] = uniform(3.14159265358979);
      in.qd[i] = uniform(1);
    }
    in.gravity[2] = -9.81;
    for (size_t r = 0; r < sizeof in.b / sizeof *in.b; r++) {
      in.b[r] = uniform(5);
#ifdef MASKED
      in.mask[r] = 1;
#endif
    }
    for (int e = 0; e < IN; e++) {
      ((float *)&inf)[e] = (float)((double *)&in)[e];
      ((double *)&in)[e] = (double)((float *)&inf)[e];
    }
    const unsigned exact = JOIN(NAME, _achd)(&in, &out), status = JOIN(NAMEF, _achd)(&inf, &outf);
    wrong += (status & ~1U) != (exact & ~1U);
    if (status & 1) flagged++;
    if ((status | exact) & 1) continue;
    double error = 0, size = 0;
    for (int i = 0; i < JOINTS; i++) {
      size = fmax(size, fabs(out.qdd[i]));
      if (!(fabs((double)outf.qdd[i] - out.qdd[i]) <= error))
        error = fabs((double)outf.qdd[i] - out.qdd[i]);
    }
    if (went_fast(&inf, &outf)) fast[nfast++] = error / size;
    errors[judged++] = error / size;
  }
  qsort(fast, (size_t)nfast, sizeof *fast, ascending);
  qsort(errors, (size_t)judged, sizeof *errors, ascending);
  const double most = atof(argv[2]), largest = atof(argv[3]);
  const double share = (double)flagged / states,
               at = judged ? errors[(int)(judged * 0.999)] : INFINITY;
  printf(
      "%.3f %% flagged; error of the others: median %.1e, 99 %% %.1e, 99.9 %% %.1e, worst %.1e; %d "
      "statuses wrong\n",
      100 * share, errors[judged / 2], errors[(int)(judged * 0.99)], at, errors[judged - 1], wrong);
  int good = share <= most && at <= largest && wrong == 0;
#ifdef GENERAL
  const double at_fast = nfast ? fast[(int)(nfast * 0.999)] : INFINITY;
  printf("%d of them the fast way: median %.1e, 99 %% %.1e, 99.9 %% %.1e, worst %.1e\n", nfast,
         fast[nfast / 2], fast[(int)(nfast * 0.99)], at_fast, fast[nfast ? nfast - 1 : 0]);
  good = good && nfast > judged * 0.8 && at_fast < 1e-4;
#endif
  free(errors);
  free(fast);
  return !good;
}
