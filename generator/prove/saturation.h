/* SPDX-License-Identifier: MIT */
/* saturation.h: torques at the limits of motors, by definition. */
#ifndef AG_SATURATION_H
#define AG_SATURATION_H

#include "prove/outputs.h"

/* Torques by joint, each not beyond its limit, in place; of motors that move joints together those at the motors.
 * Returns the torques of the motors then; NULL: none of these has a limit. */
const ag_number *ag_clamp(ag_definition *definition, ag_number *tau);

/* The largest share, at most 1, of b of the artificial rows with which every motor is within its limit; false:
 * there is none. at_rest: torques with none of it, added: what all of it adds. A motor that is to push more
 * comes to its limit at (limit - at_rest) / added, not before 0, and may be below the other limit with none of it. */
bool ag_largest_share(ag_definition *definition, const ag_number *at_rest, const ag_number *added,
                      ag_number *share);

#endif
