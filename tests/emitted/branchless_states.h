/* SPDX-License-Identifier: MIT */
/* branchless_states.h: states of any function: its input struct as numbers, `count` reals that were
 * set to their defaults. Every fifth state is an ordinary one; the others are at rest and stretched
 * out, have masks and joints at random, are tiny and huge, or have numbers that are none. */
#ifndef BRANCHLESS_STATES_H
#define BRANCHLESS_STATES_H

#include <stddef.h>
#include <stdint.h>

static REAL uniform(void) { /* -1 to 1, by xorshift */
  static uint32_t state = 1;
  state ^= state << 13;
  state ^= state >> 17;
  state ^= state << 5;
  return (REAL)(int32_t)state * (REAL)0x1p-31;
}

static void next_state(REAL *x, size_t count, long i) {
  static const float odd[] = {0, 1, -1, 1e-30F, 1e30F, -3e5F, 9.99e3F};
  const float big = 3e38F;
  const REAL infinity = (REAL)(big * 10), nan = infinity - infinity;
  const int kind = (int)(i % 5);
  const size_t few = 1 + (size_t)((uniform() + 1) * 2);
  for (size_t k = 0; k < count; k++) {
    const REAL u = uniform(), v = uniform();
    if (kind == 0) {
      if (x[k] != 1) x[k] += 3 * u; /* masks, and what is scaled, stay 1 */
    } else if (kind == 1) {
      if (u > (REAL)0.6) x[k] = v > 0;
    } else if (kind == 2) {
      x[k] = odd[(int)((u + 1) * (REAL)3.4)];
    } else if (kind == 3) {
      if (x[k] != 1) x[k] += u * v * v * v * 20;
      if (x[k] == 1 && v < 0) x[k] = 0;
    }
  }
  for (size_t k = 0; kind == 4 && k < few; k++) {
    const size_t at = (size_t)((uniform() + 1) * (REAL)0.5 * (REAL)count) % count;
    const REAL u = uniform();
    x[at] = u < (REAL)-0.3 ? nan : u < (REAL)0.3 ? infinity : -infinity;
  }
}

#endif
