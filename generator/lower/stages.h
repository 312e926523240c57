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
  /* Where there are vectors, the functions are called once for all limbs: no other text of this way is emitted. They are parts. */
  bool shared;
  const bool *stored; /* by output, where it is so: limbs store it, each its own */
} ag_stages;

/* Sorts the plan's order by stages. */
ag_stages *ag_find_stages(ag_plan *plan, ag_arena *arena);

/* One text for vectors and for one limb after the other, whose parts are still to be cut. */
void ag_share_stages(ag_stages *stages, ag_arena *arena);
/* How many lanes the text has that makes a node's value: limbs' own vectors, and those of constants and inputs; 1: it is of the trunk,
 * which also gives limbs what it joins. */
int ag_lanes_of(const ag_stages *stages, ag_id id);

#endif
