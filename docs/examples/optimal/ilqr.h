/* SPDX-License-Identifier: MIT */
/* ilqr.h: moves a robot from one state to another in a given time, within limits of its torques and
 * past obstacles: an iterative linear-quadratic regulator (iLQR).
 *
 * Minimises over the torques u_0 .. u_{N-1} of N periods h
 *
 *     sum_k h (|x_k - goal|^2 + |u_k - u_rest|^2) / 2 + |x_N - goal|^2 / 2,   x = (q, v),
 *
 * each | |^2 with weights, along x' = f(q, v, u), a step of the robot,
 * within |u| <= u_most, exactly, and c(q, v, u) <= 0, to a tolerance.
 *
 * - Each iteration takes f and c as linear along the motion, finds the best change of u and its
 *   feedback gains K by one sweep from the end to the start, and tries shares of it: Li, Todorov,
 *   Iterative linear quadratic regulator design, ICINCO 2004. A torque at its limit that would rather
 *   go beyond is left out: Bertsekas, Projected Newton methods, SIAM J. Control Optim. 20, 1982.
 * - c: an augmented Lagrangian, with a multiplier for each c and step: Nocedal, Wright, Numerical
 *   Optimization, 2006, section 17.3.
 *
 * Define the sizes before including this file: ILQR_BASE (6 with a floating base, 0 with a fixed
 * one), ILQR_V velocities, those of the base included, ILQR_U torques, ILQR_C constraints of a step,
 * at least 1, ILQR_STEPS steps. They are constants so that the compiler unrolls.
 */
#ifndef ILQR_H
#define ILQR_H

#include "position.h"

#include <string.h>

enum { NU = ILQR_U, NC = ILQR_C, NX = 2 * NV, STEPS = ILQR_STEPS };
enum { Q = NU, V = NU + NV, ONE = NU + NX, NZ = ONE + 1 }; /* where dq, dv, 1 are in z, below */

typedef struct ilqr_state {
  double q[NQ], v[NV];
} ilqr_state;

typedef struct ilqr_model { /* a step and constraints, and their derivatives [of][by] */
  ilqr_state next;
  double q_q[NV][NV], q_v[NV][NV], q_u[NV][NU], v_q[NV][NV], v_v[NV][NV], v_u[NV][NU];
  double c[NC], c_q[NC][NV], c_v[NC][NV], c_u[NC][NU];
} ilqr_model;

typedef struct ilqr_problem {
  double period; /* h [s] */
  ilqr_state start, goal;
  double weight[NX], u_weight[NU], end_weight[NX];
  double u_rest[NU], u_most[NU];
  /* Computes *m: a step from a state. False: there is no result. */
  bool (*model)(void *context, const ilqr_state *x, const double u[NU], ilqr_model *m);
  void *context;
  int most_iterations;
  double tolerance; /* largest c of a solution */
  double penalty;   /* what c > 0 costs at first: penalty c^2 / 2; it grows */
  double end_error; /* the largest |x_N - goal|, with its weights, that counts as there */
} ilqr_problem;

typedef enum ilqr_status {
  ILQR_SOLVED,
  ILQR_BAD_PROBLEM, /* weights, limits, tolerances that are none, or negative */
  ILQR_BAD_MODEL,   /* the model has no result along the motion, or numbers that are none */
  ILQR_INFEASIBLE, /* c[worst] of worst_step stays positive: no motion was found that comes past it; after no
                      * iteration: it is positive at the start, whatever u is */
  ILQR_GOAL_MISSED,  /* the best end that was found is farther from the goal than end_error */
  ILQR_NOT_CONVERGED /* the limit of iterations was reached; the motion is within all limits */
} ilqr_status;

typedef struct ilqr_motion {
  ilqr_state x[STEPS + 1];
  double u[STEPS][NU];         /* input: where to begin; output: the solution */
  double K[STEPS][NU][NX + 1]; /* u_k + K_k (x - x_k, 1): the last column is a change to try */
  double cost, distance;       /* distance: |x_N - goal| */
  double violation;            /* the largest c, at least 0 */
  int worst_step, worst;       /* whose it is; -1: no c is positive */
  bool held[STEPS][NU];        /* input of ilqr_sweep: torques that stay at their limits */
  int iterations;
  ilqr_model m[STEPS];
  double multiplier[STEPS][NC], penalty, merit; /* merit: the cost, and what c > 0 adds to it */
} ilqr_motion;

/* to - from: (dq, dv), as the gains K are for it. */
static inline void ilqr_difference(const ilqr_state *to, const ilqr_state *from, double d[NX]) {
  position_difference(to->q, from->q, d);
  for (int i = 0; i < NV; i++) d[NV + i] = to->v[i] - from->v[i];
}

/* A cost near the motion is z' H z / 2, z = (du, dq, dv, 1). To H, unless it is NULL, this one adds
 * w (r' z)^2 / 2. Returned: the cost on the motion itself, z = (0, 1). */
typedef double ilqr_form[NZ][NZ];
static inline double ilqr_square(double w, const double r[NZ], ilqr_form H) {
  for (int i = 0; H && i < NZ; i++)
    for (int j = 0; r[i] != 0 && j < NZ; j++) H[i][j] += w * r[i] * r[j];
  return 0.5 * w * r[ONE] * r[ONE];
}

/* The cost of step k, or of the end. */
static inline double ilqr_cost(const ilqr_problem *p, const ilqr_motion *t, int k, ilqr_form H) {
  const bool end = k == STEPS;
  double d[NX], cost = 0;
  ilqr_difference(&t->x[k], &p->goal, d);
  for (int i = 0; i < NX; i++) {
    double r[NZ] = {[ONE] = d[i]};
    r[Q + i] = 1;
    if (i < NV) position_difference_row(d, i, r + Q);
    cost += ilqr_square(end ? p->end_weight[i] : p->period * p->weight[i], r, H);
  }
  for (int i = 0; !end && i < NU; i++) {
    double r[NZ] = {[ONE] = t->u[k][i] - p->u_rest[i]};
    r[i] = 1;
    cost += ilqr_square(p->period * p->u_weight[i], r, H);
  }
  return cost;
}

/* max(0, c + multiplier / penalty)^2 penalty / 2 of the constraints of a step */
static inline double ilqr_penalty(const ilqr_motion *t, int k, ilqr_form H) {
  const ilqr_model *m = &t->m[k];
  double cost = 0;
  for (int j = 0; j < NC; j++) {
    double r[NZ] = {[ONE] = m->c[j] + t->multiplier[k][j] / t->penalty};
    memcpy(r, m->c_u[j], sizeof m->c_u[j]);
    memcpy(r + Q, m->c_q[j], sizeof m->c_q[j]);
    memcpy(r + V, m->c_v[j], sizeof m->c_v[j]);
    if (!(r[ONE] <= 0)) cost += ilqr_square(t->penalty, r, H);
  }
  return cost;
}

/* In `to`: the motion under u_k + K_k (x - x_k, share). Its merit; infinite: there is none. */
static inline double ilqr_roll(const ilqr_problem *p, const ilqr_motion *t, double share,
                               ilqr_motion *to) {
  double d[NX + 1] = {[NX] = share};
  *to = *t;
  to->cost = to->merit = to->violation = 0;
  to->worst_step = to->worst = -1;
  for (int k = 0; k < STEPS; k++) {
    ilqr_state *x = &to->x[k], *next = x + 1;
    ilqr_model *m = &to->m[k];
    ilqr_difference(x, &t->x[k], d);
    for (int i = 0; i < NU; i++) {
      double u = t->u[k][i];
      for (int j = 0; j <= NX; j++) u += t->K[k][i][j] * d[j];
      to->u[k][i] = fmax(-p->u_most[i], fmin(p->u_most[i], u));
    }
    if (!p->model(p->context, x, to->u[k], m)) return INFINITY;
    *next = m->next;
    to->cost += ilqr_cost(p, to, k, NULL);
    to->merit += ilqr_penalty(to, k, NULL);
    for (int j = 0; j < NC; j++)
      if (m->c[j] > to->violation) to->violation = m->c[j], to->worst_step = k, to->worst = j;
  }
  to->cost += ilqr_cost(p, to, STEPS, NULL);
  to->merit += to->cost;
  return isfinite(to->merit) ? to->merit : INFINITY;
}

/* H <- F' H F: the cost by z as one by y, z = F y. Zeros of F take no time. */
static inline void ilqr_substitute(ilqr_form H, ilqr_form F) {
  for (int side = 0; side < 2; side++) {
    ilqr_form FH = {{0}};
    for (int l = Q; l < NZ; l++)
      for (int i = 0; i < NZ; i++)
        for (int j = 0; F[l][i] != 0 && j < NZ; j++) FH[i][j] += F[l][i] * H[l][j];
    for (int i = 0; i < NZ; i++)
      for (int j = 0; j < NZ; j++) H[j][i] = FH[i][j];
  }
}

/* H: from the cost after step k by (dq', dv') to that with the step by (du, dq, dv). */
static inline void ilqr_before(const ilqr_problem *p, const ilqr_motion *t, int k, ilqr_form H) {
  const ilqr_model *m = &t->m[k];
  ilqr_form F = {{0}};
  F[ONE][ONE] = 1;
  for (int i = 0; i < NV; i++) {
    memcpy(F[Q + i], m->q_u[i], sizeof m->q_u[i]);
    memcpy(F[Q + i] + Q, m->q_q[i], sizeof m->q_q[i]);
    memcpy(F[Q + i] + V, m->q_v[i], sizeof m->q_v[i]);
    memcpy(F[V + i], m->v_u[i], sizeof m->v_u[i]);
    memcpy(F[V + i] + Q, m->v_q[i], sizeof m->v_q[i]);
    memcpy(F[V + i] + V, m->v_v[i], sizeof m->v_v[i]);
  }
  ilqr_substitute(H, F);
  ilqr_cost(p, t, k, H);
  ilqr_penalty(t, k, H);
}

/* Minimises z' H z / 2 over du, which is K (dq, dv, 1) then, 0 where it is held. H: what is left. */
static inline double ilqr_eliminate(ilqr_form H, const bool held[NU], double K[NU][NX + 1]) {
  double saved = 0;
  for (int i = 0; i < NU; i++) {
    if (held[i]) continue;
    saved += 0.5 * H[i][ONE] * H[i][ONE] / H[i][i];
    for (int l = 0; l < NZ; l++) {
      const double f = H[l][i] / H[i][i];
      for (int j = i; l != i && j < NZ; j++) H[l][j] -= f * H[i][j];
    }
  }
  for (int i = 0; i < NU; i++)
    for (int j = 0; j <= NX; j++) K[i][j] = held[i] ? 0 : -H[i][Q + j] / H[i][i];
  return saved;
}

/* All K, and what they save in all. damping: what a change of u costs, in proportion to u itself. */
static inline double ilqr_sweep(const ilqr_problem *p, ilqr_motion *t, double damping) {
  double H[NZ][NZ] = {{0}}, saved = 0;
  ilqr_cost(p, t, STEPS, H);
  for (int k = STEPS; k-- > 0;) {
    bool held[NU];
    ilqr_before(p, t, k, H);
    for (int i = 0; i < NU; i++) {
      const double u = t->u[k][i], most = p->u_most[i], slope = H[i][ONE];
      held[i] = t->held[k][i] || (u >= most && slope <= 0) || (u <= -most && slope >= 0);
      H[i][i] += damping * p->period * p->u_weight[i];
    }
    saved += ilqr_eliminate(H, held, t->K[k]);
  }
  return saved;
}

/* Does some c of the start stay above the tolerance, whatever u is? Then it is the worst of *t. */
static inline bool ilqr_starts_beyond(const ilqr_problem *p, ilqr_motion *t) {
  for (int j = 0; j < NC; j++) {
    bool free = !(t->m[0].c[j] > p->tolerance);
    for (int i = 0; i < NU; i++) free |= t->m[0].c_u[j][i] != 0;
    if (free) continue;
    t->violation = t->m[0].c[j], t->worst_step = 0, t->worst = j;
    return true;
  }
  return false;
}

/* Finds a motion, from the torques in t->u on. Without a first motion t->x is the start, t->u as given
 * and t->K 0; other numbers are never nan. It uses static memory: one call at a time. */
static inline ilqr_status ilqr_optimise(const ilqr_problem *p, ilqr_motion *t) {
  static ilqr_motion tried;
  bool least = false;
  int in_vain = 0; /* penalties in a row that hardly lowered the violation */
  double damping = 0, before = INFINITY;
  memset(t->multiplier, 0, sizeof t->multiplier);
  memset(t->K, 0, sizeof t->K);
  memset(t->held, 0, sizeof t->held);
  t->penalty = p->penalty;
  t->iterations = 0;
  t->violation = t->distance = t->cost = INFINITY;
  t->worst_step = t->worst = -1;
  for (int k = 0; k <= STEPS; k++) t->x[k] = p->start;
  bool sound = p->period > 0 && p->tolerance > 0 && p->penalty > 0 && p->end_error > 0;
  for (int i = 0; i < NX; i++) sound &= p->weight[i] >= 0 && p->end_weight[i] >= 0;
  for (int i = 0; i < NU; i++) sound &= p->u_weight[i] > 0 && p->u_most[i] >= 0;
  if (!sound) return ILQR_BAD_PROBLEM;
  if (!isfinite(ilqr_roll(p, t, 0, &tried))) return ILQR_BAD_MODEL;
  *t = tried;
  t->distance = sqrt(2 * ilqr_cost(p, t, STEPS, NULL));
  if (ilqr_starts_beyond(p, t)) return ILQR_INFEASIBLE;
  while (t->iterations < p->most_iterations && t->penalty < 1e7 * p->penalty && in_vain < 2) {
    t->iterations++;
    const double saved = ilqr_sweep(p, t, damping);
    if (!isfinite(saved)) {
      memset(t->K, 0, sizeof t->K);
      return ILQR_BAD_MODEL;
    }
    if (saved > 1e-5 * t->merit) {
      double share = 1;
      while (t->merit - ilqr_roll(p, t, share, &tried) < 1e-3 * share * saved && share > 1e-3)
        share /= 2;
      damping = share == 1 ? damping / 8 : share > 1e-3 ? damping : fmax(1, 8 * damping);
      if (share > 1e-3) *t = tried;
      continue;
    }
    least = t->violation <= p->tolerance && damping < 1;
    if (least) break;
    in_vain = t->violation > 0.9 * before ? in_vain + 1 : 0;
    before = t->violation;
    damping = 0;
    for (int k = 0; k < STEPS; k++)
      for (int j = 0; j < NC; j++)
        t->multiplier[k][j] = fmax(0, t->multiplier[k][j] + t->penalty * t->m[k].c[j]);
    t->penalty *= 4;
    ilqr_roll(p, t, 0, &tried);
    *t = tried;
  }
  t->distance = sqrt(2 * ilqr_cost(p, t, STEPS, NULL));
  if (t->violation > p->tolerance) return ILQR_INFEASIBLE;
  if (t->distance > p->end_error) return ILQR_GOAL_MISSED;
  return least ? ILQR_SOLVED : ILQR_NOT_CONVERGED;
}

#endif
