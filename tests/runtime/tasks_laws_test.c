/* SPDX-License-Identifier: MIT */
/* tasks_laws_test.c: what a Gen3 does by tasks that ship and are not ABAG with one set of numbers alone, each in
 * a closed loop on the arm's generated dynamics to its end: waypoints with numbers of their own, a whole pose about
 * axes of its own, and controllers beside ABAG; without and with friction and noise. */
#include "arms.h"
#include "closed_loop.h"
#include "gen3_controlled.h"
#include "gen3_controllers_task.h"
#include "gen3_pose_task.h"
#include "gen3_press_task.h"
#include "gen3_slide_task.h"
#include "gen3_waypoints_task.h"
#include "path_machine.h"
#include "surface_run.h"

CLOSED_LOOP_ARM(gen3, GEN3, tool_frame)

static free_motion free_joints = {gen3_joints, 0.1, 0.1, 0.5, false};
static const achd_loop_robot robot = {.njoints = GEN3_NJ,
                                      .joints = gen3_joints,
                                      .context = &free_joints,
                                      .kinematics = gen3_kinematics,
                                      .solve = gen3_solve,
                                      .gravity = gen3_weight};
static const double home[GEN3_NJ] = {0, 0.26, 3.14, -2.27, 0, 0.96, 1.57};
static const double rate = 1000;

static plant at_home(bool rough) {
  plant p = {.robot = &robot, .dynamics = gen3_dynamics, .random = 1};
  memcpy(p.q, home, sizeof home);
  if (rough) p.friction = 0.01, p.position_noise = 1e-5, p.velocity_noise = 1e-3;
  return p;
}

static achd_loop_setup along_path(const achd_task *task) {
  return (achd_loop_setup){
      .robot = &robot,
      .machine = &path_machine,
      .states = {[PATH_STOP_MOTION] = {ACHD_LOOP_STOP, NULL},
                 [PATH_START_TO_CRUISE] = {ACHD_LOOP_APPROACH, task},
                 [PATH_FOLLOW_PATH] = {ACHD_LOOP_CRUISE, task},
                 [PATH_TRANSITION_PATH_SECTION] = {ACHD_LOOP_NEXT_SECTION, NULL}},
      .events = {.fault = -1,
                 .joint_limit = PATH_E_JOINT_LIMIT,
                 .timeout = PATH_E_TIMEOUT,
                 .contact = PATH_E_CONTACT,
                 .within_tube = PATH_E_WITHIN_TUBE,
                 .out_of_tube = PATH_E_OUT_OF_TUBE,
                 .goal_area = PATH_E_FINAL_GOAL_AREA,
                 .section_covered = PATH_E_SECTION_COVERED},
      .latest = 3e-3,
      .saturation_time = 1,
      .singular_time = 0.1,
      .braking_time = 0.3};
}

/* What a run has of each section. */
typedef struct section_seen {
  double speed;  /* largest along the section [m/s] */
  double end[3]; /* where the tool is at its end, in its frame [m] */
  double rest;   /* speed there [m/s] */
} section_seen;

/* Runs a task to its end; in section k what happened goes to seen[k], if there is a table. */
static closed_loop carried_out(const achd_task *task, bool rough, section_seen *seen) {
  const achd_loop_setup setup = along_path(task);
  closed_loop c = closed_loop_at(&setup, at_home(rough), rate, PATH_E_INITIALIZED);
  while (c.cycle * c.period < task->time + 1 && c.stopped == 0) {
    double v[3];
    closed_loop_step(&c);
    if (!seen || !c.loop.task.task || c.stopped > 0) continue;
    section_seen *s = &seen[c.loop.task.section];
    achd_rotate_back(&task->frames[c.loop.task.section].R, c.loop.tool.twist.lin, v);
    s->speed = fmax(s->speed, v[0]);
    closed_loop_place(&c.loop, s->end);
    s->rest = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
  }
  printf("  %s%s: tube at %.2f s, goal at %.2f s, at most %.4f m off the middle, %.2f of the "
         "torques\n",
         task->name, rough ? ", friction and noise" : "", c.in_tube, c.stopped, c.farthest,
         c.most_torque);
  CHECK(c.loop.fault == ACHD_LOOP_FINE);
  CHECK(c.stopped > 0 && c.stopped < task->time);
  CHECK((c.seen & ACHD_TASK_GOAL_AREA) && !(c.seen & ACHD_TASK_TIMEOUT));
  return c;
}

static void waypoints_have_their_own_numbers(void) {
  for (int rough = 0; rough < 2; rough++) {
    section_seen s[3] = {{0}};
    const closed_loop c = carried_out(&gen3_waypoints_tasks[0], rough, s);
    CHECK(c.sections == 2 && c.loop.task.section == 2);
    for (int k = 0; k < 3; k++)
      printf("    section %d: %.4f m/s at most, left at %.4f %.4f %.4f m with %.4f m/s\n", k,
             s[k].speed, s[k].end[0], s[k].end[1], s[k].end[2], s[k].rest);
    CHECK(s[0].speed > 0.055 && s[0].speed < 0.075); /* its 0.06, not the task's 0.04 */
    CHECK(s[1].speed > 0.018 && s[1].speed < 0.035); /* 0.02 */
    CHECK(s[0].end[0] < -0.012 && s[0].rest > 0.04); /* over: 20 mm before, without a stop */
    CHECK(fabs(s[1].end[0]) <= 0.006 && s[1].rest <= 0.007); /* stop: at the waypoint, at rest */
  }
}

/* The same path by the plain numbers of the task goes on without a stop. */
static void without_its_word_nothing_stops(void) {
  achd_task task = gen3_waypoints_tasks[0];
  section_seen s[3] = {{0}};
  task.sections = NULL;
  (void)carried_out(&task, false, s);
  CHECK(s[0].speed < 0.055 && s[1].rest > 0.02);
}

static void a_pose_is_held_about_axes_of_its_own(void) {
  for (int rough = 0; rough < 2; rough++) {
    const achd_task *task = &gen3_pose_tasks[0];
    const closed_loop c = carried_out(task, rough, NULL);
    achd_rotation back, apart;
    achd_real turn[3];
    CHECK(task->turned && c.farthest < 0.012);
    for (int i = 0; i < 3; i++)
      for (int j = 0; j < 3; j++) back.m[i][j] = c.loop.tool.pose.R.m[j][i];
    achd_rotation_product(&task->orientation, &back, &apart);
    achd_rotation_log(&apart, turn);
    CHECK(sqrt(turn[0] * turn[0] + turn[1] * turn[1] + turn[2] * turn[2]) < 1.2 * 0.05);
  }
}

static void controllers_reach_the_goal(void) {
  for (int k = 0; k < 4; k++)
    for (int rough = 0; rough < 2; rough++) {
      const closed_loop c = carried_out(&gen3_controllers_tasks[k], rough, NULL);
      CHECK(c.stopped < 6 && c.farthest < 0.008);
    }
}

/* A PID presses, one leads, a cascade keeps the line, springs hold upright. Then the table is taken away under the tool, which goes down again,
 * no faster than its task says, and comes to no goal; and the sensor fails, which stops the arm. */
static void table_is_pressed_by_a_pid(void) {
  static const double before[GEN3_NJ] = {-0.295106, 0.839180,  -2.714473, -2.036375,
                                         -0.810879, -0.439211, 0.761116};
  static const plane table = {{0, 0, 0.10}, {0, 0, 1}, 2e4, 200, 0.2, 0};
  const achd_task *lower = &gen3_slide_tasks[GEN3_SLIDE_TASK_LOWER];
  for (int rough = 0; rough < 2; rough++) {
    const achd_task *press = &gen3_press_tasks[0];
    const achd_loop_setup setup = surface_setup(&robot, lower, press, press);
    plant p = at_home(rough);
    memcpy(p.q, before, sizeof before);
    p.environment = plane_environment, p.world = &table, p.force_noise = rough ? 0.2 : 0;
    surface_run r = {.c = closed_loop_at(&setup, p, rate, SURFACE_E_INITIALIZED)};
    surface_slide(&r, &table, 60);
    CHECK(r.c.loop.fault == ACHD_LOOP_FINE && r.lost == 0);
    CHECK((r.c.seen & ACHD_TASK_GOAL_AREA) && !(r.c.seen & ACHD_TASK_TIMEOUT));
    CHECK_NEAR(r.force, 5, 0.25);
    CHECK_NEAR(r.speed, 0.02, 0.002);
    CHECK(r.lean < 0.055 && r.c.farthest < 0.01);

    plane low = table;
    p.world = &low;
    surface_run gone = {.c = closed_loop_at(&setup, p, rate, SURFACE_E_INITIALIZED)};
    surface_slide(&gone, &low, 5);
    CHECK(gone.c.loop.machine.state == SURFACE_CRUISE_THROUGH_TUBE);
    low.point[2] = -1;
    double fastest = 0;
    for (int cycle = 0; cycle < 2000; cycle++) {
      closed_loop_step(&gone.c);
      fastest = fmax(fastest, -gone.c.loop.tool.twist.lin[2]);
    }
    printf("    table gone: down with %.4f m/s at most\n", fastest);
    CHECK(gone.c.loop.fault == ACHD_LOOP_FINE && fastest < 0.05);
    CHECK(gone.c.loop.machine.state == SURFACE_APPROACH_SURFACE);
    achd_measurement m = plant_measure(&gone.c.plant);
    m.wrench.lin[2] = NAN;
    achd_loop_cycle(&gone.c.loop, &m, gone.c.period);
    CHECK(gone.c.loop.fault & ACHD_LOOP_NOT_FINITE);
  }
}

int main(void) {
  RUN(waypoints_have_their_own_numbers);
  RUN(without_its_word_nothing_stops);
  RUN(a_pose_is_held_about_axes_of_its_own);
  RUN(controllers_reach_the_goal);
  RUN(table_is_pressed_by_a_pid);
  return test_end();
}
