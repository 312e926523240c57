/* SPDX-License-Identifier: MIT */
/* hospital.c: experiment 13: a platform in a hospital that a person pushes stays inside a boundary and
 * below a speed. Devaramani 2019 has the use case (section 1.3: "Limited velocity and forces constrain
 * the robot motions. Additionally, the robot must drive inside a specified boundary") and no numbers:
 * the area, the speeds and the person are ours. The person pushes a handle with up to 100 N, towards
 * places outside, and is not measured; without limits the platform follows.
 * Chosen before running: beyond the boundary no more than 1 mm, above the speed no more than 1 %; turned
 * beyond 0.6 rad no more than 1 mrad. */
#include "experiments/experiment.h"

#include <achd/limit.h>
#include <achd/mclp.h>

#include "hospital.h"

enum { X, Y, YAW, AXES, NR = HOSPITAL_NR, SIDES = 5, POINTS = 4, PUSHES = 8 };

static const double corners[SIDES][2] = {{-1.2, -1}, {1.5, -1}, {2, 0.3}, {1, 1.4}, {-1.2, 1}};
static const double points[POINTS][2] = {{.25, .25}, {-.25, .25}, {-.25, -.25}, {.25, -.25}};
static const achd_area area = {SIDES, corners};
static const achd_outline outline = {POINTS, points, 0.05};
static const achd_limit walking = {
    .velocity = 0.5, .braking = 1.5, .most = INFINITY, .rate = 10, .period = 1e-3};
/* Of turning, to either side. */
static const achd_limit turning = {
    .velocity = 0.8, .braking = 2, .most = INFINITY, .rate = 10, .period = 1e-3};
static const double most_yaw = 0.6;           /* [rad] */
static const double feel[AXES] = {20, 20, 4}; /* of the damping [N s/m], [N m s/rad] */

/* Where the person wants to go, one after the other, all outside. */
static const double ways[PUSHES][2] = {{5, -0.5}, {4, 4}, {-4, 1.2}, {-4, -4},
                                       {1, -5},   {4, 0}, {1, 5},    {-5, -1}};
static const double handle[2] = {-0.3, 0.1}, strength = 100, stride = 1.2; /* [m], [N], [m/s] */

/* Signals of the log. */
enum {
  S_Q = 0,
  S_V = S_Q + AXES,
  S_F = S_V + AXES,
  S_PUSH = S_F + AXES,
  S_INSIDE,
  S_SPEED,
  S_P,
  SIGNALS = S_P + 6
};
static const achd_signal signals[SIGNALS] = {
    {"q", "base_x", 0, "m"},      {"q", "base_y", 0, "m"},      {"q", "base_yaw", 0, "rad"},
    {"qd", "base_x", 0, "m/s"},   {"qd", "base_y", 0, "m/s"},   {"qd", "base_yaw", 0, "rad/s"},
    {"tau", "base_x", 0, "N"},    {"tau", "base_y", 0, "N"},    {"tau", "base_yaw", 0, "N m"},
    {"push", NULL, 0, "N"},       {"inside", NULL, 0, "m"},     {"speed", NULL, 0, "m/s"},
    {"base", "p_x", 0, "m"},      {"base", "p_y", 0, "m"},      {"base", "p_z", 0, "m"},
    {"base", "turn_x", 0, "rad"}, {"base", "turn_y", 0, "rad"}, {"base", "turn_z", 0, "rad"}};

/* The person pushes the handle along the way, less the faster it goes. Returns the force. */
static double push(const arm *a, const double way[2]) {
  const double c = cos(a->q[YAW]), s = sin(a->q[YAW]);
  const double r[2] = {c * handle[0] - s * handle[1], s * handle[0] + c * handle[1]};
  const double x = way[0] - a->q[X], y = way[1] - a->q[Y], apart = hypot(x, y);
  const double e[2] = {x / apart, y / apart};
  const double v = e[0] * (a->qd[X] - a->qd[YAW] * r[1]) + e[1] * (a->qd[Y] + a->qd[YAW] * r[0]);
  const double force = strength * fmax(0, fmin(1, 1 - v / stride));
  double *on = a->data->xfrc_applied + (ptrdiff_t)6 * mj_name2id(a->model, mjOBJ_BODY, "base_link");
  on[0] = force * e[0], on[1] = force * e[1];
  on[5] = r[0] * on[1] - r[1] * on[0];
  return force;
}

static void set_row(hospital_direction *dir, double *b, const achd_area_row *row) {
  dir->lin[0] = row->direction[0], dir->lin[1] = row->direction[1], dir->ang[2] = row->direction[2];
  *b = row->most;
}

/* The force of the wheels; false: not to be used. rows: of the area. */
static bool hold_back(const arm *a, bool limited, achd_area_row rows[POINTS * SIDES],
                      double force[AXES]) {
  static double work[ACHD_MCLP_WORK(NR)];
  static signed char side[NR];
  hospital_achd_in in = {.base = {.yaw = a->q[YAW]}};
  hospital_mclp_out p;
  hospital_achd_out out;
  achd_mclp_report report;
  achd_area_row speed;
  double nu[NR] = {0};
  hospital_direction *dirs[POINTS] = {in.dir.corner_1, in.dir.corner_2, in.dir.corner_3,
                                      in.dir.corner_4};
  if (!achd_area_rows(&area, &outline, &walking, a->q, a->qd, rows) ||
      !achd_area_speed(&walking, a->qd, &speed))
    return false;
  in.base.twist.x = a->qd[X], in.base.twist.y = a->qd[Y], in.base.twist.yaw = a->qd[YAW];
  for (int c = 0; c < POINTS; c++)
    for (int i = 0; i < SIDES; i++)
      set_row(&dirs[c][i], &in.b[HOSPITAL_CORNER_1_1 + c * SIDES + i], &rows[c * SIDES + i]);
  set_row(&in.dir.speed[0], &in.b[HOSPITAL_SPEED_1], &speed);
  for (int i = 0; i < 2; i++) {
    const double way = i ? -1 : 1;
    in.dir.turning[i].ang[2] = way;
    if (!achd_limit_most(&turning, most_yaw - way * a->q[YAW], way * a->qd[YAW],
                         &in.b[HOSPITAL_TURNING_1 + i]))
      return false;
  }
  in.feel.lin[0] = -feel[X] * a->qd[X], in.feel.lin[1] = -feel[Y] * a->qd[Y];
  in.feel.ang[2] = -feel[YAW] * a->qd[YAW];
  if (hospital_mclp(&in, &p) & HOSPITAL_DO_NOT_COMMAND) return false;
  const achd_mclp_problem problem = {NR, p.L, p.r, p.lo, p.hi};
  if (limited && achd_mclp(&problem, nu, side, 0, work, &report) != ACHD_MCLP_SOLVED) return false;
  hospital_apply(&in, &p, nu, &out);
  force[X] = out.base.wrench_ctrl.x, force[Y] = out.base.wrench_ctrl.y;
  force[YAW] = out.base.wrench_ctrl.yaw;
  return true;
}

typedef struct walk {
  double beyond, speed, yaw, turn, force, pushed;
  bool solved;
} walk;

static walk along(record *r, bool limited, double each, double begins) {
  static arm a;
  walk w = {.beyond = -INFINITY, .solved = true};
  arm_open(&a, EXPERIMENTS_WORLDS "/hospital.world", AXES, walking.period, NULL);
  arm_things(&a, r);
  for (int k = 0; k * a.period < PUSHES * each; k++) {
    achd_area_row rows[POINTS * SIDES];
    double force[AXES] = {0}, inside = INFINITY;
    const int64_t before = nanoseconds();
    w.solved = hold_back(&a, limited, rows, force) && w.solved;
    achd_cycle_times_put(&r->times, nanoseconds() - before);
    for (int i = 0; i < POINTS * SIDES; i++) inside = fmin(inside, rows[i].distance);
    const double speed = hypot(a.qd[X], a.qd[Y]);
    const double pushed = push(&a, ways[(int)(k * a.period / each)]);
    w.beyond = fmax(w.beyond, -inside);
    w.speed = fmax(w.speed, speed);
    w.yaw = fmax(w.yaw, fabs(a.q[YAW]));
    w.turn = fmax(w.turn, fabs(a.qd[YAW]));
    w.force = fmax(w.force, hypot(force[X], force[Y]));
    w.pushed = fmax(w.pushed, pushed);
    double row[SIGNALS] = {[S_PUSH] = pushed,  [S_INSIDE] = inside, [S_SPEED] = speed,
                           [S_P + X] = a.q[X], [S_P + Y] = a.q[Y],  [S_P + 5] = a.q[YAW]};
    for (int i = 0; i < AXES; i++)
      row[S_Q + i] = a.q[i], row[S_V + i] = a.qd[i], row[S_F + i] = force[i];
    if (limited) record_put(r, NULL, begins + k * a.period, row);
    arm_command(&a, force);
  }
  arm_close(&a);
  return w;
}

bool run_hospital(int n, const char *folder) {
  static record r;
  r = (record){.folder = folder,
               .title = "a person pushes a platform, which stays inside and slow",
               .source = "Devaramani 2019, which has no numbers of it",
               .text = "Eight pushes of up to 100 N towards places outside. The wheels hold the "
                       "platform back at the boundary and at 0.5 m/s; nobody measures the push.",
               .number = n};
  record_start_plain(&r, signals, SIGNALS, 4);
  const walk free = along(&r, false, 2, 0), held = along(&r, true, 3, 0);
  const double above = held.speed / walking.velocity - 1;
  record_bound(&r, "solved in every cycle", "", NAN, held.solved, "1", held.solved);
  record_bound(&r, "beyond the boundary", "mm", NAN, 1e3 * fmax(0, held.beyond), "1",
               held.beyond <= 1e-3);
  record_bound(&r, "above the speed limit", "%", NAN, 100 * fmax(0, above), "1", above <= 0.01);
  record_bound(&r, "turned beyond 0.6 rad", "mrad", NAN, 1e3 * fmax(0, held.yaw - most_yaw), "1",
               held.yaw <= most_yaw + 1e-3);
  record_bound(&r, "above the limit of turning", "%", NAN,
               100 * fmax(0, held.turn / turning.velocity - 1), "1",
               held.turn <= 1.01 * turning.velocity);
  record_bound(&r, "nearest to the boundary, so that it is one", "mm", NAN, -1e3 * held.beyond,
               "less than 1", held.beyond > -1e-3);
  record_bound(&r, "the person's largest push", "N", NAN, held.pushed, "100", held.pushed >= 99);
  record_bound(&r, "without limits: beyond the boundary, for comparison", "m", NAN, free.beyond,
               "more than 0.1", free.beyond > 0.1);
  record_bound(&r, "without limits: turned", "rad", NAN, free.yaw, "more than 0.7", free.yaw > 0.7);
  record_say(&r, "without limits: speed", "m/s", NAN, free.speed);
  record_say(&r, "largest force of the wheels", "N", NAN, held.force);
  return record_end(&r);
}
