/* SPDX-License-Identifier: MIT */
/* uniform.h: the same numbers in every run, without a library and without doubles. */
#ifndef UNIFORM_H
#define UNIFORM_H

#include <stdint.h>

static float uniform(float most) { /* -most .. most, by xorshift */
  static uint32_t state = 1;
  state ^= state << 13;
  state ^= state >> 17;
  state ^= state << 5;
  return ((float)(state >> 8) * 0x1p-23F - 1) * most;
}

#endif
