/* SPDX-License-Identifier: MIT */
/* effort.h: instructions and stack that a function takes, on an emulator that takes 1024 ns per
 * instruction: 25.6 periods of the core's timer. */
#ifndef EFFORT_H
#define EFFORT_H

#include <stdint.h>

enum { ROOM = 768 /* words of stack that are watched */ };

static volatile uint32_t *const timer =
    (volatile uint32_t *)0xe000e010U; /* control, reload, value */

typedef struct {
  unsigned instructions, stack;
} effort;

static void start_timer(void) {
  timer[1] = 0xffffffU;
  timer[2] = 0;
  timer[0] = 5; /* on, by the core's clock, no interrupt */
}

__attribute__((noinline)) static effort effort_of(void (*function)(void)) {
  const uint32_t paint = 0x5aa5c33cU;
  volatile uint32_t *stack;
  __asm__ volatile("mov %0, sp" : "=r"(stack));
  for (int i = 1; i <= ROOM; i++) stack[-i] = paint;
  const uint32_t before = timer[2];
  function();
  const uint32_t periods = (before - timer[2]) & 0xffffffU;
  unsigned deepest = ROOM;
  while (deepest > 0 && stack[-(int)deepest] == paint) deepest--;
  return (effort){(periods * 10 + 128) / 256, deepest * (unsigned)sizeof *stack};
}

#endif
