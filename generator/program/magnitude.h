/* magnitude.h: how large the numbers of a program can become. Where the inputs are of moderate size
 * and no divisor is near zero, nothing overflows, and results need no test of their own. */
#ifndef AG_MAGNITUDE_H
#define AG_MAGNITUDE_H

#include "program/program.h"

typedef struct ag_divisors {
  ag_id *of;
  int count;
  double least; /* that their sizes have to be above */
} ag_divisors;

/* The divisors whose size has to be tested to be above a least one, so that the values of `results`,
 * computed by floats or doubles in any order of the sums, are finite wherever the condition `holds`
 * does. False: they may overflow even then. What `holds` says of inputs (that no probe found them
 * large, that they are equal to a constant) and of other nodes (that they are above a constant, or
 * above what is) is made use of, and what the program knows (ag_program_no_longer). */
bool ag_bound_sizes(const ag_program *program, ag_id holds, const ag_id *results, int nresults,
                    bool single, ag_arena *arena, ag_divisors *divisors);

#endif
