/* SPDX-License-Identifier: MIT */
/* gen3_stop_test.c: what goes wrong in each state of each machine that ships, for one cycle and for
 * two seconds, while all joints of a Gen3 without friction move: how far does each go before it
 * rests?
 *
 * With joint sensors that live, less than the braking distance and 0.05 rad:
 *
 *   v^2 / (2 a) + 0.05,   a = (brake's torque - gravity's) / inertia about the joint
 *
 * v: speed when the fault came; the brake's torque is the limit of the joint's hold, gravity's that
 * of this posture, the inertia M_jj, that of the arm beyond the joint with the others held. With
 * joint sensors that are dead for two seconds the loop disables the drives, whose own brakes (here
 * 20 rad/s^2) then have to hold, and the same is asked. */
#include "gen3_path_task.h"
#include "gen3_plant.h"
#include "gen3_pregrasp_task.h"
#include "gen3_slide_task.h"
#include "inertia.h"
#include "path_machine.h"
#include "pregrasp_machine.h"
#include "surface_machine.h"
#include "test.h"

static const double period = 1e-3, brakes = 20;
enum { BEFORE = 10, LONG = 2000, AFTER = 500 };

/* ---- the robot, and what can go wrong in its functions ---- */

static struct { bool unusable, no_number, infinite, weightless, nowhere; } broken;

static void broken_solve(void *context, const achd_measurement *m, const achd_task_command *command,
                         achd_solution *s) {
  gen3_solve(context, m, command, s);
  if (broken.unusable) s->usable = false;
  if (broken.no_number) s->tau[2] = NAN;
  if (broken.infinite) s->tau[1] = INFINITY;
}

static void broken_weight(void *context, const achd_measurement *m, double *tau) {
  gen3_weight(context, m, tau);
  if (broken.weightless)
    for (int j = 0; j < NJ; j++) tau[j] = NAN;
}

static void broken_kinematics(void *context, const achd_measurement *m, achd_pose *pose,
                              achd_twist *twist) {
  gen3_kinematics(context, m, pose, twist);
  if (broken.nowhere) pose->p[1] = NAN;
}

static const achd_loop_robot robot = {NJ,           gen3_joints,  start_posture, broken_kinematics,
                                      broken_solve, broken_weight};

/* ---- the machines ---- */

#define TIMES .latest = 1.5e-3, .saturation_time = 1, .singular_time = 0.1, .braking_time = 0.3

static const achd_loop_setup pregrasp = {
    .robot = &robot,
    .machine = &pregrasp_machine,
    .states = {[PREGRASP_START_TO_CRUISE] = {ACHD_LOOP_APPROACH, &gen3_pregrasp_tasks[0]},
               [PREGRASP_CRUISE_THROUGH_TUBE] = {ACHD_LOOP_CRUISE, &gen3_pregrasp_tasks[0]}},
    .events = {.joint_limit = PREGRASP_E_JOINT_LIMIT,
               .timeout = PREGRASP_E_TIMEOUT,
               .contact = PREGRASP_E_CONTACT,
               .within_tube = PREGRASP_E_WITHIN_TUBE,
               .out_of_tube = PREGRASP_E_OUT_OF_TUBE,
               .goal_area = PREGRASP_E_GOAL_AREA,
               .out_of_goal_area = PREGRASP_E_OUT_OF_GOAL_AREA},
    TIMES};

static const achd_loop_setup path = {
    .robot = &robot,
    .machine = &path_machine,
    .states = {[PATH_START_TO_CRUISE] = {ACHD_LOOP_APPROACH, &gen3_path_tasks[0]},
               [PATH_FOLLOW_PATH] = {ACHD_LOOP_CRUISE, &gen3_path_tasks[0]},
               [PATH_TRANSITION_PATH_SECTION] = {ACHD_LOOP_NEXT_SECTION, NULL}},
    .events = {.joint_limit = PATH_E_JOINT_LIMIT,
               .timeout = PATH_E_TIMEOUT,
               .contact = PATH_E_CONTACT,
               .within_tube = PATH_E_WITHIN_TUBE,
               .out_of_tube = PATH_E_OUT_OF_TUBE,
               .goal_area = PATH_E_FINAL_GOAL_AREA,
               .out_of_goal_area = PATH_E_OUT_OF_GOAL_AREA,
               .section_covered = PATH_E_SECTION_COVERED},
    TIMES};

static const achd_task *const lower = &gen3_slide_tasks[GEN3_SLIDE_TASK_LOWER],
                              *const pressed = &gen3_slide_tasks[GEN3_SLIDE_TASK_IN_CONTACT];

static achd_loop_setup surface_setup(void) {
  return (achd_loop_setup){.robot = &robot,
                           .machine = &surface_machine,
                           .states = {[SURFACE_APPROACH_SURFACE] = {ACHD_LOOP_CRUISE, lower},
                                      [SURFACE_ALIGN_WITH_SURFACE] = {ACHD_LOOP_APPROACH, pressed},
                                      [SURFACE_START_TO_CRUISE] = {ACHD_LOOP_APPROACH, pressed},
                                      [SURFACE_CRUISE_THROUGH_TUBE] = {ACHD_LOOP_CRUISE, pressed}},
                           .events = {.joint_limit = SURFACE_E_JOINT_LIMIT,
                                      .timeout = SURFACE_E_TIMEOUT,
                                      .contact = SURFACE_E_CONTACT_Z,
                                      .contact_x_y = SURFACE_E_CONTACT_X_Y,
                                      .no_contact = SURFACE_E_NO_CONTACT,
                                      .within_tube = SURFACE_E_WITHIN_TUBE,
                                      .out_of_tube = SURFACE_E_OUT_OF_TUBE,
                                      .goal_area = SURFACE_E_GOAL_AREA,
                                      .out_of_goal_area = SURFACE_E_OUT_OF_GOAL_AREA},
                           TIMES};
}

/* All that a setup can ask for. */
#define GUARD                                                                                      \
  { .deceleration = 4, .fastest = 4, .beyond = 0.3, .slip = 0.004 }
static const achd_loop_guard guards[NJ] = {GUARD, GUARD, GUARD, GUARD, GUARD, GUARD, GUARD};
static const achd_loop_watch watchful = {.joints = guards,
                                         .joints_stamped = true,
                                         .wrench_stamped = true,
                                         .joints_oldest = 0.9e-3,
                                         .wrench_oldest = 0.9e-3,
                                         .largest_force = 200,
                                         .largest_moment = 20};

/* ---- the faults ---- */

typedef struct rig {
  achd_loop loop;
  plant plant;
  achd_measurement frozen; /* the reading before the fault */
  int64_t now;             /* cycles */
} rig;

/* What a cycle gets: the reading, the period, events. */
typedef struct input {
  achd_measurement m;
  double period;
} input;

static void q_not_finite(rig *r, input *in) {
  (void)r, in->m.q[3] = NAN;
}
static void qd_infinite(rig *r, input *in) {
  (void)r, in->m.qd[1] = -INFINITY;
}
static void all_not_finite(rig *r, input *in) {
  (void)r;
  for (int j = 0; j < NJ; j++) in->m.q[j] = in->m.qd[j] = NAN;
}
static void wrench_not_finite(rig *r, input *in) {
  (void)r, in->m.wrench.lin[2] = NAN;
}
static void moment_infinite(rig *r, input *in) {
  (void)r, in->m.wrench.ang[0] = INFINITY;
}
static void all_zero(rig *r, input *in) {
  (void)r;
  for (int j = 0; j < NJ; j++) in->m.q[j] = in->m.qd[j] = 0;
}
static void q_zero(rig *r, input *in) {
  (void)r;
  for (int j = 0; j < NJ; j++) in->m.q[j] = 0;
}
static void qd_zero(rig *r, input *in) {
  (void)r;
  for (int j = 0; j < NJ; j++) in->m.qd[j] = 0;
}
static void frozen(rig *r, input *in) {
  in->m = r->frozen;
}
static void frozen_with_new_stamps(rig *r, input *in) {
  in->m = r->frozen;
  in->m.joints_stamp = in->m.wrench_stamp = r->now;
}
static void q_jumps(rig *r, input *in) {
  (void)r, in->m.q[1] += 0.5;
}
static void q_wraps_in_limits(rig *r, input *in) {
  (void)r, in->m.q[3] += 2 * acos(-1);
}
static void q_out_of_range(rig *r, input *in) {
  (void)r, in->m.q[5] = 1000;
}
static void qd_of_the_wrong_sign(rig *r, input *in) {
  (void)r;
  for (int j = 0; j < NJ; j++) in->m.qd[j] *= -1;
}
static void qd_too_fast(rig *r, input *in) {
  (void)r, in->m.qd[0] = 50;
}
static void wrench_saturated(rig *r, input *in) {
  (void)r, in->m.wrench.lin[0] = 200;
}
static void wrench_frozen(rig *r, input *in) {
  in->m.wrench_stamp = r->frozen.wrench_stamp;
}
static void wrench_old(rig *r, input *in) {
  (void)r, in->m.wrench_age = 0.1;
}
static void joints_old(rig *r, input *in) {
  (void)r, in->m.joints_age = 0.1;
}
static void age_not_finite(rig *r, input *in) {
  (void)r, in->m.joints_age = NAN;
}
static void age_negative(rig *r, input *in) {
  (void)r, in->m.joints_age = -1;
}
static void stamps_behind(rig *r, input *in) {
  (void)r, in->m.joints_stamp -= 1000000;
}
static void stamps_backwards(rig *r, input *in) {
  (void)r, in->m.joints_stamp *= -1;
}
static void period_zero(rig *r, input *in) {
  (void)r, in->period = 0;
}
static void period_not_finite(rig *r, input *in) {
  (void)r, in->period = NAN;
}
static void period_negative(rig *r, input *in) {
  (void)r, in->period = -1e-3;
}
static void period_infinite(rig *r, input *in) {
  (void)r, in->period = INFINITY;
}
static void period_long(rig *r, input *in) {
  (void)r, in->period = 10e-3;
}
static void solver_unusable(rig *r, input *in) {
  (void)r, (void)in, broken.unusable = true;
}
static void solver_not_finite(rig *r, input *in) {
  (void)r, (void)in, broken.no_number = true;
}
static void solver_infinite(rig *r, input *in) {
  (void)r, (void)in, broken.infinite = true;
}
static void kinematics_not_finite(rig *r, input *in) {
  (void)r, (void)in, broken.nowhere = true;
}
static void gravity_not_finite(rig *r, input *in) {
  (void)r, in->m.wrench.lin[0] = NAN; /* so that it stops */
  broken.weightless = true;
}
static void event_storm(rig *r, input *in) {
  (void)in;
  for (int e = -1; e < 70; e++) achd_loop_raise(&r->loop, e);
}

/* HALF: a position that is wrong, a velocity that is right; dead where the setup looks at that. */
typedef enum sensors { LIVE, HALF, DEAD } sensors;

/* moving: only where the machine moves; watched: only where the setup asks for it. */
typedef struct fault {
  const char *name;
  void (*apply)(rig *r, input *in);
  unsigned bit; /* that is expected; 0: none, or another */
  sensors joints;
  bool moving, watched;
} fault;

#define FINITE ACHD_LOOP_NOT_FINITE
#define STALE ACHD_LOOP_STALE
#define STRANGE ACHD_LOOP_IMPLAUSIBLE
#define LATE ACHD_LOOP_LATE
#define UNUSABLE ACHD_LOOP_UNUSABLE

static const fault faults[] = {
    {"a q is NaN", q_not_finite, FINITE, DEAD, false, false},
    {"a qd is infinite", qd_infinite, FINITE, DEAD, false, false},
    {"all q and qd are NaN", all_not_finite, FINITE, DEAD, false, false},
    {"a force is NaN", wrench_not_finite, FINITE, LIVE, false, false},
    {"a moment is infinite", moment_infinite, FINITE, LIVE, false, false},
    {"all q and qd are 0", all_zero, STRANGE, DEAD, false, true},
    {"all q are 0", q_zero, STRANGE, HALF, false, false},
    {"all qd are 0", qd_zero, 0, DEAD, true, true},
    {"the reading stands still, stamp too", frozen, STALE, DEAD, false, true},
    {"the reading stands still, stamps go on", frozen_with_new_stamps, 0, DEAD, true, true},
    {"a q jumps by 0.5 rad", q_jumps, STRANGE, LIVE, false, false},
    {"a q within limits jumps by 2 pi", q_wraps_in_limits, STRANGE, HALF, false, false},
    {"a q is 1000", q_out_of_range, STRANGE, DEAD, false, true},
    {"all qd have the wrong sign", qd_of_the_wrong_sign, 0, DEAD, true, true},
    {"a qd is 50 rad/s", qd_too_fast, STRANGE, DEAD, false, true},
    {"a force is at its sensor's limit", wrench_saturated, STRANGE, LIVE, false, true},
    {"the wrench's stamp stands still", wrench_frozen, STALE, LIVE, false, true},
    {"the wrench is old", wrench_old, STALE, LIVE, false, true},
    {"the joints' reading is old", joints_old, STALE, DEAD, false, true},
    {"the age is NaN", age_not_finite, STALE, DEAD, false, true},
    {"the age is negative", age_negative, STALE, DEAD, false, true},
    {"the stamps fall behind", stamps_behind, STALE, LIVE, false, true},
    {"the stamps run backwards", stamps_backwards, STALE, DEAD, false, true},
    {"the period is 0", period_zero, LATE, LIVE, false, false},
    {"the period is NaN", period_not_finite, LATE, LIVE, false, false},
    {"the period is negative", period_negative, LATE, LIVE, false, false},
    {"the period is infinite", period_infinite, LATE, LIVE, false, false},
    {"the period is too long", period_long, LATE, LIVE, false, false},
    {"the solver is of no use", solver_unusable, UNUSABLE, LIVE, true, false},
    {"a torque is NaN", solver_not_finite, UNUSABLE, LIVE, true, false},
    {"a torque is infinite", solver_infinite, UNUSABLE, LIVE, true, false},
    {"the tool's position is NaN", kinematics_not_finite, FINITE, LIVE, true, false},
    {"the weight is NaN", gravity_not_finite, UNUSABLE, LIVE, false, false},
    {"all events at once", event_storm, 0, LIVE, false, false}};
enum { FAULTS = sizeof faults / sizeof *faults };

/* ---- a run ---- */

static void read_sensors(rig *r, input *in) {
  r->now++;
  *in = (input){.m = plant_measure(&r->plant), .period = period};
  in->m.joints_stamp = in->m.wrench_stamp = r->now;
}

static void check_command(const achd_loop *loop) {
  for (int j = 0; j < NJ; j++)
    CHECK(isfinite(loop->tau[j]) && fabs(loop->tau[j]) <= gen3_joints[j].effort);
}

/* The drives' brakes, once they are told to. */
static void brake_by_drives(plant *p) {
  for (int j = 0; j < NJ; j++) {
    const double speed = fmax(0, fabs(p->qd[j]) - brakes * period);
    p->qd[j] = copysign(speed, p->qd[j]);
    p->q[j] += p->qd[j] * period;
  }
}

static void cycle(rig *r, const input *in) {
  const achd_loop_mode mode = achd_loop_cycle(&r->loop, &in->m, in->period);
  check_command(&r->loop);
  if (mode == ACHD_LOOP_DISABLE)
    brake_by_drives(&r->plant);
  else
    plant_move(&r->plant, r->loop.tau, period);
}

/* In a state, all joints moving; in a stop, while they are still being braked. */
static rig moving_in(const achd_loop_setup *setup, int state) {
  static const double speed[NJ] = {0.4, -0.5, 0.6, 0.5, -0.7, 0.8, 1};
  rig r = {.plant = plant_at(start_posture, EXACT)};
  input in;
  memset(&broken, 0, sizeof broken);
  memcpy(r.plant.qd, speed, sizeof speed);
  CHECK(achd_loop_start(&r.loop, setup));
  for (int k = 0; k < BEFORE; k++) {
    const achd_task *task = setup->states[state].task;
    r.loop.machine.state = state;
    if (task && r.loop.task.task != task) achd_task_start(&r.loop.task, task);
    if (!task && setup->machine == &path_machine && state != PATH_STOP_MOTION && k == 0)
      achd_task_start(&r.loop.task, &gen3_path_tasks[0]);
    read_sensors(&r, &in);
    cycle(&r, &in);
  }
  r.loop.machine.state = state;
  r.frozen = in.m;
  CHECK(r.loop.fault == ACHD_LOOP_FINE);
  return r;
}

/* v^2 / (2 a) + 0.05 of each joint [rad] */
static void allowed_travel(const plant *p, double travel[NJ]) {
  inertia_crba_in in;
  inertia_crba_out out;
  achd_measurement m = {.q = {0}};
  double weight[NJ];
  memcpy(in.q, p->q, sizeof in.q);
  memcpy(m.q, p->q, sizeof p->q);
  inertia_crba(&in, &out);
  gen3_weight(NULL, &m, weight);
  for (int j = 0; j < NJ; j++) {
    const double inertia = out.M[j * (j + 1) / 2 + j];
    const double a = (gen3_joints[j].hold.upper - fabs(weight[j])) / inertia;
    travel[j] = p->qd[j] * p->qd[j] / (2 * a) + 0.05;
  }
}

typedef struct outcome {
  double share;   /* of the travel that is allowed, the largest of any joint */
  double fastest; /* at the end [rad/s] */
  int joint;
  unsigned faults;
  bool drove;  /* torques of the task after the fault */
  int enabled; /* cycles from the fault until the drives were disabled; -1: they were not */
} outcome;

static outcome run(const achd_loop_setup *setup, int state, const fault *f, int cycles) {
  rig r = moving_in(setup, state);
  const plant before = r.plant;
  outcome o = {.enabled = -1};
  double allowed[NJ];
  allowed_travel(&before, allowed);
  for (int k = 0; k < cycles + AFTER; k++) {
    input in;
    read_sensors(&r, &in);
    memset(&broken, 0, sizeof broken);
    if (k < cycles) f->apply(&r, &in);
    cycle(&r, &in);
    if (r.loop.mode == ACHD_LOOP_TORQUE && (r.loop.fault || f->bit)) o.drove = true;
    if (r.loop.mode == ACHD_LOOP_DISABLE && o.enabled < 0) o.enabled = k;
    for (int j = 0; j < NJ; j++) {
      const double share = fabs(r.plant.q[j] - before.q[j]) / allowed[j];
      if (share > o.share) o.share = share, o.joint = j;
    }
  }
  for (int j = 0; j < NJ; j++) o.fastest = fmax(o.fastest, fabs(r.plant.qd[j]));
  o.faults = r.loop.fault;
  return o;
}

static double worst[2]; /* share of the travel that is allowed: once, for two seconds */

static void report(bool good, const char *what, const achd_loop_setup *setup, int state,
                   const fault *f, int cycles, const outcome *o) {
  char text[300];
  if (good) {
    test_report(__FILE__, __LINE__, true, "");
    return;
  }
  snprintf(text, sizeof text,
           "%s: %s in %s, %d cycles, %swatched: joint %d at %.2f of its travel, %.3f rad/s, fault "
           "%u, disabled after %d",
           what, f->name, setup->machine->states[state], cycles, setup->watch.joints ? "" : "not ",
           o->joint + 1, o->share, o->fastest, o->faults, o->enabled);
  test_report(__FILE__, __LINE__, false, text);
}

static void examine(const achd_loop_setup *setup, int state, const fault *f, int cycles) {
  const bool stop = setup->states[state].action == ACHD_LOOP_STOP;
  if (f->watched && !setup->watch.joints) return;
  if (f->moving && stop) return;
  const outcome o = run(setup, state, f, cycles);
  const bool lasting = cycles > 1;
  if (f->bit || o.faults || f->apply == event_storm) {
    if (o.share > worst[lasting]) worst[lasting] = o.share;
    report(o.share < 1, "travel", setup, state, f, cycles, &o);
    report(o.fastest < 0.02, "rest", setup, state, f, cycles, &o);
    report(!o.drove, "stopped", setup, state, f, cycles, &o);
  }
  if (f->bit) report((o.faults & f->bit) != 0, "fault", setup, state, f, cycles, &o);
  const bool dead = f->joints == DEAD || (f->joints == HALF && setup->watch.joints);
  if (!lasting || !dead) report(o.enabled < 0, "drives enabled", setup, state, f, cycles, &o);
  if (lasting && dead)
    report(o.enabled >= 0 && o.enabled < 40, "drives disabled", setup, state, f, cycles, &o);
}

static void examine_all(const achd_loop_setup *setup, int cycles) {
  achd_loop_setup watched = *setup;
  watched.watch = watchful;
  for (int state = 0; state < setup->machine->nstates; state++)
    for (int f = 0; f < FAULTS; f++) {
      examine(setup, state, &faults[f], cycles);
      examine(&watched, state, &faults[f], cycles);
    }
}

static void one_cycle_stops_within_the_braking_distance(void) {
  const achd_loop_setup surface = surface_setup();
  examine_all(&pregrasp, 1);
  examine_all(&path, 1);
  examine_all(&surface, 1);
}

static void two_seconds_stop_within_the_braking_distance(void) {
  const achd_loop_setup surface = surface_setup();
  examine_all(&pregrasp, LONG);
  examine_all(&path, LONG);
  examine_all(&surface, LONG);
}

/* ---- limits at speed ---- */

static struct {
  int joint;
  double speed; /* [rad/s] */
} runner;

/* A solver that lets one joint run and holds the others where they began. */
static void run_solve(void *context, const achd_measurement *m, const achd_task_command *command,
                      achd_solution *s) {
  plant p = {.masses = EXACT};
  (void)context, (void)command;
  gen3_weight(NULL, m, s->tau);
  for (int j = 0; j < NJ; j++)
    s->tau[j] += j == runner.joint ? 60 * (runner.speed - m->qd[j])
                                   : 200 * (start_posture[j] - m->q[j]) - 20 * m->qd[j];
  for (int j = 0; j < NJ; j++)
    s->tau[j] = fmax(-gen3_joints[j].effort, fmin(gen3_joints[j].effort, s->tau[j]));
  memcpy(p.q, m->q, sizeof p.q);
  memcpy(p.qd, m->qd, sizeof p.qd);
  plant_acceleration(&p, s->tau, s->qdd);
  s->usable = true;
  s->singular = false;
}

/* Joints 2, 4 and 6, which have limits, run into them at most of their velocity limit, up and down
 * against gravity: with the deceleration that their brakes have they rest before. */
static void joints_at_speed_rest_before_their_limits(void) {
  static const double decelerations[NJ] = {6, 5, 6, 10, 50, 50, 50};
  achd_loop_guard slowed[NJ] = {{0}};
  achd_loop_joint near[NJ];
  achd_loop_robot running = robot;
  achd_loop_setup setup = pregrasp;
  for (int j = 0; j < NJ; j++) slowed[j].deceleration = decelerations[j];
  running.solve = run_solve, running.joints = near;
  setup.robot = &running, setup.watch.joints = slowed;
  for (int j = 1; j < NJ; j += 2)
    for (int way = -1; way < 2; way += 2) {
      rig r = {.plant = plant_at(start_posture, EXACT)};
      const double limit = start_posture[j] + way * 0.9;
      double fastest = 0, nearest = INFINITY;
      memcpy(near, gen3_joints, sizeof near);
      *(way > 0 ? &near[j].limits.upper : &near[j].limits.lower) = limit;
      runner.joint = j, runner.speed = way * (j < 4 ? 1.3 : 1.15);
      memset(&broken, 0, sizeof broken);
      CHECK(achd_loop_start(&r.loop, &setup));
      achd_loop_raise(&r.loop, PREGRASP_E_INITIALIZED);
      for (int k = 0; k < 3000; k++) {
        input in;
        read_sensors(&r, &in);
        cycle(&r, &in);
        fastest = fmax(fastest, fabs(r.plant.qd[j]));
        nearest = fmin(nearest, way * (limit - r.plant.q[j]));
      }
      CHECK(r.loop.fault == ACHD_LOOP_LIMIT && fabs(r.plant.qd[j]) < 0.01);
      CHECK(fastest > 0.95 * fabs(runner.speed));
      CHECK(nearest > 0 && nearest < 0.25);
      printf("  joint %d %s at %.2f rad/s: rests %.3f rad before its limit\n", j + 1,
             way > 0 ? "up" : "down", fastest, nearest);
    }
}

int main(void) {
  RUN(one_cycle_stops_within_the_braking_distance);
  RUN(two_seconds_stop_within_the_braking_distance);
  RUN(joints_at_speed_rest_before_their_limits);
  printf("  %d faults; at most %.2f of the travel allowed after one cycle, %.2f in two seconds\n",
         FAULTS, worst[0], worst[1]);
  return test_end();
}
