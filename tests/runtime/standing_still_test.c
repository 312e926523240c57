/* SPDX-License-Identifier: MIT */
/* standing_still_test.c: joints with dry friction in steps of a period come to rest in the step in
 * which friction suffices, and stay: a rod to the digit, five arms under gravity; and what noise in
 * the velocity does to that, measured and printed. */
#include "rod_breakaway.h"
#include "rod_steps.h"
#include "random.h"
#include "rubbing.h"
#include "test.h"

static const double period = 1e-3;

/* ---- a rod: inertia 1/3 about its joint, friction 10 N m, no gravity ---- */

static double rod_acceleration(double qd, double h, unsigned *bits) {
  const rod_steps_achd_in in = {.qd = {qd}, .period = h};
  rod_steps_mclp_out p;
  rod_steps_achd_out out;
  double nu[ROD_STEPS_NR], work[ACHD_MCLP_WORK(ROD_STEPS_NR)];
  signed char side[ROD_STEPS_NR] = {0};
  achd_mclp_report report;
  const achd_mclp_problem problem = {ROD_STEPS_NR, p.L, p.r, p.lo, p.hi};
  *bits = rod_steps_mclp(&in, &p);
  const achd_mclp_status solved = achd_mclp(&problem, nu, side, 0, work, &report);
  if (*bits & ROD_STEPS_BAD_INPUT) CHECK(solved == ACHD_MCLP_BAD_INPUT);
  rod_steps_apply(&in, &p, nu, &out);
  return out.qdd[0];
}

/* From 1 rad/s by 0.03 rad/s a step: slides for 33 steps, stops in the 34th. */
static void rod_stops_where_friction_suffices(void) {
  double qd = 1, q = 0;
  unsigned bits;
  int steps = 0;
  const double least = period * 10 * 3;
  while (fabs(qd) > 1e-15 && steps < 100) {
    const double before = qd;
    qd += period * rod_acceleration(qd, period, &bits);
    q += period * qd;
    steps++;
    CHECK(bits == ROD_STEPS_OK);
    if (before > least + 1e-12) CHECK_NEAR(qd, before - least, 1e-12);
  }
  CHECK(steps == 34);
  const double stopped = q;
  for (int k = 0; k < 10000; k++) {
    qd += period * rod_acceleration(qd, period, &bits);
    q += period * qd;
  }
  CHECK(fabs(q - stopped) <= 1e-12);
}

/* Below what is at rest by default, too: 9e-4 rad/s crept 9 mrad in 10 s. */
static void rod_does_not_creep(void) {
  double qd = 9e-4, q = 0;
  unsigned bits;
  for (int k = 0; k < 10000; k++) {
    qd += period * rod_acceleration(qd, period, &bits);
    q += period * qd;
  }
  CHECK(fabs(q) <= 1e-12);
}

/* A joint that stops has qdd = -qd / h, one that slides a constant. */
static void derivatives_know_of_steps(void) {
  static const double speed[] = {0.02, 1};
  for (int k = 0; k < 2; k++) {
    rod_steps_dmclp_in in = {.qd = {speed[k]}, .period = period};
    rod_steps_dmclp_out out;
    unsigned bits;
    in.side[0] = k ? -1 : 0;
    in.nu[0] = k ? -10 : -speed[k] / period / 3;
    CHECK(rod_steps_dmclp(&in, &out) == ROD_STEPS_OK);
    CHECK_NEAR(out.qdd[0], rod_acceleration(speed[k], period, &bits), 1e-9);
    CHECK_NEAR(out.dqdd_dqd[0][0], k ? 0 : -1 / period, 1e-9);
  }
}

static void senseless_periods_are_refused(void) {
  static const double bad[] = {0, -1e-3};
  for (int k = 0; k < 2; k++) {
    unsigned bits;
    (void)rod_acceleration(0.5, bad[k], &bits);
    CHECK(bits & ROD_STEPS_BAD_INPUT);
  }
}

/* ---- the rod holds 12 N m and rubs with 10 N m ---- */

static double breakaway_acceleration(double qd, double push, double at_rest, unsigned *bits) {
  const rod_breakaway_achd_in in = {.qd = {qd}, .tau_phys = {push}, .breakaway = {at_rest}};
  rod_breakaway_mclp_out p;
  rod_breakaway_achd_out out;
  double nu[ROD_BREAKAWAY_NR], work[ACHD_MCLP_WORK(ROD_BREAKAWAY_NR)];
  signed char side[ROD_BREAKAWAY_NR] = {0};
  achd_mclp_report report;
  const achd_mclp_problem problem = {ROD_BREAKAWAY_NR, p.L, p.r, p.lo, p.hi};
  *bits = rod_breakaway_mclp(&in, &p);
  const achd_mclp_status solved = achd_mclp(&problem, nu, side, 0, work, &report);
  if (*bits & ROD_BREAKAWAY_BAD_INPUT) CHECK(solved == ACHD_MCLP_BAD_INPUT);
  rod_breakaway_apply(&in, &p, nu, &out);
  return out.qdd[0];
}

static void rod_breaks_away(void) {
  unsigned bits;
  CHECK_NEAR(breakaway_acceleration(0, 11.9, 12, &bits), 0, 1e-12); /* more than sliding friction */
  CHECK_NEAR(breakaway_acceleration(0, 13, 12, &bits), 3, 1e-12);   /* (13 - 12) / (1/3) */
  CHECK_NEAR(breakaway_acceleration(0.009, -13, 12, &bits), -3, 1e-12);
  CHECK_NEAR(breakaway_acceleration(0.011, 11.9, 12, &bits), 5.7, 1e-12);   /* 11.9 - 10 */
  CHECK_NEAR(breakaway_acceleration(-0.011, 11.9, 12, &bits), 65.7, 1e-12); /* 11.9 + 10 */
  CHECK(bits == ROD_BREAKAWAY_OK);
  (void)breakaway_acceleration(0, 1, 9, &bits); /* less at rest than in motion */
  CHECK(bits & ROD_BREAKAWAY_BAD_INPUT);
}

/* ---- five arms ---- */

static unsigned long long seed = 7;

typedef struct answer {
  double qdd[rubbing_joints], tau[rubbing_joints];
} answer;

static void solve(const rubbing_arm *arm, const rubbing_state *s, signed char side[], answer *a) {
  rubbing_problem p;
  double nu[rubbing_rows], work[ACHD_MCLP_WORK(rubbing_rows)];
  achd_mclp_report report;
  arm->make(s, &p);
  const achd_mclp_problem problem = {arm->rows, p.L, p.r, p.lo, p.hi};
  CHECK(achd_mclp(&problem, nu, side, 0, work, &report) == ACHD_MCLP_SOLVED);
  rubbing_affine(arm, p.qdd_0, p.qdd_nu, nu, a->qdd);
  rubbing_affine(arm, p.tau_0, p.tau_nu, nu, a->tau);
}

static double largest(const double x[], int count) {
  double most = 0;
  for (int k = 0; k < count; k++) most = fmax(most, fabs(x[k]));
  return most;
}

/* Posture and speed of an arm whose joints' friction can hold it. */
static rubbing_state moving(const rubbing_arm *arm, double speed) {
  rubbing_state s = {.period = period};
  for (int i = 0; i < arm->joints; i++) {
    s.q[i] = random_between(&seed, -1, 1);
    s.qd[i] = random_between(&seed, -speed, speed);
    s.friction[i] = i < 4 ? 120 : 40;
  }
  return s;
}

static void step(const rubbing_arm *arm, rubbing_state *s, signed char side[], answer *a) {
  solve(arm, s, side, a);
  for (int i = 0; i < arm->joints; i++) {
    s->qd[i] += s->period * a->qdd[i];
    s->q[i] += s->period * s->qd[i];
  }
}

/* Slides to rest, then stands for 10 s. */
static double creep(const rubbing_arm *arm, double speed, int *steps) {
  rubbing_state s = moving(arm, speed);
  signed char side[rubbing_rows] = {0};
  answer a;
  for (*steps = 0; largest(s.qd, arm->joints) > 1e-12 && *steps < 5000; ++*steps)
    step(arm, &s, side, &a);
  const rubbing_state stopped = s;
  double apart = 0;
  for (int k = 0; k < 10000; k++) {
    step(arm, &s, side, &a);
    for (int i = 0; i < arm->joints; i++) apart = fmax(apart, fabs(s.q[i] - stopped.q[i]));
  }
  return apart;
}

/* For 10 s at rest, each velocity off by up to `noise`: how far the arm gets, and, where its tool is
 * held, how far torques jump. */
static double jitter(const rubbing_arm *arm, double noise, bool held, double *jump) {
  rubbing_state s = moving(arm, 0);
  const rubbing_state start = s;
  signed char side[rubbing_rows] = {0}, model_side[rubbing_rows] = {0};
  answer a, before = {{0}, {0}};
  double apart = 0;
  *jump = 0;
  for (int k = 0; k < 10000; k++) {
    rubbing_state seen = s;
    for (int i = 0; i < arm->joints; i++) seen.qd[i] += random_between(&seed, -noise, noise);
    seen.held = held;
    solve(arm, &seen, side, &a);
    if (held) { /* the motors of an arm that does not know of noise */
      for (int i = 0; i < arm->joints; i++) {
        s.tau[i] = a.tau[i];
        if (k > 0) *jump = fmax(*jump, fabs(a.tau[i] - before.tau[i]));
      }
      before = a;
      solve(arm, &s, model_side, &a);
    }
    for (int i = 0; i < arm->joints; i++) {
      s.qd[i] += s.period * a.qdd[i];
      s.q[i] += s.period * s.qd[i];
      apart = fmax(apart, fabs(s.q[i] - start.q[i]));
    }
    for (int i = 0; i < arm->joints; i++) s.tau[i] = 0;
  }
  return apart;
}

static void arms_stand_still(void) {
  printf("   at rest for 10 s           steps to it   creep [rad]   noise of 1e-4 rad/s: creep "
         "[rad]   held tool: creep, jump of torque [N m]\n");
  for (int k = 0; k < rubbing_arms; k++) {
    int steps;
    double none, jump;
    const double crept = creep(rubbing_all[k], 1, &steps);
    CHECK(steps < 5000);
    CHECK(crept <= 1e-9);
    const double noisy = jitter(rubbing_all[k], 1e-4, false, &none);
    CHECK(noisy < 1e-3);
    const double held = jitter(rubbing_all[k], 1e-4, true, &jump);
    printf("   %-26s %11d %13.1e %32.1e %20.1e %8.1f\n", rubbing_all[k]->name, steps, crept, noisy,
           held, jump);
  }
}

int main(void) {
  RUN(rod_stops_where_friction_suffices);
  RUN(rod_does_not_creep);
  RUN(derivatives_know_of_steps);
  RUN(senseless_periods_are_refused);
  RUN(rod_breaks_away);
  RUN(arms_stand_still);
  return test_end();
}
