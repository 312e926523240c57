/* device_time.h: the time of the world that an open device stands in, for adapters. */
#ifndef ACHD_SIMULATED_DEVICE_TIME_H
#define ACHD_SIMULATED_DEVICE_TIME_H

/* comm: the handle of an arm's ports. 0 if it is not open [s]. */
double achd_device_time(const void *comm);

struct robif2b_ethercat_comm;

/* comm: the handle of an EtherCAT master's ports. 0 if it is not open [s]. */
double achd_bus_time(const struct robif2b_ethercat_comm *comm);

#endif
