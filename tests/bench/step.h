/* SPDX-License-Identifier: MIT */
/* step.h: what the programs of step.sh share: the clock, the model for MuJoCo, and how a time is printed. */
#ifndef ACHD_BENCH_STEP_H
#define ACHD_BENCH_STEP_H

#include <math.h>
#include <mujoco/mujoco.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* The time of this process [s]. */
static inline double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* The model of a file, with so many positions; ends the program where there is none. standard: MuJoCo's options. */
static inline mjModel *model_of(const char *file, int positions, bool standard) {
  char error[500] = "";
  mjModel *m = file ? mj_loadXML(file, NULL, error, sizeof error) : NULL;
  if (!m || m->nq != positions) {
    fprintf(stderr, "no model of the robot: %s\n", error);
    exit(2);
  }
  if (standard) mj_defaultOption(&m->opt);
  return m;
}

/* "12.3 us (81 thousand steps/s)" of a step that took so many seconds. */
static inline const char *speed(double seconds) {
  static char text[4][60];
  static int next;
  char *to = text[next++ % 4];
  snprintf(to, sizeof text[0], "%.2f us (%.0f thousand steps/s)", 1e6 * seconds, 1e-3 / seconds);
  return to;
}

#endif
