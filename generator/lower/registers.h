/* SPDX-License-Identifier: MIT */
/* registers.h: how well an order of statements uses the registers of a processor, by a simulation. */
#ifndef AG_REGISTERS_H
#define AG_REGISTERS_H

#include "lower/plan.h"

/* How often a value goes to memory or comes back from there when a way's statements, from the `first`-th node of
 * its order on, are computed in its order with so few registers that compilers have for the values of a function: each such move is
 * an instruction, or a longer one. The value whose next use is the furthest gives its register
 * away (L. A. Belady, A study of replacement algorithms for a virtual-storage computer, IBM Systems
 * Journal 5, 1966). */
int ag_count_moves(const ag_sequence *way, int first);

#endif
