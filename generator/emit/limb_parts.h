/* SPDX-License-Identifier: MIT */
/* limb_parts.h: parts of one text for all limbs (lower/stages.h): with vectors a part of limbs is called once for all of them, without once
 * for each. What limbs keep stands in a struct: of vectors, or of one limb's numbers. By macros (limb_macros.h). */
#ifndef AG_LIMB_PARTS_H
#define AG_LIMB_PARTS_H

#include "emit/expression.h"

/* "x_achd_limb2": the struct of limbs of so many lanes; whether they keep anything; the types; where a function has them. */
const char *ag_limb_type(const ag_printer *printer, const char *name, int lanes);
bool ag_limbs_keep(const ag_split *split, int lanes);
void ag_emit_limb_types(ag_text *text, const ag_printer *printer, const ag_split *split,
                        const char *name);
void ag_emit_limb_structs(ag_text *text, const ag_printer *printer, const ag_split *split,
                          const char *name);

/* What the trunk takes of limbs, as text, and as the name of what is no statement; and gives them what node `join` joins. */
const char *ag_taken(const ag_printer *printer, const ag_split *split, ag_id take);
void ag_name_taken(const ag_printer *printer, const ag_split *split);
const char *ag_give_limbs(const ag_printer *printer, const ag_split *split, ag_id join);
/* The statement by which limbs store output e, each its own; of another lane than the first: NULL. */
const char *ag_store_of_limbs(const ag_printer *printer, int e);

/* Whether a part's text depends on the limb; whether the trunk's text has what limbs of so many lanes keep. */
bool ag_has_lane(const ag_header *header, const char *body);
bool ag_has_limbs(const ag_header *header, const char *body, int lanes);

#endif
