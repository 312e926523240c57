/* SPDX-License-Identifier: MIT */
/* cold.c: what a generated function takes when it is not in the caches; cold.sh compiles it, with one or two headers of achdgen:
 *   NEW_HEADER, and OLD_HEADER where there are two   named new and old
 * Three times of one call, medians of TURNS in which the contestants take turns, each time at another state:
 *   warm          called three times just before, by the stop watch, too, so that its stack stands at the same place: one line of it from
 *                 memory costs 110 ns
 *   after others  after OTHERS bytes of other code and as many of other data, which leave nothing in the first-level caches, the
 *                 cache of decoded instructions and the predictors of jumps, while the second level keeps the function
 *   flushed       after clflush of the program's code and constants, of inputs and results, and of the stack
 * In nanoseconds of the time stamp counter, less those of a function that does nothing. With "new N" or "old N": N calls of that one, for callgrind. */
#ifndef __x86_64__
#error "this benchmark flushes caches by clflush of x86-64"
#endif
#include NEW_HEADER
#ifdef OLD_HEADER
#include OLD_HEADER
#endif
#include <immintrin.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <x86intrin.h>

enum { TURNS = 1001, WARM = 3, OTHERS = 256 * 1024, LINE = 64, STACK = 32 * 1024 };

static uint64_t state = 88172645463325252u;
static double uniform(void) { /* xorshift64, [-1, 1) */
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return (double)(state >> 11) * 0x1p-52 - 1;
}

static new_achd_in new_in;
static new_achd_out new_out;
static void call_new(void) {
  new_achd(&new_in, &new_out);
}
#ifdef OLD_HEADER
static old_achd_in old_in;
static old_achd_out old_out;
static void call_old(void) {
  old_achd(&old_in, &old_out);
}
#endif
static void call_nothing(void) {}

static void draw(void) { /* q, qd and b at random, the rest at its default */
  new_in = (new_achd_in)NEW_ACHD_IN_DEFAULT;
  for (int i = 0; i < NEW_NJ; i++) new_in.q[i] = 3.141 * uniform(), new_in.qd[i] = uniform();
  for (int j = 0; j < NEW_NR; j++) new_in.b[j] = uniform();
#ifdef OLD_HEADER
  _Static_assert(sizeof old_in == sizeof new_in, "the two take the same inputs");
  memcpy(&old_in, &new_in, sizeof new_in);
#endif
}

/* 256 KB of code with a jump in every line of the caches. */
void other_code(void);
__asm__(".text\n.p2align 6\n.globl other_code\nother_code:\n"
        ".rept 4096\njmp 1f\n.p2align 4\n1: .skip 32, 0x90\n.p2align 6\n.endr\nret\n");
static volatile char other_data[OTHERS];
static void run_others(void) {
  for (int i = 0; i < OTHERS; i += LINE) other_data[i]++;
  other_code();
}

static void flush(const volatile void *from, size_t bytes) {
  for (uintptr_t at = (uintptr_t)from & ~(uintptr_t)(LINE - 1); at < (uintptr_t)from + bytes;
       at += LINE)
    _mm_clflush((const void *)at);
}

/* What the linker knows: from the program's first byte to the last of its data. */
extern const char __executable_start[], _end[];
static void flush_all(void) {
  volatile char below[STACK]; /* where the stack of the next call will be */
  for (int i = 0; i < STACK; i += LINE) below[i] = 0;
  flush(below, STACK);
  flush(__executable_start, (size_t)(_end - __executable_start));
  _mm_mfence();
}

static void (*volatile run)(void);
static __attribute__((noinline)) double ticks(void (*function)(void)) {
  run = function;
  unsigned who;
  _mm_mfence();
  _mm_lfence();
  const uint64_t from = __rdtsc();
  _mm_lfence();
  run();
  const uint64_t to = __rdtscp(&who);
  _mm_lfence();
  return (double)(to - from);
}

static double one(int how, void (*function)(void)) {
  draw();
  for (int k = 0; how == 0 && k < WARM; k++) ticks(function);
  if (how == 1)
    run_others(), ticks(function), run_others(); /* flushing took the others away, too */
  if (how == 2) flush_all();
  const double nothing = ticks(call_nothing); /* the stop watch itself is warm */
  return ticks(function) - nothing;
}

static int ascending(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static double seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

int main(int argc, char **argv) {
  static void (*const all[])(void) = {
      call_new,
#ifdef OLD_HEADER
      call_old,
#endif
  };
  enum { N = sizeof all / sizeof *all };
  static double time[N][3][TURNS];
  if (argc > 2) {
    const int asked = strcmp(argv[1], "old") == 0;
    for (int k = 0; asked < (int)N && k < atoi(argv[2]); k++) draw(), all[asked]();
    return 0;
  }
  const double from = seconds();
  const uint64_t first = __rdtsc();
  for (int turn = 0; turn < TURNS; turn++)
    for (int how = 0; how < 3; how++)
      for (int c = 0; c < (int)N; c++) time[c][how][turn] = one(how, all[c]);
  const double ns = 1e9 * (seconds() - from) / (double)(__rdtsc() - first);
  for (int c = 0; c < (int)N; c++) {
    for (int how = 0; how < 3; how++) {
      qsort(time[c][how], TURNS, sizeof time[c][how][0], ascending);
      printf("%.0f ", ns * time[c][how][TURNS / 2]);
    }
    printf("\n");
  }
  return 0;
}
