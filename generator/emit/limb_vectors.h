/* SPDX-License-Identifier: MIT */
/* limb_vectors.h: limbs in the lanes of vectors (limbs/vectorize.h) as C text, by the vector types of GCC and
 * Clang. */
#ifndef AG_EMIT_LANES_H
#define AG_EMIT_LANES_H

#include "base/text.h"
#include "lower/plan.h"

/* NAME_LANES, where the compiler and its CPU have the vectors that functions use, and their types;
 * "" where no function has any. */
const char *ag_emit_vector_types(const ag_header *header);
/* Ends the macros of these. */
void ag_emit_vectors_end(ag_text *text, const ag_header *header);

#endif
