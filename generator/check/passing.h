/* SPDX-License-Identifier: MIT */
/* passing.h: what rows let pass of what drives the robot: of artificial wrenches where they yield, of each driver where
 * they have weights. */
#ifndef AG_PASSING_H
#define AG_PASSING_H

#include "check/robot.h"

/* Into reference->yield by row, and the sizes of its terms; after A^T J. */
void ag_passing_evaluate(ag_reference *reference);

#endif
