/* SPDX-License-Identifier: MIT */
/* gen3_fault_test.c: what goes wrong while a Gen3 cruises: the loop is in its stop state within a
 * stated number of cycles, stays there, and what it commands is finite and within the limits all
 * the time. */
#include "gen3_loop_setup.h"
#include "gen3_plant.h"
#include "test.h"

static const double period = 1e-3;

typedef struct rig {
  achd_loop loop;
  plant plant;
} rig;

static void check_commands(const achd_loop *loop) {
  for (int j = 0; j < NJ; j++) {
    CHECK(isfinite(loop->tau[j]) && fabs(loop->tau[j]) <= gen3_joints[j].effort);
    CHECK(loop->mode == ACHD_LOOP_TORQUE || loop->qd[j] == 0);
  }
}

static bool stopped(const achd_loop *loop) {
  return loop->mode == ACHD_LOOP_VELOCITY && loop->machine.state == PREGRASP_STOP_MOTION;
}

/* One cycle of loop and plant. */
static void cycle(rig *r, const achd_measurement *m, double seconds) {
  achd_loop_cycle(&r->loop, m, seconds);
  check_commands(&r->loop);
  plant_move(&r->plant, r->loop.tau, period);
}

static void good_cycle(rig *r) {
  const achd_measurement m = plant_measure(&r->plant);
  cycle(r, &m, period);
}

static rig start(const achd_loop_setup *setup, const double q[NJ]) {
  rig r = {.plant = plant_at(q, EXACT)};
  CHECK(achd_loop_start(&r.loop, setup));
  CHECK(achd_loop_raise(&r.loop, PREGRASP_E_INITIALIZED));
  return r;
}

/* Half a second into the tube, moving. */
static rig cruising(const achd_loop_setup *setup) {
  rig r = start(setup, start_posture);
  int cruised = 0;
  for (int k = 0; k < 10000 && cruised < 500; k++) {
    good_cycle(&r);
    cruised += r.loop.machine.state == PREGRASP_CRUISE_THROUGH_TUBE;
  }
  CHECK(cruised == 500 && r.loop.mode == ACHD_LOOP_TORQUE && r.loop.fault == ACHD_LOOP_FINE);
  CHECK(r.loop.tool.twist.lin[1] > 0.03);
  return r;
}

/* With good measurements again it stays stopped, and comes to rest. */
static void check_stays(rig *r, unsigned fault) {
  for (int k = 0; k < 1000; k++) {
    good_cycle(r);
    CHECK(stopped(&r->loop));
  }
  CHECK(r->loop.fault & fault);
  for (int j = 0; j < NJ; j++) CHECK(fabs(r->plant.qd[j]) < 2e-3);
}

/* Of 24 numbers that are measured each in turn: NaN and the infinities stop it in the same cycle.
 */
static void strange_measurements_stop_at_once(void) {
  static const double strange[] = {NAN, INFINITY, -INFINITY};
  const rig moving = cruising(&pregrasp_setup);
  for (int place = 0; place < 2 * NJ + 6; place++)
    for (int k = 0; k < 3; k++) {
      rig r = moving;
      achd_measurement m = plant_measure(&r.plant);
      double *const number = place < NJ           ? &m.q[place]
                             : place < 2 * NJ     ? &m.qd[place - NJ]
                             : place < 2 * NJ + 3 ? &m.wrench.lin[place - 2 * NJ]
                                                  : &m.wrench.ang[place - 2 * NJ - 3];
      *number = strange[k];
      cycle(&r, &m, period);
      CHECK(stopped(&r.loop) && r.loop.fault == ACHD_LOOP_NOT_FINITE);
      if (k == 0) check_stays(&r, ACHD_LOOP_NOT_FINITE);
    }
}

/* Without a good reading for more than five cycles the drives have to brake by themselves. */
static void strange_numbers_for_a_second_disable(void) {
  rig r = cruising(&pregrasp_setup);
  for (int k = 0; k < 1000; k++) {
    achd_measurement m = plant_measure(&r.plant);
    m.q[k % NJ] = NAN;
    cycle(&r, &m, period);
    CHECK(r.loop.mode == (k < 5 ? ACHD_LOOP_VELOCITY : ACHD_LOOP_DISABLE));
    CHECK(r.loop.machine.state == PREGRASP_STOP_MOTION);
  }
}

static void nothing_known_commands_nothing(void) {
  rig r = start(&pregrasp_setup, start_posture);
  achd_measurement m = plant_measure(&r.plant);
  m.q[0] = NAN;
  achd_loop_cycle(&r.loop, &m, period);
  CHECK(stopped(&r.loop));
  for (int j = 0; j < NJ; j++) CHECK(r.loop.tau[j] == 0);
}

static void late_cycles_stop_at_once(void) {
  static const double periods[] = {2, 10, 100, 0, -1, NAN, INFINITY};
  const rig moving = cruising(&pregrasp_setup);
  for (int k = 0; k < 7; k++) {
    rig r = moving;
    for (double late = 1; late < periods[k] && late < 100; late++) /* the plant goes on meanwhile */
      plant_move(&r.plant, r.loop.tau, period);
    const achd_measurement m = plant_measure(&r.plant);
    cycle(&r, &m, periods[k] * period);
    CHECK(stopped(&r.loop) && r.loop.fault == ACHD_LOOP_LATE);
    check_stays(&r, ACHD_LOOP_LATE);
  }
}

static void a_little_late_is_in_time(void) {
  rig r = cruising(&pregrasp_setup);
  const achd_measurement m = plant_measure(&r.plant);
  cycle(&r, &m, 1.4 * period);
  CHECK(r.loop.fault == ACHD_LOOP_FINE && r.loop.mode == ACHD_LOOP_TORQUE);
}

/* A limit in the way of the joint that moves most: the loop stops two periods before it or earlier.
 */
static void joint_limit_ahead_stops_before_it(void) {
  const rig free = cruising(&pregrasp_setup);
  int fastest = 0;
  for (int j = 1; j < NJ; j++)
    if (fabs(free.plant.qd[j]) > fabs(free.plant.qd[fastest])) fastest = j;
  const double direction = free.plant.qd[fastest] > 0 ? 1 : -1,
               limit = free.plant.q[fastest] + direction * 0.05;
  achd_loop_joint joints[NJ];
  memcpy(joints, gen3_joints, sizeof joints);
  if (direction > 0)
    joints[fastest].limits.upper = limit;
  else
    joints[fastest].limits.lower = limit;
  achd_loop_robot robot = gen3_robot;
  robot.joints = joints;
  achd_loop_setup setup = pregrasp_setup;
  setup.robot = &robot;

  rig r = free;
  r.loop.setup = &setup;
  int cycles = 0;
  while (!stopped(&r.loop) && cycles < 5000) {
    good_cycle(&r);
    cycles++;
  }
  CHECK(cycles > 10 && cycles < 5000 && r.loop.fault == ACHD_LOOP_LIMIT);
  CHECK(r.loop.limits & (direction > 0 ? ACHD_JOINT_UPPER : ACHD_JOINT_LOWER));
  CHECK(direction * (limit - r.loop.measured.q[fastest]) > 0);
  CHECK(direction * (limit - r.loop.measured.q[fastest]) <
        4 * period * fabs(r.loop.measured.qd[fastest]));
  check_stays(&r, ACHD_LOOP_LIMIT);
}

static void too_fast_a_joint_stops_at_once(void) {
  rig r = cruising(&pregrasp_setup);
  achd_measurement m = plant_measure(&r.plant);
  m.qd[3] = -1.5;
  cycle(&r, &m, period);
  CHECK(stopped(&r.loop) && r.loop.fault == ACHD_LOOP_LIMIT);
  CHECK(r.loop.limits == ACHD_JOINT_VELOCITY);
}

/* A solver whose torques a test chooses. */
static struct {
  double factor;
  bool usable, singular;
} wrong;

static void wrong_solve(void *context, const achd_measurement *m, const achd_task_command *command,
                        achd_solution *s) {
  gen3_solve(context, m, command, s);
  for (int j = 0; j < NJ; j++) s->tau[j] *= wrong.factor;
  s->usable = s->usable && wrong.usable;
  s->singular = s->singular || wrong.singular;
}

static achd_loop_robot wrong_robot(void) {
  achd_loop_robot robot = gen3_robot;
  robot.solve = wrong_solve;
  wrong.factor = 1, wrong.usable = true, wrong.singular = false;
  return robot;
}

/* Cycles until it stops; somebody holds the robot fast, so that nothing else happens. Its sensors
 * live. */
static int cycles_to_stop(rig *r, int most) {
  r->plant.velocity_noise = 1e-4;
  memset(r->plant.qd, 0, sizeof r->plant.qd);
  for (int k = 1; k <= most; k++) {
    const achd_measurement m = plant_measure(&r->plant);
    achd_loop_cycle(&r->loop, &m, period);
    check_commands(&r->loop);
    if (stopped(&r->loop)) return k;
  }
  return 0;
}

static void torques_at_their_limits_for_a_second_stop(void) {
  const achd_loop_robot robot = wrong_robot();
  achd_loop_setup setup = pregrasp_setup;
  setup.robot = &robot;
  rig r = cruising(&setup);
  wrong.factor = 1e4;
  const int cycles = cycles_to_stop(&r, 2000);
  CHECK(cycles >= 1000 && cycles <= 1002);
  CHECK(r.loop.fault == ACHD_LOOP_SATURATED);
}

static void torques_at_their_limits_for_a_moment_do_not(void) {
  const achd_loop_robot robot = wrong_robot();
  achd_loop_setup setup = pregrasp_setup;
  setup.robot = &robot;
  rig r = cruising(&setup);
  wrong.factor = 1e4;
  CHECK(cycles_to_stop(&r, 900) == 0 && r.loop.saturated);
  wrong.factor = 1;
  CHECK(cycles_to_stop(&r, 900) == 0 && !r.loop.saturated && r.loop.saturated_for == 0);
}

static void solver_of_no_use_stops_at_once(void) {
  static const double factors[] = {NAN, INFINITY, 1};
  const achd_loop_robot robot = wrong_robot();
  achd_loop_setup setup = pregrasp_setup;
  setup.robot = &robot;
  for (int k = 0; k < 3; k++) {
    rig r = cruising(&setup);
    wrong.factor = factors[k];
    wrong.usable = k < 2;
    CHECK(cycles_to_stop(&r, 5) == 1 && r.loop.fault == ACHD_LOOP_UNUSABLE);
    wrong.factor = 1;
    wrong.usable = true;
  }
}

/* Stretched upwards the Gen3 cannot accelerate along its own length. */
static void singular_pose_stops_within_its_time(void) {
  static const double stretched[NJ] = {0};
  rig r = start(&pregrasp_setup, stretched);
  good_cycle(&r); /* from the initial state into the first that moves */
  CHECK(r.loop.machine.state == PREGRASP_START_TO_CRUISE);
  const int cycles = cycles_to_stop(&r, 500);
  CHECK(cycles >= 100 && cycles <= 102);
  CHECK(r.loop.fault == ACHD_LOOP_SINGULAR && r.loop.solution.singular);
}

static void event_storm_stops_at_once(void) {
  rig r = cruising(&pregrasp_setup);
  for (int k = 0; k < 1000; k++) {
    for (int n = 0; n < 100; n++) achd_loop_raise(&r.loop, n % (pregrasp_machine.nevents + 3) - 1);
    good_cycle(&r);
    CHECK(stopped(&r.loop));
  }
  CHECK(r.loop.fault == ACHD_LOOP_FINE);
}

/* The machine may say what it will: with a fault, nothing moves. */
static void machine_cannot_overrule_a_fault(void) {
  rig r = cruising(&pregrasp_setup);
  achd_measurement m = plant_measure(&r.plant);
  m.wrench.lin[0] = NAN;
  cycle(&r, &m, period);
  for (int k = 0; k < 100; k++) {
    r.loop.machine.state = PREGRASP_CRUISE_THROUGH_TUBE;
    r.loop.machine.raised = 0;
    good_cycle(&r);
    CHECK(r.loop.mode == ACHD_LOOP_VELOCITY);
  }
}

static void new_start_is_free_of_the_fault(void) {
  rig r = cruising(&pregrasp_setup);
  achd_measurement m = plant_measure(&r.plant);
  m.q[2] = NAN;
  cycle(&r, &m, period);
  CHECK(achd_loop_start(&r.loop, &pregrasp_setup));
  CHECK(r.loop.fault == ACHD_LOOP_FINE);
  achd_loop_raise(&r.loop, PREGRASP_E_INITIALIZED);
  for (int k = 0; k < 10; k++) good_cycle(&r);
  CHECK(r.loop.mode == ACHD_LOOP_TORQUE);
}

static void setups_that_do_not_fit_are_refused(void) {
  achd_loop_robot robot = gen3_robot;
  robot.njoints = ACHD_LOOP_JOINTS + 1;
  achd_machine machine = pregrasp_machine;
  machine.nstates = ACHD_LOOP_STATES + 1;
  achd_loop_setup setup = pregrasp_setup;
  achd_loop loop;
  setup.robot = &robot;
  CHECK(!achd_loop_start(&loop, &setup));
  setup = pregrasp_setup;
  setup.machine = &machine;
  CHECK(!achd_loop_start(&loop, &setup));
}

int main(void) {
  RUN(strange_measurements_stop_at_once);
  RUN(strange_numbers_for_a_second_disable);
  RUN(nothing_known_commands_nothing);
  RUN(late_cycles_stop_at_once);
  RUN(a_little_late_is_in_time);
  RUN(joint_limit_ahead_stops_before_it);
  RUN(too_fast_a_joint_stops_at_once);
  RUN(torques_at_their_limits_for_a_second_stop);
  RUN(torques_at_their_limits_for_a_moment_do_not);
  RUN(solver_of_no_use_stops_at_once);
  RUN(singular_pose_stops_within_its_time);
  RUN(event_storm_stops_at_once);
  RUN(machine_cannot_overrule_a_fault);
  RUN(new_start_is_free_of_the_fault);
  RUN(setups_that_do_not_fit_are_refused);
  return test_end();
}
