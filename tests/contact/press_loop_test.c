/* SPDX-License-Identifier: MIT */
/* press_loop_test.c: an arm in MuJoCo goes down to a table with 2 cm/s, presses it with 5 N and slides along it, by directions
 * without steps (achd/smooth.h): one touch, no loss, at most three times the force as it touches, half a newton off; on hard and
 * soft tables, with friction, noise, readings of the force that come late. ACHD_SWEEP=1: all of them, and the same by ABAG, as the
 * tables of docs/runtime.md. And a tool that runs away in a contact is stopped. */
#include "loop_world.h"

static loop_world l;

typedef enum law { ABAG, SMOOTH } law;

static void by_law(achd_task *t, law which) {
  for (int i = 0; i < 6; i++) t->direction[i].smooth = which == SMOOTH;
}

/* Down until contact, by the force itself where that is smooth, and along the table. */
static void presses(law which, double way) {
  loop_world_reset(&l);
  l.lower = l.along = task_along(&l, way, 0.02);
  l.lower.direction[0].value = 0;
  l.lower.direction[2] = direction(ACHD_VELOCITY, -0.02, 0.001, 20);
  l.along.direction[2] = direction(ACHD_FORCE, 5, 0.25, which == SMOOTH ? 60 : 20);
  if (which == SMOOTH) l.lower.direction[2] = l.along.direction[2];
  l.lower.contact.force = 3, l.lower.contact.duration = 2e-3;
  l.along.lost.force = 0.5, l.along.lost.duration = 0.014;
  by_law(&l.lower, which), by_law(&l.along, which);
  l.height = l.start.p[2] - 0.01;
}

static void go(void) {
  loop_world_begin(&l);
  for (int k = 0; k < 600; k++) loop_world_step(&l); /* at rest */
  achd_loop_raise(&l.loop, SLIDING_E_START);
}

/* The table's force: largest of the first 0.3 s from the touch on; root mean square of its error from 0.6 s after the touch on;
 * touches; times without a touch; the largest step of a torque from one cycle to the next while it slides, of its effort. */
typedef struct outcome {
  double peak, error, step;
  int touches, lost, counted;
  bool arrived;
  unsigned fault;
} outcome;

static void count_touch(outcome *o, int since, bool *touching) {
  const bool touches = l.table[2] > 0;
  o->touches += touches && !*touching;
  o->lost += !touches;
  *touching = touches;
  if (since < 300) o->peak = fmax(o->peak, l.table[2]);
}

static outcome press_and_slide(int cycles) {
  outcome o = {.error = 0};
  int since = -1, quiet = 0;
  bool touching = false;
  double before[N] = {0};
  for (int k = 0; k < cycles && !o.arrived && !l.loop.fault; k++) {
    loop_world_step(&l);
    const int state = l.loop.machine.state;
    if (since < 0 && l.table[2] > 0) since = 0;
    if (since < 0) continue;
    if (state != SLIDING_STOP) count_touch(&o, since++, &touching);
    quiet =
        state == SLIDING_ALIGN && fabs(l.loop.errors.exact[2]) < 2 + 2 * l.noise ? quiet + 1 : 0;
    if (quiet == 300) achd_loop_raise(&l.loop, SLIDING_E_PRESSED);
    if (since > 600 && (state == SLIDING_ALIGN || state == SLIDING_SLIDE))
      o.error += pow(l.table[2] - 5, 2), o.counted++;
    for (int j = 0; j < N; j++) {
      if (state == SLIDING_SLIDE)
        o.step = fmax(o.step, fabs(l.loop.tau[j] - before[j]) / efforts[j]);
      before[j] = l.loop.tau[j];
    }
    o.arrived = state == SLIDING_STOP && k > 1000;
  }
  o.arrived = o.arrived && !l.loop.fault && !(l.loop.seen & ACHD_TASK_TIMEOUT);
  o.error = o.counted ? sqrt(o.error / o.counted) : INFINITY;
  o.fault = l.loop.fault;
  return o;
}

/* What a run is about: law, length of the slide, table, noise of the sensor, by how much it is late, and the joints too. */
typedef struct conditions {
  law which;
  double way, stiffness, friction, noise;
  int late;
  bool all_late;
} conditions;

static outcome run(const conditions *c) {
  presses(c->which, c->way);
  l.stiffness = c->stiffness, l.friction = c->friction, l.noise = c->noise, l.late = c->late;
  if (c->all_late) l.late_joints = c->late;
  if (c->which == ABAG) l.setup.watch.tool = unwatched;
  go();
  return press_and_slide(14000);
}

static void show(const char *name, const outcome *o) {
  printf("  %s, %s: %.1f N as it touches, %d touches, %d ms without; %.2f N off; %.1f %% of "
         "effort; %s, "
         "fault %u\n",
         arm_name, name, o->peak, o->touches, o->lost, o->error, 100 * o->step,
         o->arrived ? "arrived" : "not arrived", o->fault);
}

static void it_presses_without_steps(void) {
  outcome o = run(&(conditions){SMOOTH, 0.03, 1e5, 0.5, 0.2, 0, false});
  show("hard", &o);
  CHECK(o.arrived && o.touches == 1 && o.lost == 0 && o.peak <= 15 && o.error <= 0.5 &&
        o.step < 0.1);
  o = run(&(conditions){SMOOTH, 0.03, 3e3, 0.05, 3, 10, true});
  show("soft, noise of 3 N, late by 10 ms", &o);
  CHECK(o.arrived && o.touches == 1 && o.lost == 0 && o.peak <= 15 && o.error <= 0.5);
}

/* Wrong masses, friction of joints, and noise of their velocities, on a hard table. */
static void it_does_so_with_a_wrong_model(void) {
  presses(SMOOTH, 0.02);
  l.friction = 0.2, l.noise = 0.2, l.late = 2, l.speed_noise = 1e-3, l.rub = 0.02;
  for (int b = 1; b < l.w.model->nbody; b++) scale_mass(&l.w, b, 1.1);
  go();
  const outcome o = press_and_slide(14000);
  for (int b = 1; b < l.w.model->nbody; b++) scale_mass(&l.w, b, 1 / 1.1);
  show("hard, 10 % heavier, 2 % friction", &o);
  CHECK(o.arrived && o.touches == 1 && o.lost == 0 && o.peak <= 15 && o.error <= 0.5);
}

/* With noise of 3 N, of which a contact of 3 N and its loss at 0.5 N know by what the sensor shows at rest, or of 10^-2 rad/s
 * the arm comes to its end; noise of 8 N hides whether the tool has lost the table, which the loop tells as it starts. */
static void it_goes_on_with_noise(void) {
  static const double noises[][2] = {{3, 1e-2}, {3, 0}, {0.2, 1e-2}};
  for (int k = 0; k < (sweep() ? 6 : 2); k++) {
    const law which = k % 2 ? SMOOTH : ABAG;
    presses(which, 0.02);
    l.noise = noises[k / 2][0], l.speed_noise = noises[k / 2][1];
    l.along.alignment = (achd_alignment_rule){0.05, 10, 8};
    l.setup.events.align_done = SLIDING_E_PRESSED;
    go();
    int cycles = 0;
    bool touched = false;
    loop_world_step(&l);
    CHECK(l.loop.task.hidden == 0);
    while (cycles++ < 9000 && !l.loop.fault && l.loop.machine.state != SLIDING_STOP) {
      loop_world_step(&l);
      if (l.loop.machine.state >= SLIDING_ALIGN && !touched) CHECK(l.table[2] > 0);
      touched = touched || l.loop.machine.state >= SLIDING_ALIGN;
    }
    printf("  %s, %s, noise of %g N, %g rad/s: %.2f s, seen %u, fault %u\n", arm_name,
           which == SMOOTH ? "smooth" : "ABAG", l.noise, l.speed_noise, 1e-3 * cycles, l.loop.seen,
           l.loop.fault);
    CHECK(touched && !l.loop.fault && (l.loop.seen & ACHD_TASK_GOAL_AREA));
  }
  presses(SMOOTH, 0.02);
  l.noise = 8;
  l.lower.lost = l.along.lost;
  l.setup.events.noisy = SLIDING_E_TIMEOUT;
  go();
  loop_world_step(&l), loop_world_step(&l);
  printf("  %s, noise of 8 N: hidden %u, state %d, fault %u\n", arm_name, l.loop.task.hidden,
         l.loop.machine.state, l.loop.fault);
  CHECK(l.loop.task.hidden & 1U << ACHD_TASK_BY_LOST);
  CHECK(l.loop.machine.state == SLIDING_STOP && l.loop.fault == 0);
}

/* late: readings of the joints are late by 10 ms, too: a hard table may then be left once, for 17 ms at most. */
static bool as_wished(const outcome *o, bool late) {
  return o->arrived && o->touches <= (late ? 2 : 1) && o->lost <= (late ? 17 : 0) &&
         o->peak <= 15 && o->error <= 0.5;
}

/* Worst of frictions of 0.05, 0.2 and 0.5. */
static outcome worst_of(conditions c, int *arrived) {
  static const double frictions[] = {0.05, 0.2, 0.5};
  outcome worst = {.error = 0};
  *arrived = 0;
  for (int f = 0; f < 3; f++) {
    c.friction = frictions[f];
    const outcome o = run(&c);
    worst.peak = fmax(worst.peak, o.peak), worst.error = fmax(worst.error, o.error);
    worst.touches = o.touches > worst.touches ? o.touches : worst.touches;
    worst.step = fmax(worst.step, o.step);
    *arrived += o.arrived;
    if (c.which == SMOOTH) CHECK(as_wished(&o, c.all_late && c.late == 10));
  }
  return worst;
}

/* ABAG, the smooth law, and this with readings of the joints that are late, too. */
static void a_row(conditions c) {
  printf("| %s, %s, %.1f N, %d ms |", arm_name, c.stiffness < 1e4 ? "soft" : "hard", c.noise,
         c.late);
  for (int k = 0; k < 3; k++) {
    int arrived;
    c.which = k ? SMOOTH : ABAG, c.all_late = k == 2;
    const outcome o = worst_of(c, &arrived);
    printf(" %.0f N, %.2f N, %d, %d of 3, %.1f %% |", o.peak, o.error, o.touches, arrived,
           100 * o.step);
  }
  printf("\n");
}

static void all_of_it(void) {
  static const int lates[] = {0, 2, 5, 10};
  for (int soft = 0; soft < 2 && sweep(); soft++)
    for (int noisy = 0; noisy < 2; noisy++)
      for (int k = 0; k < 4; k++)
        a_row((conditions){
            .way = 0.1, .stiffness = soft ? 3e3 : 1e5, .noise = noisy ? 3 : 0.2, .late = lates[k]});
}

/* What a run-away comes to: fastest before the stop, fastest at all, farthest off the line, and why it was stopped. */
typedef struct runaway {
  double before, speed, off;
  unsigned fault;
} runaway;

/* On a Fetch along the table with 0.05 m/s and no more than 1 m/s^2, a measured force that is fed forward as it comes, and
 * a posture that pushes with more than the force's controller may: the table presses the more the farther it slides. */
static runaway run_away(bool conditioned, bool watched) {
  runaway r = {.fault = 0};
  int quiet = 0;
  presses(ABAG, 0.4);
  l.along.direction[0].value = 0.05, l.along.direction[0].largest = 1;
  l.friction = 0.2, l.noise = 0.2;
  if (!conditioned) l.setup.wrench.share = l.setup.wrench.rate = INFINITY;
  if (!watched) l.setup.watch.tool = unwatched;
  go();
  for (int k = 0; k < 6000; k++) {
    r.speed = fmax(r.speed, loop_world_step(&l));
    if (!l.loop.fault) r.before = r.speed;
    r.off = fmax(r.off, fabs(true_tool(&l).pose.p[0] - l.goal.p[0]));
    quiet =
        l.loop.machine.state == SLIDING_ALIGN && fabs(l.loop.errors.exact[2]) < 2 ? quiet + 1 : 0;
    if (quiet == 50) achd_loop_raise(&l.loop, SLIDING_E_PRESSED);
  }
  r.fault = l.loop.fault;
  printf("  %s, force %s, tool %s: %.3f m/s, %.3f m/s before it is stopped, %.4f m off, fault %u\n",
         arm_name, conditioned ? "conditioned" : "as it comes", watched ? "watched" : "not watched",
         r.speed, r.before, r.off, r.fault);
  return r;
}

static void a_tool_that_runs_away_is_stopped(void) {
#ifdef LOOP_FETCH
  const runaway alone = run_away(false, false), watched = run_away(false, true),
                fine = run_away(true, true);
  CHECK(alone.speed > 0.6 && alone.fault == ACHD_LOOP_LIMIT);
  CHECK(watched.before <= 0.1 && watched.speed <= 0.15 && watched.off < 0.02 &&
        watched.fault == ACHD_LOOP_TOOL); /* also while the table throws the tool back */
  CHECK(fine.speed <= 0.25 && fine.off < 0.02);
#else
  (void)run_away;
#endif
}

/* A posture that pushes the tool down with 125 N, which a force's controller of at most 20 N cannot hold: what it comes to with
 * the event `force` wired to the machine's stop, by the loop's own fault, and with no bounds. */
typedef enum answer { BY_EVENT, BY_FAULT, UNBOUNDED, ANSWERS } answer;

static void it_presses_far_too_hard(void) {
  static const char *const names[ANSWERS] = {"event", "fault", "no bounds"};
  static achd_loop_posture pushing;
  static achd_loop_robot pushed;
  static double home[N];
  double down[N], thrown[ANSWERS], most[ANSWERS], end = 0;
  loop_world_reset(&l);
  push_of(&l.w, l.w.model->jnt_bodyid[N - 1], l.start.p, (double[]){0, 0, -125}, down);
  pushing = spring, pushed = robot;
  for (int j = 0; j < N; j++) home[j] = above[j] + down[j] / spring.stiffness;
  pushing.q = home, pushed.context = &pushing;
  for (int k = 0; k < ANSWERS; k++) {
    presses(ABAG, 0.1);
    l.setup.robot = &pushed, l.noise = 0.2, l.stiffness = 3e4;
    if (k == BY_EVENT) l.setup.events.force = SLIDING_E_FAULT;
    if (k == UNBOUNDED) l.setup.watch.tool = unwatched;
    go();
    thrown[k] = most[k] = 0;
    unsigned seen = 0;
    for (int i = 0; i < 2500; i++) {
      const double speed = loop_world_step(&l);
      if (l.loop.stopping) thrown[k] = fmax(thrown[k], speed);
      most[k] = fmax(most[k], l.table[2]), end = l.table[2];
      seen |= l.loop.tool_watch.seen;
    }
    printf(
        "  %s, pushed down with 125 N, %s: %.0f N at most, %.0f N at the end, %.3f m/s after the "
        "stop, state %d, fault %u, seen %u\n",
        arm_name, names[k], most[k], end, thrown[k], l.loop.machine.state, l.loop.fault, seen);
    if (k == BY_EVENT)
      CHECK(l.loop.fault == 0 && l.loop.machine.state == SLIDING_STOP && seen == ACHD_TOOL_FORCE);
    if (k == BY_FAULT) CHECK(l.loop.fault == ACHD_LOOP_TOOL && (seen & ACHD_TOOL_FORCE));
    if (k == UNBOUNDED) CHECK(most[k] > 100 && !(l.loop.fault & ACHD_LOOP_TOOL) && seen == 0);
    if (k != UNBOUNDED) CHECK(thrown[k] <= 0.25 && end < 15);
  }
  CHECK(most[BY_EVENT] < most[BY_FAULT] + 1 && most[BY_FAULT] <= most[UNBOUNDED]);
}

int main(int argc, char **argv) {
  if (argc != 2) return 2;
  loop_world_open(&l, argv[1]);
  RUN(it_presses_without_steps);
  RUN(it_does_so_with_a_wrong_model);
  RUN(it_goes_on_with_noise);
  RUN(a_tool_that_runs_away_is_stopped);
  RUN(it_presses_far_too_hard);
  RUN(all_of_it);
  close_world(&l.w);
  return test_end();
}
