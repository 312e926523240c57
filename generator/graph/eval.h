/* SPDX-License-Identifier: MIT */
/* eval.h: a graph run as numbers. */
#ifndef AG_EVAL_H
#define AG_EVAL_H

#include "graph/graph.h"

/* in: a value for each element of the function's inputs; out: of its outputs; work: dag.count values. Returns the
 * status. With single, every operation rounds to float, as the emitted code does. The graph is complete (live.h). */
unsigned ag_eval(const ag_graph *graph, bool single, const double *in, double *out, double *work);

/* Computes all nodes up to `last`, of a graph that need not be complete. */
void ag_eval_until(const ag_dag *dag, ag_id last, bool single, const double *in, double *work);

/* One node, n, the values of whose operands `v` has by node; `in` has the inputs. */
double ag_eval_node(const ag_dag *dag, const ag_node *n, bool single, const double *in,
                    const double *v);

#endif
