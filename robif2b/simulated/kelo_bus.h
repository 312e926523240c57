/* kelo_bus.h: the kind of device "ethercat": a bus with KELO drives and power boards. */
#ifndef ACHD_SIMULATED_KELO_BUS_H
#define ACHD_SIMULATED_KELO_BUS_H

#include "world.h"

extern const achd_world_kind achd_ethercat_kind;

#endif
