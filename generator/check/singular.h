/* SPDX-License-Identifier: MIT */
/* singular.h: states in which rows are all but dependent, found by Newton steps; what a solve does there, judged by definition. */
#ifndef AG_CHECK_SINGULAR_H
#define AG_CHECK_SINGULAR_H

#include "check/checker.h"

/* Of the checker's solve, behind its random states, the first of which they begin at. False: could not be done. */
void ag_check_singular(ag_checker *checker);

#endif
