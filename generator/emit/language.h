/* SPDX-License-Identifier: MIT */
/* language.h: a printer: what differs between the languages, and the types of numbers, that programs are printed in. Behind
 * expression.h, function.h and types.h stands one such record: C for one state, and with limbs in the lanes of vectors
 * (language_c.h), C for a batch of states (language_batch.h), the functions of CasADi (casadi.c), Gappa's script (gappa.c). */
#ifndef AG_LANGUAGE_H
#define AG_LANGUAGE_H

#include "base/text.h"
#include "lower/plan.h"

enum { AG_WIDTH = 100 }; /* of a line of emitted text */

typedef struct ag_language ag_language;
typedef struct ag_limits ag_limits;

/* A program about to be printed. */
typedef struct ag_printer {
  const ag_language *language;
  const ag_header *header;
  const ag_graph *graph;
  const ag_plan *plan; /* of the graph; NULL: only its nodes are printed */
  const char **name;   /* by node; NULL: printed where it is used */
  const int *step;     /* by region: its number in the legend; 0: it has no statement */
  const char *indent;  /* of statements */
  ag_limits *limits;   /* constants that have names (limits.h); NULL: none has */
  ag_text *line;       /* the statement that is printed; NULL: only nodes are */
  int *said; /* the step whose number was printed last; 0: none in this block (ag_emit_block) */
  struct ag_declared *last; /* the declaration that was printed last (expression.c) */
  bool terse; /* the function is long: its text is short rather than every statement complete */
} ag_printer;

/* Formats of types take the header's prefix; of vectors their lanes as well. NULL and "": there is none. */
struct ag_language {
  /* types of a number, and of what holds or not */
  const char *real, *boolean, *vector, *vector_boolean;
  const char *scalar;    /* of a constant, where `real` is a vector; NULL: it is none */
  const char *structs;   /* behind the names of struct types: "_batch" */
  const char *earlier;   /* what stood there before: compatible names; NULL: there are none */
  const char *dimension; /* of each number in them, of the prefix in capitals: "[%s_K]" */

  /* qualifiers and address space */
  const char *constant; /* before the type of a value that a statement computes */
  const char *space;    /* before the types that `in` and `out` point to, with a blank behind */
  const char *function; /* before a function that others call, with a blank behind */

  /* where an input or output stands: its struct, this, its field; how it is read, of the prefix in capitals and of its place, and
   * written; NULL: by its name */
  const char *member, *load;
  void (*store)(ag_text *text, const ag_printer *printer, const char *place, ag_id value);

  /* sines and cosines: of 's' or 'c' and the angle's place; and the body of the function that computes them */
  const char *sine;
  void (*trig_of)(ag_text *text, const ag_header *header);

  /* tests: whether numbers are infinite, NaN or too large: AG_PROBE, AG_PROBE_INPUTS and AG_PROBE_TURNS */
  void (*probe)(ag_text *text, const ag_printer *printer, const ag_node *node);

  /* a comment's opening, what its further lines begin with, and its end */
  const char *comment[3];

  /* a number's text */
  const char *(*number)(const ag_header *header, double value);
  /* operators that are spelled otherwise than in C; false: this is none. NULL: none is */
  bool (*operation)(ag_text *text, const ag_printer *printer, ag_id id);
  const char *begin; /* lines that a function's block opens with, of the prefix */
  const char *help;  /* what the text of these uses, before the functions, of the prefix */
  bool asks_ahead;   /* code is prefetched before it runs (ahead.h) */
};

#endif
