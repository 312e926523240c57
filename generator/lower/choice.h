/* SPDX-License-Identifier: MIT */
/* choice.h: code that a cache of instructions holds, where equal limbs or another order of statements can do it.
 *
 * A CPU that has all code of a function in its first-level cache computes at the speed of its arithmetic. Beyond that it reads
 * some 12 bytes of code a cycle, whatever these compute, so that the shortest code is the fastest (docs/performance.md). */
#ifndef AG_CHOICE_H
#define AG_CHOICE_H

#include "lower/plan.h"

/* The plan of a function for a target that weighs text (target->cache), which does not ask for limbs as lanes in any case: the usual one where most states run through no more
 * than the cache holds. Else with limbs of equal shape as lanes, if that has less text, and in functions called once for each
 * where there are no vectors; in the order of the shortest code, where lanes alone are still too long; and with one function for steps
 * that several links have in common (repeats.h), where that takes less time. Gives the function its graphs with limbs. */
ag_plan *ag_lower_to_fit(const ag_header *header, ag_function *function);

/* The plan of the shortest code: with such functions where they save text. */
ag_plan *ag_lower_shortest(const ag_graph *graph, const ag_target *target, ag_arena *arena);

/* What was chosen, and how much text that saves, as a sentence; NULL: the usual plan. */
const char *ag_choice_text(const ag_header *header, const ag_plan *plan);

#endif
