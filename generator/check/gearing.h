/* SPDX-License-Identifier: MIT */
/* gearing.h: motors that are not joints, in an optimum within limits (`qp`). */
#ifndef AG_CHECK_GEARING_H
#define AG_CHECK_GEARING_H

#include "base/arena.h"
#include "base/value.h"

typedef struct ag_gearing {
  int motors, joints;
  double *G; /* G[motors * joints]: velocities of motors are w = G qd */
  double
      *effort; /* effort[motors]: infinite where a motor moves one joint alone, or has no limit */
  double *viscous; /* viscous[motors] */
} ag_gearing;

/* problem: what the function is about (lua/functions/problem.lua). motors is 0 where the layout has no such motors. */
ag_gearing ag_gearing_of(const ag_value *problem, int joints, ag_arena *arena);

/* The least torques[motors] that give tau[joints] where motors move joints: G y, G^T G y = tau. */
void ag_gearing_torques(const ag_gearing *gearing, const double *tau, double *torques);

/* What the motors' viscous friction adds to the torques of joints: -G^T d G qd. */
void ag_gearing_rub(const ag_gearing *gearing, const double *qd, double *tau);

/* Clamps the motors' torques for tau, and with them tau. Returns what tau's elements are sums of, at most. */
double ag_gearing_clamp(const ag_gearing *gearing, double *tau);

#endif
