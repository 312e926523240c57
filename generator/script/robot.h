/* SPDX-License-Identifier: MIT */
/* robot.h: the model as Lua tables, whole and as a layout cuts it. */
#ifndef AG_ROBOT_H
#define AG_ROBOT_H

#include "script/state.h"

/* Pushes the model: {name, id, links}. */
void ag_push_model(lua_State *L, const ag_model *model);

/* Adds reduce to the table on top of the stack. */
void ag_open_robot(lua_State *L);

#endif
