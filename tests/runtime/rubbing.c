/* SPDX-License-Identifier: MIT */
/* rubbing.c: see rubbing.h */
#include "rubbing.h"

#include <math.h>

const rubbing_arm *const rubbing_all[rubbing_arms] = {&gen3_rubbing, &iiwa7_rubbing, &lwr4_rubbing,
                                                      &puma560_rubbing, &youbot_arm_rubbing};

void rubbing_affine(const rubbing_arm *arm, const double at_0[], const double per_nu[],
                    const double nu[], double x[]) {
  for (int i = 0; i < arm->joints; i++) {
    x[i] = at_0[i];
    for (int j = 0; j < arm->rows; j++) x[i] += per_nu[j * arm->joints + i] * nu[j];
  }
}

long double rubbing_row(const rubbing_arm *arm, const rubbing_problem *problem, const double nu[],
                        int row, long double *size) {
  long double sum = -(long double)problem->r[row];
  *size = fabsl(sum);
  for (int k = 0; k < arm->rows; k++) {
    const int i = row > k ? row : k, j = row > k ? k : row;
    const long double one = (long double)problem->L[i * (i + 1) / 2 + j] * nu[k];
    sum += one;
    *size += fabsl(one);
  }
  return sum;
}
