/* SPDX-License-Identifier: MIT */
/* trot_faults_test.c: the program of docs/examples/trot with NaN, infinity and senseless numbers in each of its inputs: a
 * status says so, torques are exactly 0, and a cycle later all is well again. The robot stands; there is no simulator. */
#include "test.h"
#include "trot/robot.h"
#include "trot/walk.h"

#include "trot/feel.h"

static const double senseless[] = {NAN, INFINITY, -INFINITY};

/* Everything of a loop. */
typedef struct robot {
  feel f;
  gait g;
  gait_parameters p;
  gait_command command;
  walk w;
  sensed m;
  gait_state s;
  double foot_v[GAIT_FEET][3], tau[ROBOT_NJ], friction;
  unsigned felt, stepped;
  walk_status solved;
} robot;

static void cycle(robot *r) {
  memcpy(r->m.tau, r->tau, sizeof r->tau);
  r->felt = feel_step(&r->f, &r->g, &r->m, &r->s, r->foot_v);
  r->stepped = gait_step(&r->g, &r->p, &r->s, &r->command, 1e-3);
  memcpy(r->w.in.q, r->m.q, sizeof r->m.q), memcpy(r->w.in.qd, r->m.qd, sizeof r->m.qd);
  const achd_real *const q = r->f.base.quat;
  r->w.in.base.quat = (robot_quaternion){q[0], q[1], q[2], q[3]};
  walk_stand_on(&r->w, &r->g, r->friction);
  walk_ask(&r->w, &r->g, &r->s, r->foot_v);
  r->solved = walk_solve(&r->w, r->tau);
}

static bool all_zero(const robot *r) {
  for (int j = 0; j < ROBOT_NJ; j++)
    if (!(r->tau[j] == 0)) return false;
  return true;
}

static bool all_finite(const robot *r) {
  bool good = true;
  for (int j = 0; j < ROBOT_NJ; j++) good = good && isfinite(r->tau[j]);
  return good && isfinite(r->g.heading) && isfinite(r->g.speed[0]) && isfinite(r->g.speed[1]) &&
         isfinite(r->g.behind[0]) && isfinite(r->g.behind[1]);
}

/* Stands on bent legs, for `cycles` of 1 ms. */
static robot begin(int cycles) {
  static const double bent[3] = {0, 0.8, -1.6};
  robot r = {.friction = 0.7, .m.acc = {0, 0, 9.81}, .m.period = 1e-3};
  robot_fk_in in = {.base.quat = {1, 0, 0, 0}};
  robot_fk_out out;
  for (int j = 0; j < ROBOT_NJ; j++) in.q[j] = r.m.q[j] = bent[j % 3];
  CHECK(robot_fk(&in, &out) == ROBOT_OK);
  const robot_pose *const at[] = {&out.pose.fl_foot, &out.pose.fr_foot, &out.pose.rl_foot,
                                  &out.pose.rr_foot};
  r.p = walk_trot();
  for (int k = 0; k < GAIT_FEET; k++) memcpy(r.p.nominal[k], at[k]->p, sizeof r.p.nominal[k]);
  const achd_base_rest rest = {.acc = {0, 0, 9.81}, .duration = 1, .p = {0, 0, -r.p.nominal[0][2]}};
  CHECK(feel_begin(&r.f, &rest));
  walk_begin(&r.w, walk_quadruped());
  for (int i = 0; i < cycles; i++) cycle(&r);
  return r;
}

static bool is_well(const robot *r) {
  bool touches = true;
  for (int k = 0; k < GAIT_FEET; k++) touches = touches && r->f.touches[k] && r->g.stands[k];
  return (r->felt & ~(unsigned)(ACHD_BASE_SLIPS | ACHD_BASE_NO_FOOT)) == 0 &&
         r->stepped == GAIT_OK && r->solved == WALK_OK && all_finite(r) && !all_zero(r) && touches;
}

static void it_stands(void) {
  const robot r = begin(20);
  CHECK(is_well(&r));
}

/* *at is `value` for a cycle: returns the robot as it is then; and checks that it goes on 20 cycles later. */
static robot with(robot *r, double *at, double value) {
  const double before = *at;
  *at = value;
  cycle(r);
  const robot then = *r;
  *at = before;
  for (int i = 0; i < 20; i++) cycle(r);
  CHECK(is_well(r));
  return then;
}

static void sensors_that_are_no_numbers(void) {
  for (int i = 0; i < 3; i++) {
    robot r = begin(20);
    double *const imu[] = {&r.m.acc[1], &r.m.rate[2], &r.m.period};
    for (int n = 0; n < 3; n++) {
      const robot then = with(&r, imu[n], senseless[i]);
      CHECK((then.felt & FEEL_REFUSED) != 0 && (then.felt & FEEL_NO_TOUCH) != 0);
      CHECK(then.stepped == GAIT_NOT_FINITE && then.solved == WALK_NO_GAIT && all_zero(&then));
      for (int k = 0; k < GAIT_FEET; k++) CHECK(!then.f.touches[k] && then.f.load[k] == 0);
    }
    double *const legs[] = {&r.m.q[4], &r.m.qd[4], &r.m.q[11], &r.m.qd[0]};
    for (int n = 0; n < 4; n++) {
      const robot then = with(&r, legs[n], senseless[i]);
      CHECK((then.felt & FEEL_NO_LEGS) != 0 && then.stepped == GAIT_NOT_FINITE);
      CHECK(then.solved == WALK_NO_GAIT && all_zero(&then));
    }
  }
  robot r = begin(20);
  const robot still = with(&r, &r.m.period, 0), far = with(&r, &r.m.q[2], 1e6);
  CHECK((still.felt & ACHD_BASE_BAD_INPUT) != 0 && all_zero(&still));
  CHECK((far.felt & FEEL_NO_LEGS) != 0 && all_zero(&far));
}

/* The torques of the motors go to the observer alone: it stops, and no foot is known to touch. */
static void an_observer_that_stops(void) {
  for (int i = 0; i < 3; i++) {
    robot r = begin(20);
    r.tau[5] = senseless[i];
    cycle(&r);
    CHECK((r.felt & FEEL_NO_TOUCH) != 0 && (r.felt & FEEL_REFUSED) == 0);
    for (int k = 0; k < GAIT_FEET; k++) CHECK(!r.f.touches[k] && r.f.load[k] == 0);
    CHECK(r.solved == WALK_OK && all_finite(&r));
    for (int n = 0; n < 20; n++) cycle(&r);
    CHECK(is_well(&r));
  }
}

static void an_estimator_that_has_not_started(void) {
  robot r = begin(0);
  const achd_base_rest rest = {.acc = {0, 0, NAN}, .duration = 1};
  CHECK(!feel_begin(&r.f, &rest));
  cycle(&r);
  CHECK((r.felt & ACHD_BASE_BAD_INPUT) != 0 && r.solved == WALK_NO_GAIT && all_zero(&r));
}

/* What comes to walk.h by other ways than gait.h. */
static void walk_refuses(void) {
  robot r = begin(20);
  walk *const w = &r.w;
  double *const gains[] = {&w->gains.height,  &w->gains.climb,  &w->gains.turn,  &w->gains.spin,
                           &w->gains.speed,   &w->gains.behind, &w->gains.swing, &w->gains.rate,
                           &w->gains.damping, &w->gains.brake};
  for (int k = 0; k < 10; k++) {
    const robot then = with(&r, gains[k], -1);
    CHECK(then.solved == WALK_BAD_INPUT && all_zero(&then));
    for (int i = 0; i < 3; i++) {
      const robot none = with(&r, gains[k], senseless[i]);
      CHECK(none.solved == WALK_NOT_FINITE && all_zero(&none));
    }
  }
  const robot negative = with(&r, &r.friction, -0.1);
  CHECK(negative.solved == WALK_BAD_INPUT && all_zero(&negative));
  for (int i = 0; i < 3; i++) {
    const robot slippery = with(&r, &r.friction, senseless[i]);
    CHECK(slippery.solved >= WALK_NOT_FINITE && all_zero(&slippery));
    walk nan = r.w;
    double tau[ROBOT_NJ];
    nan.in.qd[3] = senseless[i]; /* not the last torques again */
    CHECK(walk_solve(&nan, tau) == WALK_NOT_FINITE && nan.unanswered == 0);
    for (int j = 0; j < ROBOT_NJ; j++) CHECK(tau[j] == 0);
    nan = r.w, nan.in.base.quat.w = 2;
    CHECK(walk_solve(&nan, tau) == WALK_BAD_INPUT);
    for (int j = 0; j < ROBOT_NJ; j++) CHECK(tau[j] == 0);
    CHECK(walk_damp(&r.w.gains, senseless[i]) == 0);
  }
  CHECK(walk_damp(&r.w.gains, 3) == -6 && walk_damp(&r.w.gains, -100) == 20);
}

/* A solver without an answer to good inputs, here because it may take one step only, where limits of many motors are active: the torques
 * of the last cycle WALK_REPEATS times, then damping. */
static void a_solver_without_an_answer(void) {
  robot r = begin(20);
  double last[ROBOT_NJ], tau[ROBOT_NJ];
  memcpy(last, r.tau, sizeof last);
  r.w.in.qd[7] = 1;
  r.w.steps = 1;
  r.w.in.b[ROBOT_UPRIGHT_LIN_Z] = r.w.in.b[ROBOT_PLACE_LIN_X] = 300; /* limits become active */
  for (int n = 1; n <= WALK_REPEATS + 5; n++) {
    memset(r.w.side, 0, sizeof r.w.side);
    memset(r.w.x, 0, sizeof r.w.x);
    const walk_status status = walk_solve(&r.w, tau);
    CHECK(status == (n <= WALK_REPEATS ? WALK_REPEATED : WALK_DAMPED) && r.w.unanswered == n);
    for (int j = 0; j < ROBOT_NJ; j++)
      CHECK(tau[j] == (n <= WALK_REPEATS ? last[j] : walk_damp(&r.w.gains, r.w.in.qd[j])));
  }
  CHECK(tau[7] == -2);
}

/* The robot goes on, and slows down. */
static void a_command_that_is_no_number(void) {
  for (int i = 0; i < 3; i++)
    for (int n = 0; n < 3; n++) {
      robot r = begin(20);
      r.g.walks = true, r.command.forward = 0.3;
      for (int t = 0; t < 50; t++) cycle(&r);
      const double speed = r.g.speed[0];
      double *const wanted[] = {&r.command.forward, &r.command.left, &r.command.turn};
      CHECK(speed > 0.05);
      *wanted[n] = senseless[i];
      for (int t = 0; t < 20; t++) {
        cycle(&r);
        CHECK(r.stepped == GAIT_NO_COMMAND && r.g.status == GAIT_NO_COMMAND);
        CHECK(all_finite(&r) && r.solved == WALK_OK);
      }
      CHECK_NEAR(r.g.speed[0], speed - 0.02 * r.p.acceleration, 1e-3); /* it slows down */
      r.command = (gait_command){.forward = 0.3};
      cycle(&r);
      CHECK(r.stepped == GAIT_OK);
    }
}

static void parameters_are_refused(void) {
  robot r = begin(20);
  gait_parameters *const p = &r.p;
  const struct {
    double *at, value;
    const char *fault;
  } all[] = {{&p->period, 0, "period"},
             {&p->period, -0.3, "period"},
             {&p->period, NAN, "period"},
             {&p->period, INFINITY, "period"},
             {&p->duty, 1, "duty"},
             {&p->duty, 1.5, "duty"},
             {&p->duty, 0, "duty"},
             {&p->duty, NAN, "duty"},
             {&p->lift, -0.01, "lift"},
             {&p->reach, NAN, "reach"},
             {&p->press, INFINITY, "press"},
             {&p->sink, -1, "sink"},
             {&p->acceleration, -1, "acceleration"},
             {&p->acceleration, NAN, "acceleration"},
             {&p->offset[2], NAN, "offset"},
             {&p->nominal[1][0], INFINITY, "nominal"},
             {&p->nominal[3][2], 0, "not below the trunk"}};
  CHECK(gait_fault(p) == NULL);
  for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
    const robot then = with(&r, all[k].at, all[k].value);
    const char *const fault = gait_fault(&then.p);
    CHECK(fault != NULL && strstr(fault, all[k].fault) != NULL);
    CHECK(then.stepped == GAIT_BAD_INPUT && then.solved == WALK_NO_GAIT && all_zero(&then));
  }
  const int feet[] = {0, -1, GAIT_FEET + 1};
  for (int k = 0; k < 3; k++) {
    gait_parameters other = *p;
    other.feet = feet[k];
    CHECK(gait_fault(&other) != NULL);
    CHECK(gait_step(&r.g, &other, &r.s, &r.command, 1e-3) == GAIT_BAD_INPUT);
  }
  const double dt[] = {0, -1e-3, NAN, INFINITY, 0.2};
  for (int k = 0; k < 5; k++) CHECK(gait_step(&r.g, p, &r.s, &r.command, dt[k]) == GAIT_BAD_INPUT);
  robot first = begin(0); /* before anything was good */
  first.p.period = 0;
  cycle(&first);
  CHECK(first.stepped == GAIT_BAD_INPUT && first.solved == WALK_NO_GAIT && all_zero(&first));
}

int main(void) {
  RUN(it_stands);
  RUN(sensors_that_are_no_numbers);
  RUN(an_observer_that_stops);
  RUN(an_estimator_that_has_not_started);
  RUN(walk_refuses);
  RUN(a_solver_without_an_answer);
  RUN(a_command_that_is_no_number);
  RUN(parameters_are_refused);
  return test_end();
}
