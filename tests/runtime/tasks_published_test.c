/* SPDX-License-Identifier: MIT */
/* tasks_published_test.c FOLDER [RUNS]: the published motions (Vukcevic 2020, experiments 1 to 4) on the
 * generated dynamics of their own robots, with their starts, rates and tasks: into the tube and at
 * the goal when the published robots were, within 15 %; not beside the goal, not in a joint limit;
 * with friction and noise that the controller does not know. Waveforms go to FOLDER, the runs for
 * achd-report to RUNS/experiment_1 to _4, which exist. */
#define _POSIX_C_SOURCE 200112L /* clock_gettime */
#include "arms.h"
#include "closed_loop.h"

#include "lwr4_controlled.h"
#include "lwr4_path_task.h"
#include "lwr4_pregrasp_task.h"
#include "path_machine.h"
#include "plot.h"
#include "pregrasp_machine.h"
#include "run_folder.h"
#include "youbot_controlled.h"
#include "youbot_path_task.h"
#include "youbot_pregrasp_task.h"

#include <time.h>

static const char *folder, *runs;

CLOSED_LOOP_ARM(lwr4, LWR4, lwr_7_link)
CLOSED_LOOP_ARM(youbot, YOUBOT, gripper_palm_link)

/* Experiment 1 begins 6e-5 rad before a limit of joint 1: the spring leads away from there. */
static free_motion lwr4_free = {lwr4_joints, 0.1, 0.1, 0.5, false};
static free_motion youbot_free = {youbot_joints, 0.1, 0.1, 0.5, false};

static const achd_loop_robot lwr4_robot = {.njoints = LWR4_NJ,
                                           .joints = lwr4_joints,
                                           .context = &lwr4_free,
                                           .kinematics = lwr4_kinematics,
                                           .solve = lwr4_solve,
                                           .gravity = lwr4_weight};
static const achd_loop_robot youbot_robot = {.njoints = YOUBOT_NJ,
                                             .joints = youbot_joints,
                                             .context = &youbot_free,
                                             .kinematics = youbot_kinematics,
                                             .solve = youbot_solve,
                                             .gravity = youbot_weight};

static const achd_loop_events pregrasp_events = {.fault = -1,
                                                 .joint_limit = PREGRASP_E_JOINT_LIMIT,
                                                 .timeout = PREGRASP_E_TIMEOUT,
                                                 .contact = PREGRASP_E_CONTACT,
                                                 .no_contact = -1,
                                                 .within_tube = PREGRASP_E_WITHIN_TUBE,
                                                 .out_of_tube = PREGRASP_E_OUT_OF_TUBE,
                                                 .goal_area = PREGRASP_E_GOAL_AREA,
                                                 .out_of_goal_area = PREGRASP_E_OUT_OF_GOAL_AREA,
                                                 .section_covered = -1};
static const achd_loop_events path_events = {.fault = -1,
                                             .joint_limit = PATH_E_JOINT_LIMIT,
                                             .timeout = PATH_E_TIMEOUT,
                                             .contact = PATH_E_CONTACT,
                                             .no_contact = -1,
                                             .within_tube = PATH_E_WITHIN_TUBE,
                                             .out_of_tube = PATH_E_OUT_OF_TUBE,
                                             .goal_area = PATH_E_FINAL_GOAL_AREA,
                                             .out_of_goal_area = PATH_E_OUT_OF_GOAL_AREA,
                                             .section_covered = PATH_E_SECTION_COVERED};

/* All that the loop can look after, at every joint: the braking distance too. */
#define GUARD                                                                                      \
  { .deceleration = 10, .beyond = 0.02, .slip = 0.01 }
static const achd_loop_guard guards[] = {GUARD, GUARD, GUARD, GUARD, GUARD, GUARD, GUARD};

static achd_loop_setup to_goal(const achd_loop_robot *robot, const achd_task *task) {
  const achd_loop_setup setup = {
      .robot = robot,
      .machine = &pregrasp_machine,
      .states = {[PREGRASP_STOP_MOTION] = {ACHD_LOOP_STOP, NULL},
                 [PREGRASP_START_TO_CRUISE] = {ACHD_LOOP_APPROACH, task},
                 [PREGRASP_CRUISE_THROUGH_TUBE] = {ACHD_LOOP_CRUISE, task}},
      .events = pregrasp_events,
      .latest = 3e-3,
      .saturation_time = 1,
      .singular_time = 0.1,
      .braking_time = 0.3,
      .watch = {.joints = guards}};
  return setup;
}

static achd_loop_setup along_path(const achd_loop_robot *robot, const achd_task *task) {
  const achd_loop_setup setup = {
      .robot = robot,
      .machine = &path_machine,
      .states = {[PATH_STOP_MOTION] = {ACHD_LOOP_STOP, NULL},
                 [PATH_START_TO_CRUISE] = {ACHD_LOOP_APPROACH, task},
                 [PATH_FOLLOW_PATH] = {ACHD_LOOP_CRUISE, task},
                 [PATH_TRANSITION_PATH_SECTION] = {ACHD_LOOP_NEXT_SECTION, task}},
      .events = path_events,
      .latest = 3e-3,
      .saturation_time = 1,
      .singular_time = 0.1,
      .braking_time = 0.3,
      .watch = {.joints = guards}};
  return setup;
}

/* ---- the experiments ---- */

typedef struct experiment {
  const achd_loop_robot *robot;
  closed_loop_dynamics *dynamics;
  const achd_task *task;
  double rate; /* [Hz] */
  double q[ACHD_LOOP_JOINTS];
  double in_tube, goal; /* published [s]; in_tube 0: not */
  double tube;          /* its tolerance [m] */
  const char *title;
} experiment;

static const experiment experiments[] = {
    {&lwr4_robot,
     lwr4_dynamics,
     &lwr4_pregrasp_tasks[0],
     630,
     {2.967, 1.023, -0.131, 1.612, 0.221, 0.177, 0.015},
     4.5,
     8.5,
     0.01,
     "Experiment 1: the LWR comes to where it can grasp"},
    {&youbot_robot,
     youbot_dynamics,
     &youbot_pregrasp_tasks[0],
     660,
     {1.384, 1.597, -1.495, 1.925, 2.957},
     4.7,
     8.5,
     0.015,
     "Experiment 2: the youBot comes to where it can grasp"},
    {&lwr4_robot,
     lwr4_dynamics,
     &lwr4_path_tasks[0],
     630,
     {1, 0, 0, -1.57, 0, 1.57, 0},
     0,
     11.8,
     0.01,
     "Experiment 3: the LWR follows steps"},
    {&youbot_robot,
     youbot_dynamics,
     &youbot_path_tasks[0],
     660,
     {1.000, 1.353, -0.549, 0.732, 2.962},
     0,
     17.1,
     0.015,
     "Experiment 4: the youBot follows a chirp"},
};

enum { SAMPLES = 16000 };
static double x[SAMPLES], y[SAMPLES], z[SAMPLES], speed[SAMPLES], state[SAMPLES], torque[SAMPLES];

static void record(const closed_loop *c) {
  const achd_loop *loop = &c->loop;
  const int k = c->cycle - 1;
  double r[3], v[3];
  if (k >= SAMPLES || !loop->task.task) return;
  closed_loop_place(loop, r);
  achd_rotate_back(&loop->task.task->frames[loop->task.section].R, loop->tool.twist.lin, v);
  x[k] = r[0], y[k] = r[1], z[k] = r[2], speed[k] = v[0];
  state[k] = loop->machine.state;
  torque[k] = 0;
  for (int j = 0; j < loop->setup->robot->njoints; j++)
    torque[k] = fmax(torque[k], fabs(loop->tau[j]) / loop->setup->robot->joints[j].effort);
}

static void draw(const char *name, const char *title, const closed_loop *c) {
  const plot_panel panels[PLOT_PANELS] = {{"m", {{"x to the goal", x}}},
                                          {"m", {{"y", y}, {"z", z}}},
                                          {"m/s", {{"speed along x", speed}}},
                                          {"1", {{"state", state}}},
                                          {"1", {{"largest share of a torque", torque}}}};
  const size_t count = c->cycle < SAMPLES ? (size_t)c->cycle : SAMPLES;
  char path[512];
  if (!folder) return;
  snprintf(path, sizeof path, "%s/%s.svg", folder, name);
  CHECK(plot_write(path, title, c->period, count, panels) == 0);
}

/* ---- for achd-report ---- */

static const char *const lwr4_names[] = LWR4_JOINT_NAMES;
static const char *const youbot_names[] = YOUBOT_JOINT_NAMES;
static run_folder run;
static bool recording;

static void begin_run(const experiment *e, const achd_loop_setup *setup) {
  static char path[512];
  const long number = 1 + (e - experiments);
  snprintf(path, sizeof path, "%s/experiment_%ld", runs, number);
  const run_about about = {e->title,
                           "A task by the modified task frame formalism with ABAG control, on the "
                           "generated dynamics of the robot, with friction and noise that the "
                           "controller does not know.",
                           "Vukcevic 2020", "ctest -R runtime_tasks_published"};
  CHECK(run_folder_open(&run, path, setup, e->robot == &lwr4_robot ? lwr4_names : youbot_names,
                        about));
  recording = true;
  for (int k = 0; k < e->task->nframes; k++) {
    const achd_pose *at = &e->task->frames[k];
    double apart[3], way = 0.2;
    if (k > 0) {
      for (int i = 0; i < 3; i++) apart[i] = at->p[i] - e->task->frames[k - 1].p[i];
      way = sqrt(apart[0] * apart[0] + apart[1] * apart[1] + apart[2] * apart[2]);
    }
    run_folder_frame(&run, k == e->task->nframes - 1 ? "goal" : "waypoint", at, e->tube, way);
  }
}

static void end_run(const experiment *e, const closed_loop *c) {
  const double near_tube = 0.15 * e->in_tube, near_goal = 0.15 * e->goal;
  if (e->in_tube > 0)
    run_folder_compare(&run, "into the tube", "s", e->in_tube, c->in_tube, "within 15 %",
                       fabs(c->in_tube - e->in_tube) <= near_tube);
  run_folder_compare(&run, "at the goal", "s", e->goal, c->stopped, "within 15 %",
                     fabs(c->stopped - e->goal) <= near_goal);
  run_folder_compare(&run, "farthest from the middle of the tube", "m", e->tube, c->farthest,
                     "within 5 %", c->farthest <= 1.05 * e->tube);
  run_folder_compare(&run, "largest share of a torque limit", "1", NAN, c->most_torque, "below 0.7",
                     c->most_torque < 0.7);
  CHECK(run_folder_close(&run));
  recording = false;
}

/* One cycle, and how long the loop took for it. */
static void step(closed_loop *c) {
  struct timespec before, after;
  achd_measurement m = plant_measure(&c->plant);
  const int state = c->loop.machine.state, section = c->loop.task.section;
  clock_gettime(CLOCK_MONOTONIC, &before);
  achd_loop_cycle(&c->loop, &m, c->period);
  clock_gettime(CLOCK_MONOTONIC, &after);
  closed_loop_note(c, state, section);
  if (recording) {
    CHECK(run_folder_record(&run, &c->loop, c->cycle * c->period));
    achd_cycle_times_put(&run.computing, (int64_t)(after.tv_sec - before.tv_sec) * 1000000000 +
                                             after.tv_nsec - before.tv_nsec);
  }
  plant_move(&c->plant, c->loop.tau, c->period);
  c->cycle++;
}

/* Until the goal and two seconds at rest there. */
static closed_loop carry_out(const experiment *e, bool rough) {
  const achd_task *t = e->task;
  const achd_loop_setup setup = t->nframes > 1 ? along_path(e->robot, t) : to_goal(e->robot, t);
  plant p = {.robot = e->robot, .dynamics = e->dynamics, .random = 1};
  memcpy(p.q, e->q, sizeof p.q);
  if (rough)
    p.friction = 0.02, p.position_noise = 1e-5, p.velocity_noise = 1e-3, p.force_noise = 0.05;
  closed_loop c = closed_loop_at(&setup, p, e->rate,
                                 t->nframes > 1 ? PATH_E_INITIALIZED : PREGRASP_E_INITIALIZED);
  if (rough && runs) begin_run(e, &setup);
  while (c.cycle * c.period < t->time + 4 &&
         (c.stopped == 0 || c.cycle * c.period < c.stopped + 2)) {
    step(&c);
    record(&c);
  }
  if (recording) end_run(e, &c);
  double r[3];
  closed_loop_place(&c.loop, r);
  printf("  %s%s: tube at %.2f s, goal at %.2f s, at most %.4f m off the middle, %.0f %% of the "
         "torques, %.2f rad from a joint limit; %.4f m before the goal at the end\n",
         t->name, rough ? ", friction and noise" : "", c.in_tube, c.stopped, c.farthest,
         100 * c.most_torque, c.nearest, -r[0]);
  CHECK(c.loop.fault == ACHD_LOOP_FINE);
  CHECK(c.seen & ACHD_TASK_GOAL_AREA && c.seen & ACHD_TASK_WITHIN_TUBE);
  CHECK(!(c.seen & (ACHD_TASK_TIMEOUT | ACHD_TASK_CONTACT)));
  CHECK_NEAR(c.stopped, e->goal, 0.15 * e->goal);
  CHECK(c.stopped < t->time);
  if (e->in_tube > 0) CHECK_NEAR(c.in_tube, e->in_tube, 0.15 * e->in_tube);
  CHECK(c.sections == t->nframes - 1);
  CHECK(c.most_torque < 0.7);
  /* and there it stays */
  CHECK(c.loop.machine.state == setup.machine->initial);
  CHECK(fabs(r[0]) <= 1.25 * t->goal_area && fabs(r[1]) <= e->tube && fabs(r[2]) <= e->tube);
  return c;
}

/* Published: no overshoot of the tube once within. Noise counts at its edge. */
static void stays_in_tube(const experiment *e) {
  closed_loop c = carry_out(e, false);
  CHECK(c.farthest <= 1.005 * e->tube);
  draw(e->task->name, e->task->name, &c);
  c = carry_out(e, true);
  CHECK(c.farthest <= 1.05 * e->tube);
}

static void lwr4_comes_to_where_it_can_grasp(void) {
  stays_in_tube(&experiments[0]);
}

static void youbot_comes_to_where_it_can_grasp(void) {
  stays_in_tube(&experiments[1]);
}

static void lwr4_follows_steps(void) {
  stays_in_tube(&experiments[2]);
}

/* 0.965 m at 0.05 m/s would take 19.3 s; the goal areas cut the corners. */
static void youbot_follows_a_chirp(void) {
  stays_in_tube(&experiments[3]);
}

/* A turn by 40 degrees at the start of a way of 0.25 m: it takes T ln(angle / tolerance) with the
 * prediction T, before the tool travels. */
static void turning_takes_the_time_of_the_prediction(void) {
  static const double q[] = {1, 0, 0, -1.57, 0, 1.57, 0}, horizons[] = {2.5, 0.5};
  const double angle[3] = {40 * acos(-1) / 180, 0, 0};
  for (int k = 0; k < 2; k++) {
    achd_measurement m = {.q = {0}};
    achd_pose start, goal = {.R = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}};
    achd_twist twist;
    achd_rotation turn;
    achd_task t = lwr4_path_tasks[0];
    plant p = {.robot = &lwr4_robot, .dynamics = lwr4_dynamics, .random = 1};
    memcpy(m.q, q, sizeof q);
    memcpy(p.q, q, sizeof q);
    lwr4_kinematics(NULL, &m, &start, &twist);
    for (int i = 0; i < 3; i++) goal.p[i] = start.p[i] + (i == 0 ? 0.25 : 0);
    achd_rotation_exp(angle, &turn);
    achd_rotation_product(&start.R, &turn, &t.orientation);
    t.frames = &goal, t.nframes = 1, t.goal_area = 0.03, t.time = 10;
    t.horizon = horizons[k], t.orientation_tolerance = 0.05;
    t.direction[0].value = 0.05;
    for (int i = 3; i < 6; i++)
      t.direction[i] =
          (achd_direction){.kind = ACHD_ORIENTATION,
                           .tolerance = 0.05,
                           .largest = 60,
                           .abag = {0.9, 0.0005, 0.0008, 0.65, 0.0025, ACHD_ABAG_LIMITS}};
    const achd_loop_setup setup = to_goal(&lwr4_robot, &t);
    closed_loop c = closed_loop_at(&setup, p, 630, PREGRASP_E_INITIALIZED);
    closed_loop_run(&c, 10.5);
    double r[3];
    closed_loop_place(&c.loop, r);
    CHECK_NEAR(c.in_tube, t.horizon * log(angle[0] / 0.05), 0.15);
    if (k == 0) CHECK(c.seen & ACHD_TASK_TIMEOUT);
    if (k == 0) CHECK_NEAR(r[0], -0.08, 0.005);
    if (k == 1) CHECK(c.seen & ACHD_TASK_GOAL_AREA && c.stopped < 7);
  }
}

int main(int argc, char **argv) {
  folder = argc > 1 ? argv[1] : NULL;
  runs = argc > 2 ? argv[2] : NULL;
  RUN(lwr4_comes_to_where_it_can_grasp);
  RUN(youbot_comes_to_where_it_can_grasp);
  RUN(lwr4_follows_steps);
  RUN(youbot_follows_a_chirp);
  RUN(turning_takes_the_time_of_the_prediction);
  return test_end();
}
