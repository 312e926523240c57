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

typedef struct outcome {
  double travel, speed, told; /* [rad], [m/s], [s]; told -1: not */
  bool farther;               /* than the way of a brake and 0.05 rad */
  unsigned reason;
} outcome;

/* The way that a brake of half the effort takes from this speed. */
static double braking_way(int j, double qd) {
  const double inertia = l.w.data->qM[l.w.model->dof_Madr[j]];
  return qd * qd * inertia / efforts[j];
}

static outcome run(fault f, state at, bool options) {
  outcome o = {.told = -1};
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
      CHECK(l.loop.fault == ACHD_LOOP_FINE || f == TOOL_OFF);
      static const int machine[] = {SLIDING_STOP, SLIDING_APPROACH, SLIDING_ALIGN, SLIDING_SLIDE};
      CHECK(f == TOOL_OFF || l.loop.machine.state == machine[at]);
    }
    const double speed = loop_world_step(&l);
    const double *q = l.w.data->qpos;
    if (f == NO_FAULT) memcpy(nominal[k], q, sizeof nominal[k]);
    if (k < begins[at]) continue;
    const bool told = l.loop.fault != ACHD_LOOP_FINE;
    if (told && o.told < 0) {
      o.told = (k - begins[at]) * period, o.reason = l.loop.fault;
      memcpy(stopped, q, sizeof stopped);
      for (int j = 0; j < N; j++) way[j] = braking_way(j, l.w.data->qvel[j]);
    }
    o.speed = fmax(o.speed, speed);
    for (int j = 0; j < N; j++) {
      const double travel = fabs(q[j] - (told ? stopped[j] : nominal[k][j]));
      o.travel = fmax(o.travel, travel);
      if (travel > way[j] + 0.05) o.farther = true;
    }
  }
  o.reason |= l.loop.fault;
  l.w.model->body_mass[wrist] = mass;
  return o;
}

/* Cells that go farther than the way of a brake and 0.05 rad, each with its reason; faults.py prints them below the table. */
static const struct {
  fault f;
  int state; /* -1: all */
  bool options;
  const char *why;
} farther[] = {
    {NO_TORQUE, -1, false,
     "nothing compares how the joint moves with how it should: it falls until a limit or the stop "
     "that does not slow it tells"},
    {BIASED, -1, false, "the solver makes up for a push that is not there"},
    {HUGE_WRENCH, -1, false, "the solver makes up for a push that is not there"},
    {FROZEN, -1, false, "the force goes on by what it felt last"},
    {ELBOW, -1, false, "a constant push moves what the task leaves free, against its spring alone"},
    {ELBOW, -1, true, "a constant push moves what the task leaves free, against its spring alone"},
    {PAYLOAD, -1, false, "the weight bends the spring of what the task leaves free"},
    {PAYLOAD, -1, true, "the weight bends the spring of what the task leaves free"}};

static const char *reason_of(fault f, state at, bool options) {
  for (size_t k = 0; k < sizeof farther / sizeof *farther; k++)
    if (farther[k].f == f && (farther[k].state < 0 || farther[k].state == (int)at) &&
        farther[k].options == options)
      return farther[k].why;
  return NULL;
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
        const char *why = o.farther ? reason_of((fault)f, (state)at, options) : NULL;
        printf("row|%s|%s|%s|%s|%.3f|%.3f|%.0f|%u|%s\n", arm_name, faults[f], states[at],
               options ? "with" : "without", o.travel, o.speed, 1e3 * o.told, o.reason,
               why ? why : "");
        CHECK(!o.farther || why);
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
