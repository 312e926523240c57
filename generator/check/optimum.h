/* SPDX-License-Identifier: MIT */
/* optimum.h: the problem of an optimum within limits (`qp`): what its unknowns, the motors' torques, do to the robot. */
#ifndef AG_CHECK_OPTIMUM_H
#define AG_CHECK_OPTIMUM_H

#include "check/checker.h"

/* qp: whose outputs are affine functions of the unknowns, y = y_0 + y_x x. Returns whether it was compared that physical rows hold,
 * or what the policy leaves of them. */
bool ag_check_optimum(ag_checker *checker, const ag_subject *qp, double coarse);

/* The least relative pivot of artificial rows among those of their level, which what rows are in the problem, A, lo, hi and weight = 1 / d_k,
 * are divided by. problem: what the function is about (lua/functions/problem.lua). */
double ag_check_levels_pivot(const ag_checker *checker, const ag_value *problem);

#endif
