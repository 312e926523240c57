/* gappa.h: theorems about rounding, for the prover Gappa (--gappa). */
#ifndef AG_GAPPA_H
#define AG_GAPPA_H

#include "base/err.h"
#include "graph/graph.h"

/* Prints a script that asks Gappa for a bound of |computed - exact| of one output, as --columns
 * names it, over the box of all inputs within `half` of in[graph->function->in.nelements]. `exact` is the
 * same formula without rounding, of the same sines and cosines and the same constants. Fails where
 * the output is chosen at run time. */
bool ag_gappa(const ag_header *header, const ag_graph *graph, const char *output, double half,
              const double *in, FILE *to, ag_err *err);

/* Prints the script about the polynomials of sine and cosine: their rounding, for every reduced angle. */
void ag_gappa_sincos(const ag_header *header, FILE *to);

#endif
