/* SPDX-License-Identifier: MIT */
/* sparsity.h: which elements of a function's derivatives are zero whatever comes in. */
#ifndef AG_SPARSITY_H
#define AG_SPARSITY_H

#include "base/text.h"
#include "lower/plan.h"

/* The type NAME_f_sparsity, an array by derivative, and NAME_F_SPARSITY, which initialises it: 1 where an element can
 * differ from zero. Nothing for a function without derivatives. */
void ag_emit_sparsity(ag_text *text, const ag_header *header, const ag_function *function);

#endif
