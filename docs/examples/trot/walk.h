/* SPDX-License-Identifier: MIT */
/* walk.h: torques for what gait.h wants, by the best that motors and contacts can do (robot_qp of the generated header,
 * with achd/qp.h). Include the generated header before. For a robot of your own: the groups' names, and the gains. */
#ifndef WALK_H
#define WALK_H

#include "gait.h"

#include <achd/qp.h>

enum { WALK_NX = ROBOT_NX, WALK_NQ = ROBOT_NQ, WALK_REPEATS = 20 };

/* Where the torques of a cycle come from. */
typedef enum walk_status {
  WALK_OK,       /* the best */
  WALK_REPEATED, /* the solver has no answer: those of the last cycle, for up to WALK_REPEATS cycles */
  WALK_DAMPED,     /* it has had none for longer: joints are damped */
  WALK_NOT_FINITE, /* an input is NaN or infinite, or a result became so: 0 */
  WALK_BAD_INPUT, /* an input makes no sense, as a gain below 0 or a quaternion of another length: 0 */
  WALK_NO_GAIT    /* gait_step has refused its inputs (gait.status): 0 */
} walk_status;

/* From errors to accelerations [1/s^2 of places and angles, 1/s of velocities], all >= 0. */
typedef struct walk_gains {
  double height, climb; /* of the trunk: its height, its velocity upward */
  double turn, spin;    /* its rotation, its angular velocity */
  double speed, behind; /* its velocity along the ground, how far it is behind */
  double swing, rate;   /* of feet that swing: place, velocity */
  double damping;       /* of joints without an answer of the solver [N m s/rad] */
  double brake;         /* largest torque of that [N m] */
} walk_gains;

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

static inline walk_gains walk_quadruped(void) {
  const walk_gains k = {.height = 150,
                        .climb = 24,
                        .turn = 200,
                        .spin = 28,
                        .speed = 8,
                        .behind = 12,
                        .swing = 900,
                        .rate = 60,
                        .damping = 2,
                        .brake = 20};
  return k;
}

typedef struct walk {
  walk_gains gains;
  robot_achd_in in;
  robot_qp_out problem;
  robot_achd_out out;
  achd_real work[ACHD_QP_WORK(WALK_NX, WALK_NQ)], dual[ACHD_QP_DUAL(ROBOT_LEVELS, WALK_NQ)],
      x[WALK_NX];
  signed char side[WALK_NQ];
  int steps;           /* largest number of the solver's steps in a cycle */
  int unanswered;      /* cycles in a row without an answer of the solver */
  walk_status refused; /* by walk_ask; WALK_OK: not */
} walk;

static inline void walk_begin(walk *w) {
  memset(w, 0, sizeof *w);
  w->in = (robot_achd_in)ROBOT_ACHD_IN_DEFAULT;
  w->gains = walk_quadruped();
  w->steps = 500;
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

static inline walk_status walk_gains_fault(const walk_gains *k) {
  const double gains[] = {k->height, k->climb, k->turn, k->spin,    k->speed,
                          k->behind, k->swing, k->rate, k->damping, k->brake};
  for (int i = 0; i < 10; i++)
    if (!isfinite(gains[i])) return WALK_NOT_FINITE;
  for (int i = 0; i < 10; i++)
    if (gains[i] < 0) return WALK_BAD_INPUT;
  return WALK_OK;
}

/* Wanted accelerations of the trunk and of feet that swing: kp (wanted - is) + kd (wanted rate - rate) + wanted
 * acceleration. foot_v: velocities of the feet along the axes of the world. Where gait_step or the gains are refused,
 * walk_solve puts out torques of 0. */
static inline void walk_ask(walk *w, const gait *g, const gait_state *s,
                            double foot_v[GAIT_FEET][3]) {
  const walk_gains *const k = &w->gains;
  double turn[3];
  w->refused = g->status & GAIT_REFUSED ? WALK_NO_GAIT : walk_gains_fault(k);
  if (w->refused != WALK_OK) return;
  walk_turn(g->wanted, s->R, turn);
  w->in.b[ROBOT_UPRIGHT_LIN_Z] =
      k->height * (g->height - s->p[2]) + k->climb * (g->climb - s->v[2]);
  for (int i = 0; i < 3; i++)
    w->in.b[ROBOT_UPRIGHT_ANG_X + i] = k->turn * turn[i] - k->spin * s->w[i];
  for (int i = 0; i < 2; i++)
    w->in.b[ROBOT_PLACE_LIN_X + i] = k->speed * (g->speed[i] - s->v[i]) + k->behind * g->behind[i];
  for (int f = 0; f < GAIT_FEET; f++)
    for (int i = 0; i < 3; i++) {
      const int row = walk_swings[f] + i;
      w->in.b[row] = k->swing * (g->swing[f][i] - s->foot[f][i]) +
                     k->rate * (g->swing_v[f][i] - foot_v[f][i]) + g->swing_a[f][i];
      if (g->stands[f]) w->in.b[row] = 0;
      w->in.mask[row] = !g->stands[f];
      w->in.mask[walk_holds[f] + i] = g->stands[f];
    }
}

/* What a generated function has refused. */
static inline walk_status walk_refusal(unsigned status) {
  if (status & ROBOT_NOT_FINITE) return WALK_NOT_FINITE;
  return status & ROBOT_DO_NOT_COMMAND ? WALK_BAD_INPUT : WALK_OK;
}

/* The torque that damps a joint; 0 where its velocity is NaN or infinite. */
static inline double walk_damp(const walk_gains *k, double qd) {
  return isfinite(qd) ? fmax(-k->brake, fmin(k->brake, -k->damping * qd)) : 0;
}

/* The best torques, in w->out. */
static inline walk_status walk_find(walk *w) {
  robot_achd_out found;
  achd_qp_report report;
  if (w->refused != WALK_OK) return w->refused;
  const walk_status refused = walk_refusal(robot_qp(&w->in, &w->problem));
  if (refused != WALK_OK) return refused;
  const achd_qp_problem p = {WALK_NX,          WALK_NQ,          ROBOT_LEVELS,  w->problem.H,
                             w->problem.g,     w->problem.A,     w->problem.lo, w->problem.hi,
                             w->problem.level, w->problem.weight};
  const achd_qp_status solved = achd_qp(&p, w->x, w->dual, w->side, w->steps, w->work, &report);
  if (solved == ACHD_QP_BAD_INPUT) return WALK_BAD_INPUT;
  if (solved != ACHD_QP_SOLVED && solved != ACHD_QP_YIELDED &&
      !(solved == ACHD_QP_STOPPED && report.level > 1))
    return WALK_REPEATED;
  const walk_status applied = walk_refusal(robot_apply(&w->in, &w->problem, w->x, &found));
  if (applied == WALK_OK) w->out = found;
  return applied;
}

/* The best torques. Where inputs are refused, 0. Where the solver has no answer to good inputs, those of the last cycle,
 * for up to WALK_REPEATS cycles; then joints are damped. Returns which of these. */
static inline walk_status walk_solve(walk *w, double tau[ROBOT_NJ]) {
  walk_status status = walk_find(w);
  w->unanswered = status == WALK_REPEATED ? w->unanswered + 1 : 0;
  if (w->unanswered > WALK_REPEATS) status = WALK_DAMPED;
  if (status > WALK_DAMPED) memset(&w->out, 0, sizeof w->out);
  for (int j = 0; j < ROBOT_NJ; j++)
    tau[j] = status == WALK_DAMPED ? walk_damp(&w->gains, w->in.qd[j]) : w->out.tau_ctrl[j];
  return status;
}

#endif
