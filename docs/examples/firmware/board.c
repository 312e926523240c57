/* SPDX-License-Identifier: MIT */
/* board.c: SysTick of every Cortex-M, and the watchdog of Arm's MPS2 boards. */
#include "board.h"
#include "startup.h"

#include <stdint.h>

static const uint32_t clock_frequency = 25000000; /* of core and watchdog [Hz] */

/* ARMv7-M Architecture Reference Manual, B3.3. */
typedef struct {
  volatile uint32_t control, reload, value;
} system_timer;
static system_timer *const timer = (system_timer *)0xe000e010U;
enum { TIMER_RUNS = 1, TIMER_INTERRUPTS = 2, TIMER_BY_CORE_CLOCK = 4 };

/* Cortex-M System Design Kit Technical Reference Manual, "APB watchdog". */
typedef struct {
  volatile uint32_t load, value, control, clear;
} watchdog_unit;
static watchdog_unit *const watchdog = (watchdog_unit *)0x40008000U;
enum { WATCHDOG_WARNS = 1, WATCHDOG_RESETS = 2 };

static volatile unsigned ticks; /* since the loop last looked */

void systick(void) {
  ticks++;
}

void board_start(unsigned frequency, unsigned patience) {
  timer->reload = clock_frequency / frequency - 1;
  timer->value = 0;
  timer->control = TIMER_RUNS | TIMER_INTERRUPTS | TIMER_BY_CORE_CLOCK;
  watchdog->load = clock_frequency / frequency * patience;
  watchdog->control = WATCHDOG_WARNS | WATCHDOG_RESETS;
}

unsigned board_wait_for_tick(void) {
  __asm__ volatile("cpsid i" ::: "memory");
  const unsigned missed = ticks;
  ticks = 0;
  while (ticks == 0) /* an interrupt that is masked still wakes */
    __asm__ volatile("wfi\n cpsie i\n isb\n cpsid i" ::: "memory");
  ticks = 0;
  __asm__ volatile("cpsie i" ::: "memory");
  return missed;
}

void board_feed_watchdog(void) {
  watchdog->clear = 1;
}
