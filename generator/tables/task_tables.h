/* SPDX-License-Identifier: MIT */
/* task_tables.h: a description of tasks as a header of const tables (achdgen --task). */
#ifndef AG_TASK_TABLES_H
#define AG_TASK_TABLES_H

#include "base/arena.h"
#include "base/value.h"

/* The text of the header's body, for what task.lua gives. */
const char *ag_task_body(const ag_value *description, ag_arena *arena);

#endif
