/* SPDX-License-Identifier: MIT */
/* function.h: a program as a C function of one state. Knows C; does not know what a link is. */
#ifndef AG_FUNCTION_H
#define AG_FUNCTION_H

#include "emit/language.h"

/* The comment that says what a function promises. */
void ag_emit_contract(ag_text *text, const ag_header *header, const ag_function *function);
/* Declarations of NAME_F and NAME_F_trig, with their contract. */
void ag_emit_declaration(ag_text *text, const ag_header *header, const ag_function *function);
/* Their definitions. linkage: "", "static inline ". */
void ag_emit_definition(ag_text *text, const ag_language *language, const ag_header *header,
                        const ag_plan *plan, const char *linkage);

#endif
