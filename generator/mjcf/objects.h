/* SPDX-License-Identifier: MIT */
/* objects.h: what stands in the scene beside the robot: floor, tables, walls, boxes, packages, pens. */
#ifndef AG_OBJECTS_H
#define AG_OBJECTS_H

#include "base/text.h"
#include "mjcf/world.h"

/* Adds floor, light and all objects that no link holds. */
void ag_objects_add(ag_text *xml, const ag_world *world);

/* Adds the objects that this link holds. */
void ag_held_add(ag_text *xml, const ag_world *world, int link);

/* Adds the positions of the free objects, in their order, to a list of coordinates. */
void ag_free_positions_add(ag_text *positions, const ag_world *world);

#endif
