/* external.c: see external.h */
#include "external.h"

#include <achd/real.h>

#include <math.h>

/* Solves A x = b by Cholesky's method; A is 6 x 6, symmetric, lower triangle; x = b in place. False
 * where a pivot is below the share `least` of its diagonal. */
static bool solve(double A[6][6], double x[6], double least) {
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

bool achd_external_wrench(const achd_external *arm, double F[6]) {
  static const double least = 1e-6;
  double A[6][6], sum = 0;
  for (int i = 0; i < 6; i++) {
    F[i] = 0;
    for (int j = 0; j < arm->n; j++)
      F[i] += arm->J[i][j] * (arm->torques[j] - arm->rotors[j] * arm->qdd[j] - arm->tau[j]);
    for (int k = 0; k <= i; k++) {
      A[i][k] = 0;
      for (int j = 0; j < arm->n; j++) A[i][k] += arm->J[i][j] * arm->J[k][j];
    }
  }
  if (!solve(A, F, least)) return false;
  for (int i = 0; i < 6; i++) sum += F[i];
  return achd_finite(sum);
}
