/* SPDX-License-Identifier: MIT */
/* torques.h: the torques that motors should give, by the best that motors and contacts can do (robot_qp of the
 * generated header, with achd/qp.h). Include the generated header before. It has no names of links: walk.h of a robot
 * fills in what is wanted. */
#ifndef TORQUES_H
#define TORQUES_H

#include <achd/qp.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

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

static inline void walk_begin(walk *w, walk_gains gains) {
  memset(w, 0, sizeof *w);
  w->in = (robot_achd_in)ROBOT_ACHD_IN_DEFAULT;
  w->gains = gains;
  w->steps = 500;
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

/* The best torques. Where inputs are refused, 0. Where the solver has no answer to good inputs, those of the last
 * cycle, for up to WALK_REPEATS cycles; then joints are damped. Returns which of these. */
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
