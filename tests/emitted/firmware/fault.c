/* SPDX-License-Identifier: MIT */
/* fault.c: a program that runs into a fault ends. */
#include "semihost.h"
#include "startup.h"

void fault(void) {
  semihost_print("fault\n");
  semihost_exit(122);
}
