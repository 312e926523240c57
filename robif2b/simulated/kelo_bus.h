/* SPDX-License-Identifier: MIT */
/* kelo_bus.h: the kind of device "ethercat": a bus with KELO drives and power boards. */
#ifndef ACHD_SIMULATED_KELO_BUS_H
#define ACHD_SIMULATED_KELO_BUS_H

#include "bus.h"
#include "world.h"

extern const achd_world_kind achd_ethercat_kind;

/* The bus behind a network interface, in a world whose devices are of `kinds`; NULL: there is none. */
achd_bus *achd_kelo_bus_open(const char *interface, const achd_world_kind *const *kinds);
void achd_kelo_bus_close(achd_bus *bus);

#endif
