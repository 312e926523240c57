/* SPDX-License-Identifier: MIT */
/* external.c: see external.h */
#include "external.h"

#include "../cholesky.h"

/* J J^T F = J (torques - A qdd - tau) */
static bool find_wrench(const achd_external *arm, double F[6]) {
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
  if (!achd_solve_six(A, F, least)) return false;
  for (int i = 0; i < 6; i++) sum += F[i];
  return achd_finite(sum);
}

void achd_external_follow(const achd_external *arm, double share, achd_wrench *wrench) {
  double F[6];
  if (!find_wrench(arm, F)) return;
  for (int i = 0; i < 3; i++) {
    wrench->lin[i] += share * (F[i] - wrench->lin[i]);
    wrench->ang[i] += share * (F[3 + i] - wrench->ang[i]);
  }
}
