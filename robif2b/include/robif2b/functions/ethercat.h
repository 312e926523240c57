/* SPDX-License-Identifier: MIT */
/* ethercat.h: an EtherCAT master.
 *
 *   configure -> start -> update, update, ... -> stop -> shutdown
 *
 * Each function sets *error_code:
 *
 *    0  it succeeded
 *   -1  configure: no memory
 *   -2  configure: there is no such interface
 *   -3  configure: no slave on the bus
 *   -4  configure: fewer slaves than exposed ones
 *   -5  configure: the process data of all slaves are larger than 4096 bytes
 *   -6  configure: a slave's index is beyond the last slave, or below 1
 *   -7  configure: a slave has another name
 *   -8  configure: a slave has another product code
 *   -9  configure: the process data from a slave have another size
 *  -10  configure: the process data to a slave have another size
 *  -11  configure: a slave does not become safe-operational
 *  -12  start: a slave does not become operational
 *  -13  update: the exchange failed
 *  -14  stop: a slave does not become safe-operational
 *
 * A missing port of configure has the code of what it would tell: -2 for the interface, -3 for the
 * numbers of slaves, -4, -6, -7, -8, -9 and -10 for the rest in their order. After a configure that
 * failed, start, update and stop fail with their codes, and shutdown has nothing to do. */
#ifndef ROBIF2B_FUNCTIONS_ETHERCAT_H
#define ROBIF2B_FUNCTIONS_ETHERCAT_H

#include <robif2b/types/ethercat.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Finds the slaves of the bus, and compares the exposed ones with what is expected. */
void robif2b_ethercat_configure(struct robif2b_ethercat *e);

/* Makes the slaves operational: they obey updates. */
void robif2b_ethercat_start(struct robif2b_ethercat *e);

/* One cycle: receives the answer to the frame that the last cycle has sent, copies it to `input`,
 * and sends `output`. A command so takes effect one cycle later. */
void robif2b_ethercat_update(struct robif2b_ethercat *e);

/* Makes the slaves safe-operational: they ignore commands, their motors are off. */
void robif2b_ethercat_stop(struct robif2b_ethercat *e);

/* Closes the bus. */
void robif2b_ethercat_shutdown(struct robif2b_ethercat *e);

#ifdef __cplusplus
}
#endif

#endif
