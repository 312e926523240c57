/* SPDX-License-Identifier: MIT */
/* repeats.h: steps that are the same for several links but for constants (alike.h) as one C function, which is called for one link after
 * the other: snakes, fingers, long chains. */
#ifndef AG_REPEATS_H
#define AG_REPEATS_H

#include "lower/frames.h"

typedef struct ag_repeats {
  ag_repeat *of;
  int count;
  ag_blocks own, fast; /* what the guard is made of is the same in both */
  int *place;          /* by node: where it waits in the frames; -1: it does not */
  int stride, base;    /* places of a link; where the frame of link 0 begins */
  int nplaces;         /* of all frames */
} ag_repeats;

/* The steps of a plan's way that repeat; NULL: the plan has none. */
static inline const ag_blocks *ag_blocks_of(const ag_plan *plan, const ag_sequence *way) {
  if (!plan->repeats) return NULL;
  return way == plan->fast ? &plan->repeats->fast : &plan->repeats->own;
}

/* Finds the repeats of an ordered plan, and makes their steps follow each other in its orders; NULL: there are none. */
const ag_repeats *ag_find_repeats(ag_plan *plan, ag_arena *arena);

#endif
