/* SPDX-License-Identifier: MIT */
/* stored.h: finite tests of results that have been stored, all together, in place of one behind each result. */
#ifndef AG_STORED_H
#define AG_STORED_H

#include "graph/graph.h"

/* A copy of the graph, but for NOT_FINITE, which asks for what came in alone: the function asks for its results when all are stored
 * (emit/probe.h). NULL: it is not all results that are asked for, or more than NOT_FINITE is made of the answers. */
ag_graph *ag_test_stored(const ag_graph *graph, ag_arena *arena);

/* By output, whether NOT_FINITE of the graph itself is made of the question whether that number is finite. */
bool *ag_asked_results(const ag_graph *graph, ag_arena *arena);

#endif
