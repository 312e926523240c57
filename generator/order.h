/* order.h: which nodes of a program are statements, and in which order these are computed. */
#ifndef AG_ORDER_H
#define AG_ORDER_H

#include "program.h"

/* program->order holds the live nodes by id; uses: how often each is used (ag_uses). Fills
 * program->statement and puts program->order into the order of the statements, each behind the
 * nodes that stand in its text. */
void ag_order(ag_program *program, const int *uses, ag_arena *arena);

#endif
