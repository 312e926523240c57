/* SPDX-License-Identifier: MIT */
/* derivatives.h: the functions that give derivatives, judged by differences of those that give the values. */
#ifndef AG_DERIVATIVES_H
#define AG_DERIVATIVES_H

#include "check/checker.h"

/* Every derivative of the run on the state: central differences in long double, extrapolated. coarse: how much coarser
 * than double the run is. */
void ag_check_derivatives(ag_checker *checker, const ag_run *run, double coarse);

#endif
