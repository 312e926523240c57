/* SPDX-License-Identifier: MIT */
/* machine_tables.h: a state machine's description as a header of const tables (achdgen --machine).
 */
#ifndef AG_MACHINE_TABLES_H
#define AG_MACHINE_TABLES_H

#include "base/arena.h"
#include "base/value.h"

/* The text of the header's body, for what machine.lua gives. */
const char *ag_machine_body(const ag_value *machine, ag_arena *arena);

#endif
