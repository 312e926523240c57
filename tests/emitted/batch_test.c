/* SPDX-License-Identifier: MIT */
/* batch_test.c: a batch function against the plain one, state by state: the same numbers to a few
 * units of the last place of the largest, the same status; then the time of both, for people.
 *
 * Compiled by batch.sh with HEADER; layout of gen3 with rows, masks and a wrench. */
#define GEN3_IMPLEMENTATION
#include HEADER
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

enum { BATCHES = 64 };

static uint64_t state = 88172645463325252u;
static double uniform(void) { /* xorshift64, [-1, 1) */
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return (double)(state >> 11) * 0x1p-52 - 1;
}

static gen3_achd_in one[BATCHES][GEN3_K];
static gen3_achd_batch_in many[BATCHES];

/* The structs hold nothing but numbers, in the same order: element e of a batch is K numbers. */
enum {
  IN = sizeof(gen3_achd_in) / sizeof(gen3_real),
  OUT = sizeof(gen3_achd_out) / sizeof(gen3_real)
};

static void fill(void) {
  for (int b = 0; b < BATCHES; b++)
    for (int k = 0; k < GEN3_K; k++) {
      gen3_real values[IN];
      for (int e = 0; e < IN; e++) values[e] = 2 * uniform();
      memcpy(&one[b][k], values, sizeof values);
      for (int r = 0; r < GEN3_NR; r++) one[b][k].mask[r] = uniform() < 0.6;
      if (b == 0 && k == 1) one[b][k].qd[2] = NAN;
      if (b == 1 && k == 0) one[b][k].q[3] = 2e5;
      if (b == 1 && k == 1) one[b][k].mask[1] = 0.5;
      memcpy(values, &one[b][k], sizeof values);
      for (int e = 0; e < IN; e++) ((gen3_real *)&many[b])[e * GEN3_K + k] = values[e];
    }
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

int main(void) {
  double worst = 0;
  int wrong_status = 0;
  fill();
  for (int b = 0; b < BATCHES; b++) {
    gen3_achd_batch_out together;
    gen3_status status[GEN3_K];
    gen3_achd_batch(&many[b], &together, status);
    for (int k = 0; k < GEN3_K; k++) {
      gen3_achd_out plain;
      const gen3_status expected = gen3_achd(&one[b][k], &plain);
      wrong_status += expected != status[k];
      if (expected & GEN3_NOT_FINITE) continue;
      double scale = 1, error = 0;
      for (int e = 0; e < OUT; e++) {
        const double x = ((gen3_real *)&plain)[e], y = ((gen3_real *)&together)[e * GEN3_K + k];
        if (fabs(x) > scale) scale = fabs(x);
        if (!(fabs(x - y) <= error)) error = fabs(x - y);
      }
      if (!(error / scale <= worst)) worst = error / scale;
    }
  }
  double best[2] = {1e18, 1e18}, sum = 0;
  for (int repeat = 0; repeat < 41; repeat++)
    for (int way = 0; way < 2; way++) {
      const double start = now();
      for (int b = 0; b < BATCHES; b++) {
        if (way == 0) {
          for (int k = 0; k < GEN3_K; k++) {
            gen3_achd_out out;
            gen3_achd(&one[b][k], &out);
            sum += out.tau_ctrl[0];
          }
        } else {
          gen3_achd_batch_out out;
          gen3_status status[GEN3_K];
          gen3_achd_batch(&many[b], &out, status);
          for (int k = 0; k < GEN3_K; k++) sum += out.tau_ctrl[0][k];
        }
      }
      const double per_state = (now() - start) / (BATCHES * GEN3_K);
      if (per_state < best[way]) best[way] = per_state;
    }
  printf("batches of %d: worst difference %.2g, %d wrong statuses; %.0f ns a state one by one, "
         "%.0f in "
         "a batch: "
         "%.1f times (checksum %g)\n",
         GEN3_K, worst, wrong_status, best[0], best[1], best[0] / best[1], sum);
  /* condition numbers of these states go to 1e6: the two sum in the same order, but may fuse
   * differently */
  const double tolerance = sizeof(gen3_real) == 8 ? 1e-9 : 1e-1;
  return !(worst < tolerance) || wrong_status > 0;
}
