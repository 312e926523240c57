/* SPDX-License-Identifier: MIT */
/* messages.h: errors and advice of the scripts. The first error is recorded, then Lua unwinds. */
#ifndef AG_MESSAGES_H
#define AG_MESSAGES_H

#include <lua.h>

/* Adds reserved, near, fail, fail_model to the table on top of the stack. */
void ag_open_messages(lua_State *L);

#endif
