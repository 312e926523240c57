/* SPDX-License-Identifier: MIT */
/* capsules.h: the shapes of a robot as capsules, in tables for the runtime library (achd/capsule.h). */
#ifndef AG_CAPSULES_H
#define AG_CAPSULES_H

#include "base/err.h"
#include "base/note.h"
#include "mjcf/world.h"

/* The text of a header with the table NAME_capsules (NAME: of `world`). A capsule contains its shape: a sphere and a capsule are their own; a
 * cylinder's has its radius and its axis; a box's has its longest axis, and the half diagonal across it as radius. Pairs are
 * those of different bodies that are no neighbours (bodies without shapes between them are passed over), and that
 * come farther apart than the sum of their radii in one of some postures at random within the joints' limits: those of
 * the others are joined by a link shorter than their shapes are thick. Fails where there are too many. */
bool ag_capsules_text(const ag_world *world, const char **text, ag_note **notes, int *nnotes,
                      ag_arena *arena, ag_err *err);

#endif
