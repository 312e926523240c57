/* SPDX-License-Identifier: MIT */
/* play.c: plays a motion of achd-identify --excite on a Gen3 through robif2b, and logs it.
 *
 *   gen3_play MOTION.csv LOG.csv [SEED]
 *
 * The arm goes to where the motion begins, slowly, and follows it by computed torque,
 *
 *   tau = M (qdd_d + 2 w ed + w^2 e) + C qd + g + friction(qd_d)
 *
 * with the friction that has been identified, where it is compiled with what achd-identify --c-out has written.
 *
 * The log has time, positions, velocities and currents, every 10 ms. SEED: to these are added what sensors of a simulated
 * arm do not have, noise, and the steps of the current. */
#include "gen3_achd.h"

#include <achd/robif2b_gen3.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef GEN3_IDENTIFIED_VISCOUS /* a URDF without friction */
#define GEN3_IDENTIFIED_VISCOUS                                                                    \
  { 0 }
#define GEN3_IDENTIFIED_COULOMB                                                                    \
  { 0 }
#define GEN3_IDENTIFIED_OFFSET                                                                     \
  { 0 }
#endif

enum { NJ = GEN3_NJ, COLUMNS = 1 + 3 * NJ, LINES = 65536, EVERY = 10 };

typedef struct point {
  double q[NJ], qd[NJ], qdd[NJ];
} point;

static double lines[LINES][COLUMNS]; /* t q qd qdd of the motion */
static int count;
static double logged[LINES][COLUMNS]; /* t q qd current */
static int nlogged;
static const double rate = 25; /* w: of a critically damped error [rad/s] */
static const double viscous[NJ] = GEN3_IDENTIFIED_VISCOUS, coulomb[NJ] = GEN3_IDENTIFIED_COULOMB,
                    offset[NJ] = GEN3_IDENTIFIED_OFFSET;
static const double slowly = 0.4; /* on the way to the beginning [rad/s] */

static bool read_motion(const char *path) {
  static char text[4096];
  FILE *file = fopen(path, "r");
  if (!file) return false;
  bool good = fgets(text, sizeof text, file) != NULL; /* the names */
  while (good && count < LINES && fgets(text, sizeof text, file)) {
    char *at = text;
    for (int k = 0; k < COLUMNS; k++) {
      char *end;
      lines[count][k] = strtod(at, &end);
      good = good && end != at && isfinite(lines[count][k]);
      at = end + (*end == ',');
    }
    count++;
  }
  fclose(file);
  return good && count > 1;
}

/* A cubic between two lines, by their positions and velocities. */
static point motion_at(double t) {
  const double step = lines[1][0] - lines[0][0];
  const int k = (int)fmin(fmax(t / step, 0), count - 2);
  const double s = fmin((t - lines[k][0]) / step, 1);
  point x = {{0}, {0}, {0}};
  for (int j = 0; j < NJ; j++) {
    const double *a = lines[k] + 1 + j, *b = lines[k + 1] + 1 + j;
    const double h00 = (1 + 2 * s) * (1 - s) * (1 - s), h10 = s * (1 - s) * (1 - s);
    x.q[j] = h00 * a[0] + (1 - h00) * b[0] + step * (h10 * a[NJ] - s * s * (1 - s) * b[NJ]);
    x.qd[j] = 6 * s * (1 - s) * (b[0] - a[0]) / step + (1 - s) * (1 - 3 * s) * a[NJ] +
              s * (3 * s - 2) * b[NJ];
    x.qdd[j] = (1 - s) * a[2 * NJ] + s * b[2 * NJ];
  }
  return x;
}

/* From where the arm is to the beginning, by a polynomial of fifth degree; t: 0 .. T. */
static point way_at(const double from[NJ], double t, double T) {
  const double s = fmin(t / T, 1), u = s * s * s * (10 - 15 * s + 6 * s * s);
  const double speed = 30 * s * s * (1 - s) * (1 - s) / T,
               change = 60 * s * (1 - s) * (1 - 2 * s) / (T * T);
  point x = {{0}, {0}, {0}};
  for (int j = 0; j < NJ; j++) {
    const double d = lines[0][1 + j] - from[j];
    x.q[j] = from[j] + u * d, x.qd[j] = speed * d, x.qdd[j] = change * d;
  }
  return x;
}

static void computed_torque(achd_gen3 *arm, const point *to) {
  gen3_id_in in = {0};
  gen3_id_out out;
  for (int j = 0; j < NJ; j++) {
    in.q[j] = arm->q[j], in.qd[j] = arm->qd[j];
    in.qdd[j] =
        to->qdd[j] + 2 * rate * (to->qd[j] - arm->qd[j]) + rate * rate * (to->q[j] - arm->q[j]);
  }
  if (gen3_id(&in, &out) != 0) return;
  for (int j = 0; j < NJ; j++)
    arm->tau_cmd[j] =
        out.tau[j] + viscous[j] * to->qd[j] + coulomb[j] * tanh(to->qd[j] / 0.01) + offset[j];
}

/* Nearly normal, of standard deviation 1: the sum of twelve even numbers. */
static double normal(void) {
  double sum = -6;
  for (int i = 0; i < 12; i++) sum += rand() / (double)RAND_MAX;
  return sum;
}

static void record(const achd_gen3 *arm, double t, bool noise) {
  double *row = logged[nlogged++];
  row[0] = t;
  for (int j = 0; j < NJ; j++) {
    row[1 + j] = arm->q[j] + (noise ? 1e-4 * normal() : 0);
    row[1 + NJ + j] = arm->qd[j] + (noise ? 1e-3 * normal() : 0);
    const double current = arm->current[j] + (noise ? 0.02 * normal() : 0);
    row[1 + 2 * NJ + j] = noise ? 0.01 * rint(current / 0.01) : current;
  }
}

static bool write_log(const char *path) {
  static const char *const names[3] = {"q", "qd", "current"}, *const units[3] = {"rad", "rad/s",
                                                                                 "A"};
  FILE *file = fopen(path, "w");
  if (!file) return false;
  fputs("t [s]", file);
  for (int c = 0; c < 3; c++)
    for (int j = 0; j < NJ; j++) fprintf(file, ",%s.joint_%d [%s]", names[c], j + 1, units[c]);
  for (int k = 0; k < nlogged; k++) {
    fprintf(file, "\n%.3f", logged[k][0]);
    for (int i = 1; i < COLUMNS; i++) fprintf(file, i > 2 * NJ ? ",%.4g" : ",%.5f", logged[k][i]);
  }
  fputc('\n', file);
  const bool good = !ferror(file);
  return fclose(file) == 0 && good;
}

int main(int argc, char **argv) {
  static achd_gen3 arm;
  double from[NJ], T = 1, away = 0;
  if (argc < 3 || !read_motion(argv[1])) {
    fprintf(
        stderr,
        "gen3_play MOTION.csv LOG.csv [SEED]: a motion of achd-identify --excite is expected\n");
    return 2;
  }
  if (argc > 3) srand((unsigned)strtoul(argv[3], NULL, 10));
  achd_measurement measured;
  if (!achd_gen3_connect(&arm, &(achd_gen3_setup){.near = lines[0] + 1})) return 1;
  achd_gen3_read(&arm, &measured);
  memcpy(from, arm.q, sizeof from);
  for (int j = 0; j < NJ; j++) T = fmax(T, 1.875 * fabs(lines[0][1 + j] - from[j]) / slowly);
  const double end = lines[count - 1][0], wait = 0.5;
  int cycles = 0;
  for (double t = 0; t < T + wait + end && !arm.fault_flags; t += arm.period) {
    const double played = t - T - wait;
    const point to = played < 0 ? way_at(from, t, T) : motion_at(played);
    if (played >= 0) {
      for (int j = 0; j < NJ; j++) away += pow(to.q[j] - arm.q[j], 2) / NJ;
      if (cycles++ % EVERY == 0 && nlogged < LINES) record(&arm, played, argc > 3);
    }
    computed_torque(&arm, &to);
    achd_gen3_read(&arm, &measured);
  }
  const bool fault = arm.fault_flags != 0;
  achd_gen3_disconnect(&arm);
  if (fault || !write_log(argv[2])) return 1;
  printf("%s: %d lines, %.2f mrad away from the motion (root mean square)\n", argv[2], nlogged,
         1e3 * sqrt(away / cycles));
  return 0;
}
