/* SPDX-License-Identifier: MIT */
/* load_gen3_test.c: a Gen3 takes up a load that its controller knows nothing of, holds still by
 * ABAG in two poses, and tells the load's wrench, mass and centre. The plant is the generated
 * forward dynamics with the load, the controller's model the generated solver without. */
#include <achd/load.h>
#include <achd/mclp.h>
#include <achd/predict.h>

#include "gen3_loaded.h"
#include "test.h"

enum { NJ = GEN3_NJ, NR = GEN3_NR, POSES = 2 };

static const double period = 1e-3;
static const double horizon = 0.1; /* of the prediction that damps [s] */
static const double down[3] = {0, 0, -9.81};
static const double largest[NR] = {20, 20, 20, 120, 120, 120}; /* [m/s^2, rad/s^2] */

/* robots/gen3.urdf: the bracelet, about its centre and then about its origin. */
static achd_inertia bracelet(void) {
  const achd_payload body = {0.364, {-9.3e-05, 0.000132, -0.022905}, 3};
  const achd_pose here = {{0, 0, 0}, {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}};
  const achd_inertia about_centre = {0, 0, 0, 0, 0.000214, 0, 1e-06, 0.000223, -2e-06, 0.00024};
  achd_inertia inertia;
  achd_payload_carry(&body, &here, &about_centre, &inertia);
  return inertia;
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

/* Two poses in which gravity points elsewhere in the tool. */
static const double postures[POSES][NJ] = {{0, 0.261895, 3.14159, -2.26902, 0, 0.959856, 0.57079},
                                           {0, 0.26, 3.14, -2.0, 0.3, 1.9, 0.57}};

/* The Gen3's parameters for a load that is not known (Vukcevic 2020). */
static const achd_abag_parameters abag[NR] = {
    {0.9, 0.00055, 0.0005, 0.452492, 0.0026, ACHD_ABAG_LIMITS},
    {0.9, 0.000457, 0.00045, 0.452492, 0.0026, ACHD_ABAG_LIMITS},
    {0.9, 0.000457, 0.00045, 0.452492, 0.0026, ACHD_ABAG_LIMITS},
    {0.85, 0.001007, 0.003495, 0.252492, 0.015152, ACHD_ABAG_LIMITS},
    {0.85, 0.001007, 0.003495, 0.252492, 0.015152, ACHD_ABAG_LIMITS},
    {0.85, 0.001007, 0.003495, 0.252492, 0.015152, ACHD_ABAG_LIMITS}};

typedef struct arm {
  double q[NJ], qd[NJ];
  achd_inertia carried; /* by the plant: bracelet and load */
} arm;

static achd_pose tool_pose(const arm *a, achd_pose *in_bracelet) {
  gen3_fk_in in;
  gen3_fk_out out;
  memcpy(in.q, a->q, sizeof in.q);
  gen3_fk(&in, &out);
  const achd_pose tool = ACHD_POSE_OF(out.pose.tool_frame),
                  link = ACHD_POSE_OF(out.pose.bracelet_link);
  if (in_bracelet) achd_pose_relative(&link, &tool, in_bracelet);
  return tool;
}

static achd_twist tool_twist(const arm *a) {
  gen3_fvk_in in;
  gen3_fvk_out out;
  memcpy(in.q, a->q, sizeof in.q);
  memcpy(in.qd, a->qd, sizeof in.qd);
  gen3_fvk(&in, &out);
  return ACHD_TWIST_OF(out.twist.tool_frame);
}

/* robots/gen3.urdf: <limit effort> [N m] */
static const double efforts[NJ] = {39, 39, 39, 39, 9, 9, 9};
static double dry; /* friction of the joints, as a share of their effort [1] */

static void accelerate(const arm *a, const double qd[NJ], const double tau[NJ], double gravity,
                       double qdd[NJ]) {
  gen3_fd_in in = {.gravity = {gravity * down[0], gravity * down[1], gravity * down[2]}};
  gen3_fd_out out;
  memcpy(in.q, a->q, sizeof in.q);
  memcpy(in.qd, qd, sizeof in.qd);
  memcpy(in.tau, tau, sizeof in.tau);
  in.inertia.bracelet_link = generated(&a->carried);
  gen3_fd(&in, &out);
  memcpy(qdd, out.qdd, sizeof out.qdd);
}

/* Dry friction, within a period: torques nu of at most f, by which joints stop or stay, or which
 * act against the motion that is left: M^-1 nu = w - (qd / period + qdd), w of the motion's sign.
 */
static void rub(const arm *a, double qdd[NJ]) {
  static const double still[NJ];
  double column[NJ][NJ], L[NJ * (NJ + 1) / 2], r[NJ], lo[NJ], hi[NJ], nu[NJ];
  double work[ACHD_MCLP_WORK(NJ)];
  signed char side[NJ] = {0};
  for (int j = 0; j < NJ; j++) {
    double unit[NJ] = {0};
    unit[j] = 1;
    accelerate(a, still, unit, 0, column[j]);
    r[j] = -(a->qd[j] / period + qdd[j]);
    hi[j] = dry * efforts[j], lo[j] = -hi[j];
  }
  for (int j = 0, at = 0; j < NJ; j++)
    for (int k = 0; k <= j; k++, at++) L[at] = (column[j][k] + column[k][j]) / 2;
  const achd_mclp_problem problem = {NJ, L, r, lo, hi};
  achd_mclp_report report;
  CHECK(achd_mclp(&problem, nu, side, 0, work, &report) == ACHD_MCLP_SOLVED);
  for (int j = 0; j < NJ; j++)
    for (int k = 0; k < NJ; k++) qdd[j] += column[k][j] * nu[k];
}

static void move(arm *a, const double tau[NJ]) {
  double qdd[NJ];
  accelerate(a, a->qd, tau, 1, qdd);
  if (dry > 0) rub(a, qdd);
  for (int j = 0; j < NJ; j++) {
    a->qd[j] += qdd[j] * period;
    a->q[j] += a->qd[j] * period;
  }
}

/* The solver's inputs but b: the bracelet alone, the load as far as it is estimated, and a posture
 * for the freedom that six rows leave. */
static gen3_achd_in model(const arm *a, const double posture[NJ], const double wrench[NR]) {
  gen3_achd_in in = {.gravity = {down[0], down[1], down[2]}};
  gen3_gravity_in at = {.gravity = {down[0], down[1], down[2]}};
  gen3_gravity_out hold;
  const achd_inertia own = bracelet();
  memcpy(in.q, a->q, sizeof in.q);
  memcpy(in.qd, a->qd, sizeof in.qd);
  memcpy(at.q, a->q, sizeof at.q);
  in.inertia.bracelet_link = at.inertia.bracelet_link = generated(&own);
  gen3_gravity(&at, &hold);
  for (int j = 0; j < NJ; j++)
    in.tau_art[j] = hold.tau[j] + 20 * (posture[j] - a->q[j]) - 4 * a->qd[j];
  for (int i = 0; i < 3; i++) {
    in.load.lin[i] = wrench[i];
    in.load.ang[i] = wrench[3 + i];
  }
  return in;
}

/* The wrench that bears the excess of the biases, by the solver: nu(b + excess) - nu(b). */
static void update_by_solver(achd_load *load, const gen3_achd_in *now) {
  gen3_achd_in in = *now;
  gen3_achd_out with, without;
  double change[NR];
  memset(in.b, 0, sizeof in.b);
  gen3_achd(&in, &without);
  for (int r = 0; r < NR; r++) in.b[r] = load->bias[r] * largest[r];
  gen3_achd(&in, &with);
  for (int r = 0; r < NR; r++) change[r] = without.nu[r] - with.nu[r];
  CHECK(achd_load_update_by(load, change));
}

typedef struct outcome {
  double seconds; /* until it has converged; 0: it has not */
  int updates;
  double bias_before, bias_after; /* of z, at the first quiet moment and at the end */
  double largest;                 /* change of a component of the wrench in one update [N, N m] */
} outcome;

/* A cycle of the pose's controllers; returns what the solver was asked. */
static gen3_achd_in hold(arm *a, const double posture[NJ], const achd_pose *desired,
                         const achd_load *load, achd_abag channels[NR], double bias[NR],
                         double gain[NR]) {
  const achd_pose tool = tool_pose(a, NULL);
  const achd_twist twist = tool_twist(a);
  achd_pose predicted;
  achd_twist e;
  achd_pose_predict(&tool, &twist, NULL, horizon, &predicted);
  achd_pose_difference(&predicted, desired, &e);
  gen3_achd_in in = model(a, posture, load->wrench);
  gen3_achd_out out;
  for (int r = 0; r < NR; r++) {
    achd_abag *c = &channels[r];
    in.b[r] =
        largest[r] * achd_abag_step(c, &abag[r], r < 3 ? e.lin[r] : e.ang[r - 3], c->saturated);
    bias[r] = c->bias;
    gain[r] = c->gain;
  }
  CHECK(gen3_achd(&in, &out) == GEN3_OK);
  move(a, out.tau_ctrl);
  return in;
}

/* Holds a pose until the estimate has converged, 40 s at most, and adds it to the sums. */
static outcome estimate(const double posture[NJ], const achd_load_parameters *parameters,
                        bool by_solver, const achd_payload *hidden, achd_payload_sums *sums) {
  outcome result = {0};
  arm a = {.qd = {0}};
  memcpy(a.q, posture, sizeof a.q);
  achd_pose tool_in_bracelet;
  const achd_pose desired = tool_pose(&a, &tool_in_bracelet);
  const achd_inertia own = bracelet();
  achd_payload_carry(hidden, &tool_in_bracelet, &own, &a.carried);
  achd_abag channels[NR] = {{0}};
  achd_load load;
  achd_load_reset(&load, (double[NR]){0});

  for (int k = 0; k < 40000; k++) {
    double bias[NR], gain[NR];
    const achd_pose tool = tool_pose(&a, NULL);
    const gen3_achd_in in = hold(&a, posture, &desired, &load, channels, bias, gain);

    const achd_load_event event = achd_load_step(&load, parameters, bias, gain);
    if (event == ACHD_LOAD_QUIET) {
      if (result.updates++ == 0) result.bias_before = load.bias[2];
      double before[NR];
      memcpy(before, load.wrench, sizeof before);
      if (by_solver)
        update_by_solver(&load, &in);
      else
        achd_load_update(&load, parameters);
      for (int r = 0; r < NR; r++)
        result.largest = fmax(result.largest, fabs(load.wrench[r] - before[r]));
    }
    if (event == ACHD_LOAD_CONVERGED) {
      const achd_wrench wrench = achd_wrench_of(load.wrench, load.wrench + 3);
      result.seconds = k * period;
      result.bias_after = load.bias[2];
      CHECK(achd_payload_add(sums, &wrench, &tool.R, down));
      break;
    }
  }
  return result;
}

static achd_load_parameters with_tolerance(double linear, double angular) {
  achd_load_parameters p = {
      .filter = 0.99, .bias = {1e-6, 2e-5}, .gain = {1e-3, 5e-4}, .patience = 60};
  for (int r = 0; r < NR; r++) p.tolerance[r] = r < 3 ? linear : angular;
  return p;
}

static const achd_payload hidden = {1.5, {0.02, -0.01, 0.05}, 3};

/* For joints with dry friction: as load.h says. */
static achd_load_parameters with_friction(void) {
  achd_load_parameters p = {
      .filter = 0.99, .bias = ACHD_LOAD_QUIET_BIAS, .gain = ACHD_LOAD_QUIET_GAIN, .patience = 60};
  for (int r = 0; r < NR; r++) {
    p.tolerance[r] = 0.005;
    p.largest_update[r] = r < 3 ? 10 : 3;
    p.scale[r] = (r < 3 ? 1.5 : 0.02) * largest[r];
  }
  return p;
}

static void check_found(const achd_payload_sums *sums) {
  achd_payload found;
  achd_payload_solve(sums, &found);
  printf("  found %.4f kg at %.4f %.4f %.4f m, hidden %.4f kg at %.4f %.4f %.4f m\n", found.mass,
         found.centre[0], found.centre[1], found.centre[2], hidden.mass, hidden.centre[0],
         hidden.centre[1], hidden.centre[2]);
  CHECK(found.rank == 3);
  CHECK_NEAR(found.mass, hidden.mass, 0.05 * hidden.mass);
  double square = 0;
  for (int i = 0; i < 3; i++)
    square += (found.centre[i] - hidden.centre[i]) * (found.centre[i] - hidden.centre[i]);
  CHECK(sqrt(square) < 0.01);
}

static void solver_tells_the_load_in_a_few_updates(void) {
  const achd_load_parameters p = with_tolerance(0.002, 0.0008);
  achd_payload_sums sums = {0};
  for (int k = 0; k < POSES; k++) {
    const outcome o = estimate(postures[k], &p, true, &hidden, &sums);
    printf("  pose %d: %d updates, %.2f s, bias of z from %.4f to %.4f\n", k, o.updates, o.seconds,
           o.bias_before, o.bias_after);
    CHECK(o.seconds > 0 && o.seconds < 5);
    CHECK(o.bias_before > 0.1 && fabs(o.bias_after) < 0.002);
  }
  check_found(&sums);
}

/* The literature's law: K = 3 kg and 0.05 kg m^2 times the largest command. */
static void scales_tell_the_load_in_many_updates(void) {
  achd_load_parameters p = with_tolerance(0.0005, 0.0003);
  for (int r = 0; r < NR; r++) p.scale[r] = (r < 3 ? 3 : 0.05) * largest[r];
  achd_payload_sums sums = {0};
  for (int k = 0; k < POSES; k++) {
    const outcome o = estimate(postures[k], &p, false, &hidden, &sums);
    printf("  pose %d: %d updates, %.2f s, bias of z from %.4f to %.4f\n", k, o.updates, o.seconds,
           o.bias_before, o.bias_after);
    CHECK(o.seconds > 0 && o.seconds < 30);
    CHECK(o.bias_before > 0.1 && fabs(o.bias_after) < 0.0005);
  }
  check_found(&sums);
}

static void converges(const achd_payload *load, bool by_solver, double share, double most_seconds,
                      double mass_off, double centre_off) {
  const achd_load_parameters p = with_friction();
  achd_payload_sums sums = {0};
  achd_payload found;
  dry = share;
  for (int k = 0; k < POSES; k++) {
    const outcome o = estimate(postures[k], &p, by_solver, load, &sums);
    printf("  %.1f kg, friction %.0f %%, pose %d: %d updates of %.2f at most, %.2f s\n", load->mass,
           100 * share, k, o.updates, o.largest, o.seconds);
    CHECK(o.seconds > 0 && o.seconds < most_seconds);
    CHECK(o.largest <= 10 * (1 + 1e-12));
  }
  dry = 0;
  achd_payload_solve(&sums, &found);
  printf("  found %.3f kg at %.3f %.3f %.3f m\n", found.mass, found.centre[0], found.centre[1],
         found.centre[2]);
  CHECK(found.rank == 3);
  CHECK_NEAR(found.mass, load->mass, mass_off);
  for (int i = 0; i < 3; i++) CHECK_NEAR(found.centre[i], load->centre[i], centre_off);
}

static void dry_friction_is_borne(void) {
  achd_payload load = {.centre = {0.02, -0.01, 0.05}};
  for (int share = 0; share <= 2; share++) {
    load.mass = 0.5;
    converges(&load, true, share / 100.0, 8, 0.1, 0.04);
    load.mass = 1.5;
    converges(&load, true, share / 100.0, 8, 0.1, 0.015);
    load.mass = 3;
    converges(&load, true, share / 100.0, 8, 0.1, 0.01);
  }
  load.mass = 1.5;
  converges(&load, true, 0.04, 40, 0.1, 0.02);
}

/* Slower, and less is known of the centre. */
static void dry_friction_is_borne_by_scales_too(void) {
  const achd_payload load = {1.5, {0.02, -0.01, 0.05}, 3};
  converges(&load, false, 0.02, 8, 0.15, 0.04);
}

static void nothing_carried_is_found_as_nothing(void) {
  const achd_load_parameters p = with_tolerance(0.002, 0.0008);
  const achd_payload nothing = {0, {0, 0, 0}, 3};
  achd_payload_sums sums = {0};
  achd_payload found;
  const outcome o = estimate(postures[0], &p, true, &nothing, &sums);
  CHECK(o.seconds > 0);
  achd_payload_solve(&sums, &found);
  CHECK_NEAR(found.mass, 0, 0.05);
}

/* With the load in the model, the arm holds without a bias. */
static void known_load_needs_no_bias(void) {
  arm a = {.qd = {0}};
  memcpy(a.q, postures[0], sizeof a.q);
  achd_pose tool_in_bracelet;
  tool_pose(&a, &tool_in_bracelet);
  const achd_inertia own = bracelet();
  achd_payload_carry(&hidden, &tool_in_bracelet, &own, &a.carried);
  gen3_achd_in in = model(&a, postures[0], (double[NR]){0});
  gen3_achd_out out;
  in.inertia.bracelet_link = generated(&a.carried);
  gen3_achd(&in, &out);
  gen3_fd_in plant = {.gravity = {down[0], down[1], down[2]}};
  gen3_fd_out result;
  memcpy(plant.q, a.q, sizeof plant.q);
  memcpy(plant.tau, out.tau_ctrl, sizeof plant.tau);
  plant.inertia.bracelet_link = in.inertia.bracelet_link;
  gen3_fd(&plant, &result);
  for (int j = 0; j < NJ; j++) CHECK_NEAR(result.qdd[j], out.qdd[j], 1e-9);
}

/* Learns 1.5 kg, lets go of it, and holds on for 2 s. Returns how far the tool moves [m]. */
static double let_go(bool reset) {
  const achd_load_parameters p = with_tolerance(0.002, 0.002);
  achd_pose tool_in_bracelet;
  arm a = {.qd = {0}};
  memcpy(a.q, postures[0], sizeof a.q);
  const achd_pose desired = tool_pose(&a, &tool_in_bracelet);
  const achd_inertia own = bracelet();
  achd_payload_carry(&hidden, &tool_in_bracelet, &own, &a.carried);
  achd_abag channels[NR] = {{0}};
  achd_load load;
  achd_load_reset(&load, (double[NR]){0});
  int gone = 0;
  double farthest = 0;
  for (int k = 0; k < 10000 && (gone == 0 || k < gone + 2000); k++) {
    double bias[NR], gain[NR];
    const gen3_achd_in in = hold(&a, postures[0], &desired, &load, channels, bias, gain);
    const achd_load_event event = achd_load_step(&load, &p, bias, gain);
    if (gone == 0 && event == ACHD_LOAD_QUIET) update_by_solver(&load, &in);
    if (gone == 0 && event == ACHD_LOAD_CONVERGED) {
      gone = k;
      a.carried = own;
      if (reset) achd_load_reset(&load, bias);
    }
    const achd_pose tool = tool_pose(&a, NULL);
    for (int i = 0; i < 3 && gone > 0; i++)
      farthest = fmax(farthest, fabs(tool.p[i] - desired.p[i]));
  }
  CHECK(gone > 0);
  return farthest;
}

/* What load.h says of a load that is let go of. */
static void load_that_is_let_go_of_throws_the_arm_unless_it_is_forgotten(void) {
  const double thrown = let_go(false), forgotten = let_go(true);
  printf("  1.5 kg let go of: %.4f m; forgotten at the same moment: %.6f m\n", thrown, forgotten);
  CHECK(thrown > 0.05);
  CHECK(forgotten < 1e-3);
}

int main(void) {
  RUN(solver_tells_the_load_in_a_few_updates);
  RUN(scales_tell_the_load_in_many_updates);
  RUN(dry_friction_is_borne);
  RUN(dry_friction_is_borne_by_scales_too);
  RUN(nothing_carried_is_found_as_nothing);
  RUN(known_load_needs_no_bias);
  RUN(load_that_is_let_go_of_throws_the_arm_unless_it_is_forgotten);
  return test_end();
}
