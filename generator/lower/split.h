/* SPDX-License-Identifier: MIT */
/* split.h: where a long function is cut into parts, each a C function of its own. Compilers take
 * time by the square of a function's length, most of it to choose registers. */
#ifndef AG_SPLIT_H
#define AG_SPLIT_H

#include "lower/plan.h"

/* Functions of more operations are cut where nobody says how, into parts of AG_PART. */
#define AG_LONG 10000
#define AG_PART 1000
#define AG_SHORT_PART 120 /* of the shortest code: fewer values wait on a smaller stack */
#define AG_LANES_PART                                                                              \
  200 /* of limbs as lanes: by times of humanoids and what compilers take for them */
#define AG_LINK_PART                                                                               \
  300 /* between functions of links (repeats.h): by times of chains of 14 to 60 joints */
#define AG_BATCH_PART                                                                              \
  350 /* of functions of a batch of more than twice as many: chosen by times (docs/performance.md) */
enum { AG_PARTS_LONG = -1 }; /* as target->parts: so */

/* plan->part of so many operations (ag_flops), by what is requested: a number of
 * operations, 0, AG_PARTS_LONG. */
int ag_part_of(int asked, int operations);

/* Cuts an ordered plan into parts of at most plan->part operations, each cut where the fewest
 * values wait between half a part and a whole one. */
const ag_split *ag_split_plan(const ag_plan *plan, ag_arena *arena);

#endif
