/* SPDX-License-Identifier: MIT */
/* main.c: a Gen3 grasps a box that it does not know, lifts it, learns its mass and centre while the tool tilts, carries it, puts it down
 * and lets go of it. What slips away, cannot be, or is not let go of ends it, with the arm held by what it then knows.
 *
 *   load [wrench]    uses what it learns as inertia of the last link, or as a wrench on the tool */
#include <achd/loop_load.h>
#include <achd/loop_robot.h>
#include <achd/robif2b_gen3.h>

#include "gen3_achd.h"
#include "load_task.h"
#include "loading_machine.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>

/* ---- the robot, with what it carries ---- */

ACHD_LOOP_LOAD(gen3, GEN3, bracelet_link);
static achd_loop_load load;
#define CARRIED(in, context)                                                                       \
  (ACHD_LOOP_LOAD_CARRY(in, gen3, load, bracelet_link, push), (void)(context))
ACHD_LOOP_ROBOT_LOADED(achd_loop_posture, CARRIED, gen3, GEN3, tool_frame, tool, push, press);
ACHD_LOOP_ACCELERATIONS_WITH(CARRIED, gen3, GEN3, push);
static const double home[] = {0, 0.26, 3.14, -2.27,
                              0, 0.96, 1.57}; /* the box between the fingers */
static achd_loop_posture posture = {.q = home, .stiffness = 20, .damping = 4};
static const achd_loop_robot robot = {
    GEN3_NJ, achd_gen3_joints, &posture, gen3_loop_kinematics, gen3_loop_solve, gen3_loop_gravity};

/* ---- what is learnt ---- */

/* Mass and first moment: 0 is expected, give or take [kg], [kg m]. */
static const achd_identify_prior priors[] = {{0, 2}, {0, 0.3}, {0, 0.3}, {0, 0.3}};
static const double sigma[] = {0.2, 0.2, 0.2, 0.2, 0.1, 0.1, 0.1}; /* [N m] */
static const achd_identify_setup identify = {priors, sigma, 4, GEN3_NJ, 50, INFINITY, 0.1};
/* Dry friction, as far as it is known (achd-identify finds it): nine tenths of what the joints have. */
#define RUBS(coulomb)                                                                              \
  { 1, 0, coulomb, 4e-3, 0 }
static const achd_observer_joint friction[] = {RUBS(1.0), RUBS(1.0), RUBS(1.0), RUBS(1.0),
                                               RUBS(0.5), RUBS(0.5), RUBS(0.5)};

static achd_loop_load_setup load_setup(achd_loop_load_use use) {
  return (achd_loop_load_setup){
      .identify = &identify,
      .add = gen3_load_add,
      .friction = friction,
      .own = gen3_load_own(),
      .learns = 1u << LOADING_LEARN | 1u << LOADING_CARRY,
      .releases = 1u << LOADING_LOST | 1u << LOADING_RELEASE | 1u << LOADING_LEAVE,
      .largest_mass = 3, /* what this arm may carry with a gripper [kg] */
      .farthest = 0.4,
      .use = use,
      .tool_in_link = {{0, 0, -0.061525}, {{{1, 0, 0}, {0, -1, 0}, {0, 0, -1}}}}, /* by the URDF */
      .gravity = {0, 0, -9.81}};
}

/* ---- the loop ---- */

#define BY(task)                                                                                   \
  { ACHD_LOOP_CRUISE, &load_tasks[task] }
static const achd_loop_setup setup = {
    .robot = &robot,
    .machine = &loading_machine,
    .states = {[LOADING_STOP] = {ACHD_LOOP_STOP, NULL},
               [LOADING_LOST] = {ACHD_LOOP_STOP, NULL},
               [LOADING_GRASP] = {ACHD_LOOP_STOP, NULL},
               [LOADING_LIFT] = BY(LOAD_TASK_LIFT),
               [LOADING_LEARN] = BY(LOAD_TASK_LEARN),
               [LOADING_CARRY] = BY(LOAD_TASK_CARRY),
               [LOADING_PUT_DOWN] = BY(LOAD_TASK_PUT_DOWN),
               [LOADING_RELEASE] = {ACHD_LOOP_STOP, NULL},
               [LOADING_LEAVE] = BY(LOAD_TASK_LEAVE),
               [LOADING_DONE] = {ACHD_LOOP_STOP, NULL}},
    .events = {.fault = LOADING_E_FAULT, .timeout = LOADING_E_TIMEOUT},
    .latest = 3e-3,
    .late_cycles = 3,
    .saturation_time = 1,
    .singular_time = 0.1,
    .braking_time = 0.3,
    .brakes_after = 4, /* longer than the fingers take: then the drives' own brakes hold the arm */
    .watch = {.joints = achd_gen3_guards,
              .joints_stamped = true,
              .accelerations = gen3_loop_accelerations}};

/* ---- the gripper ---- */

typedef struct hand {
  float position, velocity, current; /* 0: open, 100: closed [%] */
  float goal, speed, force;          /* [%] */
  bool success;
  struct robif2b_kg3_robotiq_gripper_nbx device;
} hand;

/* The box is 40 of 85 mm wide, so that fingers that hold it stand at 53 %. */
enum { OPEN = 30, HOLDING = 45, CLOSER = 57 };

static void connect(hand *h, achd_gen3 *arm) {
  *h = (hand){.speed = 50, .force = 10, .success = true};
  h->device = (struct robif2b_kg3_robotiq_gripper_nbx){
      &h->position, &h->velocity, &h->current, &h->goal, &h->speed, &h->force, &h->success, NULL};
  robif2b_kg3_robotiq_gripper_configure(&h->device, &arm->device);
}

/* ---- what the program tells the machine ---- */

typedef struct clocks {
  int state;
  double in_state, there; /* [s] */
} clocks;

/* How long the tool has been at its place. */
static void look(clocks *c, const achd_loop *loop, double period) {
  const double *e = loop->errors.exact;
  const bool same = c->state == loop->machine.state;
  const double off = sqrt(e[0] * e[0] + e[1] * e[1] + e[2] * e[2]);
  const double turned = sqrt(e[3] * e[3] + e[4] * e[4] + e[5] * e[5]);
  const double *v = loop->tool.twist.lin, speed = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
  c->in_state = same ? c->in_state + period : 0;
  c->there = same && c->in_state > 0.2 && off < 0.002 && turned < 0.02 && speed < 0.01
                 ? c->there + period
                 : 0;
  c->state = loop->machine.state;
}

static void tell(achd_loop *loop, const clocks *c, hand *h) {
  const bool moves_it = c->state >= LOADING_LIFT && c->state <= LOADING_PUT_DOWN;
  h->goal = c->state == LOADING_GRASP || moves_it || c->state == LOADING_STOP ? h->goal : 0;
  if (c->state == LOADING_GRASP) {
    h->goal = 100;
    if (c->in_state > 1.5 && h->position > HOLDING) achd_loop_raise(loop, LOADING_E_CLOSED);
    if (c->in_state > 3) achd_loop_raise(loop, LOADING_E_REFUSED);
  }
  if (moves_it && h->position > CLOSER) achd_loop_raise(loop, LOADING_E_LOST);
  if (c->state == LOADING_LEARN && c->in_state > 0.8) achd_loop_raise(loop, LOADING_E_LEARNT);
  if (c->state == LOADING_CARRY && load.found.mass == 0) achd_loop_raise(loop, LOADING_E_REFUSED);
  if (c->state == LOADING_RELEASE && h->position < OPEN) achd_loop_raise(loop, LOADING_E_OPEN);
  if (c->state == LOADING_RELEASE && c->in_state > 3) achd_loop_raise(loop, LOADING_E_REFUSED);
  if (c->there > 0.2 && c->state != LOADING_LEARN) achd_loop_raise(loop, LOADING_E_THERE);
}

static bool ends(const clocks *c) {
  return (c->state == LOADING_STOP || c->state == LOADING_LOST || c->state == LOADING_DONE) &&
         c->in_state > 0.5;
}

static void report(const achd_loop *loop, double time) {
  printf("%6.2f s: %s", time, loading_machine.states[loop->machine.state]);
  if (load.found.mass > 0)
    printf(", %.3f kg at %.0f %.0f %.0f mm of the bracelet", load.found.mass,
           1e3 * load.found.centre[0], 1e3 * load.found.centre[1], 1e3 * load.found.centre[2]);
  if (load.refused) printf(", an estimate is refused: %u", load.refused);
  printf("\n");
}

/* Ctrl-C and kill do not let go of the arm: it is braked, and the fingers stay as they are. */
static volatile sig_atomic_t asked_to_end;
static void on_signal(int number) {
  (void)number;
  asked_to_end = 1;
}

int main(int argc, char **argv) {
  static achd_loop loop;
  static achd_gen3 arm;
  static hand fingers;
  const bool as_wrench = argc > 1 && strcmp(argv[1], "wrench") == 0;
  const achd_loop_load_setup learning =
      load_setup(as_wrench ? ACHD_LOOP_LOAD_WRENCH : ACHD_LOOP_LOAD_INERTIA);
  clocks clock = {.state = -1};
  int cycle = 0, before = -1;
  if (!achd_loop_start(&loop, &setup) || !achd_loop_load_start(&load, &learning) ||
      !achd_gen3_connect(&arm, &(achd_gen3_setup){.near = home}))
    return 1;
  connect(&fingers, &arm);
  signal(SIGINT, on_signal);
  signal(SIGTERM, on_signal);
  printf("the %s arm, the load as %s\n", achd_gen3_library(), as_wrench ? "wrench" : "inertia");
  do {
    achd_measurement measured;
    achd_gen3_read(&arm, &measured);
    robif2b_kg3_robotiq_gripper_update(&fingers.device);
    /* 0.1 s at rest tell the loop the noise of the readings */
    if (cycle++ == 100) achd_loop_raise(&loop, LOADING_E_START);
    if (asked_to_end) achd_loop_raise(&loop, LOADING_E_FAULT);
    if (!fingers.success) achd_loop_raise(&loop, LOADING_E_FAULT);
    achd_loop_load_step(&load, &learning, &loop, &measured, arm.period);
    tell(&loop, &clock, &fingers);
    achd_loop_cycle(&loop, &measured, arm.period);
    achd_gen3_command(&arm, &loop);
    look(&clock, &loop, arm.period);
    if (clock.state != before && clock.in_state > 0) report(&loop, arm.time);
    if (clock.in_state > 0) before = clock.state;
  } while (loop.mode != ACHD_LOOP_DISABLE && !ends(&clock));
  const int end = loop.machine.state;
  printf("tool at %.3f %.3f %.3f m, fault %u\n", loop.tool.pose.p[0], loop.tool.pose.p[1],
         loop.tool.pose.p[2], loop.fault);
  achd_gen3_disconnect(&arm);
  return end != LOADING_DONE || loop.fault != ACHD_LOOP_FINE;
}
