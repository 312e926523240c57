/* SPDX-License-Identifier: MIT */
/* qp_oracle.h: the same problems as achd_qp, in long double and by other ways: for few rows every set of
 * rows at their bounds is tried, for many an interior point method follows the central path. Shares no
 * code with the solver. */
#ifndef ACHD_QP_ORACLE_H
#define ACHD_QP_ORACLE_H

#include <stdbool.h>

enum { ORACLE_N = 48, ORACLE_M = 96 };

typedef struct qp_oracle_problem {
  int n, m, levels;
  long double H[ORACLE_N][ORACLE_N], g[ORACLE_N];
  long double A[ORACLE_M][ORACLE_N], lo[ORACLE_M], hi[ORACLE_M]; /* infinite: none */
  int level[ORACLE_M];
  long double weight[ORACLE_M];
} qp_oracle_problem;

/* x[n], and the last level's violations v[m]. False: level 0 cannot be met, or (many rows) the path
 * does not lead to its end. few: by all sets of rows, 3^m of them. */
bool qp_oracle(const qp_oracle_problem *problem, bool few, long double x[], long double v[]);

/* x[n] of a problem whose rows, all of level 0, can be met: along the central path, and where that does not lead to
 * its end by all sets of rows, if there are 8 at most. False: neither does. */
bool qp_oracle_feasible(const qp_oracle_problem *problem, long double x[]);

/* The least violation of level 0, sum of squares: above 0 where it cannot be met. */
long double qp_oracle_infeasibility(const qp_oracle_problem *problem);

#endif
