/* SPDX-License-Identifier: MIT */
/* random.h: numbers at random that are the same in every run: splitmix64 (Steele, Lea, Flood 2014). */
#ifndef AG_RANDOM_H
#define AG_RANDOM_H

#include <stdint.h>

/* The next 64 bits. */
static inline uint64_t ag_random(uint64_t *state) {
  uint64_t z = *state += 0x9E3779B97F4A7C15u;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

/* Evenly between two numbers. */
static inline double ag_random_between(uint64_t *state, double low, double high) {
  return low + (high - low) * (double)(ag_random(state) >> 11) * 0x1p-53;
}

#endif
