/* SPDX-License-Identifier: MIT */
/* runtime.c: the runtime library on a board, alone with libm.c: complementarity problems of gen3 at
 * rest near singular configurations and far from them, and the loop that leads gen3 to where it can
 * grasp. Prints what is right, and the instructions and the stack that each takes at worst. */
#include <achd/load.h>
#include <achd/loop.h>
#include <achd/mclp.h>

#include "effort.h"
#include "gen3_pregrasp_task.h"
#include "gen3f_achd.h"
#include "gen3f_task.h"
#include "pregrasp_machine.h"
#include "semihost.h"
#include "uniform.h"

enum { NJ = GEN3F_NJ, ROWS = TASKF_NR, PROBLEMS = 300, CYCLES = 3000 };
static const float period = 1e-3F;

static void nothing(void) {}

static void print(const char *label, unsigned x) {
  semihost_print(label);
  semihost_print_number((float)x, 0);
}

typedef struct {
  unsigned least, most, stack;
} range;

static void include(range *seen, effort now, unsigned call) {
  const unsigned count = now.instructions - call;
  if (count < seen->least) seen->least = count;
  if (count > seen->most) seen->most = count;
  if (now.stack > seen->stack) seen->stack = now.stack;
}

static void print_range(const char *name, const range *seen) {
  semihost_print(name);
  print(" ", seen->least);
  print(" ", seen->most);
  print(" ", seen->stack);
  semihost_print("\n");
}

/* ---- complementarity ---- */

static taskf_achd_in state;
static taskf_mclp_out parts;
static float nu[ROWS], work[ACHD_MCLP_WORK(ROWS)];
static signed char side[ROWS];
static achd_mclp_report report;
static achd_mclp_status solved;

static void make(void) {
  taskf_mclp(&state, &parts);
}

static void solve(void) {
  const achd_mclp_problem problem = {ROWS, parts.L, parts.r, parts.lo, parts.hi};
  solved = achd_mclp(&problem, nu, side, 0, work, &report);
}

static void next_problem(void) {
  for (int i = 0; i < NJ; i++) {
    state.q[i] = uniform(3.1F);
    state.friction[i] = 5 + uniform(5);
    state.tau_art[i] = uniform(20);
  }
  for (int i = 0; i < ROWS; i++) {
    state.b[i] = uniform(5);
    side[i] = 0;
  }
  state.gravity[2] = -9.81F;
}

static void problems(unsigned call) {
  range making = {~0U, 0, 0}, solving = {~0U, 0, 0};
  unsigned good = 0;
  for (int k = 0; k < PROBLEMS; k++) {
    next_problem();
    include(&making, effort_of(make), call);
    include(&solving, effort_of(solve), call);
    bool within = true;
    for (int j = 0; j < ROWS; j++) within = within && nu[j] >= parts.lo[j] && nu[j] <= parts.hi[j];
    good += solved == ACHD_MCLP_SOLVED && within && report.residual <= ACHD_MCLP_RESIDUAL;
  }
  print("problems ", PROBLEMS);
  print(" solved ", good);
  semihost_print("\n");
  print_range("mclp", &making);
  print_range("solver", &solving);
}

/* ---- the loop ---- */

static const float posture[NJ] = {0, 0.26F, 3.14F, -2.27F, 0, 0.96F, 1.57F};

static void copy(float *to, const float *from, int count) {
  for (volatile float *at = to; count > 0; count--) *at++ = *from++;
}

static void kinematics(void *context, const achd_measurement *m, achd_pose *pose,
                       achd_twist *twist) {
  (void)context;
  static gen3f_fk_in fk;
  static gen3f_fvk_in fvk;
  static gen3f_fk_out at;
  static gen3f_fvk_out moving;
  copy(fk.q, m->q, NJ);
  copy(fvk.q, m->q, NJ);
  copy(fvk.qd, m->qd, NJ);
  gen3f_fk(&fk, &at);
  gen3f_fvk(&fvk, &moving);
  *pose = ACHD_POSE_OF(at.pose.tool_frame);
  *twist = ACHD_TWIST_OF(moving.twist.tool_frame);
}

static void weight(void *context, const achd_measurement *m, float *tau) {
  (void)context;
  static gen3f_gravity_in in = {.gravity = {0, 0, -9.81F}};
  static gen3f_gravity_out out;
  copy(in.q, m->q, NJ);
  gen3f_gravity(&in, &out);
  copy(tau, out.tau, NJ);
}

static void tasks_torques(void *context, const achd_measurement *m,
                          const achd_task_command *command, achd_solution *solution) {
  (void)context;
  static gen3f_achd_in in = {.gravity = {0, 0, -9.81F}};
  static gen3f_achd_out out;
  copy(in.q, m->q, NJ);
  copy(in.qd, m->qd, NJ);
  copy(in.b, command->b, 6);
  for (int i = 0; i < 6; i++) in.mask[i] = command->mask[i];
  for (int i = 0; i < 3; i++) copy(in.axes.tool[i], command->axes.m[i], 3);
  ACHD_PUT_WRENCH(in.push, m->wrench);
  ACHD_PUT_WRENCH(in.press, command->wrench);
  weight(0, m, in.tau_art);
  for (int j = 0; j < NJ; j++) in.tau_art[j] += 20 * (posture[j] - m->q[j]) - 4 * m->qd[j];
  const gen3f_status status = gen3f_achd(&in, &out);
  copy(solution->tau, out.tau_ctrl, NJ);
  copy(solution->qdd, out.qdd, NJ);
  solution->usable = (status & GEN3F_DO_NOT_COMMAND) == 0;
  solution->singular = (status & GEN3F_SINGULAR) != 0;
}

#define LARGE(low, high)                                                                           \
  {                                                                                                \
    {low, high, 1.3963F}, 55, {                                                                    \
      8, 60, 0.5F, -55, 55                                                                         \
    }                                                                                              \
  }
#define SMALL(low, high)                                                                           \
  {                                                                                                \
    {low, high, 1.2218F}, 28, {                                                                    \
      8, 20, 0.5F, -28, 28                                                                         \
    }                                                                                              \
  }
static const achd_loop_joint joints[NJ] = {
    LARGE(-ACHD_INFINITY, ACHD_INFINITY), LARGE(-2.24F, 2.24F),
    LARGE(-ACHD_INFINITY, ACHD_INFINITY), LARGE(-2.57F, 2.57F),
    SMALL(-ACHD_INFINITY, ACHD_INFINITY), SMALL(-2.09F, 2.09F),
    SMALL(-ACHD_INFINITY, ACHD_INFINITY)};
static const achd_loop_robot robot = {NJ, joints, 0, kinematics, tasks_torques, weight};
static const achd_loop_setup setup = {
    .robot = &robot,
    .machine = &pregrasp_machine,
    .states = {[PREGRASP_STOP_MOTION] = {ACHD_LOOP_STOP, 0},
               [PREGRASP_START_TO_CRUISE] = {ACHD_LOOP_APPROACH, &gen3_pregrasp_tasks[0]},
               [PREGRASP_CRUISE_THROUGH_TUBE] = {ACHD_LOOP_CRUISE, &gen3_pregrasp_tasks[0]}},
    .events = {.joint_limit = PREGRASP_E_JOINT_LIMIT,
               .timeout = PREGRASP_E_TIMEOUT,
               .contact = PREGRASP_E_CONTACT,
               .within_tube = PREGRASP_E_WITHIN_TUBE,
               .out_of_tube = PREGRASP_E_OUT_OF_TUBE,
               .goal_area = PREGRASP_E_GOAL_AREA,
               .out_of_goal_area = PREGRASP_E_OUT_OF_GOAL_AREA},
    .latest = 1.5e-3F,
    .saturation_time = 1,
    .singular_time = 0.1F,
    .braking_time = 0.3F};

static achd_loop loop;
static achd_measurement measured;

static void cycle(void) {
  achd_loop_cycle(&loop, &measured, period);
}

static void move(void) {
  static gen3f_fd_in in = {.gravity = {0, 0, -9.81F}};
  static gen3f_fd_out out;
  copy(in.q, measured.q, NJ);
  copy(in.qd, measured.qd, NJ);
  copy(in.tau, loop.tau, NJ);
  gen3f_fd(&in, &out);
  for (int j = 0; j < NJ; j++) {
    measured.qd[j] += out.qdd[j] * period;
    measured.q[j] += measured.qd[j] * period;
  }
}

static void control(unsigned call) {
  range running = {~0U, 0, 0}, stopping = {~0U, 0, 0};
  copy(measured.q, posture, NJ);
  achd_loop_start(&loop, &setup);
  achd_loop_raise(&loop, PREGRASP_E_INITIALIZED);
  for (int k = 0; k < CYCLES; k++) {
    if (k == CYCLES - 300) measured.wrench.lin[0] = ACHD_INFINITY; /* a fault: the loop stops */
    const effort now = effort_of(cycle);
    include(loop.mode == ACHD_LOOP_TORQUE ? &running : &stopping, now, call);
    if (k == CYCLES - 301) {
      print("faults ", loop.fault);
      semihost_print(" tool at y ");
      semihost_print_number(loop.tool.pose.p[1], 3);
      semihost_print("\n");
    }
    move();
  }
  print("stopped by ", loop.fault);
  semihost_print(" speed ");
  float speed = 0;
  for (int j = 0; j < NJ; j++) speed += measured.qd[j] < 0 ? -measured.qd[j] : measured.qd[j];
  semihost_print_number(speed, 4);
  semihost_print("\n");
  print_range("cycle", &running);
  print_range("stop", &stopping);
}

/* ---- a load ---- */

static achd_load load;
static achd_load_event event;
static const achd_load_parameters parameters = {
    .filter = 0.99F, .bias = ACHD_LOAD_QUIET_BIAS, .gain = ACHD_LOAD_QUIET_GAIN, .patience = 60};
static float bias[6] = {0.1F}, gain[6];

static void estimate(void) {
  event = achd_load_step(&load, &parameters, bias, gain);
}

static void loads(unsigned call) {
  range seen = {~0U, 0, 0};
  achd_load_reset(&load, bias);
  for (int k = 0; k < 300; k++) include(&seen, effort_of(estimate), call);
  print("quiet ", event == ACHD_LOAD_QUIET);
  semihost_print("\n");
  print_range("load", &seen);
}

int main(void) {
  start_timer();
  const unsigned call = effort_of(nothing).instructions;
  problems(call);
  control(call);
  loads(call);
  semihost_exit(0);
}
