/* SPDX-License-Identifier: MIT */
/* fsm_text.h: a state machine's description as a file of coord-dsl (achdgen --machine FILE --fsm
 * FILE). */
#ifndef AG_FSM_TEXT_H
#define AG_FSM_TEXT_H

#include "base/arena.h"
#include "base/value.h"

/* The text, for what machine.lua or fsm.lua gives: in the form of the file that it was read from,
 * else in today's. source: the name of the description's file, for the first line. */
const char *ag_fsm_text(const ag_value *machine, const char *source, ag_arena *arena);

#endif
