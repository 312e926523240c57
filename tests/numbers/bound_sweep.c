/* bound_sweep.c: the output "bound" of a generated solve against the same solve of a wider type, over many states.
 *
 * Three headers of one robot and layout: `robot` (double, with bounds), `wide` and `exact`, its general solve without bounds, compiled
 * here in long double and in __float128, sines and cosines included; their constants are the doubles that the header has. Every
 * state is judged in long double; every 1000th, and every one whose error is above half of its bound, in quad, which also judges
 * the long double. Arguments: STATES SEED. Exit 1 if an error is above its bound.
 * FD: its forward dynamics. FLOAT: `robot` is of floats, and so are all inputs; where it says SINGULAR, rows may be dropped, which
 * bound_test.cpp judges. */
#include <math.h>
#include <quadmath.h>
#include <stdio.h>
#include <stdlib.h>

#define ROBOT_IMPLEMENTATION
#include "robot.h"

#define WIDE_IMPLEMENTATION
#define WIDE_LIBM
#define double long double
#define sin sinl
#define cos cosl
#include "wide.h"
#undef double
#undef sin
#undef cos

#define EXACT_IMPLEMENTATION
#define EXACT_LIBM
#define double __float128
#define sin sinq
#define cos cosq
#include "exact.h"
#undef double
#undef sin
#undef cos

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

static long bins[BINS], judged, exceeded, none, quads, singular;
static double closest, doubt; /* of long double: its error over the bound */

static void draw(double *q, double *qd, int k) {
  for (int i = 0; i < ROBOT_NJ; i++) {
    q[i] = INPUT(3.14159 * uniform());
    qd[i] = INPUT(1.3 * uniform());
  }
  /* A third: some joints close to zero, where arms are stretched or wrists in line, by 1e-7 .. 0.1; a tenth at rest. */
  if (k % 3 == 0)
    for (int i = 0; i < ROBOT_NJ; i++)
      if (uniform() > 0) q[i] = INPUT(uniform() * pow(10, -4 + 3 * uniform()));
  if (k % 10 == 0)
    for (int i = 0; i < ROBOT_NJ; i++) qd[i] = 0;
}

#ifdef FD
#define CALL(NAME, Name)                                                                           \
  Name##_fd_in Name##_in = NAME##_FD_IN_DEFAULT;                                                   \
  Name##_fd_out Name##_out
#define SOLVE(Name) Name##_fd(&Name##_in, &Name##_out)
#else
#define CALL(NAME, Name)                                                                           \
  Name##_achd_in Name##_in = NAME##_ACHD_IN_DEFAULT;                                               \
  Name##_achd_out Name##_out
#define SOLVE(Name) Name##_achd(&Name##_in, &Name##_out)
#endif

#define COPY(Name)                                                                                 \
  do {                                                                                             \
    for (int i = 0; i < ROBOT_NJ; i++) {                                                           \
      Name##_in.q[i] = robot_in.q[i];                                                              \
      Name##_in.qd[i] = robot_in.qd[i];                                                            \
      Name##_in.TORQUE[i] = robot_in.TORQUE[i];                                                    \
    }                                                                                              \
    EACH_ROW(Name##_in.b[i] = robot_in.b[i]; Name##_in.mask[i] = robot_in.mask[i]);                \
  } while (0)

#ifdef FD
#define TORQUE tau
#define EACH_ROW(x)
#else
#define TORQUE tau_art
#define EACH_ROW(x)                                                                                \
  for (int i = 0; i < ROBOT_NR; i++) {                                                             \
    x;                                                                                             \
  }
#endif

int main(int argc, char **argv) {
  const long states = argc > 1 ? atol(argv[1]) : 1000;
  state = argc > 2 ? strtoull(argv[2], NULL, 10) * 0x9E3779B97F4A7C15u + 1 : 88172645463325252u;
  for (long k = 0; k < states; k++) {
    CALL(ROBOT, robot);
    CALL(WIDE, wide);
    CALL(EXACT, exact);
    double q[ROBOT_NJ], qd[ROBOT_NJ];
    draw(q, qd, (int)(k % 30));
    for (int i = 0; i < ROBOT_NJ; i++) {
      robot_in.q[i] = INPUT(q[i]);
      robot_in.qd[i] = INPUT(qd[i]);
      robot_in.TORQUE[i] = INPUT(20 * uniform());
    }
    EACH_ROW(robot_in.b[i] = INPUT(3 * uniform());
             robot_in.mask[i] = k % 7 > 0 || uniform() > -0.5);
    COPY(wide);
    const unsigned status = (unsigned)SOLVE(robot);
    SOLVE(wide);
    singular += (status & 1) != 0;
    int quad = k % 1000 == 0;
    for (int i = 0; i < ROBOT_NJ; i++)
      quad |= robot_out.bound[i] < no_bound && !(status & left_out) &&
              fabsl(robot_out.qdd[i] - wide_out.qdd[i]) > 0.5L * robot_out.bound[i];
    if (quad) {
      COPY(exact);
      SOLVE(exact);
      quads++;
    }
    for (int i = 0; i < ROBOT_NJ; i++) {
      const double bound = robot_out.bound[i];
      if (bound > no_bound || (status & left_out)) {
        none++;
        continue;
      }
      double error = fabs((double)(robot_out.qdd[i] - wide_out.qdd[i]));
      if (quad) {
        error = fabs((double)(robot_out.qdd[i] - exact_out.qdd[i]));
        doubt = fmax(doubt, fabs((double)(wide_out.qdd[i] - exact_out.qdd[i])) / bound);
      }
      judged++;
      if (!(error <= bound)) {
        exceeded++;
        printf("  BAD state %ld, joint %d: error %.17g, bound %.17g\n", k, i, error, bound);
      }
      closest = fmax(closest, error / bound);
      const double decade = error > 0 ? log10(bound / error) : 19;
      bins[decade < 0 ? 0 : decade >= 19.9 ? BINS - 1 : (int)(20 * decade)]++;
    }
  }
  long below = 0;
  int median = 0;
  while (below + bins[median] < (judged + 1) / 2) below += bins[median++];
  printf("%ld states, %ld of them singular; %ld numbers, %ld above their bound, %ld without; bound "
         "over error: median "
         "%.0f; largest error over bound %.4f; %ld states in quad, long double at most %.1e of the "
         "bound from it\n",
         states, singular, judged, exceeded, none, pow(10, (median + 0.5) / 20), closest, quads,
         doubt);
  return exceeded > 0 || judged == 0 || doubt > 0.1;
}
