/* SPDX-License-Identifier: MIT */
/* faults_loop_test.c: what goes wrong around an arm in MuJoCo, in each state of a machine that presses and slides along a table, with the loop's
 * options and without them: how far the joints come from where they should be, and how fast the tool gets. Prints the rows of
 * docs/faults.md (faults.py), all of them with ACHD_SWEEP=1. */
#include "loop_world.h"

enum { AFTER = 1500, MOST_CYCLES = 6000 };

static loop_world l;
static double nominal[MOST_CYCLES][N]; /* the same run without the fault */

typedef enum fault {
  NO_FAULT,
  NO_TORQUE,
  BIASED,
  HUGE_WRENCH,
  FROZEN,
  ELBOW,
  PAYLOAD,
  TOOL_OFF,
  FAULTS
} fault;
static const char *const faults[FAULTS] = {"",
                                           "a motor without torque",
                                           "wrench biased by 30 N",
                                           "wrench of 1000 N",
                                           "wrench frozen",
                                           "contact at the elbow, 60 N",
                                           "payload wrong by 2 kg",
                                           "tool off by 5 cm"};
typedef enum state { HELD, LOWERING, PRESSING, SLIDING_ON, STATES } state;
static const char *const states[STATES] = {"held", "lowering", "pressing", "sliding"};
/* cycles from the start of the loop until the fault; the machine starts after 600 */
static const int begins[STATES] = {200, 900, 2000, 2600};

static void prepare(bool options, bool beside) {
  loop_world_reset(&l);
  l.lower = l.along = task_along(&l, 0.15, 0.02);
  l.lower.direction[0].value = 0;
  l.lower.direction[2] = direction(ACHD_VELOCITY, -0.02, 0.001, 20);
  l.lower.contact.force = 3, l.lower.contact.duration = 2e-3;
  l.along.direction[2] = direction(ACHD_FORCE, 5, 0.25, 20);
  l.height = l.start.p[2] - 0.01, l.stiffness = 3e4, l.noise = 0.2;
  l.beside = beside ? 0.05 : 0;
  if (options) {
    l.setup.watch.wrench_stamped = true, l.setup.watch.wrench_oldest = 0.02;
    l.setup.events.pushed = l.setup.events.force = SLIDING_E_FAULT;
    return;
  }
  l.setup.wrench.off = true;
  l.setup.brakes_after = 0;
  l.setup.watch.accelerations = NULL;
  l.setup.watch.tool = unwatched;
}

/* Of the joint whose motor bears most. */
static int busiest(void) {
  int most = 0;
  for (int j = 1; j < N; j++)
    if (fabs(l.loop.tau[j]) / efforts[j] > fabs(l.loop.tau[most]) / efforts[most]) most = j;
  return most + 1;
}

static void spoil(fault f) {
  const int wrist = l.w.model->jnt_bodyid[N - 1];
  if (f == NO_TORQUE) l.unpowered = busiest();
  if (f == BIASED) l.wrong[0] = 30;
  if (f == HUGE_WRENCH) l.wrong[2] = 1000;
  if (f == FROZEN) l.frozen = true;
  if (f == ELBOW) l.link = l.w.model->jnt_bodyid[N / 2], l.under = -INFINITY, l.shove[0] = 60;
  if (f == PAYLOAD) l.w.model->body_mass[wrist] += 2;
}

/* Beside the bits of achd_loop_fault, in a row: the machine stopped by an event. */
enum { BY_PUSHED = 1 << 16, BY_FORCE = 1 << 17 };

typedef struct outcome {
  double travel, speed, told; /* [rad], [m/s], [s]; told -1: not */
  double excess;              /* travel less the way of a brake and 0.05 rad, the largest [rad] */
  unsigned reason;
  double bears;  /* largest share of an effort that the fault takes from a joint [1] */
  double like;   /* how much of this some other joint's motor without torque explains [1] */
  int motor;     /* that joint, from 1 */
  double moment; /* largest that the sensor shows [N m] */
  double bent;   /* largest torque of the fault over the spring of what is free [rad] */
} outcome;

/* What torques of a fault are for the joints: shares of their efforts, and how well a single motor without torque explains the
 * accelerations that they make, e = M^-1 by: cosine^2 of e and (M^-1)_j, weighed by inertia, of a motor that bears half of it to twice as much. */
static void weigh_torques(outcome *o, const double by[N]) {
  double M[N * N], e[N], column[N], unit[N];
  mj_fullM(l.w.model, M, l.w.data->qM);
  mj_solveM(l.w.model, l.w.data, e, by, 1);
  for (int j = 0; j < N; j++) {
    o->bears = fmax(o->bears, fabs(by[j]) / efforts[j]);
    o->bent = fmax(o->bent, fabs(by[j]) / spring.stiffness);
    memset(unit, 0, sizeof unit);
    unit[j] = 1;
    mj_solveM(l.w.model, l.w.data, column, unit, 1);
    double ee = 0, ec = 0, cc = 0;
    for (int k = 0; k < N; k++) {
      const double weight = M[k * N + k];
      ee += weight * e[k] * e[k], ec += weight * e[k] * column[k];
      cc += weight * column[k] * column[k];
    }
    const double share = -ec / (cc * l.loop.tau[j]), like = ec * ec / (ee * cc);
    if (share > 0.5 && share < 2 && like > o->like) o->like = like, o->motor = j + 1;
  }
}

/* The torques that a push or a weight has at the joints as it begins. */
static void weigh_fault(outcome *o, fault f) {
  const int wrist = l.w.model->jnt_bodyid[N - 1];
  double by[N];
  if (f == ELBOW) push_of(&l.w, l.link, &l.w.data->xpos[3 * l.link], l.shove, by);
  if (f == PAYLOAD)
    push_of(&l.w, wrist, &l.w.data->xipos[3 * wrist], (double[]){0, 0, -2 * 9.81}, by);
  if (f == ELBOW || f == PAYLOAD) weigh_torques(o, by);
}

/* The way that a brake of half the effort takes from this speed. */
static double braking_way(int j, double qd) {
  const double inertia = l.w.data->qM[l.w.model->dof_Madr[j]];
  return qd * qd * inertia / efforts[j];
}

static outcome run(fault f, state at, bool options) {
  outcome o = {.told = -1, .excess = -INFINITY};
  double stopped[N] = {0}, way[N] = {0};
  prepare(options, f == TOOL_OFF);
  const int wrist = l.w.model->jnt_bodyid[N - 1];
  const double mass = l.w.model->body_mass[wrist];
  loop_world_begin(&l);
  for (int k = 0; k < begins[at] + AFTER; k++) {
    if (k == 600 && at != HELD) achd_loop_raise(&l.loop, SLIDING_E_START);
    if (k == 2300) achd_loop_raise(&l.loop, SLIDING_E_PRESSED);
    if (k == begins[at]) {
      spoil(f);
      weigh_fault(&o, f);
      CHECK(l.loop.fault == ACHD_LOOP_FINE || f == TOOL_OFF);
      static const int machine[] = {SLIDING_STOP, SLIDING_APPROACH, SLIDING_ALIGN, SLIDING_SLIDE};
      CHECK(f == TOOL_OFF || l.loop.machine.state == machine[at]);
    }
    const double speed = loop_world_step(&l);
    const double *q = l.w.data->qpos;
    if (f == NO_FAULT) memcpy(nominal[k], q, sizeof nominal[k]);
    if (k < begins[at]) continue;
    const bool stops = at != HELD && l.loop.machine.state == SLIDING_STOP;
    const bool told = l.loop.fault != ACHD_LOOP_FINE || (stops && l.loop.pushed) || o.told >= 0;
    for (int i = 0; i < 3; i++) o.moment = fmax(o.moment, fabs(l.last.ang[i]));
    if (told && o.told < 0) {
      o.told = (k - begins[at]) * period, o.reason = l.loop.fault;
      if (!l.loop.fault) o.reason = BY_PUSHED;
      memcpy(stopped, q, sizeof stopped);
      for (int j = 0; j < N; j++) way[j] = braking_way(j, l.w.data->qvel[j]);
    }
    o.speed = fmax(o.speed, speed);
    for (int j = 0; j < N; j++) {
      const double travel = fabs(q[j] - (told ? stopped[j] : nominal[k][j]));
      o.travel = fmax(o.travel, travel);
      o.excess = fmax(o.excess, travel - way[j] - 0.05);
    }
  }
  o.reason |= l.loop.fault;
  l.w.model->body_mass[wrist] = mass;
  return o;
}

/* Why a cell goes farther than the way of a brake and 0.05 rad, or is not told with options: what the run itself shows, with its
 * numbers between @, of which faults.py prints the range; empty: nothing to explain, or nothing that this run bears out. */
static void explain(char *why, size_t size, fault f, state at, bool options, const outcome *o) {
  const bool farther = o->excess > 0, unseen = options && o->told < 0;
  const double ms = 1e3 * o->told;
  why[0] = 0;
  if (!farther && !unseen) return;
  if (f == NO_TORQUE && o->told < 0)
    snprintf(why, size,
             "nothing compares how the joint moves with how it should: it falls by @%.2f@ rad",
             o->travel);
  else if (f == NO_TORQUE)
    snprintf(why, size,
             "nothing compares how the joint moves with how it should, until a limit, or a stop "
             "that does not slow the joint, shows it after @%.0f@ ms",
             ms);
  else if ((f == BIASED || f == HUGE_WRENCH) && o->speed > 0.3)
    snprintf(why, size,
             "the solver compensates a push that is not there: the tool reaches @%.1f@ m/s",
             o->speed);
  else if (f == FROZEN && !options)
    snprintf(why, size,
             "the controller goes on with the last force that it measured, and the tool moves with "
             "@%.2f@ m/s",
             o->speed);
  else if ((f == ELBOW || f == PAYLOAD) && farther && o->bent > o->excess)
    snprintf(why, size,
             "its torques bend the spring of what the task leaves free, of 20 N m/rad, by @%.2f@ "
             "rad",
             o->bent);
  else if ((f == ELBOW || f == PAYLOAD) && at == HELD && o->travel < 0.05)
    snprintf(why, size, "the arm is held in its stop, and gives way by @%.3f@ rad", o->travel);
  else if ((f == ELBOW || f == PAYLOAD) && o->bears < 0.15)
    snprintf(why, size,
             "it takes @%.0f@ %% of a joint's effort at most, and a model may be wrong by 15 %%",
             100 * o->bears);
  else if (f == TOOL_OFF && at == HELD)
    snprintf(why, size, "nothing is touched, so no reading shows where the tool ends");
  else if (f == TOOL_OFF && o->moment < 2)
    snprintf(
        why, size,
        "the joints bear what the sensor shows: a force with a moment of up to @%.2f@ N m, as of a "
        "contact beside the frame's origin",
        o->moment);
}

/* What a fault that is named as another one looks like to the joints. */
static void look_alike(char *why, size_t size, fault f, const outcome *o) {
  if (f == ELBOW && (o->reason & ACHD_LOOP_MOTOR))
    snprintf(
        why, size,
        "for the joints it is @%.0f@ %% the torque that the motor of joint @%d@ loses where it "
        "fails: nothing distinguishes the two, and brakes are right for both",
        100 * o->like, o->motor);
}

static void every_fault_in_every_state(void) {
  int told = 0, turn = 0;
  for (int at = 0; at < STATES; at++)
    for (int options = 1; options >= 0; options--) {
      bool known = false;
      for (int f = 1; f < FAULTS; f++) {
        if (!sweep() && turn++ % 15 != 4) continue;
        if (!known) run(NO_FAULT, at, options), known = true;
        const outcome o = run((fault)f, (state)at, options);
        char why[300];
        explain(why, sizeof why, (fault)f, (state)at, options, &o);
        CHECK((o.excess <= 0 && (!options || o.told >= 0)) || why[0] != 0);
        if (!why[0]) look_alike(why, sizeof why, (fault)f, &o);
        CHECK(f != ELBOW || !(o.reason & ACHD_LOOP_MOTOR) || o.like > 0.5);
        printf("row|%s|%s|%s|%s|%.3f|%.3f|%.0f|%u|%.3f|%s\n", arm_name, faults[f], states[at],
               options ? "with" : "without", o.travel, o.speed, 1e3 * o.told, o.reason, o.excess,
               why);
        CHECK(isfinite(o.travel) && isfinite(o.speed));
        told += o.told >= 0;
      }
    }
  CHECK(told > 0);
}

int main(int argc, char **argv) {
  if (argc != 2) return 2;
  loop_world_open(&l, argv[1]);
  RUN(every_fault_in_every_state);
  close_world(&l.w);
  return test_end();
}
