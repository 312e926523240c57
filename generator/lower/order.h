/* SPDX-License-Identifier: MIT */
/* order.h: which nodes of a way are statements, and in which order these are computed. */
#ifndef AG_ORDER_H
#define AG_ORDER_H

#include "lower/plan.h"

/* Which live nodes are statements: fills way->statement. uses: how often each node is used
 * (ag_uses). */
void ag_choose_statements(ag_sequence *way, const int *uses, ag_arena *arena);

/* Makes way->order, of a plan, whose nodes stay the same, that of the statements, each behind the nodes
 * that stand in its text. vectors: the values are vectors, of whose registers a CPU has few.
 * window: 0; AG_READ_ANEW: for code that is read anew in every call; else the shortest code is wanted, and no statement comes
 * so many before the oldest that is not there yet. */
enum { AG_READ_ANEW = -1 };
void ag_order(const ag_plan *plan, ag_sequence *way, bool vectors, int window, ag_arena *arena);

#endif
