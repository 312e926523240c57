/* SPDX-License-Identifier: MIT */
/* programs.h: the scripts' calls that build programs and the header around them. */
#ifndef AG_PROGRAMS_H
#define AG_PROGRAMS_H

#include "script/state.h"

/* Starts a program, in the place of the last one. */
void ag_start_program(ag_script *script, const char *function, const char *doc);

/* Adds region, input, output, status, program, attempt, flops, keep, fast, often, otherwise, counted, header, remark, mark,
 * no_bound to the table on top of the stack, and status_names (a list) and bounded_rows (how many
 * rows the solver of bounded ones takes) and largest_inertia (limits.h). */
void ag_open_programs(lua_State *L);

#endif
