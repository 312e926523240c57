/* SPDX-License-Identifier: MIT */
/* sizes.c: inputs of every size, in a solve that asks for their size before it chooses its way (robot.h) and in one that tests
 * every result (general.h, of the same layout by --formulation joint). Whatever comes in, what goes out is finite or told. */
#define ROBOT_IMPLEMENTATION
#include "robot.h"
#define GENERAL_IMPLEMENTATION
#include "general.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
  NIN = sizeof(robot_achd_in) / sizeof(double),
  NOUT = sizeof(robot_achd_out) / sizeof(double),
  NJ = ROBOT_NJ
};

static int failures;
static unsigned long long seed = 1;

static double uniform(void) { /* in [-1, 1) */
  seed = seed * 6364136223846793005ull + 1442695040888963407ull;
  return (double)(long long)(seed & ~2047ull) * 0x1p-63;
}

static void fail(const char *what, int input, double value) {
  if (failures++ < 10) printf("BAD %s: input %d is %g\n", what, input, value);
}

/* A state of ordinary size: masks are 1, gravity is there. */
static void ordinary(robot_achd_in *in) {
  double x[NIN];
  for (int i = 0; i < NIN; i++) x[i] = 2 * uniform();
  memcpy(in, x, sizeof x);
#ifdef MASKED
  for (int i = 0; i < ROBOT_NR; i++) in->mask[i] = 1;
#endif
}

static int all_finite(const double *x, int n) {
  for (int i = 0; i < n; i++)
    if (!isfinite(x[i])) return 0;
  return 1;
}

/* What a status says of finite numbers, and the torques' zeros. */
static void judge(const char *what, unsigned status, const robot_achd_out *out, int given, int i,
                  double value) {
  double x[NOUT];
  memcpy(x, out, sizeof x);
  if (!given && !(status & ROBOT_NOT_FINITE)) fail("not told of an input", i, value);
  if (!(status & ROBOT_NOT_FINITE) && !all_finite(x, NOUT)) fail(what, i, value);
  for (int j = 0; j < NJ && status & ROBOT_NOT_FINITE; j++)
    if (out->tau_ctrl[j] != 0) fail("a torque after NOT_FINITE", i, value);
}

/* One input of a size, in both solves. */
static void one(int i, double value) {
  robot_achd_in in;
  robot_achd_out out;
  general_achd_in same;
  general_achd_out other;
  double x[NIN], y[NOUT], z[NOUT];
  ordinary(&in);
  memcpy(x, &in, sizeof x);
  x[i] = value;
  memcpy(&in, x, sizeof x);
  memcpy(&same, x, sizeof x);
  const unsigned status = robot_achd(&in, &out), of_other = general_achd(&same, &other);
  judge("a result is not finite", status, &out, isfinite(value), i, value);
  if ((status ^ of_other) & ROBOT_BAD_INPUT) fail("BAD_INPUT", i, value);
  if (!(fabs(value) < 1e60)) return;
  if ((status ^ of_other) & ROBOT_NOT_FINITE) fail("NOT_FINITE", i, value);
  if ((status | of_other) & (ROBOT_SINGULAR | ROBOT_NOT_FINITE)) return;
  memcpy(y, &out, sizeof y);
  memcpy(z, &other, sizeof z);
  double largest = 1 + value * value; /* near singular states, too */
  for (int k = 0; k < NOUT; k++) largest = fmax(largest, fabs(z[k]));
  for (int k = 0; k < NOUT; k++)
    if (fabs(y[k] - z[k]) > 1e-6 * largest) fail("the two solves differ", i, value);
}

/* All inputs of any size that the null-space solve takes, up to the largest. */
static void all_at_once(int states) {
  for (int s = 0; s < states; s++) {
    robot_achd_in in;
    robot_achd_out out;
    double x[NIN];
    ordinary(&in);
    memcpy(x, &in, sizeof x);
    for (int i = 0; i < NIN; i++) {
      const double most = i < NJ ? 65535.999 : 4294967295.0, least = 1e-3;
      const double size = s % 3 == 0 ? most : least * pow(most / least, 0.5 + 0.5 * uniform());
      x[i] = uniform() < 0 ? -size : size;
    }
    memcpy(&in, x, sizeof x);
#ifdef MASKED
    for (int i = 0; i < ROBOT_NR; i++) in.mask[i] = 1;
#endif
    judge("a result of large inputs is not finite", robot_achd(&in, &out), &out, 1, -1, 0);
  }
}

/* Sines and cosines of a caller's own. */
static void turns(void) {
  static const double sizes[] = {1.9999, 2, 3, 1e10, 1e100, 1e200, 1e308, INFINITY, NAN};
  enum { N = sizeof(robot_trig) / sizeof(double) };
  for (int i = 0; i < N; i++)
    for (unsigned k = 0; k < 2 * sizeof sizes / sizeof *sizes; k++) {
      const double value = k % 2 ? -sizes[k / 2] : sizes[k / 2];
      robot_achd_in in;
      robot_achd_out out;
      robot_trig trig;
      double x[N];
      ordinary(&in);
      robot_trig_of(in.q, &trig);
      memcpy(x, &trig, sizeof x);
      x[i] = value;
      memcpy(&trig, x, sizeof x);
      judge("a result of turns is not finite", robot_achd_trig(&trig, &in, &out), &out,
            isfinite(value), i, value);
    }
}

int main(void) {
  static const double sizes[] = {0,       65535,    65535.9999, 65536,        70000,        99999.9,
                                 100000,  100000.1, 1e9,        4294967295.0, 4294967296.0, 1e10,
                                 1e30,    1e59,     1e100,      1e153,        1e155,        1e300,
                                 1.7e308, INFINITY, NAN};
  for (int i = 0; i < NIN; i++)
    for (int round = 0; round < 5; round++)
      for (unsigned k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        one(i, sizes[k]);
        one(i, -sizes[k]);
      }
  all_at_once(20000);
  turns();
  return failures != 0;
}
