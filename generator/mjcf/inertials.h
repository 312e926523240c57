/* SPDX-License-Identifier: MIT */
/* inertials.h: inertias as MuJoCo takes them: mass, centre, principal moments and axes. */
#ifndef AG_INERTIALS_H
#define AG_INERTIALS_H

#include "base/err.h"
#include "base/text.h"
#include "mjcf/world.h"

/* Shares the inertia of each moving body out among its links so that MuJoCo takes every one: a link
 * keeps its own where it can, else it goes to the link that carries it. Fails where a whole body
 * has none that MuJoCo takes, unless `balance` leaves that to MuJoCo. */
bool ag_inertials_share(const ag_world *world, ag_tree *tree, bool balance, ag_arena *arena,
                        ag_err *err);

/* Adds <inertial> of a link's body, where it has one. moves: it is carried by a joint, or free. */
void ag_inertial_add(ag_text *xml, const ag_inertia *inertia, bool moves);

#endif
