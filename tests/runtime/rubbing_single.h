/* SPDX-License-Identifier: MIT */
/* rubbing_single.h: see least_torque_single.c */
#ifndef RUBBING_SINGLE_H
#define RUBBING_SINGLE_H

#include <stdbool.h>

/* nu[rows]; false: it is not solved. */
bool least_torque_single(int rows, int motors, const double L[], const double r[],
                         const double lo[], const double hi[], const double tau_0[],
                         const double tau_nu[], double nu[], bool *certified);

#endif
