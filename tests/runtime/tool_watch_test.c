/* SPDX-License-Identifier: MIT */
/* tool_watch_test.c: a tool that is too fast, off its path, too strong or stuck is told; others are not. */
#include <achd/tool_watch.h>

#include "random.h"
#include "test.h"

#define REAL(x) ((achd_real)(x))
static const achd_real period = REAL(1e-3);
static const achd_tool_bounds ours = {0, 0, 0, 0, 0};

/* 0.04 m/s along x, in a tube of 0.01 m in y, 5 N along z. */
static const achd_pose frames[2] = {{{1, 0, 0}, {{{0, -1, 0}, {1, 0, 0}, {0, 0, 1}}}},
                                    {{1, 1, 0}, {{{0, -1, 0}, {1, 0, 0}, {0, 0, 1}}}}};

static achd_task sliding(void) {
  achd_task t = {.frames = frames, .nframes = 2, .orientation_tolerance = REAL(0.1)};
  t.direction[0] =
      (achd_direction){.kind = ACHD_VELOCITY, .value = REAL(0.03), .amplitude = REAL(-0.01)};
  t.direction[1] = (achd_direction){.kind = ACHD_POSITION, .tolerance = REAL(0.01)};
  t.direction[2] = (achd_direction){.kind = ACHD_FORCE, .value = -5};
  t.direction[5] = (achd_direction){.kind = ACHD_ORIENTATION};
  for (int i = 0; i < 6; i++) t.direction[i].abag.u = (achd_range){-1, 1};
  return t;
}

/* What is given to a watch, in the motion frame: velocities, errors, the share of each command. */
typedef struct moment {
  achd_task task;
  achd_task_run run;
  achd_tool_state tool;
  achd_task_errors errors;
  achd_tool_watch watch;
  achd_tool_bounds bounds;
} moment;

static void begin(moment *m) {
  memset(m, 0, sizeof *m);
  m->task = sliding();
  m->run.task = &m->task;
}

/* Velocities along the axes of the motion frame, which the base sees turned. */
static void moves(moment *m, double x, double y, double z) {
  const achd_real v[3] = {REAL(x), REAL(y), REAL(z)};
  achd_rotate(&frames[0].R, v, m->tool.twist.lin);
}

/* As achd_task_control finds them: along the motion frame's axes, of forces along the force frame's. */
static void find_velocities(moment *m) {
  achd_real in_tool[3], pressed[3], *v = m->run.velocity;
  achd_rotate_back(&frames[m->run.section].R, m->tool.twist.lin, v);
  achd_rotate_back(&frames[m->run.section].R, m->tool.twist.ang, v + 3);
  achd_rotate_back(&m->tool.pose.R, m->tool.twist.lin, in_tool);
  achd_rotate_back(&m->task.force_axes, in_tool, pressed);
  for (int i = 0; i < 3; i++)
    if (m->task.direction[i].kind == ACHD_FORCE) v[i] = pressed[i];
}

static unsigned watched(moment *m, double time) {
  unsigned all = 0;
  find_velocities(m);
  for (int k = 0; k < time / 1e-3; k++)
    all |= achd_tool_watch_step(&m->watch, &m->bounds, &m->run, &m->tool, &m->errors, period);
  return all;
}

static void bounds_follow_from_the_task(void) {
  const achd_task t = sliding();
  const achd_tool_bounds b = achd_tool_bounds_of(&t, &ours), own = {1, 2, 3, 4, 5};
  CHECK_NEAR((double)b.speed, 0.15 + 1.5 * 0.04, 1e-6);
  CHECK_NEAR((double)b.away, 0.05 + 2 * 0.01, 1e-6);
  CHECK_NEAR((double)b.power, 45 * (0.15 + 1.5 * 0.04), 1e-5);
  CHECK_NEAR((double)b.stuck, 0.5, 1e-6);
  CHECK_NEAR((double)b.force, 45, 1e-5);
  const achd_tool_bounds same = achd_tool_bounds_of(&t, &own);
  CHECK(same.speed == 1 && same.away == 2 && same.power == 3 && same.stuck == 4 && same.force == 5);
  CHECK(achd_tool_bounds_valid(&ours) && achd_tool_bounds_valid(&own));
  for (int k = 0; k < 5; k++)
    for (int bad = 0; bad < 2; bad++) {
      achd_real x[5] = {1, 1, 1, 1, 1};
      x[k] = bad ? REAL(NAN) : -1;
      CHECK(!achd_tool_bounds_valid(&(achd_tool_bounds){x[0], x[1], x[2], x[3], x[4]}));
    }
}

static void what_is_as_wished_is_not_told(void) {
  moment m;
  begin(&m);
  moves(&m, 0.04, 0.02, 0);
  m.errors.exact[1] = REAL(0.009);
  m.tool.wrench.lin[2] = 5;
  CHECK(watched(&m, 2) == 0);
}

static void speed_is_told_within_the_tube_and_after(void) {
  moment m;
  begin(&m);
  m.errors.exact[1] = m.errors.e[1] = REAL(0.06); /* not there yet */
  moves(&m, 0, 0.5, 0);
  CHECK(watched(&m, 1) == 0);
  m.errors.e[1] = 0; /* nor calm */
  CHECK(watched(&m, 1) == 0);
  moves(&m, 0, 0, 0);
  CHECK(watched(&m, 0.56) == 0);
  moves(&m, 0, 0.5, 0); /* 0.21 after 27 ms */
  CHECK(watched(&m, 0.024) == 0 && watched(&m, 0.006) == ACHD_TOOL_FAST);
  m.errors.e[1] = REAL(0.06);
  CHECK(watched(&m, 0.01) == ACHD_TOOL_FAST);
  m.run.section = 1; /* another way, the same motion */
  CHECK(watched(&m, 1) == ACHD_TOOL_FAST);
  moves(&m, 0, 0.2, 0);
  watched(&m, 0.3);
  CHECK(watched(&m, 1) == 0);
}

/* What a faster task may is not too fast for the next one at once. */
static void speed_of_the_last_task_fades(void) {
  moment m;
  begin(&m);
  achd_task fast = sliding();
  fast.direction[0].value = 1;
  m.run.task = &fast;
  moves(&m, 1, 0, 0);
  CHECK(watched(&m, 2) == 0);
  m.run.task = &m.task;
  double v = 1;
  for (int k = 0; k < 2000; k++) { /* braked with 4 m/s^2 */
    v = fmax(0.04, v - 0.004);
    moves(&m, v, 0, 0);
    CHECK(watched(&m, 1e-3) == 0);
  }
  moves(&m, 0.5, 0, 0);
  CHECK(watched(&m, 0.1) == ACHD_TOOL_FAST);
}

/* Noise that goes beyond the bound now and then is no speed, nor is what goes to and fro. */
static void noise_is_no_speed(void) {
  moment m;
  unsigned long long random = 1;
  begin(&m);
  for (int k = 0; k < 100000; k++) {
    moves(&m, 0.03 + 0.1 * random_normal(&random), k % 20 < 10 ? 0.6 : -0.6, 0);
    CHECK(watched(&m, 1e-3) == 0);
  }
}

static void distance_is_told(void) {
  moment m;
  begin(&m);
  m.errors.exact[1] = m.errors.e[1] = REAL(0.2); /* on its way into the tube */
  CHECK(watched(&m, 1) == 0);
  m.errors.exact[1] = m.errors.e[1] = 0;
  watched(&m, 0.2);
  m.errors.exact[1] = m.errors.e[1] = REAL(-0.065);
  CHECK(watched(&m, 1) == 0);
  m.errors.exact[1] = REAL(-0.075);
  CHECK(watched(&m, 0.2) == ACHD_TOOL_AWAY);
  m.errors.exact[1] = m.errors.e[1] = 0, m.errors.exact[0] = 9; /* not a position */
  watched(&m, 0.2);
  CHECK(watched(&m, 1) == 0);
  m.errors.exact[1] = 1; /* 0.07 of four times that after 6 ms: not by a few wrong readings */
  CHECK(watched(&m, 0.004) == 0 && watched(&m, 0.004) == ACHD_TOOL_AWAY);
  m.run.section = 1, m.errors.e[1] = 1; /* another way, whose tube it has not seen */
  CHECK(watched(&m, 1) == 0);
}

/* Into what is touched: 200 N against 0.1 m/s; a blow of 1000 N for 3 ms is none. */
static void power_is_told(void) {
  moment m;
  begin(&m);
  m.bounds.force = REAL(INFINITY);
  moves(&m, 0, 0, -0.1);
  m.tool.wrench.lin[2] = 200;
  CHECK(watched(&m, 0.2) == ACHD_TOOL_POWER);
  m.tool.wrench.lin[2] = -200; /* it is driven */
  CHECK(watched(&m, 0.1) == ACHD_TOOL_POWER && watched(&m, 1) == 0);
  m.tool.wrench.lin[2] = 0;
  m.tool.wrench.ang[2] = -30, m.tool.twist.ang[2] = 1;
  CHECK(watched(&m, 1) == ACHD_TOOL_POWER);
  begin(&m); /* nor is it a force that lasts */
  moves(&m, 0, 0, -0.05);
  m.tool.wrench.lin[2] = 1000;
  CHECK(watched(&m, 0.003) == 0);
  m.tool.wrench.lin[2] = 5;
  CHECK(watched(&m, 1) == 0);
}

/* As if it had been stuck for as long as it may be. */
static bool forgets(moment *m) {
  watched(m, 0.7); /* 0.25 s until it gets on, and a quarter of its time */
  for (int i = 0; i < 6; i++)
    if (m->watch.stuck_for[i] != 0) return false;
  return watched(m, 1) == 0;
}

/* Each kind of direction: pushed, with what it moves by per second. */
static void what_does_not_get_on_is_stuck(void) {
  static const struct {
    int i;
    double error, wished;
  } cases[] = {{0, 0.04, 0.04}, {1, 0.05, 0.01 / 0.1}, {5, 0.3, 0.1 / 0.1}};
  for (int k = 0; k < 3; k++)
    for (int side = -1; side <= 1; side += 2) {
      moment m;
      const int i = cases[k].i;
      begin(&m);
      m.run.channel[i].u = REAL(side * 0.01); /* however little, so is the wall */
      m.errors.exact[i] = m.errors.e[i] = REAL(side * cases[k].error);
      CHECK(watched(&m, 0.49) == 0 && watched(&m, 0.1) == ACHD_TOOL_STUCK);
      const double v = side * 0.14 * cases[k].wished;
      if (i < 3) moves(&m, i == 0 ? v : 0, i == 1 ? v : 0, 0);
      if (i == 5) m.tool.twist.ang[2] = REAL(v);
      if (i == 0) m.errors.exact[0] = m.errors.e[0] = REAL(side * 0.04 - v);
      CHECK(forgets(&m));
      if (i < 3) moves(&m, i == 0 ? -v : 0, i == 1 ? -v : 0, 0); /* the wrong way */
      if (i == 5) m.tool.twist.ang[2] = REAL(-v);
      if (i == 0) m.errors.exact[0] = m.errors.e[0] = REAL(side * 0.04 + v);
      CHECK(watched(&m, 0.6) == ACHD_TOOL_STUCK);
      m.errors.e[i] = 0; /* within the tolerance */
      CHECK(forgets(&m));
      m.errors.e[i] = REAL(-side * cases[k].error); /* it is pushed back */
      CHECK(watched(&m, 1) == 0);
    }
}

/* A force may push for as long as it likes below its limit; at the limit it has to get on, along the axes of
 * the tool, and the reason is told, as with a motion. */
static void a_force_at_its_limit_has_to_get_on(void) {
  const achd_rotation turned = {{{0, 0, 1}, {1, 0, 0}, {0, 1, 0}}};
  for (int side = -1; side <= 1; side += 2) {
    const int i = 2;
    moment m;
    begin(&m);
    m.task.direction[i].abag.u = (achd_range){-REAL(0.5), REAL(0.8)};
    m.tool.pose.R = turned; /* the force frame's z is the base's x */
    m.task.force_axes = (achd_rotation){{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    const achd_real limit = side > 0 ? REAL(0.8) : REAL(-0.5);
    m.errors.exact[i] = m.errors.e[i] = REAL(side * 3);
    m.run.channel[i].u = limit * REAL(0.9);
    CHECK(watched(&m, 2) == 0);
    m.run.channel[i].u = limit;
    CHECK(watched(&m, 0.49) == 0);
    CHECK(watched(&m, 0.1) == (ACHD_TOOL_STUCK | ACHD_TOOL_AT_MOST));
    achd_real *v = m.tool.twist.lin;
    const achd_real slow = REAL(0.0028);
    v[2] = REAL(side) * slow; /* beside it */
    CHECK(watched(&m, 0.3) == (ACHD_TOOL_STUCK | ACHD_TOOL_AT_MOST));
    v[0] = REAL(side) * slow;
    CHECK(forgets(&m));
    v[0] = REAL(-side) * slow;
    CHECK(watched(&m, 0.6) == (ACHD_TOOL_STUCK | ACHD_TOOL_AT_MOST));
    m.errors.e[i] = 0; /* within the tolerance */
    CHECK(forgets(&m));
  }
  moment m;
  begin(&m); /* the limit of the smooth law is the largest command */
  m.task.direction[2].smooth = true;
  m.task.direction[2].abag.u = (achd_range){0, 0};
  m.errors.exact[2] = m.errors.e[2] = 3;
  m.run.channel[2].u = REAL(0.9);
  CHECK(watched(&m, 2) == 0);
  m.run.channel[2].u = 1;
  CHECK(watched(&m, 0.6) == (ACHD_TOOL_STUCK | ACHD_TOOL_AT_MOST));
  begin(&m);
  m.task.direction[5].kind = ACHD_FORCE; /* a moment may push for as long as it likes */
  m.run.channel[5].u = 1;
  m.errors.exact[5] = m.errors.e[5] = 3;
  CHECK(watched(&m, 2) == 0);
}

/* Where no motion is wished no time is counted, and none is forgotten. */
static void waiting_is_not_stuck(void) {
  moment m;
  begin(&m);
  m.run.channel[0].u = 1;
  m.errors.exact[0] = m.errors.e[0] = REAL(0.04);
  watched(&m, 0.4);
  moves(&m, REAL(-0.001), 0, 0);
  m.errors.exact[0] = m.errors.e[0] = REAL(0.001); /* of 0 */
  CHECK(watched(&m, 1) == 0);
  moves(&m, 0, 0, 0);
  m.errors.exact[0] = m.errors.e[0] = REAL(0.04);
  CHECK(watched(&m, 0.09) == 0);
  CHECK(watched(&m, 0.1) == (ACHD_TOOL_STUCK | ACHD_TOOL_AT_MOST));
}

/* Nor where no more than the tolerance is: 0.002 m/s are wished, and it is pushed back with as much. */
static void less_than_the_tolerance_is_no_wish(void) {
  moment m;
  begin(&m);
  m.task.direction[0].tolerance = REAL(0.003);
  m.run.channel[0].u = 1;
  m.errors.exact[0] = m.errors.e[0] = REAL(0.004);
  moves(&m, -0.002, 0, 0);
  CHECK(watched(&m, 2) == 0);
}

/* A position and an orientation that are within their tolerances now, and drift out against what pushes them, are no more
 * than predicted to leave them; where they are beyond, they are stuck. */
static void what_is_where_it_should_be_is_not_stuck(void) {
  for (int beyond = 0; beyond < 2; beyond++)
    for (int i = 1; i < 6; i += 4) {
      moment m;
      begin(&m);
      const double v = -0.008, now = i == 1 ? (beyond ? 0.012 : 0.008) : beyond ? 0.12 : 0.08;
      m.task.horizon = 1;
      m.task.direction[5].kind = ACHD_ORIENTATION;
      m.run.channel[i].u = REAL(0.1);
      if (i == 1) moves(&m, 0, v, 0);
      if (i == 5) m.tool.twist.ang[2] = REAL(5 * v);
      m.errors.exact[i] = m.errors.e[i] = REAL(now - (i == 1 ? v : 5 * v));
      CHECK(watched(&m, 1) == (beyond ? ACHD_TOOL_STUCK : 0));
    }
}

/* A velocity that is braked because it is beyond what is wished gets on. */
static void what_is_too_fast_is_not_stuck(void) {
  moment m;
  begin(&m);
  m.task.direction[0].tolerance = REAL(0.003);
  m.run.channel[0].u = REAL(-0.01);
  moves(&m, 0.045, 0, 0);
  m.errors.exact[0] = m.errors.e[0] = REAL(-0.005);
  CHECK(watched(&m, 2) == 0);
}

/* What presses far harder than its task wishes, for longer than a blow; a task without a force wishes none. */
static void force_is_told(void) {
  moment m;
  begin(&m);
  m.tool.wrench.lin[0] = 44; /* of 30 N + 3 times 5 N */
  CHECK(watched(&m, 1) == 0);
  m.tool.wrench.lin[1] = -20;
  CHECK(watched(&m, 1) == ACHD_TOOL_FORCE);
  m.tool.wrench.lin[0] = m.tool.wrench.lin[1] = 0;
  watched(&m, 0.1);
  m.tool.wrench.lin[2] = 200;
  CHECK(watched(&m, 0.004) == 0 && watched(&m, 0.008) == ACHD_TOOL_FORCE);
  CHECK(watched(&m, 0.1) == (ACHD_TOOL_FORCE | ACHD_TOOL_CRUSHES));
  m.tool.wrench.lin[2] = 89;
  watched(&m, 0.3);
  CHECK(watched(&m, 1) == ACHD_TOOL_FORCE);
  m.tool.wrench.lin[2] = 200;
  m.bounds.force = 300;
  CHECK(watched(&m, 1) == 0);
  m.bounds.force = 0;
  m.task.direction[2].kind = ACHD_POSITION;
  CHECK(watched(&m, 1) == 0);
}

static void bounds_may_be_none(void) {
  moment m;
  begin(&m);
  const achd_real none = REAL(INFINITY);
  m.bounds = (achd_tool_bounds){none, none, none, none, none};
  moves(&m, 0, 0, -3);
  watched(&m, 0.1);
  m.tool.wrench.lin[2] = 900;
  m.errors.exact[1] = m.errors.e[1] = 2;
  m.run.channel[1].u = 1;
  CHECK(watched(&m, 2) == 0);
}

static bool three_finite(const achd_real v[3]) {
  return achd_finite(v[0]) && achd_finite(v[1]) && achd_finite(v[2]);
}

static void numbers_of_no_use(void) {
  static const achd_real odd[] = {NAN, INFINITY, -INFINITY, -1, 0};
  for (int a = 0; a < 5; a++)
    for (int b = 0; b < 5; b++) {
      moment m;
      begin(&m);
      m.tool.wrench.lin[2] = m.tool.twist.lin[0] = odd[a];
      m.errors.exact[0] = m.errors.exact[1] = odd[a];
      for (int k = 0; k < 5; k++)
        achd_tool_watch_step(&m.watch, &m.bounds, &m.run, &m.tool, &m.errors, odd[b]);
      CHECK(achd_finite(m.watch.power) && three_finite(m.watch.velocity));
      if (a == 0) CHECK(m.watch.seen == 0);
      for (int i = 0; i < 6; i++) CHECK(m.watch.stuck_for[i] >= 0);
    }
}

int main(void) {
  RUN(bounds_follow_from_the_task);
  RUN(what_is_as_wished_is_not_told);
  RUN(speed_is_told_within_the_tube_and_after);
  RUN(speed_of_the_last_task_fades);
  RUN(noise_is_no_speed);
  RUN(distance_is_told);
  RUN(power_is_told);
  RUN(what_does_not_get_on_is_stuck);
  RUN(a_force_at_its_limit_has_to_get_on);
  RUN(waiting_is_not_stuck);
  RUN(less_than_the_tolerance_is_no_wish);
  RUN(what_is_where_it_should_be_is_not_stuck);
  RUN(what_is_too_fast_is_not_stuck);
  RUN(force_is_told);
  RUN(bounds_may_be_none);
  RUN(numbers_of_no_use);
  return test_end();
}
