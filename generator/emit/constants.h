/* SPDX-License-Identifier: MIT */
/* constants.h: a header's constants as macros: the joints' names and limits, and what an input struct
 * starts from. */
#ifndef AG_CONSTANTS_H
#define AG_CONSTANTS_H

#include "base/text.h"
#include "lower/plan.h"

/* NAME_JOINT_NAMES, and NAME_LOWER_JOINT and so on for every limit that a joint has. */
void ag_emit_constants(ag_text *text, const ag_header *header);
/* NAME_F_IN_DEFAULT, an initialiser of NAME_F_in in C99 and C++: each input's default. */
void ag_emit_initialiser(ag_text *text, const ag_header *header, const ag_function *function);

#endif
