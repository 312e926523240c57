/* SPDX-License-Identifier: MIT */
/* rows.h: what a layout's constraint rows ask of a robot on a state, from the motion of its frames.
 */
#ifndef AG_ROWS_H
#define AG_ROWS_H

#include "check/robot.h"

/* Finds the frames of the groups and wrenches, and the rows. */
void ag_rows_find(ag_reference *reference, ag_arena *arena);

/* A^T J and A^T J-dot q-dot of every row. */
void ag_rows_evaluate(ag_reference *reference);

/* The acceleration of a frame at joint accelerations of zero, along the axes of the base: J-dot q-dot, and what a base
 * that is given an acceleration carries the frame with. */
void ag_rows_drift(const ag_reference *reference, const ag_moving_frame *frame, double a[6]);

/* Whether row k is in force on the state: no mask takes it out. */
bool ag_rows_in_force(const ag_reference *reference, int k);

/* The first of the physical rows; the number of rows where none is. */
int ag_rows_first_physical(const ag_reference *reference);

/* By row whether it may have a force: no mask takes it out, and joints move along it, as they clearly do or as nu, not 0, tells. */
void ag_rows_with_forces(const ag_reference *reference, const double *nu, bool *force);

/* The compliance of row k, constant or of the state; 0: it is rigid. */
double ag_rows_compliance(const ag_reference *reference, int k);

/* The acceleration along row k that forces by coordinate cause, A^T J M^-1 forces; size, if not NULL: the sum
 * of the absolute values of its terms. */
double ag_rows_caused(const ag_reference *reference, int k, const double *forces, double *size);

/* The least relative pivot, d_k / L_kk, of L = A^T J M^-1 J^T A of the rows in force that are of the level, in their order; 1: there is none.
 * level: by row, as of_level. */
double ag_rows_least_pivot(const ag_reference *reference, const int *level, int of_level);

/* Of the physical rows. */
double ag_rows_physical_pivot(const ag_reference *reference);

/* Places the rows; again, where further functions have brought inputs of directions and axes. */
void ag_rows_place(ag_reference *reference, ag_arena *arena);

#endif
