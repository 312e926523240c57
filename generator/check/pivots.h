/* SPDX-License-Identifier: MIT */
/* pivots.h: the pivots of constraint rows and what a policy does about small ones, by definition, in long double. */
#ifndef AG_CHECK_PIVOTS_H
#define AG_CHECK_PIVOTS_H

#include "base/arena.h"
#include "check/by_motors.h"

typedef struct ag_pivots {
  double threshold;
  bool drops, by_columns; /* the policy, instead of damping; by Gram and Schmidt, not by L D L^T */
  bool single;            /* the program that is judged is for float */
  ag_by_motors *motors;   /* that alone are to realise the rows; NULL: anything may */
  int first;              /* row of the system, which depends on none before it */
  double *relative;       /* by row: d_k / L_kk; NaN: the row has no force */
  double *left; /* by row: of A^T a - b, per unit of force and negative; NaN: it has none */
  bool *has,
      *lost;  /* by row: it has a force, and is in the reach of motors; or it is out of that */
  bool close; /* rounding decides whether the policy acts on a row */
  long double *K, *L; /* rows x n, rows x rows: L = K K^T, below its diagonal, of what motors do */
  long double *whole; /* by row: its L_kk, of anything */
  long double *l,
      *inverse; /* L = l D l^T below its diagonal; by row 1 / d_k, or what stands for it */
  /* private */
  long double *C, *rest;
} ag_pivots;

/* For the rows of a robot, with the threshold and the policy ("damp" or "drop"). single: of a program for float. */
ag_pivots ag_pivots_new(const ag_reference *robot, double threshold, const char *policy,
                        bool single, ag_arena *arena);

/* On the state of the robot. force: by row whether it may have a force: is neither masked nor out of reach. */
void ag_pivots_find(ag_pivots *pivots, const ag_reference *robot, const bool *force);

/* The forces nu of m rows, L nu = r, with the rows that are damped or dropped. */
void ag_pivots_solve(const ag_pivots *pivots, int m, const double *r, double *nu);

/* How much the solve for nu magnifies what rounding does to L: |L^-1|, with what damping adds, each row by the root of its L_kk so that
 * units do not count: no less than 1 over the least relative pivot, and more where several are small. */
double ag_pivots_condition(const ag_pivots *pivots, int m);

#endif
