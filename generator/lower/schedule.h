/* SPDX-License-Identifier: MIT */
/* schedule.h: a graph in order: when each live node is computed, and what that costs. */
#ifndef AG_SCHEDULE_H
#define AG_SCHEDULE_H

#include "lower/plan.h"

/* The nodes of a complete graph in an order in which few values wait (order.h), and their cost; cut into parts of `part`
 * operations at most, 0: not. */
ag_plan *ag_schedule(const ag_graph *graph, const ag_target *target, int part, ag_arena *arena);

/* The same, in parts where the target asks for them or the graph is long. */
ag_plan *ag_schedule_as_asked(const ag_graph *graph, const ag_target *target, ag_arena *arena);

/* The same for functions of several states at once; graph: the one that was scheduled. */
const ag_plan *ag_schedule_vectors(const ag_plan *plan, const ag_graph *graph, ag_arena *arena);

/* Adds the operations of the guard of a graph with two ways. */
void ag_add_guard(ag_cost *cost, const ag_graph *graph, ag_arena *arena);

#endif
