/* functions.h: the functions that a header can have, by name. What they do is lua/functions/. */
#ifndef AG_FUNCTIONS_H
#define AG_FUNCTIONS_H

#include <stdbool.h>

/* Those that can be asked for; NULL behind the last. */
extern const char *const ag_functions[];

/* Those of them that need no bounded rows: the solve, then what surrounds it. */
extern const char *const ag_family[];
enum { AG_FAMILY = 13 };

/* Those that give derivatives; NULL behind the last. */
extern const char *const ag_derivatives[];

/* Whether it is the solve, without bounds of rows. */
bool ag_function_solves(const char *function);

/* The function that comes with another, which nothing asks for; NULL: none does. */
const char *ag_function_partner(const char *function);

/* The function that gives a function's values and derivatives; NULL: none does. */
const char *ag_function_derivative(const char *function);

/* What is made where nothing is asked for; bounded: the layout bounds rows; optimum: motors and
 * contacts realise them within their limits. Returns how many. */
int ag_default_functions(bool bounded, bool optimum, const char *const **functions);

#endif
