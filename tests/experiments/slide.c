/* slide.c: experiments 7 and 8 (Lau 2023): a Gen3 slides its tool 0.10 m along a table, and draws a
 * line of 0.10 m; once in contact, once in the air.
 *
 * 7. Published are the means of each joint's torque and current: in contact joint 2's are 41 %
 * smaller than in the air, since the table carries the arm. Stated before any run, and never fitted:
 * it presses with 10 N, as the published program says, and a gripper of 0.925 kg is mounted. Bound,
 * chosen before: joint 2's torque and current fall by 10 to 60 %.
 *
 * 8. How far the line is from straight; no numbers are published. Bound, chosen before: 2 mm, twice
 * the tolerance of the task. */
#include "experiments/experiment.h"
#include "runtime/arms.h"
#include "runtime/surface_run.h"

#include "gen3_controlled.h"
#include "gen3_gripper.h"
#include "gen3_line_task.h"
#include "gen3_side_task.h"
#include "pregrasp_machine.h"

CLOSED_LOOP_CONTROLLER(gripper, GRIPPER, tool_frame)
CLOSED_LOOP_CONTROLLER(gen3, GEN3, tool_frame)

enum { NJ = 7 };
static const double settled = 1; /* it presses for so long before it moves [s] */
static const char *const names[NJ] = {"joint_1", "joint_2", "joint_3", "joint_4",
                                      "joint_5", "joint_6", "joint_7"};
static free_motion free_joints = {gen3_joints, 0.1, 0.1, 0.5, false};
static const achd_loop_robot with_gripper = {.njoints = NJ,
                                             .joints = gen3_joints,
                                             .context = &free_joints,
                                             .kinematics = gripper_kinematics,
                                             .solve = gripper_solve,
                                             .gravity = gripper_weight};
static const achd_loop_robot with_pen = {.njoints = NJ,
                                         .joints = gen3_joints,
                                         .context = &free_joints,
                                         .kinematics = gen3_kinematics,
                                         .solve = gen3_solve,
                                         .gravity = gen3_weight};

/* In the air: into the tube, and along it. */
static achd_loop_setup in_air(const achd_loop_robot *robot, const achd_task *task) {
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
      .saturation_time = 3,
      .singular_time = 0.1,
      .braking_time = 0.3};
  return setup;
}

/* What a slide shows, while it cruises. */
typedef struct slide {
  double began, goal; /* [s]; 0: never */
  int cycles;
  double torque[NJ], current[NJ]; /* means, with the command's sign */
  double force, speed, beside;    /* means; largest distance from the line */
  unsigned fault;
} slide;

static void look(slide *s, const arm *a, const achd_loop *loop, int cruise, double now) {
  const bool cruises = loop->machine.state == cruise;
  if (s->began > 0 && s->goal == 0 && loop->machine.state == loop->setup->machine->initial)
    s->goal = now;
  s->fault |= loop->fault;
  if (!cruises || s->goal > 0) return;
  double v[3], place[3];
  experiment_place(loop, place);
  achd_rotate_back(&loop->task.task->frames[0].R, loop->tool.twist.lin, v);
  if (s->began == 0) s->began = now;
  const double share = 1.0 / ++s->cycles;
  for (int j = 0; j < NJ; j++) {
    s->torque[j] += share * (-a->tau[j] - s->torque[j]);
    s->current[j] += share * (a->current[j] - s->current[j]);
  }
  s->force += share * (a->site < 0 ? 0 : loop->tool.wrench.lin[2] - s->force);
  s->speed += share * (v[0] - s->speed);
  s->beside = fmax(s->beside, fabs(place[1]));
}

/* On the table (machine surface) or in the air (machine pregrasp). The first run is recorded. */
static slide carry_out(record *r, const char *world, const achd_loop_setup *setup, bool table) {
  static arm a;
  static achd_loop loop;
  achd_signal more[EXPERIMENT_MORE * ACHD_LOOP_JOINTS];
  slide s = {0};
  double pressed = 0; /* for so long, without motion [s] */
  arm_open(&a, world, NJ, 1e-3, "tool_frame");
  const int nmore = experiment_signals(&a, names, more);
  if (r->setup == NULL) record_start(r, setup, names, more, nmore, 4);
  const bool recorded = r->setup == setup;
  if (recorded) arm_things(&a, r);
  if (!achd_loop_start(&loop, setup)) return s;
  achd_loop_raise(&loop, table ? (int)SURFACE_E_INITIALIZED : (int)PREGRASP_E_INITIALIZED);
  for (int cycle = 0;; cycle++) {
    const double now = cycle * a.period;
    if (now > 60 || (s.goal > 0 && now > s.goal + 1)) break;
    const achd_measurement m = arm_measure(&a);
    const int64_t before = nanoseconds();
    achd_loop_cycle(&loop, &m, a.period);
    if (recorded) {
      double values[EXPERIMENT_MORE * ACHD_LOOP_JOINTS];
      achd_cycle_times_put(&r->times, nanoseconds() - before);
      experiment_values(&a, values);
      record_put(r, &loop, now, values);
    }
    arm_command(&a, loop.tau);
    look(&s, &a, &loop,
         table ? (int)SURFACE_CRUISE_THROUGH_TUBE : (int)PREGRASP_CRUISE_THROUGH_TUBE, now);
    const bool aligning = table && loop.machine.state == SURFACE_ALIGN_WITH_SURFACE;
    const double was = pressed;
    pressed = aligning ? pressed + a.period : 0;
    if (was < settled && pressed >= settled) achd_loop_raise(&loop, SURFACE_E_ALIGN_DONE);
  }
  arm_close(&a);
  return s;
}

static double fall(double contact, double air) {
  return 100 * (1 - fabs(contact) / fabs(air));
}

static void say_power(record *r, const slide *contact, const slide *air) {
  /* Lau 2023, tables 6.1 and 6.2 */
  static const double torque[2][NJ] = {{.2164, 9.8474, .3025, -3.1071, .3014, -1.7027, -.0787},
                                       {-.1564, 16.7563, .9884, -1.3727, .3063, -2.5120, -.1095}};
  static const double current[2][NJ] = {{.1283, -.7882, .0626, .5766, .1844, .2210, -.0084},
                                        {-.0416, -1.3291, .0104, .3427, .0976, .4215, -.0129}};
  static const double volts = 23.18; /* the published mean of joint 2 */
  const slide *both[] = {contact, air};
  static const char *const where[] = {"in contact", "in the air"};
  char text[160];
  for (int k = 0; k < 2; k++)
    for (int j = 0; j < NJ; j++) {
      snprintf(text, sizeof text, "mean torque of joint %d %s, magnitude", j + 1, where[k]);
      record_say(r, text, "N m", fabs(torque[k][j]), fabs(both[k]->torque[j]));
    }
  for (int k = 0; k < 2; k++) {
    snprintf(text, sizeof text, "mean current of joint 2 %s, magnitude", where[k]);
    record_say(r, text, "A", fabs(current[k][1]), fabs(both[k]->current[1]));
    snprintf(text, sizeof text, "power of joint 2 at %.2f V %s", volts, where[k]);
    record_say(r, text, "W", volts * fabs(current[k][1]), volts * fabs(both[k]->current[1]));
  }
}

static bool slides(int n, const char *folder) {
  static record r;
  const achd_task *tasks = gen3_side_tasks;
  const achd_task *pressed = &tasks[GEN3_SIDE_TASK_IN_CONTACT];
  static achd_loop_setup on_table, above;
  on_table = surface_setup(&with_gripper, &tasks[GEN3_SIDE_TASK_LOWER], pressed, pressed);
  above = in_air(&with_gripper, &tasks[GEN3_SIDE_TASK_IN_AIR]);
  r = (record){.folder = folder,
               .title = "the Gen3 slides along a table, and in the air",
               .source = "Lau 2023, use case 1",
               .text = "The recorded run is the one in contact: down by 0.25 m to the table, then "
                       "0.10 m along x pressing with 10 N. The table compares it with the same "
                       "slide in the air.",
               .number = n,
               .task = pressed,
               .tube = 0.01,
               .length = 0.1};
  const slide contact = carry_out(&r, EXPERIMENTS_WORLDS "/gen3_side.world", &on_table, true);
  const slide air = carry_out(&r, EXPERIMENTS_WORLDS "/gen3_air.world", &above, false);
  const double torque = fall(contact.torque[1], air.torque[1]);
  const double current = fall(contact.current[1], air.current[1]);
  record_bound(&r, "joint 2: torque falls in contact by", "%", 41, torque, "10 to 60 %",
               torque > 10 && torque < 60);
  record_bound(&r, "joint 2: current falls in contact by", "%", 41, current, "10 to 60 %",
               current > 10 && current < 60);
  record_bound(&r, "slides that reach their goal", "1", 2, (contact.goal > 0) + (air.goal > 0),
               "both", contact.goal > 0 && air.goal > 0);
  record_say(&r, "mean force of the table", "N", NAN, contact.force);
  record_say(&r, "mean speed in contact", "m/s", NAN, contact.speed);
  record_bound(&r, "faults of the loop", "1", 0, contact.fault | air.fault, "none",
               (contact.fault | air.fault) == 0);
  say_power(&r, &contact, &air);
  return record_end(&r);
}

static bool draws(int n, const char *folder) {
  static record r;
  const achd_task *tasks = gen3_line_tasks;
  const achd_task *pressed = &tasks[GEN3_LINE_TASK_IN_CONTACT];
  static achd_loop_setup on_table, above;
  on_table = surface_setup(&with_pen, &tasks[GEN3_LINE_TASK_LOWER], pressed, pressed);
  above = in_air(&with_pen, &tasks[GEN3_LINE_TASK_ABOVE]);
  r = (record){.folder = folder,
               .title = "the Gen3 draws a line, and one in the air",
               .source = "Lau 2023, use case 2",
               .text = "The recorded run is the one on paper: down to it, then 0.10 m along y "
                       "pressing with 5 N.",
               .number = n,
               .task = pressed,
               .tube = 0.001,
               .length = 0.1};
  const slide contact = carry_out(&r, EXPERIMENTS_WORLDS "/gen3_paper.world", &on_table, true);
  const slide air = carry_out(&r, EXPERIMENTS_WORLDS "/gen3_above.world", &above, false);
  record_bound(&r, "on paper: farthest from the straight line", "m", NAN, contact.beside, "0.002",
               contact.beside <= 0.002);
  record_bound(&r, "in the air: farthest from the straight line", "m", NAN, air.beside, "0.002",
               air.beside <= 0.002);
  record_bound(&r, "lines that reach their end", "1", 2, (contact.goal > 0) + (air.goal > 0),
               "both", contact.goal > 0 && air.goal > 0);
  record_say(&r, "mean force of the paper", "N", NAN, contact.force);
  record_say(&r, "mean speed on paper", "m/s", NAN, contact.speed);
  record_bound(&r, "faults of the loop", "1", 0, contact.fault | air.fault, "none",
               (contact.fault | air.fault) == 0);
  return record_end(&r);
}

bool run_slide(int n, const char *folder) {
  return n == 7 ? slides(n, folder) : draws(n, folder);
}
