/* SPDX-License-Identifier: MIT */
/* finite.h: what is left of a graph where all inputs are finite and nothing overflows. */
#ifndef AG_FINITE_H
#define AG_FINITE_H

#include "graph/dag.h"

typedef enum ag_held { AG_FAILS, AG_HOLDS, AG_UNDECIDED } ag_held;

/* Whether a condition holds there: tests for NaN do not, comparisons are undecided. */
ag_held ag_where_finite(const ag_node *nodes, ag_id id);

#endif
