/* SPDX-License-Identifier: MIT */
/* load.c: experiment 6 (Vukcevic 2020): a Gen3 holds a pose by ABAG while it carries a load of which
 * it knows nothing, learns the load's mass and centre from the biases, in two poses in which gravity
 * points elsewhere in the tool, and holds again with the load known. Chosen before running, from what
 * achd/load.h says to expect: mass to 0.1 kg, centre to 0.04 m, 8 s a pose. With the load known, the
 * biases stay within the tolerance by which a load is noticed, 0.005, and three times that for the
 * dry friction that may be on either side when the arm comes to rest. */
#include "experiments/experiment.h"

#include <achd/identify.h>
#include <achd/load.h>
#include <achd/predict.h>

#include "gen3_loaded.h"
#include "runtime/random.h"

enum { NJ = GEN3_NJ, NR = GEN3_NR, POSES = 2 };
static const double horizon = 0.1, longest = 20; /* [s] */
static const double down[3] = {0, 0, -9.81};
static const double largest[NR] = {20, 20, 20, 120, 120, 120}; /* [m/s^2, rad/s^2] */
static const double postures[POSES][NJ] = {{0, 0.261895, 3.14159, -2.26902, 0, 0.959856, 0.57079},
                                           {0, 0.26, 3.14, -2.0, 0.3, 1.9, 0.57}};
static const achd_payload hidden = {1.5, {0.02, -0.01, 0.05}, 3};

/* The Gen3's parameters for a load that is not known (Vukcevic 2020). */
static const achd_abag_parameters abag[NR] = {
    {0.9, 0.00055, 0.0005, 0.452492, 0.0026, ACHD_ABAG_LIMITS},
    {0.9, 0.000457, 0.00045, 0.452492, 0.0026, ACHD_ABAG_LIMITS},
    {0.9, 0.000457, 0.00045, 0.452492, 0.0026, ACHD_ABAG_LIMITS},
    {0.85, 0.001007, 0.003495, 0.252492, 0.015152, ACHD_ABAG_LIMITS},
    {0.85, 0.001007, 0.003495, 0.252492, 0.015152, ACHD_ABAG_LIMITS},
    {0.85, 0.001007, 0.003495, 0.252492, 0.015152, ACHD_ABAG_LIMITS}};

/* Signals of the log. */
enum {
  Q = 0,
  QD = Q + NJ,
  TAU = QD + NJ,
  PLACE = TAU + NJ,
  BIAS = PLACE + 3,
  WRENCH = BIAS + 6,
  PHASE = WRENCH + 6,
  SIGNALS
};

static void name_signals(achd_signal *signals) {
  static const char *const joints[] = {"joint_1", "joint_2", "joint_3", "joint_4",
                                       "joint_5", "joint_6", "joint_7"},
                           *const rows[] = {"lin_x", "lin_y", "lin_z", "ang_x", "ang_y", "ang_z"},
                           *const place[] = {"p_x", "p_y", "p_z"};
  for (int j = 0; j < NJ; j++) {
    signals[Q + j] = (achd_signal){"q", joints[j], 0, "rad"};
    signals[QD + j] = (achd_signal){"qd", joints[j], 0, "rad/s"};
    signals[TAU + j] = (achd_signal){"tau", joints[j], 0, "N m"};
  }
  for (int i = 0; i < 3; i++) signals[PLACE + i] = (achd_signal){"tool", place[i], 0, "m"};
  for (int i = 0; i < 6; i++) {
    signals[BIAS + i] = (achd_signal){"bias", rows[i], 0, "1"};
    signals[WRENCH + i] = (achd_signal){"load", rows[i], 0, i < 3 ? "N" : "N m"};
  }
  signals[PHASE] = (achd_signal){"state", NULL, 0, "1"};
}

static gen3_inertia generated(const achd_inertia *i) {
  return (gen3_inertia){.m = i->m,
                        .mx = i->mx,
                        .my = i->my,
                        .mz = i->mz,
                        .xx = i->xx,
                        .xy = i->xy,
                        .xz = i->xz,
                        .yy = i->yy,
                        .yz = i->yz,
                        .zz = i->zz};
}

/* robots/gen3.urdf: the bracelet with a load, about its origin. */
static achd_inertia bracelet_with(const achd_payload *load, const achd_pose *tool_in_bracelet) {
  const achd_payload body = {0.364, {-9.3e-05, 0.000132, -0.022905}, 3};
  const achd_pose here = {{0, 0, 0}, {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}};
  const achd_inertia centre = {0, 0, 0, 0, 0.000214, 0, 1e-06, 0.000223, -2e-06, 0.00024};
  achd_inertia own, both;
  achd_payload_carry(&body, &here, &centre, &own);
  achd_payload_carry(load, tool_in_bracelet, &own, &both);
  return both;
}

typedef struct holding {
  double time;      /* of the experiment, going on [s] */
  double seconds;   /* until the estimate has converged; 0: it has not */
  double farthest;  /* of the tool from its place [m] */
  double most_bias; /* of the filtered biases at the end [1] */
  int updates;
} holding;

static achd_pose tool_pose(const double *q, achd_pose *tool_in_bracelet) {
  gen3_fk_in in;
  gen3_fk_out out;
  memcpy(in.q, q, sizeof in.q);
  gen3_fk(&in, &out);
  const achd_pose tool = ACHD_POSE_OF(out.pose.tool_frame),
                  link = ACHD_POSE_OF(out.pose.bracelet_link);
  achd_pose_relative(&link, &tool, tool_in_bracelet);
  return tool;
}

/* The wrench that bears the excess of the biases, by the solver: nu(b + excess) - nu(b). */
static void update(achd_load *load, const gen3_achd_in *now) {
  gen3_achd_in in = *now;
  gen3_achd_out with, without;
  double change[NR];
  memset(in.b, 0, sizeof in.b);
  gen3_achd(&in, &without);
  for (int r = 0; r < NR; r++) in.b[r] = load->bias[r] * largest[r];
  gen3_achd(&in, &with);
  for (int r = 0; r < NR; r++) change[r] = without.nu[r] - with.nu[r];
  achd_load_update_by(load, change);
}

/* Holds a pose for `time` at most, or until the estimate of the load has converged. known: the load
 * that the controller's model has. */
static holding hold(record *r, const char *world, int pose, const achd_payload *known,
                    bool estimates, double time, achd_payload_sums *sums, double begins) {
  static arm a;
  achd_load_parameters p = {
      .filter = 0.99, .bias = ACHD_LOAD_QUIET_BIAS, .gain = ACHD_LOAD_QUIET_GAIN, .patience = 60};
  for (int k = 0; k < NR; k++) p.tolerance[k] = 0.005, p.largest_update[k] = k < 3 ? 10 : 3;
  holding h = {.time = begins};
  achd_abag channels[NR] = {{0}};
  achd_load load;
  achd_pose tool_in_bracelet;
  achd_load_reset(&load, (double[NR]){0});
  arm_open(&a, world, NJ, 1e-3, NULL);
  const achd_pose desired = tool_pose(a.q, &tool_in_bracelet);
  const achd_inertia carried = bracelet_with(known, &tool_in_bracelet);
  for (int k = 0; k * a.period < time; k++, h.time += a.period) {
    const int64_t before = nanoseconds();
    gen3_achd_in in = {.gravity = {down[0], down[1], down[2]}};
    gen3_gravity_in at = {.gravity = {down[0], down[1], down[2]}};
    gen3_fvk_in moving;
    gen3_achd_out out;
    gen3_gravity_out weight;
    gen3_fvk_out twist;
    achd_pose predicted;
    achd_twist e;
    double bias[NR], gain[NR], row[SIGNALS];
    const achd_pose tool = tool_pose(a.q, &tool_in_bracelet);
    memcpy(in.q, a.q, sizeof in.q);
    memcpy(in.qd, a.qd, sizeof in.qd);
    memcpy(at.q, a.q, sizeof at.q);
    memcpy(moving.q, a.q, sizeof moving.q);
    memcpy(moving.qd, a.qd, sizeof moving.qd);
    gen3_fvk(&moving, &twist);
    const achd_twist v = ACHD_TWIST_OF(twist.twist.tool_frame);
    achd_pose_predict(&tool, &v, NULL, horizon, &predicted);
    achd_pose_difference(&predicted, &desired, &e);
    in.inertia.bracelet_link = at.inertia.bracelet_link = generated(&carried);
    gen3_gravity(&at, &weight);
    for (int j = 0; j < NJ; j++)
      in.tau_art[j] = weight.tau[j] + 20 * (postures[pose][j] - a.q[j]) - 4 * a.qd[j];
    for (int c = 0; c < NR; c++) {
      achd_abag *channel = &channels[c];
      in.b[c] = largest[c] * achd_abag_step(channel, &abag[c], c < 3 ? e.lin[c] : e.ang[c - 3],
                                            channel->saturated);
      bias[c] = channel->bias;
      gain[c] = channel->gain;
    }
    for (int i = 0; i < 3; i++) {
      in.load.lin[i] = load.wrench[i];
      in.load.ang[i] = load.wrench[3 + i];
    }
    gen3_achd(&in, &out);
    achd_cycle_times_put(&r->times, nanoseconds() - before);
    for (int j = 0; j < NJ; j++)
      row[Q + j] = a.q[j], row[QD + j] = a.qd[j], row[TAU + j] = out.tau_ctrl[j];
    for (int i = 0; i < 3; i++) row[PLACE + i] = tool.p[i];
    for (int c = 0; c < 6; c++) row[BIAS + c] = bias[c], row[WRENCH + c] = load.wrench[c];
    row[PHASE] = estimates ? pose : POSES;
    record_put(r, NULL, h.time, row);
    arm_command(&a, out.tau_ctrl);
    double apart = 0;
    for (int i = 0; i < 3; i++) apart += (tool.p[i] - desired.p[i]) * (tool.p[i] - desired.p[i]);
    h.farthest = fmax(h.farthest, sqrt(apart));
    const achd_load_event event = achd_load_step(&load, &p, bias, gain);
    if (estimates && event == ACHD_LOAD_QUIET) {
      update(&load, &in);
      h.updates++;
    }
    if (!estimates || event != ACHD_LOAD_CONVERGED) continue;
    const achd_wrench wrench = achd_wrench_of(load.wrench, load.wrench + 3);
    h.seconds = k * a.period;
    achd_payload_add(sums, &wrench, &tool.R, down);
    break;
  }
  for (int c = 0; c < NR; c++) h.most_bias = fmax(h.most_bias, fabs(load.bias[c]));
  arm_close(&a);
  return h;
}

/* ---- the same load, learnt while the arm moves (achd/identify.h) ---- */

ACHD_IDENTIFY_LOAD(gen3, GEN3, bracelet_link);

/* Sines of 1 rad/s about a pose by stiffness and damping. */
static void follow(const arm *a, double t, double tau[NJ]) {
  static const double stiffness[NJ] = {400, 400, 300, 300, 60, 60, 60};
  gen3_gravity_in at = GEN3_GRAVITY_IN_DEFAULT;
  gen3_gravity_out weight;
  memcpy(at.q, a->q, sizeof at.q);
  gen3_gravity(&at, &weight);
  for (int j = 0; j < NJ; j++) {
    const double rate = 2 + 0.6 * j, begin = fmin(1, 2 * t);
    const double e = postures[0][j] + begin * sin(rate * t) / rate - a->q[j];
    tau[j] = weight.tau[j] + stiffness[j] * (e + (begin * cos(rate * t) - a->qd[j]) / 8);
  }
}

/* Returns whether the motion has told mass and centre, in the tool frame, within 3 s; readings have noise of 1e-4 rad,
 * 1e-3 rad/s and 1 % of the URDF's efforts, and friction is known to 2 %. */
static bool learn_moving(achd_payload *found) {
  static arm a;
  static achd_identify_filter filter;
  static achd_identify state;
  static const double effort[NJ] = {39, 39, 39, 39, 9, 9, 9};
  static const double sigma[NJ] = {0.2, 0.2, 0.2, 0.2, 0.06, 0.06, 0.06};
  static const achd_identify_prior priors[10] = {{0, 3},    {0, 0.3},  {0, 0.3},  {0, 0.3},
                                                 {0, 0.03}, {0, 0.03}, {0, 0.03}, {0, 0.03},
                                                 {0, 0.03}, {0, 0.03}};
  const achd_identify_setup setup = {priors, sigma, 10, NJ, 30, ACHD_INFINITY, 0.1};
  const gen3_momentum_in robot = GEN3_MOMENTUM_IN_DEFAULT;
  achd_observer_joint friction[NJ];
  achd_identify_estimate estimate;
  achd_pose tool_in_bracelet;
  unsigned long long seed = 1;
  double tau[NJ] = {0};
  for (int j = 0; j < NJ; j++)
    friction[j] = (achd_observer_joint){.coulomb = 1.02 * 0.02 * effort[j], .speed = 0.005};
  achd_identify_reset(&state), achd_identify_filter_reset(&filter);
  arm_open(&a, EXPERIMENTS_WORLDS "/gen3_load_1.world", NJ, 1e-3, NULL);
  for (double t = 0; t < 3; t += a.period) {
    double q[NJ], qd[NJ], measured[NJ];
    for (int j = 0; j < NJ; j++) {
      q[j] = a.q[j] + 1e-4 * random_normal(&seed), qd[j] = a.qd[j] + 1e-3 * random_normal(&seed);
      measured[j] = tau[j] + 0.01 * effort[j] * random_normal(&seed);
    }
    (void)gen3_identify_load(&filter, &state, &setup, &robot.inertia.bracelet_link, q, qd, measured,
                             friction, a.period);
    follow(&a, t, tau);
    arm_command(&a, tau);
  }
  (void)tool_pose(a.q, &tool_in_bracelet);
  arm_close(&a);
  (void)achd_identify_solve(&state, &setup, &estimate);
  *found = (achd_payload){.mass = estimate.value[0], .rank = 3};
  for (int i = 0; i < 3; i++) {
    found->centre[i] = 0;
    for (int k = 0; k < 3; k++)
      found->centre[i] += tool_in_bracelet.R.m[k][i] *
                          (estimate.value[1 + k] / estimate.value[0] - tool_in_bracelet.p[k]);
  }
  return (estimate.told & 15) == 15;
}

/* Rows of the record for a load that was found: limits of its mass and of its centre. */
static void bound_load(record *r, const achd_payload *found, bool told) {
  double off = 0;
  for (int i = 0; i < 3; i++) off += pow(found->centre[i] - hidden.centre[i], 2);
  record_bound(r, "mass found in 3 s of motion", "kg", NAN, found->mass, "to 2 %",
               told && fabs(found->mass - hidden.mass) <= 0.02 * hidden.mass);
  record_bound(r, "centre found in 3 s of motion, off by", "m", NAN, sqrt(off), "0.005",
               sqrt(off) <= 0.005);
}

bool run_load(int n, const char *folder) {
  static const char *const worlds[POSES] = {EXPERIMENTS_WORLDS "/gen3_load_1.world",
                                            EXPERIMENTS_WORLDS "/gen3_load_2.world"};
  static record r;
  achd_signal signals[SIGNALS];
  const achd_payload nothing = {0, {0, 0, 0}, 3};
  achd_payload_sums sums = {0};
  achd_payload found;
  double time = 0, slowest = 0, off = 0;
  bool all = true;
  int updates = 0;
  r = (record){.folder = folder,
               .title = "the Gen3 learns what it carries",
               .source = "Vukcevic 2020, chapter 7, load estimation",
               .text = "It holds two poses one after the other and learns the load (states 0 and "
                       "1), then holds the first one again with the load known (state 2).",
               .number = n};
  name_signals(signals);
  record_start_plain(&r, signals, SIGNALS, 4);
  for (int k = 0; k < POSES; k++) {
    const holding h = hold(&r, worlds[k], k, &nothing, true, longest, &sums, time);
    time = h.time;
    all = all && h.seconds > 0;
    slowest = fmax(slowest, h.seconds);
    updates += h.updates;
  }
  achd_payload_solve(&sums, &found);
  const holding before = hold(&r, worlds[0], 0, &nothing, false, 3, &sums, time);
  const holding after = hold(&r, worlds[0], 0, &found, false, 3, &sums, before.time);
  for (int i = 0; i < 3; i++) off += pow(found.centre[i] - hidden.centre[i], 2);
  off = sqrt(off);
  record_bound(&r, "mass found of 1.5 kg", "kg", NAN, found.mass, "to 0.1",
               fabs(found.mass - hidden.mass) <= 0.1);
  record_bound(&r, "centre found, off by", "m", NAN, off, "0.04", off <= 0.04);
  record_bound(&r, "slower of the two poses", "s", NAN, slowest, "8", all && slowest <= 8);
  record_say(&r, "updates of the estimate", "1", NAN, updates);
  record_say(&r, "largest bias after 3 s, load not known", "1", NAN, before.most_bias);
  record_bound(&r, "largest bias after 3 s, load known", "1", NAN, after.most_bias, "0.015",
               after.most_bias <= 0.015);
  record_say(&r, "farthest from the pose, load not known", "m", NAN, before.farthest);
  record_bound(&r, "farthest from the pose, load known", "m", NAN, after.farthest,
               "less than without", after.farthest < before.farthest);
  const bool told = learn_moving(&found);
  bound_load(&r, &found, told);
  return record_end(&r);
}
