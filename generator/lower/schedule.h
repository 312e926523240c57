/* schedule.h: the DAG in order: which nodes live, when each is computed, what it costs. */
#ifndef AG_SCHEDULE_H
#define AG_SCHEDULE_H

#include "graph/program.h"

/* Fills program->order with the nodes that outputs and status need, in an order in which few values
 * wait (order.h), and program->cost. */
void ag_schedule(ag_program *program, ag_arena *arena);

/* Makes program->vectors of a program that is scheduled: for functions of several states at once. */
void ag_schedule_vectors(ag_program *program, ag_arena *arena);

/* Additions, subtractions, multiplications and divisions that the nodes in live[] are made of; marks
 * all these. */
int ag_count_operations(const ag_dag *dag, bool *live);

/* Those of a way: the program itself, or its fast
 * way. The count that ag_schedule finds, without an order, which takes longer. */
int ag_count(const ag_program *program, const ag_program *way, ag_arena *arena);

/* How often each node is used by live nodes, outputs and status bits; indexed by id. */
int *ag_uses(const ag_program *program, ag_arena *arena);

/* Additions, subtractions, multiplications and divisions. */
int ag_flops(const ag_cost *cost);

#endif
