/* startup.c: from reset to main(): vectors, floating-point unit, memory. For Cortex-M4F and M7. */
#include "startup.h"

#include <stdint.h>

/* The linker script's: places, and sizes in bytes that are addresses of nothing. */
extern uint32_t stack_bottom[], stack_top[], data[], bss[];
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

_Noreturn static void reset(void) {
  start_fpu();
  for (uintptr_t i = 0; i < words(data_size); i++) data[i] = data_load[i];
  for (uintptr_t i = 0; i < words(bss_size); i++) bss[i] = 0;
  for (uintptr_t i = 0; i < words(stack_size) - 16; i++) stack_bottom[i] = paint; /* 16: in use */
  main();
  for (;;) {
  } /* main() does not come back: the watchdog ends this */
}

unsigned stack_used(void) {
  uintptr_t unused = 0;
  while (unused < words(stack_size) && stack_bottom[unused] == paint) unused++;
  return (unsigned)((words(stack_size) - unused) * sizeof(uint32_t));
}

/* ARMv7-M Architecture Reference Manual, B1.5.2; no interrupt of the board is in use. */
__attribute__((section(".vectors"), used)) static const struct {
  uint32_t *stack;
  void (*reset)(void), (*fault[5])(void), (*reserved[4])(void), (*svcall)(void);
  void (*debug)(void), (*reserved_too)(void), (*pendsv)(void), (*systick)(void);
} vectors = {
    .stack = stack_top,
    .reset = reset,
    .fault = {fault, fault, fault, fault, fault}, /* NMI, hard, memory, bus, usage */
    .svcall = fault,
    .debug = fault,
    .pendsv = fault,
    .systick = systick,
};
