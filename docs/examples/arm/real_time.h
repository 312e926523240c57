/* SPDX-License-Identifier: MIT */
/* real_time.h: a cycle of a fixed period on Linux: the scheduler's first-in-first-out class, memory that is never paged
 * out, and sleep until an absolute time, so that no delay adds up. To copy. */
#ifndef REAL_TIME_H
#define REAL_TIME_H

#include <achd/log.h>

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

typedef struct real_time {
  int64_t period, due;         /* [ns]; of the next cycle, by CLOCK_MONOTONIC */
  int64_t woken;               /* when the present cycle began [ns] */
  achd_cycle_times late, work; /* by how much cycles began late; how long they computed */
} real_time;

static inline int64_t real_time_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return 1000000000 * (int64_t)now.tv_sec + now.tv_nsec;
}

/* Asks for real time: 80 of 99 leaves the kernel's own threads that serve interrupts above it where they have more. False:
 * it is refused, and the program runs as any other; to allow it: setcap cap_sys_nice,cap_ipc_lock+ep PROGRAM, or limits
 * `rtprio 80` and `memlock unlimited` in /etc/security/limits.d. Call it once, before the first cycle. */
static inline bool real_time_ask(void) {
  const struct sched_param parameters = {.sched_priority = 80};
  unsigned char stack[64 * 1024];
  const bool first = pthread_setschedparam(pthread_self(), SCHED_FIFO, &parameters) == 0;
  const bool locked = mlockall(MCL_CURRENT | MCL_FUTURE) == 0;
  memset(stack, 1, sizeof stack); /* the pages of the stack are there before they are needed */
  __asm__ volatile("" : : "r"(stack) : "memory");
  return first && locked;
}

/* period: [s]. The first cycle is due at once. */
static inline void real_time_start(real_time *t, double period) {
  memset(t, 0, sizeof *t);
  t->period = (int64_t)(1e9 * period + 0.5);
  t->due = t->woken = real_time_now();
  (void)achd_cycle_times_start(&t->late, t->period / 2);
  (void)achd_cycle_times_start(&t->work, t->period);
}

/* Sleeps until the next cycle is due, and returns the time since the last one began [s]. A cycle that came too late is not
 * made up for: the next is due a period after it. */
static inline double real_time_wait(real_time *t) {
  const int64_t before = t->woken, done = real_time_now();
  if (t->late.count > 0) (void)achd_cycle_times_put(&t->work, done - before);
  if (done > t->due + t->period) t->due = done;
  const struct timespec until = {t->due / 1000000000, t->due % 1000000000};
  while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL) == EINTR) {
  }
  t->woken = real_time_now();
  (void)achd_cycle_times_put(&t->late, t->woken > t->due ? t->woken - t->due : 0);
  t->due += t->period;
  return t->late.count > 1 ? 1e-9 * (double)(t->woken - before) : 1e-9 * (double)t->period;
}

static inline void real_time_print(const real_time *t) {
  const achd_cycle_times *const both[] = {&t->late, &t->work};
  static const char *const names[] = {"began late by", "computed for"};
  for (int k = 0; k < 2; k++)
    printf("%lu cycles %s %.0f us (median), %.0f (99 of 100), %.0f (999 of 1000), %.0f at most\n",
           (unsigned long)both[k]->count, names[k],
           1e-3 * (double)achd_cycle_times_percentile(both[k], 500),
           1e-3 * (double)achd_cycle_times_percentile(both[k], 990),
           1e-3 * (double)achd_cycle_times_percentile(both[k], 999),
           1e-3 * (double)achd_cycle_times_percentile(both[k], 1000));
}

#endif
