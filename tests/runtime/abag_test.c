/* SPDX-License-Identifier: MIT */
/* abag_test.c: every line of the law of abag.h, and what stands around it. */
#include <achd/abag.h>

#include "test.h"

/* The full pose of a Kinova Gen3 (Vukcevic 2020, linear channels). */
static const achd_abag_parameters gen3 = {(achd_real)0.9,      (achd_real)0.000407,
                                          (achd_real)0.000495, (achd_real)0.552492,
                                          (achd_real)0.003152, ACHD_ABAG_LIMITS};

static const double rounding = 8 * ACHD_EPSILON;

/* A channel in a state, after one step of it. */
static achd_abag after(const achd_abag_parameters *p, double ebar, double bias, double gain,
                       double e, int saturated) {
  achd_abag a = {.ebar = (achd_real)ebar, .bias = (achd_real)bias, .gain = (achd_real)gain};
  achd_abag_step(&a, p, (achd_real)e, saturated);
  return a;
}

static void low_pass_takes_the_sign_only(void) {
  CHECK_NEAR(after(&gen3, 0, 0, 0, 1e-30, 0).ebar, 0.1, rounding);
  CHECK_NEAR(after(&gen3, 0, 0, 0, 1e30, 0).ebar, 0.1, rounding);
  CHECK_NEAR(after(&gen3, 0.5, 0, 0, -3, 0).ebar, 0.9 * 0.5 - 0.1, rounding);
  CHECK_NEAR(after(&gen3, 0.5, 0, 0, 0, 0).ebar, 0.9 * 0.5, rounding); /* inside a tube */
}

static void low_pass_reaches_the_sign(void) {
  achd_abag a = {0};
  for (int k = 0; k < 1000; k++) achd_abag_step(&a, &gen3, -1, 0);
  CHECK_NEAR(a.ebar, -1, 100 * rounding);
}

/* Two low-passes one after the other: of a step after n cycles 1 - a^n (1 + n (1 - a)). */
static void low_pass_may_be_of_a_higher_order(void) {
  achd_abag_parameters p = gen3;
  achd_abag a = {0};
  p.order = 2;
  for (int n = 1; n <= 20; n++) {
    achd_abag_step(&a, &p, 1, 0);
    CHECK_NEAR(a.ebar, 1 - pow(0.9, n) * (1 + 0.1 * n), 20 * rounding);
  }
  achd_abag_reset(&a, &p, 0);
  achd_abag_step(&a, &p, 1, 0);
  CHECK_NEAR(a.ebar, 0.01, rounding);
  p.order = ACHD_ABAG_ORDER, a = (achd_abag){0};
  achd_abag_step(&a, &p, 1, 0);
  CHECK_NEAR(a.ebar, 1e-4, rounding);
  CHECK(achd_abag_valid(&p));
  p.order = ACHD_ABAG_ORDER + 1;
  CHECK(!achd_abag_valid(&p));
  p.order = -1;
  CHECK(!achd_abag_valid(&p));
}

/* A channel whose low-pass has no memory: ebar is the sign, or with a share what the test wants. */
static achd_abag_parameters with_ebar_of(double share) {
  achd_abag_parameters p = gen3;
  p.alpha = (achd_real)(1 - share); /* from 0 and s = 1: ebar = share */
  return p;
}

static void bias_moves_outside_its_dead_band(void) {
  const achd_abag_parameters p = with_ebar_of(0.001);
  CHECK_NEAR(after(&p, 0, 0.25, 0, 1, 0).bias, 0.25 + 0.000495, rounding);
  CHECK_NEAR(after(&p, 0, 0.25, 0, -1, 0).bias, 0.25 - 0.000495, rounding);
}

static void bias_holds_inside_its_dead_band(void) {
  const achd_abag_parameters p = with_ebar_of(0.0003);
  CHECK(after(&p, 0, 0.25, 0, 1, 0).bias == (achd_real)0.25);
  CHECK(after(&p, 0, 0.25, 0, -1, 0).bias == (achd_real)0.25);
}

static void bias_holds_at_the_threshold(void) {
  achd_abag_parameters p = gen3;
  p.alpha = (achd_real)0.5;
  p.bias_threshold = (achd_real)0.5; /* exact: ebar = 0.5 */
  CHECK(after(&p, 0, 0.25, 0, 1, 0).bias == (achd_real)0.25);
  CHECK(after(&p, 0, 0.25, 0, -1, 0).bias == (achd_real)0.25);
}

static void gain_grows_above_its_threshold_and_shrinks_below(void) {
  CHECK_NEAR(after(&gen3, 0.8, 0, 0.5, 1, 0).gain, 0.5 + 0.003152, rounding);
  CHECK_NEAR(after(&gen3, -0.8, 0, 0.5, -1, 0).gain, 0.5 + 0.003152, rounding);
  CHECK_NEAR(after(&gen3, 0.1, 0, 0.5, 1, 0).gain, 0.5 - 0.003152, rounding);
  CHECK_NEAR(after(&gen3, 0.1, 0, 0.5, -1, 0).gain, 0.5 - 0.003152, rounding);
}

static void gain_holds_at_the_threshold(void) {
  achd_abag_parameters p = gen3;
  p.alpha = (achd_real)0.5;
  p.gain_threshold = (achd_real)0.5;
  CHECK(after(&p, 0, 0, 0.25, 1, 0).gain == (achd_real)0.25);
}

/* The step takes this cycle's ebar, the command this cycle's bias and gain. */
static void command_is_bias_and_gain_by_the_sign(void) {
  for (int s = -1; s <= 1; s++) {
    const achd_abag a = after(&gen3, 0.7, 0.25, 0.5, s, 0);
    CHECK_NEAR(a.u, a.bias + a.gain * (achd_real)s, rounding);
    CHECK(a.bias != (achd_real)0.25 && a.gain != (achd_real)0.5);
  }
}

static void command_is_what_the_step_returns(void) {
  achd_abag a = {.bias = (achd_real)0.25};
  const achd_real u = achd_abag_step(&a, &gen3, 1, 0);
  CHECK(u == a.u);
}

static void limits_are_met(void) {
  achd_abag_parameters p = gen3;
  p.bias = (achd_range){(achd_real)-0.1, (achd_real)0.2};
  p.gain = (achd_range){(achd_real)0.05, (achd_real)0.3};
  p.u = (achd_range){(achd_real)-0.3, (achd_real)0.4};
  achd_abag a;
  achd_abag_reset(&a, &p, 0);
  for (int k = 0; k < 3000; k++) achd_abag_step(&a, &p, 1, 0);
  CHECK(a.bias == p.bias.upper && a.gain == p.gain.upper && a.u == p.u.upper && a.saturated == 1);
  for (int k = 0; k < 3000; k++) achd_abag_step(&a, &p, -1, 0);
  CHECK(a.bias == p.bias.lower && a.gain == p.gain.upper && a.u == p.u.lower && a.saturated == -1);
  for (int k = 0; k < 3000; k++) achd_abag_step(&a, &p, 0, 0);
  CHECK(a.gain == p.gain.lower && a.saturated == 0);
}

/* A bias that may only push. */
static void one_sided_bias_never_pulls(void) {
  achd_abag_parameters p = gen3;
  p.bias.lower = 0;
  achd_abag a = {0};
  for (int k = 0; k < 500; k++) achd_abag_step(&a, &p, -1, 0);
  CHECK(a.bias == 0 && a.u < 0);
}

static void bias_holds_on_the_saturated_side_only(void) {
  CHECK(after(&gen3, 0.9, 0.25, 0, 1, 1).bias == (achd_real)0.25);
  CHECK(after(&gen3, 0.9, 0.25, 0, 1, -1).bias > (achd_real)0.25);
  CHECK(after(&gen3, -0.9, 0.25, 0, -1, -1).bias == (achd_real)0.25);
  CHECK(after(&gen3, -0.9, 0.25, 0, -1, 1).bias < (achd_real)0.25);
}

static void gain_only_shrinks_while_saturated(void) {
  CHECK(after(&gen3, 0.9, 0, 0.5, 1, 1).gain == (achd_real)0.5);
  CHECK(after(&gen3, 0.9, 0, 0.5, 1, -1).gain == (achd_real)0.5);
  CHECK(after(&gen3, 0.1, 0, 0.5, 1, 1).gain < (achd_real)0.5);
}

/* A second of full command, then the error turns: held, the bias is where it was before. */
static void hold_leaves_no_windup(void) {
  achd_abag held = {.bias = (achd_real)0.3, .gain = 1}, free = held;
  for (int k = 0; k < 1000; k++) {
    achd_abag_step(&held, &gen3, 1, held.saturated);
    achd_abag_step(&free, &gen3, 1, 0);
  }
  CHECK_NEAR(held.bias, 0.3, 3 * 0.000495);
  CHECK_NEAR(free.bias, 0.795, 0.01);
  CHECK(held.u == 1 && free.u == 1);
}

/* With hold the channel does by itself what a caller does who passes its saturation. */
static void hold_is_on_the_channel_s_own_limits(void) {
  achd_abag_parameters holding = gen3;
  holding.hold = true;
  achd_abag own = {.bias = (achd_real)0.3, .gain = (achd_real)0.9}, passed = own, law = own;
  int differ = 0;
  for (int k = 0; k < 3000; k++) {
    const achd_real e = k % 1000 < 700 ? 1 : -1;
    achd_abag_step(&own, &holding, e, 0);
    achd_abag_step(&passed, &gen3, e, passed.saturated);
    achd_abag_step(&law, &gen3, e, 0);
    CHECK(own.bias == passed.bias && own.gain == passed.gain && own.u == passed.u);
    differ += own.bias != law.bias;
  }
  CHECK(differ > 1000);
}

/* What the command drives counts, whatever the channel's own limits say. */
static void saturation_that_is_passed_wins_over_the_channel_s_own(void) {
  achd_abag_parameters holding = gen3;
  holding.hold = true;
  achd_abag a = {.ebar = (achd_real)0.9, .bias = (achd_real)0.25, .saturated = 1};
  achd_abag b = a;
  achd_abag_step(&a, &holding, 1, -1);
  achd_abag_step(&b, &holding, 1, 0);
  CHECK(a.bias > (achd_real)0.25 && b.bias == (achd_real)0.25);
}

static void reset_starts_without_a_jump(void) {
  achd_abag a = {(achd_real)0.3, (achd_real)0.4, (achd_real)0.5, (achd_real)0.6, 1};
  achd_abag_reset(&a, &gen3, (achd_real)-0.2);
  CHECK(a.ebar == 0 && a.bias == (achd_real)-0.2 && a.gain == 0 && a.u == (achd_real)-0.2);
  CHECK(a.saturated == 0);
  achd_abag_reset(&a, &gen3, 7);
  CHECK(a.bias == 1 && a.u == 1);
  achd_abag_reset(&a, &gen3, (achd_real)NAN);
  CHECK(a.bias == 0 && a.u == 0);
}

static void an_error_that_is_no_number_changes_nothing(void) {
  static const double strange[] = {NAN, INFINITY, -INFINITY};
  for (int k = 0; k < 3; k++) {
    const achd_abag a = after(&gen3, 0.7, 0.25, 0.5, strange[k], 0);
    CHECK(a.ebar == (achd_real)0.7 && a.bias == (achd_real)0.25 && a.gain == (achd_real)0.5);
    CHECK(a.u == (achd_real)0.25 && a.saturated == 0);
  }
}

static void parameters_are_examined(void) {
  CHECK(achd_abag_valid(&gen3));
#define REFUSED(field, value)                                                                      \
  do {                                                                                             \
    achd_abag_parameters p = gen3;                                                                 \
    p.field = (achd_real)(value);                                                                  \
    CHECK(!achd_abag_valid(&p));                                                                   \
  } while (0)
  REFUSED(alpha, 1);
  REFUSED(alpha, -0.1);
  REFUSED(alpha, NAN);
  REFUSED(bias_threshold, -1e-3);
  REFUSED(bias_threshold, INFINITY);
  REFUSED(bias_step, -1e-3);
  REFUSED(gain_threshold, NAN);
  REFUSED(gain_step, -1e-3);
  REFUSED(bias.lower, 1.5);
  REFUSED(gain.upper, -0.5);
  REFUSED(u.upper, NAN);
  REFUSED(u.lower, -INFINITY);
}

/* A gain that may not be 0 begins at its least. */
static void reset_is_within_the_ranges(void) {
  achd_abag_parameters p = gen3;
  p.gain = (achd_range){(achd_real)0.25, 1};
  p.bias = (achd_range){(achd_real)-0.5, (achd_real)0.5};
  achd_abag a;
  achd_abag_reset(&a, &p, 2);
  CHECK(a.gain == (achd_real)0.25 && a.bias == (achd_real)0.5 && a.u == (achd_real)0.5);
}

int main(void) {
  RUN(low_pass_takes_the_sign_only);
  RUN(low_pass_reaches_the_sign);
  RUN(low_pass_may_be_of_a_higher_order);
  RUN(bias_moves_outside_its_dead_band);
  RUN(bias_holds_inside_its_dead_band);
  RUN(bias_holds_at_the_threshold);
  RUN(gain_grows_above_its_threshold_and_shrinks_below);
  RUN(gain_holds_at_the_threshold);
  RUN(command_is_bias_and_gain_by_the_sign);
  RUN(command_is_what_the_step_returns);
  RUN(limits_are_met);
  RUN(one_sided_bias_never_pulls);
  RUN(bias_holds_on_the_saturated_side_only);
  RUN(gain_only_shrinks_while_saturated);
  RUN(hold_leaves_no_windup);
  RUN(hold_is_on_the_channel_s_own_limits);
  RUN(saturation_that_is_passed_wins_over_the_channel_s_own);
  RUN(reset_starts_without_a_jump);
  RUN(an_error_that_is_no_number_changes_nothing);
  RUN(parameters_are_examined);
  RUN(reset_is_within_the_ranges);
  return test_end();
}
