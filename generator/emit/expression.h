/* SPDX-License-Identifier: MIT */
/* expression.h: a program's expressions and statements as C text; what the functions of one state
 * and of a batch are made of. */
#ifndef AG_EXPRESSION_H
#define AG_EXPRESSION_H

#include "emit/language.h"

/* Opens the block of a function: clang has no macro for -fassociative-math that one could refuse,
 * but it can be set to leave sums in their order. */
#define AG_IN_ORDER                                                                                \
  "#if defined(__clang__) && __clang_major__ >= 13\n"                                              \
  "#pragma clang fp reassociate(off)\n"                                                            \
  "#endif\n"

/* Where gcc makes code for x86-64 and optimises it; what it is asked for there, of instructions that do the same the one with fewer
 * bytes, in the order in which they stand, and nothing that branches could have in common; and what it leaves out in long straight-line
 * code: two optimisations that find next to nothing in it and take half of the time. */
#define AG_IS_GCC_ON_X86                                                                           \
  "defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__) && defined(__OPTIMIZE__)"
#define AG_SHORTER                                                                                 \
  "\"Os\", \"no-rename-registers\", \\\n    \"no-tree-ter\", \"no-schedule-insns2\", "             \
  "\"no-tree-pre\", "
#define AG_LESS_TO_COMPILE                                                                         \
  "\"no-tree-slp-vectorize\", \\\n                                                  "              \
  "\"no-tree-dse\", \"no-dse\""

/* Operations from which on a function's text is short, as that of parts is: values that have no name of their own are numbered, declarations go on
 * behind a comma, and a step is said once. */
#define AG_TERSE 8000

/* How strongly operators bind. */
enum {
  AG_TERNARY,
  AG_BITS_OR,
  AG_BITS,
  AG_EQUALITY,
  AG_ORDER,
  AG_SUM,
  AG_PRODUCT,
  AG_UNARY,
  AG_PRIMARY
};

/* Chooses the names of the program's statements. */
ag_printer ag_printer_of(const ag_language *language, const ag_header *header, const ag_plan *plan);

/* The type of a node's value; that of a number, or of what holds or not, that is no vector of limbs. */
const char *ag_emit_type(const ag_printer *printer, ag_id id);
const char *ag_emit_type_of(const ag_printer *printer, bool boolean);
/* "in->q[0]" of a list's struct and an element's access. */
const char *ag_emit_place(const ag_language *language, const ag_header *header, const char *list,
                          const char *access);
/* How a place is read, and where the i-th input stands, read so. */
const char *ag_emit_read(const ag_printer *printer, const char *place);
const char *ag_emit_input(const ag_printer *printer, int input);

/* The text of a node, in place or by its statement's name. */
void ag_emit_expression(ag_text *text, const ag_printer *printer, ag_id id);
/* The same as the operand of an operator that binds as strongly as the unary ones. */
void ag_emit_operand(ag_text *text, const ag_printer *printer, ag_id id);
/* The same in brackets where it binds less than `least`. */
void ag_emit_bound(ag_text *text, const ag_printer *printer, ag_id id, int least);
/* The same of an operand of node n: a constant that it is compared with by its name (limits.h). */
void ag_emit_operand_of(ag_text *text, const ag_printer *printer, const ag_node *n, ag_id id,
                        int least);
/* What computes a node, even one that has a name. */
void ag_emit_operation(ag_text *text, const ag_printer *printer, ag_id id);
/* The comment that lists the steps of the algorithm by their numbers. */
void ag_emit_legend(ag_text *text, const ag_printer *printer);
/* The statements of a program, or of its fast way, among the nodes of its order from the `first`-th
 * to the one before `behind`. */
void ag_emit_statements(ag_text *text, const ag_printer *printer, const ag_sequence *way, int first,
                        int behind);

/* A block or a function begins: the first statement says its step. */
void ag_emit_block(const ag_printer *printer);
/* Declares a node's value, which stands in this place. */
void ag_emit_declared(ag_text *text, const ag_printer *printer, ag_id id, const char *value);
/* The statement that computes a node. */
void ag_emit_value(ag_text *text, const ag_printer *printer, ag_id id);
/* The same in two: what declares it, with a number that nobody asks for, and what sets it. */
void ag_emit_blank(ag_text *text, const ag_printer *printer, ag_id id);
void ag_emit_assignment(ag_text *text, const ag_printer *printer, ag_id id);
/* The statement that stores an element of the output. */
void ag_emit_output(ag_text *text, const ag_printer *printer, const ag_sequence *way, int element);

/* Adds a line, broken before operators and behind commas where it is too long. */
void ag_emit_broken(ag_text *text, const char *indent, const char *line);
/* The same, indented as the printer's statements are. */
void ag_emit_statement(ag_text *text, const ag_printer *printer, const char *line);

/* A comment of its own, its lines at most as long as the others. before: what stands before it. */
void ag_emit_comment(ag_text *text, const ag_language *language, const char *before,
                     const char *comment);

/* Whether a program has a sine or a cosine. */
bool ag_takes_trig(const ag_plan *plan);

#endif
