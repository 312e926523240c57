/* SPDX-License-Identifier: MIT */
/* startup.h: what startup.c asks of an application and has for it. */
#ifndef STARTUP_H
#define STARTUP_H

/* Every fault, and the NMI, by which the watchdog warns: brings the robot into its safe state. */
void fault(void);

void systick(void); /* each period of the system timer */

/* Most bytes of stack in use since reset. */
unsigned stack_used(void);

#endif
