/* SPDX-License-Identifier: MIT */
/* ahead.h: functions that ask for their own code (--prefetch). A CPU fetches few lines of a straight
 * program before it needs them, so a function that no cache holds waits for memory at nearly every
 * line of 64 bytes. Here its first lines are fetched at once, the others while it runs, each long
 * before it is needed. */
#ifndef AG_AHEAD_H
#define AG_AHEAD_H

#include "base/text.h"
#include "lower/plan.h"

/* A piece of a C function whose statements are being emitted: where its text stands, by estimate. */
typedef struct ag_ahead {
  const ag_header *header; /* NULL: nothing is prefetched */
  const char *indent;
  int at, end; /* bytes from the beginning of the C function */
  int asked;   /* lines that have been */
} ag_ahead;

/* Begins with node `first` of the order of a way of the program; `part`: of a part, a C function of its
 * own, that ends before node `end`. Asks for the first lines where nobody can have done so before. */
ag_ahead ag_ahead_way(ag_text *text, const ag_header *header, const char *indent,
                      const ag_plan *plan, const ag_sequence *way, int first);
ag_ahead ag_ahead_part(ag_text *text, const ag_header *header, const char *indent,
                       const ag_sequence *way, int first, int end);
/* Behind each node of the order. */
void ag_ahead_node(ag_text *text, ag_ahead *ahead, const ag_sequence *way, ag_id id);

/* Begins a C function: where its code is. */
void ag_emit_ahead_code(ag_text *text, const ag_header *header, const char *function);
/* The macros, and their end. */
void ag_emit_ahead_macros(ag_text *text, const ag_header *header);
void ag_emit_ahead_end(ag_text *text, const ag_header *header);

#endif
