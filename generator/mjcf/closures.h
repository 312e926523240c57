/* SPDX-License-Identifier: MIT */
/* closures.h: the closed loops of a layout's linkages, held by MuJoCo's constraints. */
#ifndef AG_CLOSURES_H
#define AG_CLOSURES_H

#include "base/text.h"
#include "mjcf/world.h"

/* Adds the rods as tendons between the sites of their ends. */
void ag_rods_add(ag_text *xml, const ag_world *world, const ag_tree *tree);

/* Adds what holds rods at their length, and ties together; how: attributes of all of them, and the end. */
void ag_closures_add(ag_text *xml, const ag_world *world, const ag_tree *tree, const char *how);

#endif
