/* SPDX-License-Identifier: MIT */
/* loop_test.c: the control loop, with its task, machine and monitors, on the simulated platforms through
 * the adapter: to the goal; each fault of a drive in motion, after which it rests; and on again. */
#define ROBILE_IMPLEMENTATION
#define PLATFORM_IMPLEMENTATION
#include <math.h>

#include "platform_achd.h"
#include "robile_achd.h"

#include "platform_ahead_task.h"
#include "platform_drives.h"
#include "pregrasp_machine.h"
#include "mujoco_world.h"

#include <stdlib.h>

#include "test.h"

typedef struct machinery {
  const test_platform *p;
  achd_kelo base;
  achd_loop_joint joints[8];
  achd_loop_robot robot;
  achd_loop_setup setup;
  achd_loop loop;
} machinery;
static machinery m;

static void kinematics(void *context, const achd_measurement *measured, achd_pose *pose,
                       achd_twist *twist) {
  (void)measured;
  achd_kelo_pose(&((machinery *)context)->base, pose, twist);
}

static void solve(void *context, const achd_measurement *measured, const achd_task_command *command,
                  achd_solution *solution) {
  const machinery *of = context;
  const double mass = 54, inertia = 4; /* [kg], [kg m^2] */
  double wrench[3], forces[8];
  (void)measured;
  achd_kelo_wrench(&of->base, command, mass, inertia, wrench);
  memset(solution, 0, sizeof *solution);
  solution->usable = of->p->forces(wrench, forces);
  if (solution->usable)
    achd_platform_wheel_torques(&of->base.platform, of->base.angle, forces, solution->tau);
}

static void gravity(void *context, const achd_measurement *measured, achd_real *tau) {
  const machinery *of = context;
  (void)measured;
  for (int k = 0; k < 2 * of->base.drives; k++) tau[k] = 0;
}

static const achd_loop_joint wheel = {
    {-INFINITY, INFINITY, 35},
    5.8,
    {.position_gain = 5, .velocity_gain = 0.5, .largest_speed = 1, .lower = -3, .upper = 3}};

static bool begin(const test_platform *p) {
  memset(&m, 0, sizeof m);
  m.p = p;
  for (int k = 0; k < 2 * p->platform.drives; k++) m.joints[k] = wheel;
  m.robot = (achd_loop_robot){2 * p->platform.drives, m.joints, &m, kinematics, solve, gravity};
  m.setup = (achd_loop_setup){
      .robot = &m.robot,
      .machine = &pregrasp_machine,
      .states = {[PREGRASP_STOP_MOTION] = {ACHD_LOOP_STOP, NULL},
                 [PREGRASP_START_TO_CRUISE] = {ACHD_LOOP_APPROACH, &platform_ahead_tasks[0]},
                 [PREGRASP_CRUISE_THROUGH_TUBE] = {ACHD_LOOP_CRUISE, &platform_ahead_tasks[0]}},
      .events = {.joint_limit = PREGRASP_E_JOINT_LIMIT,
                 .timeout = PREGRASP_E_TIMEOUT,
                 .within_tube = PREGRASP_E_WITHIN_TUBE,
                 .out_of_tube = PREGRASP_E_OUT_OF_TUBE,
                 .goal_area = PREGRASP_E_GOAL_AREA,
                 .out_of_goal_area = PREGRASP_E_OUT_OF_GOAL_AREA},
      .latest = 0.01,
      .saturation_time = 1,
      .singular_time = 0.1,
      .braking_time = 1,
      .watch = {.joints_stamped = true}};
  if (p->world)
    setenv("ACHD_SIM", p->world, 1);
  else
    unsetenv("ACHD_SIM");
  const achd_kelo_setup setup = test_setup(p);
  const bool good = achd_kelo_connect(&m.base, &setup) && achd_loop_start(&m.loop, &m.setup);
  CHECK(good);
  return good;
}

static void cycles(int count) {
  for (int k = 0; k < count; k++) {
    achd_measurement measured;
    achd_kelo_read(&m.base, &measured);
    achd_loop_cycle(&m.loop, &measured, m.base.period);
    achd_kelo_command(&m.base, &m.loop);
    for (int w = 0; w < 2 * m.base.drives; w++) CHECK(isfinite(m.loop.tau[w]));
  }
}

static double place(void) {
  achd_world_lock();
  const double x = achd_world_data(achd_world_find("net0"))->qpos[0];
  achd_world_unlock();
  return x;
}

static double speed(void) {
  achd_world_lock();
  const mjtNum *v = achd_world_data(achd_world_find("net0"))->qvel;
  const double size = hypot(v[0], v[1]);
  achd_world_unlock();
  return size;
}

static void inject(const char *fault, double duration, int slave) {
  achd_world_lock();
  CHECK(achd_world_inject(achd_world_find("net0"), fault, duration, slave, 0));
  achd_world_unlock();
}

static void to_the_goal(void) {
  for (int k = 0; k < 2; k++) {
    if (!begin(&test_platforms[k])) continue;
    cycles(10);
    CHECK(m.loop.fault == 0 && m.loop.machine.state == PREGRASP_STOP_MOTION);
    CHECK(achd_loop_raise(&m.loop, PREGRASP_E_INITIALIZED));
    cycles(2000);
    CHECK(m.loop.machine.state == PREGRASP_CRUISE_THROUGH_TUBE && m.loop.mode == ACHD_LOOP_TORQUE);
    CHECK(speed() > 0.1 && speed() < 0.3);
    cycles(9000);
    CHECK(m.loop.fault == 0 && (m.loop.seen & ACHD_TASK_TIMEOUT) == 0);
    CHECK(m.loop.machine.state == PREGRASP_STOP_MOTION && m.loop.mode == ACHD_LOOP_VELOCITY);
    CHECK_NEAR(place(), 1, 0.05);
    CHECK(speed() < 0.005);
    achd_kelo_disconnect(&m.base);
    printf("%s: the loop ends at %.3f m\n", m.p->name, m.base.pose[0]);
  }
}

typedef struct trouble {
  const char *fault;
  int slave;
  unsigned bit;  /* of the loop */
  double travel; /* at most, until it rests [m] */
  achd_loop_mode mode;
} trouble;

/* Each fault while it cruises: the loop has the reason, the platform rests and stays at rest after the
 * fault is over; once it is recovered and rearmed, it goes on to the goal. */
static void faults(void) {
  static const trouble troubles[] = {{"undervoltage", 3, ACHD_LOOP_DRIVES, 0.1, ACHD_LOOP_VELOCITY},
                                     {"encoder", 5, ACHD_LOOP_DRIVES, 0.1, ACHD_LOOP_DISABLE},
                                     {"lost", 5, ACHD_LOOP_STALE, 0.1, ACHD_LOOP_DISABLE},
                                     {"frame", 0, ACHD_LOOP_STALE, 0.1, ACHD_LOOP_DISABLE}};
  for (int k = 0; k < 2; k++)
    for (size_t t = 0; t < sizeof troubles / sizeof *troubles; t++) {
      const trouble *now = &troubles[t];
      if (!begin(&test_platforms[k])) continue;
      cycles(10);
      achd_loop_raise(&m.loop, PREGRASP_E_INITIALIZED);
      cycles(2500);
      const double before = place(), at_first = speed();
      inject(now->fault, 4, now->slave);
      cycles(20);
      CHECK((m.loop.fault & now->bit) != 0);
      CHECK(m.loop.mode == now->mode);
      cycles(3900);
      CHECK(speed() < 0.02);
      const double after = place();
      printf("%s, %s: travels %.3f m from %.2f m/s\n", m.p->name, now->fault, after - before,
             at_first);
      CHECK(after - before < now->travel && after >= before);
      cycles(1500); /* it is over */
      CHECK(speed() < 0.02 && fabs(place() - after) < 0.03 && m.loop.fault != 0);
      CHECK(m.loop.machine.state == PREGRASP_STOP_MOTION);
      achd_kelo_recover(&m.base);
      cycles(500);
      CHECK(!m.base.fault && m.base.enabled);
      CHECK(achd_loop_rearm(&m.loop));
      CHECK(achd_loop_raise(&m.loop, PREGRASP_E_INITIALIZED));
      cycles(9000);
      CHECK(m.loop.fault == 0 && m.loop.machine.state == PREGRASP_STOP_MOTION);
      /* one drive alone does not tell how a platform turns: there odometry is lost */
      const bool lost = m.p->platform.drives == 2 && now->bit == ACHD_LOOP_DRIVES;
      CHECK_NEAR(lost ? m.base.pose[0] : place(), 1, 0.05);
      achd_kelo_disconnect(&m.base);
    }
}

/* Rows along axes that are turned, a force, a base that is turned. */
static void wrenches_of_commands(void) {
  static achd_kelo base;
  const achd_task_command command = {.axes = {{{0, -1, 0}, {1, 0, 0}, {0, 0, 1}}},
                                     .b = {2, 3, 9, 9, 9, .5},
                                     .mask = {1, 0, 1, 1, 1, 1},
                                     .wrench = {{1, 4, 7}, {8, 8, .25}}};
  double wrench[3];
  achd_kelo_wrench(&base, &command, 10, 4, wrench); /* x of the rows is y of the base */
  CHECK_NEAR(wrench[0], 1, 1e-12);
  CHECK_NEAR(wrench[1], 24, 1e-12);
  CHECK_NEAR(wrench[2], 2.25, 1e-12);
  base.pose[2] = M_PI / 2;
  base.pose[0] = 5, base.twist[0] = .5, base.twist[2] = .1;
  achd_kelo_wrench(&base, &command, 10, 4, wrench);
  CHECK_NEAR(wrench[0], 24, 1e-12);
  CHECK_NEAR(wrench[1], -1, 1e-12);
  achd_pose pose;
  achd_twist twist;
  achd_kelo_pose(&base, &pose, &twist);
  CHECK_NEAR(pose.p[0], 5, 0);
  CHECK_NEAR(pose.R.m[1][0], 1, 1e-15);
  CHECK_NEAR(twist.lin[1], .5, 1e-15);
  CHECK_NEAR(twist.ang[2], .1, 1e-15);
}

/* What the setup lacks, or the bus does not have, is told, and nothing stays open. */
static void connections_that_fail(void) {
  const test_platform *p = &test_platforms[0];
  unsetenv("ACHD_SIM");
  achd_kelo base;
  achd_kelo_setup setup = test_setup(p);
  setup.ethernet_if = "eth5";
  CHECK(!achd_kelo_connect(&base, &setup) && base.error == -2);
  setup = test_setup(p);
  setup.slaves = (const int[]){3, 4};
  CHECK(!achd_kelo_connect(&base, &setup) && base.error == -7);
  setup = test_setup(p);
  setup.board = 9;
  CHECK(!achd_kelo_connect(&base, &setup) && base.error == -6);
  setup.platform = NULL;
  CHECK(!achd_kelo_connect(&base, &setup));
  const achd_platform wrong[] = {
      {0, robile_pivots, {.05, .08, .01}}, {17, robile_pivots, {.05, .08, .01}},
      {2, NULL, {.05, .08, .01}},          {2, robile_pivots, {0, .08, .01}},
      {2, robile_pivots, {.05, NAN, .01}}, {2, robile_pivots, {.05, .08, 0}}};
  for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
    setup = test_setup(p);
    setup.platform = &wrong[k];
    CHECK(!achd_kelo_connect(&base, &setup) && !base.connected);
  }
  achd_kelo_disconnect(&base);
  achd_measurement measured;
  achd_kelo_read(&base, &measured); /* not connected: an old reading */
  CHECK(measured.joints_age > 0);
  setup = test_setup(p);
  CHECK(achd_kelo_connect(&base, &setup));
  achd_kelo_disconnect(&base);
  achd_kelo_disconnect(&base);
  CHECK(strcmp(achd_kelo_library(), "simulated") == 0);
}

int main(void) {
  RUN(to_the_goal);
  RUN(faults);
  RUN(wrenches_of_commands);
  RUN(connections_that_fail);
  return test_end();
}
