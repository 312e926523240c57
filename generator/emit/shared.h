/* SPDX-License-Identifier: MIT */
/* shared.h: what the source of a shared library has beside the functions (--mode shared): functions
 * over arrays of states, and what the library tells of itself to who loads it. */
#ifndef AG_SHARED_H
#define AG_SHARED_H

#include "base/text.h"
#include "lower/plan.h"

/* NAME_F_many: n states, one struct each. */
void ag_emit_many_declaration(ag_text *text, const ag_header *header, const ag_function *function);
void ag_emit_many_definition(ag_text *text, const ag_header *header, const ag_function *function);

/* NAME_F_shape, NAME_F_in_size and NAME_F_out_size of every function, and NAME_description: the
 * lines of a text, NULL behind the last. */
void ag_emit_self_description(ag_text *text, const ag_header *header, const char *description);

#endif
