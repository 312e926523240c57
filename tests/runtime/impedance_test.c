/* SPDX-License-Identifier: MIT */
/* impedance_test.c: springs and dampers by their definitions, and what they hold. */
#include <achd/impedance.h>

#include "test.h"

static const double rounding = 64 * ACHD_EPSILON;
static const double half_turn = 3.14159265358979323846;

static const achd_joint_impedance joint = {.stiffness = 100, .damping = 20, .largest = 30};

static double torque(double q_desired, double qd_desired, double q, double qd) {
  const achd_joint_state desired = {(achd_real)q_desired, (achd_real)qd_desired};
  const achd_joint_state measured = {(achd_real)q, (achd_real)qd};
  return (double)achd_joint_impedance_torque(&joint, &desired, &measured);
}

static void joint_is_a_spring_and_a_damper(void) {
  CHECK_NEAR(torque(0.5, 0, 0.25, 0), 25, rounding);
  CHECK_NEAR(torque(0, 0.5, 0, 0.25), 5, rounding);
  CHECK_NEAR(torque(0.5, 0.25, 0.25, 0.5), 20, rounding);
}

static void joint_is_limited_and_finite(void) {
  CHECK(torque(9, 0, 0, 0) == 30 && torque(-9, 0, 0, 0) == -30);
  CHECK(torque(NAN, 0, 0, 0) == 0 && torque(0, 0, INFINITY, 0) == 0 && torque(0, 0, 0, NAN) == 0);
}

static void turns_go_the_short_way(void) {
  const double far = 3, cases[][3] = {{-far, far, 2 * far - 2 * half_turn},
                                      {far, -far, 2 * half_turn - 2 * far},
                                      {0.5, 1, 0.5},
                                      {1, 0.5, -0.5}};
  for (int k = 0; k < 4; k++)
    CHECK_NEAR((double)achd_turn((achd_real)cases[k][0], (achd_real)cases[k][1]), cases[k][2],
               rounding);
  CHECK_NEAR((double)achd_turn(0, (achd_real)(0.25 + 6 * half_turn)), 0.25, rounding);
}

static const achd_cartesian_impedance soft = {.stiffness = {{100, 200, 300}, {10, 20, 30}},
                                              .damping = {{1, 2, 3}, {4, 5, 6}},
                                              .largest = {{1000, 1000, 1000}, {1000, 1000, 1000}}};
static const achd_rotation along_base = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
/* x of the impedance is y of the base, y is z, z is x */
static const achd_rotation turned = {{{0, 0, 1}, {1, 0, 0}, {0, 1, 0}}};
static const achd_pose home = {{0, 0, 0}, {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}};
static const achd_twist rest = {{0}, {0}};

static achd_pose pose(const double p[3], const double v[3]) {
  achd_pose result;
  const achd_real vector[3] = {(achd_real)v[0], (achd_real)v[1], (achd_real)v[2]};
  achd_rotation_exp(vector, &result.R);
  for (int i = 0; i < 3; i++) result.p[i] = (achd_real)p[i];
  return result;
}

static void frame_is_drawn_along_each_axis(void) {
  const achd_pose desired = pose((double[]){0.1, 0.2, -0.3}, (double[]){0, 0.5, 0});
  const achd_twist fast = {{1, 1, 1}, {-1, -1, -1}};
  achd_wrench w;
  CHECK(achd_cartesian_impedance_wrench(&soft, &along_base, &desired, &fast, &home, &rest, &w));
  const double lin[3] = {100 * 0.1 + 1, 200 * 0.2 + 2, -300 * 0.3 + 3};
  const double ang[3] = {-4, 20 * 0.5 - 5, -6};
  for (int i = 0; i < 3; i++) {
    CHECK_NEAR((double)w.lin[i], lin[i], 100 * rounding);
    CHECK_NEAR((double)w.ang[i], ang[i], 100 * rounding);
  }
}

static void axes_of_the_impedance_may_be_any(void) {
  const achd_pose desired = pose((double[]){0, 0.1, 0}, (double[]){0, 0, 0.5});
  achd_wrench w;
  CHECK(achd_cartesian_impedance_wrench(&soft, &turned, &desired, &rest, &home, &rest, &w));
  CHECK_NEAR((double)w.lin[1], 100 * 0.1, 100 * rounding); /* stiffness of its x */
  CHECK_NEAR((double)w.ang[2], 20 * 0.5, 100 * rounding);  /* of its y */
  CHECK(w.lin[0] == 0 && w.lin[2] == 0 && w.ang[0] == 0 && w.ang[1] == 0);
}

/* The base's x is the z of the impedance: its damping, the force along the base's x again. */
static void damping_is_along_the_axes_too(void) {
  achd_twist fast = rest;
  fast.lin[0] = 2;
  fast.ang[1] = -2; /* about the x of the impedance */
  achd_wrench w;
  CHECK(achd_cartesian_impedance_wrench(&soft, &turned, &home, &fast, &home, &rest, &w));
  const double wanted[6] = {3 * 2, 0, 0, 0, -4 * 2, 0};
  for (int i = 0; i < 3; i++) {
    CHECK_NEAR((double)w.lin[i], wanted[i], rounding);
    CHECK_NEAR((double)w.ang[i], wanted[3 + i], rounding);
  }
}

static void wrench_is_limited_along_its_axes(void) {
  achd_cartesian_impedance weak = soft;
  weak.largest.lin[0] = 5;
  weak.largest.ang[1] = 2;
  const achd_pose desired = pose((double[]){0, 9, 0}, (double[]){0, 0, -1});
  achd_wrench w;
  achd_cartesian_impedance_wrench(&weak, &turned, &desired, &rest, &home, &rest, &w);
  CHECK_NEAR((double)w.lin[1], 5, rounding);
  CHECK_NEAR((double)w.ang[2], -2, rounding);
}

static void strange_inputs_give_no_wrench(void) {
  const double nothing[3] = {0, 0, 0};
  achd_pose desired = pose(nothing, nothing), measured = desired;
  achd_twist twist = rest;
  achd_rotation axes = along_base;
  achd_real *const places[] = {&desired.p[1], &measured.R.m[2][0], &twist.ang[2], &axes.m[1][1]};
  for (int k = 0; k < 4; k++) {
    const achd_real before = *places[k];
    *places[k] = (achd_real)NAN;
    achd_wrench w = {{1, 1, 1}, {1, 1, 1}};
    CHECK(!achd_cartesian_impedance_wrench(&soft, &axes, &desired, &rest, &measured, &twist, &w));
    for (int i = 0; i < 3; i++) CHECK(w.lin[i] == 0 && w.ang[i] == 0);
    *places[k] = before;
  }
}

/* A spring and a damper that pull each with more than there is: no wrench, rather than a limit. */
static void overflow_gives_no_wrench(void) {
  const achd_real most = sizeof(achd_real) == 4 ? (achd_real)3e38 : (achd_real)1.7e308;
  const double nothing[3] = {0, 0, 0};
  achd_pose desired = pose(nothing, nothing);
  achd_twist fast = rest;
  desired.p[0] = most;
  fast.lin[0] = -most;
  achd_wrench w = {{1, 1, 1}, {1, 1, 1}};
  CHECK(!achd_cartesian_impedance_wrench(&soft, &along_base, &desired, &fast, &home, &rest, &w));
  for (int i = 0; i < 3; i++) CHECK(w.lin[i] == 0 && w.ang[i] == 0);
}

int main(void) {
  RUN(joint_is_a_spring_and_a_damper);
  RUN(joint_is_limited_and_finite);
  RUN(turns_go_the_short_way);
  RUN(frame_is_drawn_along_each_axis);
  RUN(axes_of_the_impedance_may_be_any);
  RUN(damping_is_along_the_axes_too);
  RUN(wrench_is_limited_along_its_axes);
  RUN(strange_inputs_give_no_wrench);
  RUN(overflow_gives_no_wrench);
  return test_end();
}
