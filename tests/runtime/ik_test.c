/* SPDX-License-Identifier: MIT */
/* ik_test.c: inverse kinematics (achd/ik.h). Poses that arms can have are found, within the limits, whatever a search begins with;
 * of poses out of reach the nearest is found, which the test knows by geometry; what is free stays free; senseless numbers change
 * nothing. Poses are compared by the generated fk, and angles by another formula than the library's. ACHD_SWEEP: 10^5 poses of each arm. */
#include "ik_arms.h"
#include "random.h"
#include "test.h"

static unsigned long long seed = 5;

static double between(double low, double high) {
  return random_between(&seed, low, high);
}

/* ---- poses that an arm can have ---- */

static double distance(const achd_pose *a, const achd_pose *b) {
  double square = 0;
  for (int i = 0; i < 3; i++) square += pow((double)a->p[i] - (double)b->p[i], 2);
  return sqrt(square);
}

/* Between the axes: |A - B| = 2 sqrt(2) sin(angle / 2). */
static double angle(const achd_pose *a, const achd_pose *b) {
  double square = 0;
  for (int i = 0; i < 9; i++)
    square += pow((double)a->R.m[i / 3][i % 3] - (double)b->R.m[i / 3][i % 3], 2);
  return 2 * asin(fmin(1, sqrt(square / 8)));
}

static void random_positions(const achd_ik_robot *robot, achd_real q[]) {
  for (int j = 0; j < robot->njoints; j++) {
    const achd_ik_joint *joint = &robot->joints[j];
    const bool endless = isinf((double)joint->lower);
    q[j] =
        (achd_real)between(endless ? -3 : (double)joint->lower, endless ? 3 : (double)joint->upper);
  }
}

static achd_pose pose_at(const achd_ik_robot *robot, const achd_real q[]) {
  achd_pose pose;
  achd_real J[6 * ACHD_IK_JOINTS];
  CHECK(robot->kinematics(robot->context, q, &pose, J));
  return pose;
}

static bool within_limits(const achd_ik_robot *robot, const achd_real q[], const achd_real from[]) {
  for (int j = 0; j < robot->njoints; j++) {
    const achd_ik_joint *joint = &robot->joints[j];
    if (!(q[j] >= joint->lower && q[j] <= joint->upper)) return false;
    if (isinf((double)joint->lower) && fabs((double)q[j] - (double)from[j]) > 3.1416) return false;
  }
  return true;
}

static int descending(const void *a, const void *b) {
  return *(const int *)b - *(const int *)a;
}

static void poses_of_arms_are_found(void) {
  const int poses = getenv("ACHD_SWEEP") && sizeof(achd_real) > 4 ? 100000 : 400;
  const achd_real tolerance = sizeof(achd_real) > 4 ? (achd_real)1e-9 : (achd_real)1e-5;
  for (int a = 0; a < IK_ARMS; a++) {
    const achd_ik_robot *robot = &ik_arms[a].robot;
    const achd_ik_search search = ACHD_IK_SEARCH_DEFAULT;
    int found = 0, first = 0, *steps = calloc((size_t)poses, sizeof *steps);
    double worst = 0;
    for (int k = 0; k < poses; k++) {
      achd_real goal_q[ACHD_IK_JOINTS], q[ACHD_IK_JOINTS], from[ACHD_IK_JOINTS];
      random_positions(robot, goal_q);
      random_positions(robot, q);
      memcpy(from, q, sizeof q);
      const achd_ik_goal goal = {pose_at(robot, goal_q), ACHD_IK_POSE, tolerance, tolerance};
      achd_ik_result result;
      const achd_ik_status status = achd_ik_solve(robot, &goal, &search, q, &result);
      const achd_pose pose = pose_at(robot, q);
      const double error = fmax(distance(&pose, &goal.pose), angle(&pose, &goal.pose));
      CHECK(within_limits(robot, q, from));
      CHECK(status == ACHD_IK_FOUND || status == ACHD_IK_NEAREST);
      CHECK_NEAR((double)result.position, distance(&result.pose, &goal.pose), 1e-6);
      CHECK_NEAR((double)result.angle, angle(&result.pose, &goal.pose),
                 sizeof(achd_real) > 4 ? 1e-6 : 3e-3);
      steps[k] = result.steps;
      if (status != ACHD_IK_FOUND) continue;
      found++;
      first += result.starts == 1;
      worst = fmax(worst, error);
    }
    qsort(steps, (size_t)poses, sizeof *steps, descending);
    printf("%-10s %7.3f %% of %d poses found, %4.1f %% by the first start; %d steps in the median, "
           "%d in one of a hundred; error %.1e\n",
           ik_arms[a].name, 100.0 * found / poses, poses, 100.0 * first / poses, steps[poses / 2],
           steps[poses / 100], worst);
    CHECK(found >= 0.995 * poses);
    CHECK(worst <= 1.5 * (double)tolerance + 4e-7 * (sizeof(achd_real) == 4));
    CHECK(steps[poses / 2] <= 40);
    free(steps);
  }
}

/* ---- a planar arm of two links, whose reach is known ---- */

static const double l1 = 0.5, l2 = 0.3;
static int calls;

/* Links of 0.5 and 0.3 m in the x-y plane; the frame's x axis is along the second one. */
static bool planar(void *context, const achd_real q[], achd_pose *pose, achd_real J[]) {
  const double a = (double)q[0], b = a + (double)q[1];
  const double p[3] = {l1 * cos(a) + l2 * cos(b), l1 * sin(a) + l2 * sin(b), 0};
  const double R[9] = {cos(b), -sin(b), 0, sin(b), cos(b), 0, 0, 0, 1};
  const double by[12] = {-p[1], -l2 * sin(b), p[0], l2 * cos(b), 0, 0, 0, 0, 0, 0, 1, 1};
  const bool *works = context;
  calls++;
  for (int i = 0; i < 3; i++) pose->p[i] = (achd_real)p[i];
  for (int i = 0; i < 9; i++) pose->R.m[i / 3][i % 3] = (achd_real)R[i];
  for (int i = 0; i < 12; i++) J[i] = (achd_real)by[i];
  return !works || *works;
}

static const achd_ik_joint free_joints[2] = {ENDLESS, ENDLESS};
static const achd_ik_joint elbow[2] = {BETWEEN(-1, 1), BETWEEN(0.2, 2)};

static achd_ik_goal point(double x, double y, double z) {
  const achd_ik_goal goal = {
      {{(achd_real)x, (achd_real)y, (achd_real)z}, {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}},
      ACHD_IK_POSITION,
      (achd_real)1e-5,
      1};
  return goal;
}

/* The nearest point of the ring that the arm reaches. */
static void what_is_out_of_reach_is_told_with_the_nearest(void) {
  const achd_ik_robot robot = {2, free_joints, planar, NULL};
  const achd_ik_search search = ACHD_IK_SEARCH_DEFAULT;
  int reached = 0;
  for (int k = 0; k < 200; k++) {
    const double r = between(0.02, 1.2), turn = between(-3, 3), z = k % 3 ? 0 : between(-0.1, 0.1);
    const double beyond = fmax(0, fmax(r - l1 - l2, l1 - l2 - r)), left = hypot(beyond, z);
    if (left < 1e-4 && left > 0) continue; /* neither within the tolerance nor clearly not */
    const achd_ik_goal goal = point(r * cos(turn), r * sin(turn), z);
    achd_real q[2] = {(achd_real)between(-3, 3), (achd_real)between(-3, 3)};
    achd_ik_result result;
    const achd_ik_status status = achd_ik_solve(&robot, &goal, &search, q, &result);
    CHECK(status == (left > 0 ? ACHD_IK_NEAREST : ACHD_IK_FOUND));
    CHECK(status == ACHD_IK_FOUND || result.settled);
    CHECK_NEAR((double)result.position, left, sizeof(achd_real) > 4 ? 1.1e-5 : 1e-4);
    CHECK(result.angle == 0 && result.at_limit == 0);
    reached += status == ACHD_IK_FOUND;
  }
  CHECK(reached > 50);
}

/* With limits: the least distance over a grid of all positions, which is nothing but forward kinematics. */
static void the_nearest_within_limits(void) {
  const achd_ik_robot robot = {2, elbow, planar, NULL};
  const achd_ik_search search = ACHD_IK_SEARCH_DEFAULT;
  int limited = 0;
  for (int k = 0; k < 40; k++) {
    const double x = between(-1, 1), y = between(-1, 1);
    const achd_ik_goal goal = point(x, y, 0);
    double least = INFINITY;
    for (int i = 0; i <= 400; i++) {
      for (int m = 0; m <= 400; m++) {
        const double a = -1 + i / 200.0, b = a + 0.2 + m * 1.8 / 400;
        least = fmin(least, hypot(l1 * cos(a) + l2 * cos(b) - x, l1 * sin(a) + l2 * sin(b) - y));
      }
    }
    achd_real q[2] = {7, -7}; /* outside the limits */
    achd_ik_result result;
    const achd_ik_status status = achd_ik_solve(&robot, &goal, &search, q, &result);
    CHECK(q[0] >= -1 && q[0] <= 1 && q[1] >= (achd_real)0.2 && q[1] <= 2);
    if (status == ACHD_IK_FOUND) {
      CHECK(least < 5e-3);
    } else {
      CHECK(result.settled);
      CHECK((double)result.position <= least + (sizeof(achd_real) > 4 ? 1e-9 : 1e-5));
      CHECK((double)result.position >= least - 4e-3);
      limited += result.at_limit != 0;
    }
    for (int j = 0; j < 2; j++)
      CHECK(((result.at_limit >> j & 1) != 0) ==
            (q[j] == elbow[j].lower || q[j] == elbow[j].upper));
  }
  CHECK(limited > 10);
}

/* ---- what is free ---- */

/* Goals whose whole pose is out of reach of no arm's axis: turned about z by anything, the axis alone is found as it was. */
static void an_axis_leaves_the_turn_about_it_free(void) {
  const ik_arm *arm = &ik_arms[IK_ARMS - 1];
  const achd_ik_search search = ACHD_IK_SEARCH_DEFAULT;
  const achd_real tolerance = sizeof(achd_real) > 4 ? (achd_real)1e-9 : (achd_real)1e-5;
  int found = 0, turned = 0;
  for (int k = 0; k < 100; k++) {
    achd_real goal_q[ACHD_IK_JOINTS], q[ACHD_IK_JOINTS];
    random_positions(&arm->robot, goal_q);
    random_positions(&arm->robot, q);
    const achd_pose pose = pose_at(&arm->robot, goal_q);
    const achd_real about[3] = {0, 0, (achd_real)between(1, 3)};
    achd_rotation turn;
    achd_ik_goal goal = {pose, ACHD_IK_AXIS, tolerance, tolerance};
    achd_rotation_exp(about, &turn);
    achd_rotation_product(&pose.R, &turn, &goal.pose.R);
    achd_ik_result result;
    if (achd_ik_solve(&arm->robot, &goal, &search, q, &result) != ACHD_IK_FOUND) continue;
    double off = distance(&result.pose, &pose);
    for (int i = 0; i < 3; i++)
      off = fmax(off, fabs((double)result.pose.R.m[i][2] - (double)pose.R.m[i][2]));
    CHECK(off < 3 * (double)tolerance + 1e-6 * (sizeof(achd_real) == 4));
    found++;
    turned += angle(&result.pose, &goal.pose) > 0.1;
  }
  CHECK(found >= 98);
  CHECK(turned > 50);
}

/* A joint that turns the frame about its x or its y axis. */
static bool about_one(void *context, const achd_real q[], achd_pose *pose, achd_real J[]) {
  const int axis = *(const int *)context;
  const achd_real v[3] = {axis == 0 ? q[0] : 0, axis == 1 ? q[0] : 0, 0};
  for (int i = 0; i < 3; i++) pose->p[i] = 0, J[i] = 0, J[3 + i] = i == axis;
  achd_rotation_exp(v, &pose->R);
  return true;
}

/* From the opposite axis, where the axis to turn about is not defined. */
static void an_axis_turns_around(void) {
  const achd_ik_search search = ACHD_IK_SEARCH_DEFAULT;
  for (int axis = 0; axis < 2; axis++) {
    const achd_ik_robot robot = {1, free_joints, about_one, &axis};
    const achd_ik_goal goal = {{{0}, {{{1, 0, 0}, {0, -1, 0}, {0, 0, -1}}}},
                               ACHD_IK_AXIS,
                               (achd_real)1e-4,
                               (achd_real)1e-4};
    achd_real q[1] = {0};
    achd_ik_result result;
    CHECK(achd_ik_solve(&robot, &goal, &search, q, &result) == ACHD_IK_FOUND);
    CHECK_NEAR(fabs((double)q[0]), 3.14159265, 1e-4);
    CHECK(result.starts == 1 + axis); /* it turns about x first */
  }
}

static void a_turn_without_limits_stays_near(void) {
  const achd_ik_robot robot = {2, free_joints, planar, NULL};
  const achd_ik_search search = ACHD_IK_SEARCH_DEFAULT;
  const achd_ik_goal goal = point(-0.4, 0.3, 0);
  for (int k = -4; k <= 4; k++) {
    achd_real q[2] = {(achd_real)(k * 6.2831853 + 0.4), (achd_real)(k * 6.2831853 - 1)},
              from[2] = {q[0], q[1]};
    achd_ik_result result;
    CHECK(achd_ik_solve(&robot, &goal, &search, q, &result) == ACHD_IK_FOUND);
    for (int j = 0; j < 2; j++) CHECK(fabs((double)q[j] - (double)from[j]) < 3.1417);
    const achd_pose pose = pose_at(&robot, q);
    CHECK(distance(&pose, &goal.pose) < 3e-5);
  }
}

/* ---- what may not happen ---- */

static void the_same_search_twice_is_the_same(void) {
  const achd_ik_robot *robot = &ik_arms[IK_ARMS - 1].robot;
  achd_ik_search search = ACHD_IK_SEARCH_DEFAULT;
  achd_real goal_q[ACHD_IK_JOINTS], q[3][ACHD_IK_JOINTS];
  random_positions(robot, goal_q);
  const achd_ik_goal goal = {pose_at(robot, goal_q), ACHD_IK_POSE, (achd_real)1e-5,
                             (achd_real)1e-5};
  achd_ik_result result[2];
  for (int k = 0; k < 2; k++) {
    memset(q[k], 0, sizeof q[k]);
    achd_ik_solve(robot, &goal, &search, q[k], &result[k]);
  }
  CHECK(memcmp(q[0], q[1], (size_t)robot->njoints * sizeof(achd_real)) == 0);
  CHECK(result[0].steps == result[1].steps);
}

/* Out of reach, so that all starts are made; calls are bounded as the header says. */
static void calls_are_bounded(void) {
  const achd_ik_robot robot = {2, elbow, planar, NULL};
  const achd_ik_goal goal = point(3, 2, 1);
  for (int starts = 1; starts < 20; starts += 6) {
    for (int steps = 1; steps < 40; steps += 13) {
      const achd_ik_search search = {1, starts, steps, 3};
      achd_real q[2] = {0, 1};
      achd_ik_result result;
      calls = 0;
      CHECK(achd_ik_solve(&robot, &goal, &search, q, &result) == ACHD_IK_NEAREST);
      CHECK(calls <= (starts + 8) * (steps + 1));
      CHECK(result.starts == starts && result.steps < calls);
    }
  }
}

static void senseless_numbers_change_nothing(void) {
  const achd_real nan = (achd_real)NAN;
  const achd_ik_joint crossed[2] = {BETWEEN(1, -1), BETWEEN(0, 1)},
                      unknown[2] = {BETWEEN(0, 1), {nan, 1, false}};
  bool works = false;
  const achd_ik_robot good = {2, elbow, planar, NULL};
  achd_ik_robot robots[6] = {good, good, good, good, good, good};
  robots[0].njoints = 0, robots[1].njoints = ACHD_IK_JOINTS + 1, robots[2].joints = crossed;
  robots[3].joints = unknown, robots[4].context = &works;
  const achd_ik_search search = ACHD_IK_SEARCH_DEFAULT;
  achd_ik_search searches[5] = {search, search, search, search, search};
  searches[0].length = 0, searches[1].length = nan, searches[2].starts = 0, searches[3].steps = 0;
  achd_ik_goal goals[7];
  for (int i = 0; i < 7; i++) goals[i] = point(0.5, 0.3, 0), goals[i].aim = ACHD_IK_POSE;
  goals[0].position = 0, goals[1].angle = -1, goals[2].pose.p[1] = nan,
  goals[3].pose.R.m[1][1] = ACHD_INFINITY;
  goals[4].pose.R.m[2][2] = 0, goals[5].pose.R.m[0][0] = (achd_real)1.1;
  achd_real q[2] = {0, 1};
  achd_ik_result result;
  for (int i = 0; i < 5; i++)
    CHECK(achd_ik_solve(&robots[i], &goals[6], &search, q, &result) == ACHD_IK_BAD_INPUT);
  for (int i = 0; i < 4; i++)
    CHECK(achd_ik_solve(&good, &goals[6], &searches[i], q, &result) == ACHD_IK_BAD_INPUT);
  for (int i = 0; i < 6; i++)
    CHECK(achd_ik_solve(&good, &goals[i], &search, q, &result) == ACHD_IK_BAD_INPUT);
  CHECK(q[0] == 0 && q[1] == 1);
  q[1] = nan;
  CHECK(achd_ik_solve(&good, &goals[6], &search, q, &result) == ACHD_IK_BAD_INPUT && q[0] == 0);
  q[1] = 1;
  CHECK(achd_ik_solve(&good, &goals[6], &search, q, &result) == ACHD_IK_NEAREST);
}

int main(void) {
  RUN(poses_of_arms_are_found);
  RUN(what_is_out_of_reach_is_told_with_the_nearest);
  RUN(the_nearest_within_limits);
  RUN(an_axis_leaves_the_turn_about_it_free);
  RUN(an_axis_turns_around);
  RUN(a_turn_without_limits_stays_near);
  RUN(the_same_search_twice_is_the_same);
  RUN(calls_are_bounded);
  RUN(senseless_numbers_change_nothing);
  return test_end();
}
