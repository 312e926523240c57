/* SPDX-License-Identifier: MIT */
/* loop_load_test.c: a Gen3 lifts 1.5 kg that its controller does not know, learns it in its loop while the tool tilts, carries it
 * and puts it down, with the estimate as inertia and as wrench; and the same without the use of what it has learnt. A tool that swings
 * tells the rotational inertia of a bar, one that only tilts does not. Loads and setups that cannot be are refused. */
#include <achd/loop_load.h>
#include <achd/loop_robot.h>

#include "gen3_lifting.h"
#include "gen3_load_task.h"
#include "random.h"
#include "test.h"

enum {
  NJ = GEN3_NJ,
  STOP = 0,
  LIFT,
  LEARN,
  BACK,
  SWING,
  CARRY,
  PUT,
  EMPTY,
  STATES,
  NEXT = 1,
  FAULT,
  TURN
};

static const double period = 1e-3;
static const achd_pose here = {{0, 0, 0}, {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}};
static achd_loop_load load;
static bool used; /* whether the robot's functions use what has been learnt */
static achd_observer_joint friction[NJ]; /* what the estimate knows of it */

ACHD_LOOP_LOAD(gen3, GEN3, bracelet_link);

/* Without `used`, what has been learnt is not. */
static gen3_inertia last_link(void) {
  const achd_inertia own = gen3_load_own();
  return gen3_load_inertia(used ? &load.carried : &own);
}

static achd_wrench weight(void) {
  const achd_wrench none = {{0, 0, 0}, {0, 0, 0}};
  return used ? load.wrench : none;
}

#define CARRIED(in, context)                                                                       \
  do {                                                                                             \
    const achd_wrench w_ = weight();                                                               \
    (in).inertia.bracelet_link = last_link(), (void)(context);                                     \
    achd_loop_load_add_wrench((in).push.lin, (in).push.ang, &w_);                                  \
  } while (0)
ACHD_LOOP_ROBOT_LOADED(achd_loop_posture, CARRIED, gen3, GEN3, tool_frame, tool, push, press);

/* An estimate that is lost. */
static unsigned spoil(achd_loop_load *it, const achd_loop_load_setup *with,
                      const achd_measurement *m, const achd_real *tau, achd_real step) {
  (void)with, (void)m, (void)tau, (void)step;
  memset(&it->state, 0xff, sizeof it->state); /* NaN */
  return 0;
}

static const achd_identify_prior priors[10] = {{0, 2},   {0, 0.3}, {0, 0.3}, {0, 0.3}, {0, 0.1},
                                               {0, 0.1}, {0, 0.1}, {0, 0.1}, {0, 0.1}, {0, 0.1}};
static const double sigma[NJ] = {0.2, 0.2, 0.2, 0.2, 0.1, 0.1, 0.1};
static const achd_identify_setup point = {priors, sigma, 4, NJ, 50, INFINITY, 0.1};
static const achd_identify_setup body = {priors, sigma, 10, NJ, 50, INFINITY, 0.1};

static achd_loop_load_setup load_setup(void) {
  return (achd_loop_load_setup){
      .identify = &point,
      .add = gen3_load_add,
      .friction = friction,
      .own = gen3_load_own(),
      .learns = 1u << LEARN,
      .releases = 1u << EMPTY | 1u << STOP,
      .largest_mass = 4,
      .farthest = 0.4,
      /* robots/gen3.urdf: turned by a half turn about x */
      .tool_in_link = {{0, 0, -0.061525}, {{{1, 0, 0}, {0, -1, 0}, {0, 0, -1}}}},
      .gravity = {0, 0, -9.81}};
}

static double start[NJ] = {0, 0.26, 3.14, -2.27, 0, 0.96, 1.57};
static achd_loop_posture posture = {start, 20, 4, false};
#define LARGE(low, high)                                                                           \
  {                                                                                                \
    {low, high, 1.3963}, 55, {                                                                     \
      8, 60, 0.5, -55, 55                                                                          \
    }                                                                                              \
  }
#define SMALL(low, high)                                                                           \
  {                                                                                                \
    {low, high, 1.2218}, 28, {                                                                     \
      8, 20, 0.5, -28, 28                                                                          \
    }                                                                                              \
  }
static const achd_loop_joint joints[NJ] = {
    LARGE(-INFINITY, INFINITY), LARGE(-2.24, 2.24), LARGE(-INFINITY, INFINITY), LARGE(-2.57, 2.57),
    SMALL(-INFINITY, INFINITY), SMALL(-2.09, 2.09), SMALL(-INFINITY, INFINITY)};
static const achd_loop_robot robot = {
    NJ, joints, &posture, gen3_loop_kinematics, gen3_loop_solve, gen3_loop_gravity};

static const achd_transition transitions[] = {{"lift", 1u << STOP, LIFT},
                                              {"learn", 1u << LIFT, LEARN},
                                              {"carry", 1u << LEARN | 1u << SWING, CARRY},
                                              {"put", 1u << CARRY, PUT},
                                              {"leave", 1u << PUT, EMPTY},
                                              {"stop", 0xfe, STOP},
                                              {"back", 1u << LEARN, BACK},
                                              {"swing", 1u << BACK, SWING}};
static const achd_reaction reactions[] = {{FAULT, 5, 0}, {NEXT, 0, 0}, {NEXT, 1, 0}, {NEXT, 2, 0},
                                          {NEXT, 3, 0},  {NEXT, 4, 0}, {TURN, 6, 0}, {TURN, 7, 0}};
static const char *const states[] = {"stop",  "lift",  "learn", "back",
                                     "swing", "carry", "put",   "empty"};
static const char *const events[] = {"none", "next", "fault", "turn"};
static const achd_machine machine = {"load", STATES, 4,           8,         8,           STOP,
                                     states, events, transitions, reactions, 1u << FAULT, 0};

static const achd_loop_setup setup = {.robot = &robot,
                                      .machine = &machine,
                                      .states = {[STOP] = {ACHD_LOOP_STOP, NULL},
                                                 [LIFT] = {ACHD_LOOP_CRUISE, &gen3_load_tasks[0]},
                                                 [LEARN] = {ACHD_LOOP_CRUISE, &gen3_load_tasks[1]},
                                                 [BACK] = {ACHD_LOOP_CRUISE, &gen3_load_tasks[2]},
                                                 [SWING] = {ACHD_LOOP_CRUISE, &gen3_load_tasks[3]},
                                                 [CARRY] = {ACHD_LOOP_CRUISE, &gen3_load_tasks[4]},
                                                 [PUT] = {ACHD_LOOP_CRUISE, &gen3_load_tasks[5]},
                                                 [EMPTY] = {ACHD_LOOP_CRUISE, &gen3_load_tasks[5]}},
                                      .events = {.fault = FAULT},
                                      .latest = 1.5e-3,
                                      .saturation_time = 1,
                                      .singular_time = 0.1,
                                      .braking_time = 0.3};

typedef struct plan {
  achd_payload hidden;  /* what the arm lifts, in the bracelet's frame */
  double rotational[6]; /* about its centre: xx xy xz yy yz zz [kg m^2] */
  bool uses;            /* what has been learnt */
  double
      rubs; /* dry friction of the joints, as a share of their effort; nine tenths of it are known */
  double noise;  /* of the measured velocities [rad/s] */
  double learns; /* how long [s] */
  double swings; /* how long behind that [s] */
  double lost;   /* when the load slips away and the program says so; 0: never [s] */
} plan;

typedef struct outcome {
  double down;  /* from where it is to be put down, at the end of that [m] */
  double after; /* the most of that behind the release [m] */
  double sank;  /* the most that the tool is below its place while it carries, after 0.5 s [m] */
  achd_payload found;
  double rotational[6];
  double
      apart;  /* torques that hold the load as a wrench, from those that hold it as inertia [N m] */
  bool turns; /* the rotational inertia was used */
  bool forgotten; /* behind the release */
  unsigned refused, fault;
  int reached; /* the last state */
} outcome;

typedef struct world {
  double q[NJ], qd[NJ];
  unsigned long long seed;
} world;

/* What the arm carries at time t: it leaves the table between 1 and 2 s. */
static achd_inertia carried_at(const plan *p, double t, int state) {
  const achd_inertia own = gen3_load_own();
  const bool gone = state == EMPTY || (p->lost > 0 && t >= p->lost);
  const double share = gone || t < 1 ? 0 : t < 2 ? t - 1 : 1;
  achd_payload now = p->hidden;
  achd_inertia i;
  now.mass *= share;
  achd_payload_carry(&now, &here, &own, &i);
  const double *I = p->rotational;
  i.xx += share * I[0], i.xy += share * I[1], i.xz += share * I[2];
  i.yy += share * I[3], i.yz += share * I[4], i.zz += share * I[5];
  return i;
}

/* The arm on generated dynamics: a cycle from t on. */
static void advance(world *w, const plan *p, const achd_loop *loop, double t, achd_measurement *m) {
  gen3_fd_in in = GEN3_FD_IN_DEFAULT;
  gen3_fd_out out;
  const achd_inertia link = carried_at(p, t, loop->machine.state);
  memcpy(in.q, w->q, sizeof in.q);
  memcpy(in.qd, w->qd, sizeof in.qd);
  in.inertia.bracelet_link = gen3_load_inertia(&link);
  for (int j = 0; j < NJ; j++) {
    CHECK(isfinite(loop->tau[j]) && fabs(loop->tau[j]) <= joints[j].effort);
    in.tau[j] = loop->tau[j] - p->rubs * joints[j].effort * tanh(w->qd[j] / 2e-3);
  }
  gen3_fd(&in, &out);
  for (int j = 0; j < NJ; j++) {
    w->qd[j] += out.qdd[j] * period;
    w->q[j] += w->qd[j] * period;
    m->q[j] = w->q[j];
    m->qd[j] = w->qd[j] + p->noise * random_between(&w->seed, -1, 1);
  }
}

/* Torques that hold what was found at rest: as a wrench on the tool, and as a body of the last link. */
static double wrench_apart(const double q[NJ]) {
  const achd_inertia own = gen3_load_own();
  achd_inertia whole;
  gen3_id_in in = GEN3_ID_IN_DEFAULT;
  gen3_id_out as_wrench, as_body;
  double most = 0;
  memcpy(in.q, q, sizeof in.q);
  achd_payload_carry(&load.found, &here, &own, &whole);
  in.inertia.bracelet_link = gen3_load_inertia(&whole);
  gen3_id(&in, &as_body);
  in.inertia.bracelet_link = gen3_load_inertia(&load.carried);
  ACHD_PUT_WRENCH(in.push, load.wrench);
  gen3_id(&in, &as_wrench);
  for (int j = 0; j < NJ; j++) most = fmax(most, fabs(as_wrench.tau[j] - as_body.tau[j]));
  return most;
}

/* The link with the load: products of inertia of the parts, and nothing where it is a wrench. */
static bool carries(achd_loop_load_use use) {
  const achd_inertia own = gen3_load_own();
  const double m = load.found.mass, *c = load.found.centre, *I = load.rotational;
  const achd_inertia *whole = &load.carried;
  if (use == ACHD_LOOP_LOAD_WRENCH) return whole->m == own.m && whole->yz == own.yz;
  return fabs(whole->m - own.m - m) < 1e-12 && fabs(whole->mx - own.mx - m * c[0]) < 1e-12 &&
         fabs(whole->xy - own.xy + m * c[0] * c[1] - I[1]) < 1e-12 &&
         fabs(whole->xz - own.xz + m * c[0] * c[2] - I[2]) < 1e-12 &&
         fabs(whole->yz - own.yz + m * c[1] * c[2] - I[4]) < 1e-12 &&
         fabs(whole->xx - own.xx - m * (c[1] * c[1] + c[2] * c[2]) - I[0]) < 1e-12 &&
         fabs(whole->yy - own.yy - m * (c[0] * c[0] + c[2] * c[2]) - I[3]) < 1e-12 &&
         fabs(whole->zz - own.zz - m * (c[0] * c[0] + c[1] * c[1]) - I[5]) < 1e-12;
}

static void note(outcome *o, const achd_loop *loop, const double q[NJ], double since) {
  const int state = loop->machine.state;
  const double height = loop->tool.pose.p[2], off = fabs(0.434 - height);
  if (load.found.mass > 0) {
    o->found = load.found, o->turns = load.turns;
    memcpy(o->rotational, load.rotational, sizeof o->rotational);
  }
  if (state == CARRY) o->apart = fmax(o->apart, wrench_apart(q));
  if (state == CARRY && since > 0.5) o->sank = fmax(o->sank, 0.474 - height);
  if (state == PUT) o->down = off;
  if (state == EMPTY) {
    const achd_inertia own = gen3_load_own();
    o->after = fmax(o->after, off);
    o->forgotten = load.found.mass == 0 && load.carried.m == own.m && load.wrench.lin[2] == 0;
  }
  if (state == STOP && since > 0 && o->reached > LIFT)
    CHECK(load.found.mass == 0 && !load.learning);
  if (state > o->reached) o->reached = state;
  o->refused |= load.refused;
  o->fault |= loop->fault;
}

/* In each cycle the learning, the loop, the world. */
static outcome carry_out(const plan *p, const achd_loop_load_setup *with) {
  const double learnt = 4 + p->learns, back = learnt + (p->swings > 0 ? 3 : 0),
               swung = back + p->swings;
  const double until[] = {0.02, 4, learnt, back, swung, swung + 3.2, swung + 7.2, swung + 9.2};
  world w = {.seed = 7};
  achd_loop loop;
  achd_measurement m = {.q = {0}};
  outcome o = {0};
  double since = 0;
  int stage = 0, before = STOP;
  memcpy(w.q, start, sizeof w.q);
  memcpy(m.q, start, sizeof start);
  used = p->uses;
  for (int j = 0; j < NJ; j++)
    friction[j] = (achd_observer_joint){
        .gain = 1, .coulomb = 0.9 * p->rubs * joints[j].effort, .speed = 4e-3};
  CHECK(achd_loop_load_start(&load, with));
  CHECK(achd_loop_start(&loop, &setup));
  for (int k = 0; k * period < until[7]; k++) {
    const double t = k * period;
    while (stage < 7 && t >= until[stage]) {
      const bool turns = stage == 2 || stage == 3;
      if (!turns || p->swings > 0) achd_loop_raise(&loop, turns ? TURN : NEXT);
      stage++;
    }
    if (p->lost > 0 && fabs(t - p->lost - 0.02) < period / 2) achd_loop_raise(&loop, FAULT);
    achd_loop_load_step(&load, with, &loop, &m, period);
    achd_loop_cycle(&loop, &m, period);
    advance(&w, p, &loop, t, &m);
    since = loop.machine.state == before ? since + period : 0;
    before = loop.machine.state;
    note(&o, &loop, w.q, since);
    if (used && loop.machine.state == CARRY && load.found.mass > 0) CHECK(carries(with->use));
  }
  return o;
}

static const achd_payload hidden = {1.5, {0.02, -0.01, -0.11}, 3};

static double centre_off(const outcome *o) {
  double sum = 0;
  for (int i = 0; i < 3; i++) sum += pow(o->found.centre[i] - hidden.centre[i], 2);
  return sqrt(sum);
}

static void it_learns_carries_and_puts_down(void) {
  for (int k = 0; k < 4; k++) {
    const int rough = k % 2;
    achd_loop_load_setup with = load_setup();
    with.use = k / 2 ? ACHD_LOOP_LOAD_WRENCH : ACHD_LOOP_LOAD_INERTIA;
    const plan p = {
        .hidden = hidden, .uses = true, .rubs = 0.02 * rough, .noise = 2e-3 * rough, .learns = 0.8};
    const outcome o = carry_out(&p, &with);
    printf("  as %s, %s: %.3f kg after 4.8 s, its centre off by %.1f mm; sinks %.1f mm, put down "
           "%.1f mm off, behind it %.1f mm; holding torques %.1e N m apart; fault %u\n",
           k / 2 ? "wrench" : "inertia", rough ? "with friction and noise" : "smooth", o.found.mass,
           1e3 * centre_off(&o), 1e3 * o.sank, 1e3 * o.down, 1e3 * o.after, o.apart, o.fault);
    CHECK(o.fault == ACHD_LOOP_FINE && o.reached == EMPTY && o.refused == 0 && o.forgotten);
    CHECK(fabs(o.found.mass - hidden.mass) <= 0.1 && centre_off(&o) <= 0.04 && !o.turns);
    CHECK(o.down <= 0.005 && o.after <= 0.005 && o.apart <= 0.02);
  }
}

/* A bar of 1.5 kg and 0.5 m, askew to all axes: 0.031 kg m^2 across it, 0.002 kg m^2 along it. */
static const double bar[6] = {0.0074, -0.0092, 0.0066, 0.0274, 0.0026, 0.0292};

static double inertia_off(const outcome *o) {
  double most = 0;
  for (int k = 0; k < 6; k++) most = fmax(most, fabs(o->rotational[k] - bar[k]));
  return most;
}

/* All six numbers of the rotational inertia are told by a tool that swings about three axes; one that only tilts tells masses alone,
 * and the load stays a point mass. */
static void a_tool_that_swings_tells_the_rotational_inertia(void) {
  achd_loop_load_setup with = load_setup();
  with.identify = &body;
  with.learns |= 1u << BACK | 1u << SWING;
  for (int k = 0; k < 3; k++) {
    const int rough = k == 1;
    plan p = {.hidden = hidden,
              .uses = true,
              .rubs = 0.02 * rough,
              .noise = 2e-3 * rough,
              .learns = 0.8,
              .swings = k == 2 ? 0 : 2.5};
    memcpy(p.rotational, bar, sizeof bar);
    const outcome o = carry_out(&p, &with);
    printf("  %s, %s: %.3f kg, centre off by %.1f mm; %s", k == 2 ? "tilts" : "swings",
           rough ? "with friction and noise" : "smooth", o.found.mass, 1e3 * centre_off(&o),
           o.turns ? "inertia" : "a point mass");
    if (o.turns)
      for (int i = 0; i < 6; i++) printf(" %.4f", o.rotational[i]);
    printf(", deviations");
    for (int i = 4; i < 10; i++) printf(" %.4f", load.estimate.deviation[i]);
    printf("; put down %.1f mm off, fault %u\n", 1e3 * o.down, o.fault);
    CHECK(o.fault == ACHD_LOOP_FINE && o.reached == EMPTY && o.refused == 0 && o.forgotten);
    CHECK(fabs(o.found.mass - hidden.mass) <= 0.1 && centre_off(&o) <= 0.04);
    CHECK(o.turns == (k != 2) && o.down <= 0.005 && o.after <= 0.005);
    CHECK(k == 2 || inertia_off(&o) <= 0.005);
    /* it has learnt from all of these states: 0.8 s, and 3 and 2.5 s more */
    const double learnt = 1e3 * (k == 2 ? 0.8 : 6.3);
    CHECK(fabs(load.state.lines - learnt * NJ * 0.5 * body.gain * period) < 2);
  }
}

/* The controllers alone do not bear it in the motion that learns. */
static void without_what_it_learns_it_ends_at_a_limit(void) {
  const achd_loop_load_setup with = load_setup();
  const outcome o = carry_out(&(plan){.hidden = hidden, .learns = 0.8}, &with);
  printf("  without: ends in state %s, fault %u\n", states[o.reached], o.fault);
  CHECK(o.fault == ACHD_LOOP_LIMIT && o.reached < EMPTY);
}

/* What is refused leaves the link as it was; torques stay finite (carry_out). */
static void loads_that_cannot_be_are_refused(void) {
  const plan p = {.hidden = hidden, .uses = true, .learns = 0.8};
  achd_loop_load_setup with = load_setup();
  with.largest_mass = 1;
  outcome o = carry_out(&p, &with);
  CHECK(o.refused == ACHD_LOOP_LOAD_MASS && o.found.mass == 0);
  with = load_setup();
  with.farthest = 0.05;
  o = carry_out(&p, &with);
  CHECK(o.refused == ACHD_LOOP_LOAD_CENTRE && o.found.mass == 0);
  with = load_setup();
  with.add = spoil;
  o = carry_out(&p, &with);
  CHECK(o.refused == ACHD_LOOP_LOAD_NOT_FINITE && o.found.mass == 0);
  with = load_setup();
  plan brief = p;
  brief.learns = 0.004;
  o = carry_out(&brief, &with);
  CHECK((o.refused & ACHD_LOOP_LOAD_UNCLEAR) && o.found.mass == 0);
  plan nothing = p; /* an empty hand: no mass, or one that noise gives */
  nothing.hidden.mass = 0;
  o = carry_out(&nothing, &with);
  CHECK(o.fault == ACHD_LOOP_FINE && (o.refused || fabs(o.found.mass) < 0.05));
}

/* It slips away: the program, which sees it by its fingers, stops, and the load is forgotten, also in the middle of learning. */
static void a_load_that_is_lost_is_forgotten(void) {
  static const double when[] = {4.7, 6};
  for (int k = 0; k < 4; k++) {
    achd_loop_load_setup with = load_setup();
    with.use = k / 2 ? ACHD_LOOP_LOAD_WRENCH : ACHD_LOOP_LOAD_INERTIA;
    const plan p = {.hidden = hidden, .uses = true, .learns = 0.8, .lost = when[k % 2]};
    const outcome o = carry_out(&p, &with);
    const achd_inertia own = gen3_load_own();
    CHECK(o.reached == (k % 2 ? CARRY : LEARN) && o.fault == ACHD_LOOP_FINE);
    CHECK((o.found.mass > 0) == (k % 2 != 0));
    CHECK(load.found.mass == 0 && load.carried.m == own.m && load.wrench.lin[2] == 0);
    CHECK(!load.learning);
  }
}

static void setups_that_cannot_be_are_refused(void) {
  static const achd_identify_setup five = {priors, sigma, 5, NJ, 50, INFINITY, 0.1};
  achd_loop_load_setup bad[10];
  for (int k = 0; k < 10; k++) bad[k] = load_setup(), bad[k].use = ACHD_LOOP_LOAD_WRENCH;
  CHECK(achd_loop_load_start(&load, &bad[9]));
  bad[0].identify = NULL, bad[1].identify = &five, bad[2].add = NULL;
  bad[3].releases |= 1u << LEARN, bad[4].largest_mass = 0, bad[5].farthest = NAN;
  bad[6].gravity[2] = NAN, bad[7].tool_in_link.R.m[0][0] = 0, bad[8].own.m = -1;
  bad[9].use = (achd_loop_load_use)2;
  achd_loop loop;
  achd_measurement m = {.q = {0}};
  memcpy(m.q, start, sizeof start);
  CHECK(achd_loop_start(&loop, &setup));
  for (int k = 0; k < 10; k++) {
    CHECK(!achd_loop_load_start(&load, &bad[k]));
    achd_loop_load_step(&load, &bad[k], &loop, &m, period);
    CHECK(load.found.mass == 0 && load.wrench.lin[2] == 0 && !load.learning);
  }
}

int main(void) {
  RUN(it_learns_carries_and_puts_down);
  RUN(a_tool_that_swings_tells_the_rotational_inertia);
  RUN(without_what_it_learns_it_ends_at_a_limit);
  RUN(loads_that_cannot_be_are_refused);
  RUN(a_load_that_is_lost_is_forgotten);
  RUN(setups_that_cannot_be_are_refused);
  return test_end();
}
