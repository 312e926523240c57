/* SPDX-License-Identifier: MIT */
/* directions.h: columns of the log that show how each direction of a task is controlled: what the graphs
 * of Vukcevic 2020, chapter 7, draw. For each direction that a task of the loop uses, named along_x ..
 * along_z and about_x .. about_z:
 *
 *   measured   velocity or position in the motion frame, force that the tool exerts in the force frame,
 *              or the angle by which the predicted tool is turned away; of an acceleration, which nobody
 *              measures, the set-point
 *   reference  what is wanted of it; while the loop stops it is what the task holds, velocities apart: 0
 *   lower, upper   the reference and the task's tolerance beside it
 *   filtered, bias, gain, u   of its ABAG controller (achd/abag.h); the error itself is `error` of the loop
 *
 * and place.x .. place.z, where the tool is in the motion frame of the present section, and tau_limit of
 * each joint. */
#ifndef EXPERIMENTS_DIRECTIONS_H
#define EXPERIMENTS_DIRECTIONS_H

#include <achd/loop_log.h>

enum { DIRECTIONS_SIGNALS = 6 * 8 + 3 + ACHD_LOOP_JOINTS };

/* What a cycle has begun with: the machine, and with it task and section, goes on at its end. */
typedef struct directions_view {
  const achd_task *task;
  int section;
  achd_loop_action action;
} directions_view;

extern const char *const directions_names[6];

/* Fills the list of the columns, and returns their number. loop: the signals of the loop, nloop of them. */
int directions_signals(const achd_loop_setup *setup, const achd_signal *loop, int nloop,
                       const char *const *joints, achd_signal signals[DIRECTIONS_SIGNALS]);

/* Fills their values after a cycle, and returns their number. */
int directions_values(const achd_loop *loop, const directions_view *view,
                      double values[DIRECTIONS_SIGNALS]);

/* What the next cycle begins with. */
directions_view directions_now(const achd_loop *loop);

#endif
