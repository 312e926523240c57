/* SPDX-License-Identifier: MIT */
/* loop_test.c: the rules of loop.h, one by one, on two joints without friction that know nothing of
 * each other: a slide along x and one along y that carry the tool. */
#include <achd/loop.h>

#include "random.h"
#include "test.h"

enum { N = 2 };
static const achd_real period = (achd_real)1e-3;
static const double close_to = sizeof(achd_real) == sizeof(float) ? 1e-4 : 1e-9;

#define REAL(x) ((achd_real)(x))
#define ENDLESS REAL(INFINITY)

/* ---- the robot ---- */

static const achd_real inertia = 2, effort = 50;
static achd_real weight[N]; /* that the joints bear */
static achd_real extra[N];  /* that the solver adds */
static bool singular;
static int solved; /* calls */

static void kinematics(void *context, const achd_measurement *m, achd_pose *pose,
                       achd_twist *twist) {
  (void)context;
  *pose = (achd_pose){{m->q[0], m->q[1], 0}, {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}};
  *twist = (achd_twist){{m->qd[0], m->qd[1], 0}, {0, 0, 0}};
}

static void solve(void *context, const achd_measurement *m, const achd_task_command *command,
                  achd_solution *s) {
  (void)context, (void)m;
  solved++;
  for (int j = 0; j < N; j++) {
    s->qdd[j] = command->mask[j] * command->b[j] + extra[j] / inertia;
    s->tau[j] = weight[j] + inertia * s->qdd[j];
  }
  s->usable = true;
  s->singular = singular;
}

static void gravity(void *context, const achd_measurement *m, achd_real *tau) {
  (void)context, (void)m;
  for (int j = 0; j < N; j++) tau[j] = weight[j];
}

static const achd_real Kp = 8, Kv = 100;
#define HOLD                                                                                       \
  { 8, 100, REAL(0.5), -40, 40 }
static const achd_loop_joint joints[N] = {{{-1, 1, 2}, 50, HOLD}, {{-1, 1, 2}, 50, HOLD}};
static const achd_loop_robot robot = {N, joints, NULL, kinematics, solve, gravity};

/* ---- the machine: what latches, what releases, what only leads on ---- */

enum { STOP, GO, NEXT };
enum { NONE, FAULT, LIMIT, TIMEOUT, CONTACT, START, OUT, COVERED, CHANGED };
static const char *const states[] = {"stop", "go", "next"};
static const char *const events[] = {"none",  "fault", "limit",   "timeout", "contact",
                                     "start", "out",   "covered", "changed"};
static const achd_transition transitions[] = {
    {"stop", 7, STOP}, {"go", 1u << STOP, GO}, {"next", 1u << GO, NEXT}, {"on", 1u << NEXT, GO}};
static const achd_reaction reactions[] = {
    {FAULT, 0, 0}, {LIMIT, 0, 0}, {TIMEOUT, 0, 0}, {CONTACT, 0, 0},
    {START, 1, 0}, {OUT, 1, 0},   {CHANGED, 3, 0}, {COVERED, 2, 1u << CHANGED}};
static const achd_machine machine = {"rig",
                                     3,
                                     9,
                                     4,
                                     8,
                                     STOP,
                                     states,
                                     events,
                                     transitions,
                                     reactions,
                                     1u << FAULT | 1u << LIMIT | 1u << TIMEOUT | 1u << CONTACT,
                                     1u << START};

/* ---- the task: 0.2 m/s along x ---- */

#define UPRIGHT                                                                                    \
  {                                                                                                \
    {                                                                                              \
      {1, 0, 0}, {0, 1, 0}, {                                                                      \
        0, 0, 1                                                                                    \
      }                                                                                            \
    }                                                                                              \
  }
static const achd_pose frames[2] = {{{REAL(0.3), 0, 0}, UPRIGHT}, {{REAL(0.6), 0, 0}, UPRIGHT}};
#define ABAG                                                                                       \
  { REAL(0.9), REAL(0.0005), REAL(0.0005), REAL(0.5), REAL(0.003), ACHD_ABAG_LIMITS }

static achd_task forwards(void) {
  achd_task t = {.name = "forwards",
                 .frames = frames,
                 .nframes = 1,
                 .orientation = UPRIGHT,
                 .orientation_tolerance = 1,
                 .force_axes = UPRIGHT,
                 .time = ENDLESS,
                 .contact = {ENDLESS, 0}};
  t.direction[0] = (achd_direction){.kind = ACHD_VELOCITY,
                                    .value = REAL(0.2),
                                    .tolerance = REAL(0.002),
                                    .largest = 10,
                                    .abag = ABAG};
  return t;
}

static achd_task task;
static achd_loop_guard guards[N];

static achd_loop_setup setup_of(void) {
  memset(weight, 0, sizeof weight);
  memset(extra, 0, sizeof extra);
  memset(guards, 0, sizeof guards);
  singular = false;
  task = forwards();
  return (achd_loop_setup){
      .robot = &robot,
      .machine = &machine,
      .states = {[GO] = {ACHD_LOOP_CRUISE, &task}, [NEXT] = {ACHD_LOOP_NEXT_SECTION, NULL}},
      .events = {.fault = FAULT,
                 .joint_limit = LIMIT,
                 .timeout = TIMEOUT,
                 .contact = CONTACT,
                 .out_of_goal_area = OUT,
                 .section_covered = COVERED},
      .latest = REAL(1.5e-3),
      .saturation_time = 1,
      .singular_time = REAL(0.1),
      .braking_time = REAL(0.3),
      .watch = {.joints = guards}};
}

/* ---- loop and plant ---- */

typedef struct rig {
  achd_loop loop;
  achd_measurement m; /* of the plant */
} rig;

static rig rig_of(const achd_loop_setup *setup) {
  rig r = {.m = {.q = {0}}};
  CHECK(achd_loop_start(&r.loop, setup));
  return r;
}

static void move(rig *r) {
  for (int j = 0; j < N; j++) {
    r->m.qd[j] += (r->loop.tau[j] - weight[j]) / inertia * period;
    r->m.q[j] += r->m.qd[j] * period;
  }
  r->m.joints_stamp++, r->m.wrench_stamp++;
}

static void check_command(const achd_loop *loop) {
  for (int j = 0; j < N; j++) CHECK(achd_finite(loop->tau[j]) && fabs(loop->tau[j]) <= effort);
}

/* A cycle with what a test makes of the reading; then the plant goes on. */
static achd_loop_mode cycle_with(rig *r, achd_measurement m, achd_real seconds) {
  const achd_loop_mode mode = achd_loop_cycle(&r->loop, &m, seconds);
  check_command(&r->loop);
  move(r);
  return mode;
}

static achd_loop_mode good_cycle(rig *r) {
  return cycle_with(r, r->m, period);
}

static void good_cycles(rig *r, int count) {
  for (int k = 0; k < count; k++) good_cycle(r);
}

/* As if the sensors were not known yet: a slow bus may repeat a reading for 50 ms. */
static void forget_sensors(rig *r) {
  for (int j = 0; j < N; j++) r->loop.joint[j].changes = 0;
}

static achd_measurement with_nan(achd_measurement m) {
  m.q[1] = REAL(NAN);
  return m;
}

/* Half a second on its way, at 0.2 m/s. */
static rig going(const achd_loop_setup *setup) {
  rig r = rig_of(setup);
  achd_loop_raise(&r.loop, START);
  good_cycles(&r, 500);
  CHECK(r.loop.mode == ACHD_LOOP_TORQUE && r.loop.fault == ACHD_LOOP_FINE);
  CHECK_NEAR((double)r.m.qd[0], 0.2, 0.05);
  return r;
}

/* ---- what stops, and how ---- */

/* Joints that move, a fault of the wrench sensor: the brake has what the joints do now. */
static void fault_of_the_wrench_leaves_the_joints_reading(void) {
  const achd_loop_setup setup = setup_of();
  rig r = going(&setup);
  for (int k = 0; k < 100; k++) {
    achd_measurement m = r.m;
    m.wrench.lin[k % 3] = REAL(NAN);
    CHECK(cycle_with(&r, m, period) == ACHD_LOOP_VELOCITY);
    CHECK(r.loop.measured.q[0] == m.q[0] && r.loop.measured.qd[0] == m.qd[0]);
    CHECK(r.loop.joints_good && !r.loop.wrench_good && r.loop.fault == ACHD_LOOP_NOT_FINITE);
    CHECK(r.loop.measured.wrench.lin[k % 3] == 0);
  }
  CHECK(fabs(r.m.qd[0]) < 0.01);
}

static void brake_is_on_the_velocity_of_this_cycle(void) {
  const achd_loop_setup setup = setup_of();
  rig r = rig_of(&setup);
  weight[0] = 3;
  static const double speeds[] = {0.3, 0.2, 0.1, 0.3, 0.01};
  for (int k = 0; k < 5; k++) {
    achd_measurement m = r.m;
    m.qd[0] = REAL(speeds[k]);
    achd_loop_cycle(&r.loop, &m, period);
    CHECK_NEAR((double)r.loop.tau[0], 3 - 100 * speeds[k], 1e-4);
  }
}

static void without_a_reading_the_weight_is_borne_and_nothing_braked(void) {
  const achd_loop_setup setup = setup_of();
  rig r = going(&setup);
  weight[0] = 5, weight[1] = -7;
  for (int k = 0; k < 5; k++) {
    CHECK(cycle_with(&r, with_nan(r.m), period) == ACHD_LOOP_VELOCITY);
    CHECK(r.loop.tau[0] == 5 && r.loop.tau[1] == -7);
  }
  good_cycle(&r);
  CHECK(r.loop.tau[0] < 5 - 15); /* braked: 100 * 0.2 */
}

static void blind_for_more_than_some_cycles_disables(void) {
  achd_loop_setup setup = setup_of();
  for (int cycles = 0; cycles < 12; cycles += 3) {
    setup.watch.blind_cycles = cycles;
    const int most = cycles > 0 ? cycles : 5;
    rig r = going(&setup);
    for (int k = 0; k < most; k++)
      CHECK(cycle_with(&r, with_nan(r.m), period) == ACHD_LOOP_VELOCITY);
    CHECK(cycle_with(&r, with_nan(r.m), period) == ACHD_LOOP_DISABLE);
    CHECK(r.loop.fault == (ACHD_LOOP_NOT_FINITE | ACHD_LOOP_BLIND));
  }
}

static void fault_of_the_drives_stops_until_it_has_gone(void) {
  const achd_loop_setup setup = setup_of();
  rig r = going(&setup);
  achd_measurement m = r.m;
  m.drives_fault = true;
  CHECK(cycle_with(&r, m, period) == ACHD_LOOP_VELOCITY);
  CHECK(r.loop.fault == ACHD_LOOP_DRIVES && r.loop.joints_good && !achd_loop_rearm(&r.loop));
  CHECK(r.loop.tau[0] < -15); /* braked by its own reading: 100 * 0.2 */
  good_cycle(&r);
  CHECK(r.loop.fault == ACHD_LOOP_DRIVES && achd_loop_rearm(&r.loop));
  CHECK(r.loop.fault == ACHD_LOOP_FINE);
}

/* Every other reading is enough to brake by; two of three that are missing are not. */
static void readings_that_come_and_go(void) {
  const achd_loop_setup setup = setup_of();
  rig r = going(&setup);
  for (int k = 0; k < 1000; k++)
    CHECK(cycle_with(&r, k % 2 ? r.m : with_nan(r.m), period) == ACHD_LOOP_VELOCITY);
  CHECK(fabs(r.m.qd[0]) < 0.01);
  r = going(&setup);
  for (int k = 0; k < 1000; k++) cycle_with(&r, k % 3 ? with_nan(r.m) : r.m, period);
  CHECK(r.loop.mode == ACHD_LOOP_DISABLE);
}

static void disabled_bears_the_weight_and_stays_so(void) {
  const achd_loop_setup setup = setup_of();
  rig r = going(&setup);
  weight[0] = 4;
  for (int k = 0; k < 10; k++) cycle_with(&r, with_nan(r.m), period);
  for (int k = 0; k < 100; k++) {
    CHECK(good_cycle(&r) == ACHD_LOOP_DISABLE);
    CHECK(r.loop.tau[0] == 4 && r.loop.qd[0] == 0);
  }
}

static void nothing_ever_read_commands_nothing(void) {
  const achd_loop_setup setup = setup_of();
  rig r = rig_of(&setup);
  weight[0] = 4;
  for (int k = 0; k < 20; k++) {
    CHECK(cycle_with(&r, with_nan(r.m), period) ==
          (k < 5 ? ACHD_LOOP_VELOCITY : ACHD_LOOP_DISABLE));
    CHECK(r.loop.tau[0] == 0 && r.loop.tau[1] == 0);
  }
}

/* The reading of the first cycle is wrong: what follows is believed. */
static void wrong_first_reading_draws_nothing(void) {
  const achd_loop_setup setup = setup_of();
  rig r = rig_of(&setup);
  r.m.q[0] = REAL(0.7);
  r.m.q[1] = REAL(-0.4);
  achd_measurement zero = {.q = {0}};
  cycle_with(&r, zero, period);
  good_cycles(&r, 1000);
  CHECK(r.loop.mode == ACHD_LOOP_VELOCITY && (r.loop.fault & ACHD_LOOP_IMPLAUSIBLE));
  CHECK_NEAR((double)r.m.q[0], 0.7, 1e-6);
  CHECK_NEAR((double)r.m.q[1], -0.4, 1e-6);
  CHECK(r.loop.measured.q[0] == r.m.q[0]);
}

/* Whatever the fault, when the stop has begun: nothing is held where it was not. */
static void weight_that_is_no_number_is_the_last_one(void) {
  const achd_loop_setup setup = setup_of();
  rig r = rig_of(&setup);
  weight[0] = 6;
  good_cycles(&r, 5);
  weight[0] = REAL(NAN);
  achd_loop_cycle(&r.loop, &r.m, period);
  CHECK_NEAR((double)r.loop.tau[0], 6, close_to);
  CHECK(r.loop.fault == ACHD_LOOP_UNUSABLE);
}

/* ---- age ---- */

static void stamps_that_stand_still_are_borne_for_the_age_allowed(void) {
  achd_loop_setup setup = setup_of();
  setup.watch.joints_stamped = true;
  setup.watch.joints_oldest = REAL(4.5e-3);
  rig r = going(&setup);
  achd_measurement m = r.m;
  for (int k = 0; k < 5; k++) CHECK(cycle_with(&r, m, period) == ACHD_LOOP_TORQUE);
  CHECK(cycle_with(&r, m, period) == ACHD_LOOP_VELOCITY);
  CHECK(r.loop.fault == ACHD_LOOP_STALE && !r.loop.joints_good);
  setup.watch.joints_oldest = 0; /* then every cycle has a new one */
  r = going(&setup);
  m = r.m;
  CHECK(cycle_with(&r, m, period) == ACHD_LOOP_TORQUE);
  CHECK(cycle_with(&r, m, period) == ACHD_LOOP_VELOCITY && r.loop.fault == ACHD_LOOP_STALE);
}

static void stamps_that_nobody_asks_for_are_not_looked_at(void) {
  const achd_loop_setup setup = setup_of();
  rig r = going(&setup);
  for (int k = 0; k < 100; k++) {
    achd_measurement m = r.m;
    m.joints_stamp = m.wrench_stamp = -k;
    m.joints_age = m.wrench_age = REAL(NAN);
    CHECK(cycle_with(&r, m, period) == ACHD_LOOP_TORQUE);
  }
}

/* Of the size and the sign of stamps nothing follows, a step back apart. */
static void stamps_may_be_negative_and_may_not_step_back(void) {
  achd_loop_setup setup = setup_of();
  setup.watch.joints_stamped = setup.watch.wrench_stamped = true;
  for (int which = 0; which < 2; which++) {
    rig r = rig_of(&setup);
    r.m.joints_stamp = r.m.wrench_stamp = -250;
    achd_loop_raise(&r.loop, START);
    good_cycles(&r, 500);
    CHECK(r.loop.mode == ACHD_LOOP_TORQUE && r.m.joints_stamp == 250);
    if (which == 0)
      r.m.joints_stamp = -1000;
    else
      r.m.wrench_stamp = -1000;
    CHECK(good_cycle(&r) == ACHD_LOOP_VELOCITY && r.loop.fault == ACHD_LOOP_STALE);
    CHECK(r.loop.joints_good == (which == 1));
    good_cycle(&r);
    CHECK(r.loop.now == ACHD_LOOP_FINE && r.loop.joints_good); /* and goes on from there */
  }
}

static void ages_are_compared_with_the_oldest(void) {
  achd_loop_setup setup = setup_of();
  setup.watch.joints_oldest = setup.watch.wrench_oldest = REAL(3e-3);
  static const double ages[] = {0, 0.003, 0.0031, -1e-3, 1e30};
  for (int k = 0; k < 5; k++) {
    rig r = going(&setup);
    achd_measurement m = r.m;
    m.joints_age = REAL(ages[k]);
    cycle_with(&r, m, period);
    CHECK(r.loop.fault == (k < 2 ? ACHD_LOOP_FINE : ACHD_LOOP_STALE));
    CHECK(r.loop.joints_good == (k < 2));
    r = going(&setup);
    m = r.m;
    m.wrench_age = REAL(ages[k]);
    cycle_with(&r, m, period);
    CHECK(r.loop.fault == (k < 2 ? ACHD_LOOP_FINE : ACHD_LOOP_STALE) && r.loop.joints_good);
  }
}

/* ---- plausibility ---- */

/* At the joint that is not driven, and while stopped: a jump of its reading moves it nowhere. */
static void jumps_draw_the_arm_nowhere(void) {
  static const double by[] = {0.1, -0.5, 6.283185307179586, -6.283185307179586, 100};
  const achd_loop_setup setup = setup_of();
  for (int k = 0; k < 5; k++)
    for (int length = 1; length < 2000; length += 999) {
      rig r = rig_of(&setup);
      good_cycles(&r, 50);
      for (int n = 0; n < length + 500; n++) {
        achd_measurement m = r.m;
        m.q[1] += n < length ? REAL(by[k]) : 0;
        m.qd[1] += REAL(1e-6); /* it lives */
        cycle_with(&r, m, period);
        CHECK(fabs(r.m.q[1]) < 1e-3);
      }
      CHECK(r.loop.fault == ACHD_LOOP_IMPLAUSIBLE && r.loop.mode == ACHD_LOOP_VELOCITY);
      CHECK(r.loop.measured.q[1] == r.loop.joint[1].q); /* to the last bit */
    }
}

static achd_loop_joint round_joints[N];

static achd_loop_robot endless_robot(void) {
  achd_loop_robot endless = robot;
  memcpy(round_joints, joints, sizeof joints);
  round_joints[1].limits.lower = -ENDLESS;
  round_joints[1].limits.upper = ENDLESS;
  endless.joints = round_joints;
  return endless;
}

/* A joint without limits wraps by a turn, and that is no fault; by half a turn it is. */
static void joint_without_limits_may_wrap(void) {
  static const double turn = 6.283185307179586;
  achd_loop_setup setup = setup_of();
  const achd_loop_robot endless = endless_robot();
  setup.robot = &endless;
  for (int driven = 0; driven < 2; driven++) {
    rig r = driven ? going(&setup) : rig_of(&setup);
    good_cycles(&r, 50);
    for (int k = 0; k < 100; k++) {
      achd_measurement m = r.m;
      m.q[1] += REAL(k % 20 < 10 ? turn : 0);
      CHECK(cycle_with(&r, m, period) == (driven ? ACHD_LOOP_TORQUE : ACHD_LOOP_VELOCITY));
      CHECK(fabs(r.m.q[1]) < 1e-5);
    }
    CHECK(r.loop.fault == ACHD_LOOP_FINE);
    achd_measurement m = r.m;
    m.q[1] += REAL(turn / 2);
    cycle_with(&r, m, period);
    CHECK(r.loop.fault == ACHD_LOOP_IMPLAUSIBLE);
  }
}

static void fast_but_continuous_is_no_jump(void) {
  achd_loop_setup setup = setup_of();
  achd_loop_robot endless = endless_robot();
  setup.robot = &endless;
  rig r = rig_of(&setup);
  for (int k = 0; k < 100; k++) {
    achd_measurement m = r.m;
    m.q[1] = REAL(0.0019) * REAL(k); /* 1.9 rad/s, the limit is 2 */
    m.qd[1] = REAL(1.9);
    achd_loop_cycle(&r.loop, &m, period);
    CHECK((r.loop.fault & ~(unsigned)ACHD_LOOP_MOTOR) == 0 && (k > 49 || r.loop.fault == 0));
  }
  CHECK(r.loop.fault == ACHD_LOOP_MOTOR); /* the stop does not slow it */
}

/* A brake without effect, as of a motor without torque: the joint falls and the drives' brakes are asked
 * for, without any model; a brake that has effect, however small, and a joint that is pushed with less
 * than half of it are borne. */
static void stop_that_does_not_slow_down_disables(void) {
  const achd_loop_setup setup = setup_of();
  rig r = rig_of(&setup);
  int cycles = 0;
  for (; cycles < 300 && r.loop.mode != ACHD_LOOP_DISABLE; cycles++) {
    achd_loop_cycle(&r.loop, &r.m, period);
    r.m.qd[0] += 10 * period;
    r.m.q[0] += r.m.qd[0] * period;
  }
  CHECK(r.loop.fault == ACHD_LOOP_MOTOR && cycles > 60 && cycles < 120);
  CHECK(r.m.q[0] < 0.1 && r.loop.tau[0] == 0);
  CHECK(!r.loop.disabled && achd_loop_cycle(&r.loop, &r.m, period) == ACHD_LOOP_DISABLE);
  r.m.qd[0] = 0;
  achd_loop_cycle(&r.loop, &r.m, period);
  CHECK(achd_loop_rearm(&r.loop) && r.loop.fault == ACHD_LOOP_FINE);
  CHECK(achd_loop_cycle(&r.loop, &r.m, period) == ACHD_LOOP_VELOCITY);

  r = rig_of(&setup);
  r.m.qd[0] = 1;
  for (int k = 0; k < 400; k++) {
    achd_loop_cycle(&r.loop, &r.m, period);
    r.m.qd[0] -= REAL(0.2) * period; /* 0.2 m/s^2 */
    r.m.q[0] = 0;
    r.loop.joint[0].slip = 0;
  }
  CHECK((r.loop.fault & ACHD_LOOP_MOTOR) == 0);

  r = rig_of(&setup);
  for (int k = 0; k < 1000; k++) {
    achd_loop_cycle(&r.loop, &r.m, period);
    weight[0] = 0;
    move(&r);
    r.m.qd[0] += 19 / inertia * period;
  }
  CHECK(r.loop.fault == ACHD_LOOP_FINE);
}

static void guards_of_a_joint_are_its_own(void) {
  achd_loop_setup setup = setup_of();
  guards[1].fastest = 1;
  guards[1].beyond = REAL(0.1);
  for (int j = 0; j < N; j++) {
    rig r = rig_of(&setup);
    good_cycle(&r);
    achd_measurement m = r.m;
    m.qd[j] = REAL(1.1);
    achd_loop_cycle(&r.loop, &m, period);
    CHECK(r.loop.fault == (j == 1 ? ACHD_LOOP_IMPLAUSIBLE : ACHD_LOOP_FINE));
    r = rig_of(&setup);
    m = r.m;
    m.q[j] = REAL(-1.2); /* from the first cycle on, so that it is no jump */
    achd_loop_cycle(&r.loop, &m, period);
    CHECK(r.loop.fault == (j == 1 ? ACHD_LOOP_IMPLAUSIBLE : ACHD_LOOP_FINE));
  }
}

/* 0.2 m/s, and a reading that stands still, or that says the opposite: 0.004 m apart in 20 ms, 10
 * ms.
 */
static void velocity_and_position_must_agree(void) {
  for (int opposite = 0; opposite < 2; opposite++) {
    achd_loop_setup setup = setup_of();
    guards[0].slip = guards[1].slip = REAL(0.004);
    rig r = going(&setup);
    const achd_measurement stands = r.m;
    int cycles = 0;
    if (!opposite) forget_sensors(&r);
    while (r.loop.fault == ACHD_LOOP_FINE && cycles < 100) {
      achd_measurement m = opposite ? r.m : stands;
      if (opposite) m.qd[0] = -m.qd[0];
      cycle_with(&r, m, period);
      cycles++;
    }
    CHECK(r.loop.fault == ACHD_LOOP_IMPLAUSIBLE);
    CHECK(cycles >= (opposite ? 6 : 16) && cycles <= (opposite ? 16 : 26));
  }
}

/* A velocity that is off by a little all the time is forgotten as fast as it comes. */
static void small_error_of_the_velocity_is_borne(void) {
  const achd_loop_setup setup = setup_of();
  rig r = rig_of(&setup);
  guards[0].slip = REAL(0.004);
  for (int k = 0; k < 30000; k++) {
    achd_measurement m = r.m;
    m.qd[0] = REAL(0.002);
    achd_loop_cycle(&r.loop, &m, period);
  }
  CHECK(r.loop.fault == ACHD_LOOP_FINE);
}

/* What was wrong once is wrong as long as it is the same reading. */
static void repeated_reading_is_judged_once(void) {
  achd_loop_setup setup = setup_of();
  setup.watch.joints_stamped = true;
  setup.watch.joints_oldest = REAL(4.5e-3);
  rig r = going(&setup);
  achd_measurement m = r.m;
  m.q[1] += REAL(0.5);
  m.qd[1] = REAL(1e-6); /* it lives */
  for (int k = 0; k < 4; k++) {
    cycle_with(&r, m, period);
    CHECK(!r.loop.joints_good && r.loop.now == ACHD_LOOP_IMPLAUSIBLE);
  }
}

/* Without stamps and without a guard: in a stop after 0.01 m and 0.02 s of the speed, 0.07 s here. */
static void reading_that_stands_still_does_not_brake_for_long(void) {
  achd_loop_setup setup = setup_of();
  setup.watch.joints = NULL;
  rig r = going(&setup);
  achd_measurement m = r.m;
  int cycles = 0;
  forget_sensors(&r);
  m.wrench.lin[0] = REAL(NAN);
  while (r.loop.mode != ACHD_LOOP_DISABLE && cycles < 1000) {
    cycle_with(&r, m, period);
    cycles++;
  }
  CHECK(cycles > 60 && cycles < 90 && (r.loop.fault & ACHD_LOOP_BLIND));
}

/* And while it moves, after 0.02 m and 0.03 s of the speed: 0.055 s at 0.8 m/s. */
static void reading_that_stands_still_stops_a_motion(void) {
  achd_loop_setup setup = setup_of();
  setup.watch.tool.speed = ENDLESS; /* the readings are faster than the task */
  setup.watch.joints = NULL;
  rig r = going(&setup);
  achd_measurement m = r.m;
  int cycles = 0;
  forget_sensors(&r);
  m.qd[0] = REAL(0.8);
  while (r.loop.fault == ACHD_LOOP_FINE && cycles < 2000) {
    achd_loop_cycle(&r.loop, &m, period);
    cycles++;
  }
  CHECK(cycles > 45 && cycles < 65 && r.loop.fault == ACHD_LOOP_IMPLAUSIBLE);
}

/* Both joints at 0.3: 0.05 after 0.09 s; one of them at 0.01: never, as it fades; a reading repeated
 * for 45 ms or 60 ms, both at 0.8 or 0.3: never, as each is too short; and in a stop, both at 0.1, after 0.02, so 0.11 s. The setup has guards. */
static void whole_reading_that_stands_still_is_a_fault(void) {
  achd_loop_setup setup = setup_of();
  setup.watch.tool.speed = ENDLESS; /* the readings are faster than the task */
  static const struct {
    achd_real speed[2];
    int repeat, least, most;
    bool stop;
  } runs[] = {{{REAL(0.3), REAL(-0.3)}, 5000, 80, 100, false},
              {{0, REAL(0.01)}, 5000, 5000, 5000, false},
              {{REAL(0.8), REAL(-0.8)}, 45, 5000, 5000, false},
              {{REAL(0.3), REAL(-0.3)}, 60, 5000, 5000, false},
              {{REAL(0.1), REAL(-0.1)}, 5000, 95, 120, true}};
  for (int k = 0; k < 5; k++) {
    rig r = going(&setup);
    achd_measurement m = r.m;
    int cycles = 0;
    forget_sensors(&r);
    for (int j = 0; j < N; j++) m.qd[j] = runs[k].speed[j];
    while (!(r.loop.fault & ACHD_LOOP_IMPLAUSIBLE) && cycles < 5000) {
      for (int j = 0; j < N && cycles > 0 && cycles % runs[k].repeat == 0; j++) {
        m.q[j] += m.qd[j] * period * REAL(runs[k].repeat); /* to and fro */
        m.qd[j] = -m.qd[j];
      }
      if (runs[k].stop) m.wrench.lin[0] = REAL(NAN);
      cycle_with(&r, m, period);
      cycles++;
    }
    CHECK(cycles >= runs[k].least && cycles <= runs[k].most);
  }
}

/* The sensor of one joint dies while the other moves. Without a resolution: by its slip, at 0.3 after 0.1 s, at 0.03
 * after 1.2 s, as it fades. With one of 1e-4: at 0.03 after more than 0.05 s, and at 0.003 after 0.14 s. What a slow bus repeats for 45 ms is borne. */
static void one_reading_that_stands_still_is_a_fault(void) {
  achd_loop_setup setup = setup_of();
  setup.watch.tool.speed = ENDLESS; /* the readings are faster than the task */
  static const struct {
    achd_real speed, resolution;
    int repeat, least, most;
  } runs[] = {{REAL(0.3), 0, 3000, 90, 110},           {REAL(0.03), 0, 3000, 1100, 1300},
              {REAL(0.03), REAL(1e-4), 3000, 45, 60},  {REAL(0.003), REAL(1e-4), 3000, 130, 160},
              {REAL(0.8), REAL(1e-4), 45, 3000, 3000}, {REAL(0.8), 0, 45, 3000, 3000}};
  for (int k = 0; k < 6; k++) {
    guards[0].resolution = runs[k].resolution;
    rig r = going(&setup);
    achd_real q = r.m.q[0], qd = runs[k].speed;
    int cycles = 0;
    forget_sensors(&r);
    while (!(r.loop.fault & ACHD_LOOP_IMPLAUSIBLE) && cycles < 3000) {
      achd_measurement m = r.m;
      if (cycles > 0 && cycles % runs[k].repeat == 0) {
        q += qd * period * REAL(runs[k].repeat); /* to and fro */
        qd = -qd;
      }
      m.q[0] = q, m.qd[0] = qd;
      m.q[1] = REAL(1e-4) * REAL(cycles % 2);
      cycle_with(&r, m, period);
      cycles++;
    }
    CHECK(cycles >= runs[k].least && cycles <= runs[k].most);
  }
  guards[0].resolution = -1;
  achd_loop refused;
  CHECK(!achd_loop_start(&refused, &setup));
  guards[0].resolution = 0;
}

/* Of a sensor that is known, and is regular: four of its steps, or 0.001, and not before 0.01 s; of
 * one that repeats what it says for 12 ms, such steps. The other joint's lives. */
static void reading_of_a_known_sensor_that_stands_still_is_a_fault(void) {
  static const struct {
    double speed;
    int repeat, least, most;
  } runs[] = {{0.8, 1, 9, 12}, {0.05, 1, 19, 24}, {0.02, 1, 48, 56}, {0.3, 12, 30, 40}};
  for (int k = 0; k < 4; k++) {
    achd_loop_setup setup = setup_of();
    rig r = rig_of(&setup);
    int dead = 0;
    for (int cycle = 0; cycle < 3000 && dead < 1000; cycle++) {
      achd_measurement m = r.m;
      const int held = cycle - cycle % runs[k].repeat;
      const double t = (cycle < 2000 ? held : 2000) * (double)period;
      for (int j = 0; j < N; j++)
        m.qd[j] = REAL(runs[k].speed), m.q[j] = REAL(runs[k].speed * t - 0.5);
      m.q[1] = REAL(runs[k].speed * held * (double)period - 0.5);
      achd_loop_cycle(&r.loop, &m, period);
      if (cycle >= 2000) dead++;
      if (cycle >= 2000 && r.loop.fault & ACHD_LOOP_IMPLAUSIBLE) break;
      CHECK(!(r.loop.fault & ACHD_LOOP_IMPLAUSIBLE));
    }
    CHECK(dead >= runs[k].least && dead <= runs[k].most);
  }
}

/* A position that stays the same, and a velocity that a filter takes to 0 within 0.05 s. */
static void velocity_that_fades_over_a_dead_sensor_is_a_fault(void) {
  achd_loop_setup setup = setup_of();
  rig r = going(&setup);
  achd_measurement m = r.m;
  int cycles = 0;
  while (r.loop.fault == ACHD_LOOP_FINE && cycles < 100) {
    m.qd[0] *= REAL(0.98);
    m.q[1] += REAL(1e-7); /* it lives */
    achd_loop_cycle(&r.loop, &m, period);
    cycles++;
  }
  CHECK(r.loop.fault == ACHD_LOOP_IMPLAUSIBLE && cycles >= 9 && cycles <= 20);
}

/* In a stop a reading that stays the same, with a velocity of 0.005, brakes for no longer than a
 * reading may be repeated; it is a fault much later. */
static void reading_that_stands_still_is_not_braked_by(void) {
  achd_loop_setup setup = setup_of();
  rig r = going(&setup);
  achd_measurement m = r.m;
  m.wrench.lin[0] = REAL(NAN);
  m.qd[0] = REAL(0.005);
  for (int k = 0; k < 100; k++) {
    m.q[1] += REAL(1e-7);
    achd_loop_cycle(&r.loop, &m, period);
    CHECK(!(r.loop.fault & ACHD_LOOP_IMPLAUSIBLE));
    if (k < 9) CHECK(r.loop.tau[0] < REAL(-0.4));
    if (k > 14) CHECK(r.loop.tau[0] == 0);
  }
}

/* A sensor dies at 0.2 and shows rest: 0.02 later, by the solver's accelerations. Once the drives are
 * disabled, a reading that shows rest is believed, so that a joint that was held can be rearmed. */
static void rest_that_the_model_denies_is_a_fault(void) {
  achd_loop_setup setup = setup_of();
  rig r = going(&setup);
  achd_measurement m = r.m;
  int cycles = 0;
  m.qd[0] = 0;
  while (r.loop.mode != ACHD_LOOP_DISABLE && cycles < 500) {
    m.q[1] += REAL(1e-7); /* it lives */
    achd_loop_cycle(&r.loop, &m, period);
    cycles++;
  }
  CHECK(r.loop.fault == (ACHD_LOOP_IMPLAUSIBLE | ACHD_LOOP_BLIND) && cycles >= 90 && cycles <= 200);
  for (int k = 0; k < 3; k++) achd_loop_cycle(&r.loop, &m, period);
  CHECK(r.loop.mode == ACHD_LOOP_DISABLE && achd_loop_rearm(&r.loop));
  achd_loop_cycle(&r.loop, &m, period);
  CHECK(r.loop.mode == ACHD_LOOP_VELOCITY && r.loop.fault == ACHD_LOOP_FINE);
}

static void wrench_at_its_sensor_s_limit_is_a_fault(void) {
  achd_loop_setup setup = setup_of();
  setup.watch.largest_force = 10;
  setup.watch.largest_moment = 1;
  for (int i = 0; i < 6; i++)
    for (int beyond = 0; beyond < 2; beyond++) {
      rig r = going(&setup);
      achd_measurement m = r.m;
      *(i < 3 ? &m.wrench.lin[i] : &m.wrench.ang[i - 3]) =
          REAL((i < 3 ? -10 : 1) * (beyond ? 1 : 0.99));
      cycle_with(&r, m, period);
      CHECK(r.loop.fault == (beyond ? ACHD_LOOP_IMPLAUSIBLE : ACHD_LOOP_FINE));
    }
}

/* ---- time ---- */

/* A joint is drawn away at 0.1 m/s while the periods are of no use: the spring sees all of it. */
/* Numbers whose differences are infinite. */
static void immense_readings_leave_nothing_behind(void) {
  static const double immense[] = {1e30, -1e30, 1.1e6, 1e38, -1e38};
  achd_loop_setup setup = setup_of();
  rig r = going(&setup);
  for (int k = 0; k < 5; k++) {
    achd_measurement m = r.m;
    m.q[k % 2] = REAL(immense[k]);
    cycle_with(&r, m, period);
    CHECK(r.loop.fault == ACHD_LOOP_NOT_FINITE && r.loop.mode == ACHD_LOOP_VELOCITY);
    good_cycles(&r, 2);
    CHECK(r.loop.measured.q[0] == r.loop.joint[0].q && r.loop.joints_good);
  }
}

static void without_periods_held_does_not_follow(void) {
  static const double periods[] = {0, NAN, -1, INFINITY};
  const achd_loop_setup setup = setup_of();
  for (int k = 0; k < 4; k++) {
    rig r = rig_of(&setup);
    for (int n = 0; n < 400; n++) {
      achd_measurement m = r.m;
      m.q[0] = REAL(1e-4 * n);
      m.qd[0] = REAL(0.1);
      achd_loop_cycle(&r.loop, &m, REAL(periods[k]));
      const double v = fmax(-0.5, -8 * 1e-4 * n);
      CHECK_NEAR((double)r.loop.tau[0], fmax(-40, 100 * (v - 0.1)), 1e-3);
    }
  }
}

/* A clock that hardly goes on: the brake comes all the same, and a joint that is drawn is kept. */
static void tiny_periods_do_not_hold_the_brake_up(void) {
  achd_loop_setup setup = setup_of();
  guards[0].torque_rate = 5000;
  for (double tiny = 1e-5; tiny > 1e-300; tiny *= tiny) {
    rig r = going(&setup);
    for (int n = 0; n < 3000; n++) {
      achd_measurement m = r.m;
      if (n == 0) m.wrench.lin[0] = REAL(NAN);
      achd_loop_cycle(&r.loop, &m, REAL(tiny) > 0 ? REAL(tiny) : REAL(1e-30));
      move(&r);
      if (n > 300) CHECK(fabs(r.m.qd[0]) < 0.01);
    }
    for (int n = 0; n < 3000; n++) {
      r.m.q[0] += REAL(1e-5);
      r.m.qd[0] = REAL(0.01);
      achd_loop_cycle(&r.loop, &r.m, REAL(tiny) > 0 ? REAL(tiny) : REAL(1e-30));
    }
    CHECK((double)r.loop.tau[0] < -5); /* a spring, not the damper alone */
  }
}

static void jitter_within_the_latest_is_borne(void) {
  const achd_loop_setup setup = setup_of();
  rig r = going(&setup);
  for (int k = 0; k < 1000; k++) {
    cycle_with(&r, r.m, k % 3 ? REAL(1.45e-3) : REAL(0.1e-3));
    CHECK(r.loop.mode == ACHD_LOOP_TORQUE);
  }
}

/* With late_cycles some late ones are borne: each adds one, each in time takes one away. */
static void late_cycles_are_borne(void) {
  achd_loop_setup setup = setup_of();
  setup.late_cycles = 3;
  rig r = going(&setup);
  const achd_real late = REAL(1.6e-3);
  for (int round = 0; round < 20; round++) {
    for (int k = 0; k < 3; k++) CHECK(cycle_with(&r, r.m, late) == ACHD_LOOP_TORQUE);
    CHECK(r.loop.late == 3 && r.loop.step == late);
    good_cycles(&r, 3);
  }
  for (int k = 0; k < 3; k++) cycle_with(&r, r.m, late);
  CHECK(r.loop.fault == ACHD_LOOP_FINE);
  CHECK(cycle_with(&r, r.m, late) == ACHD_LOOP_VELOCITY && r.loop.fault == ACHD_LOOP_LATE);
  good_cycles(&r, 10);
  CHECK(achd_loop_rearm(&r.loop) && r.loop.late == 0);
  achd_loop_raise(&r.loop, START);
  good_cycles(&r, 100);
  for (int k = 0; k < 100 && r.loop.fault == ACHD_LOOP_FINE; k++) { /* two late ones of three */
    cycle_with(&r, r.m, k % 3 ? late : period);
    CHECK(k < 12);
  }
  CHECK(r.loop.fault == ACHD_LOOP_LATE);
  static const double bad[] = {0.0151, 0, -1e-3, NAN, INFINITY};
  for (int k = 0; k < 5; k++) { /* at once */
    r = going(&setup);
    CHECK(cycle_with(&r, r.m, REAL(bad[k])) == ACHD_LOOP_VELOCITY);
    CHECK(r.loop.fault & ACHD_LOOP_LATE);
  }
}

/* Cycles that are late in fact: the brake's torque stands for all of each, and no joint swings up.
 */
static void late_cycles_do_not_swing_up(void) {
  static const double late[] = {0.01, 0.03, 0.05, 0.1, 0.3};
  const achd_loop_setup setup = setup_of();
  for (int k = 0; k < 5; k++) {
    rig r = going(&setup);
    const double from = (double)r.m.q[0];
    double fastest = 0;
    for (double t = 0; t < 6; t += late[k]) {
      achd_loop_cycle(&r.loop, &r.m, REAL(late[k]));
      for (int n = 0; n < (int)(late[k] / 1e-3 + 0.5); n++) {
        move(&r);
        fastest = fmax(fastest, fabs(r.m.qd[0]));
      }
    }
    CHECK(r.loop.mode == ACHD_LOOP_VELOCITY && (r.loop.fault & ACHD_LOOP_LATE));
    CHECK(fastest < 1);
    CHECK(fabs(r.m.qd[0]) < 0.1 && fabs((double)r.m.q[0] - from) < 0.3);
  }
}

/* A brake that is three times too strong for its cycle of 12 ms. */
static void brake_that_throws_a_joint_back_is_weakened(void) {
  achd_loop_setup setup = setup_of();
  achd_loop_joint strong[N] = {joints[0], joints[1]};
  achd_loop_robot ro = robot;
  strong[0].hold.velocity_gain = 500;
  ro.joints = strong, setup.robot = &ro;
  rig r = going(&setup);
  double fastest = 0;
  for (int k = 0; k < 200; k++) {
    achd_loop_cycle(&r.loop, &r.m, REAL(0.012));
    for (int n = 0; n < 12; n++) move(&r);
    if (k > 20) fastest = fmax(fastest, fabs(r.m.qd[0]));
  }
  CHECK(fastest < 0.11 && r.loop.joint[0].gain < 1 && r.loop.joint[1].gain == 1);
}

/* ---- limits ---- */

/* To the wall at every speed: with the deceleration that the brake has it rests before the limit.
 */
static void joints_rest_before_their_limits(void) {
  achd_loop_setup setup = setup_of();
  guards[0].deceleration = 15; /* of 40 N / 2 kg: the last bit is slower than at full torque */
  for (double speed = 0.1; speed < 1.9; speed += 0.2) {
    task = forwards();
    task.direction[0].value = REAL(speed);
    task.direction[0].largest = 20;
    rig r = rig_of(&setup);
    r.m.q[0] = REAL(-0.9);
    achd_loop_raise(&r.loop, START);
    good_cycles(&r, 20000);
    CHECK(r.loop.fault == ACHD_LOOP_LIMIT && r.loop.limits != ACHD_JOINT_VELOCITY);
    CHECK(r.m.q[0] > 1 - 0.1 - speed * speed / 15);
  }
}

/* Nothing is solved in a stop, yet a joint that somebody pushes at its limit is told. */
static void limits_are_looked_at_in_a_stop(void) {
  achd_loop_setup setup = setup_of();
  guards[1].deceleration = 10;
  static const struct {
    double q, qd;
    bool met;
  } cases[] = {{0.9, 1.5, true},   {0.8, 1.5, false}, {-0.9, -1.5, true}, {0.999, 0.5, true},
               {0.999, -1, false}, {0, 2.1, true},    {0, -2.1, true},    {0.999, 0, false}};
  for (int k = 0; k < 8; k++) {
    rig r = rig_of(&setup);
    achd_measurement m = r.m;
    m.q[1] = REAL(cases[k].q), m.qd[1] = REAL(cases[k].qd);
    solved = 0;
    CHECK(achd_loop_cycle(&r.loop, &m, period) == ACHD_LOOP_VELOCITY);
    CHECK((r.loop.fault == ACHD_LOOP_LIMIT) == cases[k].met && solved == 0);
    CHECK((r.loop.machine.state == STOP) && achd_machine_latched(&r.loop.machine) == cases[k].met);
  }
}

/* What the solver said when it was asked last is not what happens in a stop. */
static void old_accelerations_do_not_count_in_a_stop(void) {
  achd_loop_setup setup = setup_of();
  guards[1].deceleration = 10;
  rig r = rig_of(&setup);
  r.m.q[1] = REAL(0.9);
  good_cycles(&r, 5);
  r.loop.solution.qdd[1] = 1000;
  good_cycles(&r, 5);
  CHECK(r.loop.fault == ACHD_LOOP_FINE);
}

/* The arm stands 0.2 m beyond the limit at the start: to rest there is no fault, to come back is
 * allowed, to go farther is not. */
static void from_beyond_a_limit_the_way_back_is_free(void) {
  achd_loop_setup setup = setup_of();
  guards[0].deceleration = 10;
  for (int back = 0; back < 2; back++) {
    task = forwards();
    task.direction[0].value = REAL(back ? -0.2 : 0.2);
    rig r = rig_of(&setup);
    r.m.q[0] = REAL(1.2);
    good_cycles(&r, 200);
    CHECK(r.loop.fault == ACHD_LOOP_FINE);
    achd_loop_raise(&r.loop, START);
    good_cycles(&r, 3000);
    CHECK(r.loop.fault == (back ? ACHD_LOOP_FINE : ACHD_LOOP_LIMIT));
    CHECK(back ? r.m.q[0] < 0.9 : r.m.q[0] < 1.21);
    if (back) { /* and the limit is in force again */
      task.direction[0].value = REAL(0.2);
      good_cycles(&r, 10000);
      CHECK(r.loop.fault == ACHD_LOOP_LIMIT && r.m.q[0] < 1);
    }
  }
}

static void noise_beyond_a_limit_does_not_keep_it_there(void) {
  achd_loop_setup setup = setup_of();
  unsigned long long random = 7;
  task = forwards();
  task.direction[0].value = REAL(-0.2);
  rig r = rig_of(&setup);
  r.m.q[0] = REAL(1.1);
  achd_loop_raise(&r.loop, START);
  for (int k = 0; k < 3000; k++) {
    achd_measurement m = r.m;
    m.q[0] += REAL(1e-5 * random_normal(&random));
    m.qd[0] += REAL(2e-3 * random_normal(&random));
    cycle_with(&r, m, period);
  }
  CHECK(r.loop.fault == ACHD_LOOP_FINE && r.m.q[0] < 0.9);
}

/* ---- torque's rate ---- */

static void torques_change_no_faster_than_their_rate(void) {
  achd_loop_setup setup = setup_of();
  guards[0].torque_rate = 500; /* 0.5 N a cycle */
  rig r = rig_of(&setup);
  weight[0] = 20;
  good_cycle(&r);
  CHECK(r.loop.tau[0] == 20); /* the first is free: the arm must not sink */
  achd_loop_raise(&r.loop, START);
  double before = (double)r.loop.tau[0], most = 0;
  int slowed = 0;
  for (int k = 0; k < 2000; k++) {
    extra[0] = REAL(k % 200 < 100 ? 15 : -15);
    achd_measurement m = r.m;
    if (k > 1500 && k % 7 == 0) m.q[0] = REAL(NAN);
    if (k > 1200) weight[0] = REAL(k % 50 < 25 ? 25 : -20);
    cycle_with(&r, m, k == 1300 ? 0 : k == 1400 ? REAL(NAN) : k == 1450 ? 1 : period);
    most = fmax(most, fabs((double)r.loop.tau[0] - before));
    before = (double)r.loop.tau[0];
    slowed += r.loop.slowed;
  }
  CHECK(most <= 0.5 + 1e-5 && most > 0.49 && slowed > 100);
  CHECK(r.loop.fault != ACHD_LOOP_FINE);
}

/* A command that does not come through does not wind its controller up. */
static void controllers_wait_for_slow_torques(void) {
  achd_loop_setup setup = setup_of();
  guards[0].torque_rate = 1;
  rig r = rig_of(&setup);
  achd_loop_raise(&r.loop, START);
  good_cycles(&r, 300);
  CHECK(r.loop.slowed && r.loop.mode == ACHD_LOOP_TORQUE);
  CHECK(fabs(r.loop.task.channel[0].bias) < 0.01);
}

static void other_joints_torques_jump_as_they_must(void) {
  achd_loop_setup setup = setup_of();
  guards[0].torque_rate = 500;
  rig r = rig_of(&setup);
  good_cycle(&r);
  weight[0] = weight[1] = 20;
  good_cycle(&r);
  CHECK(r.loop.tau[0] == REAL(0.5) && r.loop.slowed);
  CHECK_NEAR((double)r.loop.tau[1], 20, close_to);
}

static void no_rate_is_any_rate(void) {
  achd_loop_setup setup = setup_of();
  for (int none = 0; none < 2; none++) {
    if (none) setup.watch.joints = NULL;
    rig r = rig_of(&setup);
    good_cycle(&r);
    weight[0] = 40;
    good_cycle(&r);
    CHECK_NEAR((double)r.loop.tau[0], 40, close_to);
    CHECK(!r.loop.slowed);
  }
}

/* ---- machine ---- */

/* Events that are left out are none: not the machine's first. */
static void events_left_out_are_none(void) {
  achd_loop_setup setup = setup_of();
  setup.events = (achd_loop_events){0};
  rig r = rig_of(&setup);
  for (int k = 0; k < 50; k++) {
    achd_measurement m = r.m;
    if (k > 10) m.wrench.lin[0] = REAL(NAN);
    cycle_with(&r, m, period);
    CHECK(r.loop.machine.pending == 0);
  }
  CHECK(r.loop.fault != ACHD_LOOP_FINE && r.loop.mode == ACHD_LOOP_VELOCITY);
}

/* What the task sees in a cycle is pending in it, each by its own event and no other. */
static void what_is_seen_is_raised(void) {
  enum { CONTACT_Z = 1, LOST, IN_WAY, TIME, WITHIN, OUTSIDE, AREA, NO_AREA, SECTION };
  static const achd_machine deaf = {.nstates = 2, .nevents = 10, .initial = 1};
  static const struct {
    double x, y, force[3]; /* of the tool */
    unsigned events;
  } cases[] = {
      {0, 0, {0, 0, 0}, 1u << LOST | 1u << WITHIN | 1u << NO_AREA},
      {0, 0, {0, 0, -5}, 1u << CONTACT_Z | 1u << WITHIN | 1u << NO_AREA},
      {0, 0, {0, -5, 0}, 1u << CONTACT_Z | 1u << IN_WAY | 1u << WITHIN | 1u << NO_AREA},
      {0, 0.05, {0, 0, 2}, 1u << OUTSIDE | 1u << NO_AREA},
      {0.29, 0, {0, 0, 2}, 1u << WITHIN | 1u << AREA},
  };
  achd_loop_setup setup = setup_of();
  setup.machine = &deaf;
  setup.states[1] = (achd_loop_state){ACHD_LOOP_CRUISE, &task};
  setup.events = (achd_loop_events){.timeout = TIME,
                                    .contact = CONTACT_Z,
                                    .contact_x_y = IN_WAY,
                                    .no_contact = LOST,
                                    .within_tube = WITHIN,
                                    .out_of_tube = OUTSIDE,
                                    .goal_area = AREA,
                                    .out_of_goal_area = NO_AREA,
                                    .section_covered = SECTION};
  task.contact.force = 4, task.across.force = 4, task.lost.force = 1;
  task.goal_area = REAL(0.02);
  task.direction[1] =
      (achd_direction){.kind = ACHD_POSITION, .tolerance = REAL(0.01), .largest = 10, .abag = ABAG};
  for (int k = 0; k < 5; k++)
    for (int late = 0; late < 2; late++) {
      task.time = late ? REAL(1e-4) : ENDLESS;
      rig r = rig_of(&setup);
      r.m.q[0] = REAL(cases[k].x), r.m.q[1] = REAL(cases[k].y);
      for (int i = 0; i < 3; i++) r.m.wrench.lin[i] = REAL(cases[k].force[i]);
      good_cycle(&r);
      CHECK(r.loop.machine.pending == (cases[k].events | (late ? 1u << TIME : 0)));
    }
  task.time = ENDLESS, task.nframes = 2;
  rig r = rig_of(&setup);
  r.m.q[0] = REAL(0.29), r.m.wrench.lin[2] = 2;
  good_cycle(&r);
  CHECK(r.loop.machine.pending == (1u << WITHIN | 1u << SECTION | 1u << NO_AREA));
}

static void section_without_a_task_stops(void) {
  achd_loop_setup setup = setup_of();
  achd_machine first = machine;
  setup.machine = &first;
  for (int initial = GO; initial <= NEXT; initial++) {
    first.initial = initial;
    setup.states[GO].task = NULL;
    rig r = rig_of(&setup);
    for (int k = 0; k < 20; k++) {
      achd_loop_raise(&r.loop, COVERED);
      CHECK(good_cycle(&r) == ACHD_LOOP_VELOCITY && r.loop.tau[0] == 0);
    }
    CHECK(r.loop.fault == ACHD_LOOP_FINE);
  }
}

static void initial_state_that_moves_begins_its_task(void) {
  achd_loop_setup setup = setup_of();
  achd_machine first = machine;
  first.initial = GO;
  setup.machine = &first;
  rig r = rig_of(&setup);
  CHECK(good_cycle(&r) == ACHD_LOOP_TORQUE && r.loop.task.task == &task);
}

/* The section that follows is cruised through, its velocity wanted as it is said. */
static void next_section_cruises(void) {
  achd_loop_setup setup = setup_of();
  achd_machine stays = machine;
  stays.nreactions = 6; /* nothing leads on from NEXT */
  setup.machine = &stays;
  task.nframes = 2;
  rig r = going(&setup);
  r.loop.machine.state = NEXT;
  good_cycle(&r);
  CHECK(r.loop.mode == ACHD_LOOP_TORQUE);
  CHECK_NEAR((double)r.loop.errors.exact[0], 0.2 - (double)r.loop.tool.twist.lin[0], 1e-6);
}

/* On entry to the state, once; not where the motion begins. */
static void next_section_is_the_next(void) {
  achd_loop_setup setup = setup_of();
  task.nframes = 2;
  rig r = going(&setup);
  CHECK(r.loop.task.section == 0);
  achd_loop_raise(&r.loop, COVERED);
  good_cycle(&r);
  CHECK(r.loop.machine.state == NEXT && r.loop.task.section == 1);
  good_cycle(&r);
  CHECK(r.loop.machine.state == GO && r.loop.task.section == 1);
}

/* Held fast, 0.2 m/s are never reached: the bias grows, but not while motors give what they can. */
static void controllers_hear_of_saturated_motors(void) {
  achd_loop_setup setup = setup_of();
  double grown[2];
  for (int saturated = 0; saturated < 2; saturated++) {
    rig r = rig_of(&setup);
    achd_loop_raise(&r.loop, START);
    extra[0] = REAL(saturated ? 60 : 0);
    for (int k = 0; k < 100; k++) {
      if (k == 10) grown[saturated] = -(double)r.loop.task.channel[0].bias;
      achd_loop_cycle(&r.loop, &r.m, period);
      CHECK(r.loop.fault == ACHD_LOOP_FINE && (k < 2 || r.loop.saturated == saturated));
    }
    grown[saturated] += (double)r.loop.task.channel[0].bias;
  }
  CHECK(grown[0] > 0.04 && grown[1] == 0);
}

/* A velocity that turns around with every cycle, by a brake that is too strong for the joint: it
 * gives way. */
static void brake_that_throws_the_joint_back_gives_way(void) {
  achd_loop_setup setup = setup_of();
  rig r = rig_of(&setup);
  good_cycle(&r);
  double first = 0, last = 0;
  for (int k = 0; k < 8; k++) {
    achd_measurement m = r.m;
    m.qd[0] = REAL(k % 2 ? -0.3 : 0.3);
    achd_loop_cycle(&r.loop, &m, period);
    CHECK(r.loop.mode == ACHD_LOOP_VELOCITY);
    if (k == 0) first = fabs((double)r.loop.tau[0]);
    last = fabs((double)r.loop.tau[0]);
  }
  CHECK(first > 20 && last > 0 && last < first / 16);
}

/* A soft wall at 0.1 m, a noisy sensor: pressed once, and only what the program says presses again.
 */
static void contact_is_latched(void) {
  achd_loop_setup setup = setup_of();
  unsigned long long random = 3;
  task.contact = (achd_contact_rule){2, REAL(0.003)};
  task.goal_area = REAL(0.01);
  rig r = rig_of(&setup);
  achd_loop_raise(&r.loop, START);
  int starts = 0;
  for (int k = 0; k < 14000; k++) {
    achd_measurement m = r.m;
    m.wrench.lin[0] = REAL(fmin(0, -500 * ((double)m.q[0] - 0.1)) + 2 * random_normal(&random));
    const int before = r.loop.machine.state;
    if (k == 9000) achd_loop_raise(&r.loop, START);
    cycle_with(&r, m, period);
    starts += before == STOP && r.loop.machine.state == GO;
    if (k > 2000 && k < 9000) CHECK(r.loop.machine.state == STOP);
  }
  CHECK(starts >= 1 &&
        starts <= 2); /* the second start finds the contact, at once or a cycle later */
  CHECK(r.loop.machine.state == STOP && r.loop.fault == ACHD_LOOP_FINE);
}

/* A tool that is thrown back by what it presses is told by an event, in the motion alone; anew with
 * the next one. */
static void chatter_is_told(void) {
  achd_loop_setup setup = setup_of();
  task.direction[2] =
      (achd_direction){.kind = ACHD_FORCE, .value = -10, .largest = 20, .abag = ABAG};
  setup.events.chatters = TIMEOUT;
  for (int hard = 0; hard < 2; hard++) {
    rig r = rig_of(&setup);
    achd_loop_raise(&r.loop, START);
    int k = 0;
    for (; k < 1000 && (k < 2 || r.loop.machine.state == GO); k++) {
      achd_measurement m = r.m;
      m.wrench.lin[2] = REAL(hard && k % 10 < 5 ? 0.5 : 12);
      cycle_with(&r, m, period);
    }
    CHECK(r.loop.fault == ACHD_LOOP_FINE && r.loop.contact.chatters == (hard == 1));
    CHECK(hard ? k > 200 && k < 240 && r.loop.machine.state == STOP : k == 1000);
    const double losses = (double)r.loop.contact.losses;
    good_cycles(&r, 300); /* in the stop it is as it was */
    CHECK(!hard || (double)r.loop.contact.losses == losses);
    achd_loop_raise(&r.loop, START);
    good_cycles(&r, 2);
    CHECK(!hard || (r.loop.contact.losses == 0 && !r.loop.contact.chatters));
  }
}

/* 0.2 m/s are wished, 0.45 are the bound: a solver that pushes past it is stopped before 0.6 m/s, unless
 * the bound is no longer asked for. In a stop nobody asks. */
static void tool_that_runs_away_is_stopped(void) {
  for (int asked = 0; asked < 2; asked++) {
    achd_loop_setup setup = setup_of();
    if (!asked) setup.watch.tool.speed = ENDLESS;
    rig r = going(&setup);
    double fastest = 0;
    good_cycles(&r, 200);
    extra[1] = 4; /* [N] */
    for (int k = 0; k < 400 && r.loop.fault == ACHD_LOOP_FINE; k++) {
      good_cycle(&r);
      fastest = fmax(fastest, fabs((double)r.m.qd[1]));
    }
    CHECK(!asked || (r.loop.fault == ACHD_LOOP_TOOL && r.loop.tool_watch.seen == ACHD_TOOL_FAST));
    CHECK(asked ? fastest < 0.6 : fastest > 0.7);
    if (!asked) continue;
    extra[1] = 0;
    good_cycles(&r, 400);
    CHECK(r.loop.machine.state == STOP && achd_loop_rearm(&r.loop));
    achd_loop_raise(&r.loop, START);
    good_cycles(&r, 20);
    CHECK(r.loop.fault == ACHD_LOOP_FINE && r.loop.tool_watch.seen == 0);
  }
}

/* The event, in the motion alone, half a second after the first push. */
static void tool_that_is_stuck_is_told(void) {
  achd_loop_setup setup = setup_of();
  setup.events.stuck = TIMEOUT;
  rig r = rig_of(&setup);
  achd_loop_raise(&r.loop, START);
  int k = 0;
  for (; k < 5000 && (k < 2 || r.loop.machine.state == GO); k++) {
    achd_loop_cycle(&r.loop, &r.m, period); /* and nothing moves */
    r.m.joints_stamp++, r.m.wrench_stamp++;
  }
  CHECK(r.loop.fault == ACHD_LOOP_FINE && (r.loop.tool_watch.seen & ACHD_TOOL_STUCK));
  CHECK(k > 490 && k < 550 && r.loop.machine.state == STOP);
  achd_loop_raise(&r.loop, START);
  for (int n = 0; n < 2; n++) achd_loop_cycle(&r.loop, &r.m, period);
  CHECK(r.loop.machine.state == GO && r.loop.tool_watch.seen == 0);
}

/* Why: without a wrench nobody knows what holds the tool; if its sensor shows what the joints bear, the tool
 * touches it, and something else of the robot if it does not. */
static void what_holds_a_stuck_tool_is_told(void) {
  achd_loop_setup setup = setup_of();
  setup.watch.tool.speed = setup.watch.tool.power = ENDLESS;
  for (int sensor = 0; sensor < 3; sensor++) {
    rig r = rig_of(&setup);
    good_cycles(&r, 20);
    achd_loop_raise(&r.loop, START);
    for (int k = 0; k < 900; k++) {
      r.m.wrench.lin[1] = sensor > 0 ? REAL(0.01) : 0;
      if (sensor == 2) r.m.wrench.lin[0] = weight[0] - r.loop.tau[0];
      achd_loop_cycle(&r.loop, &r.m, period);
      r.m.joints_stamp++, r.m.wrench_stamp++;
      if (k < 450) CHECK(r.loop.tool_watch.seen == 0);
    }
    const unsigned stuck = ACHD_TOOL_STUCK | ACHD_TOOL_AT_MOST;
    CHECK(r.loop.fault == ACHD_LOOP_FINE && inertia * 10 > REAL(0.15 * 50));
    CHECK(r.loop.tool_watch.seen == (sensor == 1 ? stuck | ACHD_TOOL_ELSEWHERE : stuck));
  }
}

/* The noise of the sensor is measured while the arm stands, also where the bus repeats each reading; a task that it hides
 * from its conditions raises the event as it begins, unless the noise is given as none. */
static void noise_is_measured_at_rest(void) {
  for (int repeated = 1; repeated <= 4; repeated += 3)
    for (int given = 0; given < 2; given++) {
      achd_loop_setup setup = setup_of();
      achd_task noisy = *setup.states[GO].task;
      unsigned long long random = 3;
      noisy.lost = (achd_contact_rule){REAL(0.5), REAL(0.014)};
      setup.states[GO].task = &noisy;
      setup.events.noisy = TIMEOUT;
      setup.watch.wrench_stamped = false;
      if (given) setup.noise.force = ENDLESS;
      rig r = rig_of(&setup);
      for (int k = 0; k < 2000; k++) {
        for (int i = 0; i < 3 && k % repeated == 0; i++)
          r.m.wrench.lin[i] = REAL(8 * random_normal(&random));
        good_cycle(&r);
      }
      const achd_loop_heard *h = &r.loop.heard;
      CHECK_NEAR(sqrt((double)h->force / (6 * h->wrenches)), 8, 0.6);
      achd_loop_raise(&r.loop, START);
      good_cycle(&r);
      CHECK(r.loop.machine.state == GO);
      const double time = ((2.5 * 8 / 0.5) * (2.5 * 8 / 0.5) - 1) * 1e-3 * repeated / 2;
      CHECK(r.loop.task.hidden == (given ? 0 : 1U << ACHD_TASK_BY_LOST) && time > 0.5);
      good_cycles(&r, 2);
      CHECK(given == (r.loop.machine.state == GO));
    }
}

/* A tool that presses far harder than its task wishes raises its event, in the motion alone. */
static void tool_that_presses_too_hard_is_told(void) {
  achd_loop_setup setup = setup_of();
  achd_task pressing = *setup.states[GO].task;
  pressing.direction[2] = pressing.direction[0];
  pressing.direction[2].kind = ACHD_FORCE, pressing.direction[2].value = 5;
  pressing.force_axes = (achd_rotation){{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
  setup.states[GO].task = &pressing;
  setup.events.force = TIMEOUT;
  setup.wrench.off = true;
  for (int hard = 0; hard < 2; hard++) {
    rig r = rig_of(&setup);
    r.m.wrench.lin[2] = hard ? -105 : -40;
    good_cycles(&r, 20);
    CHECK(r.loop.tool_watch.seen == 0);
    achd_loop_raise(&r.loop, START);
    int k = 0;
    for (; k < 100 && !(r.loop.tool_watch.seen & ACHD_TOOL_FORCE); k++) good_cycle(&r);
    CHECK(hard ? k < 30 : k == 100);
    CHECK(r.loop.fault == ACHD_LOOP_FINE);
    good_cycle(&r);
    CHECK((r.loop.machine.state == GO) == !hard);
  }
  setup.events.force = 0; /* whoever does not listen is stopped at twice the bound */
  rig r = rig_of(&setup);
  r.m.wrench.lin[2] = -105;
  good_cycles(&r, 20);
  achd_loop_raise(&r.loop, START);
  good_cycles(&r, 30);
  CHECK(r.loop.fault == ACHD_LOOP_FINE && r.loop.tool_watch.seen == ACHD_TOOL_FORCE);
  good_cycles(&r, 20);
  CHECK(r.loop.fault == ACHD_LOOP_TOOL && r.loop.tool_watch.seen & ACHD_TOOL_CRUSHES);
}

static void free_accelerations(void *context, const achd_measurement *m, const achd_real *tau,
                               achd_real *qdd) {
  (void)context, (void)m;
  for (int j = 0; j < N; j++) qdd[j] = (tau[j] - weight[j]) / inertia;
}

/* With the model's accelerations a push of 18 % of a joint's effort, from either side, raises its event within 0.3 s, and the machine
 * stops; one of 12 % does not, nor any without the model, nor while the robot stops. */
static void a_push_is_told(void) {
  for (int k = 0; k < 8; k++) {
    const bool strong = k & 1, left = k & 2, known = !(k & 4);
    achd_loop_setup setup = setup_of();
    setup.watch.accelerations = known ? free_accelerations : NULL;
    setup.watch.tool = (achd_tool_bounds){ENDLESS, ENDLESS, ENDLESS, ENDLESS, ENDLESS};
    setup.events.pushed = TIMEOUT;
    rig r = rig_of(&setup);
    good_cycles(&r, 20);
    achd_loop_raise(&r.loop, START);
    good_cycles(&r, 300);
    CHECK(r.loop.machine.state == GO && !r.loop.pushed);
    int told = 0;
    for (int i = 0; i < 600 && r.loop.machine.state == GO; i++) {
      r.m.qd[0] += (strong ? 9 : 6) * (left ? REAL(-1) : 1) / inertia * period;
      good_cycle(&r);
      told++;
    }
    CHECK(r.loop.fault == ACHD_LOOP_FINE);
    CHECK((r.loop.machine.state == STOP) == (strong && known));
    CHECK(!(strong && known) || (told > 50 && told < 300 && r.loop.pushed));
    good_cycles(&r, 1000);
    CHECK(!r.loop.pushed);
  }
}

/* Links that come near each other, and a tool that leaves its box, raise their events while the robot moves, and in no stop. */
static void links_and_tool_are_watched(void) {
  static const achd_capsule_link links[] = {{-1, -1, false, {{0, 0, 0}, UPRIGHT}, {0, 0, 0}, 0, 0},
                                            {0, 0, true, {{0, 0, 0}, UPRIGHT}, {1, 0, 0}, 1, 0}};
  static const achd_capsule spheres[] = {{0, {{REAL(0.3), 0, 0}, {REAL(0.3), 0, 0}}, REAL(0.05)},
                                         {1, {{0, 0, 0}, {0, 0, 0}}, REAL(0.05)}};
  static const int pairs[][2] = {{0, 1}};
  static const achd_capsules capsules = {2, 2, 1, links, spheres, pairs, NULL};
  for (int what = 0; what < 3; what++) {
    achd_capsule_watch space = {.capsules = what == 1 ? &capsules : NULL, .nearest = REAL(0.05)};
    if (what == 2) space.upper[0] = REAL(0.12), space.lower[1] = -1, space.upper[1] = 1;
    achd_loop_setup setup = setup_of();
    setup.watch.space = &space;
    setup.events.near = setup.events.outside = TIMEOUT;
    rig r = rig_of(&setup);
    CHECK(r.loop.clearance.pair == -1);
    good_cycles(&r, 20);
    achd_loop_raise(&r.loop, START);
    int k = 0;
    while (k++ < 1500 && (k < 3 || r.loop.machine.state == GO)) {
      good_cycle(&r);
      if (what == 1)
        CHECK_NEAR((double)r.loop.clearance.distance, 0.2 - (double)r.loop.measured.q[0], 1e-5);
    }
    const double x = (double)r.loop.measured.q[0];
    CHECK(r.loop.fault == ACHD_LOOP_FINE && r.loop.machine.state == (what ? STOP : GO));
    CHECK(what == 0 ? x > 0.2 : what == 1 ? x > 0.1499 && x < 0.152 : x > 0.1199 && x < 0.122);
    CHECK(r.loop.near == (what == 1) && r.loop.outside == (what == 2));
    achd_loop_raise(&r.loop, START); /* it is still there, and stopped again */
    good_cycles(&r, 3);
    CHECK(r.loop.machine.state == (what ? STOP : GO));
    space.lower[2] = 1;
    CHECK(!achd_loop_start(&r.loop, &setup));
    space.lower[2] = 0, space.nearest = REAL(NAN);
    CHECK(!achd_loop_start(&r.loop, &setup));
  }
}

/* After its time is up only the program starts it again, and then it has all its time again. */
static void timeout_is_latched_and_a_start_begins_anew(void) {
  achd_loop_setup setup = setup_of();
  task.time = REAL(0.6);
  rig r = going(&setup);
  good_cycles(&r, 500);
  CHECK(r.loop.machine.state == STOP && r.loop.mode == ACHD_LOOP_VELOCITY);
  good_cycles(&r, 1000);
  CHECK(r.loop.machine.state == STOP);
  achd_loop_raise(&r.loop, START);
  good_cycles(&r, 500);
  CHECK(r.loop.mode == ACHD_LOOP_TORQUE && fabs(r.loop.task.elapsed - 0.5) < 0.01);
  good_cycles(&r, 500);
  CHECK(r.loop.mode == ACHD_LOOP_VELOCITY && r.loop.fault == ACHD_LOOP_FINE);
}

/* Two tasks that lead to each other, as a contact that is found and lost again and again: the clock of
 * each begins anew every time, so that neither time is ever up. The motion's is. */
static void tasks_in_turn_end_when_the_motion_takes_too_long(void) {
  for (int limited = 0; limited < 2; limited++) {
    achd_loop_setup setup = setup_of();
    task.direction[0].value = 0;
    task.time = REAL(0.5);
    achd_task other = task;
    setup.states[NEXT] = (achd_loop_state){ACHD_LOOP_CRUISE, &other};
    setup.motion_time = limited ? REAL(1.2) : 0;
    rig r = rig_of(&setup);
    achd_loop_raise(&r.loop, START);
    double stopped = 0;
    unsigned seen = 0;
    for (int k = 0; k < 4000 && stopped == 0; k++) {
      if (k % 200 == 199) achd_loop_raise(&r.loop, r.loop.machine.state == GO ? COVERED : CHANGED);
      good_cycle(&r);
      if (k > 1 && r.loop.machine.state == STOP) stopped = k * 1e-3, seen = r.loop.seen;
    }
    CHECK(r.loop.fault == ACHD_LOOP_FINE);
    if (!limited) CHECK(stopped == 0);
    if (!limited) continue;
    CHECK_NEAR(stopped, 1.2, 0.005);
    CHECK(seen & ACHD_TASK_TIMEOUT);
    good_cycles(&r, 500);
    CHECK(r.loop.machine.state == STOP && r.loop.moving_for == 0);
    achd_loop_raise(&r.loop, START);
    good_cycles(&r, 400);
    CHECK(r.loop.mode == ACHD_LOOP_TORQUE && fabs(r.loop.moving_for - 0.4) < 0.01);
  }
}

/* A path goes on in the section in which it was stopped. */
static void start_after_a_stop_goes_on_in_its_section(void) {
  achd_loop_setup setup = setup_of();
  task.nframes = 2;
  task.goal_area = REAL(0.01);
  task.contact.force = 4;
  rig r = rig_of(&setup);
  achd_loop_raise(&r.loop, START);
  good_cycles(&r, 2500);
  CHECK(r.loop.task.section == 1 && r.loop.mode == ACHD_LOOP_TORQUE);
  achd_measurement m = r.m;
  m.wrench.lin[2] = 5;
  cycle_with(&r, m, period);
  good_cycles(&r, 100);
  CHECK(r.loop.machine.state == STOP);
  achd_loop_raise(&r.loop, START);
  good_cycle(&r);
  CHECK(r.loop.machine.state == GO && r.loop.task.section == 1);
  good_cycles(&r, 100);
  CHECK(r.loop.task.section == 1 && r.loop.mode == ACHD_LOOP_TORQUE);
  CHECK_NEAR((double)r.loop.task.elapsed, 0.1, 0.002); /* its clock begins anew */
}

/* ---- recovery ---- */

static void rearmed_it_stands_until_it_is_started(void) {
  const achd_loop_setup setup = setup_of();
  rig r = going(&setup);
  for (int k = 0; k < 10; k++) cycle_with(&r, with_nan(r.m), period);
  CHECK(!achd_loop_rearm(&r.loop)); /* the last reading was wrong */
  r.m.qd[0] = 0;                    /* the drives' brakes */
  good_cycle(&r);
  CHECK(r.loop.mode == ACHD_LOOP_DISABLE && achd_loop_rearm(&r.loop));
  CHECK(r.loop.fault == ACHD_LOOP_FINE);
  const double here = (double)r.m.q[0];
  for (int k = 0; k < 500; k++) CHECK(good_cycle(&r) == ACHD_LOOP_VELOCITY);
  CHECK_NEAR((double)r.m.q[0], here, 1e-6);
  achd_loop_raise(&r.loop, START);
  good_cycle(&r);
  good_cycle(&r);
  CHECK(r.loop.mode == ACHD_LOOP_TORQUE && r.loop.fault == ACHD_LOOP_FINE);
}

static void rearming_is_refused_while_something_is_wrong(void) {
  const achd_loop_setup setup = setup_of();
  for (int k = 0; k < 4; k++) {
    rig r = going(&setup);
    achd_measurement m = r.m;
    if (k == 0) m.q[0] = REAL(NAN);
    if (k == 1) m.wrench.lin[0] = REAL(NAN);
    if (k == 2) m.q[0] += 1;
    cycle_with(&r, m, k == 3 ? 0 : period);
    const unsigned fault = r.loop.fault;
    CHECK(fault != ACHD_LOOP_FINE && !achd_loop_rearm(&r.loop) && r.loop.fault == fault);
  }
  rig r = going(&setup);
  CHECK(!achd_loop_rearm(&r.loop)); /* it moves */
}

static void rearmed_at_a_limit_it_may_go_back(void) {
  achd_loop_setup setup = setup_of();
  guards[0].deceleration = 15;
  rig r = rig_of(&setup);
  achd_loop_raise(&r.loop, START);
  good_cycles(&r, 8000);
  CHECK(r.loop.fault == ACHD_LOOP_LIMIT);
  CHECK(achd_loop_rearm(&r.loop));
  good_cycles(&r, 10);
  CHECK(r.loop.fault == ACHD_LOOP_FINE);
  task.direction[0].value = REAL(-0.2);
  achd_loop_raise(&r.loop, START);
  good_cycles(&r, 2000);
  CHECK(r.loop.fault == ACHD_LOOP_FINE && r.loop.mode == ACHD_LOOP_TORQUE && r.m.q[0] < 0.8);
}

/* Pushed beyond its limit while it was stopped, it may rest there, and go back. */
static void rearmed_beyond_a_limit_it_may_go_back(void) {
  achd_loop_setup setup = setup_of();
  rig r = rig_of(&setup);
  r.m.q[0] = REAL(0.98);
  good_cycles(&r, 10);
  r.m.q[0] = REAL(1.02);
  good_cycle(&r);
  CHECK(r.loop.fault == ACHD_LOOP_LIMIT);
  r.m.q[0] = REAL(1.02), r.m.qd[0] = 0;
  good_cycle(&r);
  r.m.q[0] = REAL(1.02), r.m.qd[0] = 0;
  CHECK(achd_loop_rearm(&r.loop));
  good_cycles(&r, 100);
  CHECK(r.loop.fault == ACHD_LOOP_FINE && r.loop.limits == ACHD_JOINT_FREE);
  task.direction[0].value = REAL(-0.2);
  achd_loop_raise(&r.loop, START);
  good_cycles(&r, 2000);
  CHECK(r.loop.fault == ACHD_LOOP_FINE && r.m.q[0] < 0.9);
}

/* Joint 2 is held where it is, whatever its torque. */
static void held_cycles(rig *r, int count) {
  for (int k = 0; k < count; k++) {
    good_cycle(r);
    r->m.q[1] = r->m.qd[1] = 0;
  }
}

/* What had lasted before counts no more. */
static void rearmed_its_clocks_begin_anew(void) {
  const achd_loop_setup setup = setup_of();
  for (int which = 0; which < 2; which++) {
    rig r = going(&setup);
    singular = which == 1;
    extra[1] = which ? 0 : 60;
    held_cycles(&r, which ? 110 : 1010);
    CHECK(r.loop.fault == (which ? ACHD_LOOP_SINGULAR : ACHD_LOOP_SATURATED));
    held_cycles(&r, 100);
    CHECK(achd_loop_rearm(&r.loop) && achd_loop_raise(&r.loop, START));
    held_cycles(&r, which ? 90 : 900);
    CHECK(r.loop.fault == ACHD_LOOP_FINE && r.loop.mode == ACHD_LOOP_TORQUE);
    singular = false, extra[1] = 0;
  }
}

/* After a jump that lasts, the reading is believed as it is from the rearming on. */
static void rearming_believes_the_reading(void) {
  const achd_loop_setup setup = setup_of();
  rig r = rig_of(&setup);
  good_cycles(&r, 50);
  r.m.q[1] += REAL(0.5);
  for (int k = 0; k < 20; k++) {
    r.m.qd[1] = REAL(1e-6);
    good_cycle(&r);
  }
  CHECK(r.loop.mode == ACHD_LOOP_VELOCITY && fabs(r.loop.measured.q[1]) < 1e-3);
  CHECK(achd_loop_rearm(&r.loop));
  good_cycle(&r);
  CHECK_NEAR((double)r.loop.measured.q[1], 0.5, 1e-3);
  good_cycles(&r, 500);
  CHECK_NEAR((double)r.m.q[1], 0.5, 1e-3);
  CHECK(r.loop.fault == ACHD_LOOP_FINE);
}

/* ---- setups ---- */

static void loop_that_was_not_started_disables(void) {
  achd_loop loop = {.setup = NULL};
  const achd_measurement m = {.q = {0}};
  CHECK(achd_loop_cycle(&loop, &m, period) == ACHD_LOOP_DISABLE && loop.tau[0] == 0);
  CHECK(!achd_loop_raise(&loop, START) && !achd_loop_rearm(&loop));
}

static void setups_of_no_use_are_refused(void) {
  const achd_measurement m = {.q = {0}};
#define REFUSED(what, change)                                                                      \
  do {                                                                                             \
    achd_loop loop;                                                                                \
    achd_loop_joint js[N] = {joints[0], joints[1]};                                                \
    achd_loop_robot ro = robot;                                                                    \
    achd_machine ma = machine;                                                                     \
    achd_transition tr[4] = {transitions[0], transitions[1], transitions[2], transitions[3]};      \
    achd_loop_setup s = setup_of();                                                                \
    ro.joints = js, s.robot = &ro, s.machine = &ma, ma.transitions = tr;                           \
    CHECK(achd_loop_start(&loop, &s));                                                             \
    what = change;                                                                                 \
    CHECK(!achd_loop_start(&loop, &s));                                                            \
    CHECK(achd_loop_cycle(&loop, &m, period) == ACHD_LOOP_DISABLE && loop.tau[0] == 0);            \
  } while (0)
  REFUSED(s.robot, NULL);
  REFUSED(s.machine, NULL);
  REFUSED(ro.njoints, ACHD_LOOP_JOINTS + 1);
  REFUSED(ro.njoints, -1);
  REFUSED(ro.joints, NULL);
  REFUSED(ro.kinematics, NULL);
  REFUSED(ro.solve, NULL);
  REFUSED(ro.gravity, NULL);
  REFUSED(ma.nstates, ACHD_LOOP_STATES + 1);
  REFUSED(ma.initial, 3);
  REFUSED(ma.initial, -1);
  REFUSED(tr[2].to, 3);
  REFUSED(js[1].limits.lower, 2);
  REFUSED(js[1].limits.upper, REAL(NAN));
  REFUSED(js[1].limits.velocity, REAL(NAN));
  REFUSED(js[1].effort, REAL(NAN));
  REFUSED(js[1].effort, -1);
  REFUSED(js[1].hold.velocity_gain, -1);
  REFUSED(js[1].hold.velocity_gain, REAL(INFINITY));
  REFUSED(js[1].hold.position_gain, REAL(NAN));
  REFUSED(js[1].hold.largest_speed, REAL(NAN));
  REFUSED(js[1].hold.lower, 1);
  REFUSED(js[1].hold.upper, REAL(NAN));
  REFUSED(s.latest, REAL(NAN));
  REFUSED(s.saturation_time, REAL(NAN));
  REFUSED(s.singular_time, -1);
  REFUSED(s.braking_time, REAL(NAN));
  REFUSED(s.motion_time, -1);
  REFUSED(*(s.events.timeout = 0, &s.motion_time), 1);
  REFUSED(s.events.fault, 9);
  REFUSED(s.events.contact_x_y, -2);
  REFUSED(s.events.chatters, 9);
  REFUSED(s.events.stuck, 9);
  REFUSED(s.events.force, 9);
  REFUSED(s.events.noisy, -2);
  REFUSED(s.events.pushed, -2);
  REFUSED(s.noise.force, REAL(NAN));
  REFUSED(s.noise.moment, -1);
  REFUSED(s.noise.speed, REAL(NAN));
  REFUSED(s.noise.every, -1);
  REFUSED(s.watch.tool.force, REAL(NAN));
  REFUSED(s.events.near, 9);
  REFUSED(s.events.outside, -2);
  REFUSED(s.late_cycles, -1);
  REFUSED(s.watch.tool.speed, -1);
  REFUSED(s.states[NEXT].action, (achd_loop_action)4);
  REFUSED(task.time, REAL(NAN));
  REFUSED(task.direction[0].abag.alpha, 1);
  REFUSED(s.watch.joints_oldest, REAL(NAN));
  REFUSED(s.watch.wrench_oldest, -1);
  REFUSED(s.watch.largest_force, REAL(NAN));
  REFUSED(s.watch.largest_moment, -1);
  REFUSED(s.watch.blind_cycles, -1);
  REFUSED(guards[1].deceleration, REAL(NAN));
  REFUSED(guards[0].torque_rate, -1);
  REFUSED(guards[1].fastest, REAL(NAN));
  REFUSED(guards[1].beyond, REAL(NAN));
  REFUSED(guards[1].slip, -1);
}

/* A joint without a motor asks for nothing, and that is not cut. */
static void joint_without_effort_is_not_saturated(void) {
  achd_loop_setup setup = setup_of();
  achd_loop_joint js[N] = {joints[0], joints[1]};
  achd_loop_robot ro = robot;
  js[1].effort = 0;
  ro.joints = js, setup.robot = &ro;
  rig r = going(&setup);
  CHECK(!r.loop.saturated);
  extra[1] = 1;
  good_cycle(&r);
  CHECK(r.loop.saturated && r.loop.tau[1] == 0);
}

int main(void) {
  RUN(fault_of_the_wrench_leaves_the_joints_reading);
  RUN(brake_is_on_the_velocity_of_this_cycle);
  RUN(without_a_reading_the_weight_is_borne_and_nothing_braked);
  RUN(blind_for_more_than_some_cycles_disables);
  RUN(fault_of_the_drives_stops_until_it_has_gone);
  RUN(readings_that_come_and_go);
  RUN(disabled_bears_the_weight_and_stays_so);
  RUN(nothing_ever_read_commands_nothing);
  RUN(wrong_first_reading_draws_nothing);
  RUN(weight_that_is_no_number_is_the_last_one);
  RUN(stamps_that_stand_still_are_borne_for_the_age_allowed);
  RUN(stamps_that_nobody_asks_for_are_not_looked_at);
  RUN(stamps_may_be_negative_and_may_not_step_back);
  RUN(ages_are_compared_with_the_oldest);
  RUN(jumps_draw_the_arm_nowhere);
  RUN(joint_without_limits_may_wrap);
  RUN(fast_but_continuous_is_no_jump);
  RUN(stop_that_does_not_slow_down_disables);
  RUN(guards_of_a_joint_are_its_own);
  RUN(velocity_and_position_must_agree);
  RUN(small_error_of_the_velocity_is_borne);
  RUN(repeated_reading_is_judged_once);
  RUN(reading_that_stands_still_does_not_brake_for_long);
  RUN(reading_that_stands_still_stops_a_motion);
  RUN(whole_reading_that_stands_still_is_a_fault);
  RUN(one_reading_that_stands_still_is_a_fault);
  RUN(reading_of_a_known_sensor_that_stands_still_is_a_fault);
  RUN(velocity_that_fades_over_a_dead_sensor_is_a_fault);
  RUN(reading_that_stands_still_is_not_braked_by);
  RUN(rest_that_the_model_denies_is_a_fault);
  RUN(wrench_at_its_sensor_s_limit_is_a_fault);
  RUN(immense_readings_leave_nothing_behind);
  RUN(without_periods_held_does_not_follow);
  RUN(tiny_periods_do_not_hold_the_brake_up);
  RUN(jitter_within_the_latest_is_borne);
  RUN(late_cycles_are_borne);
  RUN(tool_that_runs_away_is_stopped);
  RUN(tool_that_is_stuck_is_told);
  RUN(what_holds_a_stuck_tool_is_told);
  RUN(noise_is_measured_at_rest);
  RUN(tool_that_presses_too_hard_is_told);
  RUN(a_push_is_told);
  RUN(links_and_tool_are_watched);
  RUN(late_cycles_do_not_swing_up);
  RUN(brake_that_throws_a_joint_back_is_weakened);
  RUN(joints_rest_before_their_limits);
  RUN(limits_are_looked_at_in_a_stop);
  RUN(old_accelerations_do_not_count_in_a_stop);
  RUN(from_beyond_a_limit_the_way_back_is_free);
  RUN(noise_beyond_a_limit_does_not_keep_it_there);
  RUN(torques_change_no_faster_than_their_rate);
  RUN(controllers_wait_for_slow_torques);
  RUN(other_joints_torques_jump_as_they_must);
  RUN(no_rate_is_any_rate);
  RUN(events_left_out_are_none);
  RUN(what_is_seen_is_raised);
  RUN(section_without_a_task_stops);
  RUN(initial_state_that_moves_begins_its_task);
  RUN(next_section_cruises);
  RUN(next_section_is_the_next);
  RUN(controllers_hear_of_saturated_motors);
  RUN(brake_that_throws_the_joint_back_gives_way);
  RUN(contact_is_latched);
  RUN(chatter_is_told);
  RUN(timeout_is_latched_and_a_start_begins_anew);
  RUN(tasks_in_turn_end_when_the_motion_takes_too_long);
  RUN(start_after_a_stop_goes_on_in_its_section);
  RUN(rearmed_it_stands_until_it_is_started);
  RUN(rearming_is_refused_while_something_is_wrong);
  RUN(rearmed_at_a_limit_it_may_go_back);
  RUN(rearmed_beyond_a_limit_it_may_go_back);
  RUN(rearmed_its_clocks_begin_anew);
  RUN(rearming_believes_the_reading);
  RUN(loop_that_was_not_started_disables);
  RUN(setups_of_no_use_are_refused);
  RUN(joint_without_effort_is_not_saturated);
  return test_end();
}
