/* SPDX-License-Identifier: MIT */
/* semihost.h: words with the debugger, or the emulator, that runs the program. Without one a call
 * is a fault: on a robot that stands alone write another semihost.c. */
#ifndef SEMIHOST_H
#define SEMIHOST_H

/* An operation of "Semihosting for AArch32 and AArch64" (Arm); returns its result. */
int semihost(int operation, const void *argument);

void semihost_print(const char *text);
void semihost_print_number(float x, int decimals); /* 9 digits and a point at most */
_Noreturn void semihost_exit(int status);

#endif
