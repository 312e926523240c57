/* SPDX-License-Identifier: MIT */
/* gappa.h: theorems about rounding, for the prover Gappa (--gappa). */
#ifndef AG_GAPPA_H
#define AG_GAPPA_H

#include "base/err.h"
#include "graph/graph.h"

/* The inputs within `half` of a state, in[graph->function->in.nelements]. */
typedef struct ag_input_box {
  const double *in;
  double half;
} ag_input_box;

/* Prints a script that asks Gappa for a bound of |computed - exact| of one output, as --columns
 * names it, over a box of inputs. `exact` is the same formula without rounding, of the same sines and cosines and the same constants. Fails where
 * the output is chosen at run time. */
bool ag_gappa(const ag_header *header, const ag_graph *graph, const char *output,
              const ag_input_box *box, FILE *to, ag_err *err);

/* Prints the script about the polynomials of sine and cosine: their rounding, for every reduced angle. */
void ag_gappa_sincos(const ag_header *header, FILE *to);

#endif
