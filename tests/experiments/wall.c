/* SPDX-License-Identifier: MIT */
/* wall.c: experiment 12: a mobile platform aligns with a wall by pushing against it, and bumps into
 * it, its force limited. Devaramani 2019 motivates it and has no numbers: platform (platform.urdf),
 * wall, friction 1 and limits are ours. The rows along the platform's own axes are bounded (mclp): at
 * most 20 N along each; while it pushes, its rotation is braked with 2 N m at most, which the wall
 * overcomes. How hard the bump is depends on the bumpers: its bound is printed before the run.
 * Chosen before running: within 20 s aligned to 0.02 rad; the wall bears the limit to 10 % at the end
 * of the push, and of the bump; no command exceeds the limit by more than rounding. */
#include "experiments/experiment.h"

#include <achd/limit.h>
#include <achd/mclp.h>

#include "platform.h"

enum { X, Y, YAW, AXES, NR = PLATFORM_NR };
static const double limit = 20, turning = 10, yielding = 2; /* [N], [N m] */

/* The bumpers, of which MuJoCo knows a time constant of 0.05 s, a damping ratio of 1 and an impedance d of
 * 0.95 at most (scenes/platform.lua; "Solver parameters" of its documentation): b = 2 / (d time), k = 1 / (d^2
 * time^2), and a contact that lets nothing in holds the mass with d (b v + k x) and d of what drives it. */
static const double mass = 94.472, bumper_time = 0.05, impedance = 0.95, bump_speed = 0.2;

/* Signals of the log. */
enum {
  S_Q = 0,
  S_V = S_Q + AXES,
  S_F = S_V + AXES,
  S_WALL = S_F + AXES,
  S_PHASE,
  S_P,
  SIGNALS = S_P + 6
};
static const achd_signal signals[SIGNALS] = {
    {"q", "base_x", 0, "m"},      {"q", "base_y", 0, "m"},     {"q", "base_yaw", 0, "rad"},
    {"qd", "base_x", 0, "m/s"},   {"qd", "base_y", 0, "m/s"},  {"qd", "base_yaw", 0, "rad/s"},
    {"tau", "base_x", 0, "N"},    {"tau", "base_y", 0, "N"},   {"tau", "base_yaw", 0, "N m"},
    {"wall", NULL, 0, "N"},       {"state", NULL, 0, "1"},     {"base", "p_x", 0, "m"},
    {"base", "p_y", 0, "m"},      {"base", "p_z", 0, "m"},     {"base", "turn_x", 0, "rad"},
    {"base", "turn_y", 0, "rad"}, {"base", "turn_z", 0, "rad"}};

/* Force of the wall along its normal [N]. */
static double wall_force(const arm *a) {
  double sum = 0;
  for (int k = 0; k < a->data->ncon; k++) {
    double force[6];
    mj_contactForce(a->model, a->data, k, force);
    sum += force[0];
  }
  return sum;
}

/* The force of the wheels that brings the velocity along the platform's x to `forward`, along y to
 * 0, within the limits; the rotation is braked, or yields. Returns the largest nu beside the
 * limit. */
static double drive(const arm *a, double forward, bool yields, double force[AXES]) {
  static const double rate = 4; /* [1/s] */
  static double work[ACHD_MCLP_WORK(NR)];
  static signed char side[NR];
  platform_achd_in in = {.base = {.yaw = a->q[YAW]}};
  platform_mclp_out p;
  platform_achd_out out;
  achd_mclp_report report;
  double nu[NR], beyond = 0;
  const double c = cos(a->q[YAW]), s = sin(a->q[YAW]);
  in.base.twist.x = a->qd[X], in.base.twist.y = a->qd[Y], in.base.twist.yaw = a->qd[YAW];
  in.b[PLATFORM_DRIVE_LIN_X] = rate * (forward - (c * a->qd[X] + s * a->qd[Y]));
  in.b[PLATFORM_DRIVE_LIN_Y] = -rate * (c * a->qd[Y] - s * a->qd[X]);
  in.b[PLATFORM_TURN_ANG_Z] = -rate * a->qd[YAW];
  in.mask[PLATFORM_TURN_ANG_Z] = 1;
  for (int r = 0; r < NR; r++) {
    const double most = r != PLATFORM_TURN_ANG_Z ? limit : yields ? yielding : turning;
    in.lo[r] = -most, in.hi[r] = most;
  }
  memset(force, 0, AXES * sizeof *force);
  if (platform_mclp(&in, &p) & PLATFORM_DO_NOT_COMMAND) return INFINITY;
  const achd_mclp_problem problem = {NR, p.L, p.r, p.lo, p.hi};
  if (achd_mclp(&problem, nu, side, 0, work, &report) != ACHD_MCLP_SOLVED) return INFINITY;
  platform_apply(&in, &p, nu, &out);
  force[X] = out.base.wrench_ctrl.x, force[Y] = out.base.wrench_ctrl.y;
  force[YAW] = out.base.wrench_ctrl.yaw;
  for (int r = 0; r < NR; r++) beyond = fmax(beyond, fabs(nu[r]) - in.hi[r]);
  return beyond;
}

typedef struct push {
  double time, aligned, yaw, mean, peak, beyond, speed;
} push;

/* Drives against the wall for a time. */
static push against(record *r, const char *world, double forward, bool yields, double time,
                    int phase, double begins) {
  static arm a;
  push result = {.time = begins};
  double force[AXES];
  int last = 0;
  arm_open(&a, world, AXES, 1e-3, NULL);
  arm_things(&a, r);
  for (int k = 0; k * a.period < time; k++, result.time += a.period) {
    const int64_t before = nanoseconds();
    result.beyond = fmax(result.beyond, drive(&a, forward, yields, force));
    achd_cycle_times_put(&r->times, nanoseconds() - before);
    const double wall = wall_force(&a);
    double row[SIGNALS] = {[S_WALL] = wall,
                           [S_PHASE] = phase,
                           [S_P + X] = a.q[X],
                           [S_P + Y] = a.q[Y],
                           [S_P + 5] = a.q[YAW]};
    for (int i = 0; i < AXES; i++)
      row[S_Q + i] = a.q[i], row[S_V + i] = a.qd[i], row[S_F + i] = force[i];
    record_put(r, NULL, result.time, row);
    arm_command(&a, force);
    result.peak = fmax(result.peak, wall);
    if (fabs(a.q[YAW]) > 0.02) result.aligned = (k + 1) * a.period;
    if (k * a.period >= time - 1) result.mean += (wall - result.mean) / ++last;
  }
  result.yaw = a.q[YAW];
  result.speed = hypot(a.qd[X], a.qd[Y]);
  arm_close(&a);
  return result;
}

bool run_wall(int n, const char *folder) {
  static record r;
  r = (record){.folder = folder,
               .title = "a platform aligns with a wall, and bumps into it",
               .source = "Devaramani 2019, which has no numbers of it",
               .text = "State 0: turned by 0.3 rad, it pushes until both corners touch. State 1: "
                       "it drives straight into the wall. The wheels give 20 N at most.",
               .number = n};
  const achd_bumper bumper = {mass / (impedance * bumper_time * bumper_time),
                              2 * mass / bumper_time};
  const double bound = achd_bump_force(&bumper, mass, bump_speed, limit);
  char text[160];
  printf("before the bump: at %g m/s, driven with %g N, it is no harder than %.2f N\n", bump_speed,
         limit, bound);
  fflush(stdout);
  record_start_plain(&r, signals, SIGNALS, 4);
  const push aligns = against(&r, EXPERIMENTS_WORLDS "/platform_turned.world", 0.1, true, 20, 0, 0);
  const push bumps = against(&r, EXPERIMENTS_WORLDS "/platform_straight.world", bump_speed, false,
                             10, 1, aligns.time);
  const double beyond = fmax(aligns.beyond, bumps.beyond);
  record_bound(&r, "off the wall's direction at the end", "rad", NAN, fabs(aligns.yaw), "0.02",
               fabs(aligns.yaw) <= 0.02);
  record_bound(&r, "aligned for good", "s", NAN, aligns.aligned, "20", aligns.aligned < 20);
  record_bound(&r, "force on the wall at the end of the push", "N", NAN, aligns.mean,
               "20 within 10 %", fabs(aligns.mean - limit) <= 0.1 * limit);
  record_bound(&r, "force on the wall after the bump", "N", NAN, bumps.mean, "20 within 10 %",
               fabs(bumps.mean - limit) <= 0.1 * limit);
  record_bound(&r, "speed after the bump", "m/s", NAN, bumps.speed, "0.001", bumps.speed <= 0.001);
  record_bound(&r, "largest command beyond its limit", "N", NAN, beyond, "1e-9", beyond <= 1e-9);
  snprintf(text, sizeof text, "%.2f, printed before", bound);
  record_bound(&r, "largest force of the bump", "N", NAN, bumps.peak, text, bumps.peak <= bound);
  return record_end(&r);
}
