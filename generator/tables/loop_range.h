/* SPDX-License-Identifier: MIT */
/* loop_range.h: between which numbers a robot's inertias and weights lie, over the range of its joints. */
#ifndef AG_LOOP_RANGE_H
#define AG_LOOP_RANGE_H

#include "graph/graph.h"

/* Of one joint. */
typedef struct ag_loop_range {
  double lower, upper; /* where its inertias are looked for [rad; m] */
  double least;        /* smallest inertia, 1 / (M^-1)_jj: all other joints give way [kg m^2; kg] */
  double most;         /* largest inertia, M_jj: all other joints stand still [kg m^2; kg] */
  double weight;       /* largest gravity torque |g_j| [N m; N] */
} ag_loop_range;

/* Fills least, most and weight of n joints, by the functions crba and gravity; loads that come at run time are 0. Returns
 * the largest eigenvalue of M^-1 diag(least), at least 1: how much faster joints fade that are braked together by gains in
 * the proportion of `least`. The same numbers on every machine. */
double ag_loop_ranges(const ag_graph *crba, const ag_graph *gravity, int n, ag_loop_range *ranges,
                      ag_arena *arena);

#endif
