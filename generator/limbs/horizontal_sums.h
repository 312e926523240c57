/* SPDX-License-Identifier: MIT */
/* horizontal_sums.h: sums over the lanes of vectors. */
#ifndef AG_HORIZONTAL_SUMS_H
#define AG_HORIZONTAL_SUMS_H

#include "graph/graph.h"

/* A graph with limbs as lanes (vectorize.h) whose sums over the lanes of a vector are made two vectors at a time.
 * single: of floats. */
ag_graph *ag_sum_across(ag_graph *lanes, bool single, ag_arena *arena);

#endif
