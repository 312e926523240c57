/* SPDX-License-Identifier: MIT */
/* cost.h: what gcc makes of a function: estimates, for its comment. */
#ifndef AG_EMIT_COST_H
#define AG_EMIT_COST_H

#include "lower/plan.h"

/* "1100 add, 1300 mul, ..." */
char *ag_cost_text(const ag_header *header, const ag_plan *plan);

/* Where a function's code is probably longer than the smallest first-level caches of instructions in use on
 * processors of PCs: how long, as a sentence. NULL: it is not. An estimate by operations, of gcc -O2 for x86-64. */
char *ag_text_warning(const ag_header *header, const ag_plan *plan);

/* The same estimate of one node: bytes of code. */
int ag_text_bytes_of(const ag_node *node);

#endif
