/* SPDX-License-Identifier: MIT */
/* finite.h: what is left of a graph where all inputs are finite and nothing overflows. */
#ifndef AG_FINITE_H
#define AG_FINITE_H

#include "graph/dag.h"

typedef enum ag_held { AG_FAILS, AG_HOLDS, AG_UNDECIDED } ag_held;

/* Whether a condition holds there: tests for NaN do not, comparisons are undecided. */
ag_held ag_where_finite(const ag_node *nodes, ag_id id);

/* NaN and infinities stay what they are in sums, differences, products and numerators: what is made in this way of a number that is
 * not finite is not finite. So a test of some numbers tells of others. */

/* The question whether one of these numbers is not finite; of those that others tell, nothing is asked. */
ag_id ag_ask_finite(ag_dag *dag, const ag_id *numbers, int count, ag_arena *arena);

/* By node: whether it is finite wherever all that are asked for (by node) are. */
bool *ag_told_finite(const ag_dag *dag, const bool *asked, ag_arena *arena);

#endif
