/* SPDX-License-Identifier: MIT */
/* reduce_test.c: the moving bodies that a selection leaves of a robot. */
#define _POSIX_C_SOURCE 200809L
#include "model/reduce.h"

#include "robot_text.h"
#include "test.h"

static const double PI = 3.14159265358979323846;

static ag_reduced reduced;

static bool reduce(const ag_selection *selection) {
  err = (ag_err){0};
  return ag_model_reduce(&model, selection, "layout.lua", &reduced, &arena, &err);
}

static bool near_pose(const ag_pose *a, const ag_pose *b, double tolerance) {
  bool near = true;
  for (int i = 0; i < 3; ++i) {
    near = near && fabs(a->p[i] - b->p[i]) <= tolerance;
    for (int j = 0; j < 3; ++j) near = near && fabs(a->R[i][j] - b->R[i][j]) <= tolerance;
  }
  return near;
}

/* --- merged inertias -------------------------------------------------------------------------- */

static void add_point(ag_inertia *sum, double m, const double r[3]) {
  const double rr = r[0] * r[0] + r[1] * r[1] + r[2] * r[2];
  sum->m += m;
  for (int i = 0; i < 3; ++i) sum->h[i] += m * r[i];
  sum->I[0] += m * (rr - r[0] * r[0]), sum->I[3] += m * (rr - r[1] * r[1]);
  sum->I[5] += m * (rr - r[2] * r[2]), sum->I[1] -= m * r[0] * r[1];
  sum->I[2] -= m * r[0] * r[2], sum->I[4] -= m * r[1] * r[2];
}

/* A body with the diagonal tensor I about its centre equals six points of m/6 on its axes at
 * sqrt(3 (I_j + I_k - I_i)/(2 m)). Those points, carried through every <origin> by hand, have the
 * same inertia about the base as the chain of fixed links. */
static void fixed_links_merge_like_points(void) {
  enum { LINKS = 4 };
  static const double XYZ[LINKS][3] = {
      {0, 0, 0}, {0.3, -0.1, 0.5}, {0.05, 0.2, -0.4}, {-0.6, 0.1, 0.2}};
  static const double RPY[LINKS][3] = {{0, 0, 0}, {0.4, -1.1, 2.2}, {-2.9, 0.3, 0.1}, {1, 1, 1}};
  static const double COM[3] = {0.02, -0.03, 0.07}, COM_RPY[3] = {0.5, -0.25, 1.25};
  static const double MOMENTS[3] = {0.02, 0.03, 0.04};
  const char *text = "<link name='root'/>";
  ag_inertia points = {0};
  for (int n = 0; n < LINKS; ++n) {
    const double mass = 1 + n;
    text = ag_printf(
        &arena,
        "%s<link name='l%d'><inertial><origin xyz='%.17g %.17g %.17g' rpy='%.17g %.17g "
        "%.17g'/><mass "
        "value='%.17g'/><inertia ixx='%.17g' ixy='0' ixz='0' iyy='%.17g' iyz='0' "
        "izz='%.17g'/></inertial></link><joint name='j%d' type='%s'><parent link='%s'/><child "
        "link='l%d'/><origin xyz='%.17g %.17g %.17g' rpy='%.17g %.17g %.17g'/></joint>",
        text, n, COM[0], COM[1], COM[2], COM_RPY[0], COM_RPY[1], COM_RPY[2], mass, MOMENTS[0],
        MOMENTS[1], MOMENTS[2], n, n == 0 ? "continuous" : "fixed",
        n == 0 ? "root" : ag_printf(&arena, "l%d", n - 1), n, XYZ[n][0], XYZ[n][1], XYZ[n][2],
        RPY[n][0], RPY[n][1], RPY[n][2]);
    for (int side = 0; side < 6; ++side) {
      const int i = side / 2, j = (i + 1) % 3, k = (i + 2) % 3;
      const double far = sqrt(3 * (MOMENTS[j] + MOMENTS[k] - MOMENTS[i]) / (2 * mass));
      double r[3] = {0, 0, 0}, moved[3];
      r[i] = side % 2 ? far : -far;
      placed(COM, COM_RPY, r, moved);
      for (int up = n; up > 0; --up) {
        memcpy(r, moved, sizeof r);
        placed(XYZ[up], RPY[up], r, moved);
      }
      add_point(&points, mass / 6, moved);
    }
  }
  CHECK(build(text, true));
  CHECK(reduce(&(ag_selection){0}));
  CHECK(reduced.nbodies == 1 && reduced.nmerged == LINKS - 1);
  CHECK(near_inertia(&reduced.bodies[0].inertia, &points, 1e-14));
}

/* --- selections ------------------------------------------------------------------------------- */

static void without_tips_the_whole_tree_stays(void) {
  CHECK(build(arm(), true) && reduce(&(ag_selection){0}));
  CHECK(reduced.nbodies == 3 && reduced.nframes == 5 && reduced.nwarnings == 0);
  CHECK(reduced.bodies[0].parent == -1 && reduced.bodies[1].parent == 0);
  CHECK(reduced.bodies[2].parent == 1 && reduced.bodies[2].link == link_of("finger"));
  CHECK(reduced.bodies[1].inertia.m == 4); /* lower and tool */
  CHECK(reduced.nmerged == 1);
  CHECK_TEXT(reduced.merged[0].text, "tool into lower");
}

static void origins_pass_through_fixed_links(void) {
  CHECK(build(arm(), true) && reduce(&(ag_selection){0}));
  const ag_pose *finger = &reduced.bodies[2].origin;
  CHECK(finger->p[0] == 0 && finger->p[2] == 0.25);
  CHECK(finger->R[0][1] == -1 && finger->R[1][0] == 1 && finger->R[2][2] == 1);
}

static void every_link_is_a_frame(void) {
  CHECK(build(arm(), true) && reduce(&(ag_selection){0}));
  for (int i = 0; i < 5; ++i) CHECK(reduced.frames[i].link == i);
  CHECK(reduced.frames[0].body == -1 && reduced.frames[3].body == 1);
  CHECK(near_pose(&reduced.frames[2].pose, &ag_pose_identity, 0));
  CHECK(reduced.frames[3].pose.p[2] == 0.25);
}

static void tips_drop_other_moving_branches_and_say_so(void) {
  CHECK(build(arm(), true));
  const int tip = link_of("lower");
  CHECK(reduce(&(ag_selection){.tips = &tip, .ntips = 1}));
  CHECK(reduced.nbodies == 2 && reduced.nframes == 4);
  CHECK(reduced.bodies[1].inertia.m == 4); /* the fixed tool stays */
  CHECK(reduced.nwarnings == 1);
  CHECK_TEXT(reduced.warnings[0].text,
             "moving branch at joint \"to_finger\" is left out, with 2 kg below it");
}

static void root_cuts_what_is_above(void) {
  CHECK(build(arm(), true));
  CHECK(reduce(&(ag_selection){.root = link_of("upper")}));
  CHECK(reduced.nbodies == 2 && reduced.root == 1 && reduced.base.m == 2);
  CHECK(reduced.bodies[0].origin.p[0] == 0.5 && reduced.bodies[0].origin.p[2] == 0);
}

static void tips_must_be_below_root(void) {
  CHECK(build(arm(), true));
  const int tip = link_of("upper");
  CHECK(!reduce(&(ag_selection){.root = link_of("lower"), .tips = &tip, .ntips = 1}));
  CHECK_TEXT(err.file, "layout.lua");
  CHECK_TEXT(err.what, "tip \"upper\" is not below root \"lower\"");
}

static void something_must_move(void) {
  CHECK(build(arm(), true));
  const int tip = link_of("base");
  CHECK(!reduce(&(ag_selection){.tips = &tip, .ntips = 1}));
  CHECK_TEXT(err.what, "nothing moves: no moving joint on the way to the tips from \"base\"");
}

static const double *lock(const char *name, double q) {
  double *locked = ag_alloc(&arena, (size_t)model.nlinks * sizeof *locked);
  for (int i = 0; i < model.nlinks; ++i) locked[i] = (double)NAN;
  locked[ag_model_joint(&model, name)] = q;
  return locked;
}

static void a_locked_revolute_joint_is_a_turn(void) {
  CHECK(build(arm(), true));
  CHECK(reduce(&(ag_selection){.locked = lock("to_lower", 0.4)}));
  const ag_pose *frame = &reduced.frames[2].pose;
  CHECK(reduced.nbodies == 2 && reduced.frames[2].body == 0 && frame->p[0] == 0.5);
  CHECK_NEAR(frame->R[0][0], cos(0.4), 1e-16);
  CHECK_NEAR(frame->R[0][2], sin(0.4), 1e-16);
  CHECK_NEAR(frame->R[2][0], -sin(0.4), 1e-16);
  CHECK(frame->R[1][1] == 1 && frame->R[0][1] == 0);
  CHECK(reduced.bodies[0].inertia.m == 6);
  CHECK_TEXT(reduced.merged[0].text, "lower into upper (joint \"to_lower\" locked at 0.4)");
}

static void a_lock_about_any_axis_is_rodrigues(void) {
  const double axis[3] = {2.0 / 3, -1.0 / 3, 2.0 / 3}, q = 1.1;
  const ag_pose pose = ag_pose_of_motion(AG_REVOLUTE, axis, q, true);
  const double v[3] = {0.3, 0.5, -0.7};
  const double along = axis[0] * v[0] + axis[1] * v[1] + axis[2] * v[2];
  for (int i = 0; i < 3; ++i) { /* v cos q + (a x v) sin q + a (a.v)(1 - cos q) */
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    const double wanted =
        v[i] * cos(q) + (axis[j] * v[k] - axis[k] * v[j]) * sin(q) + axis[i] * along * (1 - cos(q));
    CHECK_NEAR(pose.R[i][0] * v[0] + pose.R[i][1] * v[1] + pose.R[i][2] * v[2], wanted, 4e-16);
  }
}

static void a_locked_prismatic_joint_is_a_shift(void) {
  CHECK(build(arm(), true));
  CHECK(reduce(&(ag_selection){.locked = lock("to_finger", 0.125)}));
  CHECK(reduced.nbodies == 2 && reduced.frames[4].body == 1);
  CHECK(reduced.frames[4].pose.p[1] == 0.125); /* the tool's x is the lower arm's y */
}

static void a_lock_at_a_quarter_turn_is_exact(void) {
  CHECK(build(arm(), true));
  CHECK(reduce(&(ag_selection){.locked = lock("to_lower", PI / 2)}));
  CHECK(reduced.frames[2].pose.R[0][0] == 0 && reduced.frames[2].pose.R[0][2] == 1);
}

static void a_lock_outside_the_limits_is_warned_of(void) {
  CHECK(build(
      JOIN(solid("a"), solid("b"), solid("c"), joint("continuous", "a", "b", ""),
           joint("revolute", "b", "c", "<limit lower='-1' upper='1' effort='1' velocity='1'/>")),
      true));
  CHECK(reduce(&(ag_selection){.locked = lock("to_c", 2)}));
  CHECK(reduced.nwarnings == 1);
  CHECK_TEXT(reduced.warnings[0].text,
             "joint \"to_c\" is locked at 2 rad, outside its limits -1 to 1");
}

static void a_lock_out_of_all_reason_is_refused(void) {
  CHECK(build(arm(), true));
  CHECK(!reduce(&(ag_selection){.locked = lock("to_upper", 1e9)}));
  CHECK_TEXT(err.what, "joint \"to_upper\" is locked at 1e+09");
}

static void too_many_joints_are_refused(void) {
  const char *text = solid("root");
  char *all = ag_alloc(&arena, (size_t)1001 * 400), *end = all;
  for (int i = 0; i < 1001; ++i) {
    const char *name = ag_printf(&arena, "l%d", i);
    end += sprintf(end, "%s%s", solid(name), joint("continuous", "root", name, ""));
  }
  CHECK(build(JOIN(text, all), true) && !reduce(&(ag_selection){0}));
  CHECK(strncmp(err.what, "1001 moving joints are too many", 31) == 0);
}

static void run_time_inertia_is_left_out(void) {
  CHECK(build(arm(), true));
  bool own[5] = {0};
  own[link_of("tool")] = true;
  CHECK(reduce(&(ag_selection){.own_inertia = own}));
  CHECK(reduced.bodies[1].inertia.m == 2);
  CHECK(near_inertia(&reduced.bodies[1].inertia, &model.links[link_of("lower")].inertia, 0));
}

/* --- mimic ------------------------------------------------------------------------------------ */

static const char *gripper(const char *left, const char *right) {
  return JOIN(massless("palm"), left, right, joint("continuous", "palm", "left", ""),
              joint("continuous", "palm", "right",
                    "<mimic joint='to_left' multiplier='-2' offset='0.1'/>"));
}

static void bodies_know_their_leader(void) {
  CHECK(build(gripper(solid("left"), solid("right")), true) && reduce(&(ag_selection){0}));
  CHECK(reduced.bodies[0].mimic == -1 && reduced.bodies[1].mimic == 0);
}

static void a_locked_leader_locks_its_followers(void) {
  CHECK(build(JOIN(gripper(solid("left"), solid("right")), solid("x"),
                   joint("continuous", "palm", "x", "")),
              true));
  CHECK(reduce(&(ag_selection){.locked = lock("to_left", 0.25)}));
  CHECK(reduced.nbodies == 1);
  CHECK_TEXT(reduced.merged[1].text, "right into palm (joint \"to_right\" locked at -0.4)");
}

static void a_locked_follower_alone_is_warned_of(void) {
  CHECK(build(gripper(solid("left"), solid("right")), true));
  CHECK(reduce(&(ag_selection){.locked = lock("to_right", 0)}));
  CHECK_TEXT(reduced.warnings[0].text,
             "joint \"to_right\" is locked, but \"to_left\", which it mimics, is not");
}

static void a_leader_must_be_selected(void) {
  CHECK(build(gripper(solid("left"), solid("right")), true));
  const int tip = link_of("right");
  CHECK(!reduce(&(ag_selection){.tips = &tip, .ntips = 1}));
  CHECK_TEXT(err.what, "joint \"to_right\" mimics \"to_left\", which is not selected");
  CHECK(reduce(&(ag_selection){.tips = &tip, .ntips = 1, .locked = lock("to_left", 0)}) == false);
}

static void a_follower_with_mass_is_enough_for_its_leader(void) {
  CHECK(build(gripper(massless("left"), solid("right")), true));
  CHECK(reduce(&(ag_selection){0}));
  CHECK(build(gripper(massless("left"), massless("right")), true));
  CHECK(reduce(&(ag_selection){0}) && reduced.pivot_fault.what);
}

/* --- what moves nothing ----------------------------------------------------------------------- */

static const char *wrist(void) { /* massless beyond the last joint */
  return JOIN(massless("base"), solid("arm"), massless("hand"),
              joint("continuous", "base", "arm", ""), joint("continuous", "arm", "hand", ""));
}

static void a_massless_tip_is_a_fault(void) {
  CHECK(build(wrist(), true) && reduce(&(ag_selection){0}));
  CHECK_TEXT(reduced.pivot_fault.what,
             "joint \"to_hand\": no mass or rotational inertia beyond it resists its motion; link "
             "without mass: \"hand\"");
}

static void armature_resists(void) {
  bool armature[3] = {0};
  CHECK(build(wrist(), true));
  armature[link_of("hand")] = true;
  CHECK(reduce(&(ag_selection){.armature = armature}));
}

static void run_time_inertia_resists(void) {
  bool own[3] = {0};
  CHECK(build(wrist(), true));
  own[link_of("hand")] = true;
  CHECK(reduce(&(ag_selection){.own_inertia = own}));
}

static void massless_links_in_between_are_fine(void) {
  CHECK(build(JOIN(massless("base"), massless("yoke"), solid("arm"),
                   joint("continuous", "base", "yoke", "<axis xyz='1 0 0'/>"),
                   joint("continuous", "yoke", "arm", "<axis xyz='0 1 0'/>")),
              true));
  CHECK(reduce(&(ag_selection){0}));
  CHECK(reduced.nwarnings == 0);
}

static void the_size_of_the_robot_does_not_matter(void) {
  for (int power = -9; power <= 9; power += 3) {
    const double kg = pow(10, power);
    CHECK(build(ag_printf(&arena,
                          "%s<link name='arm'><inertial><mass value='%g'/><inertia ixx='%g' "
                          "ixy='0' ixz='0' iyy='%g' iyz='0' izz='%g'/></inertial></link>%s",
                          massless("base"), kg, 1e-4 * kg, 1e-4 * kg, 1e-4 * kg,
                          joint("continuous", "base", "arm", "")),
                true));
    CHECK(reduce(&(ag_selection){0}));
  }
}

/* --- moving bases ----------------------------------------------------------------------------- */

static const char *flying(const char *base) {
  return JOIN(massless("world"), base, solid("arm"), joint("floating", "world", "base", ""),
              joint("continuous", "base", "arm", ""));
}

static void the_child_of_a_floating_joint_is_the_base(void) {
  CHECK(build(flying(solid("base")), true));
  CHECK(ag_model_base(&model) == 1);
  CHECK(reduce(&(ag_selection){.root = 0, .base = AG_FLOATING}));
  CHECK(reduced.root == 1 && reduced.base.m == 2 && reduced.nframes == 2);
  CHECK(build(arm(), true) && ag_model_base(&model) == 0);
}

static void the_layouts_base_must_agree_with_the_urdf(void) {
  CHECK(build(flying(solid("base")), true) && !reduce(&(ag_selection){.root = 1}));
  CHECK(strstr(err.what, "base is \"fixed\", but joint \"to_base\" of the URDF") == err.what);
  CHECK_TEXT(err.remedy, "write base = \"floating\"");
}

static void any_root_may_float(void) {
  CHECK(build(arm(), true) && reduce(&(ag_selection){.root = 1, .base = AG_FLOATING}));
  CHECK(reduce(&(ag_selection){.root = 1, .base = AG_PLANAR}));
}

/* A massless base with one arm on a revolute joint: nothing resists the base's turn about it. */
static void a_moving_base_needs_inertia(void) {
  CHECK(build(flying(massless("base")), true));
  CHECK(reduce(&(ag_selection){.root = 1, .base = AG_FLOATING}));
  CHECK_TEXT(reduced.pivot_fault.what,
             "the moving base \"base\": no mass or rotational inertia resists one of its motions");
}

static void a_planar_joint_is_a_planar_base(void) {
  CHECK(build(JOIN(massless("world"), solid("base"), solid("arm"),
                   joint("planar", "world", "base", "<axis xyz='0 0 1'/>"),
                   joint("continuous", "base", "arm", "")),
              true));
  CHECK(reduce(&(ag_selection){.base = AG_PLANAR}));
  CHECK(reduced.root == 1);
}

int main(void) {
  RUN(fixed_links_merge_like_points);
  RUN(without_tips_the_whole_tree_stays);
  RUN(origins_pass_through_fixed_links);
  RUN(every_link_is_a_frame);
  RUN(tips_drop_other_moving_branches_and_say_so);
  RUN(root_cuts_what_is_above);
  RUN(tips_must_be_below_root);
  RUN(something_must_move);
  RUN(a_locked_revolute_joint_is_a_turn);
  RUN(a_lock_about_any_axis_is_rodrigues);
  RUN(a_locked_prismatic_joint_is_a_shift);
  RUN(a_lock_at_a_quarter_turn_is_exact);
  RUN(a_lock_outside_the_limits_is_warned_of);
  RUN(a_lock_out_of_all_reason_is_refused);
  RUN(too_many_joints_are_refused);
  RUN(run_time_inertia_is_left_out);
  RUN(bodies_know_their_leader);
  RUN(a_locked_leader_locks_its_followers);
  RUN(a_locked_follower_alone_is_warned_of);
  RUN(a_leader_must_be_selected);
  RUN(a_follower_with_mass_is_enough_for_its_leader);
  RUN(a_massless_tip_is_a_fault);
  RUN(armature_resists);
  RUN(run_time_inertia_resists);
  RUN(massless_links_in_between_are_fine);
  RUN(the_size_of_the_robot_does_not_matter);
  RUN(the_child_of_a_floating_joint_is_the_base);
  RUN(the_layouts_base_must_agree_with_the_urdf);
  RUN(any_root_may_float);
  RUN(a_moving_base_needs_inertia);
  RUN(a_planar_joint_is_a_planar_base);
  const int status = test_end();
  ag_arena_free(&arena);
  return status;
}
