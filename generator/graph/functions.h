/* SPDX-License-Identifier: MIT */
/* functions.h: the functions that a header can have, by name. What they do is lua/functions/. */
#ifndef AG_FUNCTIONS_H
#define AG_FUNCTIONS_H

#include "base/arena.h"

#include <stdbool.h>

typedef enum ag_role { AG_SOLVE, AG_FAMILY, AG_DERIVATIVES, AG_FOLLOWS } ag_role;

/* Layouts by what becomes of their rows: none of them has bounds; some have; motors and contacts
 * realise them within their limits. */
typedef enum ag_rows_kind {
  AG_ANY_ROWS,
  AG_PLAIN_ROWS,
  AG_BOUNDED_ROWS,
  AG_OPTIMAL_ROWS
} ag_rows_kind;

enum { AG_OF_MASSES = 1, AG_OF_ACCELERATIONS = 2, AG_OF_FRAMES = 4, AG_OF_RATIOS = 8 };

/* A line of functions.def, which tells what each field is. */
typedef struct ag_known_function {
  const char *name;
  ag_role role;
  ag_rows_kind rows;
  unsigned of;
  const char *partner, *derivative, *takes, *fills, *after, *script;
} ag_known_function;

/* All of them; a name of NULL behind the last. */
extern const ag_known_function ag_function_table[];

/* The names of those that can be requested; NULL behind the last. */
extern const char *const ag_functions[];

/* The solve of plain rows, then what surrounds it: all functions that need no bounded rows, without
 * derivatives. ratios: also those that need constant ratios of joints. NULL behind the last. */
const char **ag_family(bool ratios, ag_arena *arena);

/* Whether it is the solve, without bounds of rows. */
bool ag_function_solves(const char *function);

/* Whether nothing asks for it, as it comes with another. */
bool ag_function_follows(const char *function);

/* The function that comes with another, which nothing asks for; NULL: none does. */
const char *ag_function_partner(const char *function);

/* The function that gives a function's values and derivatives; NULL: none does. */
const char *ag_function_derivative(const char *function);

/* The function whose values and derivatives this one gives; NULL: it gives no derivatives, or those
 * of an answer that is found outside. */
const char *ag_function_values(const char *function);

/* The functions, and behind them those of their derivatives that are not among them. */
const char **ag_with_derivatives(const char *const *functions, int *count, ag_arena *arena);

/* What is made where nothing is requested. Returns how many. */
int ag_default_functions(ag_rows_kind rows, const char *functions[2]);

#endif
