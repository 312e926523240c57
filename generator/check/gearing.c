/* SPDX-License-Identifier: MIT */
/* gearing.c: see gearing.h */
#include "check/gearing.h"

#include "check/elimination.h"

#include <math.h>

ag_gearing ag_gearing_of(const ag_value *problem, int joints, ag_arena *arena) {
  const ag_value *motors = ag_value_list(problem, "motors"),
                 *bodies = ag_value_list(problem, "bodies");
  ag_gearing g = {.motors = motors->length, .joints = joints};
  g.G = ag_alloc(arena, ((size_t)g.motors * (size_t)joints + 1) * sizeof *g.G);
  g.effort = ag_alloc(arena, (size_t)(g.motors + 1) * sizeof *g.effort);
  g.viscous = ag_alloc(arena, (size_t)(g.motors + 1) * sizeof *g.viscous);
  for (int k = 0; k < g.motors * joints; k++) g.G[k] = 0;
  for (int m = 0; m < g.motors; m++) {
    const ag_value *ratio = ag_value_list(&motors->items[m], "ratio");
    g.effort[m] = ag_value_exact(&motors->items[m], "effort").value;
    g.viscous[m] = ag_value_exact(&motors->items[m], "viscous").value;
    for (int i = 0; i < bodies->length; i++) {
      const ag_value *b = &bodies->items[i];
      const int j = ag_value_integer(b, "joint") - 1;
      if (j >= 0)
        g.G[m * joints + j] += ag_value_at(ratio, i).value * ag_value_exact(b, "ratio").value;
    }
  }
  return g;
}

void ag_gearing_torques(const ag_gearing *g, const double *tau, double *torques) {
  const int n = g->joints;
  ag_arena own = {0};
  long double *A = ag_alloc(&own, ((size_t)n * (size_t)n + 1) * sizeof *A),
              *y = ag_alloc(&own, ((size_t)n + 1) * sizeof *y);
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) {
      A[i * n + j] = 0;
      for (int m = 0; m < g->motors; m++)
        A[i * n + j] += (long double)g->G[m * n + i] * g->G[m * n + j];
    }
    const bool moved = A[i * n + i] > 0; /* else the joint is passive */
    if (!moved) A[i * n + i] = 1;
    y[i] = moved ? tau[i] : 0;
  }
  (void)ag_eliminate(A, y, n); /* positive definite */
  for (int m = 0; m < g->motors; m++) {
    long double sum = 0;
    for (int j = 0; j < n; j++) sum += g->G[m * n + j] * y[j];
    torques[m] = (double)sum;
  }
  ag_arena_free(&own);
}

void ag_gearing_rub(const ag_gearing *g, const double *qd, double *tau) {
  for (int m = 0; m < g->motors; m++) {
    const double *row = g->G + (size_t)m * (size_t)g->joints;
    double speed = 0;
    for (int j = 0; j < g->joints; j++) speed += row[j] * qd[j];
    for (int j = 0; j < g->joints; j++) tau[j] -= row[j] * g->viscous[m] * speed;
  }
}

double ag_gearing_clamp(const ag_gearing *g, double *tau) {
  ag_arena own = {0};
  double *torques = ag_alloc(&own, (size_t)(g->motors + 1) * sizeof *torques), most = 0;
  ag_gearing_torques(g, tau, torques);
  for (int m = 0; m < g->motors; m++) {
    const double clamped = fmax(-g->effort[m], fmin(g->effort[m], torques[m]));
    for (int j = 0; j < g->joints; j++) {
      most = fmax(most, fabs(g->G[m * g->joints + j] * torques[m]));
      tau[j] += g->G[m * g->joints + j] * (clamped - torques[m]);
    }
  }
  ag_arena_free(&own);
  return most;
}
