/* eval.h: a program run as numbers. */
#ifndef AG_EVAL_H
#define AG_EVAL_H

#include "graph/program.h"

/* in: program->in.nelements values; out: program->out.nelements values; work: dag.count values.
 * Returns the status. With single, every operation rounds to float, as the emitted code does. */
unsigned ag_eval(const ag_program *program, bool single, const double *in, double *out,
                 double *work);

#endif
