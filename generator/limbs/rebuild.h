/* SPDX-License-Identifier: MIT */
/* rebuild.h: what all passes over graphs with limbs as lanes (vectorize.h) share: they make the graph anew. */
#ifndef AG_REBUILD_H
#define AG_REBUILD_H

#include "graph/graph.h"

/* The node that a pass has made, or makes now, of one of the graph that it reads. */
typedef ag_id ag_maker(void *pass, ag_id id);

/* Gives `to`, a copy of `from` but for its nodes, which a pass makes: results and status of both
 * solves, the guard between them, and lanes; and completes it. */
void ag_make_results(const ag_graph *from, ag_graph *to, ag_maker *make, void *pass,
                     ag_arena *arena);

/* How often each node of such a graph is used, of both ways, by id: once for each operand, output
 * and status bit; 0: nothing needs it. */
int *ag_uses_of_all(const ag_graph *lanes, ag_arena *arena);

/* Lanes of a node's value; 1: a number. By id, of all nodes. */
const unsigned char *ag_widths(const ag_dag *dag, ag_arena *arena);

#endif
