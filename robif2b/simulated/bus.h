/* SPDX-License-Identifier: MIT */
/* bus.h: what an EtherCAT master meets on a simulated bus. The master (ethercat.c) knows slaves only
 * by this; kelo_bus.c makes buses of a world, tests make their own. */
#ifndef ACHD_SIMULATED_BUS_H
#define ACHD_SIMULATED_BUS_H

#include <stdbool.h>
#include <stddef.h>

typedef struct achd_slave {
  const char *name;
  unsigned product_code;
  size_t input_size, output_size; /* from the slave, to the slave [byte] */
  bool lost;                      /* does not answer now */
} achd_slave;

typedef enum achd_bus_state { /* of all slaves */
                              ACHD_BUS_INIT,
                              ACHD_BUS_SAFE_OP,
                              ACHD_BUS_OPERATIONAL
} achd_bus_state;

typedef struct achd_bus achd_bus;
struct achd_bus {
  int nslaves;
  achd_slave *slaves;
  void *context;
  /* Brings all slaves into a state. False: not all reach it. */
  bool (*request)(void *context, achd_bus_state state);
  /* One cycle: the frame with the outputs of all slaves, one behind the other, passes them; a cycle
   * goes by; the frame comes back with their inputs. Parts of lost slaves stay as they are. False:
   * no frame comes back. */
  bool (*exchange)(void *context, const unsigned char *outputs, unsigned char *inputs);
  double (*time)(void *context); /* of the world; NULL: it has none [s] */
};

/* The bus behind a network interface; NULL: there is none. */
achd_bus *achd_bus_open(const char *interface);
void achd_bus_close(achd_bus *bus);

#endif
