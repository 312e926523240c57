/* SPDX-License-Identifier: MIT */
/* elbow.c: experiment 9 (Lau 2023): a Gen3 holds its tool with its elbow on a support, a contact at a
 * link before the last ones, and without. No results are published; the posture, the support and the
 * force with which the elbow leans on it, 20 N, are ours. Chosen before running: the tool stays
 * within 5 mm in both; the support carries 10 to 40 N; joint 2's torque falls by 10 % at least (20 N
 * at 0.4 m of some 20 N m), and its current with it. */
#include "experiments/experiment.h"
#include "runtime/arms.h"
#include "runtime/closed_loop.h"

#include "gen3_elbow.h"
#include "gen3_elbow_task.h"
#include "pregrasp_machine.h"

CLOSED_LOOP_MODEL(elbow, tool_frame)

enum { NJ = ELBOW_NJ };
static const char *const names[NJ] = {"joint_1", "joint_2", "joint_3", "joint_4",
                                      "joint_5", "joint_6", "joint_7"};
static free_motion free_joints = {gen3_joints, 0.1, 0.1, 0.5, false};
static double lean; /* force of the elbow on the support [N] */

/* The task's solve, and what lets the elbow lean. */
static void leaning_solve(void *context, const achd_measurement *m,
                          const achd_task_command *command, achd_solution *solution) {
  elbow_achd_in in = {.gravity = {0, 0, -9.81}};
  elbow_achd_out out;
  memcpy(in.q, m->q, sizeof in.q);
  memcpy(in.qd, m->qd, sizeof in.qd);
  memcpy(in.b, command->b, sizeof in.b);
  memcpy(in.mask, command->mask, sizeof in.mask);
  memcpy(in.axes.tool, command->axes.m, sizeof in.axes.tool);
  in.lean.lin[2] = -lean;
  elbow_weight(NULL, m, in.tau_art);
  for (int j = 0; j < NJ; j++) in.tau_art[j] += free_motion_torque(context, j, m->q[j], m->qd[j]);
  const elbow_status status = elbow_achd(&in, &out);
  memcpy(solution->tau, out.tau_ctrl, sizeof out.tau_ctrl);
  memcpy(solution->qdd, out.qdd, sizeof out.qdd);
  solution->usable = (status & ELBOW_DO_NOT_COMMAND) == 0;
  solution->singular = (status & ELBOW_SINGULAR) != 0;
}

/* The vertical force of all contacts on the elbow [N]. */
static double support_of(const arm *a) {
  double sum = 0;
  for (int k = 0; k < a->data->ncon; k++) {
    const mjContact *c = &a->data->contact[k];
    double force[6], up = 0;
    mj_contactForce(a->model, a->data, k, force);
    for (int i = 0; i < 3; i++) up += c->frame[3 * i + 2] * force[i];
    sum += fabs(up);
  }
  return sum;
}

typedef struct resting {
  double torque, current, support, farthest, squares; /* means of the last two seconds; [m] */
  unsigned fault;
} resting;

static resting carry_out(record *r, const char *world, bool rests, bool recorded) {
  static const achd_loop_robot robot = {.njoints = NJ,
                                        .joints = gen3_joints,
                                        .context = &free_joints,
                                        .kinematics = elbow_kinematics,
                                        .solve = leaning_solve,
                                        .gravity = elbow_weight};
  static const achd_loop_setup setup = {
      .robot = &robot,
      .machine = &pregrasp_machine,
      .states = {[PREGRASP_STOP_MOTION] = {ACHD_LOOP_STOP, NULL},
                 [PREGRASP_START_TO_CRUISE] = {ACHD_LOOP_APPROACH, &gen3_elbow_tasks[0]},
                 [PREGRASP_CRUISE_THROUGH_TUBE] = {ACHD_LOOP_CRUISE, &gen3_elbow_tasks[0]}},
      .events = {.fault = -1, .joint_limit = PREGRASP_E_JOINT_LIMIT, .timeout = PREGRASP_E_TIMEOUT},
      .latest = 3e-3,
      .saturation_time = 1,
      .singular_time = 0.1,
      .braking_time = 0.3};
  static const double longest = 6, last = 2; /* [s] */
  static arm a;
  static achd_loop loop;
  achd_signal more[EXPERIMENT_MORE * ACHD_LOOP_JOINTS + 1];
  double values[EXPERIMENT_MORE * ACHD_LOOP_JOINTS + 1];
  resting s = {0};
  int cycles = 0;
  lean = rests ? 20 : 0;
  arm_open(&a, world, NJ, 1e-3, NULL);
  const int nmore = experiment_signals(&a, names, more);
  more[nmore] = (achd_signal){"support", NULL, 0, "N"};
  if (recorded) record_start(r, &setup, names, more, nmore + 1, 4);
  if (recorded) arm_things(&a, r);
  if (!achd_loop_start(&loop, &setup)) return s;
  achd_loop_raise(&loop, PREGRASP_E_INITIALIZED);
  for (int cycle = 0; cycle * a.period < longest; cycle++) {
    const achd_measurement m = arm_measure(&a);
    double place[3], apart = 0;
    const int64_t before = nanoseconds();
    achd_loop_cycle(&loop, &m, a.period);
    if (recorded) {
      achd_cycle_times_put(&r->times, nanoseconds() - before);
      experiment_values(&a, values);
      values[nmore] = support_of(&a);
      record_put(r, &loop, cycle * a.period, values);
    }
    arm_command(&a, loop.tau);
    s.fault |= loop.fault;
    experiment_place(&loop, place);
    for (int i = 0; i < 3; i++) apart += place[i] * place[i];
    s.farthest = fmax(s.farthest, sqrt(apart));
    if (cycle * a.period < longest - last) continue;
    const double share = 1.0 / ++cycles;
    double squares = 0;
    for (int j = 0; j < NJ; j++) squares += a.tau[j] * a.tau[j];
    s.torque += share * (-a.tau[1] - s.torque);
    s.current += share * (a.current[1] - s.current);
    s.support += share * (support_of(&a) - s.support);
    s.squares += share * (squares - s.squares);
  }
  arm_close(&a);
  return s;
}

bool run_elbow(int n, const char *folder) {
  static record r;
  r = (record){.folder = folder,
               .title = "the Gen3 rests its elbow",
               .source = "Lau 2023, use case 3",
               .text = "The recorded run is the one on the support, on which the elbow leans with "
                       "20 N; the table compares it with the same pose without the support.",
               .number = n,
               .task = &gen3_elbow_tasks[0]};
  const resting on = carry_out(&r, EXPERIMENTS_WORLDS "/gen3_elbow.world", true, true);
  const resting off = carry_out(&r, EXPERIMENTS_WORLDS "/gen3_no_support.world", false, false);
  const double torque = 100 * (1 - fabs(on.torque) / fabs(off.torque));
  const double current = 100 * (1 - fabs(on.current) / fabs(off.current));
  record_bound(&r, "joint 2: torque falls on the support by", "%", NAN, torque, "10 at least",
               torque >= 10);
  record_bound(&r, "joint 2: current falls on the support by", "%", NAN, current, "10 at least",
               current >= 10);
  record_bound(&r, "the support carries", "N", NAN, on.support, "10 to 40",
               on.support >= 10 && on.support <= 40);
  record_bound(&r, "on the support: tool off its place, at most", "m", NAN, on.farthest, "0.005",
               on.farthest <= 0.005);
  record_bound(&r, "without: tool off its place, at most", "m", NAN, off.farthest, "0.005",
               off.farthest <= 0.005);
  record_say(&r, "torque of joint 2 on the support, magnitude", "N m", NAN, fabs(on.torque));
  record_say(&r, "torque of joint 2 without, magnitude", "N m", NAN, fabs(off.torque));
  record_say(&r, "all torques on the support, root of the sum of squares", "N m", NAN,
             sqrt(on.squares));
  record_say(&r, "all torques without", "N m", NAN, sqrt(off.squares));
  record_bound(&r, "faults of the loop", "1", 0, on.fault | off.fault, "none",
               (on.fault | off.fault) == 0);
  return record_end(&r);
}
