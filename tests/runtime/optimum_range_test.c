/* SPDX-License-Identifier: MIT */
/* optimum_range_test.c: rows of an optimum with a range, b <= A^T a <= upper: the optimum within all
 * ranges, found by trying for each row that it is free, at its least or at its largest acceleration,
 * by the same problem with masks and equal ends: 27 ways. */
#include <achd/qp.h>

#include "gen3_range.h"
#include "random.h"
#include "test.h"

static unsigned long long seed = 9;

enum { ROWS = 3 };

typedef struct answer {
  double acceleration[ROWS], tau[GEN3_RANGE_NJ], value;
  unsigned bits;
  achd_qp_status status;
} answer;

static answer solve(const gen3_range_achd_in *in) {
  static achd_real work[ACHD_QP_WORK(GEN3_RANGE_NX, GEN3_RANGE_NQ)];
  static achd_real dual[ACHD_QP_DUAL(GEN3_RANGE_LEVELS, GEN3_RANGE_NQ)];
  signed char side[GEN3_RANGE_NQ] = {0};
  achd_qp_report report;
  gen3_range_qp_out p;
  gen3_range_achd_out out;
  double x[GEN3_RANGE_NX];
  answer a = {.bits = gen3_range_qp(in, &p)};
  const achd_qp_problem problem = {
      GEN3_RANGE_NX, GEN3_RANGE_NQ, GEN3_RANGE_LEVELS, p.H,     p.g, p.A,
      p.lo,          p.hi,          p.level,           p.weight};
  a.status = achd_qp(&problem, x, dual, side, 0, work, &report);
  a.bits |= gen3_range_apply(in, &p, x, &out);
  for (int i = 0; i < GEN3_RANGE_NX; i++) {
    a.value += p.g[i] * x[i];
    for (int k = 0; k < GEN3_RANGE_NX; k++)
      a.value += p.H[i >= k ? i * (i + 1) / 2 + k : k * (k + 1) / 2 + i] * x[i] * x[k] / 2;
  }
  a.acceleration[0] = out.acc.tool_frame.lin[0], a.acceleration[1] = out.acc.tool_frame.lin[1];
  a.acceleration[2] = out.acc.tool_frame.ang[2];
  for (int j = 0; j < GEN3_RANGE_NJ; j++) a.tau[j] = out.tau_ctrl[j];
  return a;
}

static void ranges_are_kept(void) {
  int free = 0, held = 0;
  for (int n = 0; n < 300; n++) {
    gen3_range_achd_in in = {.mask = {1, 1, 1}};
    for (int j = 0; j < GEN3_RANGE_NJ; j++) {
      in.q[j] = random_between(&seed, -2, 2);
      in.qd[j] = random_between(&seed, -0.5, 0.5);
    }
    for (int k = 0; k < ROWS; k++) {
      in.b[k] = random_between(&seed, -1, 0.6);
      in.upper.tool[k] = in.b[k] + random_between(&seed, 0, 1);
    }
    const answer ours = solve(&in);
    if (ours.bits & GEN3_RANGE_SATURATED) continue; /* one more bound than is tried here */
    CHECK(ours.bits == GEN3_RANGE_OK && ours.status == ACHD_QP_SOLVED);
    answer best = {.value = INFINITY};
    for (int way = 0; way < 27; way++) {
      gen3_range_achd_in with = in;
      bool within = true;
      for (int k = 0, rest = way; k < ROWS; k++, rest /= 3) {
        with.mask[k] = rest % 3 != 0;
        if (rest % 3 == 2) with.b[k] = in.upper.tool[k];
        with.upper.tool[k] = with.b[k];
      }
      const answer other = solve(&with);
      for (int k = 0; k < ROWS; k++)
        within = within && other.acceleration[k] >= in.b[k] - 1e-9 &&
                 other.acceleration[k] <= in.upper.tool[k] + 1e-9;
      if (within && other.value < best.value) best = other;
    }
    CHECK(best.value < INFINITY);
    for (int j = 0; j < GEN3_RANGE_NJ; j++) CHECK_NEAR(ours.tau[j], best.tau[j], 1e-7);
    for (int k = 0; k < ROWS; k++) {
      const double a = ours.acceleration[k];
      CHECK(a >= in.b[k] - 1e-9 && a <= in.upper.tool[k] + 1e-9);
      const bool at_end = fabs(a - in.b[k]) < 1e-7 || fabs(a - in.upper.tool[k]) < 1e-7;
      at_end ? held++ : free++;
    }
  }
  printf("   rows at an end of their range %d, between %d\n", held, free);
  CHECK(held > 100 && free > 50);
}

static void senseless_range_is_told(void) {
  gen3_range_achd_in in = {.mask = {1, 1, 1}, .b = {0, 1, 0}};
  in.upper.tool[1] = 0.5;
  CHECK(solve(&in).bits & GEN3_RANGE_BAD_INPUT);
}

int main(void) {
  RUN(ranges_are_kept);
  RUN(senseless_range_is_told);
  return test_end();
}
