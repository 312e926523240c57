/* SPDX-License-Identifier: MIT */
/* hook.c: experiment 16: a vehicle joins another by a hook, the acceleration of its hook relative to the other's
 * eye limited. Devaramani 2019 has the use case (section 1.3: "a robot has to join itself to another through
 * some means (e.g., a hook). [..] In this example, the task demands constraints such as safe alignment with
 * limited acceleration") and no numbers: vehicles, speeds and 0.3 m/s^2 are ours. The other one drives a
 * curve, speeds up and brakes meanwhile, and tells its motion. Both are simulated by their forward dynamics in
 * steps of 1 ms in which accelerations stay; the wrench that the solver commands goes into these.
 * Chosen before running: relative acceleration within its limit to 1e-6; joined within 20 s (1 mm, 1 mm/s,
 * 0.002 rad), with a closing speed of 5 mm/s at most over the last millimetre; joined for good. */
#include "experiments/experiment.h"

#include <achd/limit.h>

#include "tug.h"

enum { X, Y, YAW, AXES };
static const double period = 1e-3, duration = 25, most = 0.3; /* [s], [s], [m/s^2] */
/* Along the eye's axes: 0.24 and 0.18 m/s^2 are 0.3 together. */
static const achd_limit along = {
    .velocity = 0.25, .braking = 0.2, .most = 0.24, .rate = 2, .period = 1e-3};
static const double beside = 0.18, turning = 0.4; /* [m/s^2], [rad/s^2] */

/* Signals of the log. */
enum { S_A, S_B = S_A + AXES, S_OFF = S_B + AXES, S_SPEED = S_OFF + AXES, S_REL, S_TURN, SIGNALS };
static const achd_signal signals[SIGNALS] = {{"a", "x", 0, "m"},
                                             {"a", "y", 0, "m"},
                                             {"a", "yaw", 0, "rad"},
                                             {"b", "x", 0, "m"},
                                             {"b", "y", 0, "m"},
                                             {"b", "yaw", 0, "rad"},
                                             {"off", "x", 0, "m"},
                                             {"off", "y", 0, "m"},
                                             {"off", "yaw", 0, "rad"},
                                             {"closing", NULL, 0, "m/s"},
                                             {"relative", "acc", 0, "m/s^2"},
                                             {"turning", "acc", 0, "rad/s^2"}};

typedef struct vehicle {
  double q[AXES], v[AXES]; /* x, y, yaw in the world */
} vehicle;

static tug_achd_in state_of(const vehicle *w) {
  tug_achd_in in = TUG_ACHD_IN_DEFAULT;
  in.base.yaw = w->q[YAW];
  in.base.twist.x = w->v[X], in.base.twist.y = w->v[Y], in.base.twist.yaw = w->v[YAW];
  return in;
}

/* Its motion under a wrench: no row in force. */
static tug_achd_out driven(const vehicle *w, const double wrench[AXES]) {
  tug_achd_in in = state_of(w);
  tug_achd_out out;
  in.load.lin[0] = wrench[X], in.load.lin[1] = wrench[Y], in.load.ang[2] = wrench[YAW];
  for (int r = 0; r < TUG_NR; r++) in.mask[r] = 0;
  tug_achd(&in, &out);
  return out;
}

static void step(vehicle *w, const tug_achd_out *out) {
  const double a[AXES] = {out->base.acc.x, out->base.acc.y, out->base.acc.yaw};
  for (int k = 0; k < AXES; k++) {
    w->q[k] += period * w->v[k] + period * period / 2 * a[k];
    w->v[k] += period * a[k];
  }
}

/* The other one: a curve, faster, then slower. */
static void other(double time, const vehicle *w, double wrench[AXES]) {
  const double speed = 0.15 + 0.08 * sin(0.7 * time), turn = 0.1 * sin(0.4 * time);
  const double c = cos(w->q[YAW]), s = sin(w->q[YAW]);
  wrench[X] = 150 * (speed * c - w->v[X]), wrench[Y] = 150 * (speed * s - w->v[Y]);
  wrench[YAW] = 20 * (turn - w->v[YAW]);
}

static double clamp(double x, double limit) {
  return fmax(-limit, fmin(limit, x));
}

/* How far the hook is from the eye, along the eye's axes: place, velocity; yaw. */
static void apart(const vehicle *a, const tug_achd_out *A, const vehicle *b, const tug_achd_out *B,
                  double off[AXES], double speed[AXES]) {
  const double c = cos(b->q[YAW]), s = sin(b->q[YAW]);
  double x[2], v[2];
  for (int k = 0; k < 2; k++) {
    x[k] = b->q[k] + B->pose.eye.p[k] - a->q[k] - A->pose.hook.p[k];
    v[k] = B->twist.eye.lin[k] - A->twist.hook.lin[k];
  }
  off[X] = c * x[0] + s * x[1], off[Y] = c * x[1] - s * x[0];
  speed[X] = c * v[0] + s * v[1], speed[Y] = c * v[1] - s * v[0];
  off[YAW] = b->q[YAW] - a->q[YAW], speed[YAW] = b->v[YAW] - a->v[YAW];
}

/* The wrench that leads the hook: its acceleration is that of the eye, and a limited one towards it. Along
 * the eye's axis it comes as to a wall; but not nearer than 0.15 m before it is in line. */
static bool lead(const vehicle *a, const double off[AXES], const double speed[AXES],
                 const vehicle *b, const tug_achd_out *B, double wrench[AXES]) {
  const bool in_line = fabs(off[Y]) < 2e-3 && fabs(off[YAW]) < 0.01;
  double x, ask[2];
  if (!achd_limit_most(&along, off[X] - (in_line || off[X] < 0.15 ? 0 : 0.15), -speed[X], &x))
    return false;
  const double y = clamp(4 * off[Y] + 4 * speed[Y], beside), c = cos(b->q[YAW]), s = sin(b->q[YAW]);
  ask[0] = c * x - s * y, ask[1] = s * x + c * y;
  tug_achd_in in = state_of(a);
  tug_achd_out out;
  for (int k = 0; k < 2; k++) in.b[TUG_HOOK_LIN_X + k] = B->acc.eye.lin[k] + ask[k];
  in.b[TUG_HOOK_ANG_Z] = B->acc.eye.ang[2] + clamp(4 * off[YAW] + 4 * speed[YAW], turning);
  if (tug_achd(&in, &out) & TUG_DO_NOT_COMMAND) return false;
  wrench[X] = out.base.wrench_ctrl.x, wrench[Y] = out.base.wrench_ctrl.y;
  wrench[YAW] = out.base.wrench_ctrl.yaw;
  return true;
}

bool run_hook(int n, const char *folder) {
  static record r;
  r = (record){
      .folder = folder,
      .title = "a vehicle joins another by a hook, with a limited acceleration",
      .source = "Devaramani 2019, which has no numbers of it",
      .text = "Vehicle a comes from behind and beside, b drives a curve. The acceleration of the "
              "hook relative to the eye is 0.3 m/s^2 at most.",
      .number = n};
  record_start_plain(&r, signals, SIGNALS, 5);
  vehicle a = {.q = {-2, -0.5, 0.3}}, b = {.q = {0}};
  double hardest = 0, fastest_turn = 0, own = 0, closing = 0, joined = NAN, parted = 0;
  bool solved = true;
  for (int k = 0; k * period < duration && solved; k++) {
    const double time = k * period, none[AXES] = {0};
    double wrench[AXES], off[AXES], speed[AXES], mine[AXES] = {0};
    other(time, &b, wrench);
    const tug_achd_out B = driven(&b, wrench), before = driven(&a, none);
    apart(&a, &before, &b, &B, off, speed);
    const int64_t began = nanoseconds();
    solved = lead(&a, off, speed, &b, &B, mine);
    achd_cycle_times_put(&r.times, nanoseconds() - began);
    const tug_achd_out A = driven(&a, mine);
    const double relative =
        hypot(A.acc.hook.lin[0] - B.acc.eye.lin[0], A.acc.hook.lin[1] - B.acc.eye.lin[1]);
    const double turn = fabs(A.acc.hook.ang[2] - B.acc.eye.ang[2]);
    hardest = fmax(hardest, relative), fastest_turn = fmax(fastest_turn, turn);
    own = fmax(own, hypot(A.acc.hook.lin[0], A.acc.hook.lin[1]));
    const double far = hypot(off[X], off[Y]), quick = hypot(speed[X], speed[Y]);
    const bool there = far < 1e-3 && quick < 1e-3 && fabs(off[YAW]) < 2e-3;
    if (far < 1e-3) closing = fmax(closing, quick);
    if (there && isnan(joined)) joined = time;
    if (!isnan(joined)) parted = fmax(parted, far);
    const double row[SIGNALS] = {a.q[X], a.q[Y], a.q[YAW], b.q[X],    b.q[Y],   b.q[YAW],
                                 off[X], off[Y], off[YAW], -speed[X], relative, turn};
    record_put(&r, NULL, time, row);
    step(&a, &A);
    step(&b, &B);
  }
  record_bound(&r, "solved in every cycle", "", NAN, solved, "1", solved);
  record_bound(&r, "relative acceleration of the hook", "m/s^2", NAN, hardest, "0.3, to 1e-6",
               hardest <= most + 1e-6 && hardest > 0.5 * most);
  record_bound(&r, "relative acceleration of turning", "rad/s^2", NAN, fastest_turn, "0.4, to 1e-6",
               fastest_turn <= turning + 1e-6);
  record_bound(&r, "joined after", "s", NAN, joined, "20", joined <= 20);
  record_bound(&r, "closing speed over the last millimetre", "m/s", NAN, closing, "0.005",
               closing <= 5e-3);
  record_bound(&r, "apart after that", "mm", NAN, 1e3 * parted, "1", parted <= 1e-3);
  record_say(&r, "largest acceleration of the hook itself", "m/s^2", NAN, own);
  return record_end(&r);
}
