/* SPDX-License-Identifier: MIT */
/* optimum_holding_test.c: a Gen3 with 10 and 5 N m of dry friction at its joints that holds its tool at
 * rest, by realise = "optimum": friction first. Where nothing accelerates, the torque of joint j and
 * its friction carry its weight g_j, so that of all torques the least is that of sign g_j and size
 * |g_j| - r_j, where that is above 0; g is another function's. How often some joint is commanded more
 * than its weight, and the energy of holding, beside the weights themselves. 1000 postures;
 * ACHD_SWEEP=1: 10^5. */
#include <achd/qp.h>

#include "gen3_holding.h"
#include "random.h"
#include "test.h"

static unsigned long long seed = 11;

static double friction_of(int joint) {
  return joint < 4 ? 10 : 5;
}

typedef struct tally {
  int solved, moving, judged, heavy, searched;
  double apart, energy, of_weights;
} tally;

static void hold(tally *t) {
  static achd_real work[ACHD_QP_FRICTION_WORK(RUBS_NX, RUBS_NQ, RUBS_LEVELS)];
  static achd_real dual[ACHD_QP_DUAL(RUBS_LEVELS, RUBS_NQ)];
  static rubs_qp_out p;
  achd_real x[RUBS_NX];
  signed char side[RUBS_NQ] = {0};
  achd_qp_report report;
  rubs_achd_in in = {.b = {0}};
  rubs_gravity_in at;
  rubs_achd_out out;
  rubs_gravity_out weight;
  for (int j = 0; j < RUBS_NJ; j++) at.q[j] = in.q[j] = random_between(&seed, -2, 2);
  unsigned bits = rubs_qp(&in, &p);
  const achd_qp_rubbing rubs = {
      {RUBS_NX, RUBS_NQ, RUBS_LEVELS, p.H, p.g, p.A, p.lo, p.hi, p.level, p.weight},
      RUBS_NF,
      p.stiction,
      0};
  const achd_qp_status status = achd_qp_friction(&rubs, x, dual, side, work, &report);
  bits |= rubs_apply(&in, &p, x, &out);
  CHECK((bits & ~(unsigned)RUBS_SATURATED) == RUBS_OK);
  CHECK(rubs_gravity(&at, &weight) == RUBS_OK);
  CHECK(status == ACHD_QP_SOLVED || status == ACHD_QP_YIELDED);
  t->solved += status == ACHD_QP_SOLVED, t->searched += report.solves > 1;
  bool moves = false, heavy = false;
  for (int j = 0; j < RUBS_NJ; j++) moves = moves || fabs(out.qdd[j]) > 1e-9;
  t->moving += moves; /* what the rows leave free, or what is too heavy */
  for (int j = 0; j < RUBS_NJ; j++) {
    heavy = heavy || fabs(out.tau_ctrl[j]) > fabs(weight.tau[j]) + 0.05;
    t->energy += out.tau_ctrl[j] * out.tau_ctrl[j];
    t->of_weights += weight.tau[j] * weight.tau[j];
    if (moves) continue;
    const double least = fmax(0, fabs(weight.tau[j]) - friction_of(j));
    t->apart = fmax(t->apart, fabs(out.tau_ctrl[j] - copysign(least, weight.tau[j])));
  }
  t->judged += !moves, t->heavy += heavy;
}

static void friction_comes_first(void) {
  const int count = getenv("ACHD_SWEEP") ? 100000 : 1000;
  tally t = {0};
  for (int n = 0; n < count; n++) hold(&t);
  printf("   %d postures: %d solved, %d searched, %d with a joint that moves; |tau - least| %.1e; "
         "commanded "
         "above weight %d; mean tau^2 %.4g, of the weights %.4g\n",
         count, t.solved, t.searched, t.moving, t.apart, t.heavy, t.energy / count,
         t.of_weights / count);
  CHECK(t.solved >= 0.99 * count && t.judged >= 0.99 * count);
  CHECK(t.apart <= 1e-8);
  CHECK(t.heavy <= t.moving);
}

int main(void) {
  RUN(friction_comes_first);
  return test_end();
}
