/* SPDX-License-Identifier: MIT */
/* measure.h: how large the terms can be that make up a number of the robot on a state. Where a
 * number is zero by symmetry, or small by cancelling, its roundings are those of these terms. */
#ifndef AG_MEASURE_H
#define AG_MEASURE_H

#include "check/sampler.h"
#include "model/reduce.h"

typedef struct ag_measures {
  double length;  /* the longest lever: from the base's origin along the chain to a frame or to a
                     body's farthest mass [m] */
  double mass;    /* of all that moves, the base's too [kg] */
  double gravity; /* [m/s^2] */
  double speed;   /* of the fastest joint, mimicking ones too, or of the base [rad/s, m/s] */
  double rate;    /* the largest factor of a mimicking or dependent joint, at least 1 */
  double angle;   /* the largest of which a sine is taken [rad] */
  bool slides;    /* a joint, or the base, has a linear velocity */
} ag_measures;

/* On the state that the sampler has drawn. Its rate is that of linkages already, at least 1. velocity: n of them, the base's
 * first. lever: as long as there are bodies, for intermediate results. */
void ag_measure(ag_measures *measures, const ag_sampler *sampler, const ag_reduced *reduced,
                const double *velocity, int n, double *lever);

/* Of a linear velocity, where the velocities are this large [m/s]. */
double ag_measure_velocity(const ag_measures *measures, double speed);

/* Of a force [N], where the accelerations are this large; of a moment times .length. */
double ag_measure_force(const ag_measures *measures, double acceleration);

#endif
