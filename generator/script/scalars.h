/* SPDX-License-Identifier: MIT */
/* scalars.h: what the scripts calculate with. Lua numbers are constants, exactly these doubles, and
 * Lua booleans constant conditions; constants that are rounded are user data, a double and what it
 * stands for (base/field.h). Nodes are user data too, one per node, so that equality is identity. */
#ifndef AG_SCALARS_H
#define AG_SCALARS_H

#include "graph/dag.h"

#include <lua.h>

bool ag_is_node(lua_State *L, int index);
/* Pushes the scalar that a node of the candidate is. */
void ag_push_node(lua_State *L, ag_id id);
/* A new candidate has no scalars yet. */
void ag_forget_nodes(lua_State *L);
/* The node of the scalar at `index`. */
ag_id ag_to_node(lua_State *L, int index);
/* Pushes a constant. */
void ag_push_number(lua_State *L, ag_number x);
/* The constant at `index`; a Lua error where it is none. */
ag_number ag_to_number(lua_State *L, int index);

/* Adds sin, cos, lt, eq, land, lor, lnot, select, label, sincos, largest_angle, exact, circle,
 * rounded, value, is_constant, approximate to the table on top of the stack, and gives scalars
 * their operators. */
void ag_open_scalars(lua_State *L);

#endif
