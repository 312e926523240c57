/* SPDX-License-Identifier: MIT */
/* compare.h: what two descriptions of one robot say differently (--compare). */
#ifndef AG_COMPARE_H
#define AG_COMPARE_H

#include "base/err.h"
#include "model/model.h"

#include <stdio.h>

/* Two models of a robot whose moving joints have the same names. Prints each difference of masses,
 * centres of mass, inertias, axes, origins, parents, types, rotors, mimicked joints, limits and friction, with what it changes in the
 * torques of inverse dynamics where it alone is taken from the other model: the largest change at
 * random states. The largest is first; what changes no torque is last. *count: how many there are. */
bool ag_compare(const ag_model *model, const ag_model *other, FILE *to, int *count, ag_arena *arena,
                ag_err *err);

#endif
