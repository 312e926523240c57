/* free_motion.c: experiments 1 to 4 (Vukcevic 2020): to where an arm can grasp, and along a path,
 * of the LWR 4 and of the youBot's arm. The published start, rate and task; the goal and the tube at
 * the published times within 15 %, and no overshoot of the tube: 5 % of its tolerance (both bounds are
 * those of tests/runtime/tasks_published_test.c, with friction). Dry friction is not published: none for the LWR, which was a simulation,
 * 2 % of the efforts for the youBot, which was not. */
#include "experiments/experiment.h"
#include "runtime/arms.h"
#include "runtime/closed_loop.h"

#include "lwr4_controlled.h"
#include "lwr4_path_task.h"
#include "lwr4_pregrasp_task.h"
#include "path_machine.h"
#include "pregrasp_machine.h"
#include "youbot_controlled.h"
#include "youbot_path_task.h"
#include "youbot_pregrasp_task.h"

CLOSED_LOOP_CONTROLLER(lwr4, LWR4, lwr_7_link)
CLOSED_LOOP_CONTROLLER(youbot, YOUBOT, gripper_palm_link)

static free_motion lwr4_free = {lwr4_joints, 0.1, 0.1, 0.5};
static free_motion youbot_free = {youbot_joints, 0.1, 0.1, 0.5};

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

static const char *const lwr4_names[] = {"lwr_a1_joint", "lwr_a2_joint", "lwr_e1_joint",
                                         "lwr_a3_joint", "lwr_a4_joint", "lwr_a5_joint",
                                         "lwr_a6_joint"};
static const char *const youbot_names[] = {"arm_joint_1", "arm_joint_2", "arm_joint_3",
                                           "arm_joint_4", "arm_joint_5"};

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
      .events = {.fault = -1,
                 .joint_limit = PATH_E_JOINT_LIMIT,
                 .timeout = PATH_E_TIMEOUT,
                 .contact = PATH_E_CONTACT,
                 .within_tube = PATH_E_WITHIN_TUBE,
                 .out_of_tube = PATH_E_OUT_OF_TUBE,
                 .goal_area = PATH_E_FINAL_GOAL_AREA,
                 .out_of_goal_area = PATH_E_OUT_OF_GOAL_AREA,
                 .section_covered = PATH_E_SECTION_COVERED},
      .latest = 3e-3,
      .saturation_time = 1,
      .singular_time = 0.1,
      .braking_time = 0.3,
      .watch = {.joints = guards}};
  return setup;
}

typedef struct experiment {
  const char *title, *world;
  const achd_loop_robot *robot;
  const char *const *joints;
  const achd_task *task;
  double rate;          /* [Hz] */
  double in_tube, goal; /* published [s]; in_tube 0: not */
  double tube;          /* its tolerance [m] */
  double length;        /* of the tube, to be drawn [m] */
} experiment;

static const experiment experiments[] = {
    {"to where the LWR can grasp", "lwr4_pregrasp", &lwr4_robot, lwr4_names,
     &lwr4_pregrasp_tasks[0], 630, 4.5, 8.5, 0.01, 0.5},
    {"to where the youBot can grasp", "youbot_pregrasp", &youbot_robot, youbot_names,
     &youbot_pregrasp_tasks[0], 660, 4.7, 8.5, 0.015, 0.3},
    {"the LWR follows steps", "lwr4_path", &lwr4_robot, lwr4_names, &lwr4_path_tasks[0], 630, 0,
     11.8, 0.01, 0.03},
    {"the youBot follows a chirp", "youbot_path", &youbot_robot, youbot_names,
     &youbot_path_tasks[0], 660, 0, 17.1, 0.015, 0.01},
};

bool run_free_motion(int n, const char *folder) {
  const experiment *e = &experiments[n - 1];
  const achd_task *t = e->task;
  const bool path = t->nframes > 1;
  const achd_loop_setup setup = path ? along_path(e->robot, t) : to_goal(e->robot, t);
  static record r;
  static arm a;
  static achd_loop loop;
  achd_signal more[EXPERIMENT_MORE * ACHD_LOOP_JOINTS];
  char world[600];
  r = (record){.folder = folder,
               .title = e->title,
               .source = path ? "Vukcevic 2020, chapter 7, path following"
                              : "Vukcevic 2020, chapter 7, pre-grasp",
               .text =
                   path ? "The tool follows waypoints within a tube; the next one counts as soon "
                          "as its goal area is reached."
                        : "The tool moves into a tube, and along it to the goal; its "
                          "orientation is free.",
               .number = n,
               .task = t,
               .tube = e->tube,
               .length = e->length};
  snprintf(world, sizeof world, "%s/%s.world", EXPERIMENTS_WORLDS, e->world);
  arm_open(&a, world, e->robot->njoints, 1 / e->rate, NULL);
  const int nmore = experiment_signals(&a, e->joints, more);
  record_start(&r, &setup, e->joints, more, nmore, 4);
  if (!achd_loop_start(&loop, &setup)) return false;
  achd_loop_raise(&loop, path ? PATH_E_INITIALIZED : PREGRASP_E_INITIALIZED);

  double in_tube = 0, goal = 0, farthest = 0, most = 0, place[3] = {0};
  unsigned seen = 0;
  int sections = 0, before = loop.machine.state, section = 0;
  for (int cycle = 0;; cycle++) {
    const double now = cycle * a.period;
    if (now > t->time + 4 || (goal > 0 && now > goal + 2)) break;
    experiment_cycle(&a, &loop, &r, now);
    const bool stands = loop.machine.state == setup.machine->initial;
    experiment_place(&loop, place);
    if (in_tube == 0 && loop.seen & ACHD_TASK_WITHIN_TUBE) in_tube = now;
    if (goal == 0 && stands && before != loop.machine.state) goal = now, seen = loop.seen;
    for (int i = 1; i < 3 && goal == 0 && in_tube > 0 && section == loop.task.section; i++)
      farthest = fmax(farthest, fabs(place[i]));
    for (int j = 0; j < e->robot->njoints && goal == 0; j++)
      most = fmax(most, fabs(loop.tau[j]) / e->robot->joints[j].effort);
    sections += loop.task.section > section;
    section = loop.task.section;
    before = loop.machine.state;
  }
  arm_close(&a);
  if (e->in_tube > 0)
    record_near(&r, "in the tube", "s", e->in_tube, in_tube, 0.15);
  else
    record_say(&r, "in the tube", "s", NAN, in_tube);
  record_near(&r, "at the goal", "s", e->goal, goal, 0.15);
  record_bound(&r, "ends at the goal area, not by time or contact", "1", NAN,
               seen & ACHD_TASK_GOAL_AREA ? 1 : 0, "1",
               seen & ACHD_TASK_GOAL_AREA && !(seen & (ACHD_TASK_TIMEOUT | ACHD_TASK_CONTACT)));
  record_bound(&r, "off the middle of the tube, once within", "m", NAN, farthest,
               "1.05 of the tolerance", farthest <= 1.05 * e->tube);
  if (path)
    record_bound(&r, "waypoints passed", "1", NAN, sections + 1, "all", sections == t->nframes - 1);
  record_bound(&r, "largest share of a torque limit", "1", NAN, most, "0.7, a small share",
               most < 0.7);
  record_bound(&r, "left to the goal along x at the end", "m", NAN, fabs(place[0]),
               "1.25 goal areas", fabs(place[0]) <= 1.25 * t->goal_area);
  record_bound(&r, "faults of the loop", "1", 0, loop.fault, "none", loop.fault == 0);
  return record_end(&r);
}
