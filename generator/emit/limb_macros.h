/* SPDX-License-Identifier: MIT */
/* limb_macros.h: what the functions of limbs (limb_functions.h) and parts of limbs (limb_parts.h) are written with: their macro, and types and macros by
 * which one text is for all limbs in the lanes of vectors, and for one limb after the other. */
#ifndef AG_LIMB_MACROS_H
#define AG_LIMB_MACROS_H

#include "graph/interface.h"
#include "lower/plan.h"

/* Whether a function has such functions, and whether one text is for all limbs. */
bool ag_has_limb_functions(const ag_plan *plan);
bool ag_shares_limbs(const ag_plan *plan);
/* What stands in front of all, and its end; "" where no function has any. */
const char *ag_limb_macro(const ag_header *header);
const char *ag_limb_macro_end(const ag_header *header);

#endif
