/* SPDX-License-Identifier: MIT */
/* quadruped_optimum_test.c: the quadruped by the best torques within limits
 * (robots/whole_body/quadruped_optimum.lua; qp, achd_qp, apply), in MuJoCo, doing what
 * quadruped_motions.h says; it withstands pushes of 30 N, and one of 60 N, which makes it slip where
 * contacts are equalities, and moves on ice. In every cycle the forces of contact are compared with
 * their cones and the torques with the motors' limits, in every tenth the answer with its
 * certificate. In states of falls at random, with motors of random strength, every problem gets its
 * answer. With a folder as argument it draws what it did. ACHD_SWEEP: 10^6 falls in place of 2000, and
 * 96 pushes in place of 4. */
#include "whole_body/account.h"
#include "whole_body/falls.h"
#include "whole_body/quadruped_motions.h"

#define QUADRUPED_OPTIMUM_IMPLEMENTATION
#include "quadruped_optimum.h"

#include <stdint.h>
#include <stdlib.h>

enum {
  NJ = QUADRUPED_OPTIMUM_NJ,
  NX = QUADRUPED_OPTIMUM_NX,
  NQ = QUADRUPED_OPTIMUM_NQ,
  LEVELS = QUADRUPED_OPTIMUM_LEVELS
};
static const int force_of[FEET] = {QUADRUPED_OPTIMUM_FL_LIN_X, QUADRUPED_OPTIMUM_FR_LIN_X,
                                   QUADRUPED_OPTIMUM_RL_LIN_X, QUADRUPED_OPTIMUM_RR_LIN_X};
static signed char side[NQ];
static account sum;
static int not_finite;

static void input_of(const demand *d, quadruped_optimum_achd_in *in) {
  memcpy(in->q, d->q, sizeof in->q);
  memcpy(in->qd, d->qd, sizeof in->qd);
  in->base.quat = (quadruped_optimum_quaternion){d->quat[0], d->quat[1], d->quat[2], d->quat[3]};
  memcpy(in->base.twist.lin, d->lin, sizeof d->lin);
  memcpy(in->base.twist.ang, d->ang, sizeof d->ang);
  in->mu.fl = in->mu.fr = in->mu.rl = in->mu.rr = d->friction;
  memcpy(&in->b[QUADRUPED_OPTIMUM_PLACE_LIN_X], d->place, 2 * sizeof *d->place);
  in->b[QUADRUPED_OPTIMUM_UPRIGHT_LIN_Z] = d->place[2];
  memcpy(&in->b[QUADRUPED_OPTIMUM_UPRIGHT_ANG_X], d->turn, sizeof d->turn);
  memcpy(&in->b[QUADRUPED_OPTIMUM_SWING_LIN_X], d->swing, sizeof d->swing);
  for (int i = 0; i < 3; i++) {
    in->mask[QUADRUPED_OPTIMUM_SWING_LIN_X + i] = d->lifted;
    in->mask[QUADRUPED_OPTIMUM_FL_LIN_X + i] = !d->lifted;
  }
}

/* Cycles that get no answer, for a test of what is commanded then: from 0.5 s on, so many of every 100. */
static int withheld;
static int without; /* answer, cycles in a row */
enum { BRIDGED = 20 };

static bool answer_is_withheld(void) {
  const double t = simulation_time(&sim) - 0.5;
  return withheld > 0 && t > 0 && (int)lrint(1000 * t) % 100 < withheld;
}

/* Joints that are damped: the robot sinks down. N m s/rad; legs of 12 kg fold within half a second. */
static void let_down(const demand *d, double tau[LEG_JOINTS]) {
  static const double damping = 2;
  for (int j = 0; j < NJ; j++) tau[j] = fmax(-20, fmin(20, -damping * d->qd[j]));
}

/* The best torques; where there is no answer, those of the last cycle, and after BRIDGED cycles of that the joints are
 * damped. Tells the level that yields, -1: none. */
static double command(const demand *d, double tau[LEG_JOINTS]) {
  static achd_real work[ACHD_QP_WORK(NX, NQ)], dual[ACHD_QP_DUAL(LEVELS, NQ)], x[NX];
  static quadruped_optimum_achd_in in;
  static quadruped_optimum_qp_out p;
  static quadruped_optimum_achd_out out;
  quadruped_optimum_achd_out found;
  input_of(d, &in);
  account_begin(&sum);
  quadruped_optimum_status status = quadruped_optimum_qp(&in, &p);
  const achd_qp_problem problem = {NX, NQ, LEVELS, p.H, p.g, p.A, p.lo, p.hi, p.level, p.weight};
  const int level = account_solve(&sum, &problem, x, dual, side, work);
  status |= quadruped_optimum_apply(&in, &p, x, &found);
  const bool answered =
      level > -2 && !(status & QUADRUPED_OPTIMUM_DO_NOT_COMMAND) && !answer_is_withheld();
  account_end(&sum, answered);
  without = answered ? 0 : without + 1;
  if (answered) out = found;
  memcpy(tau, out.tau_ctrl, sizeof out.tau_ctrl);
  if (without > BRIDGED) let_down(d, tau);
  for (int j = 0; j < NJ; j++) not_finite += !isfinite(tau[j]);
  for (int k = 0; k < FEET && level != 1; k++)
    account_cone(&sum, &out.nu[force_of[k]], d->friction);
  return answered ? level : 0;
}

/* What holds of every motion, except while the robot falls. */
static void ends(double slip) {
  account_print(&sum);
  CHECK(sum.unsolved == 0 && not_finite == 0);
  CHECK(sum.refused == 0 && sum.checked >= sum.cycles / 10);
  CHECK(sum.outside < 1e-6); /* N */
  CHECK(simulation_largest(&sim, LOAD, 0, 1e9) > 10);
  end(slip);
  memset(side, 0, sizeof side);
  sum = (account){0};
}

static bool none_yields(void) {
  int yields = 0;
  for (int k = 1; k <= LEVELS; k++) yields += sum.yielded[k];
  return yields == 0;
}

static bool place_alone_yields(int cycles) {
  return sum.yielded[4] > cycles && sum.yielded[1] + sum.yielded[2] + sum.yielded[3] == 0;
}

static void it_stands(void) {
  stand();
  CHECK(none_yields());
  ends(0.002);
}

static void it_moves_along_a_circle(void) {
  move_along_a_circle(10);
  CHECK(none_yields());
  ends(0.006); /* balls of 2 cm roll by 4 mm */
}

static void it_lifts_a_foot(void) {
  lift_a_foot();
  ends(0.007);
}

static void it_withstands_30_newtons(void) {
  push("side", 0.8, 0, 30, 200, 28);
  it_comes_back(ERROR_Y, 0.02);
  ends(0.003);
  push("behind", 0.8, 30, 0, 200, 28);
  it_comes_back(ERROR_X, 0.02);
  ends(0.003);
}

/* quadruped_test.c shows how its feet slip where contacts are equalities, with the same gains. Here
 * the place of the trunk, level 4, gives way as long as cones do not allow more. */
static void it_withstands_60_newtons(void) {
  push("stiff", 0.8, 0, 60, 200, 28);
  it_comes_back(ERROR_Y, 0.04);
  CHECK(place_alone_yields(50));
  CHECK(friction_used > 0.6 && friction_used < 0.8); /* all that it is allowed; no foot slides */
  ends(0.006);
}

/* A push of 60 N from the side while so many cycles of every 100 have no answer. */
static void push_without_answers(const char *name, int cycles) {
  withheld = cycles;
  push(name, 0.8, 0, 60, 200, 28);
  CHECK(sum.unsolved > 18 * cycles);
  withheld = 0;
}

/* Cycles that are left without an answer, 20 of them on end, are bridged by the torques of the last cycle. */
static void torques_of_the_last_cycle_bridge(void) {
  push_without_answers("bridged", BRIDGED);
  it_comes_back(ERROR_Y, 0.04);
  sum.unsolved = 0;
  ends(0.006);
}

/* Where answers do not come any more, damped joints let the robot down: it is at rest within a second, on its belly. */
static void damped_joints_let_it_down(void) {
  push_without_answers("let_down", 100);
  show();
  printf("  it sinks by %.0f mm, at %.2g mm/s in the end\n",
         1e3 * simulation_largest(&sim, ERROR_Z, 2.4, 2.5),
         1e3 * mju_norm3(simulation_at(&sim, "trunk").v));
  CHECK(simulation_largest(&sim, ERROR_Z, 2.4, 2.5) > 0.1);
  CHECK(simulation_largest(&sim, TILT, 0, 2.5) < 0.6); /* it does not roll over */
  CHECK(mju_norm3(simulation_at(&sim, "trunk").v) < 0.01 && sim.most_torque <= 1);
  simulation_close(&sim);
  memset(side, 0, sizeof side);
  sum = (account){0}, without = 0;
}

/* A wanted step of 7 cm would take 14 m/s^2; ice gives 0.3 m/s^2. */
static void on_ice_it_moves_slowly(void) {
  begin("ice", 0.05);
  wish w = standing();
  w.trunk[0] += 0.05, w.trunk[1] += 0.05;
  for (double t = 0; t < 4; t = simulation_time(&sim)) cycle(&w);
  CHECK(place_alone_yields(500));
  for (int i = 0; i < 3; i++) CHECK(simulation_largest(&sim, ERROR_X + i, 3.5, 4) < 0.003);
  CHECK(simulation_largest(&sim, TILT, 0, 4) < 0.01);
  ends(0.01);
}

/* 30 N for 0.2 s are more than ice can stop: the robot falls. No torque is NaN or beyond its limit,
 * and levels tell: first the place yields, then what keeps upright, then limits and cones. */
static void on_ice_a_push_makes_it_fall(void) {
  push("ice_push", 0.05, 0, 30, 200, 28);
  show();
  account_print(&sum);
  CHECK(simulation_largest(&sim, TILT, 1.5, 2.5) > 0.5);
  CHECK(simulation_largest(&sim, TOLD, 0.52, 0.7) == 4);
  CHECK(sum.yielded[1] > 0 && sum.yielded[3] > 0);
  CHECK(sum.unsolved == 0 && not_finite == 0);
  CHECK(sum.checked > 200 && sum.refused == 0);
  CHECK(sim.most_torque <= 1 + 1e-9);
  simulation_close(&sim);
}

/* ---- falls at random ---- */

static uint64_t seed;

static double between(double a, double b) {
  seed ^= seed << 13, seed ^= seed >> 7, seed ^= seed << 17;
  return a + (b - a) * (double)(seed >> 11) * 0x1p-53;
}

/* fall: 0 standing, 1 in full fall. Joints may be at their limits, floors may be ice. */
static void draw_fall(double fall, quadruped_optimum_achd_in *in) {
  static const double stance[3] = {0, 0.8, -1.6}, lower[3] = {-0.9, -0.7, -2.7},
                      upper[3] = {0.9, 4.2, -0.9};
  *in = (quadruped_optimum_achd_in)QUADRUPED_OPTIMUM_ACHD_IN_DEFAULT;
  for (int j = 0; j < NJ; j++) {
    double q = stance[j % 3] + fall * between(-0.9, 0.9);
    if (between(0, 1) < 0.1 * fall)
      q = between(0, 1) < 0.5 ? lower[j % 3] + between(-0.02, 0.1)
                              : upper[j % 3] - between(-0.02, 0.1);
    in->q[j] = fmin(fmax(q, lower[j % 3] - 0.02), upper[j % 3] + 0.02);
    in->qd[j] = fall * between(-8, 8);
  }
  const double x = between(-1, 1) * fall, y = between(-1, 1) * fall, z = between(-1, 1) * fall;
  const double w = 1 / sqrt(1 + x * x + y * y + z * z);
  in->base.quat = (quadruped_optimum_quaternion){w, w * x, w * y, w * z};
  for (int i = 0; i < 3; i++) {
    in->base.twist.lin[i] = fall * between(-2, 2);
    in->base.twist.ang[i] = fall * between(-6, 6);
  }
  const double mu = between(0, 1) < 0.5 ? 0.04 : between(0, 0.7);
  in->mu.fl = in->mu.fr = in->mu.rl = in->mu.rr = mu;
  for (int i = 0; i < QUADRUPED_OPTIMUM_NR; i++) in->b[i] = 0;
  for (int i = 0; i < 9; i++) in->b[i] = between(-1, 1) * (200 * fall + 1);
  const bool lifted = between(0, 1) < 0.2;
  for (int i = 0; i < 3; i++) {
    in->mask[QUADRUPED_OPTIMUM_SWING_LIN_X + i] = lifted;
    in->mask[QUADRUPED_OPTIMUM_FL_LIN_X + i] = !lifted;
  }
}

/* Is the row outside of its bounds, and none of levels before its own? */
static bool names_the_first(const achd_qp_problem *p, const double x[], int level, int row) {
  for (int j = 0; j < p->rows; j++) {
    double value = 0, size = 1;
    for (int i = 0; i < p->unknowns; i++) {
      value += p->A[j * p->unknowns + i] * x[i];
      size += fabs(p->A[j * p->unknowns + i] * x[i]);
    }
    const double v = fmax(fmax(p->lo[j] - value, value - p->hi[j]), 0);
    if (p->level[j] < level && v > 1e-7 * size) return false;
    if (j == row && (!(v > 0) || p->level[j] != level)) return false;
  }
  return true;
}

static void every_fall_has_an_answer(void) {
  static achd_real work[ACHD_QP_WORK(NX, NQ)], dual[ACHD_QP_DUAL(LEVELS, NQ)], x[NX];
  static quadruped_optimum_achd_in in;
  static quadruped_optimum_qp_out p;
  const int falls = getenv("ACHD_SWEEP") ? 1000000 : 2000;
  int yields[LEVELS + 1] = {0}, solved = 0, unsolved = 0, refused = 0, misnamed = 0, steps = 0;
  for (int k = 0; k < falls; k++) {
    seed = 88172645463325252u + (uint64_t)k * 7919;
    for (int i = 0; i < 5; i++) (void)between(0, 1);
    draw_fall(between(0, 1), &in);
    CHECK((quadruped_optimum_qp(&in, &p) & QUADRUPED_OPTIMUM_DO_NOT_COMMAND) == 0);
    const double strength = k % 3 == 0 ? pow(10, between(-3, 0)) : 1;
    for (int j = 0; j < NJ; j++) p.lo[j] *= strength, p.hi[j] *= strength;
    const achd_qp_problem problem = {NX, NQ, LEVELS, p.H, p.g, p.A, p.lo, p.hi, p.level, p.weight};
    signed char cold[NQ] = {0};
    achd_qp_report report;
    achd_qp_certificate certificate;
    const achd_qp_status status = achd_qp(&problem, x, dual, cold, 0, work, &report);
    if (report.steps > steps) steps = report.steps;
    if (status != ACHD_QP_SOLVED && status != ACHD_QP_YIELDED) {
      unsolved++;
      continue;
    }
    refused += !achd_qp_check(&problem, x, dual, &certificate);
    solved += status == ACHD_QP_SOLVED;
    if (status == ACHD_QP_YIELDED) yields[report.level]++;
    misnamed +=
        status == ACHD_QP_YIELDED && !names_the_first(&problem, x, report.level, report.row);
  }
  printf("%d falls: %d met in full, levels 1 to 4 yield first in %d, %d, %d, %d; %d not solved, %d "
         "refused, %d misnamed; %d steps at most\n",
         falls, solved, yields[1], yields[2], yields[3], yields[4], unsolved, refused, misnamed,
         steps);
  CHECK(solved > falls / 200);
  for (int k = 1; k <= LEVELS; k++) CHECK(yields[k] > falls / 200);
  CHECK(unsolved == 0 && refused == 0 && misnamed == 0);
}

/* Of 96 pushes, by default three of the strongest, and the one after which most cycles were without an answer where rows that follow
 * from others were told by the rounding of their terms alone (`hardly` in qp_factors.c). */
static void every_cycle_under_a_push_has_an_answer(void) {
  static const int chosen[] = {60, 72, 74, 78};
  const int few = sizeof chosen / sizeof *chosen;
  const bool sweep = getenv("ACHD_SWEEP") != NULL;
  int fallen = 0;
  for (int i = 0; i < (sweep ? FALLS_ALL : few); i++) {
    pushed f = pushed_by(sweep ? i : chosen[i]);
    sum = (account){.all = true};
    begin(f.name, 0.8);
    const wish w = standing();
    while (pushed_goes_on(&f, &sim, "trunk")) cycle(&w);
    pushed_ends(&f, &sum, who->name);
    CHECK(not_finite == 0);
    fallen += f.tilt > 1;
    simulation_close(&sim);
    memset(side, 0, sizeof side);
    sum = (account){0};
  }
  CHECK(fallen > 0);
}

int main(int argc, char **argv) {
  static const char *const joints[] = QUADRUPED_OPTIMUM_JOINT_NAMES;
  const controller best = {"quadruped_optimum", "level that yields",
                           WHOLE_BODY_MODELS "/quadruped_optimum.xml", joints, command};
  who = &best;
  folder = argc > 1 ? argv[1] : NULL;
  RUN(it_stands);
  RUN(it_moves_along_a_circle);
  RUN(it_lifts_a_foot);
  RUN(it_withstands_30_newtons);
  RUN(it_withstands_60_newtons);
  RUN(torques_of_the_last_cycle_bridge);
  RUN(damped_joints_let_it_down);
  RUN(on_ice_it_moves_slowly);
  RUN(on_ice_a_push_makes_it_fall);
  RUN(every_cycle_under_a_push_has_an_answer);
  RUN(every_fall_has_an_answer);
  return test_end();
}
