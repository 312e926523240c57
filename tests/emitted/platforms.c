/* SPDX-License-Identifier: MIT */
/* platforms.c: a checksum of the torques and status of 2000 states of the Gen3, to the bit; see platforms.sh. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#define GEN3_IMPLEMENTATION
#include "gen3_achd.h"

static uint64_t state = 1;
/* A number from -1 to 1. */
static double draw(void) {
  state = state * 6364136223846793005u + 1442695040888963407u;
  return (double)((int64_t)(state >> 33) - 1073741824) / 1073741824.0;
}

static uint64_t hashed(uint64_t hash, uint64_t word) {
  return (hash ^ word) * 1099511628211u;
}

int main(void) {
  uint64_t hash = 14695981039346656037u;
  for (int k = 0; k < 2000; k++) {
    gen3_achd_in in = GEN3_ACHD_IN_DEFAULT;
    gen3_achd_out out;
    in.gravity[2] = -9.81;
    for (int i = 0; i < GEN3_NJ; i++) {
      in.q[i] = 3 * draw();
      in.qd[i] = draw();
    }
    for (int i = 0; i < GEN3_NR; i++) in.b[i] = draw();
    hash = hashed(hash, (uint64_t)gen3_achd(&in, &out));
    for (int i = 0; i < GEN3_NJ; i++) {
      uint64_t bits;
      memcpy(&bits, &out.tau_ctrl[i], sizeof bits);
      hash = hashed(hash, bits);
    }
  }
  printf("%016" PRIx64 "\n", hash);
  return 0;
}
