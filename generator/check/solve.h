/* solve.h: a solve against the equation of motion, its rows and, where it has them, its
 * contributions. */
#ifndef AG_SOLVE_H
#define AG_SOLVE_H

#include "check/checker.h"

/* run: a solve with outputs qdd, tau_ctrl and nu, and the base's; coarse: 1, float:
 * AG_CHECK_SINGLE. */
void ag_check_solve(ag_checker *checker, const ag_run *run, double coarse);
/* Checks that the contributions of the run add up to its outputs. */
void ag_check_contributions(ag_checker *checker, const ag_run *run, double coarse);

#endif
