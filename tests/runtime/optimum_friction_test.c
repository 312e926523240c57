/* SPDX-License-Identifier: MIT */
/* optimum_friction_test.c: dry friction of a joint in an optimum. What a rod of 1/3 kg m^2 with a motor
 * of limit E, friction r and load t can do is known: at rest it sticks where some tau leaves no more
 * than r to friction, and else slips with qdd = (t + tau -+ r) / I; the answer is the acceleration
 * nearest to b, held with the least torque. With a limit of solves, and numbers that mean nothing. */
#include <achd/qp.h>

#include "random.h"
#include "rod_limited.h"
#include "test.h"

static unsigned long long seed = 5;

static const double inertia = 1.0 / 3, limit = 4;

typedef struct answer {
  double qdd, tau, friction;
  unsigned bits;
  achd_qp_status status;
  int solves;
} answer;

static answer solve(const rod_limited_achd_in *in, int most_solves) {
  achd_real work[ACHD_QP_FRICTION_WORK(ROD_LIMITED_NX, ROD_LIMITED_NQ, ROD_LIMITED_LEVELS)];
  achd_real dual[ACHD_QP_DUAL(ROD_LIMITED_LEVELS, ROD_LIMITED_NQ)], x[ROD_LIMITED_NX];
  signed char side[ROD_LIMITED_NQ] = {0};
  achd_qp_report report;
  achd_qp_certificate certificate;
  rod_limited_qp_out p;
  rod_limited_achd_out out;
  answer a = {.bits = rod_limited_qp(in, &p)};
  achd_qp_rubbing rubs = {{ROD_LIMITED_NX, ROD_LIMITED_NQ, ROD_LIMITED_LEVELS, p.H, p.g, p.A, p.lo,
                           p.hi, p.level, p.weight},
                          ROD_LIMITED_NF,
                          p.stiction,
                          most_solves};
  a.status = achd_qp_friction(&rubs, x, dual, side, work, &report);
  a.solves = report.solves;
  a.bits |= rod_limited_apply(in, &p, x, &out);
  if (a.status == ACHD_QP_SOLVED || a.status == ACHD_QP_YIELDED) {
    rubs.problem.lo = work, rubs.problem.hi = work + ROD_LIMITED_NQ;
    CHECK(achd_qp_check(&rubs.problem, x, dual, &certificate));
  }
  a.qdd = out.qdd[0], a.tau = out.tau_ctrl[0], a.friction = out.tau_friction[0];
  return a;
}

static double held(double x, double lo, double hi) {
  return x < lo ? lo : x > hi ? hi : x;
}

/* Makes `nearest` the acceleration of lo .. hi next to b, where that is nearer. */
static void approach(double b, double lo, double hi, double *nearest) {
  if (lo <= hi && fabs(held(b, lo, hi) - b) < fabs(*nearest - b)) *nearest = held(b, lo, hi);
}

static void rod_does_what_it_can(void) {
  int stuck = 0, slipped = 0, searched = 0, moved = 0, yielded = 0;
  for (int n = 0; n < 3000; n++) {
    rod_limited_achd_in in = {.mask = {1}, .b = {random_between(&seed, -6, 6)}};
    if (n % 3 == 0) in.b[0] = 0;
    const double t = in.tau_phys[0] = random_between(&seed, -8, 8);
    in.friction[0] = random_between(&seed, 0, 4);
    in.breakaway[0] = in.friction[0] * random_between(&seed, 1, 1.5);
    if (n % 5 == 0) in.qd[0] = random_between(&seed, -1, 1);
    const bool moves = in.qd[0] != 0;
    const double f = in.friction[0], r = moves ? 0 : in.breakaway[0];
    const double moving = !moves ? 0 : in.qd[0] < 0 ? f : -f, load = t + moving;
    double qdd = 1e9;
    approach(in.b[0], fmax(0, (load - limit - r) / inertia), (load + limit - r) / inertia, &qdd);
    approach(in.b[0], (load - limit + r) / inertia, fmin(0, (load + limit + r) / inertia), &qdd);
    if (fabs(load) <= limit + r) approach(in.b[0], 0, 0, &qdd);
    const double sticks = held(-load, -r, r);
    const double friction = qdd == 0 ? sticks : qdd > 0 ? -r : r;
    const answer a = solve(&in, 0);
    CHECK(a.status == (fabs(qdd - in.b[0]) > 1e-9 ? ACHD_QP_YIELDED : ACHD_QP_SOLVED));
    CHECK((a.bits & ~(unsigned)ROD_LIMITED_SATURATED) == ROD_LIMITED_OK);
    CHECK_NEAR(a.qdd, qdd, 1e-7);
    CHECK_NEAR(a.friction, friction + moving, 1e-7);
    CHECK_NEAR(a.tau, inertia * qdd - load - friction, 1e-7);
    moved += moves, yielded += a.status == ACHD_QP_YIELDED, searched += a.solves > 1;
    qdd == 0 ? stuck++ : slipped++;
    in.mask[0] = 0; /* nothing asks for a torque: none */
    const answer free = solve(&in, 0);
    CHECK(free.status == ACHD_QP_SOLVED);
    CHECK_NEAR(free.tau, 0, 1e-5 * (fabs(t) + f));
  }
  printf("   stuck %d, slipped %d, in motion %d; %d yielded, %d searched\n", stuck, slipped, moved,
         yielded, searched);
  CHECK(stuck > 500 && slipped > 500 && searched > 100 && yielded > 300);
}

/* A load of 6 N m is held with 4 N m of the motor; to lift it is out of reach, which takes a search. */
static void search_may_be_stopped(void) {
  const rod_limited_achd_in in = {
      .mask = {1}, .b = {1}, .tau_phys = {-6}, .friction = {3}, .breakaway = {3}};
  const answer whole = solve(&in, 0);
  CHECK(whole.status == ACHD_QP_YIELDED && whole.solves > 1 && fabs(whole.qdd) < 1e-9);
  CHECK(whole.bits & ROD_LIMITED_SATURATED || fabs(whole.tau - 3) < 1e-9);
  CHECK(solve(&in, 1).status == ACHD_QP_NOT_SOLVED);
  bool stopped = false;
  for (int most = 2; most < whole.solves; most++) {
    const answer a = solve(&in, most);
    CHECK(a.status == ACHD_QP_NOT_SOLVED || a.status == ACHD_QP_STOPPED);
    stopped = stopped || a.status == ACHD_QP_STOPPED;
  }
  CHECK(stopped || whole.solves == 2);
}

static void senseless_numbers_are_told(void) {
  rod_limited_achd_in in = {.mask = {1}, .friction = {3}, .breakaway = {2}};
  answer a = solve(&in, 0);
  CHECK(a.bits & ROD_LIMITED_BAD_INPUT && a.status == ACHD_QP_BAD_INPUT && a.tau == 0);
  in.friction[0] = -1;
  in.qd[0] = 1;
  a = solve(&in, 0);
  CHECK(a.bits & ROD_LIMITED_BAD_INPUT && a.status == ACHD_QP_BAD_INPUT && a.tau == 0);
  in.friction[0] = NAN;
  a = solve(&in, 0);
  CHECK(a.bits & ROD_LIMITED_NOT_FINITE && a.tau == 0);
  achd_real x[1] = {1}, work[1], dual[1], stiction[1] = {1};
  signed char side[1];
  achd_qp_report report;
  const achd_qp_rubbing bad[] = {
      {{.unknowns = 0}, 0, stiction, 0},
      {{.unknowns = 1, .rows = 3}, 1, stiction, 0},
      {{.unknowns = 1, .rows = 4}, -1, stiction, 0},
  };
  for (int i = 0; i < 3; i++)
    CHECK(achd_qp_friction(&bad[i], x, dual, side, work, &report) == ACHD_QP_BAD_INPUT);
}

int main(void) {
  RUN(rod_does_what_it_can);
  RUN(search_may_be_stopped);
  RUN(senseless_numbers_are_told);
  return test_end();
}
