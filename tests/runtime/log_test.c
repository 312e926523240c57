/* SPDX-License-Identifier: MIT */
/* log_test.c: the ring and the queue, what names may be, percentiles of cycle times against the
 * sorted durations, and the signals of a loop. */
#include <achd/log.h>
#include <achd/loop_log.h>

#include "random.h"
#include "test.h"

#include <stdlib.h>

enum { ROWS = 7, SIGNALS = 2 };
static const achd_signal two[SIGNALS] = {{"q", "shoulder", 0, "rad"}, {"state", NULL, 0, "1"}};
/* behind them nothing may be written */
static const int64_t untouched = 424242;
static int64_t times[ROWS + 1];
static achd_real values[ROWS * SIGNALS + 1];

static achd_log_setup setup_of(achd_log_keep keep) {
  const achd_log_setup setup = {two, SIGNALS, times, values, ROWS, keep};
  times[ROWS] = untouched;
  values[ROWS * SIGNALS] = (achd_real)untouched;
  return setup;
}

static achd_log_status put(achd_log *log, int k) {
  const achd_real row[SIGNALS] = {(achd_real)k, (achd_real)-k};
  return achd_log_put(log, 1000 * (int64_t)k, row);
}

static void holds(const achd_log *log, int first, int count) {
  int64_t time = -1;
  CHECK(achd_log_rows(log) == (uint32_t)count);
  for (int k = 0; k < count; k++) {
    const achd_real *row = achd_log_row(log, (uint32_t)k, &time);
    CHECK(row && row[0] == first + k && row[1] == -first - k && time == 1000 * (first + k));
  }
  CHECK(times[ROWS] == untouched && values[ROWS * SIGNALS] == (achd_real)untouched);
  CHECK(!achd_log_row(log, (uint32_t)count, &time));
  CHECK(!achd_log_row(log, UINT32_MAX, &time));
}

static void ring_keeps_the_newest(void) {
  achd_log log;
  const achd_log_setup setup = setup_of(ACHD_LOG_NEWEST);
  CHECK(achd_log_start(&log, &setup) == ACHD_LOG_OK);
  holds(&log, 0, 0);
  for (int k = 0; k < 100; k++) {
    CHECK(put(&log, k) == ACHD_LOG_OK);
    if (k < ROWS)
      holds(&log, 0, k + 1);
    else
      holds(&log, k + 1 - ROWS, ROWS);
  }
  CHECK(log.recorded == 100 && log.lost == 100 - ROWS);
}

static void queue_keeps_the_oldest(void) {
  achd_log log;
  const achd_log_setup setup = setup_of(ACHD_LOG_OLDEST);
  CHECK(achd_log_start(&log, &setup) == ACHD_LOG_OK);
  for (int k = 0; k < ROWS; k++) CHECK(put(&log, k) == ACHD_LOG_OK);
  CHECK(put(&log, 99) == ACHD_LOG_FULL);
  CHECK(log.recorded == ROWS && log.lost == 1);
  holds(&log, 0, ROWS);
  CHECK(achd_log_drop(&log, 3) == ACHD_LOG_OK);
  holds(&log, 3, ROWS - 3);
  CHECK(put(&log, ROWS) == ACHD_LOG_OK);
  holds(&log, 3, ROWS - 2);
  CHECK(achd_log_drop(&log, 1000) == ACHD_LOG_OK);
  holds(&log, 0, 0);
}

/* Rows go in and out at random; what comes out is what went in, in its order. */
static void any_number_of_rows_goes_round(void) {
  achd_log log;
  unsigned long long random = 1;
  const achd_log_setup setup = setup_of(ACHD_LOG_OLDEST);
  CHECK(achd_log_start(&log, &setup) == ACHD_LOG_OK);
  int in = 0, out = 0;
  for (int k = 0; k < 1000; k++) {
    for (int n = (int)(random_number(&random) * ROWS); n > 0; n--)
      if (put(&log, in) == ACHD_LOG_OK) in++;
    holds(&log, out, in - out);
    const int gone = (int)(random_number(&random) * (in - out + 1));
    CHECK(achd_log_drop(&log, (uint32_t)gone) == ACHD_LOG_OK);
    out += gone;
  }
  CHECK(out > 1000);
}

static void log_of_one_row(void) {
  achd_log log;
  achd_log_setup setup = setup_of(ACHD_LOG_NEWEST);
  setup.capacity = 1;
  CHECK(achd_log_start(&log, &setup) == ACHD_LOG_OK);
  for (int k = 0; k < 5; k++) {
    put(&log, k);
    holds(&log, k, 1);
  }
}

/* NaN, infinities and the least number come out as they went in. */
static void any_number_is_kept(void) {
  static const double odd[] = {NAN, INFINITY, -INFINITY, -0.0, 1e-45, 3.4e38};
  achd_log log;
  const achd_log_setup setup = setup_of(ACHD_LOG_NEWEST);
  CHECK(achd_log_start(&log, &setup) == ACHD_LOG_OK);
  for (size_t k = 0; k < sizeof odd / sizeof *odd; k++) {
    const achd_real row[SIGNALS] = {(achd_real)odd[k], (achd_real)-odd[k]};
    int64_t time;
    CHECK(achd_log_put(&log, INT64_MIN, row) == ACHD_LOG_OK);
    CHECK(memcmp(achd_log_row(&log, (uint32_t)k, &time), row, sizeof row) == 0);
    CHECK(time == INT64_MIN);
  }
}

static void bad_arguments_have_a_status(void) {
  achd_log log;
  const achd_log_setup good = setup_of(ACHD_LOG_NEWEST);
  achd_log_setup bad[10];
  int64_t time;
  for (int k = 0; k < 10; k++) bad[k] = good;
  bad[0].signals = NULL;
  bad[1].times = NULL;
  bad[2].values = NULL;
  bad[3].nsignals = 0;
  bad[4].nsignals = -1;
  bad[5].nsignals = ACHD_LOG_SIGNALS + 1;
  bad[6].capacity = 0;
  bad[7].capacity = UINT32_MAX;
  bad[8].keep = (achd_log_keep)2;
  bad[9].keep = (achd_log_keep)-1;
  for (int k = 0; k < 10; k++) {
    CHECK(achd_log_start(&log, &bad[k]) == ACHD_LOG_BAD_ARGUMENT);
    CHECK(put(&log, 1) == ACHD_LOG_BAD_ARGUMENT);
    CHECK(achd_log_rows(&log) == 0 && !achd_log_row(&log, 0, &time));
    CHECK(achd_log_drop(&log, 1) == ACHD_LOG_BAD_ARGUMENT);
  }
  CHECK(achd_log_start(NULL, &good) == ACHD_LOG_BAD_ARGUMENT);
  CHECK(achd_log_start(&log, NULL) == ACHD_LOG_BAD_ARGUMENT);
  CHECK(achd_log_start(&log, &good) == ACHD_LOG_OK);
  CHECK(achd_log_put(&log, 0, NULL) == ACHD_LOG_BAD_ARGUMENT);
  CHECK(achd_log_put(NULL, 0, values) == ACHD_LOG_BAD_ARGUMENT);
  CHECK(achd_log_drop(NULL, 0) == ACHD_LOG_BAD_ARGUMENT);
  CHECK(put(&log, 1) == ACHD_LOG_OK);
  CHECK(achd_log_rows(NULL) == 0 && !achd_log_row(NULL, 0, &time));
  CHECK(!achd_log_row(&log, 0, NULL));
}

static achd_log_status named(const achd_signal *a, const achd_signal *b) {
  achd_log log;
  const achd_signal signals[2] = {*a, *b};
  achd_log_setup setup = setup_of(ACHD_LOG_NEWEST);
  setup.signals = signals;
  return achd_log_start(&log, &setup);
}

static void names(void) {
  static char long_name[ACHD_SIGNAL_TEXT + 1];
  memset(long_name, 'x', ACHD_SIGNAL_TEXT);
  const achd_signal plain = {"state", NULL, 0, "1"};
  const achd_signal good[] = {
      {"a, \"b\" 'c' \\", NULL, 0, "N m"}, {"q", "j", 3, "rad"},  {"q", NULL, 3, "rad"},
      {"[m]", NULL, 0, "\xc2\xb5m"},       {"stat", "e", 0, "1"}, {"statee", NULL, 0, "1"}};
  const achd_signal bad[] = {{NULL, NULL, 0, "1"},        {"", NULL, 0, "1"},
                             {"q", NULL, 0, NULL},        {"q", NULL, 0, ""},
                             {"q", "", 0, "1"},           {"q", NULL, -1, "1"},
                             {"a\nb", NULL, 0, "1"},      {"q", "\t", 0, "1"},
                             {"q", NULL, 0, "m\x7f"},     {"q", NULL, 0, "[m]"},
                             {"state", NULL, 0, "other"}, {"time", NULL, 0, "s"},
                             {long_name, NULL, 0, "1"},   {"q", long_name + 1, 0, "1"},
                             {"q", NULL, 0, long_name},   {"", "j", 0, "1"}};
  for (size_t k = 0; k < sizeof good / sizeof *good; k++)
    CHECK(named(&good[k], &plain) == ACHD_LOG_OK);
  for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
    CHECK(named(&bad[k], &plain) == ACHD_LOG_BAD_NAME);
    CHECK(named(&plain, &bad[k]) == ACHD_LOG_BAD_NAME);
  }
  const achd_signal dotted = {"q.3", NULL, 0, "1"}, numbered = {"q", NULL, 3, "1"};
  CHECK(named(&dotted, &numbered) == ACHD_LOG_BAD_NAME);
}

static void names_are_cut_where_they_do_not_fit(void) {
  const achd_signal part = {"q", "joint", 9, "rad"}, numbered = {"q", NULL, 2147483647, "rad"};
  char text[16];
  CHECK(achd_signal_name(&part, text, sizeof text) == 7);
  CHECK_TEXT(text, "q.joint");
  CHECK(achd_signal_name(&numbered, text, sizeof text) == 12);
  CHECK_TEXT(text, "q.2147483647");
  CHECK(achd_signal_name(&part, text, 4) == 7);
  CHECK_TEXT(text, "q.j");
  CHECK(achd_signal_name(&part, text, 1) == 7);
  CHECK_TEXT(text, "");
  CHECK(achd_signal_name(&part, NULL, 5) == 7);
  CHECK(achd_signal_name(NULL, text, 4) == 0);
}

/* ---- cycle times ---- */

static int by_size(const void *a, const void *b) {
  const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
  return (x > y) - (x < y);
}

static void percentiles_are_those_of_the_sorted_durations(void) {
  enum { COUNT = 10007 };
  static int64_t durations[COUNT];
  static achd_cycle_times t;
  static const unsigned permille[] = {0, 1, 500, 990, 999, 1000};
  unsigned long long random = 3;
  for (int round = 0; round < 4; round++) {
    static const double largest[] = {25, 2e3, 1e6, 4e9};
    CHECK(achd_cycle_times_start(&t, 1000) == ACHD_LOG_OK);
    uint32_t overruns = 0;
    for (int k = 0; k < COUNT; k++) {
      const double u = random_number(&random);
      durations[k] = (int64_t)(largest[round] * u * u * u);
      overruns += durations[k] > 1000;
      CHECK(achd_cycle_times_put(&t, durations[k]) == ACHD_LOG_OK);
      CHECK(t.latest == durations[k]);
    }
    qsort(durations, COUNT, sizeof *durations, by_size);
    CHECK(t.count == COUNT && t.overruns == overruns && t.invalid == 0);
    CHECK(t.shortest == durations[0] && t.longest == durations[COUNT - 1]);
    for (size_t k = 0; k < sizeof permille / sizeof *permille; k++) {
      const int rank = (COUNT * (int)permille[k] + 999) / 1000;
      const int64_t exact = durations[rank > 0 ? rank - 1 : 0];
      const int64_t said = achd_cycle_times_percentile(&t, permille[k]);
      CHECK(said >= exact && (double)said <= (double)exact * 1.0625 && said <= t.longest);
      if (exact < 32) CHECK(said == exact);
    }
    CHECK(achd_cycle_times_percentile(&t, 1000) == durations[COUNT - 1]);
    CHECK(achd_cycle_times_percentile(&t, 5000) == durations[COUNT - 1]);
  }
}

static void durations_of_any_size(void) {
  static achd_cycle_times t;
  CHECK(achd_cycle_times_start(&t, 10) == ACHD_LOG_OK);
  CHECK(achd_cycle_times_percentile(&t, 500) == 0);
  CHECK(achd_cycle_times_put(&t, -1) == ACHD_LOG_BAD_ARGUMENT);
  CHECK(achd_cycle_times_put(&t, INT64_MIN) == ACHD_LOG_BAD_ARGUMENT);
  CHECK(t.invalid == 2 && t.count == 0 && t.latest == 0);
  CHECK(achd_cycle_times_put(&t, INT64_MAX) == ACHD_LOG_OK);
  CHECK(t.shortest == INT64_MAX);
  CHECK(achd_cycle_times_percentile(&t, 500) == INT64_MAX);
  CHECK(achd_cycle_times_put(&t, 10) == ACHD_LOG_OK);
  CHECK(achd_cycle_times_put(&t, 0) == ACHD_LOG_OK);
  CHECK(t.overruns == 1 && t.count == 3 && t.shortest == 0 && t.longest == INT64_MAX);
  CHECK(achd_cycle_times_percentile(&t, 500) == 10);
  CHECK(achd_cycle_times_percentile(&t, 300) == 0);
  for (uint32_t x = 1; x != 0; x <<= 1) { /* the bins' edges */
    achd_cycle_times_start(&t, 1);
    for (int64_t d = (int64_t)x - 1; d <= (int64_t)x + 1; d++) achd_cycle_times_put(&t, d);
    for (unsigned p = 1; p < 1000; p += 333) {
      const double exact = (double)x - 1 + (p * 3 - 1) / 1000;
      const double said = (double)achd_cycle_times_percentile(&t, p);
      CHECK(said >= exact && said <= exact * 1.0625);
    }
  }
  t.count = t.bin[1] = t.overruns = t.invalid = UINT32_MAX;
  achd_cycle_times_put(&t, -1);
  t.limit = 0;
  achd_cycle_times_put(&t, 1);
  CHECK(t.count == UINT32_MAX && t.bin[1] == UINT32_MAX);
  CHECK(t.overruns == UINT32_MAX && t.invalid == UINT32_MAX);
}

static void limits_of_cycles(void) {
  static achd_cycle_times t;
  CHECK(achd_cycle_times_start(&t, 0) == ACHD_LOG_BAD_ARGUMENT);
  CHECK(achd_cycle_times_start(&t, -5) == ACHD_LOG_BAD_ARGUMENT);
  CHECK(achd_cycle_times_start(NULL, 5) == ACHD_LOG_BAD_ARGUMENT);
  CHECK(achd_cycle_times_put(NULL, 5) == ACHD_LOG_BAD_ARGUMENT);
  CHECK(achd_cycle_times_percentile(NULL, 500) == 0);
}

/* ---- a loop ---- */

static const char *const states[] = {"stop", "go"};
static const char *const events[] = {"", "e_fault", "e_start"};
static const achd_transition transitions[] = {{"begin", 1, 1}};
static const achd_reaction reactions[] = {{2, 0, 0}};
static const achd_machine machine = {"m",    2,      3,           1,         1, 0,
                                     states, events, transitions, reactions, 0, 0};
static const achd_pose goal = {{0}, {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}};
static const achd_task task = {
    .name = "t",
    .frames = &goal,
    .nframes = 1,
    .direction = {{.kind = ACHD_VELOCITY, .value = 2, .abag = {.bias = ACHD_ABAG_LIMITS}},
                  {.kind = ACHD_FORCE},
                  {.kind = ACHD_POSITION},
                  {.kind = ACHD_VELOCITY},
                  {.kind = ACHD_ORIENTATION}},
    .orientation = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}},
    .force_axes = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}},
    .time = 100};

static void kinematics(void *context, const achd_measurement *m, achd_pose *pose,
                       achd_twist *twist) {
  (void)context;
  *pose = goal;
  pose->p[0] = m->q[0];
  pose->R.m[1][1] = pose->R.m[2][2] = 0;
  pose->R.m[2][1] = 1, pose->R.m[1][2] = -1; /* a quarter turn about x */
  *twist = (achd_twist){{m->qd[0], 0, 0}, {0, 0, m->qd[1]}};
}
static void solve(void *context, const achd_measurement *m, const achd_task_command *c,
                  achd_solution *s) {
  (void)context, (void)m, (void)c;
  *s = (achd_solution){.tau = {3, 4}, .qdd = {5, 6}, .usable = true};
}
static void gravity(void *context, const achd_measurement *m, achd_real *tau) {
  (void)context, (void)m;
  tau[0] = 1, tau[1] = 2;
}

static achd_real value_of(const achd_loop_setup *setup, const achd_loop *loop, const char *name,
                          const char *unit) {
  static const char *const joints[] = {"shoulder", "elbow"};
  static achd_signal signals[ACHD_LOOP_SIGNALS];
  static achd_real x[ACHD_LOOP_SIGNALS];
  char text[ACHD_SIGNAL_TEXT];
  const int count = achd_loop_signals(setup, joints, signals);
  CHECK(count == 8 + 49 + 2 && achd_loop_values(loop, x) == count);
  for (int i = 0; i < count; i++) {
    achd_signal_name(&signals[i], text, sizeof text);
    if (strcmp(text, name) != 0) continue;
    CHECK_TEXT(signals[i].unit, unit);
    return x[i];
  }
  CHECK_TEXT("no such signal", name);
  return 0;
}

static void signals_of_a_loop(void) {
  const achd_loop_joint joints[2] = {{{-9, 9, 9}, 50, {1, 1, 1, -50, 50}},
                                     {{-9, 9, 9}, 50, {1, 1, 1, -50, 50}}};
  const achd_loop_robot robot = {2, joints, NULL, kinematics, solve, gravity};
  achd_loop_setup setup = {.robot = &robot,
                           .machine = &machine,
                           .states = {[1] = {ACHD_LOOP_CRUISE, &task}},
                           .events = {.fault = 1},
                           .latest = 1,
                           .saturation_time = 1,
                           .singular_time = 1,
                           .braking_time = 1};
  static achd_loop loop;
  const achd_measurement m = {.q = {(achd_real)0.5, 1},
                              .qd = {(achd_real)0.25, (achd_real)0.125},
                              .wrench = {{7, 8, 9}, {10, 11, 12}}};
  CHECK(achd_loop_start(&loop, &setup));
  for (int i = 0; i < 3; i++) { /* nothing is known yet */
    static const char *const names[] = {"tool.turn_x", "tool.turn_y", "tool.turn_z"};
    CHECK(value_of(&setup, &loop, names[i], "rad") == 0);
  }
  CHECK(achd_loop_raise(&loop, 2));
  achd_loop_cycle(&loop, &m, (achd_real)0.01);
  CHECK(value_of(&setup, &loop, "event.e_start", "1") == 1);
  CHECK(value_of(&setup, &loop, "event.e_fault", "1") == 0);
  CHECK(value_of(&setup, &loop, "state", "1") == 1);
  achd_loop_cycle(&loop, &m, (achd_real)0.01);
  CHECK(value_of(&setup, &loop, "event.e_start", "1") == 0);
  CHECK(value_of(&setup, &loop, "q.elbow", "rad") == 1);
  CHECK(value_of(&setup, &loop, "qd.shoulder", "rad/s") == (achd_real)0.25);
  CHECK(value_of(&setup, &loop, "tau.elbow", "N m") == 4);
  CHECK(value_of(&setup, &loop, "qdd.elbow", "rad/s^2") == 6);
  CHECK(value_of(&setup, &loop, "push.lin_y", "N") == 8);
  CHECK(value_of(&setup, &loop, "push.ang_z", "N m") == 12);
  CHECK(value_of(&setup, &loop, "tool.p_x", "m") == (achd_real)0.5);
  CHECK_NEAR((double)value_of(&setup, &loop, "tool.turn_x", "rad"), acos(0), 1e-6);
  CHECK(value_of(&setup, &loop, "tool.lin_x", "m/s") == (achd_real)0.25);
  CHECK(value_of(&setup, &loop, "tool.ang_z", "rad/s") == (achd_real)0.125);
  CHECK(value_of(&setup, &loop, "error.lin_x", "m/s") == (achd_real)1.75);
  CHECK(value_of(&setup, &loop, "error.lin_y", "N") == loop.errors.exact[1]);
  CHECK(value_of(&setup, &loop, "error.lin_z", "m") == loop.errors.exact[2]);
  CHECK(value_of(&setup, &loop, "error.ang_x", "rad/s") == loop.errors.exact[3]);
  CHECK(value_of(&setup, &loop, "error.ang_y", "rad") == loop.errors.exact[4]);
  CHECK(value_of(&setup, &loop, "error.ang_z", "1") == 0);
  CHECK(value_of(&setup, &loop, "b.lin_x", "m/s^2") == loop.command.b[0]);
  CHECK(value_of(&setup, &loop, "mask.lin_x", "1") == 1);
  CHECK(value_of(&setup, &loop, "mask.lin_y", "1") == 0);
  CHECK(value_of(&setup, &loop, "press.lin_y", "N") == loop.command.wrench.lin[1]);
  CHECK(value_of(&setup, &loop, "section", "1") == 0);
  CHECK(value_of(&setup, &loop, "mode", "1") == ACHD_LOOP_TORQUE);
  CHECK(value_of(&setup, &loop, "fault", "1") == 0);
  CHECK(value_of(&setup, &loop, "seen", "1") == (achd_real)loop.seen);
  loop.contact.losses = 3;
  CHECK(value_of(&setup, &loop, "contact.losses", "1/s") == 3);
  loop.tool_watch.seen = 24;
  CHECK(value_of(&setup, &loop, "watch.seen", "1") == 24);

  /* another task with other units; the whole list as a log */
  achd_task other = task;
  other.direction[0].kind = ACHD_POSITION;
  setup.states[0].task = &other;
  value_of(&setup, &loop, "error.lin_x", "unit of the task");
  static achd_signal signals[ACHD_LOOP_SIGNALS];
  achd_log log;
  achd_log_setup all = {signals,        achd_loop_signals(&setup, NULL, signals), times, values, 1,
                        ACHD_LOG_NEWEST};
  CHECK(achd_log_start(&log, &all) == ACHD_LOG_OK);
  char text[ACHD_SIGNAL_TEXT];
  achd_signal_name(&signals[1], text, sizeof text);
  CHECK_TEXT(text, "q.2");
}

static void no_signals_of_no_loop(void) {
  static achd_signal signals[ACHD_LOOP_SIGNALS];
  static achd_real x[ACHD_LOOP_SIGNALS];
  const achd_loop_robot robot = {.njoints = ACHD_LOOP_JOINTS + 1};
  const achd_loop_setup none = {0}, many = {.robot = &robot, .machine = &machine};
  static achd_loop loop;
  achd_loop_start(&loop, &none);
  CHECK(achd_loop_signals(&none, NULL, signals) == 0);
  CHECK(achd_loop_signals(&many, NULL, signals) == 0);
  CHECK(achd_loop_signals(NULL, NULL, signals) == 0);
  CHECK(achd_loop_signals(&none, NULL, NULL) == 0);
  CHECK(achd_loop_values(&loop, x) == 0);
  CHECK(achd_loop_values(NULL, x) == 0);
}

int main(void) {
  RUN(ring_keeps_the_newest);
  RUN(queue_keeps_the_oldest);
  RUN(any_number_of_rows_goes_round);
  RUN(log_of_one_row);
  RUN(any_number_is_kept);
  RUN(bad_arguments_have_a_status);
  RUN(names);
  RUN(names_are_cut_where_they_do_not_fit);
  RUN(percentiles_are_those_of_the_sorted_durations);
  RUN(durations_of_any_size);
  RUN(limits_of_cycles);
  RUN(signals_of_a_loop);
  RUN(no_signals_of_no_loop);
  return test_end();
}
