/* SPDX-License-Identifier: MIT */
/* limits.h: constants of a function that numbers are compared with: each has a name, and a line that says why it is that number. */
#ifndef AG_LIMITS_H
#define AG_LIMITS_H

#include "emit/language.h"

struct ag_limits {
  int count;
  struct {
    const ag_limit *limit;
    const char *name;
    bool used; /* by the text since they were last declared */
  } * list;
};

/* Those that the nodes of a graph say; of one name with several values, the later ones have a number behind it. */
ag_limits *ag_limits_of(ag_arena *arena, const ag_graph *graph);
/* What operand `id` of node n is called, if it is one of them; NULL: it is none. */
const char *ag_limit_operand(const ag_printer *printer, const ag_node *n, ag_id id);
/* Declares those that the text since the last call has named. */
void ag_emit_limits(ag_text *text, const ag_printer *printer);

#endif
