/* SPDX-License-Identifier: MIT */
/* massless.h: does every moving joint have something to move? */
#ifndef AG_MASSLESS_H
#define AG_MASSLESS_H

#include "model/bodies.h"

/* A joint's (or moving base's) articulated inertia that vanishes in every configuration becomes
 * reduced->pivot_fault; a warning where it vanishes at q = 0. */
void ag_find_massless(const ag_model *model, const ag_selection *selection, ag_reduced *reduced,
                      ag_arena *arena);

#endif
