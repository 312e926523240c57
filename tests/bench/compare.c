/* SPDX-License-Identifier: MIT */
/* compare.c: two headers of the same robot and layout, made by two versions of achdgen, side by side; compare.sh compiles it.
 *   OLD_HEADER, NEW_HEADER   named old and new
 *   REFERENCE                the new one, named exact, its numbers long double
 * With "count": each function once on a state, for callgrind. Else: nanoseconds per call, medians of turns that alternate,
 * and the errors of qdd. */
#define OLD_IMPLEMENTATION
#include OLD_HEADER
#define NEW_IMPLEMENTATION
#include NEW_HEADER
#ifndef TIMES
#define EXACT_IMPLEMENTATION
#define EXACT_LIBM
#include REFERENCE
#endif
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { STATES = 1024, TURNS = 31, INPUTS = sizeof(old_achd_in) / sizeof(double) };

static uint64_t state = 88172645463325252u;
static double uniform(void) { /* xorshift64, [-1, 1) */
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return (double)(state >> 11) * 0x1p-52 - 1;
}

/* The compiler must not put the functions into their callers, nor leave a call out. */
static old_status (*volatile run_old)(const old_achd_in *, old_achd_out *) = old_achd;
static new_status (*volatile run_new)(const new_achd_in *, new_achd_out *) = new_achd;

static old_achd_in olds[STATES];
static new_achd_in news[STATES];

typedef char same_inputs[sizeof(old_achd_in) == sizeof(new_achd_in) ? 1 : -1];

/* Length of the run of zeros that begins at input[k]. */
static int zeros(const double input[], int k) {
  int n = 0;
  while (k + n < INPUTS && input[k + n] == 0) n++;
  return n;
}

/* Inputs at random whose default is six zeros or more in a row: torques, set-points, wrenches, directions of rows. The others, masks,
 * gravity and rotations among them, have their defaults: three zeros behind a one can be those of a quaternion. */
static void draw(void) {
  for (int s = 0; s < STATES; s++) {
    news[s] = (new_achd_in)NEW_ACHD_IN_DEFAULT;
    double *const input = (double *)&news[s]; /* the structs hold nothing but reals */
    for (int k = 0, n; k<INPUTS; k += n> 0 ? n : 1) {
      n = zeros(input, k);
      for (int i = k > 0 && input[k - 1] == 1 ? 3 : 0; n >= 6 && i < n; i++)
        input[k + i] = uniform();
    }
    for (int i = 0; i < NEW_NJ; i++) news[s].q[i] = 3.141 * uniform(), news[s].qd[i] = uniform();
    for (int j = 0; j < NEW_NR; j++) news[s].b[j] = uniform();
    memcpy(&olds[s], &news[s], sizeof olds[s]);
  }
}

static int ascending(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return isnan(x) - isnan(y) + (x > y) - (x < y);
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

#ifdef TIMES
int main(int argc, char **argv) {
  old_achd_out old;
  new_achd_out new;
  draw();
  if (argc > 1 && strcmp(argv[1], "count") == 0) {
    for (int s = 0; s < 100; s++) {
      run_old(&olds[s], &old);
      run_new(&news[s], &new);
    }
    return 0;
  }
  enum { UNACTUATED = 32 }; /* a freedom without motor would need force: on the same way */
  int flagged = 0;
  for (int s = 0; s < STATES; s++) flagged += (run_new(&news[s], &new) & ~UNACTUATED) != 0;
  if (flagged > STATES / 2) { /* then the times are of a way that hardly any state goes */
    fprintf(stderr, "%d of %d states are flagged\n", flagged, STATES);
    return 1;
  }
  double of[2][TURNS], sum = 0;
  for (int turn = 0; turn < TURNS; turn++)
    for (int way = 0; way < 2; way++) {
      const double start = now();
      for (int s = 0; s < STATES; s++) {
        if (way == 0) {
          run_old(&olds[s], &old);
          sum += old.qdd[0];
        } else {
          run_new(&news[s], &new);
          sum += new.qdd[0];
        }
      }
      of[way][turn] = (now() - start) / STATES;
    }
  for (int way = 0; way < 2; way++) qsort(of[way], TURNS, sizeof(double), ascending);
  printf("%.0f %.0f\n", of[0][TURNS / 2], of[1][TURNS / 2]);
  return isnan(sum);
}
#else
static double error(const double *qdd, const exact_achd_out *exact) {
  double apart = 0, size = 0;
  for (int i = 0; i < OLD_NJ; i++) {
    const double off = (double)fabsl((long double)qdd[i] - exact->qdd[i]);
    apart = off <= apart ? apart : off; /* a NaN stays */
    size = fmax(size, (double)fabsl(exact->qdd[i]));
  }
  return apart / (size + 1e-3);
}

enum { ROUNDS = 20 };
static double errors[2][ROUNDS * STATES];

int main(void) {
  int apart = 0;
  for (int round = 0; round < ROUNDS; round++) {
    draw();
    for (int s = 0; s < STATES; s++) {
      exact_achd_in in;
      for (int k = 0; k < INPUTS; k++) /* the structs hold nothing but reals */
        ((long double *)&in)[k] = ((const double *)&olds[s])[k];
      exact_achd_out exact;
      old_achd_out old;
      new_achd_out new;
      const exact_status status = exact_achd(&in, &exact);
      run_old(&olds[s], &old);
      apart += status != (exact_status)run_new(&news[s], &new);
      errors[0][round * STATES + s] = error(old.qdd, &exact);
      errors[1][round * STATES + s] = error(new.qdd, &exact);
    }
  }
  const int n = ROUNDS * STATES;
  if (apart > n / 1000) { /* but for rounding at a threshold */
    fprintf(stderr, "in %d of %d states the reference has another status\n", apart, n);
    return 1;
  }
  for (int way = 0; way < 2; way++) {
    qsort(errors[way], (size_t)n, sizeof(double), ascending);
    printf("%.1e %.1e %.1e ", errors[way][n / 2], errors[way][n / 100 * 99], errors[way][n - 1]);
  }
  printf("\n");
  return 0;
}
#endif
