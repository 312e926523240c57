/* SPDX-License-Identifier: MIT */
/* sensor_fault_test.c: the sensor of one joint fails, in each way, at each moment, on each arm,
 * while nothing stamps the readings: how far does the joint travel before it rests? And do sensors
 * that live raise no alarm: with wrong masses, friction, noise, coarse steps, late velocities, slow
 * buses, a person who pushes, walls, and joints that are held? And a motor that loses its torque. Arms have no friction if it is not
 * said; drives that are told to brake do so with 20 rad/s^2.
 *
 * By default each row of the tables has one arm, and every fourth of the sound sensors is run;
 * ACHD_SWEEP=1 has all. */
#include "arm_moving.h"

#include "test.h"

static const double period = 1e-3, brakes = 20, pi = 3.14159265358979;

static bool sweep(void) {
  return getenv("ACHD_SWEEP") != NULL;
}

/* ---- the arm in the loop ---- */

typedef struct world {
  double mass;              /* of the real arm, of the controller's model */
  double friction;          /* share of the effort */
  double q_noise, qd_noise; /* [rad], [rad/s] */
  double step;              /* of the encoders; 0: none [rad] */
  double qd_step;           /* of the velocities [rad/s] */
  double filter; /* time constant of the velocity; of the position's derivative if .derived [s] */
  bool derived;
  int repeated;          /* cycles between two readings of the bus */
  double push;           /* of a person, share of the effort */
  double wall;           /* beside the centre, in every joint's way; 0: none [rad] */
  double wall_stiffness; /* share of the effort per rad */
  int clamped;           /* joint + 1 that somebody holds fast from 1 s to 2 s */
  double after;          /* the setup's brakes_after [s] */
  bool plain;            /* the loop has no forward dynamics */
} world;

typedef struct rig {
  const arm *arm;
  world world;
  achd_loop_joint joints[MOST_JOINTS];
  achd_loop_robot robot;
  achd_loop_setup setup;
  achd_loop loop;
  double time, speed; /* of the motion */
  double q[MOST_JOINTS], qd[MOST_JOINTS];
  unsigned long long random;
  achd_measurement reading; /* the last */
  double filtered[MOST_JOINTS], inertia[MOST_JOINTS];
  int count;
  int unpowered; /* joint + 1 whose motor has no torque; 0: none */
} rig;

/* Joint j moves about its centre, each with a period of its own. */
static void reference(const rig *r, int j, double *q, double *qd, double *qdd) {
  const double w = 2 * pi * (0.45 + 0.05 * j), most = r->speed * r->arm->velocity[j];
  const double begin = fmin(1, r->time / 0.5);
  *q = r->arm->centre[j] + begin * most / w * sin(w * r->time);
  *qd = begin * most * cos(w * r->time);
  *qdd = -begin * most * w * sin(w * r->time);
}

static void kinematics(void *context, const achd_measurement *m, achd_pose *pose,
                       achd_twist *twist) {
  static const achd_pose here = {.R = {{1, 0, 0, 0, 1, 0, 0, 0, 1}}};
  static const achd_twist rest;
  (void)context, (void)m;
  *pose = here;
  *twist = rest;
}

static void solve(void *context, const achd_measurement *m, const achd_task_command *command,
                  achd_solution *s) {
  const rig *r = context;
  (void)command;
  for (int j = 0; j < r->arm->njoints; j++) {
    double q, qd, qdd;
    reference(r, j, &q, &qd, &qdd);
    s->qdd[j] = qdd + 100 * (q - m->q[j]) + 20 * (qd - m->qd[j]);
  }
  r->arm->inverse(m->q, m->qd, s->qdd, s->tau);
  s->usable = true;
  s->singular = false;
}

static void gravity(void *context, const achd_measurement *m, double *tau) {
  const rig *r = context;
  r->arm->gravity(m->q, NULL, NULL, tau);
}

/* ---- the machine: it moves until the program stops it ---- */

enum { HALTED, MOVING };
enum { E_HALT = 1, E_START };
static const char *const states[] = {"halted", "moving"};
static const char *const events[] = {"none", "halt", "start"};
static const achd_transition transitions[] = {{"halt", 3, HALTED}, {"start", 1, MOVING}};
static const achd_reaction reactions[] = {{E_HALT, 0, 0}, {E_START, 1, 0}};
static const achd_machine machine = {
    "moving",     2, 3, 2, 2, HALTED, states, events, transitions, reactions, 1u << E_HALT,
    1u << E_START};

#define UPRIGHT                                                                                    \
  {                                                                                                \
    { 1, 0, 0, 0, 1, 0, 0, 0, 1 }                                                                  \
  }
static const achd_pose frame = {{0, 0, 0}, UPRIGHT};
static const achd_task nothing = {.name = "nothing",
                                  .frames = &frame,
                                  .nframes = 1,
                                  .orientation = UPRIGHT,
                                  .orientation_tolerance = 1,
                                  .force_axes = UPRIGHT,
                                  .time = INFINITY,
                                  .contact = {INFINITY, 0}};

/* The inertia that a motor sees, the other joints free [kg m^2]. */
static double inertia_of(const arm *a, int j) {
  double zero[MOST_JOINTS] = {0}, tau[MOST_JOINTS] = {0}, without[MOST_JOINTS], with[MOST_JOINTS];
  a->forward(a->centre, zero, tau, without);
  tau[j] = 1;
  a->forward(a->centre, zero, tau, with);
  return 1 / (with[j] - without[j]);
}

static void forward_dynamics(void *context, const achd_measurement *m, const double *tau,
                             double *qdd) {
  const rig *r = context;
  r->arm->forward(m->q, m->qd, tau, qdd);
}

static void begin(rig *r, const arm *a, const world *w, double speed) {
  memset(r, 0, sizeof *r);
  r->arm = a;
  r->world = *w;
  r->speed = speed;
  r->random = 1;
  for (int j = 0; j < a->njoints; j++) {
    r->inertia[j] = inertia_of(a, j);
    /* as docs/runtime.md says, with regard to how late the velocity comes */
    const double late = w->filter + w->repeated * period,
                 fastest = late > 0 ? 0.5 / late : INFINITY;
    const double most = a->effort[j], gain = fmin(2 * most, fmin(150, fastest) * r->inertia[j]);
    r->joints[j] = (achd_loop_joint){
        {a->lower[j], a->upper[j], a->velocity[j]}, most, {8, gain, 0.5, -most, most}};
    r->q[j] = a->centre[j];
  }
  r->robot = (achd_loop_robot){.njoints = a->njoints,
                               .joints = r->joints,
                               .context = r,
                               .kinematics = kinematics,
                               .solve = solve,
                               .gravity = gravity};
  r->setup = (achd_loop_setup){.robot = &r->robot,
                               .machine = &machine,
                               .states = {[MOVING] = {ACHD_LOOP_CRUISE, &nothing}},
                               .events = {.fault = E_HALT, .joint_limit = E_HALT},
                               .latest = 1.5e-3,
                               .saturation_time = 1,
                               .singular_time = 0.1,
                               .braking_time = 0.3,
                               .brakes_after = w->after,
                               .watch = {.accelerations = w->plain ? NULL : forward_dynamics}};
  CHECK(achd_loop_start(&r->loop, &r->setup));
  achd_loop_raise(&r->loop, E_START);
}

static void move(rig *r) {
  enum { STEPS = 2 };
  const arm *a = r->arm;
  for (int step = 0; step < STEPS; step++) {
    double tau[MOST_JOINTS], qdd[MOST_JOINTS];
    for (int j = 0; j < a->njoints; j++) {
      const world *w = &r->world;
      const double beyond = w->wall > 0 ? fmax(0, r->q[j] - a->centre[j] - w->wall) : 0;
      tau[j] = r->unpowered == j + 1 ? 0 : r->loop.tau[j];
      tau[j] += w->push * a->effort[j] * sin((1.5 + j) * r->time) * sin(7 * r->time);
      tau[j] -= a->effort[j] * (w->wall_stiffness * beyond + (beyond > 0 ? 0.2 * r->qd[j] : 0));
      tau[j] /= w->mass;
    }
    a->forward(r->q, r->qd, tau, qdd);
    const int clamped = r->time > 1 && r->time < 2 ? r->world.clamped - 1 : -1;
    if (clamped >= 0) qdd[clamped] = r->qd[clamped] = 0;
    for (int j = 0; j < a->njoints; j++) {
      /* dry friction, or the drives' own brakes */
      double slowing = r->world.friction * a->effort[j] / r->inertia[j] * period / STEPS;
      if (r->loop.mode == ACHD_LOOP_DISABLE) qdd[j] = 0, slowing = brakes * period / STEPS;
      r->qd[j] += qdd[j] * period / STEPS;
      r->qd[j] = copysign(fmax(0, fabs(r->qd[j]) - slowing), r->qd[j]);
      r->q[j] += r->qd[j] * period / STEPS;
    }
  }
  r->time += period;
}

static double stepped(double x, double step) {
  return step > 0 ? step * floor(x / step + 0.5) : x;
}

static achd_measurement read_sensors(rig *r) {
  const world *w = &r->world;
  achd_measurement m = r->reading;
  for (int j = 0; j < r->arm->njoints; j++) {
    const double q = stepped(r->q[j] + w->q_noise * random_normal(&r->random), w->step);
    const double speed = w->derived && r->count > 0 ? (q - r->reading.q[j]) / period : r->qd[j];
    const double share = w->filter > 0 ? fmin(1, period / w->filter) : 1;
    r->filtered[j] += share * (speed + w->qd_noise * random_normal(&r->random) - r->filtered[j]);
    m.q[j] = q;
    m.qd[j] = stepped(r->filtered[j], w->qd_step);
  }
  if (w->repeated > 1 && r->count++ % w->repeated != 0) return r->reading;
  if (w->repeated <= 1) r->count++;
  return r->reading = m;
}

/* ---- the faults ---- */

typedef enum kind {
  STUCK_Q,
  STUCK_QD,
  STUCK,
  DEAD,
  FADING,
  REVERSED,
  NO_QD,
  NO_Q,
  NAN_Q,
  JUMP,
  DELAYED,
  KINDS
} kind;
static const char *const kind_names[KINDS] = {"q stands still",
                                              "qd stands still",
                                              "both stand still",
                                              "q stands still, qd is 0",
                                              "q stands still, qd fades",
                                              "qd is reversed",
                                              "qd is 0",
                                              "q is 0",
                                              "q is NaN",
                                              "q jumps by 0.3 rad",
                                              "both are late by 30 ms"};
enum { LATE = 30 };

static void spoil(kind k, int j, achd_measurement *frozen, const achd_measurement *late,
                  achd_measurement *m) {
  if (k == STUCK_Q || k == STUCK || k == DEAD) m->q[j] = frozen->q[j];
  if (k == STUCK_QD || k == STUCK) m->qd[j] = frozen->qd[j];
  if (k == DEAD || k == NO_QD) m->qd[j] = 0;
  if (k == FADING) m->q[j] = frozen->q[j], m->qd[j] = frozen->qd[j] *= exp(-period / 0.01);
  if (k == REVERSED) m->qd[j] *= -1;
  if (k == NO_Q) m->q[j] = 0;
  if (k == NAN_Q) m->q[j] = NAN;
  if (k == JUMP) m->q[j] += 0.3;
  if (k == DELAYED) m->q[j] = late->q[j], m->qd[j] = late->qd[j];
}

typedef enum moment { FAST, SLOW, BEGIN_OF_STOP, IN_STOP, MOMENTS } moment;
static const char *const moment_names[MOMENTS] = {"moving fast", "turning around", "a stop begins",
                                                  "0.04 s into a stop"};

typedef struct outcome {
  double travel;  /* of the joint after the stop began, or after the fault in a stop [rad] */
  double error;   /* of the joint's motion before the stop [rad] */
  double other;   /* travel of the other joints after the stop began [rad] */
  double noticed; /* when, after the fault [s]; -1: never */
  double fastest; /* at the end */
  double speed;   /* largest of the joint since the fault [rad/s] */
  /* travel less the way of a brake, v^2 / 2a, from the speed as the stop began, and 0.05 rad [rad] */
  double excess;
  /* when the drives are told to brake, after the fault or the stop, whichever was later [s], or -1; how far the joint has gone by then
   * [rad], and how fast it is [rad/s] */
  double off, gone, fast;
  int joint;
} outcome;

/* The way of a brake from the joint's speed, by the drives or by the motor, whichever is weaker. */
static double braking_way(const rig *r, int j) {
  const double a = (r->arm->effort[j] - fabs(r->loop.joint[j].weight)) / r->inertia[j];
  return r->qd[j] * r->qd[j] / (2 * fmin(a, brakes));
}

static outcome try(const arm *a, int j, kind k, moment at, const world *w) {
  static achd_measurement past[LATE];
  rig r;
  outcome o = {.noticed = -1, .joint = j, .off = -1};
  double way = 0;
  achd_measurement frozen = {.q = {0}};
  double from[MOST_JOINTS];
  int failed = -1, halted = -1, cycle = 0;
  begin(&r, a, w, 0.5);
  const double wave = 2 * pi * (0.45 + 0.05 * j);
  /* a whole wave at least; there joint j is fastest; a quarter later it turns around */
  const double quarter = pi / 2 / wave, fastest_at = quarter * 4 * ceil(1 / (4 * quarter));
  double fault_at = at == SLOW ? fastest_at + quarter - 2e-3 : fastest_at;
  if (at == IN_STOP) fault_at += 0.04;
  for (; cycle < 6000; cycle++) {
    const double now = cycle * period;
    achd_measurement m = read_sensors(&r), late = past[cycle % LATE];
    past[cycle % LATE] = m;
    if (failed < 0 && now >= fault_at) failed = cycle;
    if (failed >= 0)
      spoil(k, j, &frozen, &late, &m);
    else
      frozen = m;
    const bool asked = at >= BEGIN_OF_STOP && now >= fastest_at;
    if (halted < 0 && (asked || (failed >= 0 && cycle - failed > 1000)))
      achd_loop_raise(&r.loop, E_HALT);
    achd_loop_cycle(&r.loop, &m, period);
    if (halted < 0 && (r.loop.mode != ACHD_LOOP_TORQUE) && now > 0.01) {
      halted = cycle;
      memcpy(from, r.q, sizeof from);
      way = braking_way(&r, j);
    }
    if (failed == cycle && halted >= 0) memcpy(from, r.q, sizeof from), way = braking_way(&r, j);
    if (halted >= 0 && failed >= 0 && o.off < 0 && r.loop.mode == ACHD_LOOP_DISABLE) {
      o.off = (cycle - (halted > failed ? halted : failed)) * period;
      o.gone = o.travel, o.fast = fabs(r.qd[j]);
    }
    const unsigned told = ACHD_LOOP_IMPLAUSIBLE | ACHD_LOOP_NOT_FINITE | ACHD_LOOP_STALE;
    const bool swings = k == DELAYED && (r.loop.swings || r.loop.fault & ACHD_LOOP_MOTOR);
    if (failed >= 0 && o.noticed < 0 && (r.loop.fault & told || swings))
      o.noticed = now - failed * period;
    move(&r);
    if (failed >= 0) o.speed = fmax(o.speed, fabs(r.qd[j]));
    if (failed >= 0 && halted < 0) {
      double q, qd, qdd;
      reference(&r, j, &q, &qd, &qdd);
      o.error = fmax(o.error, fabs(r.q[j] - q));
    }
    for (int i = 0; i < a->njoints && halted >= 0; i++) {
      double *const most = i == j ? &o.travel : &o.other;
      *most = fmax(*most, fabs(r.q[i] - from[i]));
    }
    if (halted >= 0 && failed >= 0 && cycle - (halted > failed ? halted : failed) > 2000) break;
  }
  o.fastest = fabs(r.qd[j]);
  o.excess = o.travel - way - 0.05;
  return o;
}

/* Why a joint goes farther than the way of a brake and 0.05 rad: what the run shows, with its numbers between @, of which
 * contact/faults.py prints the range; empty: it does not, or the run does not bear it out. */
static void explain(char *why, size_t size, kind k, const outcome *o) {
  const double explained = o->gone + o->fast * o->fast / (2 * brakes) + 0.05;
  why[0] = 0;
  if (o->excess <= 0) return;
  if (k == DELAYED && o->noticed >= 0)
    snprintf(why, size,
             "the brake follows late readings: it makes the joint oscillate with up to "
             "@%.0f@ rad/s, which is detected after @%.0f@ ms",
             o->speed, 1e3 * o->noticed);
  else if (o->off >= 0 && o->travel <= explained)
    snprintf(why, size,
             "for @%.0f@ ms the brake follows the wrong reading, until the drives' brakes are "
             "engaged, at @%.1f@ rad/s",
             1e3 * o->off, o->fast);
  else if (o->noticed < 0 && o->off < 0)
    snprintf(why, size,
             "not detected, as the sensor shows a joint at rest: its weight moves it by @%.1f@ rad "
             "in 2 s",
             o->travel);
  else if (o->off < 0)
    snprintf(
        why, size,
        "without the drives' brakes nothing holds it: detected after @%.0f@ ms, it moves on by "
        "@%.1f@ "
        "rad",
        1e3 * o->noticed, o->travel);
}

/* ---- nothing fails ---- */

static const struct {
  const char *name;
  world world;
  int most; /* alarms */
} sound[] = {
    {"exact", {.mass = 1}},
    {"masses 20 % larger", {.mass = 1.2}},
    {"masses 20 % smaller", {.mass = 0.8}},
    {"friction 5 %", {.mass = 1, .friction = 0.05}},
    {"friction 15 %, masses", {.mass = 0.85, .friction = 0.15}},
    {"noise", {.mass = 1, .q_noise = 1e-4, .qd_noise = 0.01}},
    {"much noise", {.mass = 1, .q_noise = 1e-3, .qd_noise = 0.05}},
    {"steps 1e-5", {.mass = 1, .step = 1e-5}},
    {"steps 1e-4, 0.01", {.mass = 1, .step = 1e-4, .qd_step = 0.01}},
    {"steps 1.5e-3", {.mass = 1, .step = 1.5e-3}},
    {"steps 6e-3", {.mass = 1, .step = 6e-3}},
    {"steps 1.5e-3, 0.05", {.mass = 1, .step = 1.5e-3, .qd_step = 0.05}},
    {"steps, masses, friction", {.mass = 1.2, .friction = 0.05, .step = 1e-3, .qd_step = 0.01}},
    {"steps, friction", {.mass = 1, .friction = 0.1, .step = 1e-4, .qd_step = 0.005}},
    {"derived from 1e-5, 5 ms", {.mass = 1, .step = 1e-5, .derived = true, .filter = 0.005}},
    {"derived from 1e-4, 10 ms", {.mass = 1, .step = 1e-4, .derived = true, .filter = 0.01}},
    {"derived 1e-3, 10 ms, mass", {.mass = 1.2, .step = 1e-3, .derived = true, .filter = 0.01}},
    {"derived 1e-5, no filter", {.mass = 1, .step = 1e-5, .derived = true}},
    {"late by 10 ms", {.mass = 1, .filter = 0.01}},
    {"late by 20 ms", {.mass = 1, .filter = 0.02}},
    {"repeated 5", {.mass = 1, .repeated = 5}},
    {"repeated 10, friction", {.mass = 1, .repeated = 10, .friction = 0.05, .step = 1e-5}},
    {"repeated 5, all",
     {.mass = 1.2, .friction = 0.05, .step = 1e-4, .qd_step = 0.01, .repeated = 5}},
    {"person 10 %", {.mass = 1, .push = 0.1}},
    {"person 20 %, steps", {.mass = 1, .push = 0.2, .step = 1e-4, .qd_step = 0.01}},
    {"person, steps, friction", {.mass = 1.2, .push = 0.2, .friction = 0.05, .step = 1e-4}},
    {"wall, hard", {.mass = 1, .wall = 0.1, .wall_stiffness = 100}},
    {"wall, hard, steps",
     {.mass = 1, .wall = 0.1, .wall_stiffness = 100, .step = 1e-4, .qd_step = 0.01}},
    {"wall, hard, steps 1e-3",
     {.mass = 1, .wall = 0.1, .wall_stiffness = 100, .step = 1e-3, .qd_step = 0.01}},
    {"wall, soft, steps",
     {.mass = 1, .wall = 0.1, .wall_stiffness = 10, .step = 1e-4, .qd_step = 0.01}},
    {"wall, friction, steps",
     {.mass = 1.2,
      .friction = 0.05,
      .wall = 0.1,
      .wall_stiffness = 100,
      .step = 1e-4,
      .qd_step = 0.01}},
    /* Without noise nothing tells a joint that is held from one whose sensor has died: the motors
     * push, and its reading does not change at all. All runs may have an alarm. */
    {"held, no noise", {.mass = 1, .clamped = 1}, 45},
    {"held, steps, no noise", {.mass = 1, .clamped = 1, .step = 1e-4, .qd_step = 0.01}, 45},
    {"held, noise", {.mass = 1, .clamped = 1, .qd_noise = 0.01, .q_noise = 1e-5}},
    {"held, steps, noise",
     {.mass = 1, .clamped = 1, .step = 1e-4, .qd_noise = 0.01, .q_noise = 1e-5}},
    {"held, fine steps, noise",
     {.mass = 1, .clamped = 1, .step = 1e-4, .qd_step = 1e-3, .qd_noise = 0.01, .q_noise = 1e-5}},
};
enum { SOUND = sizeof sound / sizeof *sound };

static int swings; /* runs in which a brake was said to throw a joint to and fro */

/* Moves, rests, moves, rests; where something else stops it (a limit, a person), it goes on. True:
 * no reading was called implausible, and no motor lost. */
static bool believed(const arm *a, const world *w, double speed) {
  rig r;
  bool swung = false;
  begin(&r, a, w, speed);
  for (int cycle = 0; cycle < 6000; cycle++) {
    const achd_measurement m = read_sensors(&r);
    const bool moves = cycle < 2500 || (cycle >= 3500 && cycle < 5000);
    achd_loop_raise(&r.loop, moves ? E_START : E_HALT);
    achd_loop_cycle(&r.loop, &m, period);
    if (r.loop.fault & (ACHD_LOOP_IMPLAUSIBLE | ACHD_LOOP_MOTOR)) return false;
    swung |= r.loop.swings;
    if (r.loop.fault && r.loop.machine.state == HALTED) achd_loop_rearm(&r.loop);
    move(&r);
  }
  swings += swung;
  return true;
}

/* Every arm at three speeds; where somebody holds a joint, each joint at one speed. */
static int alarms_in(world w, int *runs) {
  static const double speeds[] = {0.05, 0.2, 0.5};
  int alarms = 0;
  for (int i = 0; i < ARMS; i++) {
    const int count = w.clamped ? arms[i].njoints : 3;
    for (int k = 0; k < count; k++) {
      if (w.clamped) w.clamped = k + 1;
      alarms += !believed(&arms[i], &w, w.clamped ? 0.2 : speeds[k]);
      ++*runs;
    }
  }
  return alarms;
}

static void sensors_that_live_are_believed(void) {
  for (int k = 0; k < SOUND; k++) {
    const bool late = sound[k].world.filter >= 0.02; /* the hardest for signs of velocities */
    if (k % 4 != 0 && !late && !sweep()) continue;   /* every fourth; all by the sweep */
    int runs = 0;
    swings = 0;
    const int alarms = alarms_in(sound[k].world, &runs);
    printf("  %-40s %3d of %3d runs with an alarm, a brake swings in %d\n", sound[k].name, alarms,
           runs, swings);
    CHECK(alarms <= sound[k].most);
  }
}

/* ---- the table ---- */

static bool sample;

typedef struct row {
  double travel, error, noticed, speed, excess;
  int joint, caught, joints;
  char why[300]; /* of the joint with the largest excess */
} row;

static row row_of(const arm *a, kind k, moment at, const world *w) {
  row r = {.joints = a->njoints, .excess = -INFINITY};
  for (int j = 0; j < a->njoints; j++) {
    const outcome o = try(a, j, k, at, w);
    if (o.travel > r.travel) r.travel = o.travel, r.joint = j;
    char why[sizeof r.why];
    explain(why, sizeof why, k, &o);
    CHECK(o.excess <= 0 || why[0] != 0);
    if (o.excess > r.excess) r.excess = o.excess, memcpy(r.why, why, sizeof why);
    r.error = fmax(r.error, o.error);
    r.noticed = fmax(r.noticed, o.noticed);
    r.speed = fmax(r.speed, o.speed);
    r.caught += o.noticed >= 0;
  }
  return r;
}

/* Largest travel of a joint after the stop began, or after the fault in a stop: less than `most`;
 * and largest error of a motion before it. */
static void table(const world *w, const double most[MOMENTS][KINDS], double error) {
  for (int at = 0; at < MOMENTS; at++) {
    printf("  %s: travel [rad] (joint), error before [rad], noticed, latest [ms]\n",
           moment_names[at]);
    for (int k = 0; k < KINDS; k++) {
      printf("  %-25s", kind_names[k]);
      for (int i = 0; i < ARMS; i++) {
        if ((i + k + at) % ARMS != 0 && !sweep()) continue; /* one arm each; all by the sweep */
        if (sample && (at % 2 == 0 || (k + at) % KINDS != 3)) continue;
        const row r = row_of(&arms[i], k, at, w);
        printf(" %s %.2f (%d) %.2f %d/%d %.0f;", arms[i].name, r.travel, r.joint + 1, r.error,
               r.caught, r.joints, 1e3 * r.noticed);
        printf("\nrow|%s|%s|%s|%s|%.3f|%.3f|%.0f|%d of %d|%.3f|%s\n", arms[i].name, kind_names[k],
               moment_names[at], w->plain ? "without" : "with", r.travel, r.speed, 1e3 * r.noticed,
               r.caught, r.joints, r.excess, r.why);
        CHECK(r.travel < most[at][k]);
        CHECK(r.error < error);
        if (k == DELAYED)
          CHECK(3 * r.caught >=
                2 * r.joints); /* by `swings`, or by a stop that does not slow down */
      }
      printf("\n");
    }
  }
}

static const double travels[MOMENTS][KINDS] = {
    {0.2, 0.15, 0.2, 0.25, 0.2, 0.3, 0.5, 0.2, 0.2, 0.3, 1},
    {0.05, 0.15, 0.05, 0.05, 0.05, 0.05, 0.15, 0.05, 0.05, 0.1, 1},
    {0.1, 0.25, 0.1, 0.2, 0.1, 1, 0.25, 0.1, 0.2, 0.3, 1},
    {0.1, 0.1, 0.1, 0.1, 0.1, 0.15, 0.1, 0.1, 0.1, 0.25, 0.5}};

static void robot_rests_when_a_sensor_fails(void) {
  const world exact = {.mass = 1, .after = 0.3};
  table(&exact, travels, 0.1);
}

/* Without the brakes of the drives, and without forward dynamics in a stop, only a sensor that shows
 * 0 where the joint is nearly at rest does more: nothing tells it from a joint at rest. */
static void robot_rests_without_a_model(void) {
  static double most[MOMENTS][KINDS];
  const world plain = {.mass = 1, .plain = true};
  memcpy(most, travels, sizeof most);
  most[IN_STOP][DEAD] = most[IN_STOP][FADING] = 3;
  table(&plain, most, 0.1);
}

/* After the time that the setup says, the drives hold the robot; until a motion begins. */
static void drives_hold_after_a_while(void) {
  const world exact = {.mass = 1, .after = 0.3};
  rig r;
  begin(&r, &arms[0], &exact, 0.2);
  for (int cycle = 0; cycle < 2500; cycle++) {
    const achd_measurement m = read_sensors(&r);
    achd_loop_raise(&r.loop, cycle < 1000 || cycle >= 2000 ? E_START : E_HALT);
    achd_loop_cycle(&r.loop, &m, period);
    if (cycle > 10 && cycle < 1000) CHECK(r.loop.mode == ACHD_LOOP_TORQUE);
    if (cycle > 1002 && cycle < 1290) CHECK(r.loop.mode == ACHD_LOOP_VELOCITY);
    if (cycle > 1310 && cycle < 2000) CHECK(r.loop.mode == ACHD_LOOP_DISABLE && !r.loop.disabled);
    if (cycle > 2002) CHECK(r.loop.mode == ACHD_LOOP_TORQUE);
    CHECK(r.loop.fault == ACHD_LOOP_FINE);
    move(&r);
  }
}

/* ACHD_LOOP_ACCELERATIONS: what inverse dynamics takes for these torques, less the wrench's. */
ACHD_LOOP_ACCELERATIONS(lwr4, LWR4, push);
static void accelerations_are_those_of_the_robot(void) {
  achd_measurement m = {.q = {0.1, 0.5, -0.3, 1, 0.2, -0.7, 0.4},
                        .qd = {1, -1, 0.5, 0.2, 1, 2, -1}};
  const double tau[] = {10, -20, 5, 7, 1, -2, 0.5};
  double free[LWR4_NJ], pushed[LWR4_NJ], back[LWR4_NJ], change = 0;
  lwr4_loop_accelerations(NULL, &m, tau, free);
  lwr4_inverse(m.q, m.qd, free, back);
  for (int j = 0; j < LWR4_NJ; j++) CHECK_NEAR(back[j], tau[j], 1e-9);
  m.wrench.lin[2] = 50;
  lwr4_loop_accelerations(NULL, &m, tau, pushed);
  lwr4_inverse(m.q, m.qd, pushed, back);
  for (int j = 0; j < LWR4_NJ; j++) change += m.qd[j] * (back[j] - tau[j]);
  lwr4_fvk_in in = LWR4_FVK_IN_DEFAULT;
  lwr4_fvk_out out;
  memcpy(in.q, m.q, sizeof in.q);
  memcpy(in.qd, m.qd, sizeof in.qd);
  lwr4_fvk(&in, &out);
  CHECK_NEAR(change, 50 * out.twist.lwr_7_link.lin[2], 1e-9); /* the same power */
}

/* ---- motors without torque ---- */

typedef enum phase { GOING, REVERSING, HELD, BRAKED, PHASES } phase;
static const char *const phase_names[PHASES] = {"moving fast", "turning around", "held at rest",
                                                "0.02 s into a stop"};

typedef struct loss {
  double disabled; /* after the motor has failed [s]; -1: never */
  double travel;   /* of the joint from there on [rad] */
  double bore;     /* what the motor bore, share of the effort */
} loss;

static double lost_at(int j, phase at) {
  const double wave = 2 * pi * (0.45 + 0.05 * j), quarter = pi / 2 / wave;
  const double fastest = quarter * 4 * ceil(1 / (4 * quarter)); /* after a second at least */
  static const double later[PHASES] = {0, -2e-3, 1, 0.02};
  return fastest + later[at] + (at == REVERSING ? quarter : 0);
}

static loss lose(const arm *a, int j, phase at, const world *w) {
  rig r;
  loss o = {.disabled = -1};
  const double when = lost_at(j, at), halt = at >= HELD ? lost_at(j, GOING) : INFINITY;
  double from = 0;
  begin(&r, a, w, 0.5);
  while (r.time < when + 1.5) {
    const achd_measurement m = read_sensors(&r);
    if (r.unpowered == 0 && r.time >= when) {
      r.unpowered = j + 1, from = r.q[j];
      o.bore = fabs(r.loop.tau[j]) / a->effort[j];
    }
    if (r.time >= halt) achd_loop_raise(&r.loop, E_HALT);
    achd_loop_cycle(&r.loop, &m, period);
    CHECK(r.unpowered > 0 || !(r.loop.fault & ACHD_LOOP_MOTOR));
    const bool off = r.loop.mode == ACHD_LOOP_DISABLE;
    if (off) CHECK(r.loop.fault & ACHD_LOOP_MOTOR);
    if (o.disabled < 0 && off) o.disabled = r.time - when;
    move(&r);
    if (r.unpowered > 0) o.travel = fmax(o.travel, fabs(r.q[j] - from));
  }
  return o;
}

/* What bears weight is told within 50 ms, and every joint stays within 0.4 rad of where its motor failed:
 * those that bear nothing, which are told when their motors are missed, too. */
static void motors_without_torque_are_told(void) {
  const world exact = {.mass = 1};
  int bearing = 0, told = 0;
  for (int at = 0; at < PHASES; at++) {
    printf("  %s: disabled after [ms], travel [rad] (torque, %% of the effort)\n", phase_names[at]);
    for (int i = 0; i < ARMS; i++) {
      if ((i + at) % ARMS >= 2 && !sweep()) continue; /* two arms each; all by the sweep */
      printf("    %s:", arms[i].name);
      for (int j = 0; j < arms[i].njoints; j++) {
        const loss o = lose(&arms[i], j, at, &exact);
        printf(" %.0f %.2f (%.0f)", 1e3 * o.disabled, o.travel, 100 * o.bore);
        CHECK(o.travel < 0.4);
        if (o.bore < 0.15) continue;
        CHECK(o.disabled > 0 && o.disabled < 0.2);
        bearing++, told += o.disabled <= 0.051;
      }
      printf("\n");
    }
  }
  printf("  of %d motors that bore 15 %% of their effort or more, %d were told within 50 ms\n",
         bearing, told);
  CHECK(bearing > 5 && told >= bearing - (sweep() ? 1 : 0));
}

/* With an argument: the tables alone, for docs/faults.md (contact/faults.py); "sample": a few rows of them. */
int main(int argc, char **argv) {
  if (argc > 1) {
    sample = strcmp(argv[1], "sample") == 0;
    RUN(robot_rests_when_a_sensor_fails);
    RUN(robot_rests_without_a_model);
    return test_end();
  }
  RUN(accelerations_are_those_of_the_robot);
  RUN(sensors_that_live_are_believed);
  RUN(robot_rests_when_a_sensor_fails);
  RUN(robot_rests_without_a_model);
  RUN(drives_hold_after_a_while);
  RUN(motors_without_torque_are_told);
  return test_end();
}
