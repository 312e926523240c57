/* SPDX-License-Identifier: MIT */
/* columns.h: a program as a filter: one state a line in, one line a state out (--columns, --eval).
 */
#ifndef AG_COLUMNS_H
#define AG_COLUMNS_H

#include "base/err.h"
#include "graph/graph.h"

/* `in NAME UNIT`, `out NAME UNIT`, one per line, in the order of --eval's columns. */
void ag_columns(const ag_graph *graph, FILE *to);

/* Reads states from `from` (called `name` in errors), writes results; stops at the first bad line.
 */
bool ag_eval_lines(const ag_header *header, const ag_graph *graph, FILE *from, const char *name,
                   FILE *to, ag_err *err);

/* Reads the first state into in[graph->function->in.nelements]. */
bool ag_read_state(const ag_header *header, const ag_graph *graph, FILE *from, const char *name,
                   double *in, ag_err *err);

#endif
