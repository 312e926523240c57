/* functions.c: see functions.h */
#include "graph/functions.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>

#define AG_SOLVE "achd"
#define AG_BOUNDED_SOLVE "mclp"
#define AG_OPTIMUM "qp"
#define AG_AFTER_BOUNDED_SOLVE "apply"
#define AG_AROUND_SOLVE                                                                            \
  "fk", "fvk", "fak", "jac", "jdqd", "id", "fd", "gravity", "bias", "crba", "energy", "com"

#define AG_DERIVATIVES "did", "dfd", "dachd", "dmclp"

const char *const ag_functions[] = {AG_SOLVE,         AG_AROUND_SOLVE, AG_DERIVATIVES,
                                    AG_BOUNDED_SOLVE, AG_OPTIMUM,      NULL};
const char *const ag_derivatives[] = {AG_DERIVATIVES, NULL};
const char *const ag_family[] = {AG_SOLVE, AG_AROUND_SOLVE, NULL};
static_assert(sizeof ag_family / sizeof *ag_family == AG_FAMILY + 1, "AG_FAMILY counts them");

bool ag_function_solves(const char *function) {
  return strcmp(function, AG_SOLVE) == 0;
}

const char *ag_function_partner(const char *function) {
  const bool solved_outside =
      strcmp(function, AG_BOUNDED_SOLVE) == 0 || strcmp(function, AG_OPTIMUM) == 0;
  return solved_outside ? AG_AFTER_BOUNDED_SOLVE : NULL;
}

const char *ag_function_derivative(const char *function) {
  static const char *const with[][2] = {{"id", "did"}, {"fd", "dfd"}, {AG_SOLVE, "dachd"}};
  for (size_t k = 0; k < sizeof with / sizeof *with; k++)
    if (strcmp(function, with[k][0]) == 0) return with[k][1];
  return NULL;
}

int ag_default_functions(bool bounded, bool optimum, const char *const **functions) {
  static const char *const plain[] = {AG_SOLVE},
                           *const both[] = {AG_BOUNDED_SOLVE, AG_AFTER_BOUNDED_SOLVE},
                           *const best[] = {AG_OPTIMUM, AG_AFTER_BOUNDED_SOLVE};
  *functions = optimum ? best : bounded ? both : plain;
  return bounded || optimum ? 2 : 1;
}
