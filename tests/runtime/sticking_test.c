/* SPDX-License-Identifier: MIT */
/* sticking_test.c: a contact that sticks while its row turns. A sleigh on one blade (Chaplygin
 * 1911) slides along the blade and not across it: with u the speed along the blade, w the turning
 * rate, m the mass, a the way from the blade to the centre of mass and I the inertia about that u'
 * = a w^2,   w' = - m a u w / (I + m a^2) and its energy stays. With b = 0 and acceleration =
 * "rate" the simulated one does the same over five seconds; where b = 0 means the classical
 * acceleration, it drifts across the blade. */
#include <achd/mclp.h>

#include <math.h>
#include <stdio.h>

#include "sleigh_classical.h"
#include "sleigh_rate.h"
#include "test.h"

enum { STEPS = 5000 };
static const double period = 1e-3, mass = 2, ahead = 0.2, inertia = 0.03;
static const double normal = 100, mu = 0.8; /* force on the blade [N]; coefficient of friction */

typedef struct sleigh {
  double yaw, x, y, turn; /* angle; velocity of the blade along the axes of the world, turning */
} sleigh;

/* Derivative of the state, by the generated solve; counts what goes wrong. */
#define DERIVATIVE(name, NAME)                                                                     \
  static sleigh name##_derivative(sleigh s) {                                                      \
    static double work[ACHD_MCLP_WORK(NAME##_NR)];                                                 \
    static signed char side[NAME##_NR];                                                            \
    name##_achd_in in = {.normal = {normal}};                                                      \
    in.base.yaw = s.yaw;                                                                           \
    in.base.twist.x = s.x;                                                                         \
    in.base.twist.y = s.y;                                                                         \
    in.base.twist.yaw = s.turn;                                                                    \
    name##_mclp_out p;                                                                             \
    name##_achd_out out;                                                                           \
    double nu[NAME##_NR];                                                                          \
    achd_mclp_report report;                                                                       \
    const unsigned status = name##_mclp(&in, &p);                                                  \
    const achd_mclp_problem problem = {NAME##_NR, p.L, p.r, p.lo, p.hi};                           \
    CHECK(status == NAME##_OK);                                                                    \
    CHECK(achd_mclp(&problem, nu, side, 0, work, &report) == ACHD_MCLP_SOLVED);                    \
    name##_apply(&in, &p, nu, &out);                                                               \
    return (sleigh){s.turn, out.base.acc.x, out.base.acc.y, out.base.acc.yaw};                     \
  }
DERIVATIVE(rate, RATE)
DERIVATIVE(classical, CLASSICAL)

static sleigh along(sleigh s, double h, sleigh d) {
  return (sleigh){s.yaw + h * d.yaw, s.x + h * d.x, s.y + h * d.y, s.turn + h * d.turn};
}

/* One step of Runge and Kutta, of fourth order. */
static sleigh step(sleigh s, sleigh (*derivative)(sleigh)) {
  const sleigh a = derivative(s), b = derivative(along(s, period / 2, a)),
               c = derivative(along(s, period / 2, b)), d = derivative(along(s, period, c));
  return along(along(along(along(s, period / 6, a), period / 3, b), period / 3, c), period / 6, d);
}

static double across(sleigh s) {
  return s.y * cos(s.yaw) - s.x * sin(s.yaw);
}
static double forward(sleigh s) {
  return s.x * cos(s.yaw) + s.y * sin(s.yaw);
}

/* Kinetic energy, by the velocity of the centre of mass. */
static double energy(sleigh s) {
  const double u = forward(s), v = across(s) + ahead * s.turn;
  return 0.5 * mass * (u * u + v * v) + 0.5 * inertia * s.turn * s.turn;
}

static const sleigh start = {0.3, 0.955336489125606, 0.29552020666133955, 2.5}; /* 1 m/s along it */

/* Chaplygin's equations: x forward, turn; by the same steps. */
static sleigh chaplygin(sleigh s) {
  const double whole = inertia + mass * ahead * ahead;
  return (sleigh){0, ahead * s.turn * s.turn, 0, -mass * ahead * s.x * s.turn / whole};
}

static void rate_does_not_drift(void) {
  sleigh s = start, should = {0, 1, 0, start.turn};
  const double before = energy(s);
  double slip = 0, off = 0;
  for (int k = 0; k < STEPS; k++) {
    s = step(s, rate_derivative);
    should = step(should, chaplygin);
    slip = fmax(slip, fabs(across(s)));
    off = fmax(off, fabs(forward(s) - should.x) + fabs(s.turn - should.turn));
  }
  printf("rate: slip at most %.1e m/s, %.1e off Chaplygin's motion, energy %.1e of %.3f J off\n",
         slip, off, energy(s) - before, before);
  CHECK(s.yaw > start.yaw + 0.3); /* it did turn */
  CHECK(slip < 1e-9);
  CHECK(off < 1e-9);
  CHECK_NEAR(energy(s), before, 1e-9);
}

/* The test above sees what it should. */
static void classical_drifts(void) {
  sleigh s = start;
  double slip = 0;
  for (int k = 0; k < STEPS; k++) {
    s = step(s, classical_derivative);
    slip = fmax(slip, fabs(across(s)));
  }
  printf("classical: slip at most %.1e m/s\n", slip);
  CHECK(slip > 1e-3);
}

int main(void) {
  RUN(rate_does_not_drift);
  RUN(classical_drifts);
  return test_end();
}
