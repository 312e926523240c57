/* expression.h: a program's expressions and statements as C text; what the functions of one state
 * and of a batch are made of. */
#ifndef AG_EXPRESSION_H
#define AG_EXPRESSION_H

#include "base/text.h"
#include "graph/program.h"

/* Opens the block of a function: clang has no macro for -fassociative-math that one could refuse,
 * but it can be told to leave sums in their order. */
#define AG_IN_ORDER                                                                                \
  "#if defined(__clang__) && __clang_major__ >= 13\n"                                              \
  "#pragma clang fp reassociate(off)\n"                                                            \
  "#endif\n"

typedef struct ag_printer {
  const ag_header *header;
  const ag_program *program;
  const char **name;  /* by node; NULL: printed where it is used */
  bool lanes;         /* of a batch: vectors of K states */
  const int *step;    /* by region: its number in the legend; 0: it has no statement */
  const char *indent; /* of statements */
} ag_printer;

/* Chooses the names of the program's statements. */
ag_printer ag_printer_of(const ag_header *header, const ag_program *program, bool lanes);

/* A number that reads back as itself. */
const char *ag_emit_number(const ag_header *header, double value);
/* The text of a node, in place or by its statement's name. */
void ag_emit_expression(ag_text *text, const ag_printer *printer, ag_id id);
/* The same as the operand of an operator that binds as strongly as the unary ones. */
void ag_emit_operand(ag_text *text, const ag_printer *printer, ag_id id);
/* The same where a vector is needed, of constants too. */
void ag_emit_lane_operand(ag_text *text, const ag_printer *printer, ag_id id);
/* The comment that lists the steps of the algorithm by their numbers. */
void ag_emit_legend(ag_text *text, const ag_printer *printer);
/* The statements of a program, or of its null-space solve, among the nodes of its order from the `first`-th
 * to the one before `behind`. */
void ag_emit_statements(ag_text *text, const ag_printer *printer, const ag_program *way, int first,
                        int behind);

/* The statement that computes a node. */
void ag_emit_value(ag_text *text, const ag_printer *printer, ag_id id);
/* The same in two: what declares it, with a number that nobody asks for, and what sets it. */
void ag_emit_blank(ag_text *text, const ag_printer *printer, ag_id id);
void ag_emit_assignment(ag_text *text, const ag_printer *printer, ag_id id);
/* The statement that stores an output, of a batch in all lanes. */
void ag_emit_output(ag_text *text, const ag_printer *printer, const ag_element *element);
/* The same for the lanes of a vector, which outputs from this one on are, one behind the other. */
void ag_emit_output_vector(ag_text *text, const ag_printer *printer, const ag_element *first,
                           int lanes);

/* Adds a line, broken before operators and behind commas where it is too long. */
void ag_emit_broken(ag_text *text, const char *indent, const char *line);
/* The same, indented as the printer's statements are. */
void ag_emit_statement(ag_text *text, const ag_printer *printer, const char *line);

/* A comment of its own, its lines at most as long as the others. before: what stands before it. */
void ag_emit_comment(ag_text *text, const char *before, const char *comment);

/* Whether a program has a sine or a cosine. */
bool ag_takes_trig(const ag_program *program);

#endif
