/* SPDX-License-Identifier: MIT */
/* walk.h: torques for what gait.h wants, by the best that motors and contacts can do (robot_qp of the generated
 * header, with
 * achd/qp.h). Include the generated header before. For a robot of your own: the groups' names, and the gains. */
#ifndef WALK_H
#define WALK_H

#include "gait.h"

#include <achd/qp.h>

enum { WALK_NX = ROBOT_NX, WALK_NQ = ROBOT_NQ };

static const int walk_swings[GAIT_FEET] = {ROBOT_FL_SWING_LIN_X, ROBOT_FR_SWING_LIN_X,
                                           ROBOT_RL_SWING_LIN_X, ROBOT_RR_SWING_LIN_X};
static const int walk_holds[GAIT_FEET] = {ROBOT_FL_LIN_X, ROBOT_FR_LIN_X, ROBOT_RL_LIN_X,
                                          ROBOT_RR_LIN_X};

/* A trot: feet on a diagonal swing together, in the order of the groups. */
static inline gait_parameters walk_trot(void) {
  const gait_parameters p = {.feet = 4,
                             .offset = {0, 0.5, 0.5, 0},
                             .period = 0.3,
                             .duty = 0.5,
                             .lift = 0.07,
                             .reach = 0.25,
                             .press = 0.015,
                             .sink = 0.4,
                             .acceleration = 1.5};
  return p;
}

typedef struct walk {
  robot_achd_in in;
  robot_qp_out problem;
  robot_achd_out out;
  achd_real work[ACHD_QP_WORK(WALK_NX, WALK_NQ)], dual[ACHD_QP_DUAL(ROBOT_LEVELS, WALK_NQ)],
      x[WALK_NX];
  signed char side[WALK_NQ];
  int unanswered; /* cycles in a row */
} walk;

static inline void walk_begin(walk *w) {
  memset(w, 0, sizeof *w);
  w->in = (robot_achd_in)ROBOT_ACHD_IN_DEFAULT;
}

/* What the feet stand on: axes of the ground, and friction that they may count on. */
static inline void walk_stand_on(walk *w, const gait *g, double friction) {
  memcpy(w->in.axes.fl, g->ground, sizeof g->ground),
      memcpy(w->in.axes.fr, g->ground, sizeof g->ground);
  memcpy(w->in.axes.rl, g->ground, sizeof g->ground),
      memcpy(w->in.axes.rr, g->ground, sizeof g->ground);
  w->in.mu.fl = w->in.mu.fr = w->in.mu.rl = w->in.mu.rr = friction;
}

/* The turn from R to `wanted` as axis times angle, along the axes of the world: from the quaternion of wanted R^T. */
static inline void walk_turn(const double wanted[9], const double R[9], double turn[3]) {
  double D[9], length = 0;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      D[3 * i + j] = wanted[3 * i] * R[3 * j] + wanted[3 * i + 1] * R[3 * j + 1] +
                     wanted[3 * i + 2] * R[3 * j + 2];
  turn[0] = 0.5 * (D[7] - D[5]), turn[1] = 0.5 * (D[2] - D[6]), turn[2] = 0.5 * (D[3] - D[1]);
  for (int i = 0; i < 3; i++) length += turn[i] * turn[i];
  length = sqrt(length);
  const double angle = atan2(length, 0.5 * (D[0] + D[4] + D[8] - 1));
  for (int i = 0; i < 3; i++) turn[i] *= length > 1e-9 ? angle / length : 1;
}

/* Wanted accelerations of the trunk and of feet that swing: kp (wanted - is) + kd (wanted rate - rate) + wanted
 * acceleration. foot_v: velocities of the feet along the axes of the world. */
static inline void walk_ask(walk *w, const gait *g, const gait_state *s,
                            double foot_v[GAIT_FEET][3]) {
  double turn[3];
  walk_turn(g->wanted, s->R, turn);
  w->in.b[ROBOT_UPRIGHT_LIN_Z] = 150 * (g->height - s->p[2]) + 24 * (g->climb - s->v[2]);
  for (int i = 0; i < 3; i++) w->in.b[ROBOT_UPRIGHT_ANG_X + i] = 200 * turn[i] - 28 * s->w[i];
  for (int i = 0; i < 2; i++)
    w->in.b[ROBOT_PLACE_LIN_X + i] = 8 * (g->speed[i] - s->v[i]) + 12 * g->behind[i];
  for (int k = 0; k < GAIT_FEET; k++)
    for (int i = 0; i < 3; i++) {
      const int row = walk_swings[k] + i;
      w->in.b[row] = 900 * (g->swing[k][i] - s->foot[k][i]) +
                     60 * (g->swing_v[k][i] - foot_v[k][i]) + g->swing_a[k][i];
      if (g->stands[k]) w->in.b[row] = 0;
      w->in.mask[row] = !g->stands[k];
      w->in.mask[walk_holds[k] + i] = g->stands[k];
    }
}

/* The best torques. Where there is no answer, those of the last cycle, for up to 20 cycles; then joints are damped.
 * Returns
 * whether there is one. */
static inline bool walk_solve(walk *w, double tau[ROBOT_NJ]) {
  robot_achd_out found;
  achd_qp_report report;
  bool good = (robot_qp(&w->in, &w->problem) & ROBOT_DO_NOT_COMMAND) == 0;
  const achd_qp_problem p = {WALK_NX,          WALK_NQ,          ROBOT_LEVELS,  w->problem.H,
                             w->problem.g,     w->problem.A,     w->problem.lo, w->problem.hi,
                             w->problem.level, w->problem.weight};
  if (good) {
    const achd_qp_status solved = achd_qp(&p, w->x, w->dual, w->side, 500, w->work, &report);
    good = solved == ACHD_QP_SOLVED || solved == ACHD_QP_YIELDED ||
           (solved == ACHD_QP_STOPPED && report.level > 1);
  }
  if (good) good = (robot_apply(&w->in, &w->problem, w->x, &found) & ROBOT_DO_NOT_COMMAND) == 0;
  w->unanswered = good ? 0 : w->unanswered + 1;
  if (good) w->out = found;
  for (int j = 0; j < ROBOT_NJ; j++) {
    const double damped = fmax(-20, fmin(20, -2 * w->in.qd[j]));
    tau[j] = w->unanswered > 20 ? damped : w->out.tau_ctrl[j];
  }
  return good;
}

#endif
