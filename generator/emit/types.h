/* SPDX-License-Identifier: MIT */
/* types.h: a header's enumerations, struct types and the structs of its functions. */
#ifndef AG_TYPES_H
#define AG_TYPES_H

#include "emit/language.h"

/* Enumerations of joints and rows. */
void ag_emit_enums(ag_text *text, const ag_header *header);
/* The plain struct types that the header's quantities use. */
void ag_emit_types(ag_text *text, const ag_language *language, const ag_header *header);
/* NAME_F_in and NAME_F_out; name: between F and these, "batch_". */
void ag_emit_structs(ag_text *text, const ag_language *language, const ag_header *header,
                     const ag_function *function, const char *name);
/* The hash of their shape. */
void ag_emit_shape(ag_text *text, const ag_header *header, const ag_function *function);
/* --offsets: a macro with the columns of a function and where each stands in its structs. */
void ag_emit_columns(ag_text *text, const ag_header *header, const ag_function *function);
/* The length of an array by row, "GEN3_NR", or of a list. */
const char *ag_emit_length(const ag_header *header, const ag_quantity *quantity);
/* "[GEN3_NJ][GEN3_NR]" of a derivative. */
const char *ag_derivative_dims(const ag_header *header, const ag_quantity *quantity);
/* In a source of its own: its header must be the one that was made with it. */
void ag_emit_shape_check(ag_text *text, const ag_header *header, const ag_function *function);

#endif
