/* SPDX-License-Identifier: MIT */
/* steps.h: a step of a simulator by definition, without a solver and with contacts, limits and dry friction around one. */
#ifndef AG_STEPS_H
#define AG_STEPS_H

#include "prove/outputs.h"

/* step, and the values of dstep */
void ag_define_step(ag_definition *definition);
/* step_begin */
void ag_define_step_begin(ag_definition *definition);
/* step_end */
void ag_define_step_end(ag_definition *definition);

#endif
