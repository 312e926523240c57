/* SPDX-License-Identifier: MIT */
/* predict_test.c: a constant twist by its definition and in small steps; what the limit monitor
 * sees. */
#include <achd/predict.h>

#include "test.h"

static const double rounding = 64 * ACHD_EPSILON;

static achd_pose pose_of(double x, double y, double z, double a, double b, double c) {
  const achd_real v[3] = {(achd_real)a, (achd_real)b, (achd_real)c};
  achd_pose pose = {.p = {(achd_real)x, (achd_real)y, (achd_real)z}};
  achd_rotation_exp(v, &pose.R);
  return pose;
}

static const achd_twist moving = {{(achd_real)0.1, (achd_real)-0.2, (achd_real)0.3},
                                  {(achd_real)0.4, (achd_real)0.5, (achd_real)-0.6}};

static void check_same(const achd_pose *a, const achd_pose *b, double tolerance) {
  for (int i = 0; i < 3; i++) {
    CHECK_NEAR((double)a->p[i], (double)b->p[i], tolerance);
    for (int j = 0; j < 3; j++) CHECK_NEAR((double)a->R.m[i][j], (double)b->R.m[i][j], tolerance);
  }
}

/* The sum of many small steps, each with the exponential to first order: R' = [w] R. */
static void constant_twist_is_what_small_steps_add_up_to(void) {
  achd_pose here = pose_of(1, 2, 3, 0.3, -1, 0.7), there;
  achd_pose_predict(&here, &moving, NULL, (achd_real)2.5, &there);
  enum { STEPS = 200000 };
  double R[3][3], p[3];
  for (int i = 0; i < 3; i++) {
    p[i] = (double)here.p[i] + 2.5 * (double)moving.lin[i];
    for (int j = 0; j < 3; j++) R[i][j] = (double)here.R.m[i][j];
  }
  const double dt = 2.5 / STEPS;
  for (int k = 0; k < STEPS; k++)
    for (int j = 0; j < 3; j++) { /* columns turn: c' = w x c, midpoint rule */
      const double w[3] = {(double)moving.ang[0], (double)moving.ang[1], (double)moving.ang[2]};
      const double c[3] = {R[0][j], R[1][j], R[2][j]};
      double middle[3];
      for (int i = 0; i < 3; i++) {
        const int n = (i + 1) % 3, m = (i + 2) % 3;
        middle[i] = c[i] + dt / 2 * (w[n] * c[m] - w[m] * c[n]);
      }
      for (int i = 0; i < 3; i++) {
        const int n = (i + 1) % 3, m = (i + 2) % 3;
        R[i][j] = c[i] + dt * (w[n] * middle[m] - w[m] * middle[n]);
      }
    }
  for (int i = 0; i < 3; i++) {
    CHECK_NEAR((double)there.p[i], p[i], 4 * rounding);
    for (int j = 0; j < 3; j++) CHECK_NEAR((double)there.R.m[i][j], R[i][j], 1e-9 + rounding);
  }
}

static void no_horizon_changes_nothing(void) {
  const achd_pose here = pose_of(1, 2, 3, 0.3, -1, 0.7);
  achd_pose there;
  achd_pose_predict(&here, &moving, &moving, 0, &there);
  check_same(&here, &there, 0);
}

/* The body-fixed angular velocity turns the body about its own axes. */
static void exponential_of_the_body_s_velocity_is_the_same(void) {
  const achd_pose here = pose_of(0, 0, 0, 2, 1, -1);
  achd_real w[3], turn[3];
  achd_rotate_back(&here.R, moving.ang, w);
  for (int i = 0; i < 3; i++) turn[i] = w[i] * (achd_real)1.5;
  achd_rotation step, product;
  achd_pose there;
  achd_rotation_exp(turn, &step);
  achd_rotation_product(&here.R, &step, &product);
  achd_pose_predict(&here, &moving, NULL, (achd_real)1.5, &there);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      CHECK_NEAR((double)there.R.m[i][j], (double)product.m[i][j], rounding);
}

static void accelerations_add_half_the_square(void) {
  const achd_twist rest = {{0}, {0}}, pushed = {{2, 0, -4}, {0, 0, 1}};
  const achd_pose here = pose_of(1, 1, 1, 0, 0, 0), wanted = pose_of(2, 1, -1, 0, 0, 0.5);
  achd_pose there;
  achd_pose_predict(&here, &rest, &pushed, 1, &there);
  check_same(&there, &wanted, rounding);
}

static const achd_joint_limits limits = {-1, 2, (achd_real)1.5};

static unsigned ahead(double q, double qd, double qdd) {
  return achd_joint_ahead(&limits, (achd_real)q, (achd_real)qd, (achd_real)qdd, (achd_real)0.125);
}

static void joint_within_its_limits_is_free(void) {
  CHECK(ahead(0, 1, 1) == ACHD_JOINT_FREE);
  CHECK(ahead(0, -1, -1) == ACHD_JOINT_FREE);
}

static void limits_are_met_now_after_one_step_and_after_two(void) {
  CHECK(ahead(2, 0, 0) == ACHD_JOINT_UPPER);
  CHECK(ahead(-1, 0, 0) == ACHD_JOINT_LOWER);
  CHECK(ahead(1.875, 1, 0) == ACHD_JOINT_UPPER); /* after one */
  CHECK(ahead(1.75, 1, 0) == ACHD_JOINT_UPPER);  /* after two: 1.75 + 2 / 8 */
  CHECK(ahead(1.749, 1, 0) == ACHD_JOINT_FREE);
  CHECK(ahead(-0.75, -1, 0) == ACHD_JOINT_LOWER);
  CHECK(ahead(-0.749, -1, 0) == ACHD_JOINT_FREE);
  CHECK(ahead(0, 1.5, 0) == ACHD_JOINT_VELOCITY);
  CHECK(ahead(0, 1.5, -2) == ACHD_JOINT_VELOCITY); /* now, though no more after a step */
  CHECK(ahead(0, 1, 2) == ACHD_JOINT_VELOCITY);    /* 1 + 2 * 2 / 8 */
  CHECK(ahead(0, 1, 1.99) == ACHD_JOINT_FREE);
  CHECK(ahead(0, -1, -2) == ACHD_JOINT_VELOCITY);
}

/* q + qd t + 1/2 qdd t^2 after two steps of 1/8: 1.75 + 1/2 qdd / 16 */
static void acceleration_counts_for_the_position(void) {
  CHECK(ahead(1.9375, 0, 2) == ACHD_JOINT_UPPER);
  CHECK(ahead(1.9375, 0, 1.99) == ACHD_JOINT_FREE);
  CHECK(ahead(1.5, 1.4, 1) == (ACHD_JOINT_VELOCITY));
  CHECK(ahead(1.7, 1.4, 1) == (ACHD_JOINT_UPPER | ACHD_JOINT_VELOCITY));
}

/* From at or beyond a limit back; outwards, or at rest there, the limit is met. */
static void joint_may_come_back_from_beyond_a_limit(void) {
  static const double places[] = {2, 2.1, 5};
  for (int k = 0; k < 3; k++) {
    CHECK(ahead(places[k], -0.1, 0) == ACHD_JOINT_FREE);
    CHECK(ahead(places[k], -0.1, -1) == ACHD_JOINT_FREE);
    CHECK(ahead(places[k], 0, -1) == ACHD_JOINT_FREE);
    CHECK(ahead(places[k], 0.1, -0.1) == ACHD_JOINT_UPPER);
    CHECK(ahead(places[k], -0.1, 2) == ACHD_JOINT_UPPER); /* turns around within two periods */
    CHECK(ahead(places[k], 0, 0) == ACHD_JOINT_UPPER);
    CHECK(ahead(-places[k], 0.1, 0) == ACHD_JOINT_FREE);
    CHECK(ahead(-places[k], 0, 1) == ACHD_JOINT_FREE);
    CHECK(ahead(-places[k], -0.1, 0.1) == ACHD_JOINT_LOWER);
    CHECK(ahead(-places[k], 0, 0) == ACHD_JOINT_LOWER);
  }
}

static unsigned braking(double deceleration, double q, double qd, double qdd) {
  return achd_joint_braking(&limits, (achd_real)deceleration, (achd_real)q, (achd_real)qd,
                            (achd_real)qdd, (achd_real)0.125);
}

/* qd = 1, two periods of 1/8: 1/4; then 1 / (2 a) */
static void braking_distance_counts(void) {
  CHECK(braking(1, 1.25, 1, 0) == ACHD_JOINT_UPPER);
  CHECK(braking(1, 1.249, 1, 0) == ACHD_JOINT_FREE);
  CHECK(braking(2, 1.5, 1, 0) == ACHD_JOINT_UPPER);
  CHECK(braking(2, 1.499, 1, 0) == ACHD_JOINT_FREE);
  CHECK(braking(1, -0.25, -1, 0) == ACHD_JOINT_LOWER);
  CHECK(braking(1, -0.249, -1, 0) == ACHD_JOINT_FREE);
  CHECK(braking(1, 1.9, -0.1, 0) == ACHD_JOINT_FREE); /* away from it */
  CHECK(braking(1, -0.9, 1, 0) == ACHD_JOINT_FREE);
  CHECK(braking(1, 3, -1, 0) == ACHD_JOINT_FREE); /* back from beyond it */
}

/* The velocity that counts is that after the two periods, in which the joint still speeds up. */
static void braking_begins_after_the_two_periods(void) {
  CHECK(braking(1, 1.249, 0.75, 1) == ACHD_JOINT_FREE); /* 1 then, 0.21875 farther */
  CHECK(braking(1, 1.2815, 0.75, 1) == ACHD_JOINT_UPPER);
}

static void no_deceleration_looks_two_periods_ahead(void) {
  CHECK(braking(0, 1.7, 1, 0) == ACHD_JOINT_FREE && braking(0, 1.75, 1, 0) == ACHD_JOINT_UPPER);
  CHECK(braking(-1, 1.7, 1, 0) == ACHD_JOINT_FREE && braking(NAN, 1.7, 1, 0) == ACHD_JOINT_FREE);
  CHECK(braking(1, NAN, 1, 0) == ACHD_JOINT_NOT_FINITE);
}

static void joint_without_limits_is_free(void) {
  const achd_joint_limits none = {-(achd_real)INFINITY, (achd_real)INFINITY, (achd_real)INFINITY};
  CHECK(achd_joint_ahead(&none, 1000, 1000, 1000, 1) == ACHD_JOINT_FREE);
}

static void strange_states_are_told(void) {
  CHECK(ahead(NAN, 0, 0) == ACHD_JOINT_NOT_FINITE);
  CHECK(ahead(0, INFINITY, 0) == ACHD_JOINT_NOT_FINITE);
  CHECK(ahead(0, 0, -INFINITY) == ACHD_JOINT_NOT_FINITE);
  CHECK(achd_joint_ahead(&limits, 0, 0, 0, (achd_real)NAN) == ACHD_JOINT_NOT_FINITE);
}

int main(void) {
  RUN(constant_twist_is_what_small_steps_add_up_to);
  RUN(no_horizon_changes_nothing);
  RUN(exponential_of_the_body_s_velocity_is_the_same);
  RUN(accelerations_add_half_the_square);
  RUN(joint_within_its_limits_is_free);
  RUN(limits_are_met_now_after_one_step_and_after_two);
  RUN(acceleration_counts_for_the_position);
  RUN(joint_may_come_back_from_beyond_a_limit);
  RUN(braking_distance_counts);
  RUN(braking_begins_after_the_two_periods);
  RUN(no_deceleration_looks_two_periods_ahead);
  RUN(joint_without_limits_is_free);
  RUN(strange_states_are_told);
  return test_end();
}
