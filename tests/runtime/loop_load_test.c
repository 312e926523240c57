/* SPDX-License-Identifier: MIT */
/* loop_load_test.c: a Gen3 lifts 1.5 kg that its controller does not know, learns it in its loop while the tool tilts,
 * carries it and puts it down; and the same without the use of what it has learnt. Loads that cannot be are refused. */
#include <achd/loop_load.h>
#include <achd/loop_robot.h>

#include "gen3_lifting.h"
#include "gen3_load_task.h"
#include "random.h"
#include "test.h"

enum { NJ = GEN3_NJ, STOP = 0, LIFT, LEARN, CARRY, PUT, EMPTY, STATES, NEXT = 1, FAULT = 2 };

static const double period = 1e-3;
static const achd_pose here = {{0, 0, 0}, {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}};
static achd_loop_load load;
static bool used; /* whether the robot's functions use what has been learnt */
static achd_observer_joint friction[NJ]; /* what the estimate knows of it */

static gen3_inertia generated(const achd_inertia *i) {
  return (gen3_inertia){i->m, i->mx, i->my, i->mz, i->xx, i->xy, i->xz, i->yy, i->yz, i->zz};
}

/* robots/gen3.urdf: the bracelet, about its centre and then about its origin. */
static achd_inertia bracelet(void) {
  const achd_payload body = {0.364, {-9.3e-05, 0.000132, -0.022905}, 3};
  const achd_inertia about_centre = {0, 0, 0, 0, 0.000214, 0, 1e-06, 0.000223, -2e-06, 0.00024};
  achd_inertia inertia;
  achd_payload_carry(&body, &here, &about_centre, &inertia);
  return inertia;
}

static gen3_inertia last_link(void) {
  const achd_inertia own = bracelet();
  return generated(used ? &load.carried : &own);
}

#define CARRIED(in, context) ((in).inertia.bracelet_link = last_link(), (void)(context))
ACHD_LOOP_ROBOT_WITH(achd_loop_posture, CARRIED, gen3, GEN3, tool_frame, tool, push, press);
ACHD_IDENTIFY_LOAD(gen3, GEN3, bracelet_link);

static unsigned add(achd_identify_filter *filter, achd_identify *state,
                    const achd_identify_setup *setup, const achd_real *q, const achd_real *qd,
                    const achd_real *tau, achd_real step) {
  const achd_inertia own = bracelet();
  const gen3_inertia link = generated(&own);
  return gen3_identify_load(filter, state, setup, &link, q, qd, tau, friction, step);
}

/* An estimate that is lost. */
static unsigned spoil(achd_identify_filter *filter, achd_identify *state,
                      const achd_identify_setup *setup, const achd_real *q, const achd_real *qd,
                      const achd_real *tau, achd_real step) {
  (void)filter, (void)setup, (void)q, (void)qd, (void)tau, (void)step;
  memset(state, 0xff, sizeof *state); /* NaN */
  return 0;
}

static const achd_identify_prior priors[4] = {{0, 2}, {0, 0.3}, {0, 0.3}, {0, 0.3}};
static const double sigma[NJ] = {0.2, 0.2, 0.2, 0.2, 0.1, 0.1, 0.1};
static const achd_identify_setup identify = {priors, sigma, 4, NJ, 50, INFINITY, 0.1};

static achd_loop_load_setup load_setup(void) {
  return (achd_loop_load_setup){&identify, add, bracelet(), 1u << LEARN, 1u << EMPTY | 1u << STOP,
                                4,         0.4};
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

static const achd_transition transitions[] = {
    {"lift", 1u << STOP, LIFT}, {"learn", 1u << LIFT, LEARN}, {"carry", 1u << LEARN, CARRY},
    {"put", 1u << CARRY, PUT},  {"leave", 1u << PUT, EMPTY},  {"stop", 0x3e, STOP}};
static const achd_reaction reactions[] = {{FAULT, 5, 0}, {NEXT, 0, 0}, {NEXT, 1, 0},
                                          {NEXT, 2, 0},  {NEXT, 3, 0}, {NEXT, 4, 0}};
static const char *const states[] = {"stop", "lift", "learn", "carry", "put", "empty"};
static const char *const events[] = {"none", "next", "fault"};
static const achd_machine machine = {"load", STATES, 3,           6,         6,           STOP,
                                     states, events, transitions, reactions, 1u << FAULT, 0};

static const achd_loop_setup setup = {.robot = &robot,
                                      .machine = &machine,
                                      .states = {[STOP] = {ACHD_LOOP_STOP, NULL},
                                                 [LIFT] = {ACHD_LOOP_CRUISE, &gen3_load_tasks[0]},
                                                 [LEARN] = {ACHD_LOOP_CRUISE, &gen3_load_tasks[1]},
                                                 [CARRY] = {ACHD_LOOP_CRUISE, &gen3_load_tasks[2]},
                                                 [PUT] = {ACHD_LOOP_CRUISE, &gen3_load_tasks[3]},
                                                 [EMPTY] = {ACHD_LOOP_CRUISE, &gen3_load_tasks[3]}},
                                      .events = {.fault = FAULT},
                                      .latest = 1.5e-3,
                                      .saturation_time = 1,
                                      .singular_time = 0.1,
                                      .braking_time = 0.3};

typedef struct plan {
  achd_payload hidden; /* what the arm lifts, in the bracelet's frame */
  bool uses;           /* what has been learnt */
  double
      rubs; /* dry friction of the joints, as a share of their effort; nine tenths of it are known */
  double noise;  /* of the measured velocities [rad/s] */
  double learns; /* how long [s] */
} plan;

typedef struct outcome {
  double down;  /* from where it is to be put down, at the end of that [m] */
  double after; /* the most of that behind the release [m] */
  achd_payload found;
  bool forgotten; /* behind the release */
  unsigned refused, fault;
  int reached; /* the last state */
} outcome;

/* The arm on generated dynamics: in each cycle the learning, the loop, the world. */
static outcome carry_out(const plan *p, const achd_loop_load_setup *with) {
  const double until[] = {0.02, 4, 4 + p->learns, 8 + p->learns, 12 + p->learns, 14};
  const achd_inertia own = bracelet();
  unsigned long long seed = 7;
  achd_loop loop;
  achd_measurement m = {.q = {0}};
  outcome o = {0};
  double q[NJ], qd[NJ] = {0};
  int stage = 0;
  memcpy(q, start, sizeof q);
  memcpy(m.q, start, sizeof start);
  used = p->uses;
  for (int j = 0; j < NJ; j++)
    friction[j] = (achd_observer_joint){
        .gain = 1, .coulomb = 0.9 * p->rubs * joints[j].effort, .speed = 4e-3};
  achd_loop_load_start(&load, with);
  CHECK(achd_loop_start(&loop, &setup));
  for (int k = 0; k < 14000; k++) {
    const double t = k * period;
    while (stage < 5 && t >= until[stage]) stage++, achd_loop_raise(&loop, NEXT);
    achd_loop_load_step(&load, with, &loop, &m, period);
    achd_loop_cycle(&loop, &m, period);
    achd_payload now = p->hidden;
    now.mass *= t < 1                         ? 0
                : t < 2                       ? t - 1
                : loop.machine.state == EMPTY ? 0
                                              : 1; /* it leaves the table */
    achd_inertia carried;
    achd_payload_carry(&now, &here, &own, &carried);
    gen3_fd_in in = GEN3_FD_IN_DEFAULT;
    gen3_fd_out out;
    memcpy(in.q, q, sizeof in.q);
    memcpy(in.qd, qd, sizeof in.qd);
    in.inertia.bracelet_link = generated(&carried);
    for (int j = 0; j < NJ; j++) {
      CHECK(isfinite(loop.tau[j]) && fabs(loop.tau[j]) <= joints[j].effort);
      in.tau[j] = loop.tau[j] - p->rubs * joints[j].effort * tanh(qd[j] / 2e-3);
    }
    gen3_fd(&in, &out);
    for (int j = 0; j < NJ; j++) {
      qd[j] += out.qdd[j] * period;
      q[j] += qd[j] * period;
      m.q[j] = q[j];
      m.qd[j] = qd[j] + p->noise * random_between(&seed, -1, 1);
    }
    const double off = fabs(0.434 - loop.tool.pose.p[2]);
    if (load.found.mass > 0) o.found = load.found;
    if (loop.machine.state == PUT) o.down = off;
    if (loop.machine.state == EMPTY) o.after = fmax(o.after, off);
    if (loop.machine.state == EMPTY) o.forgotten = load.found.mass == 0 && load.carried.m == own.m;
    if (loop.machine.state > o.reached) o.reached = loop.machine.state;
    o.refused |= load.refused;
    o.fault |= loop.fault;
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
  const achd_loop_load_setup with = load_setup();
  for (int rough = 0; rough < 2; rough++) {
    const plan p = {
        .hidden = hidden, .uses = true, .rubs = 0.02 * rough, .noise = 2e-3 * rough, .learns = 0.8};
    const outcome o = carry_out(&p, &with);
    printf("  %s: %.3f kg after 4.8 s, its centre off by %.1f mm; put down %.1f mm off, behind it "
           "%.1f mm; fault %u\n",
           rough ? "with friction and noise" : "smooth", o.found.mass, 1e3 * centre_off(&o),
           1e3 * o.down, 1e3 * o.after, o.fault);
    CHECK(o.fault == ACHD_LOOP_FINE && o.reached == EMPTY && o.refused == 0 && o.forgotten);
    CHECK(fabs(o.found.mass - hidden.mass) <= 0.1 && centre_off(&o) <= 0.04);
    CHECK(o.down <= 0.005 && o.after <= 0.005);
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

int main(void) {
  RUN(it_learns_carries_and_puts_down);
  RUN(without_what_it_learns_it_ends_at_a_limit);
  RUN(loads_that_cannot_be_are_refused);
  return test_end();
}
