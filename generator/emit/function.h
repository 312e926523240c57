/* function.h: programs as C text. Knows C; does not know what a link is. */
#ifndef AG_FUNCTION_H
#define AG_FUNCTION_H

#include "program/program.h"
#include "base/text.h"

enum { AG_WIDTH = 100 }; /* of a line of emitted text */

/* Opens the block of a function: clang has no macro for -fassociative-math that one could refuse,
 * but it can be told to leave sums in their order. */
#define AG_IN_ORDER                                                                                \
  "#if defined(__clang__) && __clang_major__ >= 13\n"                                              \
  "#pragma clang fp reassociate(off)\n"                                                            \
  "#endif\n"

/* Enumerations of joints and rows. */
void ag_emit_enums(ag_text *text, const ag_header *header);
/* Has any function a quantity of this shape? */
bool ag_uses_shape(const ag_header *header, ag_shape shape);
/* The plain struct types that the header's quantities use. */
void ag_emit_types(ag_text *text, const ag_header *header);
/* Whether a function comes after the bounded rows have been solved: it takes NAME_achd_in,
 * NAME_mclp_out and nu, and has no twin that takes sines and cosines. */
bool ag_takes_problem(const ag_program *program);
/* NAME_F_in, NAME_F_out, those of a batch, and the hash of their shape. */
void ag_emit_structs(ag_text *text, const ag_header *header, const ag_program *program);
/* Where each element of a list stands in its struct, counted in reals. */
const int *ag_places(const ag_header *header, const ag_list *list);
/* The comment that says what a function promises. */
void ag_emit_contract(ag_text *text, const ag_program *program);
/* Declarations of NAME_F and NAME_F_trig, with their contract. */
void ag_emit_declaration(ag_text *text, const ag_header *header, const ag_program *program);
/* Their definitions. linkage: "", "static inline ". */
void ag_emit_definition(ag_text *text, const ag_header *header, const ag_program *program,
                        const char *linkage);
/* NAME_F_batch: header->batch states at once. */
void ag_emit_batch_declaration(ag_text *text, const ag_header *header, const ag_program *program);
void ag_emit_batch_definition(ag_text *text, const ag_header *header, const ag_program *program,
                              const char *linkage);
/* A number that reads back as itself. */
const char *ag_emit_number(const ag_header *header, double value);
/* "1100 add, 1300 mul, ..." */
char *ag_emit_cost(const ag_header *header, const ag_program *program);

/* In a source of its own: its header must be the one that was made with it. */
void ag_emit_shape_check(ag_text *t, const ag_header *h, const ag_program *program);

#endif
