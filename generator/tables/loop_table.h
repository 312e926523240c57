/* SPDX-License-Identifier: MIT */
/* loop_table.h: the table of an arm for the control loop in C (achd/loop.h), as --loop writes it. */
#ifndef AG_LOOP_TABLE_H
#define AG_LOOP_TABLE_H

#include "base/value.h"
#include "tables/loop_range.h"

typedef struct ag_loop_robot {
  const ag_header *header;
  const char *path;            /* of the robot's file */
  const ag_value *told;        /* of loop_table.lua */
  const ag_loop_range *ranges; /* of each joint */
  double rate;                 /* ag_loop_ranges' */
} ag_loop_robot;

/* Between which positions a joint's inertias are looked for: its limits, at most one turn. */
void ag_loop_bounds(const ag_value *joint, double *lower, double *upper);

/* How long a joint fades with the gain of its brake at its largest inertia, with the usual period and age [s]. */
double ag_loop_fading(const ag_loop_robot *robot, int joint);

/* The text behind the banner. */
const char *ag_loop_body(const ag_loop_robot *robot, ag_arena *arena);

#endif
