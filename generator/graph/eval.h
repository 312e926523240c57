/* eval.h: a program run as numbers. */
#ifndef AG_EVAL_H
#define AG_EVAL_H

#include "graph/program.h"

/* in: program->in.nelements values; out: program->out.nelements values; work: dag.count values.
 * Returns the status. With single, every operation rounds to float, as the emitted code does. */
unsigned ag_eval(const ag_program *program, bool single, const double *in, double *out,
                 double *work);

/* One node, the values of whose operands `work` has by node; `in` has the inputs. */
double ag_eval_node(const ag_dag *dag, const ag_node *node, bool single, const double *in,
                    const double *work);

#endif
