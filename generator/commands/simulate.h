/* SPDX-License-Identifier: MIT */
/* simulate.h: --mjcf: the robot and a scene as a model for MuJoCo; --capsules: its shapes in tables. */
#ifndef AG_SIMULATE_H
#define AG_SIMULATE_H

#include "commands/options.h"
#include "script/script.h"

/* Writes the model, or the table NAME_capsules. Of the robot *script has what the layout makes of it. */
bool ag_simulate(const ag_options *options, const ag_urdf *doc, const char *name, ag_script *script,
                 ag_arena *arena, ag_err *err);

#endif
