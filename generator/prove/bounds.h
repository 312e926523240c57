/* SPDX-License-Identifier: MIT */
/* bounds.h: the bounds of rows' forces at a point, by definition. */
#ifndef AG_BOUNDS_H
#define AG_BOUNDS_H

#include "prove/demands.h"
#include "prove/outputs.h"

/* lo <= nu <= hi of every row, before masks. */
void ag_bounds_at(const ag_definition *definition, const ag_demand *rows, int count, ag_number *lo,
                  ag_number *hi);

/* The acceleration that a row of the joints' friction or limits asks for. */
ag_number ag_joint_set_point(const ag_robot *robot, const ag_demand *row);

#endif
