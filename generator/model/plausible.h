/* SPDX-License-Identifier: MIT */
/* plausible.h: numbers that a URDF may have, but hardly means. */
#ifndef AG_PLAUSIBLE_H
#define AG_PLAUSIBLE_H

#include "model/model.h"

/* Adds warnings to the model: limits and orientations that look like degrees, centres of mass and
 * joints tens of metres away, inertias that no body of that mass has. */
void ag_plausible(const ag_urdf *doc, ag_model *model, ag_arena *arena);

#endif
