/* SPDX-License-Identifier: MIT */
/* transmissions.h: motors that are not joints, w = G qd (lua/layout/physics.lua): their tendons and actuators. */
#ifndef AG_MJCF_TRANSMISSIONS_H
#define AG_MJCF_TRANSMISSIONS_H

#include "base/text.h"
#include "mjcf/world.h"

/* Adds a fixed tendon for each motor that turns with several joints: its length is G q, and its friction the motor's. */
void ag_tendons_add(ag_text *xml, const ag_world *world);

/* Adds an actuator of the name of each motor that is no joint's own; in a world of motors (--motors) of all of them, in the
 * order of the header. ctrl is the motor's torque. */
void ag_geared_motors_add(ag_text *xml, const ag_world *world);

#endif
