/* SPDX-License-Identifier: MIT */
/* humanoid_optimum_test.c: the humanoid by the best torques within limits
 * (robots/whole_body/humanoid_optimum.lua; qp, achd_qp, apply), in MuJoCo, doing what
 * humanoid_motions.h says; it withstands pushes of 40 N for 0.2 s, has an answer under 100 N, and in every cycle while it falls
 * (ACHD_SWEEP: under 96 pushes in place of one). In every cycle the forces at the corners of
 * its soles are compared with their cones and the torques with the motors' limits, in every tenth the
 * answer with its certificate. With a folder as argument it draws what it did. */
#include "whole_body/account.h"
#include "whole_body/falls.h"
#include "whole_body/humanoid_motions.h"

#define HUMANOID_OPTIMUM_IMPLEMENTATION
#include "humanoid_optimum.h"

#include <stdlib.h>

enum {
  NJ = HUMANOID_OPTIMUM_NJ,
  NX = HUMANOID_OPTIMUM_NX,
  NQ = HUMANOID_OPTIMUM_NQ,
  LEVELS = HUMANOID_OPTIMUM_LEVELS,
  CORNERS = 4,
  POSTURE_ROWS = 18,
  MOST_STEPS = 500
};
static signed char side[NQ];
static account sum = {.most_steps = MOST_STEPS};
static int not_finite; /* torques */

static void input_of(const demand *d, humanoid_optimum_achd_in *in) {
  memcpy(in->q, d->q, sizeof in->q);
  memcpy(in->qd, d->qd, sizeof in->qd);
  in->base.quat = (humanoid_optimum_quaternion){d->quat[0], d->quat[1], d->quat[2], d->quat[3]};
  memcpy(in->base.twist.lin, d->lin, sizeof d->lin);
  memcpy(in->base.twist.ang, d->ang, sizeof d->ang);
  in->mu.left = in->mu.right = d->friction;
  memcpy(&in->b[HUMANOID_OPTIMUM_PLACE_LIN_X], d->place, 2 * sizeof *d->place);
  in->b[HUMANOID_OPTIMUM_UPRIGHT_LIN_Z] = d->place[2];
  memcpy(&in->b[HUMANOID_OPTIMUM_UPRIGHT_ANG_X], d->turn, sizeof d->turn);
  for (int k = 0; k < POSTURE_ROWS; k++) { /* rows and joints in the same order */
    const int j = HUMANOID_OPTIMUM_WAIST_YAW_JOINT + k;
    in->b[HUMANOID_OPTIMUM_POSTURE_WAIST_YAW_JOINT + k] =
        200 * (d->rest[j] - d->q[j]) - 28 * d->qd[j];
  }
}

/* Is this a state that the header may refuse: an angle above 1e5, or what is no number? */
static bool beyond(const demand *d) {
  for (int j = 0; j < NJ; j++) {
    if (!(fabs(d->q[j]) <= 1e5) || !isfinite(d->qd[j])) return true;
  }
  for (int i = 0; i < 3; i++) {
    if (!isfinite(d->lin[i]) || !isfinite(d->ang[i])) return true;
  }
  return false;
}

/* The best torques; where there is no answer, those of the last cycle; none in a state that is refused. Tells the level
 * that yields, -1: none. */
static double command(const demand *d, double tau[BODY_JOINTS]) {
  static achd_real work[ACHD_QP_WORK(NX, NQ)], dual[ACHD_QP_DUAL(LEVELS, NQ)], x[NX];
  static humanoid_optimum_achd_in in;
  static humanoid_optimum_qp_out p;
  static humanoid_optimum_achd_out out;
  humanoid_optimum_achd_out found;
  input_of(d, &in);
  account_begin(&sum);
  humanoid_optimum_status status = humanoid_optimum_qp(&in, &p);
  if (status & HUMANOID_OPTIMUM_DO_NOT_COMMAND) {
    CHECK(beyond(d));
    memset(tau, 0, sizeof out.tau_ctrl);
    return 0;
  }
  const achd_qp_problem problem = {NX, NQ, LEVELS, p.H, p.g, p.A, p.lo, p.hi, p.level, p.weight};
  const int level = account_solve(&sum, &problem, x, dual, side, work);
  status = humanoid_optimum_apply(&in, &p, x, &found);
  const bool answered = level > -2 && !(status & HUMANOID_OPTIMUM_DO_NOT_COMMAND);
  account_end(&sum, answered);
  if (answered) out = found;
  for (int k = 0; k < CORNERS && level != 1; k++) {
    account_cone(&sum, &out.points.left[3 * k], d->friction);
    account_cone(&sum, &out.points.right[3 * k], d->friction);
  }
  memcpy(tau, out.tau_ctrl, sizeof out.tau_ctrl);
  for (int j = 0; j < NJ; j++) not_finite += !isfinite(tau[j]);
  return answered ? level : 0;
}

static void ends(void) {
  account_print(&sum);
  CHECK(sum.unsolved == 0);
  CHECK(sum.refused == 0 && sum.checked + sum.stopped >= sum.cycles / 10);
  CHECK(sum.outside < 1e-6); /* N */
  end();
  memset(side, 0, sizeof side);
  sum = (account){.most_steps = MOST_STEPS};
}

static void it_stands(void) {
  stand();
  ends();
}

static void it_sways(void) {
  sway();
  ends();
}

/* From the front, humanoid_test.c falls with the same gains. */
static void it_withstands_pushes(void) {
  push("behind", 40, 0);
  it_comes_back(ERROR_X, 0.012);
  ends();
  push("front", -40, 0);
  it_comes_back(ERROR_X, 0.012);
  ends();
  push("side", 0, 40);
  it_comes_back(ERROR_Y, 0.012);
  ends();
}

/* More than the corners can hold: the place yields, every cycle has an answer, and soles stay flat. Under 100 N from the
 * front, after 1.408 s two corners keep it from its place with multipliers of 8e-9 of the others: rows that have to be
 * held nevertheless. */
static void under_more_its_place_yields(void) {
  push("behind_60", 60, 0);
  it_comes_back(ERROR_X, 0.02);
  CHECK(sum.yielded[4] > 0 && sum.yielded[1] + sum.yielded[3] == 0);
  ends();
  push("front_100", -100, 0);
  CHECK(sum.yielded[4] > 0 && sum.yielded[1] + sum.yielded[3] == 0);
  ends();
}

/* It is pushed, with this limit of steps, and falls or not. Returns how many solves the limit ended. */
static int falls(int k, int most_steps, int *fallen) {
  pushed f = pushed_by(k);
  sum = (account){.all = true, .most_steps = most_steps};
  begin(f.name);
  const wish w = standing();
  while (pushed_goes_on(&f, &sim, "pelvis")) cycle(&w);
  pushed_ends(&f, &sum, who->name);
  *fallen += f.tilt > 1;
  simulation_close(&sim);
  memset(side, 0, sizeof side);
  const int stopped = sum.stopped;
  return stopped;
}

/* By default one of the 96 pushes: 120 N from the front, where a row is held by a multiplier of 2e-10 of the others. */
static void every_cycle_of_a_fall_has_an_answer(void) {
  enum { BAD = 44 };
  const bool sweep = getenv("ACHD_SWEEP") != NULL;
  int fallen = 0, stopped = 0;
  for (int k = 0; k < (sweep ? FALLS_ALL : 1); k++) {
    CHECK(falls(sweep ? k : BAD, 0, &fallen) == 0);
    stopped += falls(sweep ? k : BAD, MOST_STEPS, &fallen);
  }
  CHECK(fallen > 0 && stopped > 0 && not_finite == 0);
}

int main(int argc, char **argv) {
  static const char *const joints[] = HUMANOID_OPTIMUM_JOINT_NAMES;
  const controller best = {"humanoid_optimum", "level that yields",
                           WHOLE_BODY_MODELS "/humanoid_optimum.xml", joints, command};
  who = &best;
  folder = argc > 1 ? argv[1] : NULL;
  RUN(it_stands);
  RUN(it_sways);
  RUN(it_withstands_pushes);
  RUN(under_more_its_place_yields);
  RUN(every_cycle_of_a_fall_has_an_answer);
  return test_end();
}
