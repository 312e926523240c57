/* SPDX-License-Identifier: MIT */
/* live_loop.c FOLDER CYCLES: a Gen3 that cruises, at 1 kHz of the wall's clock. Its loop puts a row into a log in every cycle, and a
 * second thread writes them to FOLDER/log.csv, so that achd-live can follow. Prints how long cycles computed, the log's row with them,
 * how late they began, and how many rows were lost; exit 1 where any was. */
#define _GNU_SOURCE
#include "gen3_loop_setup.h"
#include "gen3_plant.h"

#include <achd/log_file.h>
#include <achd/loop_log.h>

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { CAPACITY = 20000, PERIOD = 1000000 /* [ns] */, PAUSE = 20000000 /* of the writer [ns] */ };
static achd_signal signals[ACHD_LOOP_SIGNALS];
static int64_t times[CAPACITY];
static achd_real values[(size_t)CAPACITY * ACHD_LOOP_SIGNALS];
static achd_log rows;
static achd_log_file file;
static atomic_bool ended;

static int64_t now(void) { /* [ns] */
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return 1000000000LL * t.tv_sec + t.tv_nsec;
}

static void wait_until(int64_t when) {
  const struct timespec t = {.tv_sec = when / 1000000000, .tv_nsec = when % 1000000000};
  clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL);
}

static void *write_rows(void *unused) {
  while (!atomic_load(&ended)) {
    achd_log_file_write(&file, &rows);
    wait_until(now() + PAUSE);
  }
  achd_log_file_write(&file, &rows);
  return unused;
}

static void begin(achd_loop *loop, plant *p) {
  *p = plant_at(start_posture, EXACT);
  achd_loop_start(loop, &pregrasp_setup);
  achd_loop_raise(loop, PREGRASP_E_INITIALIZED);
}

static void tell(const char *what, const achd_cycle_times *t) {
  printf("%s: median %.1f us, 99.9 %% below %.1f us, longest %.1f us\n", what,
         1e-3 * (double)achd_cycle_times_percentile(t, 500),
         1e-3 * (double)achd_cycle_times_percentile(t, 999), 1e-3 * (double)t->longest);
}

int main(int argc, char **argv) {
  const long cycles = argc == 3 ? strtol(argv[2], NULL, 10) : 0;
  if (cycles <= 0) return 2;
  static const char *const joints[] = {"joint_1", "joint_2", "joint_3", "joint_4",
                                       "joint_5", "joint_6", "joint_7"};
  char path[1024];
  snprintf(path, sizeof path, "%s/log.csv", argv[1]);
  const achd_log_setup setup = {.signals = signals,
                                .nsignals = achd_loop_signals(&pregrasp_setup, joints, signals),
                                .times = times,
                                .values = values,
                                .capacity = CAPACITY,
                                .keep = ACHD_LOG_OLDEST};
  pthread_t writer;
  achd_cycle_times computing, late;
  if (achd_log_start(&rows, &setup) != ACHD_LOG_OK ||
      achd_log_file_open(&file, path, ACHD_LOG_CSV, &rows) != ACHD_LOG_OK ||
      achd_cycle_times_start(&computing, PERIOD) != ACHD_LOG_OK ||
      achd_cycle_times_start(&late, PERIOD) != ACHD_LOG_OK ||
      pthread_create(&writer, NULL, write_rows, NULL) != 0)
    return 1;
  achd_loop loop;
  plant p;
  begin(&loop, &p);
  const int64_t start = now();
  for (long k = 0; k < cycles; k++) {
    achd_real row[ACHD_LOOP_SIGNALS];
    wait_until(start + k * PERIOD);
    const int64_t before = now();
    const achd_measurement m = plant_measure(&p);
    achd_loop_cycle(&loop, &m, 1e-3);
    achd_loop_values(&loop, row);
    achd_log_put(&rows, k * PERIOD, row);
    achd_cycle_times_put(&computing, now() - before);
    achd_cycle_times_put(&late, before - start - k * PERIOD);
    plant_move(&p, loop.tau, 1e-3);
    if (loop.mode == ACHD_LOOP_VELOCITY && loop.task.at_goal) begin(&loop, &p);
  }
  atomic_store(&ended, true);
  pthread_join(writer, NULL);
  tell("computing", &computing);
  tell("begins late by", &late);
  printf("rows written: %llu, lost: %llu\n", (unsigned long long)file.rows,
         (unsigned long long)rows.lost);
  return achd_log_file_close(&file) == ACHD_LOG_OK && rows.lost == 0 && loop.fault == 0 ? 0 : 1;
}
