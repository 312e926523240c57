/* SPDX-License-Identifier: MIT */
/* stated.h: the problem of an optimum within limits (`qp`) by its definition. */
#ifndef AG_CHECK_STATED_H
#define AG_CHECK_STATED_H

#include "base/value.h"
#include "check/checker.h"

/* Whether every output of `apply` is y_0 + y_x x of what `qp` or `mclp` put out, and of x: torques within their limits. */
void ag_check_applied(ag_checker *checker, ag_run *run);

/* Whether objective and levels of the problem are those of the definition, at random x. problem: what the function is about
 * (lua/functions/problem.lua). */
void ag_check_stated(ag_checker *checker, const ag_run *run, const ag_value *problem);

#endif
