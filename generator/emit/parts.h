/* SPDX-License-Identifier: MIT */
/* parts.h: a long function as several: static functions that the function calls one after the other.
 * What later ones need waits in a struct of the caller's, outputs are stored as soon as they are
 * known (split.h). */
#ifndef AG_PARTS_H
#define AG_PARTS_H

#include "emit/expression.h"

typedef struct ag_parameter {
  const char *name, *type; /* "in", "const gen3_dfd_in" */
} ag_parameter;

typedef struct ag_parts ag_parts;

/* Emits the parts of the function `name`, with what of the parameters (behind the last: no name) each
 * needs. The functions below take NULL for a function that is not split. */
ag_parts *ag_emit_parts(ag_text *text, ag_printer *printer, const ag_split *split, const char *name,
                        const ag_parameter *parameters);
/* Begins the function itself: declares what the parts leave. */
void ag_emit_work(ag_text *text, const ag_parts *parts);
/* Nodes of a way's order, from the `first`-th to the one before `behind`: calls of the parts, or the
 * statements. */
void ag_emit_way(ag_text *text, ag_parts *parts, const ag_printer *printer, const ag_sequence *way,
                 int first, int behind);
/* Has the function itself know what a node's text names; where a block ends, it knows nothing of what
 * it learnt there. */
void ag_emit_loads(ag_text *text, ag_parts *parts, const ag_sequence *way, ag_id id);
void ag_parts_block(ag_parts *parts, bool open);
/* Whether a part stores this output of the way. */
bool ag_part_stores(const ag_parts *parts, const ag_sequence *way, int element);

#endif
