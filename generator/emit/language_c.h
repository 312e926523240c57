/* SPDX-License-Identifier: MIT */
/* language_c.h: C: of one state, and with limbs in the lanes of vectors, by the vector types of GCC and Clang. */
#ifndef AG_LANGUAGE_C_H
#define AG_LANGUAGE_C_H

#include "emit/language.h"

extern const ag_language ag_in_c;
/* The same in parts for one limb, or for all in lanes (limb_parts.h): vectors are of types that have a name for both. */
extern const ag_language ag_in_limbs;

/* How many outputs from the i-th on are the lanes of a vector, which stands behind them in an array of joints: they go there at
 * once. 1: the output is a number, or a lane for itself. */
int ag_stored_at_once(const ag_sequence *way, int i);
/* Stores the lanes of a vector in outputs that stand one behind the other, from this one on. */
void ag_emit_output_vector(ag_text *text, const ag_printer *printer, const ag_sequence *way,
                           int element, int lanes);

#endif
