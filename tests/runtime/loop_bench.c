/* SPDX-License-Identifier: MIT */
/* loop_bench.c [CYCLES]: what a whole cycle of the loop costs on a Gen3 that cruises: the two
 * kinematics, gravity, six rows at a frame given at run time, task, ABAG, monitors, machine.
 * Median, 99.9 % and worst of CYCLES (10^6), the plant's motion between them not counted, the
 * clock's own cost taken off. */
#define _POSIX_C_SOURCE 199309L
#include "gen3_loop_setup.h"
#include "gen3_plant.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double now(void) { /* [ns] */
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

static int ascending(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* The least time between two readings [ns]. */
static double clock_cost(void) {
  double least = 1e9;
  for (int k = 0; k < 10000; k++) {
    const double before = now(), after = now();
    least = after - before < least ? after - before : least;
  }
  return least;
}

static void begin(achd_loop *loop, plant *p) {
  *p = plant_at(start_posture, EXACT);
  achd_loop_start(loop, &pregrasp_setup);
  achd_loop_raise(loop, PREGRASP_E_INITIALIZED);
}

int main(int argc, char **argv) {
  const long cycles = argc > 1 ? strtol(argv[1], NULL, 10) : 1000000;
  double *times = cycles > 0 ? malloc((size_t)cycles * sizeof *times) : NULL;
  if (!times) return 2;
  achd_loop loop;
  plant p;
  begin(&loop, &p);
  for (long k = 0; k < cycles;) {
    const achd_measurement m = plant_measure(&p);
    const double before = now();
    achd_loop_cycle(&loop, &m, 1e-3);
    const double after = now();
    plant_move(&p, loop.tau, 1e-3);
    if (loop.mode == ACHD_LOOP_TORQUE) times[k++] = after - before; /* a stop costs less */
    if (loop.fault) return 1;
    if (loop.mode == ACHD_LOOP_VELOCITY && loop.task.at_goal) begin(&loop, &p);
  }
  qsort(times, (size_t)cycles, sizeof *times, ascending);
  const double cost = clock_cost();
  printf(
      "cycle of the loop, Gen3, %ld cycles: median %.0f ns, 99.9 %% below %.0f ns, worst %.0f ns\n",
      cycles, times[cycles / 2] - cost, times[cycles - 1 - cycles / 1000] - cost,
      times[cycles - 1] - cost);
  free(times);
  return 0;
}
