/* SPDX-License-Identifier: MIT */
/* independent.h: which columns of a matrix of constants depend on those before them. */
#ifndef AG_INDEPENDENT_H
#define AG_INDEPENDENT_H

#include <lua.h>

/* independent(columns, rounded): of every column true, or what it is made of: a list of the factors of the columns
 * before it, 0 for those that depend on others themselves. Decided in the finite field, where nothing is rounded
 * (base/field.h); rounded: by the doubles, of which one below 1e-9 of the largest of its column is none. */
int ag_l_independent(lua_State *L);

#endif
