/* SPDX-License-Identifier: MIT */
/* dispatch_test.c: a function in two copies (header both.h, --dispatch avx2), on both ways, beside the same function
 * without the option (one.h). Compiled by dispatch.sh:
 *   FUNCTION, TAKES, FILLS   the function's name, and those in its structs' names
 *   BITS                     products and sums are not fused: both ways have the bits of one.h
 *   BATCH                    it is a batch of so many states
 * On the way without AVX2 every number has the bits of one.h. On the other one the statuses are the same, and each
 * joint's acceleration is as near to that of one.h as the two outputs `bound` say, which bound the error of each. Which
 * way is taken follows from what libgcc found out about the processor; its note is changed here. */
#include "one.h"
/* in between: the headers may not know of each other */
#include "both.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

#define JOIN(a, b, c) a##b##c
#define NAMED(prefix, name, end) JOIN(prefix, name, end)
typedef NAMED(one_, TAKES, _in) in_type;
typedef NAMED(one_, FILLS, _out) out_type;
typedef NAMED(both_, TAKES, _in) both_in;
typedef NAMED(both_, FILLS, _out) both_out;
#ifndef BATCH
#define BATCH 1
#endif
enum {
  STATES = 400,
  READ = sizeof(in_type) / sizeof(double),
  WRITTEN = sizeof(out_type) / sizeof(double)
};

/* what __builtin_cpu_supports reads, in gcc and clang alike: cpuinfo.h of libgcc and of compiler-rt */
extern struct { unsigned vendor, type, subtype, features[1]; } __cpu_model;
static const unsigned avx2_or_fma[] = {1u << 10, 1u << 14};

static unsigned long long state = 88172645463325252u;
static double uniform(void) { /* xorshift64, [-1, 1) */
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return (double)(state >> 11) * 0x1p-52 - 1;
}

static void draw(double in[READ], int s) {
  for (int i = 0; i < READ; i++) {
    in[i] = s % 3 == 0 ? (uniform() < 0 ? 0 : 1) : 2 * uniform(); /* masks: 0 and 1 */
    if (s % 3 == 1 && uniform() > 0.5) in[i] = 1;
  }
  if (s % 20 == 19) in[s % READ] = NAN;
}

static int equal(const void *one, const void *other) {
  const double *a = one, *b = other;
  for (int i = 0; i < WRITTEN; i++)
    if (memcmp(&a[i], &b[i], sizeof *a) != 0 && !(isnan(a[i]) && isnan(b[i])))
      return printf("number %d: %.17g, in two copies %.17g\n", i, a[i], b[i]), 0;
  return 1;
}

/* How many of the accelerations that have bounds are judged; -1: one is too far. */
static int within(const out_type *one, const both_out *both) {
#ifdef BITS
  (void)one, (void)both;
  return 1;
#else
  int judged = 0;
  for (int j = 0; j < (int)(sizeof one->qdd / sizeof *one->qdd); j++) {
    if (!(one->bound[j] < 1e100 && both->bound[j] < 1e100)) continue;
    judged++;
    if (!(fabs(one->qdd[j] - both->qdd[j]) <= one->bound[j] + both->bound[j]))
      return printf("joint %d: %.17g and %.17g, bounds %g and %g\n", j, one->qdd[j], both->qdd[j],
                    one->bound[j], both->bound[j]),
             -1;
  }
  return judged;
#endif
}

static void call(const void *in, void *out, unsigned status[BATCH], int two) {
#if BATCH > 1
  if (two)
    NAMED(both_, FUNCTION, )(in, out, status);
  else
    NAMED(one_, FUNCTION, )(in, out, status);
#else
  status[0] = two ? NAMED(both_, FUNCTION, )((const both_in *)in, (both_out *)out)
                  : NAMED(one_, FUNCTION, )((const in_type *)in, (out_type *)out);
#endif
}

int main(int argc, char **argv) {
  static in_type in;
  static out_type one;
  static both_out both;
  const int wide = argc > 1 && strcmp(argv[1], "wide") == 0;
  if (wide && !(__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))) return 77;
  const unsigned found = __cpu_model.features[0];
  int judged = 0, differ = 0;
  for (int s = 0; s < STATES; s++) {
    unsigned first[BATCH], second[BATCH];
    draw((void *)&in, s);
    memset(&one, 1, sizeof one);
    memset(&both, 2, sizeof both); /* what is not written differs */
    call(&in, &one, first, 0);
    if (!wide)
      __cpu_model.features[0] = found & ~avx2_or_fma[s % 2]; /* each of them alone is not enough */
    call(&in, &both, second, 1);
    __cpu_model.features[0] = found;
    if (memcmp(first, second, sizeof first) != 0)
      return printf("state %d: status %x, in two copies %x\n", s, first[0], second[0]), 1;
    const int same = memcmp(&one, &both, sizeof one) == 0;
    differ += !same;
#ifdef BITS
    if (!equal(&one, &both)) return printf("state %d\n", s), 1;
#else
    if (!wide && !equal(&one, &both)) return printf("state %d\n", s), 1;
#endif
    const int near = within(&one, &both);
    if (near < 0) return printf("state %d\n", s), 1;
    judged += near;
  }
  printf("%d states, %d numbers judged, %d states of other bits\n", STATES, judged, differ);
#ifndef BITS
  if (wide && differ < STATES / 4) return printf("the copy with FMA was not called\n"), 1;
#endif
  return judged < STATES / 4; /* nearly nothing was compared */
}
