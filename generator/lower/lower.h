/* SPDX-License-Identifier: MIT */
/* lower.h: the one way from graphs to plans: what code is printed of. */
#ifndef AG_LOWER_H
#define AG_LOWER_H

#include "base/err.h"
#include "lower/plan.h"

/* A complete graph in order, for one target. */
ag_plan *ag_lower(const ag_graph *graph, const ag_target *target, ag_arena *arena);

/* The plans of all functions of a header for its target: also for several states at once, or with limbs as lanes, where
 * that asks for it. Without a function that gains by limbs as lanes, the target asks for these no more. */
bool ag_lower_functions(ag_header *header, ag_err *err);

#endif
