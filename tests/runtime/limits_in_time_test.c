/* SPDX-License-Identifier: MIT */
/* limits_in_time_test.c: a Gen3 by its generated solver wants postures far beyond its limits, in steps of
 * 1 ms: position, velocity and acceleration stay within their limits in every step, it comes to its
 * limits, and the generated law is that of achd/limit.h. */
#include <achd/limit.h>
#include <achd/mclp.h>

#include "limits_in_time.h"
#include "random.h"
#include "test.h"

enum { NJ = ARM_NJ, NR = ARM_NR, STEPS = 6000, EACH = 600 };
static const double h = 1e-3, braking[NJ] = {6, 5, 7, 5, 10, 9, 12};
static const double lower[NJ] = {-INFINITY, ARM_LOWER_JOINT_2, -INFINITY, ARM_LOWER_JOINT_4,
                                 -INFINITY, ARM_LOWER_JOINT_6, -INFINITY};
static const double upper[NJ] = {INFINITY, ARM_UPPER_JOINT_2, INFINITY, ARM_UPPER_JOINT_4,
                                 INFINITY, ARM_UPPER_JOINT_6, INFINITY};
static const double velocity[NJ] = {
    ARM_VELOCITY_JOINT_1, ARM_VELOCITY_JOINT_2, ARM_VELOCITY_JOINT_3, ARM_VELOCITY_JOINT_4,
    ARM_VELOCITY_JOINT_5, ARM_VELOCITY_JOINT_6, ARM_VELOCITY_JOINT_7};

typedef struct worst {
  double beyond, fast, hard, apart, nearest;
} worst;

static worst run(bool limited) {
  static double work[ACHD_MCLP_WORK(NR)];
  signed char side[NR] = {0};
  unsigned long long seed = 5;
  double q[NJ] = {0}, qd[NJ] = {0}, goal[NJ] = {0};
  worst w = {.beyond = -INFINITY, .nearest = INFINITY};
  for (int k = 0; k < STEPS; k++) {
    arm_achd_in in = ARM_ACHD_IN_DEFAULT;
    arm_mclp_out p;
    arm_achd_out out;
    achd_mclp_report report;
    double nu[NR];
    for (int j = 0; j < NJ; j++) {
      if (k % EACH == 0) goal[j] = random_between(&seed, -6, 6);
      in.q[j] = q[j], in.qd[j] = qd[j];
      in.b[ARM_POSTURE_JOINT_1 + j] = 100 * (goal[j] - q[j]) - 20 * qd[j];
    }
    CHECK((arm_mclp(&in, &p) & ARM_DO_NOT_COMMAND) == 0);
    for (int r = ARM_LIMITS_LOWER_JOINT_1; r < NR && !limited; r++) p.lo[r] = p.hi[r] = 0;
    const achd_mclp_problem problem = {NR, p.L, p.r, p.lo, p.hi};
    CHECK(achd_mclp(&problem, nu, side, 0, work, &report) == ACHD_MCLP_SOLVED);
    arm_apply(&in, &p, nu, &out);
    for (int j = 0; j < NJ; j++) {
      const achd_limit limit = {velocity[j], braking[j], braking[j], 10, h};
      const bool stops = isfinite(upper[j]);
      double up, down;
      CHECK(achd_limit_most(&limit, stops ? upper[j] - q[j] : INFINITY, qd[j], &up));
      CHECK(achd_limit_most(&limit, stops ? q[j] - lower[j] : INFINITY, -qd[j], &down));
      const double least = -p.r[ARM_LIMITS_LOWER_JOINT_1 + j],
                   most = -p.r[ARM_LIMITS_UPPER_JOINT_1 + j];
      /* r is b less the acceleration without any row, which both sides have in common */
      w.apart = fmax(w.apart, fabs((least - most) - (up + down)) / braking[j]);
      w.hard = fmax(w.hard, fmax(out.qdd[j] - up, -down - out.qdd[j]) / braking[j]);
      q[j] += h * qd[j] + h * h / 2 * out.qdd[j];
      qd[j] += h * out.qdd[j];
      w.fast = fmax(w.fast, fabs(qd[j]) / velocity[j] - 1);
      if (!stops) continue;
      w.beyond = fmax(w.beyond, fmax(lower[j] - q[j], q[j] - upper[j]) / (braking[j] * h * h));
      w.nearest = fmin(w.nearest, fmin(q[j] - lower[j], upper[j] - q[j]));
    }
  }
  return w;
}

static void all_limits_hold(void) {
  const worst w = run(true);
  printf("beyond %.3g of a h^2, velocity by %.1e, acceleration by %.1e, the law by %.1e of the "
         "largest\n",
         w.beyond, w.fast, w.hard, w.apart);
  CHECK(w.beyond <= 0.2); /* 1 / 8: in the step in which it stops */
  CHECK(w.fast <= 1e-9);
  CHECK(w.hard <= 1e-9);
  CHECK(w.apart <= 1e-9);
  CHECK(w.nearest < 1e-3);
}

static void without_them_none_does(void) {
  const worst w = run(false);
  CHECK(w.beyond > 1e3 && w.fast > 0.1 && w.hard > 1);
}

int main(void) {
  RUN(all_limits_hold);
  RUN(without_them_none_does);
  return test_end();
}
