/* model_test.c: the tree in SI numbers, snapping, and the moving bodies that a selection leaves.
 * What is refused, and what is warned of, is in bad/. */
#define _POSIX_C_SOURCE 200809L
#include "model.h"
#include "pose.h"

#include "test.h"

#include <stdlib.h>
#include <unistd.h>

static const double PI = 3.14159265358979323846;

static ag_arena arena;
static ag_model model;
static ag_reduced reduced;
static ag_err err;

/* --- robots of text --------------------------------------------------------------------------- */

static bool build(const char *inside, bool snap) {
  char path[] = "/tmp/model_test_XXXXXX";
  const int descriptor = mkstemp(path);
  FILE *file = descriptor < 0 ? NULL : fdopen(descriptor, "w");
  if (!file) abort();
  fprintf(file, "<robot name=\"test-robot\">%s</robot>\n", inside);
  fclose(file);
  ag_urdf doc;
  err = (ag_err){0};
  const bool good =
      ag_urdf_read(path, &doc, &arena, &err) && ag_model_build(&doc, snap, &model, &arena, &err);
  unlink(path);
  return good;
}

static bool reduce(const ag_selection *selection) {
  err = (ag_err){0};
  return ag_model_reduce(&model, selection, "layout.lua", &reduced, &arena, &err);
}

static const char *massless(const char *name) {
  return ag_printf(&arena, "<link name='%s'/>", name);
}

static const char *solid(const char *name) {
  return ag_printf(&arena,
                   "<link name='%s'><inertial><origin xyz='0.1 0.2 0.3'/><mass value='2'/><inertia "
                   "ixx='1' ixy='0.1' ixz='0.2' iyy='1.1' iyz='0.3' izz='1.2'/></inertial></link>",
                   name);
}

static const char *joint(const char *type, const char *parent, const char *child, const char *in) {
  return ag_printf(&arena,
                   "<joint name='to_%s' type='%s'><parent link='%s'/><child link='%s'/>%s</joint>",
                   child, type, parent, child, in);
}

static const char *join(const char *const *parts) {
  const char *text = "";
  for (; *parts; ++parts) text = ag_printf(&arena, "%s%s\n", text, *parts);
  return text;
}
#define JOIN(...) join((const char *const[]){__VA_ARGS__, NULL})

/* base - shoulder - upper - elbow - lower - fixed - tool, and a finger that moves on the tool. */
static const char *arm(void) {
  return JOIN(massless("base"), solid("upper"), solid("lower"), solid("tool"), solid("finger"),
              joint("continuous", "base", "upper", "<axis xyz='0 0 1'/><origin xyz='0 0 1'/>"),
              joint("revolute", "upper", "lower", "<axis xyz='0 1 0'/><origin xyz='0.5 0 0'/>"),
              joint("fixed", "lower", "tool", "<origin xyz='0 0 0.25' rpy='0 0 1.5708'/>"),
              joint("prismatic", "tool", "finger", "<axis xyz='1 0 0'/>"));
}

static int link_of(const char *name) {
  return ag_model_link(&model, name);
}

/* --- independent oracles ---------------------------------------------------------------------- */

/* R = Rz(yaw) Ry(pitch) Rx(roll), by applying the three turns to the unit vectors. */
static void turned(const double rpy[3], const double v[3], double out[3]) {
  static const int FIRST[3] = {1, 2, 0}, SECOND[3] = {2, 0, 1}; /* the plane of each turn */
  for (int i = 0; i < 3; ++i) out[i] = v[i];
  for (int turn = 0; turn < 3; ++turn) {
    const double c = cos(rpy[turn]), s = sin(rpy[turn]);
    const double x = out[FIRST[turn]], y = out[SECOND[turn]];
    out[FIRST[turn]] = c * x - s * y;
    out[SECOND[turn]] = s * x + c * y;
  }
}

static void placed(const double xyz[3], const double rpy[3], const double v[3], double out[3]) {
  turned(rpy, v, out);
  for (int i = 0; i < 3; ++i) out[i] += xyz[i];
}

static void add_point(ag_inertia *sum, double m, const double r[3]) {
  const double rr = r[0] * r[0] + r[1] * r[1] + r[2] * r[2];
  sum->m += m;
  for (int i = 0; i < 3; ++i) sum->h[i] += m * r[i];
  sum->I[0] += m * (rr - r[0] * r[0]), sum->I[3] += m * (rr - r[1] * r[1]);
  sum->I[5] += m * (rr - r[2] * r[2]), sum->I[1] -= m * r[0] * r[1];
  sum->I[2] -= m * r[0] * r[2], sum->I[4] -= m * r[1] * r[2];
}

static bool near_inertia(const ag_inertia *a, const ag_inertia *b, double tolerance) {
  bool near = fabs(a->m - b->m) <= tolerance;
  for (int i = 0; i < 3; ++i) near = near && fabs(a->h[i] - b->h[i]) <= tolerance;
  for (int i = 0; i < 6; ++i) near = near && fabs(a->I[i] - b->I[i]) <= tolerance;
  return near;
}

static bool near_pose(const ag_pose *a, const ag_pose *b, double tolerance) {
  bool near = true;
  for (int i = 0; i < 3; ++i) {
    near = near && fabs(a->p[i] - b->p[i]) <= tolerance;
    for (int j = 0; j < 3; ++j) near = near && fabs(a->R[i][j] - b->R[i][j]) <= tolerance;
  }
  return near;
}

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

static void links_and_joints_are_found_by_name(void) {
  CHECK(build(arm(), true));
  CHECK(link_of("tool") == 3 && link_of("to_tool") == -1);
  CHECK(ag_model_joint(&model, "to_tool") == 3 && ag_model_joint(&model, "tool") == -1);
  CHECK_TEXT(ag_model_near(&model, 0, "lowr", &arena), "\"lower\"");
  CHECK_TEXT(ag_model_near(&model, 1, "to_lowr", &arena), "\"to_lower\"");
  CHECK_TEXT(ag_model_near(&model, 1, "to_tool", &arena), ""); /* fixed: nothing to lock */
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
               {3.1415, 4, 99}, /* cut off, not rounded */
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
  CHECK_TEXT(reduced.warnings[0].text, "joint \"to_c\" is locked at 2, outside its limits -1 to 1");
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
  CHECK(!reduce(&(ag_selection){0}));
}

/* --- what moves nothing ----------------------------------------------------------------------- */

static const char *wrist(void) { /* massless beyond the last joint */
  return JOIN(massless("base"), solid("arm"), massless("hand"),
              joint("continuous", "base", "arm", ""), joint("continuous", "arm", "hand", ""));
}

static void a_massless_tip_is_refused(void) {
  CHECK(build(wrist(), true) && !reduce(&(ag_selection){0}));
  CHECK_TEXT(err.what,
             "joint \"to_hand\": no mass or rotational inertia beyond it resists its motion");
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
  CHECK(!reduce(&(ag_selection){.root = 1, .base = AG_FLOATING}));
  CHECK_TEXT(err.what,
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
  RUN(names_become_identifiers);
  RUN(links_stand_depth_first_in_the_order_of_the_joints);
  RUN(long_chains_need_no_deep_stack);
  RUN(links_and_joints_are_found_by_name);
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
  RUN(fixed_links_merge_like_points);
  RUN(inertia_there_and_back_is_the_same);
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
  RUN(run_time_inertia_is_left_out);
  RUN(bodies_know_their_leader);
  RUN(a_locked_leader_locks_its_followers);
  RUN(a_leader_must_be_selected);
  RUN(a_follower_with_mass_is_enough_for_its_leader);
  RUN(a_massless_tip_is_refused);
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
