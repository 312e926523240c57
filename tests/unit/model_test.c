/* SPDX-License-Identifier: MIT */
/* model_test.c: the tree in SI numbers, and snapping. What is refused, and what is warned of, is in
 * bad/. */
#define _POSIX_C_SOURCE 200809L
#include "model/model.h"
#include "model/pose.h"

#include "robot_text.h"
#include "test.h"

static const double PI = 3.14159265358979323846;

/* --- the tree --------------------------------------------------------------------------------- */

static void names_become_identifiers(void) {
  CHECK(build(arm(), true));
  CHECK_TEXT(model.name, "test-robot");
  CHECK_TEXT(model.id, "test_robot");
  CHECK_TEXT(model.links[1].id, "upper");
  CHECK_TEXT(model.links[1].joint.id, "to_upper");
  CHECK(model.links[0].joint.name == NULL && model.links[0].joint.type == AG_FIXED);
}

static void links_stand_depth_first_in_the_order_of_the_joints(void) {
  CHECK(build(JOIN(solid("c"), solid("b1"), solid("root"), solid("a"), solid("b"), solid("b2"),
                   joint("fixed", "b", "b2", ""), joint("fixed", "root", "b", ""),
                   joint("fixed", "b", "b1", ""), joint("fixed", "root", "a", ""),
                   joint("fixed", "a", "c", "")),
              true));
  static const char *const ORDER[] = {"root", "b", "b2", "b1", "a", "c"};
  for (int i = 0; i < 6; ++i) CHECK_TEXT(model.links[i].name, ORDER[i]);
  for (int i = 1; i < 6; ++i) CHECK(model.links[i].parent < i);
  CHECK(model.links[0].parent == -1 && model.links[4].parent == 0 && model.links[5].parent == 4);
}

static void long_chains_need_no_deep_stack(void) {
  const int links = 9000;
  char *text = ag_alloc(&arena, (size_t)links * 200), *end = text;
  for (int i = 0; i < links; ++i) end += sprintf(end, "<link name='l%d'/>\n", i);
  for (int i = 1; i < links; ++i)
    end += sprintf(end,
                   "<joint name='j%d' type='fixed'><parent link='l%d'/><child link='l%d'/>"
                   "</joint>\n",
                   i, i - 1, i);
  CHECK(build(text, true));
  CHECK(model.links[links - 1].parent == links - 2);
}

static void joints_are_found_by_name(void) {
  CHECK(build(arm(), true));
  CHECK(ag_model_joint(&model, "to_tool") == 3 && ag_model_joint(&model, "tool") == -1);
}

static void axes_are_unit_vectors(void) {
  CHECK(build(JOIN(solid("a"), solid("b"), joint("continuous", "a", "b", "<axis xyz='3 0 4'/>")),
              true));
  const double *axis = model.links[1].joint.axis;
  CHECK_NEAR(axis[0], 0.6, 1e-16);
  CHECK_NEAR(axis[2], 0.8, 1e-16);
  CHECK(model.nwarnings == 1);
}

static void axes_of_any_length_stay_exact_along_a_coordinate(void) {
  static const char *const AXES[] = {"0 -1e300 0", "0 -1e-300 0", "0 -1 0", "0 -0.57735 -0"};
  for (int i = 0; i < 4; ++i) {
    const char *axis = ag_printf(&arena, "<axis xyz='%s'/>", AXES[i]);
    CHECK(build(JOIN(solid("a"), solid("b"), joint("continuous", "a", "b", axis)), true));
    CHECK(model.links[1].joint.axis[1] == -1 && !signbit(model.links[1].joint.axis[2]));
  }
}

static void missing_limits_are_none(void) {
  CHECK(build(JOIN(solid("a"), solid("b"),
                   joint("revolute", "a", "b", "<limit lower='-1' upper='2' effort='0'/>")),
              true));
  const ag_limits *limits = &model.links[1].joint.limits;
  CHECK(limits->lower == -1 && limits->upper == 2);
  CHECK(isnan(limits->effort) && isnan(limits->velocity));
}

static void warnings_stand_in_the_order_of_lines(void) {
  CHECK(build(JOIN(solid("a"), solid("b"), joint("revolute", "a", "b", ""), "<x/>", solid("c"),
                   joint("prismatic", "b", "c", ""), "<y/>"),
              true));
  CHECK(model.nwarnings == 4);
  for (int i = 1; i < model.nwarnings; ++i)
    CHECK(model.warnings[i - 1].line <= model.warnings[i].line);
}

static void mimics_of_mimics_follow_the_first_leader(void) {
  CHECK(build(JOIN(solid("a"), solid("b"), solid("c"), solid("d"),
                   joint("continuous", "a", "d", "<mimic joint='to_c' multiplier='2' offset='3'/>"),
                   joint("continuous", "a", "c", "<mimic joint='to_b' multiplier='5' offset='7'/>"),
                   joint("continuous", "a", "b", "")),
              true));
  const ag_joint *last = &model.links[link_of("d")].joint;
  CHECK(last->mimic == link_of("b"));
  CHECK(last->multiplier == 10 && last->offset == 17);
  CHECK(model.links[link_of("b")].joint.mimic == -1);
}

/* --- snapping --------------------------------------------------------------------------------- */

static void angles_are_snapped_by_their_digits(void) {
  static const struct {
    double value;
    int decimals, k; /* 99: not snapped */
  } CASES[] = {{3.1416, 4, 4},
               {1.5708, 4, 2},
               {0.7854, 4, 1},
               {-1.5708, 4, -2},
               {3.14159265358979, 14, 4},
               {-1.5707963, 7, -2},
               {1.57079632679, 11, 2},
               {-3.14159265359, 11, -4},
               {2.356194490192345, 15, 3},
               {1.5707963267948966, 16, 2},
               {1.5707963267948966, 30, 2},
               {6.2832, 4, 8},
               {1.57080, 5, 2},
               {0, 0, 0},
               {9e-10, 10, 0},
               {-2.7629e-18, 22, 0},
               {0.8, 1, 99},
               {1.571, 3, 99},
               {3.14, 2, 99},
               {1.57079, 5, 2}, /* cut off, not rounded */
               {-1.57079, 5, -2},
               {0.78539, 5, 1},
               {3.141592, 6, 4},
               {1.570796326, 9, 2},
               {1.57078, 5, 99}, /* neither */
               {1.570798, 6, 99},
               {3.1415, 4, 99}, /* cut off, but four decimals may be meant */
               {1.570800, 6, 99},
               {1.5707, 4, 99},
               {3.14159265, 9, 99},
               {1e-8, 8, 99},
               {0.0001, 4, 99},
               {2.548180707911721, 15, 99},
               {62.8319, 4, 99}};
  for (size_t i = 0; i < sizeof CASES / sizeof *CASES; ++i) {
    int k = 99;
    const bool snapped = ag_snap_angle((ag_decimal){CASES[i].value, CASES[i].decimals}, &k);
    CHECK((snapped ? k : 99) == CASES[i].k);
  }
}

/* The pose of the joint of a robot with two links. */
static ag_pose pose_of(const char *origin, bool snap) {
  const char *in = ag_printf(&arena, "<origin %s/><axis xyz='0 0 1'/>", origin);
  CHECK(build(JOIN(solid("a"), solid("b"), joint("continuous", "a", "b", in)), snap));
  return model.links[1].joint.origin;
}

/* Of all 64: each is a signed permutation, and turns unit vectors as three quarter turns do. */
static void quarter_turns_are_exact(void) {
  static const char *const QUARTERS[] = {"0", "1.5708", "3.14159", "-1.5707963267948966"};
  static const double ANGLES[] = {0, PI / 2, PI, -PI / 2};
  for (int n = 0; n < 64; ++n) {
    const int r = n % 4, p = n / 4 % 4, y = n / 16;
    const ag_pose pose =
        pose_of(ag_printf(&arena, "rpy='%s %s %s'", QUARTERS[r], QUARTERS[p], QUARTERS[y]), true);
    for (int j = 0; j < 3; ++j) {
      const double rpy[3] = {ANGLES[r], ANGLES[p], ANGLES[y]};
      const double unit[3] = {j == 0, j == 1, j == 2};
      double column[3];
      turned(rpy, unit, column);
      for (int i = 0; i < 3; ++i) {
        CHECK(pose.R[i][j] == round(column[i]));
        CHECK(pose.R[i][j] != 0 || !signbit(pose.R[i][j]));
      }
    }
  }
}

static void without_snapping_numbers_are_those_of_the_file(void) {
  const ag_pose pose = pose_of("rpy='1.5708 2e-18 0'", false);
  CHECK_NEAR(pose.R[1][1], cos(1.5708), 1e-20);
  CHECK(pose.R[1][1] != 0 && pose.R[2][0] != 0);
  CHECK(model.nsnapped == 0);
}

static void rotations_are_roll_then_pitch_then_yaw(void) {
  const double xyz[3] = {1, 2, 3}, rpy[3] = {0.3, -0.5, 2.1}, v[3] = {0.7, -0.2, 0.4};
  const ag_pose pose = pose_of("xyz='1 2 3' rpy='0.3 -0.5 2.1'", true);
  double wanted[3];
  placed(xyz, rpy, v, wanted);
  for (int i = 0; i < 3; ++i)
    CHECK_NEAR(pose.p[i] + pose.R[i][0] * v[0] + pose.R[i][1] * v[1] + pose.R[i][2] * v[2],
               wanted[i], 1e-15);
}

static void snapping_is_reported(void) {
  pose_of("rpy='3.1416 -2.3562 1e-12'", true);
  CHECK(model.nsnapped == 3);
  CHECK_TEXT(model.snapped[0].text, "to_b rpy[0] 3.1416 -> pi");
  CHECK_TEXT(model.snapped[1].text, "to_b rpy[1] -2.3562 -> -3 pi/4");
  CHECK_TEXT(model.snapped[2].text, "to_b rpy[2] 1e-12 -> 0");
}

static void snapping_to_the_same_number_is_no_news(void) {
  pose_of("rpy='1.5707963267948966 0 0'", true);
  CHECK(model.nsnapped == 0);
  CHECK(model.links[1].joint.origin.R[1][1] == 0);
}

static void inertial_frames_are_snapped_too(void) {
  CHECK(build("<link name='a'><inertial><origin rpy='0 0 1.5708'/><mass value='1'/><inertia "
              "ixx='1' ixy='0' ixz='0' iyy='2' iyz='0' izz='2'/></inertial></link>",
              true));
  CHECK(model.links[0].inertia.I[0] == 2 && model.links[0].inertia.I[1] == 0);
  CHECK_TEXT(model.snapped[0].text, "a inertial rpy[2] 1.5708 -> pi/2");
}

static void tiny_components_of_axes_are_snapped(void) {
  CHECK(
      build(JOIN(solid("a"), solid("b"), joint("continuous", "a", "b", "<axis xyz='1e-17 0 1'/>")),
            true));
  CHECK(model.links[1].joint.axis[0] == 0 && model.links[1].joint.axis[2] == 1);
  CHECK_TEXT(model.snapped[0].text, "to_b axis[0] 1e-17 -> 0");
}

/* --- inertias --------------------------------------------------------------------------------- */

static void principal_moments_are_eigenvalues(void) {
  static const double TENSOR[6] = {2, -1, 0, 2, -1, 2}; /* 2 - sqrt 2, 2, 2 + sqrt 2 */
  double moments[3];
  ag_principal_moments(TENSOR, moments);
  CHECK_NEAR(moments[0], 2 - sqrt(2), 4e-16);
  CHECK_NEAR(moments[1], 2, 4e-16);
  CHECK_NEAR(moments[2], 2 + sqrt(2), 9e-16);
}

static void principal_moments_of_huge_and_tiny_tensors_are_finite(void) {
  for (int power = -300; power <= 300; power += 100) {
    const double size = pow(10, power);
    const double tensor[6] = {3 * size, size, 0, 3 * size, 0, size};
    double moments[3];
    ag_principal_moments(tensor, moments);
    CHECK_NEAR(moments[0] / size, 1, 1e-15);
    CHECK_NEAR(moments[2] / size, 4, 1e-14);
  }
}

static void inertia_there_and_back_is_the_same(void) {
  CHECK(build(arm(), true));
  const ag_pose there = pose_of("xyz='1 2 3' rpy='0.3 -0.5 2.1'", true);
  ag_pose back = there;
  for (int i = 0; i < 3; ++i) {
    back.p[i] = 0;
    for (int j = 0; j < 3; ++j) {
      back.R[i][j] = there.R[j][i];
      back.p[i] -= there.R[j][i] * there.p[j];
    }
  }
  const ag_inertia away = ag_inertia_transform(&there, &model.links[0].inertia);
  const ag_inertia home = ag_inertia_transform(&back, &away);
  CHECK(near_inertia(&home, &model.links[0].inertia, 1e-13));
}

static void a_plane_without_a_normal_is_x_y(void) {
  CHECK(build(JOIN(massless("world"), solid("base"), joint("planar", "world", "base", "")), true));
  CHECK(model.links[1].joint.axis[2] == 1 && model.links[1].joint.axis[0] == 0);
  CHECK_TEXT(model.warnings[0].text,
             "joint \"to_base\" is planar, but has no <axis>: the plane is taken as x y");
}

int main(void) {
  RUN(names_become_identifiers);
  RUN(links_stand_depth_first_in_the_order_of_the_joints);
  RUN(long_chains_need_no_deep_stack);
  RUN(joints_are_found_by_name);
  RUN(axes_are_unit_vectors);
  RUN(axes_of_any_length_stay_exact_along_a_coordinate);
  RUN(missing_limits_are_none);
  RUN(warnings_stand_in_the_order_of_lines);
  RUN(mimics_of_mimics_follow_the_first_leader);
  RUN(angles_are_snapped_by_their_digits);
  RUN(quarter_turns_are_exact);
  RUN(without_snapping_numbers_are_those_of_the_file);
  RUN(rotations_are_roll_then_pitch_then_yaw);
  RUN(snapping_is_reported);
  RUN(snapping_to_the_same_number_is_no_news);
  RUN(inertial_frames_are_snapped_too);
  RUN(tiny_components_of_axes_are_snapped);
  RUN(principal_moments_are_eigenvalues);
  RUN(principal_moments_of_huge_and_tiny_tensors_are_finite);
  RUN(inertia_there_and_back_is_the_same);
  RUN(a_plane_without_a_normal_is_x_y);
  const int status = test_end();
  ag_arena_free(&arena);
  return status;
}
