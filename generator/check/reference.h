/* SPDX-License-Identifier: MIT */
/* reference.h: what a check (check.c) knows about a robot on a random state, beside the programs
 * that it checks: the whole family of the same layout, evaluated; from it M, its inverse, frames
 * and constraint rows. Vectors of a robot's velocities, accelerations and forces have those of a
 * moving base first, then one per joint; frames are along the axes of the base, of a moving one's
 * world. */
#ifndef AG_REFERENCE_H
#define AG_REFERENCE_H

#include "check/robot.h"

/* Builds it: all outputs of the solve, in the formulation that the options name, another than that of
 * the solve which is checked (NULL: either), whose header that is; without a solve where the layout bounds rows. Of the
 * options, the functions are replaced. Close it in any case. */
bool ag_reference_open(ag_reference *reference, const ag_model *model,
                       const ag_script_options *options, const ag_header *checked, ag_err *err,
                       ag_arena *arena);
/* Frees everything that opening it has allocated. */
void ag_reference_close(ag_reference *reference);

/* Draws state number `state`, with all linkages closed; *shorter: for that, positions are nearer to linkage_start than drawn.
 * False: they are closed nowhere. */
bool ag_reference_draw(ag_reference *reference, int state, bool single, bool *shorter);
/* Evaluates the state that the sampler has; false: M is not positive definite. */
bool ag_reference_evaluate(ag_reference *reference);
/* Of it, frames, M and its inverse, and the rows' A^T J alone. */
bool ag_reference_place(ag_reference *reference);

/* The largest sum of absolute values in an equation of motion; tau and nu may be NULL. */
double ag_reference_size(const ag_reference *reference, const double *vdot, const double *tau,
                         const double *nu);

#endif
