/* SPDX-License-Identifier: MIT */
/* magnitude.h: how large the numbers of a program can become. Where the inputs are of moderate size
 * and no divisor is near zero, nothing overflows, and results need no test of their own. */
#ifndef AG_MAGNITUDE_H
#define AG_MAGNITUDE_H

#include "graph/graph.h"

typedef struct ag_divisors {
  ag_id *of;
  int count;
  double least; /* that their sizes have to be above */
} ag_divisors;

/* The divisors whose size has to be tested to be above a least one, so that the values of `results`, of
 * doubles and with sums in any order, are finite wherever the condition `holds` does. False: they may
 * overflow even then. It makes use of what `holds` says of inputs and sines (that no probe found them
 * large) and of other nodes (that they are above one of which that is known), and of what is known of
 * the graph (ag_graph_no_longer). */
bool ag_bound_sizes(const ag_graph *graph, ag_id holds, const ag_id *results, int nresults,
                    ag_arena *arena, ag_divisors *divisors);

#endif
