/* SPDX-License-Identifier: MIT */
/* wide.h: programs evaluated in long double, for differences that judge derivatives. */
#ifndef AG_WIDE_H
#define AG_WIDE_H

#include "graph/graph.h"

/* The states that a difference is made of. */
enum { AG_WIDE_STATES = 4 };

/* A program at one state, and at AG_WIDE_STATES states near it, of which only what differs is
 * computed. */
typedef struct ag_wide {
  const ag_graph *graph;
  long double *in[AG_WIDE_STATES];  /* inputs; all are at the state itself after ag_wide_open */
  long double *out[AG_WIDE_STATES]; /* outputs of ag_wide_evaluate */
  unsigned status[AG_WIDE_STATES];
  const double *at; /* the state's inputs */
  /* private */
  long double (*values)[AG_WIDE_STATES]; /* by node */
  long double *base;                     /* by node: at the state itself */
  bool *moved_inputs, *moved;            /* by input, by node: other than at the state */
  ag_id *list;                           /* of nodes that have moved */
  int nlist;
} ag_wide;

/* As ag_eval at a state, in long double; sines and cosines are those of libm. `at` stays where it is. */
void ag_wide_open(ag_wide *wide, const ag_graph *graph, const double *at, ag_arena *arena);

/* Evaluates at `in`, and puts `in` back to the state. */
void ag_wide_evaluate(ag_wide *wide);

#endif
