/* SPDX-License-Identifier: MIT */
/* spatial_test.c: exponential and logarithm against a matrix series in long double, frames against
 * their definitions, and the structs of a generated header. */
#include <achd/spatial.h>

#include "random.h"
#include "test.h"

#ifdef ACHD_SINGLE
#include "gen3f_kinematics.h"
#define NAME(x) gen3f_##x
#else
#include "gen3_kinematics.h"
#define NAME(x) gen3_##x
#endif

/* Of numbers around 3: a few roundings; 4e-15 in double. */
static const double rounding = 16 * ACHD_EPSILON;

/* The exponential of [v] by its series, from the definition: sum of [v]^n / n!. */
static void exponential(const long double v[3], long double R[3][3]) {
  const long double V[3][3] = {{0, -v[2], v[1]}, {v[2], 0, -v[0]}, {-v[1], v[0], 0}};
  long double term[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  memcpy(R, term, sizeof term);
  for (int n = 1; n < 60; n++) {
    long double next[3][3] = {{0}};
    for (int i = 0; i < 3; i++)
      for (int j = 0; j < 3; j++) {
        for (int k = 0; k < 3; k++) next[i][j] += term[i][k] * V[k][j] / n;
        R[i][j] += next[i][j];
      }
    memcpy(term, next, sizeof term);
  }
}

static achd_rotation rounded(long double R[3][3]) {
  achd_rotation r;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) r.m[i][j] = (achd_real)R[i][j];
  return r;
}

/* A rotation vector of an angle about a random axis, the axis exact in achd_real. */
static void random_vector(unsigned long long *state, long double angle, achd_real v[3]) {
  double axis[3];
  random_direction(state, axis);
  for (int i = 0; i < 3; i++) v[i] = (achd_real)((long double)axis[i] * angle);
}

static void check_exponential(const achd_real v[3]) {
  const long double exact[3] = {v[0], v[1], v[2]};
  long double wanted[3][3];
  achd_rotation R;
  exponential(exact, wanted);
  achd_rotation_exp(v, &R);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) CHECK_NEAR((double)R.m[i][j], (double)wanted[i][j], rounding);
}

static void check_logarithm(const achd_real v[3]) {
  const long double exact[3] = {v[0], v[1], v[2]};
  long double R[3][3];
  achd_real got[3];
  exponential(exact, R);
  const achd_rotation r = rounded(R);
  achd_rotation_log(&r, got);
  for (int i = 0; i < 3; i++) CHECK_NEAR((double)got[i], (double)v[i], rounding);
}

static const long double pi = 3.14159265358979323846264L;

/* Angles of all sizes, near 0 and near pi. */
static long double some_angle(unsigned long long *state, int k) {
  const long double near = powl(10, -1 - 14 * (long double)random_number(state));
  return k % 3 == 0 ? near : k % 3 == 1 ? pi * (long double)random_number(state) : pi - near;
}

static void exponential_is_the_series(void) {
  unsigned long long state = 1;
  for (int k = 0; k < 3000; k++) {
    achd_real v[3];
    random_vector(&state, some_angle(&state, k), v);
    check_exponential(v);
  }
}

static void exponential_near_zero_keeps_relative_digits(void) {
  const achd_real v[3] = {(achd_real)1e-20, (achd_real)-2e-20, (achd_real)3e-20};
  achd_rotation R;
  achd_rotation_exp(v, &R);
  CHECK(R.m[2][1] == v[0] && R.m[0][2] == v[1] && R.m[1][0] == v[2]);
  CHECK(R.m[0][0] == 1 && R.m[1][1] == 1 && R.m[2][2] == 1);
}

static void logarithm_undoes_the_series(void) {
  unsigned long long state = 2;
  for (int k = 0; k < 3000; k++) {
    const long double angle = some_angle(&state, k);
    achd_real v[3];
    random_vector(&state, angle, v);
    if (pi - angle > (long double)(64 * ACHD_EPSILON)) check_logarithm(v); /* else see below */
  }
}

static void logarithm_near_zero_keeps_relative_digits(void) {
  achd_rotation R = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
  R.m[2][1] = (achd_real)1e-20;
  R.m[1][2] = (achd_real)-1e-20;
  achd_real v[3];
  achd_rotation_log(&R, v);
  CHECK_NEAR((double)v[0], 1e-20, 1e-20 * rounding);
  CHECK(v[1] == 0 && v[2] == 0);
}

/* Where v and -v are the same rotation, one of them comes out, with all digits of the axis. */
static void half_turns_come_back(void) {
  unsigned long long state = 3;
  for (int k = 0; k < 1000; k++) {
    achd_real v[3], got[3];
    random_vector(&state, pi, v);
    const long double exact[3] = {v[0], v[1], v[2]};
    long double R[3][3];
    exponential(exact, R);
    const achd_rotation r = rounded(R);
    achd_rotation_log(&r, got);
    const double same = (double)(got[0] * v[0] + got[1] * v[1] + got[2] * v[2]) < 0 ? -1 : 1;
    for (int i = 0; i < 3; i++) CHECK_NEAR(same * (double)got[i], (double)v[i], rounding);
  }
}

static void exact_half_turns_have_a_positive_largest_component(void) {
  static const achd_rotation about[3] = {{{{1, 0, 0}, {0, -1, 0}, {0, 0, -1}}},
                                         {{{-1, 0, 0}, {0, 1, 0}, {0, 0, -1}}},
                                         {{{-1, 0, 0}, {0, -1, 0}, {0, 0, 1}}}};
  for (int axis = 0; axis < 3; axis++) {
    achd_real v[3];
    achd_rotation_log(&about[axis], v);
    for (int i = 0; i < 3; i++) CHECK_NEAR((double)v[i], i == axis ? (double)pi : 0, rounding);
  }
}

static void identity_has_the_logarithm_zero(void) {
  const achd_rotation identity = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
  achd_real v[3];
  achd_rotation_log(&identity, v);
  CHECK(v[0] == 0 && v[1] == 0 && v[2] == 0);
}

static void no_number_stays_no_number(void) {
  const achd_real v[3] = {(achd_real)NAN, 0, 0};
  achd_rotation R = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
  achd_real back[3];
  R.m[1][2] = (achd_real)NAN;
  achd_rotation_log(&R, back);
  CHECK(!achd_finite(back[0]));
  achd_rotation_exp(v, &R);
  CHECK(!achd_finite(R.m[2][1]));
}

static achd_pose random_pose(unsigned long long *state) {
  achd_real v[3];
  achd_pose pose;
  random_vector(state, pi * (long double)random_number(state), v);
  achd_rotation_exp(v, &pose.R);
  for (int i = 0; i < 3; i++) pose.p[i] = (achd_real)(random_number(state) - 0.5);
  return pose;
}

static void check_same_pose(const achd_pose *a, const achd_pose *b) {
  for (int i = 0; i < 3; i++) {
    CHECK_NEAR((double)a->p[i], (double)b->p[i], rounding);
    for (int j = 0; j < 3; j++) CHECK_NEAR((double)a->R.m[i][j], (double)b->R.m[i][j], rounding);
  }
}

/* By the definition: where a point of the body is. */
static void products_of_poses_move_points(void) {
  unsigned long long state = 4;
  for (int k = 0; k < 100; k++) {
    const achd_pose ab = random_pose(&state), bc = random_pose(&state);
    achd_pose ac, again;
    achd_pose_product(&ab, &bc, &ac);
    for (int i = 0; i < 3; i++)
      for (int j = 0; j < 3; j++) {
        achd_real element = 0, point = ab.p[i];
        for (int n = 0; n < 3; n++) {
          element += ab.R.m[i][n] * bc.R.m[n][j];
          point += ab.R.m[i][n] * bc.p[n];
        }
        CHECK_NEAR((double)ac.R.m[i][j], (double)element, rounding);
        CHECK_NEAR((double)ac.p[i], (double)point, rounding);
      }
    achd_pose_relative(&ab, &ac, &again);
    check_same_pose(&again, &bc);
  }
}

static void difference_leads_from_one_pose_to_the_other(void) {
  unsigned long long state = 5;
  for (int k = 0; k < 100; k++) {
    const achd_pose from = random_pose(&state), to = random_pose(&state);
    achd_twist difference;
    achd_pose_difference(&from, &to, &difference);
    achd_pose reached;
    achd_rotation turn;
    achd_rotation_exp(difference.ang, &turn);
    achd_rotation_product(&turn, &from.R, &reached.R);
    for (int i = 0; i < 3; i++) reached.p[i] = from.p[i] + difference.lin[i];
    check_same_pose(&reached, &to);
  }
}

static void difference_of_twists_is_by_component(void) {
  const achd_twist from = {{1, 2, 3}, {4, 5, 6}}, to = {{2, 4, 6}, {0, 0, 7}};
  achd_twist d;
  achd_twist_difference(&from, &to, &d);
  CHECK(d.lin[0] == 1 && d.lin[1] == 2 && d.lin[2] == 3);
  CHECK(d.ang[0] == -4 && d.ang[1] == -5 && d.ang[2] == 1);
}

/* A force of 2 along y at x = 3 has the moment 6 about z. */
static void shifted_wrench_has_the_lever_s_moment(void) {
  const achd_wrench at_tip = {{0, 2, 0}, {0, 0, 1}};
  const achd_real tip[3] = {3, 0, 0}, origin[3] = {0, 0, 0};
  achd_wrench w;
  achd_wrench_shift(&at_tip, tip, origin, &w);
  CHECK(w.lin[1] == 2 && w.ang[0] == 0 && w.ang[1] == 0 && w.ang[2] == 7);
}

/* Poses that generated code computed, and the twist between two of them. */
static void structs_of_generated_headers_are_taken_over(void) {
  NAME(fk_in)
  at = {.q = {1, (achd_real)0.3, 2, (achd_real)-1.2, (achd_real)0.4, 1, (achd_real)0.1}};
  NAME(fvk_in) moving = {0};
  NAME(fk_out) fk, later;
  NAME(fvk_out) fvk;
  const double step = sizeof(achd_real) == sizeof(float) ? 1e-3 : 1e-6;
  memcpy(moving.q, at.q, sizeof at.q);
  NAME(fk)(&at, &fk);
  for (int j = 0; j < 7; j++) {
    moving.qd[j] = (achd_real)(0.1 * (j - 3));
    at.q[j] += (achd_real)step * moving.qd[j];
  }
  NAME(fk)(&at, &later);
  NAME(fvk)(&moving, &fvk);

  const achd_pose a = ACHD_POSE_OF(fk.pose.tool_frame), b = ACHD_POSE_OF(later.pose.tool_frame);
  const achd_twist twist = ACHD_TWIST_OF(fvk.twist.tool_frame);
  CHECK(a.p[1] == fk.pose.tool_frame.p[1] && a.R.m[2][1] == fk.pose.tool_frame.R[2][1]);
  achd_twist difference;
  achd_pose_difference(&a, &b, &difference);
  const double allowed = 10 * ACHD_EPSILON / step + 10 * step;
  for (int i = 0; i < 3; i++) {
    CHECK_NEAR((double)difference.lin[i] / step, (double)twist.lin[i], allowed);
    CHECK_NEAR((double)difference.ang[i] / step, (double)twist.ang[i], allowed);
  }

  NAME(wrench) push = {{0}, {0}};
  const achd_wrench given = {{1, 2, 3}, {4, 5, 6}};
  ACHD_PUT_WRENCH(push, given);
  const achd_wrench back = ACHD_WRENCH_OF(push);
  CHECK(push.lin[2] == 3 && push.ang[0] == 4);
  CHECK(memcmp(&back, &given, sizeof back) == 0);
  CHECK(sizeof(achd_pose) == sizeof(NAME(pose)) && sizeof(achd_twist) == sizeof(NAME(twist)));
}

int main(void) {
  RUN(exponential_is_the_series);
  RUN(exponential_near_zero_keeps_relative_digits);
  RUN(logarithm_undoes_the_series);
  RUN(logarithm_near_zero_keeps_relative_digits);
  RUN(half_turns_come_back);
  RUN(exact_half_turns_have_a_positive_largest_component);
  RUN(identity_has_the_logarithm_zero);
  RUN(no_number_stays_no_number);
  RUN(products_of_poses_move_points);
  RUN(difference_leads_from_one_pose_to_the_other);
  RUN(difference_of_twists_is_by_component);
  RUN(shifted_wrench_has_the_lever_s_moment);
  RUN(structs_of_generated_headers_are_taken_over);
  return test_end();
}
