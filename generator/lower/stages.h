/* SPDX-License-Identifier: MIT */
/* stages.h: a plan for functions of one limb each (limbs/outlining.h): its stages are by turns of the trunk, whose values are numbers,
 * and of limbs, whose values are vectors with a number of each limb. No stage asks for what a later one makes. */
#ifndef AG_STAGES_H
#define AG_STAGES_H

#include "lower/plan.h"

typedef struct ag_stages {
  ag_plan *plan;
  /* By node: even: of the trunk, odd: of limbs; of a vector that joins numbers, the first that asks for it. */
  int *stage;
  int last; /* the last stage, of the trunk */
  int kept; /* bytes of the structs that wait between stages (emit/limb_functions.c) */
  /* Where there are vectors, the functions are called once for all limbs: no other text of this way is emitted. */
  bool shared;
} ag_stages;

/* Sorts the plan's order by stages. */
ag_stages *ag_find_stages(ag_plan *plan, ag_arena *arena);

#endif
