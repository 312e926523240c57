/* SPDX-License-Identifier: MIT */
/* by_motors.h: what motors and contacts alone make of rows and loads (docs/layouts.md, "Motors and contacts"), by definition, in long
 * double. */
#ifndef AG_CHECK_BY_MOTORS_H
#define AG_CHECK_BY_MOTORS_H

#include "check/robot.h"
#include "check/spectrum.h"

enum { AG_MOST_IDLE = 16 };

/* The freedoms without a motor: the base's, and joints that have an output for what no motor gives. Returns how many; more than
 * AG_MOST_IDLE: not all of them. */
int ag_idle_freedoms(const ag_reference *robot, int idle[AG_MOST_IDLE + 1]);

/* How many times as much as otherwise a solve with a part of M loses on the state: freedoms feel together much less inertia than each
 * alone. */
double ag_by_motors_lost(const ag_reference *robot);

typedef struct ag_by_motors {
  int idle[AG_MOST_IDLE + 1], nidle;
  /* on a state */
  int nfree;        /* how many of their motions contacts do not hold */
  bool clear;       /* it is known which */
  double condition; /* of what contacts feel of the motions that they hold, a square */
  /* private */
  bool single;
  long double *Q,
      *Y; /* by motion that is free: C^T times it, of length 1, M = C C^T; and the motion, C^T Y = Q */
  long double *felt;      /* U J_c^T W J_c U^T, with the freedoms' own inertias 1 */
  double *scale, *weight; /* by freedom: 1 / the root of its inertia; by row: W */
  bool *all;
  ag_spectrum spectrum;
  double *load, *along;
} ag_by_motors;

/* NULL: every freedom has a motor, or too many have none. single: a program for float is judged. */
ag_by_motors *ag_by_motors_new(const ag_reference *robot, bool single, ag_arena *arena);

/* On the state of the robot: finds the motions of freedoms without a motor that the physical rows of those that `force` names do not hold.
 * M = C C^T. */
void ag_by_motors_find(ag_by_motors *motors, const ag_reference *robot, const bool *force,
                       const long double *C);

/* Takes out of C^-1 J^T of a row what moves along these: what is left is what motors do along the row. */
void ag_by_motors_project(const ag_by_motors *motors, int n, long double *K);

/* Adds to forces by coordinate those of the accelerations of these motions that come with a load, so that nobody has to bear it. */
void ag_by_motors_yield(const ag_by_motors *motors, const ag_reference *robot, const double *load,
                        double *forces);

/* Takes from the forces of physical rows what contacts carry of a load in the place of motors. */
void ag_by_motors_carry(const ag_by_motors *motors, const ag_reference *robot, const double *load,
                        double *forces);

#endif
