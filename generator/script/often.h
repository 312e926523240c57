/* SPDX-License-Identifier: MIT */
/* often.h: in how many states a condition holds. */
#ifndef AG_SCRIPT_OFTEN_H
#define AG_SCRIPT_OFTEN_H

#include "graph/graph.h"

#include <lua.h>

/* The share of so many random states in which a condition, a node of an unfinished graph, holds:
 * joints anywhere within their limits, all masks 1. The same on every machine. */
double ag_how_often(const ag_header *header, const ag_graph *graph, ag_id condition, int states,
                    ag_arena *arena);

/* seldom(): whether few states run through what follows, as a fast way has those of most. */
int ag_l_seldom(lua_State *L);

#endif
