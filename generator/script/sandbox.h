/* SPDX-License-Identifier: MIT */
/* sandbox.h: layouts and what they include run as text that can neither read a file, nor take
 * long, nor much memory. Which functions they see is sandbox.lua's. */
#ifndef AG_SANDBOX_H
#define AG_SANDBOX_H

#include "script/state.h"

/* Lua's allocator; data is the ag_script. */
void *ag_limited_alloc(void *data, void *old, size_t old_size, size_t new_size);

/* Runs the layout in the sandbox (sandbox.lua): what it returns stays on the stack. */
bool ag_run_layout(ag_script *script);

/* Pushes the layout and what it includes: list of {name, text}. */
void ag_push_sources(ag_script *script);

/* Adds include to the table on top of the stack. */
void ag_open_sandbox(lua_State *L);

#endif
