/* SPDX-License-Identifier: MIT */
/* live.h: which nodes of a graph its results are made of. */
#ifndef AG_LIVE_H
#define AG_LIVE_H

#include "graph/graph.h"

/* Ends the making of a graph, whose results have all been said: turns differences (live.c), and lists the nodes of each way. */
void ag_graph_complete(ag_graph *graph, ag_arena *arena);

/* Marks what the outputs and status of a way are made of; of the general way the guard, too, where there is one. */
void ag_mark_way(const ag_graph *graph, int way, bool *live);

/* Marks what the marked nodes are made of; returns how many nodes are marked then. */
int ag_mark_operands(const ag_dag *dag, bool *live);

/* How often each node is used by nodes that are live, by outputs and status bits of all ways, and as the guard; indexed by id. */
int *ag_uses(const ag_graph *graph, const bool *live, ag_arena *arena);

/* Additions, subtractions, multiplications and divisions that the nodes in live[] are made of; marks
 * all these. */
int ag_count_operations(const ag_dag *dag, bool *live);

/* Those of a way and of the guard. */
int ag_count(const ag_graph *graph, int way, ag_arena *arena);

#endif
