/* SPDX-License-Identifier: MIT */
/* checker.h: what the files of --check share (check.c): the state of a check, and what is allowed.
 */
#ifndef AG_CHECKER_H
#define AG_CHECKER_H

#include "base/value.h"
#include "check/pivots.h"
#include "check/report.h"
#include "graph/status.h"
#include "check/reference.h"

/* What is allowed.
 * SAME: one script, the same operations up to folded constants, signs and the order of sums:
 *   1e-16 times the length of sums, and four digits for what cancels in them.
 * BALANCE: torques and accelerations by other ways than the program's, through M and J: one digit
 *   more.
 * DIFFERENCES: central ones: h^2 of truncation, 1e-16 / h of rounding, and three digits.
 * SINGLE: how much coarser float is than double, 2^-24 / 2^-53, less one digit, which SAME can do
 *   without.
 * MOTORS: of a solve by motors in float, where contacts clearly hold all freedoms without a motor and
 *   the status is 0, over the output itself (docs/layouts.md, and a digit for robots with light legs). */
#define AG_CHECK_SAME 1e-12
#define AG_CHECK_BALANCE 1e-11
#define AG_CHECK_DIFFERENCES 1e-6
#define AG_CHECK_SINGLE 5e7
#define AG_CHECK_MOTORS 1e-3
/* The output bound: all roundings of an arm of seven joints at their worst, at once, and two digits more. */
#define AG_CHECK_BOUND 1e-9
/* What the true error is known to: long double has 11 bits more than double. */
#define AG_CHECK_REFERENCE (1 + 0x1p-10)

/* Where a policy acts, the rows that it keeps have pivots down to this, or to the threshold, if that is lower. */
#define AG_CHECK_LEAST_PIVOT(single) ((single) ? 1e-3 : 1e-8)

typedef struct ag_subject { /* a program that is checked */
  ag_run run;
  double *numbers;  /* the script's outputs */
  double *typical;  /* norms of its outputs, by quantity */
  ag_value problem; /* what it is about (lua/functions/problem.lua) */
} ag_subject;

/* Of --check's states, in the first ones: of differences in long double, and of raised thresholds. */
enum { AG_MOST_DIFFERENCES = 50, AG_RAISED_STATES = 25 };

typedef struct ag_raised { /* a solve with a threshold above most pivots (raised.h) */
  ag_header header;
  ag_script *script;
  ag_run run;
  struct ag_policy *policy; /* by which it is judged as a whole; NULL: row by row */
  ag_pivots pivots;
  bool *force; /* by row: it may have one */
} ag_raised;

typedef struct ag_checker {
  const ag_header *header;
  ag_script *script;
  ag_subject *subjects; /* by program */
  ag_reference robot;   /* on the state */
  ag_raised *raised;    /* NULL: none */
  struct ag_policy
      *policy;          /* about dependent rows, where it is judged (policy.h); NULL: it is not */
  ag_pivots pivots;     /* of the rows, undamped, where derivatives are judged by them */
  double condition;     /* on the state; 0: not known yet */
  int *motors, nmotors; /* of an optimum: their joints (optimum.h) */
  const ag_value *optimum; /* what it is about */
  double threshold;        /* the layout's singular_threshold; 0: it has no rows */
  bool single;             /* programs are evaluated in float */
  FILE *progress;          /* NULL: not reported */
  int state;
  ag_check_report *report;
  ag_arena *arena;
  ag_err *err;
  double *v[5]; /* as long as the robot has velocities, for intermediate results */
  /* or eigenvalue, of the rows in force, on the state that policy judged last; 0: not known */
  double least_pivot;
} ag_checker;

/* Puts a comparison on the state into the report. */
void ag_check_note(ag_checker *checker, const char *function, const char *what, double error,
                   double allowed);

/* The root of the sum of squares. */
double ag_check_norm(const double *x, int size);

/* A difference over the terms that it is made of. */
double ag_check_ratio(double difference, double size);

/* The least pivot that a solve may have divided by on the state. */
double ag_check_pivot(const ag_checker *checker, const ag_run *solve);

#endif
