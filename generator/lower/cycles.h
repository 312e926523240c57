/* SPDX-License-Identifier: MIT */
/* cycles.h: how long a call takes whose code is read anew, predicted from the plan. */
#ifndef AG_CYCLES_H
#define AG_CYCLES_H

#include "lower/plan.h"

/* Cycles, about, of what most states run through, which has so many bytes of code as predicted (text_size.h): of a CPU that reads
 * 12 bytes of code in each, and computes what it has read as soon as its operands are there, as long as no more operations wait
 * for theirs than it has places for. For comparing orders of one graph. */
int ag_predict_cycles(const ag_plan *plan, const ag_text_size *text, ag_arena *arena);

#endif
