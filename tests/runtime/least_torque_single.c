/* SPDX-License-Identifier: MIT */
/* least_torque_single.c: achd_mclp and achd_mclp_least_torque of the float library, for numbers in
 * double. */
#include "rubbing_single.h"

#include <achd/mclp.h>

static void narrow(const double wide[], int count, achd_real x[]) {
  for (int k = 0; k < count; k++) x[k] = (achd_real)wide[k];
}

bool least_torque_single(int rows, int motors, const double L[], const double r[],
                         const double lo[], const double hi[], const double tau_0[],
                         const double tau_nu[], double nu[], bool *certified) {
  enum { most = 13, joints = 7 };
  achd_real Lf[most * (most + 1) / 2], rf[most], lof[most], hif[most], at_0[joints],
      per_nu[most * joints], x[most], work[ACHD_MCLP_TORQUE_WORK(most, joints)], error;
  signed char side[most] = {0};
  achd_mclp_report report;
  narrow(L, rows * (rows + 1) / 2, Lf);
  narrow(r, rows, rf);
  narrow(tau_0, motors, at_0);
  narrow(tau_nu, rows * motors, per_nu);
  for (int j = 0; j < rows; j++) { /* 1e300 is no float */
    lof[j] = lo[j] < -1e30 ? -ACHD_INFINITY : (achd_real)lo[j];
    hif[j] = hi[j] > 1e30 ? ACHD_INFINITY : (achd_real)hi[j];
  }
  const achd_mclp_problem problem = {rows, Lf, rf, lof, hif};
  const achd_mclp_torques torques = {motors, at_0, per_nu, 0};
  if (achd_mclp(&problem, x, side, 0, work, &report) != ACHD_MCLP_SOLVED) return false;
  if (achd_mclp_least_torque(&problem, &torques, x, side, work, &report) != ACHD_MCLP_SOLVED)
    return false;
  *certified = achd_mclp_check_least_torque(&problem, &torques, x, work, &error);
  for (int j = 0; j < rows; j++) nu[j] = (double)x[j];
  return true;
}
