/* SPDX-License-Identifier: MIT */
/* functions.c: see functions.h */
#include "graph/functions.h"

#include <stddef.h>
#include <string.h>

const ag_known_function ag_function_table[] = {
#define AG_FUNCTION(name, role, rows, of, ...) {#name, AG_##role, AG_##rows, of, __VA_ARGS__},
#include "graph/functions.def"
#undef AG_FUNCTION
    {.name = NULL}};

const char *const ag_functions[] = {
#define AG_ASKED_SOLVE(name) #name,
#define AG_ASKED_FAMILY(name) #name,
#define AG_ASKED_DERIVATIVES(name) #name,
#define AG_ASKED_FOLLOWS(name)
#define AG_FUNCTION(name, role, ...) AG_ASKED_##role(name)
#include "graph/functions.def"
#undef AG_FUNCTION
    NULL};

enum { COUNT = sizeof ag_function_table / sizeof *ag_function_table };

/* Of two with one name the first; NULL: there is none. */
static const ag_known_function *named(const char *name) {
  for (const ag_known_function *f = ag_function_table; f->name; f++)
    if (strcmp(f->name, name) == 0) return f;
  return NULL;
}

const char **ag_family(bool ratios, ag_arena *arena) {
  const char **list = ag_alloc(arena, COUNT * sizeof *list);
  int count = 0;
  for (const ag_known_function *f = ag_function_table; f->name; f++)
    if ((f->role == AG_FAMILY || ag_function_solves(f->name)) &&
        (ratios || !(f->of & AG_OF_RATIOS)))
      list[count++] = f->name;
  list[count] = NULL;
  return list;
}

bool ag_function_solves(const char *function) {
  const ag_known_function *f = named(function);
  return f && f->role == AG_SOLVE && f->rows == AG_PLAIN_ROWS;
}

bool ag_function_follows(const char *function) {
  const ag_known_function *f = named(function);
  return f && f->role == AG_FOLLOWS;
}

const char *ag_function_partner(const char *function) {
  const ag_known_function *f = named(function);
  return f ? f->partner : NULL;
}

const char *ag_function_derivative(const char *function) {
  const ag_known_function *f = named(function);
  return f ? f->derivative : NULL;
}

const char *ag_function_values(const char *function) {
  for (const ag_known_function *f = ag_function_table; f->name; f++)
    if (f->derivative && strcmp(f->derivative, function) == 0) return f->name;
  return NULL;
}

int ag_default_functions(ag_rows_kind rows, const char *functions[2]) {
  int count = 0;
  for (const ag_known_function *f = ag_function_table; f->name; f++)
    if (f->role == AG_SOLVE && f->rows == rows) {
      functions[count++] = f->name;
      if (f->partner) functions[count++] = f->partner;
    }
  return count;
}

const char **ag_with_derivatives(const char *const *functions, int *count, ag_arena *arena) {
  const char **list = ag_alloc(arena, (size_t)(2 * *count + 1) * sizeof *list);
  int n = 0;
  for (int k = 0; k < *count; k++) list[n++] = functions[k];
  for (int k = 0; k < *count; k++) {
    const char *derivative = ag_function_derivative(list[k]);
    bool there = derivative == NULL;
    for (int i = 0; i < n && !there; i++) there = strcmp(list[i], derivative) == 0;
    if (!there) list[n++] = derivative;
  }
  *count = n;
  return list;
}
