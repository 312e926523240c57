/* SPDX-License-Identifier: MIT */
/* derivatives.h: derivatives of the definitions, exact: of everything that goes in a rate is given, and
 * dual numbers (base/field.h) carry it through the definition. Along a random direction of the
 * inputs one such evaluation has all columns of a matrix in it: a matrix with a wrong element gives
 * the right vector for one direction in p. */
#ifndef AG_DERIVATIVES_H
#define AG_DERIVATIVES_H

#include "prove/definition.h"

/* Of an output d<of>_d<by>: {of}, and returns {by}. */
const char *ag_derivative_by(const char *name, const char **of, ag_arena *arena);

/* A direction of what the columns of d.._d<by> are by, a rate for each column. Those of a moving base
 * by q: along and about the axes of the world. */
typedef struct ag_direction {
  const char *by;
  const ag_residue *rates;
  int columns;
} ag_direction;

/* The function's definition at the point, with the derivatives along the direction. */
ag_definition ag_define_along(const ag_graph *graph, const ag_problem *problem, ag_point *point,
                              const ag_direction *direction, ag_arena *arena);

/* The derivatives of {of}, `rows` of them: of joint torques and accelerations those of a moving base
 * come first. False: they have no definition. */
bool ag_rates_of(const ag_definition *definition, const char *of, int rows, ag_residue *rates);

/* A random direction, the same each time; and the one of a column alone. */
void ag_random_direction(const char *by, int columns, ag_residue *direction);
void ag_unit_direction(int column, int columns, ag_residue *direction);

#endif
