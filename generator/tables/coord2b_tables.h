/* SPDX-License-Identifier: MIT */
/* coord2b_tables.h: a state machine's description as a header of tables for coord2b's step function
 * (achdgen --machine FILE --coord2b). */
#ifndef AG_COORD2B_TABLES_H
#define AG_COORD2B_TABLES_H

#include "base/arena.h"
#include "base/value.h"

/* The text of the header's body, for what machine.lua gives. */
const char *ag_coord2b_body(const ag_value *machine, ag_arena *arena);

#endif
