/* massless.h: does every moving joint have something to move? */
#ifndef AG_MASSLESS_H
#define AG_MASSLESS_H

#include "model/bodies.h"

/* Fails where a joint's (or moving base's) articulated inertia vanishes in every configuration;
 * warns where it vanishes at q = 0. */
bool ag_check_massless(const ag_model *model, const ag_selection *selection, ag_reduced *reduced,
                       ag_arena *arena, ag_err *err);

#endif
