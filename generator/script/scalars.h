/* scalars.h: what the scripts calculate with. Lua numbers are constants, Lua booleans constant
 * conditions, the rest user data that holds a node's id; one user datum per node, so that equality
 * is identity. */
#ifndef AG_SCALARS_H
#define AG_SCALARS_H

#include "program/dag.h"

#include <lua.h>

/* Pushes the scalar that a node of the candidate is. */
void ag_push_node(lua_State *L, ag_id id);
/* The node of the scalar at `index`. */
ag_id ag_to_node(lua_State *L, int index);

/* Adds sin, cos, probe, lt, eq, land, lor, lnot, select, label, sincos, largest_angle to the table
 * on top of the stack, and gives scalars their operators. */
void ag_open_scalars(lua_State *L);

#endif
