/* SPDX-License-Identifier: MIT */
/* tables.h: what a script returns as a value of C (base/value.h). */
#ifndef AG_TABLES_H
#define AG_TABLES_H

#include <lua.h>

/* A Lua function of a value and a light user datum, the ag_value that becomes it: call it
 * protected, since what a script gives may be no value. Text and lists live in the script's arena.
 */
int ag_take_value(lua_State *L);

#endif
