/* SPDX-License-Identifier: MIT */
/* tasks_frames_test.c: tasks at more than one frame of a Gen3 (robots/tasks/gen3_frames.lua), in a closed loop on the
 * arm's generated dynamics: the tool goes along a line while a task of its own holds the height of the elbow; the camera
 * in the bracelet, a second tool, goes along a line of its own; and what is wrong with the elbow stops the arm. */
#include "arms.h"
#include "closed_loop.h"
#include "gen3_controlled.h"
#include "gen3_frames.h"
#include "gen3_frames_task.h"
#include "pregrasp_machine.h"

CLOSED_LOOP_ARM(gen3, GEN3, tool_frame)

static const double rate = 1000;
static free_motion free_joints = {gen3_joints, 0.1, 0.1, 0.5, false};

/* Which frame the loop's task is for, and the task that runs beside it; NULL: none. */
static bool camera;
static const achd_task *beside;
static achd_task_run height;

static void kinematics_of_frames(void *context, const achd_measurement *m, achd_pose *pose,
                                 achd_twist *twist) {
  frames_fk_in fk;
  frames_fvk_in fvk;
  frames_fk_out at;
  frames_fvk_out moving;
  (void)context;
  memcpy(fk.q, m->q, sizeof fk.q);
  memcpy(fvk.q, m->q, sizeof fvk.q);
  memcpy(fvk.qd, m->qd, sizeof fvk.qd);
  frames_fk(&fk, &at);
  frames_fvk(&fvk, &moving);
  *pose = camera ? ACHD_POSE_OF(at.pose.bracelet_link) : ACHD_POSE_OF(at.pose.tool_frame);
  *twist =
      camera ? ACHD_TWIST_OF(moving.twist.bracelet_link) : ACHD_TWIST_OF(moving.twist.tool_frame);
}

static achd_tool_state elbow_at(const achd_measurement *m) {
  achd_tool_state elbow = {.wrench = {{0}, {0}}};
  frames_fk_in fk;
  frames_fvk_in fvk;
  frames_fk_out at;
  frames_fvk_out moving;
  memcpy(fk.q, m->q, sizeof fk.q);
  memcpy(fvk.q, m->q, sizeof fvk.q);
  memcpy(fvk.qd, m->qd, sizeof fvk.qd);
  frames_fk(&fk, &at);
  frames_fvk(&fvk, &moving);
  elbow.pose = ACHD_POSE_OF(at.pose.forearm_link);
  elbow.twist = ACHD_TWIST_OF(moving.twist.forearm_link);
  return elbow;
}

/* The second task: its controllers, and the row of the elbow. False: it cannot go on. */
static bool hold_height(const achd_measurement *m, frames_achd_in *in) {
  const achd_tool_state elbow = elbow_at(m);
  achd_task_errors errors;
  achd_task_command command;
  if (height.task != beside) achd_task_start(&height, beside);
  const unsigned seen = achd_task_watch(&height, &elbow, 1 / rate);
  achd_task_examine(&height, &elbow, ACHD_TASK_CRUISE, &errors);
  if (!achd_task_control(&height, &elbow, &errors, false, &command)) return false;
  in->b[FRAMES_ELBOW_LIN_Z] = command.b[2];
  in->mask[FRAMES_ELBOW_LIN_Z] = command.mask[2];
  return (seen & (ACHD_TASK_NOT_FINITE | ACHD_TASK_TIMEOUT)) == 0;
}

static void solve_frames(void *context, const achd_measurement *m, const achd_task_command *command,
                         achd_solution *solution) {
  frames_achd_in in = {.gravity = {0, 0, -9.81}};
  frames_achd_out out;
  const int first = camera ? FRAMES_CAMERA_LIN_X : FRAMES_TOOL_LIN_X;
  memcpy(in.q, m->q, sizeof in.q);
  memcpy(in.qd, m->qd, sizeof in.qd);
  for (int i = 0; i < 3; i++)
    in.b[first + i] = command->b[i], in.mask[first + i] = command->mask[i];
  memcpy(in.axes.tool, command->axes.m, sizeof in.axes.tool);
  memcpy(in.axes.camera, command->axes.m, sizeof in.axes.camera);
  gen3_weight(NULL, m, in.tau_art);
  for (int j = 0; j < FRAMES_NJ; j++)
    in.tau_art[j] += free_motion_torque(context, j, m->q[j], m->qd[j]);
  const bool goes_on = !beside || hold_height(m, &in);
  const frames_status status = frames_achd(&in, &out);
  memcpy(solution->tau, out.tau_ctrl, sizeof out.tau_ctrl);
  memcpy(solution->qdd, out.qdd, sizeof out.qdd);
  solution->usable = goes_on && (status & FRAMES_DO_NOT_COMMAND) == 0;
  solution->singular = (status & FRAMES_SINGULAR) != 0;
}

static const achd_loop_robot robot = {.njoints = FRAMES_NJ,
                                      .joints = gen3_joints,
                                      .context = &free_joints,
                                      .kinematics = kinematics_of_frames,
                                      .solve = solve_frames,
                                      .gravity = gen3_weight};

static achd_loop_setup to_goal(const achd_task *task) {
  return (achd_loop_setup){.robot = &robot,
                           .machine = &pregrasp_machine,
                           .states = {[PREGRASP_STOP_MOTION] = {ACHD_LOOP_STOP, NULL},
                                      [PREGRASP_START_TO_CRUISE] = {ACHD_LOOP_APPROACH, task},
                                      [PREGRASP_CRUISE_THROUGH_TUBE] = {ACHD_LOOP_CRUISE, task}},
                           .events = {.fault = -1,
                                      .joint_limit = PREGRASP_E_JOINT_LIMIT,
                                      .timeout = PREGRASP_E_TIMEOUT,
                                      .contact = PREGRASP_E_CONTACT,
                                      .no_contact = -1,
                                      .within_tube = PREGRASP_E_WITHIN_TUBE,
                                      .out_of_tube = PREGRASP_E_OUT_OF_TUBE,
                                      .goal_area = PREGRASP_E_GOAL_AREA,
                                      .out_of_goal_area = PREGRASP_E_OUT_OF_GOAL_AREA,
                                      .section_covered = -1},
                           .latest = 3e-3,
                           .saturation_time = 1,
                           .singular_time = 0.1,
                           .braking_time = 0.3};
}

static plant at_home(bool rough) {
  static const double home[FRAMES_NJ] = {0, 0.261895, 3.14159, -2.269015, 0, 0.959856, 1.57079};
  plant p = {.robot = &robot, .dynamics = gen3_dynamics, .random = 1};
  memcpy(p.q, home, sizeof home);
  if (rough) p.friction = 0.01, p.position_noise = 1e-5, p.velocity_noise = 1e-3;
  return p;
}

static double elbow_height(const closed_loop *c) {
  achd_measurement m = {.wrench = {{0}, {0}}};
  memcpy(m.q, c->plant.q, sizeof m.q);
  memcpy(m.qd, c->plant.qd, sizeof m.qd);
  return elbow_at(&m).pose.p[2];
}

/* Carries a task out; *off: farthest of the elbow from its height, if there is a place for it. */
static closed_loop carried_out(const achd_task *task, const plant *p, double *off) {
  const achd_loop_setup setup = to_goal(task);
  closed_loop c = closed_loop_at(&setup, *p, rate, PREGRASP_E_INITIALIZED);
  memset(&height, 0, sizeof height);
  while (c.cycle * c.period < task->time + 1 &&
         (c.stopped == 0 || c.cycle * c.period < c.stopped + 1)) {
    closed_loop_step(&c);
    if (off && c.stopped == 0)
      *off = fmax(
          *off, fabs(elbow_height(&c) - gen3_frames_tasks[GEN3_FRAMES_TASK_ELBOW].frames[0].p[2]));
  }
  printf("  %s%s: tube at %.2f s, goal at %.2f s, %.4f m off the middle, %.2f of the torques",
         task->name, p->friction > 0 ? ", friction and noise" : "", c.in_tube, c.stopped,
         c.farthest, c.most_torque);
  if (off) printf("; elbow %s, at most %.4f m off its height", beside ? "held" : "free", *off);
  printf("\n");
  return c;
}

static void reached(const closed_loop *c, const achd_task *task) {
  double r[3];
  closed_loop_place(&c->loop, r);
  CHECK(c->loop.fault == ACHD_LOOP_FINE);
  CHECK((c->seen & ACHD_TASK_GOAL_AREA) && !(c->seen & ACHD_TASK_TIMEOUT));
  CHECK(c->stopped > 0 && c->stopped < task->time && c->farthest < 0.012);
  CHECK(fabs(r[0]) < 1.25 * task->goal_area && fabs(r[1]) < 0.01 && fabs(r[2]) < 0.01);
}

/* Then the camera goes along its line, from where the arm stands. */
static void elbow_holds_its_height_while_the_tool_works(void) {
  const achd_task *tool = &gen3_frames_tasks[GEN3_FRAMES_TASK_TOOL];
  const achd_task *view = &gen3_frames_tasks[GEN3_FRAMES_TASK_CAMERA];
  for (int rough = 0; rough < 2; rough++) {
    double held = 0, let = 0;
    const plant start = at_home(rough);
    camera = false, beside = &gen3_frames_tasks[GEN3_FRAMES_TASK_ELBOW];
    closed_loop c = carried_out(tool, &start, &held);
    reached(&c, tool);
    CHECK(held < 0.001);
    camera = true, beside = NULL;
    const plant there = c.plant;
    c = carried_out(view, &there, NULL);
    reached(&c, view);
    double apart =
        0; /* of the tool's frame from the camera's goal: another frame than the one that is led there */
    camera = false;
    achd_pose pose;
    achd_twist twist;
    kinematics_of_frames(NULL, &c.loop.measured, &pose, &twist);
    for (int i = 0; i < 3; i++)
      apart += (pose.p[i] - view->frames[0].p[i]) * (pose.p[i] - view->frames[0].p[i]);
    CHECK(sqrt(apart) > 0.04);
    c = carried_out(tool, &start, &let);
    reached(&c, tool);
    CHECK(let > 0.01);
  }
}

/* The elbow's task that gets a goal which is not finite, or whose time is up, stops the arm with a fault. */
static void elbow_that_cannot_go_on_stops_the_arm(void) {
  for (int way = 0; way < 2; way++) {
    achd_task elbow = gen3_frames_tasks[GEN3_FRAMES_TASK_ELBOW];
    achd_pose frame = elbow.frames[0];
    elbow.frames = &frame;
    if (way == 1) elbow.time = 0.5;
    const achd_loop_setup setup = to_goal(&gen3_frames_tasks[GEN3_FRAMES_TASK_TOOL]);
    camera = false, beside = &elbow;
    memset(&height, 0, sizeof height);
    closed_loop c = closed_loop_at(&setup, at_home(true), rate, PREGRASP_E_INITIALIZED);
    for (int cycle = 0; cycle < 500; cycle++) closed_loop_step(&c);
    CHECK(c.loop.fault == ACHD_LOOP_FINE && c.stopped == 0);
    if (way == 0) frame.p[2] = NAN;
    for (int cycle = 0; cycle < 500; cycle++) {
      closed_loop_step(&c);
      for (int j = 0; j < FRAMES_NJ; j++) CHECK(isfinite(c.loop.tau[j]));
    }
    CHECK(c.loop.fault & ACHD_LOOP_UNUSABLE);
    for (int j = 0; j < FRAMES_NJ; j++) CHECK(fabs(c.plant.qd[j]) < 0.01);
  }
}

int main(void) {
  RUN(elbow_holds_its_height_while_the_tool_works);
  RUN(elbow_that_cannot_go_on_stops_the_arm);
  return test_end();
}
