/* SPDX-License-Identifier: MIT */
/* solve.h: a solve against the equation of motion, its rows and, where it has them, its
 * contributions. */
#ifndef AG_SOLVE_H
#define AG_SOLVE_H

#include "check/checker.h"

/* run: a solve with outputs qdd, tau_ctrl and nu, and the base's; coarse: 1, float:
 * AG_CHECK_SINGLE. */
void ag_check_solve(ag_checker *checker, const ag_run *run, double coarse);
/* Rows that the policy acts on, by what each leaves of its set-point per unit of its force; NaN: it has none. */
void ag_check_dependent(ag_checker *checker, const ag_run *run, const double *left, double coarse);
/* Whether a solve has the outputs that its equations are made of. */
bool ag_check_complete(const ag_checker *checker, const ag_run *run);
/* Whether its motion is not that of the demanded torques: these were clamped, or what no motor gives is left out. */
bool ag_check_clamped(const ag_checker *checker, const ag_run *run);
/* Whether physical rows are solved again, by themselves, under the torques that motors give, clamped or not: then their pivots are others
 * than among all rows, so that where the policy acts nothing of the rows is as it makes it for all. */
bool ag_check_solved_again(const ag_checker *checker, const ag_run *run);

/* Whether no drivers act on rows by weights beside physical rows: what they cause there has the pivots of these in it. */
bool ag_check_rows_alone(const ag_checker *checker);
/* Checks that the contributions of the run add up to its outputs. */
void ag_check_contributions(ag_checker *checker, const ag_run *run, double coarse);
/* In float, by motors and contacts alone, with status 0: where contacts clearly hold all freedoms without
 * a motor, the run's outputs against these numbers in double. typical: as of ag_subject. */
void ag_check_motors(ag_checker *checker, const ag_run *run, const double *numbers,
                     const double *typical);

/* Lambda, its inverse, Jbar, mu and p of osim against M and the rows' Jacobian. */
void ag_check_operational_space(ag_checker *checker, const ag_run *run, double coarse);

#endif
