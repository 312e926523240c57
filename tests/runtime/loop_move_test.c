/* SPDX-License-Identifier: MIT */
/* loop_move_test.c: moves of the joints by the loop (ACHD_LOOP_MOVE), on a Gen3 with friction and noise that the controller does not know:
 * it arrives and says so, a move is exchanged for another without a jerk, and what is wrong meanwhile stops it as it does a task. */
#include <achd/loop.h>
#include <achd/loop_robot.h>

#include "gen3_moving.h"
#include "random.h"
#include "test.h"

enum { N = GEN3_NJ };
static const double period = 1e-3;

ACHD_LOOP_TORQUES(gen3, GEN3, push);

#define LARGE(low, high)                                                                           \
  {                                                                                                \
    {low, high, 1.3963}, 39, {                                                                     \
      8, 60, 0.5, -39, 39                                                                          \
    }                                                                                              \
  }
#define SMALL(low, high)                                                                           \
  {                                                                                                \
    {low, high, 1.2218}, 28, {                                                                     \
      8, 20, 0.5, -28, 28                                                                          \
    }                                                                                              \
  }
static const achd_loop_joint joints[N] = {
    LARGE(-INFINITY, INFINITY), LARGE(-2.24, 2.24), LARGE(-INFINITY, INFINITY), LARGE(-2.57, 2.57),
    SMALL(-INFINITY, INFINITY), SMALL(-2.09, 2.09), SMALL(-INFINITY, INFINITY)};

static void kinematics(void *context, const achd_measurement *m, achd_pose *pose,
                       achd_twist *twist) {
  gen3_fk_in fk = GEN3_FK_IN_DEFAULT;
  gen3_fvk_in fvk = GEN3_FVK_IN_DEFAULT;
  gen3_fk_out at;
  gen3_fvk_out moving;
  (void)context;
  memcpy(fk.q, m->q, sizeof fk.q);
  memcpy(fvk.q, m->q, sizeof fvk.q);
  memcpy(fvk.qd, m->qd, sizeof fvk.qd);
  gen3_fk(&fk, &at);
  gen3_fvk(&fvk, &moving);
  *pose = ACHD_POSE_OF(at.pose.tool_frame);
  *twist = ACHD_TWIST_OF(moving.twist.tool_frame);
}

/* There is no task. */
static void solve(void *context, const achd_measurement *m, const achd_task_command *command,
                  achd_solution *s) {
  (void)context, (void)m, (void)command;
  s->usable = false;
}

static void gravity(void *context, const achd_measurement *m, achd_real *tau) {
  gen3_gravity_in in = GEN3_GRAVITY_IN_DEFAULT;
  gen3_gravity_out out;
  (void)context;
  memcpy(in.q, m->q, sizeof in.q);
  gen3_gravity(&in, &out);
  memcpy(tau, out.tau, sizeof out.tau);
}

static const achd_loop_robot robot = {N, joints, NULL, kinematics, solve, gravity};

/* ---- stop, home, away ---- */

enum { STOP, HOME, AWAY };
enum { NONE, FAULT, TIMEOUT, MOVED, GO_HOME, GO_AWAY };
static const char *const states[] = {"stop", "home", "away"};
static const char *const events[] = {"none", "fault", "timeout", "moved", "go_home", "go_away"};
static const achd_transition transitions[] = {{"stop", 7, STOP},
                                              {"home", 1u << STOP | 1u << AWAY, HOME},
                                              {"away", 1u << STOP | 1u << HOME, AWAY}};
static const achd_reaction reactions[] = {
    {FAULT, 0, 0}, {TIMEOUT, 0, 0}, {MOVED, 0, 0}, {GO_HOME, 1, 0}, {GO_AWAY, 2, 0}};
static const achd_machine machine = {
    "moves", 3,      6,           3,         5,           STOP,
    states,  events, transitions, reactions, 1u << FAULT, 1u << GO_HOME | 1u << GO_AWAY};

static const double home[N] = {0, 0.26, 3.14, -2.27, 0, 0.96, 1.57},
                    away[N] = {1.2, 0.9, 2.5, -1.2, -0.8, 1.5, 0};
static const achd_move_limits limits[N] = {{-INFINITY, INFINITY, 1, 5, 50},  {-2.2, 2.2, 1, 5, 50},
                                           {-INFINITY, INFINITY, 1, 5, 50},  {-2.5, 2.5, 1, 5, 50},
                                           {-INFINITY, INFINITY, 1, 8, 100}, {-2, 2, 1, 8, 100},
                                           {-INFINITY, INFINITY, 1, 8, 100}};
static achd_move_profile profiles[N];
static achd_loop_move to_home, to_away;

static achd_loop_setup setup_of(void) {
  to_home = (achd_loop_move){home, limits, profiles, 25, 0.02, gen3_loop_torques};
  to_away = to_home;
  to_away.to = away;
  return (achd_loop_setup){
      .robot = &robot,
      .machine = &machine,
      .states = {{ACHD_LOOP_STOP, NULL}, {ACHD_LOOP_MOVE, NULL}, {ACHD_LOOP_MOVE, NULL}},
      .events = {.fault = FAULT, .timeout = TIMEOUT, .moved = MOVED},
      .latest = 3e-3,
      .saturation_time = 0.2,
      .singular_time = 0.2,
      .braking_time = 1,
      .moves = {NULL, &to_home, &to_away}};
}

/* ---- the arm ---- */

static double q[N], qd[N];
static int blocked; /* this joint does not move; -1: none */
static unsigned long long seed;

static void arm_at(const double at[N]) {
  memcpy(q, at, sizeof q);
  memset(qd, 0, sizeof qd);
  blocked = -1;
  seed = 3;
}

static achd_measurement measure(void) {
  achd_measurement m = {.q = {0}};
  for (int j = 0; j < N; j++)
    m.q[j] = q[j] + 2e-5 * random_normal(&seed), m.qd[j] = qd[j] + 2e-3 * random_normal(&seed);
  return m;
}

static void arm_moves(const achd_loop *loop) {
  gen3_fd_in in = GEN3_FD_IN_DEFAULT;
  gen3_fd_out out;
  memcpy(in.q, q, sizeof q);
  memcpy(in.qd, qd, sizeof qd);
  for (int j = 0; j < N; j++)
    in.tau[j] = loop->tau[j] - qd[j] - 0.02 * joints[j].effort * tanh(qd[j] / 0.01);
  gen3_fd(&in, &out);
  for (int j = 0; j < N; j++) {
    qd[j] = j == blocked ? 0 : qd[j] + period * out.qdd[j];
    q[j] += period * qd[j];
  }
}

static double off, fastest,
    jolt; /* largest difference from what is wanted; largest share of the velocity's limit; change of a wanted acceleration in a cycle */

/* Until the machine is in `until`, for `most` seconds; returns how long it took. */
static double run(achd_loop *loop, int until, double most) {
  double t = 0, last[N];
  for (int j = 0; j < N; j++) last[j] = loop->wanted[j].qdd;
  off = fastest = jolt = 0;
  for (; t < most && (t < 2 * period || loop->machine.state != until); t += period) {
    const achd_measurement m = measure();
    achd_loop_cycle(loop, &m, period);
    arm_moves(loop);
    for (int j = 0; j < N; j++) {
      CHECK(fabs(loop->tau[j]) <= joints[j].effort);
      fastest = fmax(fastest, fabs(qd[j]) / limits[j].velocity);
      if (loop->mode != ACHD_LOOP_TORQUE) continue;
      if (loop->moved_for >= 0) off = fmax(off, fabs(loop->wanted[j].q - q[j]));
      jolt = fmax(jolt, fabs(loop->wanted[j].qdd - last[j]) / (limits[j].jerk * period));
      last[j] = loop->wanted[j].qdd;
    }
  }
  return t;
}

static double from(const double goal[N]) {
  double most = 0;
  for (int j = 0; j < N; j++) most = fmax(most, fabs(q[j] - goal[j]));
  return most;
}

/* ---- tests ---- */

static void the_arm_moves_and_says_so(void) {
  const achd_loop_setup setup = setup_of();
  achd_loop loop;
  arm_at(home);
  CHECK(achd_loop_start(&loop, &setup));
  run(&loop, -1, 0.1);
  CHECK(achd_loop_raise(&loop, GO_AWAY));
  const double there = run(&loop, STOP, 10);
  printf("away in %.2f s (planned %.2f), at most %.4f rad off, %.3f rad from the goal\n", there,
         loop.move.duration, off, from(away));
  CHECK(loop.fault == ACHD_LOOP_FINE && loop.machine.state == STOP);
  CHECK(there > loop.move.duration - 2 * period && there < loop.move.duration + 0.05 &&
        from(away) < 0.02 && off < 0.03 && fastest < 1.05);
  run(&loop, -1, 0.5);
  CHECK(from(away) < 0.03);
  achd_loop_raise(&loop, GO_HOME);
  run(&loop, STOP, 10);
  CHECK(loop.fault == ACHD_LOOP_FINE && from(home) < 0.02);
}

static void a_move_is_exchanged_for_another(void) {
  const achd_loop_setup setup = setup_of();
  achd_loop loop;
  arm_at(home);
  CHECK(achd_loop_start(&loop, &setup));
  run(&loop, -1, 0.05);
  achd_loop_raise(&loop, GO_AWAY);
  run(&loop, -1, 0.12); /* while the joints speed up */
  achd_loop_raise(&loop, GO_HOME);
  run(&loop, STOP, 10);
  printf(
      "called back: accelerations change by %.3f of what the jerk allows, at most %.4f rad off\n",
      jolt, off);
  CHECK(loop.fault == ACHD_LOOP_FINE && from(home) < 0.02 && off < 0.03 && jolt < 1.001);
}

static void what_blocks_a_joint_is_noticed(void) {
  achd_loop_setup setup = setup_of();
  setup.motion_time = 5;
  achd_loop loop;
  arm_at(home);
  CHECK(achd_loop_start(&loop, &setup));
  run(&loop, -1, 0.05);
  achd_loop_raise(&loop, GO_AWAY);
  run(&loop, -1, 0.3);
  blocked = 3;
  const double t = run(&loop, STOP, 10);
  printf("a joint that is held fast: stopped after %.2f s, fault %u\n", t, loop.fault);
  CHECK(loop.machine.state == STOP && t < 1 && loop.fault != ACHD_LOOP_FINE);
  for (int j = 0; j < N; j++) CHECK(fabs(qd[j]) < 0.3 || t > 0);
  run(&loop, -1, 1);
  for (int j = 0; j < N; j++) CHECK(fabs(qd[j]) < 0.02);
}

/* Friction keeps it where it is nearly there: no fault, but the time is over. */
static void who_never_arrives_is_timed(void) {
  achd_loop_setup setup = setup_of();
  setup.motion_time = 4;
  to_away.arrived = 1e-7;
  achd_loop loop;
  arm_at(home);
  CHECK(achd_loop_start(&loop, &setup));
  run(&loop, -1, 0.05);
  achd_loop_raise(&loop, GO_AWAY);
  const double t = run(&loop, STOP, 10);
  CHECK(loop.machine.state == STOP && t > 3.9 && t < 4.1 && loop.fault == ACHD_LOOP_FINE);
}

static void faults_stop_a_move(void) {
  const achd_loop_setup setup = setup_of();
  for (int kind = 0; kind < 3; kind++) {
    achd_loop loop;
    arm_at(home);
    CHECK(achd_loop_start(&loop, &setup));
    run(&loop, -1, 0.05);
    achd_loop_raise(&loop, GO_AWAY);
    run(&loop, -1, 0.5);
    achd_measurement m = measure();
    if (kind == 0) m.q[2] = NAN;
    if (kind == 1) m.drives_fault = true;
    const achd_loop_mode mode = achd_loop_cycle(&loop, &m, kind == 2 ? 0.1 : period);
    CHECK(mode == ACHD_LOOP_VELOCITY && loop.fault != ACHD_LOOP_FINE);
    arm_moves(&loop);
    run(&loop, -1, 1);
    CHECK(loop.machine.state == STOP && loop.mode == ACHD_LOOP_VELOCITY);
    for (int j = 0; j < N; j++) CHECK(fabs(qd[j]) < 0.02);
    CHECK(achd_loop_rearm(&loop) && achd_loop_raise(&loop, GO_HOME));
    run(&loop, STOP, 10);
    CHECK(loop.fault == ACHD_LOOP_FINE && from(home) < 0.02);
  }
}

/* Too fast to stop before the move's own limit, although far from the joint's. */
static void a_limit_in_the_way_is_told_before(void) {
  achd_loop_setup setup = setup_of();
  achd_move_limits narrow[N];
  memcpy(narrow, limits, sizeof narrow);
  narrow[1].upper = 1;
  to_away.limits = narrow;
  achd_loop loop;
  arm_at(home);
  q[1] = 0.95;
  CHECK(achd_loop_start(&loop, &setup));
  run(&loop, -1, 0.05);
  achd_loop_raise(&loop, GO_AWAY);
  qd[1] = 1;
  run(&loop, STOP, 0.01);
  CHECK((loop.fault & ACHD_LOOP_LIMIT) != 0 && loop.machine.state == STOP);
}

static void senseless_moves_are_refused(void) {
  achd_loop loop;
  achd_loop_setup setup = setup_of();
  double beyond[N];
  memcpy(beyond, away, sizeof beyond);
  beyond[3] = 2.6;
  const achd_loop_move good = to_away;
  achd_loop_move bad[8] = {good, good, good, good, good, good, good, good};
  bad[0].to = NULL, bad[1].to = beyond, bad[2].limits = NULL, bad[3].profile = NULL,
  bad[4].bandwidth = 0, bad[5].bandwidth = INFINITY;
  bad[6].arrived = NAN, bad[7].torques = NULL;
  for (int i = 0; i < 8; i++) {
    setup.moves[AWAY] = &bad[i];
    CHECK(!achd_loop_start(&loop, &setup));
    const achd_measurement m = measure();
    CHECK(achd_loop_cycle(&loop, &m, period) == ACHD_LOOP_DISABLE);
  }
  setup.moves[AWAY] = NULL;
  CHECK(!achd_loop_start(&loop, &setup));
  setup.moves[AWAY] = &good;
  setup.events.moved = 99;
  CHECK(!achd_loop_start(&loop, &setup));
  setup.events.moved = MOVED;
  CHECK(achd_loop_start(&loop, &setup));
}

int main(void) {
  RUN(the_arm_moves_and_says_so);
  RUN(a_move_is_exchanged_for_another);
  RUN(what_blocks_a_joint_is_noticed);
  RUN(who_never_arrives_is_timed);
  RUN(faults_stop_a_move);
  RUN(a_limit_in_the_way_is_told_before);
  RUN(senseless_moves_are_refused);
  return test_end();
}
