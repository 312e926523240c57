/* SPDX-License-Identifier: MIT */
/* rubbing.h: five arms with dry friction at their joints (rubbing.lua), each behind the same
 * function. */
#ifndef RUBBING_H
#define RUBBING_H

#include <achd/mclp.h>

enum { rubbing_joints = 7, rubbing_rows = 13, rubbing_arms = 5 };

typedef struct rubbing_state {
  double q[rubbing_joints], qd[rubbing_joints], friction[rubbing_joints], tau[rubbing_joints];
  double b[rubbing_rows], period;
  bool held; /* the rows of the tool are in force */
} rubbing_state;

/* The problem of the rows, those of the tool first, then friction; and accelerations and commanded
 * torques as functions of nu, row by row. */
typedef struct rubbing_problem {
  double L[rubbing_rows * (rubbing_rows + 1) / 2], r[rubbing_rows], lo[rubbing_rows],
      hi[rubbing_rows];
  double qdd_0[rubbing_joints], qdd_nu[rubbing_rows * rubbing_joints];
  double tau_0[rubbing_joints], tau_nu[rubbing_rows * rubbing_joints];
  unsigned status;
} rubbing_problem;

typedef struct rubbing_arm {
  const char *name;
  int joints, rows;
  void (*make)(const rubbing_state *state, rubbing_problem *problem);
} rubbing_arm;

extern const rubbing_arm gen3_rubbing, iiwa7_rubbing, lwr4_rubbing, puma560_rubbing,
    youbot_arm_rubbing;
extern const rubbing_arm *const rubbing_all[rubbing_arms];

/* at_0 + per_nu nu */
void rubbing_affine(const rubbing_arm *arm, const double at_0[], const double per_nu[],
                    const double nu[], double x[]);

/* L nu - r in a row; size: of its terms. */
long double rubbing_row(const rubbing_arm *arm, const rubbing_problem *problem, const double nu[],
                        int row, long double *size);

#endif
