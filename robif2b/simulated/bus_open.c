/* SPDX-License-Identifier: MIT */
/* bus_open.c: opens a simulated bus, in a world with all kinds of devices. */
#include "kelo_bus.h"
#include "kinds.h"

achd_bus *achd_bus_open(const char *interface) {
  return achd_kelo_bus_open(interface, achd_world_kinds);
}

void achd_bus_close(achd_bus *bus) {
  achd_kelo_bus_close(bus);
}
