/* SPDX-License-Identifier: MIT */
/* bound_sweep.c: the output "bound" of a generated solve, the header `robot`, against the same solve of a wider type, over many states.
 *
 * Every state is judged in long double; every 1000th, and every one whose error is above half of its bound, in quad, which also
 * judges the long double (bound_judge.h). Arguments: STATES SEED. Exit 1 if an error is above its bound.
 * STILL: every third state is at rest, with nothing but gravity; all are judged in quad, and none may be without a
 * bound. FD: its forward dynamics. FLOAT: `robot` is of floats, and so are all inputs; where it says SINGULAR, rows may
 * be dropped, which bound_test.cpp judges. */
#include "bound_judge.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define ROBOT_IMPLEMENTATION
#include "robot.h"

enum { BINS = 400 }; /* of the decimal logarithm of bound over error, 20 per decade */

static unsigned long long state;
static double uniform(void) { /* in [-1, 1) */
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return (double)(state >> 11) * 0x1p-52 - 1;
}

#ifdef FLOAT
#define INPUT(x) ((float)(x))
static const double no_bound = 1e29;
static const unsigned left_out = 1; /* SINGULAR */
#else
#define INPUT(x) (x)
static const double no_bound = 1e200;
static const unsigned left_out = 0;
#endif

#ifdef STILL
static const int still = 1;
#else
static const int still = 0;
#endif

#ifndef SLIDES_FROM
#define SLIDES_FROM ROBOT_NJ /* joints from this one on slide a few centimetres */
#endif

static long bins[BINS], judged, exceeded, none, quads, singular;
static double closest, doubt; /* of long double: its error over the bound */

static void draw(bound_state *s, long k) {
  for (int i = 0; i < ROBOT_NJ; i++) {
    s->q[i] = INPUT((i < SLIDES_FROM ? 3.14159 : 0.05) * uniform());
    s->qd[i] = INPUT(1.3 * uniform());
  }
  /* A third: some joints close to zero, where arms are stretched or wrists in line, by 1e-7 .. 0.1; a tenth at rest. */
  if (k % 3 == 0)
    for (int i = 0; i < ROBOT_NJ; i++)
      if (uniform() > 0) s->q[i] = INPUT(uniform() * pow(10, -4 + 3 * uniform()));
  if (k % 10 == 0)
    for (int i = 0; i < ROBOT_NJ; i++) s->qd[i] = 0;
  for (int i = 0; i < ROBOT_NJ; i++) s->torque[i] = INPUT(20 * uniform());
#ifndef FD
  for (int i = 0; i < ROBOT_NR; i++) {
    s->b[i] = INPUT(3 * uniform());
    s->mask[i] = k % 7 > 0 || uniform() > -0.5;
  }
#endif
#ifdef STILL
  if (k % 3 == 0)
    for (int i = 0; i < ROBOT_NJ; i++) s->qd[i] = s->torque[i] = s->b[i] = 0;
#endif
}

static unsigned solve(const bound_state *s, double *qdd, double *bound) {
#ifdef FD
  robot_fd_in in = ROBOT_FD_IN_DEFAULT;
  robot_fd_out out;
  for (int i = 0; i < ROBOT_NJ; i++) in.tau[i] = INPUT(s->torque[i]);
#else
  robot_achd_in in = ROBOT_ACHD_IN_DEFAULT;
  robot_achd_out out;
  for (int i = 0; i < ROBOT_NJ; i++) in.tau_art[i] = INPUT(s->torque[i]);
  for (int i = 0; i < ROBOT_NR; i++) {
    in.b[i] = INPUT(s->b[i]);
    in.mask[i] = INPUT(s->mask[i]);
  }
#endif
  for (int i = 0; i < ROBOT_NJ; i++) {
    in.q[i] = INPUT(s->q[i]);
    in.qd[i] = INPUT(s->qd[i]);
  }
#ifdef FD
  const unsigned status = (unsigned)robot_fd(&in, &out);
#else
  const unsigned status = (unsigned)robot_achd(&in, &out);
#endif
  for (int i = 0; i < ROBOT_NJ; i++) {
    qdd[i] = out.qdd[i];
    bound[i] = out.bound[i];
  }
  return status;
}

static void judge(long k, int i, double error, double bound) {
  judged++;
  if (!(error <= bound)) {
    exceeded++;
    if (exceeded <= 20)
      printf("  BAD state %ld, joint %d: error %.17g, bound %.17g\n", k, i, error, bound);
  }
  closest = fmax(closest, error / bound);
  const double decade = error > 0 ? log10(bound / error) : 19;
  bins[decade < 0 ? 0 : decade >= 19.9 ? BINS - 1 : (int)(20 * decade)]++;
}

int main(int argc, char **argv) {
  const long states = argc > 1 ? atol(argv[1]) : 1000;
  state = argc > 2 ? strtoull(argv[2], NULL, 10) * 0x9E3779B97F4A7C15u + 1 : 88172645463325252u;
  for (long k = 0; k < states; k++) {
    bound_state s;
    double qdd[ROBOT_NJ], bound[ROBOT_NJ], error[ROBOT_NJ], of_wide[ROBOT_NJ];
    long double wide[ROBOT_NJ];
    draw(&s, k % 210);
    const unsigned status = solve(&s, qdd, bound);
    singular += (status & 1) != 0;
    bound_wide(&s, wide);
    int quad = still || k % 1000 == 0;
    for (int i = 0; i < ROBOT_NJ; i++) {
      if (bound[i] > no_bound || (status & left_out)) bound[i] = HUGE_VAL;
      error[i] = fabs((double)(qdd[i] - wide[i]));
      quad |= error[i] > 0.5 * bound[i];
    }
    if (quad) {
      bound_exact(&s, qdd, wide, error, of_wide);
      quads++;
    }
    for (int i = 0; i < ROBOT_NJ; i++) {
      if (bound[i] > no_bound) {
        none++;
        continue;
      }
      if (quad && !still) doubt = fmax(doubt, of_wide[i] / bound[i]);
      judge(k, i, error[i], bound[i]);
    }
  }
  long below = 0;
  int median = 0;
  while (median < BINS - 1 && below + bins[median] < (judged + 1) / 2) below += bins[median++];
  printf("%ld states, %ld of them singular; %ld numbers, %ld above their bound, %ld without; bound "
         "over error: median "
         "%.0f; largest error over bound %.4f; %ld states in quad, long double at most %.1e of the "
         "bound from it\n",
         states, singular, judged, exceeded, none, pow(10, (median + 0.5) / 20), closest, quads,
         doubt);
  /* what long double alone has judged is below half of its bound, so that it may be wrong by the other half */
  return exceeded > 0 || judged == 0 || doubt > 0.4 || (still && none > 0);
}
