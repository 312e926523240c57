/* ilqr.h: moves a robot from one state to another in a given time, within limits of its torques and
 * past obstacles: an iterative linear-quadratic regulator (iLQR).
 *
 * Minimises over the torques u_0 .. u_{N-1} of N periods h
 *
 *     sum_k h (|q_k - goal|^2 + |v_k|^2 + |u_k - u_rest|^2) / 2 + (|q_N - goal|^2 + |v_N|^2) / 2,
 *
 * each | |^2 with weights, along  v' = v + h a(q, v, u),  q' = q + h v',
 * within |u| <= u_most, exactly, and c(q, v, u) <= 0, to a tolerance.
 *
 * - Each iteration linearises a and c along the motion, finds the best change of u and its feedback
 *   gains K by one backward sweep (Gauss-Newton: no second derivatives of a and c), and tries it:
 *   Li, Todorov, Iterative linear quadratic regulator design, ICINCO 2004.
 * - Limits of u: Tassa, Mansard, Todorov, Control-limited differential dynamic programming, ICRA
 *   2014, section III.
 * - c: an augmented Lagrangian, with a multiplier for each c and step: Nocedal, Wright, Numerical
 *   Optimization, 2006, section 17.3.
 * - u acts on q by v' only: the sweep takes q' = q + h v' as a step of its own.
 *
 * The sizes are constants, so that the compiler unrolls. Define them before including this file:
 *   ILQR_BASE  6 with a floating base, 0 with a fixed one
 *   ILQR_V     velocities, those of the base included      ILQR_U      torques
 *   ILQR_C     constraints of a step, at least 1           ILQR_STEPS  steps
 */
#ifndef ILQR_H
#define ILQR_H

#include "position.h"

#include <string.h>

enum { NU = ILQR_U, NC = ILQR_C, NX = 2 * NV, STEPS = ILQR_STEPS };

typedef struct ilqr_state {
  double q[NQ], v[NV];
} ilqr_state;

typedef struct ilqr_model { /* accelerations and constraints, and their derivatives [of][by] */
  double a[NV], a_q[NV][NV], a_v[NV][NV], a_u[NV][NU];
  double c[NC], c_q[NC][NV], c_v[NC][NV], c_u[NC][NU];
} ilqr_model;

typedef struct ilqr_problem {
  double period; /* h [s] */
  ilqr_state start, goal;
  double q_weight[NV], v_weight[NV], u_weight[NU]; /* per second */
  double q_end[NV], v_end[NV];
  double u_rest[NU], u_most[NU];
  /* Computes *m at a state; derivatives: these too, all of them. False: there is no result. */
  bool (*model)(void *context, const ilqr_state *x, const double u[NU], bool derivatives,
                ilqr_model *m);
  void *context;
  int most_iterations;
  double tolerance; /* largest c of a solution */
  double penalty;   /* what c costs at first: penalty c^2 / 2; it grows where that does not do */
  double end_error; /* largest weighted distance |q_N - goal|^2 + |v_N|^2 that counts as there */
} ilqr_problem;

typedef enum ilqr_status {
  ILQR_SOLVED,
  ILQR_BAD_PROBLEM,  /* numbers that are none, or negative ones where there can be none */
  ILQR_BAD_MODEL,    /* the model has no result along the first motion, or numbers that are none */
  ILQR_INFEASIBLE,   /* some c stays positive: no motion was found that comes past the obstacles */
  ILQR_GOAL_MISSED,  /* the best end that was found is farther from the goal than end_error */
  ILQR_NOT_CONVERGED /* the limit of iterations was reached; the motion is within all limits */
} ilqr_status;

typedef struct ilqr_motion {
  ilqr_state x[STEPS + 1];
  double u[STEPS][NU];     /* input: where to begin; output: the solution */
  double K[STEPS][NU][NX]; /* feedback: u_k + K_k ilqr_difference(x, x_k) */
  int iterations;
  double cost, violation, distance; /* of the solution; violation: the largest c, at least 0 */
  /* of the computation */
  ilqr_model m[STEPS];
  double change[STEPS][NU]; /* of u */
  double multiplier[STEPS][NC], penalty;
} ilqr_motion;

/* to - from, what the gains K are for: first of q, then of v. */
static inline void ilqr_difference(const ilqr_state *to, const ilqr_state *from, double d[NX]) {
  position_difference(to->q, from->q, d);
  for (int i = 0; i < NV; i++) d[NV + i] = to->v[i] - from->v[i];
}

/* ---- cost, and its gradient and Hessian by changes of q, v, u ---- */

typedef struct ilqr_quadratic {
  double q[NV], v[NV], qq[NV][NV], qv[NV][NV], vv[NV][NV];
} ilqr_quadratic;

/* h w_q |q - goal|^2 / 2 + h w_v |v|^2 / 2; V: gradient and Hessian are added to it, NULL: not. */
static inline double ilqr_state_cost(const ilqr_problem *p, const ilqr_state *x, double h,
                                     const double wq[NV], const double wv[NV], ilqr_quadratic *V) {
  double d[NV], cost = 0;
  position_difference(x->q, p->goal.q, d);
  for (int i = 0; i < NV; i++) cost += 0.5 * h * (wq[i] * d[i] * d[i] + wv[i] * x->v[i] * x->v[i]);
  if (!V) return cost;
  for (int i = 0; i < NV; i++) {
    V->v[i] += h * wv[i] * x->v[i];
    V->vv[i][i] += h * wv[i];
    if (NB && i / 3 == 1) continue; /* orientation: below */
    V->q[i] += h * wq[i] * d[i];
    V->qq[i][i] += h * wq[i];
  }
  if (NB) { /* the rotation vector changes by the inverse of J (rotation) */
    const double *w = d + QUAT, t2 = w[0] * w[0] + w[1] * w[1] + w[2] * w[2], t = sqrt(t2);
    matrix3 J;
    rotation_series(w, -0.5, t < 1e-2 ? 1.0 / 12 + t2 / 720 : 1 / t2 - 0.5 / (t * tan(t / 2)), J);
    for (int k = 0; k < 3; k++)
      for (int i = 0; i < 3; i++) {
        V->q[QUAT + i] += J[k][i] * h * wq[QUAT + k] * w[k];
        for (int j = 0; j < 3; j++)
          V->qq[QUAT + i][QUAT + j] += J[k][i] * h * wq[QUAT + k] * J[k][j];
      }
  }
  return cost;
}

/* What a c pushes with, so that (pushed^2 - multiplier^2) / (2 penalty) is added to the cost. */
static inline double ilqr_pushed(const ilqr_motion *t, int k, int j, double c) {
  return fmax(0, t->multiplier[k][j] + t->penalty * c);
}

static inline double ilqr_step_cost(const ilqr_problem *p, const ilqr_motion *t, int k,
                                    const ilqr_state *x, const double u[NU], const double c[NC]) {
  double cost = ilqr_state_cost(p, x, p->period, p->q_weight, p->v_weight, NULL);
  for (int i = 0; i < NU; i++)
    cost += 0.5 * p->period * p->u_weight[i] * (u[i] - p->u_rest[i]) * (u[i] - p->u_rest[i]);
  for (int j = 0; j < NC; j++) {
    const double f = ilqr_pushed(t, k, j, c[j]), l = t->multiplier[k][j];
    cost += (f * f - l * l) / (2 * t->penalty);
  }
  return cost;
}

/* The motion under u_k + share change_k + K_k (x - x_k), and its cost; infinite: there is none. */
static inline double ilqr_roll(const ilqr_problem *p, const ilqr_motion *t, double share,
                               ilqr_state x[STEPS + 1], double u[STEPS][NU], ilqr_model *m) {
  double cost = 0, d[NX];
  x[0] = p->start;
  for (int k = 0; k < STEPS; k++) {
    ilqr_difference(&x[k], &t->x[k], d);
    for (int i = 0; i < NU; i++) {
      double changed = t->u[k][i] + share * t->change[k][i];
      for (int j = 0; share > 0 && j < NX; j++) changed += t->K[k][i][j] * d[j];
      u[k][i] = fmax(-p->u_most[i], fmin(p->u_most[i], changed));
    }
    if (!p->model(p->context, &x[k], u[k], false, m)) return INFINITY;
    for (int j = 0; j < NC; j++)
      if (!isfinite(m->c[j])) return INFINITY;
    for (int i = 0; i < NV; i++) x[k + 1].v[i] = x[k].v[i] + p->period * m->a[i];
    position_after(x[k].q, x[k + 1].v, p->period, x[k + 1].q);
    cost += ilqr_step_cost(p, t, k, &x[k], u[k], m->c);
  }
  cost += ilqr_state_cost(p, &x[STEPS], 1, p->q_end, p->v_end, NULL);
  return isfinite(cost) ? cost : INFINITY;
}

/* ---- the backward sweep ---- */

/* a <- X' a, X = 1 but for an orientation, where it is R; so the rows of A <- A X. */
static inline void ilqr_turned(double a[NV], matrix3 R) {
  if (!NB) return;
  double *w = a + QUAT, x = w[0], y = w[1], z = w[2];
  for (int k = 0; k < 3; k++) w[k] = R[0][k] * x + R[1][k] * y + R[2][k] * z;
}

/* out = A' X */
static inline void ilqr_transposed(double A[NV][NV], matrix3 R, double out[NV][NV]) {
  for (int i = 0; i < NV; i++) {
    for (int j = 0; j < NV; j++) out[i][j] = A[j][i];
    ilqr_turned(out[i], R);
  }
}

/* V, of (q', v'), as of (q, v'): q' changes by E dq + h J dv', with E and J of the turn h w. */
static inline void ilqr_half_step(ilqr_quadratic *V, const double v[NV], double h) {
  double qqJ[NV][NV], JqqJ[NV][NV], vqJ[NV][NV], T[NV][NV], g[NV];
  matrix3 E = {{0}}, J = {{0}};
  if (NB) {
    const double *w = v + QUAT, turn[3] = {h * w[0], h * w[1], h * w[2]};
    rotation(turn, E, J);
  }
  memcpy(g, V->q, sizeof g);
  ilqr_turned(g, J);
  ilqr_turned(V->q, E);
  ilqr_transposed(V->qq, J, qqJ);
  ilqr_transposed(qqJ, J, JqqJ);
  ilqr_transposed(V->qv, J, vqJ);
  for (int i = 0; i < NV; i++) {
    V->v[i] += h * g[i];
    for (int j = 0; j < NV; j++) {
      V->vv[i][j] += h * h * JqqJ[i][j] + h * (vqJ[i][j] + vqJ[j][i]);
      V->qv[i][j] += h * qqJ[i][j];
    }
  }
  if (!NB) return;
  ilqr_transposed(V->qv, E, T); /* with E = 1 that would change nothing */
  static const matrix3 one = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  memcpy(J, one, sizeof J);
  ilqr_transposed(T, J, V->qv);
  ilqr_transposed(V->qq, E, T);
  ilqr_transposed(T, E, V->qq);
}

/* The lower factor R of a symmetric matrix, R R' = A, R_ii as its inverse, of the rows and columns
 * that are free; the others become those of 1. False: A is not positive definite there. */
static inline bool ilqr_factor(double A[NU][NU], const bool held[NU], double R[NU][NU]) {
  for (int j = 0; j < NU; j++)
    for (int i = j; i < NU; i++) {
      double x = held[i] || held[j] ? i == j : A[i][j];
      for (int k = 0; k < j; k++) x -= R[i][k] * R[j][k];
      if (i == j && !(x > 0)) return false;
      R[i][j] = i == j ? 1 / sqrt(x) : x * R[j][j];
    }
  return true;
}

/* x <- A^-1 x, with the factor of A */
static inline void ilqr_solve(double R[NU][NU], double x[NU]) {
  for (int i = 0; i < NU; i++) {
    for (int k = 0; k < i; k++) x[i] -= R[i][k] * x[k];
    x[i] *= R[i][i];
  }
  for (int i = NU; i-- > 0;) {
    for (int k = i + 1; k < NU; k++) x[i] -= R[k][i] * x[k];
    x[i] *= R[i][i];
  }
}

static inline double ilqr_of(double H[NU][NU], const double g[NU], const double d[NU]) {
  double value = 0;
  for (int i = 0; i < NU; i++) {
    value += g[i] * d[i];
    for (int j = 0; j < NU; j++) value += 0.5 * d[i] * H[i][j] * d[j];
  }
  return value;
}

/* d, where d' H d / 2 + g' d is least within low <= d <= high, by projected Newton steps; which are
 * held at a bound there, and the factor of the others. */
static inline bool ilqr_bounded(double H[NU][NU], const double g[NU], const double low[NU],
                                const double high[NU], double d[NU], bool held[NU],
                                double R[NU][NU]) {
  for (int i = 0; i < NU; i++) d[i] = fmax(low[i], fmin(high[i], d[i]));
  for (int iteration = 0; iteration < 50; iteration++) {
    double step[NU], tried[NU], left = 0, before = ilqr_of(H, g, d);
    bool changed = iteration == 0;
    for (int i = 0; i < NU; i++) {
      double slope = g[i];
      for (int j = 0; j < NU; j++) slope += H[i][j] * d[j];
      const bool now = (d[i] <= low[i] && slope > 0) || (d[i] >= high[i] && slope < 0);
      changed |= now != held[i];
      held[i] = now;
      step[i] = now ? 0 : -slope;
      left = fmax(left, fabs(step[i]) / sqrt(fabs(H[i][i])));
    }
    if (changed && !ilqr_factor(H, held, R)) return false;
    if (left * left <= 1e-20 * (1 + fabs(before))) return true;
    ilqr_solve(R, step);
    for (double share = 1;; share /= 2) {
      for (int i = 0; i < NU; i++) tried[i] = fmax(low[i], fmin(high[i], d[i] + share * step[i]));
      if (ilqr_of(H, g, tried) < before) break;
      if (share < 1e-6) return true; /* nothing is left to gain */
    }
    memcpy(d, tried, sizeof tried);
  }
  return true;
}

/* Q(z, du) = g' du + du' H du / 2 + du' (xq dq + xv dv): the cost of a step by changes of u. */
typedef struct ilqr_input {
  double g[NU], H[NU][NU], q[NU][NV], v[NU][NV];
} ilqr_input;

/* From V of the next state: Q of step k, and what of V does not depend on u. */
static inline void ilqr_step(const ilqr_problem *p, const ilqr_motion *t, int k, ilqr_quadratic *V,
                             ilqr_input *Q) {
  const ilqr_model *m = &t->m[k];
  const double h = p->period;
  double Aq[NV][NV], Av[NV][NV], B[NV][NU], Sq[NV][NV], Sv[NV][NV], next[NV];
  ilqr_half_step(V, t->x[k + 1].v, h);
  for (int i = 0; i < NV; i++) { /* dv' = Aq dq + Av dv + B du */
    for (int j = 0; j < NV; j++) {
      Aq[i][j] = h * m->a_q[i][j];
      Av[i][j] = (i == j) + h * m->a_v[i][j];
    }
    for (int j = 0; j < NU; j++) B[i][j] = h * m->a_u[i][j];
  }
  memset(Q, 0, sizeof *Q);
  memset(Sq, 0, sizeof Sq);
  memset(Sv, 0, sizeof Sv);
  for (int i = 0; i < NV; i++) /* (Sq, Sv) = the slope of V by v' after changes of q and v */
    for (int l = 0; l < NV; l++)
      for (int j = 0; j < NV; j++) {
        Sq[i][j] += V->vv[i][l] * Aq[l][j];
        Sv[i][j] += V->vv[i][l] * Av[l][j];
      }
  double BV[NV][NU] = {{0}}, qq[NV][NV], qv[NV][NV] = {{0}}, vv[NV][NV] = {{0}};
  memcpy(qq, V->qq, sizeof qq);
  memcpy(next, V->v, sizeof next);
  for (int i = 0; i < NV; i++)
    for (int l = 0; l < NV; l++)
      for (int j = 0; j < NU; j++) BV[i][j] += V->vv[i][l] * B[l][j];
  for (int l = 0; l < NV; l++) {
    for (int i = 0; i < NU; i++) {
      Q->g[i] += B[l][i] * next[l];
      for (int j = 0; j < NU; j++) Q->H[i][j] += B[l][i] * BV[l][j];
      for (int j = 0; j < NV; j++) {
        Q->q[i][j] += B[l][i] * (Sq[l][j] + V->qv[j][l]);
        Q->v[i][j] += B[l][i] * Sv[l][j];
      }
    }
  }
  for (int i = 0; i < NV; i++) V->v[i] = 0;
  for (int l = 0; l < NV; l++)
    for (int i = 0; i < NV; i++) {
      V->q[i] += Aq[l][i] * next[l];
      V->v[i] += Av[l][i] * next[l];
      for (int j = 0; j < NV; j++) {
        qq[i][j] += Aq[l][i] * Sq[l][j] + V->qv[i][l] * Aq[l][j] + V->qv[j][l] * Aq[l][i];
        qv[i][j] += Aq[l][i] * Sv[l][j] + V->qv[i][l] * Av[l][j];
        vv[i][j] += Av[l][i] * Sv[l][j];
      }
    }
  memcpy(V->qq, qq, sizeof qq);
  memcpy(V->qv, qv, sizeof qv);
  memcpy(V->vv, vv, sizeof vv);
  ilqr_state_cost(p, &t->x[k], h, p->q_weight, p->v_weight, V);
  for (int i = 0; i < NU; i++) {
    Q->g[i] += h * p->u_weight[i] * (t->u[k][i] - p->u_rest[i]);
    Q->H[i][i] += h * p->u_weight[i];
  }
  for (int c = 0; c < NC; c++) {
    const double f = ilqr_pushed(t, k, c, m->c[c]), r = t->penalty;
    const double *by_q = m->c_q[c], *by_v = m->c_v[c], *by_u = m->c_u[c];
    if (f <= 0) continue;
    for (int i = 0; i < NV; i++) {
      V->q[i] += f * by_q[i];
      V->v[i] += f * by_v[i];
      for (int j = 0; j < NV; j++) {
        V->qq[i][j] += r * by_q[i] * by_q[j];
        V->qv[i][j] += r * by_q[i] * by_v[j];
        V->vv[i][j] += r * by_v[i] * by_v[j];
      }
    }
    for (int i = 0; i < NU; i++) {
      Q->g[i] += f * by_u[i];
      for (int j = 0; j < NU; j++) Q->H[i][j] += r * by_u[i] * by_u[j];
      for (int j = 0; j < NV; j++) {
        Q->q[i][j] += r * by_u[i] * by_q[j];
        Q->v[i][j] += r * by_u[i] * by_v[j];
      }
    }
  }
}

static inline void ilqr_end(const ilqr_problem *p, const ilqr_motion *t, ilqr_quadratic *V) {
  memset(V, 0, sizeof *V);
  ilqr_state_cost(p, &t->x[STEPS], 1, p->q_end, p->v_end, V);
}

/* Changes of u, and gains; gain: what the cost loses by a share of the changes, share gain[0] +
 * share^2 gain[1]. damping: added to the Hessian by u. False: it needs more of it. */
static inline bool ilqr_sweep(const ilqr_problem *p, ilqr_motion *t, double damping,
                              double gain[2]) {
  ilqr_quadratic V;
  ilqr_input Q;
  gain[0] = gain[1] = 0;
  ilqr_end(p, t, &V);
  for (int k = STEPS; k-- > 0;) {
    double low[NU], high[NU], H[NU][NU], R[NU][NU], *d = t->change[k], Hd[NU];
    bool held[NU];
    ilqr_step(p, t, k, &V, &Q);
    memcpy(H, Q.H, sizeof H);
    for (int i = 0; i < NU; i++) {
      H[i][i] += damping * (p->period * p->u_weight[i]);
      low[i] = -p->u_most[i] - t->u[k][i];
      high[i] = p->u_most[i] - t->u[k][i];
    }
    if (!ilqr_bounded(H, Q.g, low, high, d, held, R)) return false;
    double K[NX][NU]; /* transposed */
    for (int j = 0; j < NX; j++) {
      for (int i = 0; i < NU; i++) K[j][i] = held[i] ? 0 : -(j < NV ? Q.q[i][j] : Q.v[i][j - NV]);
      ilqr_solve(R, K[j]);
      for (int i = 0; i < NU; i++) t->K[k][i][j] = K[j][i];
    }
    /* V <- V + K' H d + K' g + Q' d,  VV <- VV + K' H K + K' Q + Q' K */
    for (int i = 0; i < NU; i++) {
      Hd[i] = Q.g[i];
      for (int j = 0; j < NU; j++) Hd[i] += Q.H[i][j] * d[j];
      gain[0] -= Q.g[i] * d[i];
      gain[1] -= 0.5 * (Hd[i] - Q.g[i]) * d[i];
    }
    double Y[NU][NX]; /* H K / 2 + Q, so that VV <- VV + K' Y + Y' K */
    for (int i = 0; i < NU; i++)
      for (int j = 0; j < NX; j++) {
        double x = j < NV ? Q.q[i][j] : Q.v[i][j - NV];
        for (int l = 0; l < NU; l++) x += 0.5 * Q.H[i][l] * K[j][l];
        Y[i][j] = x;
      }
    for (int l = 0; l < NU; l++) {
      const double *a = t->K[k][l], *b = Y[l];
      for (int i = 0; i < NV; i++) {
        V.q[i] += a[i] * Hd[l] + Q.q[l][i] * d[l];
        V.v[i] += a[NV + i] * Hd[l] + Q.v[l][i] * d[l];
        for (int j = 0; j < NV; j++) {
          V.qq[i][j] += a[i] * b[j] + b[i] * a[j];
          V.qv[i][j] += a[i] * b[NV + j] + b[i] * a[NV + j];
          V.vv[i][j] += a[NV + i] * b[NV + j] + b[NV + i] * a[NV + j];
        }
      }
    }
  }
  return isfinite(gain[0]) && isfinite(gain[1]);
}

/* The gradient of the whole cost by all u, along the motion t->x under t->u with its models t->m. */
static inline void ilqr_gradient(const ilqr_problem *p, const ilqr_motion *t,
                                 double gradient[STEPS][NU]) {
  ilqr_quadratic V;
  ilqr_input Q;
  ilqr_end(p, t, &V);
  for (int k = STEPS; k-- > 0;) {
    ilqr_step(p, t, k, &V, &Q);
    memcpy(gradient[k], Q.g, sizeof Q.g);
  }
}

/* ---- the iterations ---- */

/* Derivatives along t->x; the largest c. False: there are none. */
static inline bool ilqr_linearise(const ilqr_problem *p, ilqr_motion *t) {
  t->violation = 0;
  for (int k = 0; k < STEPS; k++) {
    if (!p->model(p->context, &t->x[k], t->u[k], true, &t->m[k])) return false;
    for (int j = 0; j < NC; j++) t->violation = fmax(t->violation, t->m[k].c[j]);
  }
  return true;
}

/* Minimises the cost from t->u on with the multipliers as they are; t->iterations counts on. True:
 * the cost is least, as far as can be told. */
static inline bool ilqr_descend(const ilqr_problem *p, ilqr_motion *t, double enough) {
  static ilqr_state x[STEPS + 1]; /* tried */
  static double u[STEPS][NU];
  ilqr_model m;
  double damping = 0, gain[2];
  while (t->iterations < p->most_iterations) {
    t->iterations++;
    while (!ilqr_sweep(p, t, damping, gain)) {
      damping = fmax(1, 8 * damping);
      if (damping > 1e12) return false;
    }
    if (gain[0] + gain[1] <= enough * fabs(t->cost)) return true;
    double share = 1, cost;
    for (;; share /= 2) {
      cost = ilqr_roll(p, t, share, x, u, &m);
      if (t->cost - cost >= 1e-3 * share * (gain[0] + share * gain[1])) break;
      if (share < 1e-3) break;
    }
    if (share < 1e-3) {
      damping = fmax(1, 8 * damping);
      if (damping > 1e12) return true; /* rounding is larger than what is left to gain */
      continue;
    }
    damping = share == 1 && damping > 1 ? damping / 8 : share == 1 ? 0 : damping;
    memcpy(t->x, x, sizeof x);
    memcpy(t->u, u, sizeof u);
    t->cost = cost;
    if (!ilqr_linearise(p, t)) return false;
  }
  return false;
}

static inline bool ilqr_sound(const ilqr_problem *p, const ilqr_motion *t) {
  bool sound = p->period > 0 && isfinite(p->period) && p->tolerance > 0 && p->end_error > 0;
  sound &= p->penalty > 0 && isfinite(p->penalty);
  for (int i = 0; i < NQ; i++) sound &= isfinite(p->start.q[i]) && isfinite(p->goal.q[i]);
  for (int i = 0; i < NV; i++) {
    const double weights[4] = {p->q_weight[i], p->v_weight[i], p->q_end[i], p->v_end[i]};
    for (int k = 0; k < 4; k++) sound &= weights[k] >= 0 && isfinite(weights[k]);
    sound &= isfinite(p->start.v[i]);
  }
  for (int i = 0; i < NU; i++) {
    sound &= p->u_weight[i] > 0 && isfinite(p->u_weight[i]) && isfinite(p->u_rest[i]);
    sound &= p->u_most[i] >= 0 && isfinite(p->u_most[i]);
    for (int k = 0; k < STEPS; k++) sound &= isfinite(t->u[k][i]) != 0;
  }
  return sound;
}

/* Finds a motion, from the torques in t->u on. Whatever the status, t->x, t->u and t->K have no
 * numbers that are none. It uses static memory: one call at a time. */
static inline ilqr_status ilqr_optimise(const ilqr_problem *p, ilqr_motion *t) {
  static ilqr_state x[STEPS + 1];
  static double u[STEPS][NU];
  ilqr_model m;
  memset(t->multiplier, 0, sizeof t->multiplier);
  memset(t->change, 0, sizeof t->change);
  memset(t->K, 0, sizeof t->K);
  t->penalty = p->penalty;
  t->iterations = 0;
  t->violation = t->distance = t->cost = INFINITY;
  memset(t->x, 0, sizeof t->x);
  if (!ilqr_sound(p, t)) {
    memset(t->u, 0, sizeof t->u);
    return ILQR_BAD_PROBLEM;
  }
  for (int k = 0; k <= STEPS; k++) t->x[k] = p->start;
  t->cost = ilqr_roll(p, t, 0, x, u, &m);
  if (!isfinite(t->cost)) return ILQR_BAD_MODEL;
  memcpy(t->x, x, sizeof x);
  memcpy(t->u, u, sizeof u);
  if (!ilqr_linearise(p, t)) return ILQR_BAD_MODEL;
  double before = INFINITY;
  bool least = false;
  for (int round = 0; round < 12 && t->iterations < p->most_iterations; round++) {
    least = ilqr_descend(p, t, round == 0 ? 1e-3 : 1e-5);
    if (least && t->violation <= p->tolerance) break;
    for (int k = 0; k < STEPS; k++)
      for (int j = 0; j < NC; j++) t->multiplier[k][j] = ilqr_pushed(t, k, j, t->m[k].c[j]);
    if (t->violation > 0.3 * before) t->penalty *= 10;
    before = t->violation;
    t->cost = ilqr_state_cost(p, &t->x[STEPS], 1, p->q_end, p->v_end, NULL);
    for (int k = 0; k < STEPS; k++)
      t->cost += ilqr_step_cost(p, t, k, &t->x[k], t->u[k], t->m[k].c);
  }
  t->distance = sqrt(2 * ilqr_state_cost(p, &t->x[STEPS], 1, p->q_end, p->v_end, NULL));
  if (t->violation > p->tolerance) return ILQR_INFEASIBLE;
  if (t->distance > p->end_error) return ILQR_GOAL_MISSED;
  return least ? ILQR_SOLVED : ILQR_NOT_CONVERGED;
}

#endif
