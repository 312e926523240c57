/* SPDX-License-Identifier: MIT */
/* clock.h: the machine's monotonic clock; private to the devices and the adapters. */
#ifndef ACHD_ROBIF2B_CLOCK_H
#define ACHD_ROBIF2B_CLOCK_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <time.h>

/* [s] */
static inline double achd_clock(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Sleeps until the clock shows so much [s]. */
static inline void achd_clock_sleep(double until) {
  const double whole = floor(until);
  const struct timespec due = {(time_t)whole, (long)(1e9 * (until - whole))};
  clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &due, NULL);
}

/* Sleeps until a cycle is due; *due becomes the next one's. After a late cycle the next ones are not
 * hurried. */
static inline void achd_clock_wait(double *due, double cycle_time) {
  const double now = achd_clock();
  const bool early = *due > now;
  if (early) achd_clock_sleep(*due);
  *due = (early ? *due : now) + cycle_time;
}

#endif
