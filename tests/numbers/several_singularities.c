/* SPDX-License-Identifier: MIT */
/* several_singularities.c: a generated solve, the header `robot`, against the same solve in quad, the header `exact`, which
 * treats no row as dependent, over states that are close to two or three singular configurations at once: two or three
 * joints are off multiples of a quarter turn by 1e-6 to 1e-1, the others anywhere. Error: the largest
 * difference of qdd over the largest of qdd in quad. No state may have status 0 and an error above LARGEST; and of as many random
 * states no more than one in a thousand may be SINGULAR although its error is below LARGEST and all its pivots are above
 * the threshold.
 *   several_singularities STATES LARGEST THRESHOLD [FILE]
 * FILE: positions of states that are looked at besides, all set-points 1, at rest. */
#include <math.h>
#include <quadmath.h>
#include <stdio.h>
#include <stdlib.h>

#define ROBOT_IMPLEMENTATION
#include "robot.h"

#define EXACT_IMPLEMENTATION
#define EXACT_LIBM
#define double __float128
#define sin sinq
#define cos cosq
#include "exact.h"
#undef double
#undef sin
#undef cos

static unsigned long long seed = 88172645463325252u;
static double uniform(void) { /* in [-1, 1) */
  seed ^= seed << 13;
  seed ^= seed >> 7;
  seed ^= seed << 17;
  return (double)(seed >> 11) * 0x1p-52 - 1;
}

static void draw(robot_achd_in *in, long k, int singular) {
  for (int i = 0; i < ROBOT_NJ; i++) {
    in->q[i] = 3.14159 * uniform();
    in->qd[i] = uniform();
  }
  for (long n = singular ? 2 + k % 2 : 0; n > 0; n--) {
    const int joint = 1 + (int)((0.5 * uniform() + 0.5) * (ROBOT_NJ - 1));
    const double off = pow(10, -3.5 + 2.5 * uniform()), quarters = k % 3 ? 0 : (int)(2 * uniform());
    in->q[joint] = quarters * 1.5707963267948966 + (uniform() > 0 ? off : -off);
  }
  for (int i = 0; i < ROBOT_NR; i++) {
    in->b[i] = 2 * uniform();
    in->mask[i] = 1;
  }
}

/* The next state of a file; 0: there is none. */
static int read_state(FILE *file, robot_achd_in *in) {
  for (int i = 0; i < ROBOT_NJ; i++) {
    double q;
    if (fscanf(file, "%lf", &q) != 1) return 0;
    in->q[i] = q;
    in->qd[i] = 0;
  }
  for (int i = 0; i < ROBOT_NR; i++) in->b[i] = in->mask[i] = 1;
  return 1;
}

/* The relative error of qdd. */
static double error_of(const robot_achd_in *in, const robot_achd_out *out) {
  exact_achd_in given = EXACT_ACHD_IN_DEFAULT;
  exact_achd_out exact;
  double error = 0, size = 0;
  for (int i = 0; i < ROBOT_NJ; i++) {
    given.q[i] = in->q[i];
    given.qd[i] = in->qd[i];
  }
  for (int i = 0; i < ROBOT_NR; i++) {
    given.b[i] = in->b[i];
    given.mask[i] = 1;
  }
  exact_achd(&given, &exact);
  for (int i = 0; i < ROBOT_NJ; i++) {
    const double off = fabs((double)(out->qdd[i] - exact.qdd[i]));
    if (!(off <= error)) error = off;
    size = fmax(size, fabs((double)exact.qdd[i]));
  }
  return error / size;
}

typedef struct count {
  long flagged, wrong, false_bits;
  double worst; /* of the states that are not flagged */
} count;

static void look_at(const robot_achd_in *in, int random, double largest, double threshold,
                    count *c) {
  robot_achd_out out;
  const unsigned status = (unsigned)robot_achd(in, &out) & ROBOT_SINGULAR;
  const double error = error_of(in, &out);
  if (status) {
    c->flagged += !random;
    c->false_bits += random && error <= largest && out.pivot_min > threshold;
    return;
  }
  if (!(error <= c->worst)) c->worst = error;
  if (!(error <= largest) && c->wrong++ < 5) {
    printf("BAD status 0, error %.1e, least pivot %.1e, q", error, (double)out.pivot_min);
    for (int i = 0; i < ROBOT_NJ; i++) printf(" %.17g", (double)in->q[i]);
    printf("\n");
  }
}

int main(int argc, char **argv) {
  if (argc < 4) return 2;
  const long states = atol(argv[1]);
  const double largest = atof(argv[2]), threshold = atof(argv[3]);
  robot_achd_in in = ROBOT_ACHD_IN_DEFAULT;
  count c = {0, 0, 0, 0};
  FILE *known = argc > 4 ? fopen(argv[4], "r") : NULL;
  if (argc > 4 && !known) return 2;
  while (known && read_state(known, &in)) look_at(&in, 0, largest, threshold, &c);
  if (known) fclose(known);
  for (long k = 0; k < 2 * states; k++) {
    draw(&in, k, k < states);
    look_at(&in, k >= states, largest, threshold, &c);
  }
  printf("%ld states, %ld of them flagged; worst error of the others %.1e, %ld above %g; of %ld "
         "random states %ld flagged for nothing\n",
         states, c.flagged, c.worst, c.wrong, largest, states, c.false_bits);
  return c.wrong > 0 || c.false_bits * 1000 > states || c.flagged == states;
}
