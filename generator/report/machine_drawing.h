/* SPDX-License-Identifier: MIT */
/* machine_drawing.h: a state machine as a drawing (achdgen --machine --svg). */
#ifndef AG_MACHINE_DRAWING_H
#define AG_MACHINE_DRAWING_H

#include "base/arena.h"
#include "base/value.h"

/* The text of an SVG 1.1 file, for what machine.lua gives. Same inputs, same bytes. */
const char *ag_machine_svg(const ag_value *machine, ag_arena *arena);

#endif
