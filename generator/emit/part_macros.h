/* SPDX-License-Identifier: MIT */
/* part_macros.h: what stands in front of parts (parts.h), and what gcc is asked for in them. */
#ifndef AG_PART_MACROS_H
#define AG_PART_MACROS_H

#include "base/text.h"
#include "graph/interface.h"
#include "lower/plan.h"

/* The macro in front of a part, and its end: compilers would put a function that is called once into
 * its caller. */
void ag_emit_part_macro(ag_text *text, const ag_header *header);
bool ag_has_parts(const ag_header *header);

#endif
