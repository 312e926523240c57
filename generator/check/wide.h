/* wide.h: programs evaluated in long double, for differences that judge derivatives. */
#ifndef AG_WIDE_H
#define AG_WIDE_H

#include "program/program.h"

/* As ag_eval, in long double; sines and cosines are those of libm. */
unsigned ag_eval_wide(const ag_program *program, const long double *in, long double *out,
                      long double *work);

#endif
