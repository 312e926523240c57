/* SPDX-License-Identifier: MIT */
/* mjcf_bodies.h: <worldbody> to links and joints. */
#ifndef AG_MJCF_BODIES_H
#define AG_MJCF_BODIES_H

#include "model/mjcf_reader.h"

/* All bodies of all <worldbody>; the world is the first link. */
bool ag_mjcf_bodies(ag_mjcf *m);

#endif
