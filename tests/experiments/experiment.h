/* SPDX-License-Identifier: MIT */
/* experiment.h: what experiments share. */
#ifndef EXPERIMENTS_EXPERIMENT_H
#define EXPERIMENTS_EXPERIMENT_H

#include "experiments/arm.h"
#include "experiments/record.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Carries an experiment out: number, folder for what is written (NULL: none). Worlds are in the
 * folder EXPERIMENTS_WORLDS. Returns whether all bounds hold. */
typedef bool experiment_run(int number, const char *folder);

experiment_run run_free_motion, run_cleaning, run_load, run_slide, run_elbow, run_rod, run_tree,
    run_wall, run_hospital, run_bump, run_friction, run_hook;

/* Four numbers of each joint beside the loop's: what the arm measures of torque, current and voltage,
 * and the product of the latter. */
enum { EXPERIMENT_MORE = 4 };

static inline int experiment_signals(const arm *a, const char *const *joints,
                                     achd_signal *signals) {
  const int n = a->ports.num_joints;
  for (int j = 0; j < n; j++) {
    signals[j] = (achd_signal){"tau_measured", joints[j], 0, "N m"};
    signals[n + j] = (achd_signal){"current", joints[j], 0, "A"};
    signals[2 * n + j] = (achd_signal){"voltage", joints[j], 0, "V"};
    signals[3 * n + j] = (achd_signal){"electric_power", joints[j], 0, "W"};
  }
  return EXPERIMENT_MORE * n;
}

/* The torque has the command's sign here. */
static inline void experiment_values(const arm *a, double *more) {
  const int n = a->ports.num_joints;
  for (int j = 0; j < n; j++) {
    more[j] = -a->tau[j];
    more[n + j] = a->current[j];
    more[2 * n + j] = a->voltage[j];
    more[3 * n + j] = a->voltage[j] * a->current[j];
  }
}

static inline int64_t nanoseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/* One cycle of the loop on the arm at `time` [s], recorded; r: NULL: not recorded. */
static inline void experiment_cycle(arm *a, achd_loop *loop, record *r, double time) {
  double more[EXPERIMENT_MORE * ACHD_LOOP_JOINTS];
  const achd_measurement m = arm_measure(a);
  const int64_t before = nanoseconds();
  achd_loop_cycle(loop, &m, a->period);
  if (r) {
    achd_cycle_times_put(&r->times, nanoseconds() - before);
    experiment_values(a, more);
    record_put(r, loop, time, more);
  }
  arm_command(a, loop->tau);
}

/* A point in the frame of the present section. */
static inline void experiment_place(const achd_loop *loop, double place[3]) {
  const achd_pose *frame = &loop->task.task->frames[loop->task.section];
  double apart[3];
  for (int i = 0; i < 3; i++) apart[i] = loop->tool.pose.p[i] - frame->p[i];
  achd_rotate_back(&frame->R, apart, place);
}

#endif
