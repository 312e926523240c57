/* SPDX-License-Identifier: MIT */
/* batch.h: functions over several states at once, in the CPU's vectors. */
#ifndef AG_BATCH_H
#define AG_BATCH_H

#include "base/text.h"
#include "lower/plan.h"

/* NAME_F_batch: header->target.batch states at once. */
void ag_emit_batch_declaration(ag_text *text, const ag_header *header, const ag_function *function);
/* The same function with its body; linkage: what comes before its type, such as "static inline ".
 */
void ag_emit_batch_definition(ag_text *text, const ag_header *header, const ag_plan *plan,
                              const char *linkage);

#endif
