/* order.h: which nodes of a program are statements, and in which order these are computed. */
#ifndef AG_ORDER_H
#define AG_ORDER_H

#include "graph/program.h"

/* Which live nodes are statements: fills program->statement. uses: how often each node is used
 * (ag_uses). */
void ag_choose_statements(ag_program *program, const int *uses, ag_arena *arena);

/* Makes program->order, whose nodes stay the same, that of the statements, each behind the nodes
 * that stand in its text. vectors: the values are vectors, of whose registers a CPU has few.
 * window: 0; else the shortest code is wanted, and no statement comes so many before the oldest that
 * is not there yet. */
void ag_order(ag_program *program, bool vectors, int window, ag_arena *arena);

#endif
