/* SPDX-License-Identifier: MIT */
/* real_time.c SECONDS [fifo]: a cycle of 1 ms that computes for 100 us, by docs/examples/arm/real_time.h: how late its cycles begin, with
 * real time asked for or without. Exit status 77: real time is refused here. */
#define _GNU_SOURCE
#include "real_time.h"

#include <math.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  static real_time clock;
  volatile double sum = 0;
  if (argc < 2) return 2;
  if (argc > 2 && !real_time_ask()) return 77;
  real_time_start(&clock, 1e-3);
  const long cycles = 1000 * atol(argv[1]);
  for (long k = 0; k < cycles; k++) {
    (void)real_time_wait(&clock);
    for (const int64_t until = clock.woken + 100000; real_time_now() < until;) sum += 1;
  }
  printf("  began late by %.0f us (median), %.0f (99 of 100), %.0f (999 of 1000), %.0f at most; %u "
         "of %u by more than half a period\n",
         1e-3 * (double)achd_cycle_times_percentile(&clock.late, 500),
         1e-3 * (double)achd_cycle_times_percentile(&clock.late, 990),
         1e-3 * (double)achd_cycle_times_percentile(&clock.late, 999),
         1e-3 * (double)achd_cycle_times_percentile(&clock.late, 1000),
         (unsigned)clock.late.overruns, (unsigned)clock.late.count);
  return 0;
}
