/* SPDX-License-Identifier: MIT */
/* bound.h: the outputs that say how far accelerations are from exact. */
#ifndef AG_CHECK_BOUND_H
#define AG_CHECK_BOUND_H

#include "check/checker.h"

/* Whether an output is a bound: "bound" or "base.bound". */
bool ag_check_bounds(const ag_quantity *q);

/* Against the error in long double, what rounding does at worst, and errors that are put in. */
void ag_check_bound(ag_checker *checker, const ag_subject *subject, const ag_quantity *bound);

/* Of two solves, both are within their bounds of the exact one: bounds themselves need not agree. list, other: the other's outputs. */
void ag_check_two_bounds(ag_checker *checker, const ag_run *run, const ag_quantity *bound,
                         const ag_list *list, const double *other, const char *title);

#endif
