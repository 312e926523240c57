/* SPDX-License-Identifier: MIT */
/* kinds.h: the kinds of devices that a world may have. */
#ifndef ACHD_SIMULATED_KINDS_H
#define ACHD_SIMULATED_KINDS_H

#include "device_kind.h"

/* All kinds, NULL at the end: for whoever opens a device (achd_world_open). */
extern const achd_world_kind *const achd_world_kinds[];

#endif
