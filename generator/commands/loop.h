/* SPDX-License-Identifier: MIT */
/* loop.h: --loop: the table of an arm for the control loop in C. */
#ifndef AG_COMMAND_LOOP_H
#define AG_COMMAND_LOOP_H

#include "commands/options.h"
#include "script/script.h"

/* header: with the functions crba and gravity. On failure no file is changed. */
bool ag_loop(const ag_options *options, const ag_urdf *doc, const ag_header *header,
             ag_script *script, ag_arena *arena, ag_err *err);

#endif
