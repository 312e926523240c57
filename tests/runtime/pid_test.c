/* SPDX-License-Identifier: MIT */
/* pid_test.c: every term of the PID and of the cascade, their limits, and what they make of a mass.
 */
#include <achd/pid.h>

#include "test.h"

static const double rounding = 64 * ACHD_EPSILON;

static const achd_pid_parameters plain = {
    .proportional = 3, .integral = 2, .derivative = 5, .lower = -100, .upper = 100};

static void first_step_has_no_derivative(void) {
  achd_pid pid = {0};
  CHECK_NEAR((double)achd_pid_step(&pid, &plain, 4, (achd_real)0.5), 3 * 4 + 2 * 4 * 0.5, rounding);
}

static void terms_add_up(void) {
  achd_pid pid = {0};
  achd_pid_step(&pid, &plain, 1, (achd_real)0.5);
  const achd_real u = achd_pid_step(&pid, &plain, 2, (achd_real)0.5);
  CHECK_NEAR((double)u, 3 * 2 + 2 * (1 + 2) * 0.5 + 5 * (2 - 1) / 0.5, rounding);
}

/* A ramp's slope through the low-pass: the exact answer of backward Euler. */
static void derivative_is_filtered(void) {
  achd_pid_parameters p = {.derivative = 1, .filter = (achd_real)0.1, .lower = -9, .upper = 9};
  achd_pid pid = {0};
  double wanted = 0;
  achd_real u = 0;
  for (int k = 0; k < 50; k++) {
    u = achd_pid_step(&pid, &p, (achd_real)(0.01 * k * 2), (achd_real)0.01);
    wanted = k == 0 ? 0 : (wanted * 0.1 + 2 * 0.01) / 0.11;
  }
  CHECK_NEAR((double)u, wanted, 1000 * rounding);
  CHECK_NEAR((double)u, 2, 0.02);
}

static void command_is_limited_and_the_integral_holds(void) {
  achd_pid_parameters p = plain;
  p.derivative = 0, p.upper = 1, p.lower = -2;
  achd_pid pid = {0};
  for (int k = 0; k < 1000; k++) CHECK(achd_pid_step(&pid, &p, 7, (achd_real)0.01) == 1);
  CHECK(pid.sum <= 0);
  for (int k = 0; k < 1000; k++) CHECK(achd_pid_step(&pid, &p, -7, (achd_real)0.01) == -2);
  CHECK(pid.sum >= 0);
  CHECK_NEAR((double)achd_pid_step(&pid, &p, (achd_real)0.1, (achd_real)0.01), 0.302,
             10 * rounding);
}

static void strange_inputs_leave_the_state(void) {
  static const double strange[] = {NAN, INFINITY, -INFINITY};
  achd_pid pid = {0};
  achd_pid_step(&pid, &plain, 1, (achd_real)0.5);
  const achd_pid before = pid;
  for (int k = 0; k < 3; k++) {
    CHECK(achd_pid_step(&pid, &plain, (achd_real)strange[k], 1) == before.sum);
    CHECK(achd_pid_step(&pid, &plain, 1, (achd_real)strange[k]) == before.sum);
  }
  CHECK(achd_pid_step(&pid, &plain, 1, 0) == before.sum);
  CHECK(achd_pid_step(&pid, &plain, 1, -1) == before.sum);
  CHECK(pid.error == before.error && pid.derivative == before.derivative && pid.sum == before.sum);
  achd_pid_reset(&pid);
  CHECK(pid.sum == 0 && pid.error == 0 && !pid.running);
}

/* Errors that are finite but overflow a term: no state becomes infinite or NaN, and what comes
 * after is as if they had not been. */
static void huge_errors_leave_the_state(void) {
  const achd_real most = sizeof(achd_real) == 4 ? (achd_real)1e38 : (achd_real)1e308;
  achd_pid_parameters p = {.proportional = 40,
                           .integral = (achd_real)1e4,
                           .derivative = 3,
                           .filter = (achd_real)0.01,
                           .lower = -50,
                           .upper = 50};
  const achd_real errors[] = {most, -most, most / 4, -most, most, 0, -most / 64, most};
  for (int terms = 1; terms < 8; terms++) {
    p.proportional = terms & 1 ? 40 : 0;
    p.integral = terms & 2 ? (achd_real)1e4 : 0;
    p.derivative = terms & 4 ? 3 : 0;
    achd_pid pid = {0}, spared = {0};
    for (int k = 0; k < 4; k++) {
      achd_pid_step(&pid, &p, (achd_real)0.5, (achd_real)1e-3);
      achd_pid_step(&spared, &p, (achd_real)0.5, (achd_real)1e-3);
    }
    for (int k = 0; k < 8; k++) {
      const achd_real u = achd_pid_step(&pid, &p, errors[k], (achd_real)1e-3);
      CHECK(u >= -50 && u <= 50);
      CHECK(isfinite(pid.sum) && isfinite(pid.error) && isfinite(pid.derivative));
    }
    if (terms == 7) {
      pid = spared;
      CHECK(achd_pid_step(&pid, &p, most, (achd_real)1e-3) == spared.sum);
      CHECK(pid.error == spared.error && pid.derivative == spared.derivative);
      CHECK(achd_pid_step(&pid, &p, 1, (achd_real)1e-3) ==
            achd_pid_step(&spared, &p, 1, (achd_real)1e-3));
    }
  }
}

/* 2 kg against 5 N: no steady error, and the integral is the 5 N. */
static void integral_bears_a_steady_load(void) {
  const achd_pid_parameters p = {.proportional = 200,
                                 .integral = 300,
                                 .derivative = 40,
                                 .filter = (achd_real)0.002,
                                 .lower = -50,
                                 .upper = 50};
  achd_pid pid = {0};
  double x = 0, v = 0;
  for (int k = 0; k < 10000; k++) {
    const double u = (double)achd_pid_step(&pid, &p, (achd_real)(1 - x), (achd_real)1e-3);
    v += (u - 5) / 2 * 1e-3;
    x += v * 1e-3;
  }
  CHECK_NEAR(x, 1, 1e-4);
  CHECK_NEAR((double)pid.sum, 5, 0.05);
}

static const achd_cascade_parameters cascade = {
    .position_gain = 4, .velocity_gain = 10, .largest_speed = 2, .lower = -15, .upper = 12};

static void cascade_is_a_product_of_gains(void) {
  CHECK_NEAR((double)achd_cascade(&cascade, (achd_real)0.25, (achd_real)0.5, 0), 10 * (1 - 0.5),
             rounding);
  CHECK_NEAR((double)achd_cascade(&cascade, 0, (achd_real)0.5, (achd_real)0.75), 2.5, rounding);
}

static void cascade_limits_speed_and_command(void) {
  CHECK_NEAR((double)achd_cascade(&cascade, 100, (achd_real)1.5, 0), 10 * (2 - 1.5), rounding);
  CHECK_NEAR((double)achd_cascade(&cascade, -100, (achd_real)-1.5, 0), -5, rounding);
  CHECK_NEAR((double)achd_cascade(&cascade, 100, (achd_real)1.5, 1), 5, rounding);
  CHECK_NEAR((double)achd_cascade(&cascade, 0, (achd_real)1.5, 100), 5, rounding);
  CHECK(achd_cascade(&cascade, 100, 0, 0) == 12);
  CHECK(achd_cascade(&cascade, -100, 0, 0) == -15);
}

static void cascade_of_strange_inputs_is_nothing(void) {
  CHECK(achd_cascade(&cascade, (achd_real)NAN, 0, 0) == 0);
  CHECK(achd_cascade(&cascade, 0, (achd_real)INFINITY, 0) == 0);
  CHECK(achd_cascade(&cascade, 0, 0, (achd_real)-INFINITY) == 0);
}

/* One kilogram to 1 m: never faster than the limit, no overshoot, there after two seconds. */
static void cascade_moves_a_mass(void) {
  double x = 0, v = 0, fastest = 0, farthest = 0;
  for (int k = 0; k < 3000; k++) {
    v += (double)achd_cascade(&cascade, (achd_real)(1 - x), (achd_real)v, 0) * 1e-3;
    x += v * 1e-3;
    fastest = fmax(fastest, v), farthest = fmax(farthest, x);
  }
  CHECK_NEAR(x, 1, 1e-3);
  CHECK(fastest < 2 && farthest < 1.02);
}

int main(void) {
  RUN(first_step_has_no_derivative);
  RUN(terms_add_up);
  RUN(derivative_is_filtered);
  RUN(command_is_limited_and_the_integral_holds);
  RUN(strange_inputs_leave_the_state);
  RUN(huge_errors_leave_the_state);
  RUN(integral_bears_a_steady_load);
  RUN(cascade_is_a_product_of_gains);
  RUN(cascade_limits_speed_and_command);
  RUN(cascade_of_strange_inputs_is_nothing);
  RUN(cascade_moves_a_mass);
  return test_end();
}
