/* SPDX-License-Identifier: MIT */
/* cholesky.h: six linear equations; private to the devices and the adapters. */
#ifndef ACHD_ROBIF2B_CHOLESKY_H
#define ACHD_ROBIF2B_CHOLESKY_H

#include <math.h>
#include <stdbool.h>

/* Solves A x = b by Cholesky's method; A is 6 x 6, symmetric, lower triangle; x = b in place. False
 * where a pivot is below the share `least` of its diagonal. */
static inline bool achd_solve_six(double A[6][6], double x[6], double least) {
  for (int i = 0; i < 6; i++)
    for (int j = 0; j <= i; j++) {
      double sum = A[i][j];
      for (int k = 0; k < j; k++) sum -= A[i][k] * A[j][k];
      if (i == j && !(sum > least * A[i][i])) return false;
      A[i][j] = i == j ? sqrt(sum) : sum / A[j][j];
    }
  for (int i = 0; i < 6; i++) {
    for (int k = 0; k < i; k++) x[i] -= A[i][k] * x[k];
    x[i] /= A[i][i];
  }
  for (int i = 5; i >= 0; i--) {
    for (int k = i + 1; k < 6; k++) x[i] -= A[k][i] * x[k];
    x[i] /= A[i][i];
  }
  return true;
}

#endif
