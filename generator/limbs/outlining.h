/* outlining.h: a program with limbs as lanes (limbs/vectorize.h) cut for functions of one lane each, which are called once for every lane: the
 * shortest code where there are no vectors. Its stages are by turns of the trunk, whose values are numbers, and of limbs, whose
 * values are vectors with a number of each limb. No stage asks for what a later one makes. */
#ifndef AG_STEPS_H
#define AG_STEPS_H

#include "base/err.h"
#include "graph/program.h"

/* The steps of such a program that has one way. */
ag_steps *ag_cut_steps(const ag_program *lanes, ag_arena *arena);

/* Gives every function that has a program with limbs as lanes its steps. Fails where it asks for its code ahead, is cut
 * into parts, or has two ways. */
bool ag_cut_functions(ag_header *header, int parts, ag_err *err);

/* Number l of the `width` that a vector joins. */
ag_id ag_joined(const ag_dag *dag, ag_id join, int width, int l);

#endif
