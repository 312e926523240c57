/* SPDX-License-Identifier: MIT */
/* differences.h: differences of a robot's functions along a motion, on its state. */
#ifndef AG_CHECK_DIFFERENCES_H
#define AG_CHECK_DIFFERENCES_H

#include "check/robot.h"

/* The central difference along the motion v of all outputs of a function, with all linkages closed. Valid until the next. */
const double *ag_reference_derivative(const ag_reference *reference, const char *function,
                                      const double *v, double h);

#endif
