/* SPDX-License-Identifier: MIT */
#include "semihost.h"

#include <stdint.h>

enum { SYS_WRITE0 = 0x04, SYS_EXIT_EXTENDED = 0x20, APPLICATION_EXIT = 0x20026 };

int semihost(int operation, const void *argument) {
  register int r0 __asm__("r0") = operation;
  register const void *r1 __asm__("r1") = argument;
  __asm__ volatile("bkpt 0xab" : "+r"(r0) : "r"(r1) : "memory");
  return r0;
}

void semihost_print(const char *text) {
  semihost(SYS_WRITE0, text);
}

void semihost_print_number(float x, int decimals) {
  char text[16], *at = text + sizeof text;
  float scaled = x < 0 ? -x : x;
  for (int i = 0; i < decimals; i++) scaled *= 10;
  uint32_t digits = (uint32_t)(scaled + 0.5F);
  *--at = 0;
  for (int i = 0; i <= decimals || digits > 0; i++) {
    if (i == decimals && i > 0) *--at = '.';
    *--at = (char)('0' + digits % 10);
    digits /= 10;
  }
  if (x < 0) *--at = '-';
  semihost_print(at);
}

_Noreturn void semihost_exit(int status) {
  const uint32_t block[] = {APPLICATION_EXIT, (uint32_t)status};
  for (;;) semihost(SYS_EXIT_EXTENDED, block);
}
