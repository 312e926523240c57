/* SPDX-License-Identifier: MIT */
/* inertial.h: masses and rotational inertias of links: which a body can have, and which not. */
#ifndef AG_INERTIAL_H
#define AG_INERTIAL_H

#include "model/links.h"

/* What an <inertial> must have; where it has not, kinematics can be made all the same: then link
 * has a fault, or a doubt. squared_length: of what the mass is moved by [m^2], from the link's
 * origin to its centre of mass or to the farthest of its joints. Warns of what is odd. */
void ag_inertial_check(ag_model *model, const ag_urdf_link *raw, double squared_length,
                       ag_link *link, ag_arena *arena);

/* Gives a link another inertial, in place of what the URDF says: mass [kg], NaN keeps the URDF's;
 * centre of mass [m] and rotational inertia about it [kg m^2], link axes; NULL keeps the URDF's.
 * What is wrong with the numbers; NULL: nothing, and they hold from now on. */
const char *ag_link_set_inertial(ag_link *link, double mass, const double com[3],
                                 const double central[6], ag_arena *arena);

#endif
