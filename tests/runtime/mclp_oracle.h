/* SPDX-License-Identifier: MIT */
/* mclp_oracle.h: the problem of achd/mclp.h by brute force, and its conditions, in long double.
 * Shares nothing with the solver. */
#ifndef MCLP_ORACLE_H
#define MCLP_ORACLE_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { oracle_rows = 64 };

typedef struct oracle_problem {
  int rows;
  long double L[oracle_rows][oracle_rows]; /* whole */
  long double r[oracle_rows], lo[oracle_rows], hi[oracle_rows];
  long double rounding; /* of the numbers that came in */
} oracle_problem;

/* How far nu is from the conditions. */
typedef struct oracle_gap {
  long double outside; /* of the box, worst */
  long double wrong;   /* worst |w_j| of the wrong sign, as achd_mclp_report.residual has it */
} oracle_gap;
oracle_gap oracle_conditions(const oracle_problem *p, const long double nu[]);

/* 1/2 nu^T L nu - r^T nu, and the size of its terms, at least the rounding of r_j^2 / L_jj. */
long double oracle_value(const oracle_problem *p, const long double nu[], long double *scale);

/* Tries all 3^rows ways to let rows rest at lo, at hi, or solve for them; of those that meet the
 * conditions takes the one of least value. False: there is none. For L + delta 1 with a small delta
 * the result is within O(delta) of the least norm. */
bool oracle_solve(const oracle_problem *p, long double delta, long double nu[]);

#ifdef __cplusplus
}
#endif

#endif
