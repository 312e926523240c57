/* SPDX-License-Identifier: MIT */
/* device_time.h: the time of the world that an open device stands in, for adapters. */
#ifndef ACHD_SIMULATED_DEVICE_TIME_H
#define ACHD_SIMULATED_DEVICE_TIME_H

#include <stdbool.h>

/* comm: the handle of an arm's ports. 0 if it is not open [s]. */
double achd_device_time(const void *comm);

/* Whether that world advances by updates alone, not by the clock on the wall. */
bool achd_device_stepped(const void *comm);

/* comm: the handle of a force and torque sensor's ports. The number of frames that have come from it,
 * and the age of the last one [s]; whether its world advances by updates alone. */
long achd_ft_frame(const void *comm, double *age);
bool achd_ft_stepped(const void *comm);

struct robif2b_ethercat_comm;

/* comm: the handle of an EtherCAT master's ports. 0 if it is not open [s]. */
double achd_bus_time(const struct robif2b_ethercat_comm *comm);

#endif
