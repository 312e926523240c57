/* SPDX-License-Identifier: MIT */
/* random.h: the same numbers in every run. */
#ifndef ACHD_TEST_RANDOM_H
#define ACHD_TEST_RANDOM_H

#include <math.h>

/* In [0, 1): Knuth's MMIX generator. */
static inline double random_number(unsigned long long *state) {
  *state = *state * 6364136223846793005ull + 1442695040888963407ull;
  return (double)(*state >> 11) * 0x1p-53;
}

/* In [low, high). */
static inline double random_between(unsigned long long *state, double low, double high) {
  return low + (high - low) * random_number(state);
}

/* Mean 0, deviation 1, by twelve of the above. */
static inline double random_normal(unsigned long long *state) {
  double sum = -6;
  for (int k = 0; k < 12; k++) sum += random_number(state);
  return sum;
}

/* A unit vector, uniform on the sphere. */
static inline void random_direction(unsigned long long *state, double axis[3]) {
  double square;
  do {
    for (int i = 0; i < 3; i++) axis[i] = 2 * random_number(state) - 1;
    square = axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2];
  } while (square > 1 || square < 1e-4);
  for (int i = 0; i < 3; i++) axis[i] /= sqrt(square);
}

#endif
