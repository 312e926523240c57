/* exact.h: a program evaluated in both worlds: doubles as the emitted code computes them, and over
 * the field. Comparisons are those of the doubles. */
#ifndef AG_EXACT_H
#define AG_EXACT_H

#include "base/field.h"
#include "graph/program.h"

typedef struct ag_exact_run { /* of one program; arrays by node */
  const ag_program *program;
  const ag_program *taken; /* program->fast where its guard held, else the program */
  double *in, *out, *doubles;
  ag_residue *exact;
  bool *approximate;   /* a square root is in it */
  bool *used;          /* in one of the program's ways */
  unsigned char *seen; /* of selections: 1 the first side, 2 the second, 3 both */
  unsigned status;
} ag_exact_run;

ag_exact_run ag_exact_new(const ag_program *program, ag_arena *arena);
/* Evaluates the program of its graph `dag`, which is the program's or a changed copy. */
void ag_exact_evaluate(ag_exact_run *run, const ag_dag *dag, const ag_number *in);
/* Sides of selections: all, and those that were taken at one of the points. */
void ag_exact_sides(const ag_exact_run *run, int *all, int *seen);

#endif
