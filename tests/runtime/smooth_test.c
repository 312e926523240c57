/* SPDX-License-Identifier: MIT */
/* smooth_test.c: the law without steps: its formulas, the stability that its header promises for a mass on springs of any
 * stiffness, that it neither winds up in the air nor lags behind what grows; and that tasks use it: damping, first bias,
 * what goes on from one task to the next. */
#include <achd/smooth.h>
#include <achd/task.h>

#include "test.h"

#define REAL(x) ((achd_real)(x))

static const double rounding = 64 * ACHD_EPSILON;
static const achd_smooth_parameters law = {
    .rate = 10, .damping = 100, .speed = REAL(0.02), .largest = 50};

static void formulas(void) {
  achd_smooth s = {.sum = 3, .slope = 2};
  /* w = 0.01; D (w - v) = 100 (0.01 + 0.005) = 1.5; q = 2 + 0.1 25 1.5 = 5.75; s = 3 + 0.1 (15 + 5.75) */
  const achd_real u = achd_smooth_force(&s, &law, 1, REAL(-0.005), REAL(0.1), 0);
  CHECK_NEAR((double)s.slope, 5.75, 8 * rounding);
  CHECK_NEAR((double)s.sum, 5.075, 8 * rounding);
  CHECK_NEAR((double)u, 5.575, 8 * rounding);
  CHECK(s.u == u && s.running);
  achd_smooth limited = {0};
  achd_smooth_force(&limited, &law, -90, 0, REAL(0.1), 0); /* w = -speed */
  CHECK_NEAR((double)limited.slope, -0.1 * 25 * 2, 8 * rounding);
  achd_smooth m = {.sum = 1};
  CHECK_NEAR((double)achd_smooth_motion(&m, &law, REAL(0.2), REAL(0.1), 0), 1 + 0.1 * 25 * 0.2 + 2,
             8 * rounding);
  CHECK_NEAR((double)m.sum, 1.5, 8 * rounding);
}

/* A mass on a spring that pulls, too, without damping of its own; the largest force of the last of ten stretches of time,
 * by that of the first. */
static double growth(double mass, double stiffness, achd_smooth_parameters p) {
  const int parts = 20, cycles = 20000;
  const double T = 1e-4;
  achd_smooth s = {0};
  double x = 0, v = 0, most[10] = {0};
  for (int k = 0; k < cycles; k++) {
    const double e = -stiffness * x;
    const double u =
        (double)achd_smooth_force(&s, &p, REAL(e), REAL(v), REAL(T), 0) + (k < 5 ? 1e-3 : 0);
    for (int i = 0; i < parts; i++) {
      v += (u - stiffness * x) / mass * T / parts;
      x += v * T / parts;
    }
    most[10 * k / cycles] = fmax(most[10 * k / cycles], fabs(x));
  }
  return most[9] / most[0];
}

static void it_is_stable_on_every_spring(void) {
  achd_smooth_parameters p = {.damping = 100, .speed = 1000, .largest = 100000};
  for (double stiffness = 100; stiffness < 2e5; stiffness *= 6) {
    p.rate = REAL(0.8 * 100 / 5);
    CHECK(growth(5, stiffness, p) < 0.3);
  }
  p.rate = REAL(1.3 * 100 / 5); /* beyond Routh's bound, where the spring is hard */
  CHECK(growth(5, 1.3e5, p) > 1);
}

/* A tool of 5 kg above or on a table, with a force that pulls at it. */
typedef struct tool {
  double x, v, F, most;
} body;

static void step(body *t, achd_smooth *s, const achd_smooth_parameters *p, double wanted,
                 double pulls) {
  const double T = 1e-3, stiffness = 1e4;
  const double u =
      (double)achd_smooth_force(s, p, REAL(wanted - t->F), REAL(t->v), REAL(T), 0) + pulls;
  for (int i = 0; i < 10; i++) {
    t->F = t->x > 0 ? fmax(0, stiffness * t->x + 100 * t->v) : 0;
    t->v += (u - t->F) / 5 * T / 10;
    t->x += t->v * T / 10;
  }
  t->most = fmax(t->most, t->F);
}

static void in_the_air_it_goes_with_its_speed_and_does_not_wind_up(void) {
  achd_smooth s = {0};
  body t = {.x = -10};
  for (int k = 0; k < 5000; k++) step(&t, &s, &law, 5, -20);
  CHECK_NEAR(t.v, 0.02, 2e-4);
  CHECK_NEAR((double)s.sum, 22, 0.1); /* 20 N and D v */
  t.x = 0;
  t.most = 0;
  for (int k = 0; k < 2000; k++) step(&t, &s, &law, 5, -20);
  CHECK(t.most < 15 && fabs(t.F - 5) < 0.05);
}

/* What grows by 10 N/s leaves no error; an integral alone would be 1 N off. */
static void it_does_not_lag_behind_what_grows(void) {
  achd_smooth s = {0};
  body t = {.x = 0};
  for (int k = 0; k < 3000; k++) step(&t, &s, &law, 5, 10e-3 * k);
  CHECK_NEAR(t.F, 5, 0.05);
}

static void limits_hold_and_the_integral_comes_back_at_once(void) {
  achd_smooth s = {0};
  for (int k = 0; k < 5000; k++) {
    const achd_real u = achd_smooth_force(&s, &law, 5, 0, REAL(1e-3), 0);
    CHECK(u <= 50 && s.sum <= 50);
  }
  CHECK(s.slope <= 0 && s.u > 49);
  for (int k = 0; k < 100; k++) achd_smooth_force(&s, &law, -5, 0, REAL(1e-3), 0);
  CHECK(s.u < 49);
  s = (achd_smooth){.sum = 10};
  for (int k = 0; k < 100; k++) achd_smooth_force(&s, &law, 5, 0, REAL(1e-3), 1);
  CHECK(s.sum == 10 && s.slope == 0);
  for (int k = 0; k < 100; k++) achd_smooth_motion(&s, &law, -1, REAL(1e-3), -1);
  CHECK(s.sum == 10);
}

static void strange_inputs_leave_the_state(void) {
  static const double strange[] = {NAN, INFINITY, -INFINITY};
  const achd_smooth before = {.sum = 7, .slope = 2};
  for (int k = 0; k < 3; k++) {
    achd_smooth s = before;
    const achd_real x = REAL(strange[k]);
    CHECK(achd_smooth_force(&s, &law, x, 0, REAL(1e-3), 0) == 7 && s.sum == 7 && s.slope == 2);
    CHECK(achd_smooth_force(&s, &law, 1, x, REAL(1e-3), 0) == 7 && s.sum == 7 && s.slope == 2);
    CHECK(achd_smooth_force(&s, &law, 1, 0, x, 0) == 7 && s.sum == 7 && s.slope == 2);
    CHECK(achd_smooth_motion(&s, &law, x, REAL(1e-3), 0) == 7 && s.sum == 7);
  }
  achd_smooth s = before;
  CHECK(achd_smooth_force(&s, &law, 1, 0, 0, 0) == 7 &&
        achd_smooth_force(&s, &law, 1, 0, -1, 0) == 7);
}

/* ---- in tasks ---- */

static const achd_pose frame = {{0, 0, 0}, {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}};

static achd_task pressing(void) {
  achd_task t = {
      .name = "press", .frames = &frame, .nframes = 1, .horizon = 1, .time = ACHD_INFINITY};
  t.orientation = frame.R, t.force_axes = frame.R;
  t.contact.force = ACHD_INFINITY;
  t.direction[0] = (achd_direction){
      .kind = ACHD_POSITION, .tolerance = REAL(0.01), .largest = 20, .smooth = true};
  t.direction[1] =
      (achd_direction){.kind = ACHD_VELOCITY, .value = REAL(0.05), .largest = 20, .smooth = true};
  t.direction[2] = (achd_direction){
      .kind = ACHD_FORCE, .value = 5, .tolerance = 1, .largest = 20, .smooth = true};
  return t;
}

static achd_task_command control(achd_task_run *run, const achd_tool_state *tool) {
  achd_task_errors errors;
  achd_task_command command;
  CHECK(achd_task_watch(run, tool, REAL(1e-3)) != ACHD_TASK_NOT_FINITE);
  achd_task_examine(run, tool, ACHD_TASK_CRUISE, &errors);
  CHECK(achd_task_control(run, tool, &errors, false, &command));
  return command;
}

static void a_task_drives_motions_and_forces_by_it(void) {
  achd_task task = pressing();
  achd_task_run run = {0};
  achd_tool_state tool = {.pose = frame};
  tool.pose.p[0] = REAL(-0.002), tool.twist.lin[0] = REAL(0.001), tool.twist.lin[2] = REAL(0.01);
  tool.wrench.lin[2] = -3;
  CHECK(achd_task_valid(&task));
  achd_task_start(&run, &task);
  CHECK(run.is_smooth);
  achd_task_command c = control(&run, &tool); /* within its tolerance, and not at rest */
  CHECK_NEAR((double)c.b[0], (20 + 0.1) * (0.002 - 0.001), 1e-6);
  CHECK_NEAR((double)c.b[1], (20 + 0.1) * 0.05, 1e-6);
  CHECK(c.mask[0] == 1 && c.mask[2] == 0);
  CHECK(c.wrench.lin[2] == 0); /* nobody knows its damping */
  run.damping[2] = 100;
  achd_task_start(&run, &task);
  run.damping[2] = 100;
  c = control(&run, &tool); /* begins with what is exerted: s = 3 + D v, and a cycle of it */
  CHECK_NEAR((double)c.wrench.lin[2], 3 + 0.01 + 0.001 * 0.025, 1e-5);
  CHECK_NEAR((double)run.channel[2].u, (double)c.wrench.lin[2] / 20, 1e-6);
  tool.wrench.lin[2] = -30;
  achd_task_start(&run, &task);
  task.direction[2].damping = 100; /* the task's own */
  c = control(&run, &tool);
  CHECK(c.wrench.lin[2] < 5 && c.wrench.lin[2] > REAL(4.9)); /* not more than it shall be */
}

static void an_integral_goes_on_where_it_means_the_same(void) {
  achd_task first = pressing(), second = pressing();
  achd_task_run run = {0};
  achd_tool_state tool = {.pose = frame};
  second.direction[2].value = 8;
  second.direction[1] = (achd_direction){.kind = ACHD_FORCE, .largest = 20, .smooth = true};
  achd_task_follow(&run, &first);
  run.damping[2] = 100;
  for (int k = 0; k < 100; k++) (void)control(&run, &tool);
  const achd_real sum = run.smooth[2].sum;
  CHECK(sum > 1 && run.smooth[1].sum > 0);
  achd_task_follow(&run, &second);
  CHECK(run.smooth[2].sum == sum && run.smooth[1].sum == 0 && run.task == &second &&
        run.elapsed == 0);
  tool.wrench.lin[2] = REAL(-0.5); /* which it would begin with */
  (void)control(&run, &tool);
  CHECK(run.smooth[2].sum > REAL(0.9) * sum);
  achd_task_start(&run, &first);
  CHECK(run.smooth[2].sum == 0);
}

static void senseless_numbers_are_refused(void) {
  achd_task t = pressing();
#define REFUSED(field, number)                                                                     \
  do {                                                                                             \
    t = pressing();                                                                                \
    t.field = REAL(number);                                                                        \
    CHECK(!achd_task_valid(&t));                                                                   \
  } while (0)
  REFUSED(direction[2].rate, -1);
  REFUSED(direction[2].damping, -1);
  REFUSED(direction[2].speed, -1);
  REFUSED(direction[0].rate, NAN);
  REFUSED(direction[2].damping, INFINITY);
  REFUSED(direction[2].speed, INFINITY);
  t = pressing();
  t.direction[3] = (achd_direction){.kind = ACHD_FORCE_DIRECTION, .largest = 1, .smooth = true};
  CHECK(!achd_task_valid(&t));
}

int main(void) {
  RUN(formulas);
  RUN(it_is_stable_on_every_spring);
  RUN(in_the_air_it_goes_with_its_speed_and_does_not_wind_up);
  RUN(it_does_not_lag_behind_what_grows);
  RUN(limits_hold_and_the_integral_comes_back_at_once);
  RUN(strange_inputs_leave_the_state);
  RUN(a_task_drives_motions_and_forces_by_it);
  RUN(an_integral_goes_on_where_it_means_the_same);
  RUN(senseless_numbers_are_refused);
  return test_end();
}
