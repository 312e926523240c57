/* SPDX-License-Identifier: MIT */
/* mjcf_actuators.h: <actuator>: what motors say of the joints' largest forces, and how they turn with joints. */
#ifndef AG_MJCF_ACTUATORS_H
#define AG_MJCF_ACTUATORS_H

#include "model/mjcf_reader.h"

/* The largest forces of joints, from their actuators, and the motors of the document, one for each actuator. */
bool ag_mjcf_actuators(ag_mjcf *m);

#endif
