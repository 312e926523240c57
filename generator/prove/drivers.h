/* SPDX-License-Identifier: MIT */
/* drivers.h: what drives the robot at a point beside gravity and velocities, and what rows with weights let
 * pass of it: b + sum (1 - w) o (J M^-1 f), M that of the robot whose physical rows hold. */
#ifndef AG_DRIVERS_H
#define AG_DRIVERS_H

#include "prove/demands.h"
#include "prove/outputs.h"

/* By coordinate: J^T f of wrench k of the layout. */
ag_number *ag_driver_wrench(ag_definition *d, int k);
/* The torque against viscous friction's of a joint, where coordinates move with these rates: its own and its motors'. */
ag_number ag_driver_viscous(const ag_robot *r, int joint, const ag_number *rates);

typedef struct ag_passing {
  const ag_header *header;
  int m;
  ag_number *through; /* drivers of the header x m rows: (1 - w) J M^-1 f */
  ag_system
      contacts; /* of the physical rows, where some row has weights and there are physical ones */
} ag_passing;

/* W = M^-1; rows: those of ag_demands_at. */
ag_passing ag_passing_of(ag_definition *d, const ag_number *W, const ag_demand *rows, int m);

/* What row j lets pass of a driver by its name; of all: NULL. */
ag_number ag_passes(const ag_passing *passing, int j, const char *driver);

#endif
