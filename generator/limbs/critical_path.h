/* SPDX-License-Identifier: MIT */
/* critical_path.h: less waiting of one operation for another. */
#ifndef AG_CRITICAL_PATH_H
#define AG_CRITICAL_PATH_H

#include "graph/graph.h"

/* A graph with limbs as lanes (vectorize.h) with shorter chains of operations that wait for each other. */
ag_graph *ag_shorten_chains(const ag_graph *lanes, ag_arena *arena);

#endif
