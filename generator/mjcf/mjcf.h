/* SPDX-License-Identifier: MIT */
/* mjcf.h: a robot and a scene as MJCF, MuJoCo's format (https://mujoco.readthedocs.io, "XML
 * reference"); what is named how: docs/simulation.md. */
#ifndef AG_MJCF_H
#define AG_MJCF_H

#include "base/err.h"
#include "base/note.h"
#include "mjcf/world.h"

/* The text of the model. Bodies and joints have the URDF's names, numbers the digits that bring
 * back the same double. Fails where MuJoCo cannot have these dynamics; notes what is left out, lines
 * of the URDF. */
bool ag_mjcf_text(const ag_world *world, const char **text, ag_note **notes, int *nnotes,
                  ag_arena *arena, ag_err *err);

#endif
