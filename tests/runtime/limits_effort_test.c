/* SPDX-License-Identifier: MIT */
/* limits_effort_test.c: limits of a joint that push no more than the motor can. A rod of 1/3 kg m^2 between -1 and 1.5
 * rad, a motor of 4 N m with a feed-forward torque, a load: where a limit asks for qdd >= b (<= b at the upper one), the
 * motor gives I b - load, as far as that is between its feed-forward torque and its limit, and the rod accelerates by
 * (tau + load) / I. */
#include <achd/mclp.h>

#include "random.h"
#include "rod_in_time.h"
#include "rod_stopped.h"
#include "test.h"

static unsigned long long seed = 23;
static const double inertia = 1.0 / 3, effort = 4, lower = -1, upper = 1.5;

typedef struct answer {
  double qdd, tau;
  unsigned bits;
} answer;

#define SOLVE(name, NAME)                                                                          \
  static answer name(double q, double qd, double load, double tau) {                               \
    enum { nr = NAME##_NR };                                                                       \
    const name##_achd_in in = {.q = {q}, .qd = {qd}, .tau_phys = {load}, .tau_art = {tau}};        \
    name##_mclp_out p;                                                                             \
    name##_achd_out out;                                                                           \
    achd_real nu[nr], work[ACHD_MCLP_WORK(nr)];                                                    \
    signed char side[nr] = {0};                                                                    \
    achd_mclp_report report;                                                                       \
    answer a = {.bits = name##_mclp(&in, &p)};                                                     \
    const achd_mclp_problem problem = {nr, p.L, p.r, p.lo, p.hi};                                  \
    CHECK(achd_mclp(&problem, nu, side, 0, work, &report) == ACHD_MCLP_SOLVED);                    \
    a.bits |= name##_apply(&in, &p, nu, &out);                                                     \
    a.qdd = out.qdd[0], a.tau = out.tau_ctrl[0];                                                   \
    return a;                                                                                      \
  }
SOLVE(rod_stopped, ROD_STOPPED)
SOLVE(rod_in_time, ROD_IN_TIME)

/* The approach of docs/layouts.md, at the distance d with the speed v towards a limit: 10 1/s. */
static double approach(double d, double v) {
  const double rate = 10, fast = fmax(0, v - rate * d), near = fmax(d, 0.2e-3);
  return 2 * rate * v - rate * rate * d + fast * fast / near;
}

/* A motor that a limit makes push towards `side` (1: up) until the rod has b. */
static double pushed(double b, double load, double tau, int side) {
  const double wanted = side * (inertia * b - load), own = side * tau;
  return side * fmax(own, fmin(wanted, fmax(effort, own)));
}

static void limits_push_as_motors_can(void) {
  int whole = 0, part = 0, none = 0;
  for (int n = 0; n < 3000; n++) {
    const int side = n % 2 ? 1 : -1; /* 1: the lower limit, which pushes up */
    const double d = random_between(&seed, 0, 0.2), v = random_between(&seed, -1, 2),
                 load = random_between(&seed, -6, 6), tau = random_between(&seed, -5, 5);
    const double q = side > 0 ? lower + d : upper - d;
    const answer a = rod_stopped(q, -side * v, load, tau);
    const double expected = pushed(side * approach(d, v), load, tau, side);
    CHECK(fabs(a.tau - expected) <= 1e-9 * (1 + fabs(expected)));
    CHECK(fabs(inertia * a.qdd - a.tau - load) <= 1e-9);
    CHECK(fabs(a.tau) <= fmax(effort, fabs(tau)) + 1e-12);
    const bool all = side * (a.tau - tau) > 1e-9 && fabs(fabs(a.tau) - effort) < 1e-9;
    part += all, none += a.tau == tau, whole += !all && a.tau != tau;
    if (all) CHECK((a.bits & ROD_STOPPED_BOUND_ACTIVE) != 0);
  }
  printf("   the motor gives all it has %d, enough %d, nothing %d\n", part, whole, none);
  CHECK(part > 300 && whole > 300 && none > 300);
}

/* Braked with 20 rad/s^2, 6.7 N m, of which the motor has 4. */
static void in_time_too(void) {
  for (int side = -1; side <= 1; side += 2) {
    const double q = side > 0 ? lower + 0.1 : upper - 0.1;
    for (double tau = -5; tau <= 5; tau += 0.25) {
      const answer a = rod_in_time(q, -side * 3, 0, tau);
      const double most = fmax(side * tau, effort);
      CHECK(fabs(a.tau - side * most) <= 1e-9 && fabs(inertia * a.qdd - a.tau) <= 1e-9);
    }
    const answer away = rod_in_time(q, side * 1.0, 0, 1);
    CHECK(fabs(away.tau - 1) <= 1e-12);
  }
}

int main(void) {
  RUN(limits_push_as_motors_can);
  RUN(in_time_too);
  return test_end();
}
