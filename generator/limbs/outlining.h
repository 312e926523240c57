/* SPDX-License-Identifier: MIT */
/* outlining.h: a graph with limbs as lanes (vectorize.h) for functions of one limb each, which are called once for every one: the
 * shortest code where there are no vectors. Its vectors are what limbs compute, of numbers that each has; what limbs exchange, and
 * what is made of it, the trunk computes as numbers. */
#ifndef AG_OUTLINING_H
#define AG_OUTLINING_H

#include "graph/graph.h"

/* Such a graph of the general way. */
ag_graph *ag_outline(const ag_graph *lanes, ag_arena *arena);

/* Number l of the `width` that a vector joins. */
ag_id ag_joined(const ag_dag *dag, ag_id join, int width, int l);

#endif
