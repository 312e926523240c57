/* SPDX-License-Identifier: MIT */
/* motors_friction_test.c: realise = "motors" with dry friction. Two rods in a plane, a motor in the first joint, none
 * in the second, which is to accelerate with b: what torque that takes is known for every way in which the joints
 * stick, slip or move,
 *
 *   M qdd + c = (tau, 0) + f,   qdd_2 = b,   M = (5/3 + cos q_2, 1/3 + cos q_2 / 2; ., 1/3),
 *   c = sin q_2 / 2 (-2 qd_1 qd_2 - qd_2^2, qd_1^2)
 *
 * where b = 0 and the second joint sticks, the first has the acceleration that deviates least from the motion without
 * torque among those with which |f_2| <= r_2. */
#include <achd/qp.h>

#include "random.h"
#include "test.h"
#include "two_pushed.h"

static unsigned long long seed = 17;

typedef struct rods {
  double m11, m12, m22, c1, c2;
} rods;

static rods rods_at(const two_pushed_achd_in *in) {
  const double c = cos(in->q[1]), s = sin(in->q[1]), v1 = in->qd[0], v2 = in->qd[1];
  return (rods){5. / 3 + c, 1. / 3 + c / 2, 1. / 3, -s / 2 * (2 * v1 * v2 + v2 * v2),
                s / 2 * v1 * v1};
}

static double held(double x, double lo, double hi) {
  return x < lo ? lo : x > hi ? hi : x;
}

static double sign(double x) {
  return (x > 0) - (x < 0);
}

/* The acceleration of the first joint. friction: 0 where a joint is at rest, else what its velocity says. */
static double expect(const rods *r, const two_pushed_achd_in *in, const double friction[]) {
  const double b = in->b[0], rubs = in->friction[0], most = in->friction[1];
  if (in->qd[1] != 0) return (friction[1] - r->m22 * b - r->c2) / r->m12;
  if (b != 0) return (-most * sign(b) - r->m22 * b - r->c2) / r->m12;
  const double load = friction[0] - r->c1; /* 1/2 m11 a^2 - load a + rubs |a|: least */
  const double free =
      in->qd[0] != 0 ? load / r->m11 : sign(load) * fmax(0, fabs(load) - rubs) / r->m11;
  const double one = (-most - r->c2) / r->m12, other = (most - r->c2) / r->m12;
  return held(free, fmin(one, other), fmax(one, other));
}

static void solve(const two_pushed_achd_in *in, two_pushed_achd_out *out) {
  achd_real work[ACHD_QP_FRICTION_WORK(TWO_PUSHED_NX, TWO_PUSHED_NQ, TWO_PUSHED_LEVELS)];
  achd_real dual[ACHD_QP_DUAL(TWO_PUSHED_LEVELS, TWO_PUSHED_NQ)], x[TWO_PUSHED_NX];
  signed char side[TWO_PUSHED_NQ] = {0};
  achd_qp_report report;
  two_pushed_qp_out p;
  CHECK(two_pushed_qp(in, &p) == TWO_PUSHED_OK);
  const achd_qp_rubbing rubs = {{TWO_PUSHED_NX, TWO_PUSHED_NQ, TWO_PUSHED_LEVELS, p.H, p.g, p.A,
                                 p.lo, p.hi, p.level, p.weight},
                                TWO_PUSHED_NF,
                                p.stiction,
                                0};
  CHECK(achd_qp_friction(&rubs, x, dual, side, work, &report) == ACHD_QP_SOLVED);
  CHECK(two_pushed_apply(in, &p, x, out) == TWO_PUSHED_OK);
}

static void rods_are_pushed(void) {
  int ways[2][3] = {{0}};
  double worst = 0;
  for (int n = 0; n < 4000; n++) {
    two_pushed_achd_in in = {.b = {n % 3 ? random_between(&seed, -5, 5) : 0}};
    double friction[2];
    for (int j = 0; j < 2; j++) {
      in.q[j] = random_between(&seed, -1.5, 1.5); /* m12 > 0.3 */
      in.qd[j] = random_between(&seed, 0, 1) < 0.5 ? 0 : random_between(&seed, 0.1, 3);
      if (random_between(&seed, 0, 1) < 0.5) in.qd[j] = -in.qd[j];
      in.friction[j] = n % 5 ? random_between(&seed, 0, 4) : 0;
      friction[j] = -in.friction[j] * sign(in.qd[j]);
    }
    two_pushed_achd_out out;
    solve(&in, &out);
    const rods r = rods_at(&in);
    const double a1 = expect(&r, &in, friction), a2 = in.b[0], *f = out.tau_friction, *a = out.qdd;
    const double apart = fmax(fabs(a[0] - a1), fabs(a[1] - a2));
    const double left = fmax(fabs(r.m11 * a[0] + r.m12 * a[1] + r.c1 - out.tau_ctrl[0] - f[0]),
                             fabs(r.m12 * a[0] + r.m22 * a[1] + r.c2 - f[1]));
    worst = fmax(worst, fmax(apart, left));
    CHECK(apart <= 1e-9 && left <= 1e-9);
    for (int j = 0; j < 2; j++) { /* the law of friction */
      const int way = in.qd[j] != 0 ? 2 : fabs(a[j]) > 1e-5;
      ways[j][way]++;
      const double law = in.qd[j] != 0 ? friction[j] : -in.friction[j] * sign(a[j]);
      CHECK(way == 0 ? fabs(f[j]) <= in.friction[j] * (1 + 1e-9) : fabs(f[j] - law) <= 1e-6);
    }
    CHECK(out.tau_ctrl[1] == 0);
  }
  printf("   stuck, slipping, moving: first %d %d %d, second %d %d %d; worst %.1e\n", ways[0][0],
         ways[0][1], ways[0][2], ways[1][0], ways[1][1], ways[1][2], worst);
  for (int j = 0; j < 2; j++)
    for (int way = 0; way < 3; way++) CHECK(ways[j][way] > 100);
}

int main(void) {
  RUN(rods_are_pushed);
  return test_end();
}
