/* schedule.h: the DAG in order: which nodes live, when each is computed, what it costs. */
#ifndef AG_SCHEDULE_H
#define AG_SCHEDULE_H

#include "program/program.h"

/* Fills program->order with the nodes that outputs and status need, in the order in which the
 * algorithm made them (regions stay whole), and program->cost. */
void ag_schedule(ag_program *program, ag_arena *arena);

/* How often each node is used by live nodes, outputs and status bits; indexed by id. */
int *ag_uses(const ag_program *program, ag_arena *arena);

/* Additions, subtractions, multiplications and divisions. */
int ag_flops(const ag_cost *cost);

#endif
