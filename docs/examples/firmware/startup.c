/* SPDX-License-Identifier: MIT */
/* startup.c: from reset to main(): vectors, floating-point unit, memory. For Cortex-M4F and M7. */
#include "startup.h"

#include <stdint.h>

/* The linker script's: places, and sizes in bytes that are addresses of nothing. */
extern uint32_t stack_guard[], stack_bottom[], handler_stack_top[], data[], bss[];
extern const uint32_t data_load[];
extern const char stack_size[], data_size[], bss_size[];

int main(void);

/* Weak: an application that has its own takes their place. */
__attribute__((weak)) void fault(void) {
  for (;;) {
  }
}
__attribute__((weak)) void systick(void) {}

static const uint32_t paint = 0x5aa5c33cU;

static uintptr_t words(const char *size) {
  return (uintptr_t)size / sizeof(uint32_t);
}

static void start_fpu(void) {
  volatile uint32_t *const cpacr = (volatile uint32_t *)0xe000ed88U; /* coprocessor access */
  *cpacr |= 0xfU << 20;                                              /* CP10, CP11: full access */
  __asm__ volatile("dsb\n isb" ::: "memory");
}

/* The kilobyte below the stack is a fault to touch; a function that takes more at once may pass
 * over it (`make size`). */
static void guard_stack(void) {
  volatile uint32_t *const mpu = (volatile uint32_t *)0xe000ed94U; /* control, region, base, size */
  mpu[1] = 0;
  mpu[2] = (uint32_t)stack_guard;
  mpu[3] = 9U << 1 | 1; /* 2^(9 + 1) bytes, no access */
  mpu[0] = 5;           /* elsewhere as without it */
  __asm__ volatile("dsb\n isb" ::: "memory");
}

_Noreturn __attribute__((used)) static void start(void) {
  start_fpu();
  for (uintptr_t i = 0; i < words(data_size); i++) data[i] = data_load[i];
  for (uintptr_t i = 0; i < words(bss_size); i++) bss[i] = 0;
  for (uintptr_t i = 0; i < words(stack_size) - 16; i++) stack_bottom[i] = paint; /* 16: in use */
  guard_stack();
  main();
  for (;;) { /* main() does not come back: the watchdog ends this */
  }
}

/* The program on the process stack, handlers on the main one: they run when the first is full. */
__attribute__((naked)) static void reset(void) {
  __asm__("ldr r0, =stack_top\n msr psp, r0\n movs r0, #2\n msr control, r0\n isb\n b start");
}

unsigned stack_used(void) {
  uintptr_t unused = 0;
  while (unused < words(stack_size) && stack_bottom[unused] == paint) unused++;
  return (unsigned)((words(stack_size) - unused) * sizeof(uint32_t));
}

/* ARMv7-M Architecture Reference Manual, B1.5.2; no interrupt of the board is in use. */
__attribute__((section(".vectors"), used)) static const struct {
  uint32_t *handler_stack;
  void (*reset)(void), (*fault[5])(void), (*reserved[4])(void), (*svcall)(void);
  void (*debug)(void), (*reserved_too)(void), (*pendsv)(void), (*systick)(void);
} vectors = {
    .handler_stack = handler_stack_top,
    .reset = reset,
    .fault = {fault, fault, fault, fault, fault}, /* NMI, hard, memory, bus, usage */
    .svcall = fault,
    .debug = fault,
    .pendsv = fault,
    .systick = systick,
};
