/* SPDX-License-Identifier: MIT */
/* near.h: places for what waits between parts, so that those that a part names are near each other: within 256 bytes an instruction needs
 * one byte for a place, not four. */
#ifndef AG_NEAR_H
#define AG_NEAR_H

#include "lower/plan.h"

/* Places in 256 bytes, for numbers or vectors of this kind. */
int ag_near_block(const ag_target *target, int kind);

/* Gives the numbers of a plan in parts places anew, in blocks of that many, so that each part names numbers of few blocks. */
void ag_place_near(ag_plan *plan, ag_arena *arena);

#endif
