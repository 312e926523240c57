/* SPDX-License-Identifier: MIT */
/* limb_functions.h: what limbs have in common as static functions (limbs/outlining.h), where there are no vectors, and the shortest code is
 * wanted: each is called once for every limb, with a row of a table of constants and places in arrays, and a struct of what the limb
 * keeps. Where the length of the code chooses limbs as lanes, these are parts instead, of one text for both (limb_parts.h). */
#ifndef AG_EMIT_LIMBS_H
#define AG_EMIT_LIMBS_H

#include "emit/expression.h"

typedef struct ag_limb_text ag_limb_text;

/* Emits the types, tables and functions of the function `name`, whose program with lanes has steps. */
ag_limb_text *ag_emit_limb_functions(ag_text *text, const ag_header *header, const ag_plan *lanes,
                                     const char *name);
/* The statements of the trunk, and the calls. */
void ag_emit_limb_calls(ag_text *text, ag_limb_text *limbs);
/* The program whose results are left, how it is printed, and whether a limb stores an output; of NULL: none does. */
const ag_printer *ag_limb_printer(const ag_limb_text *limbs);
bool ag_limb_stores(const ag_limb_text *limbs, int element);

#endif
