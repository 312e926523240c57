/* SPDX-License-Identifier: MIT */
/* mjcf_inertia.h: the mass of a body, from its <inertial> or its geoms. */
#ifndef AG_MJCF_INERTIA_H
#define AG_MJCF_INERTIA_H

#include "model/mjcf_reader.h"

/* Gives a link the inertial of the body. inherited: the class of the body's `childclass`. A body
 * with neither <inertial> nor geoms that have a mass gets none. */
bool ag_mjcf_inertial(ag_mjcf *m, const ag_element *body, int inherited, ag_urdf_link *link);

/* The mass of a body that is left out, and of all that it carries, counts in settotalmass. */
bool ag_mjcf_leave_out(ag_mjcf *m, const ag_element *body, int inherited);

/* <compiler settotalmass>: scales all masses. */
void ag_mjcf_scale_masses(ag_mjcf *m);

#endif
