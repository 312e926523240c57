/* SPDX-License-Identifier: MIT */
#include "inlined_achd.h"
#include "rod_achd.h"

extern "C" unsigned other_unit(double b, double *tau) {
  rod_achd_in in{};
  in.b[ROD_TIP_LIN_X] = b;
  rod_achd_out out;
  const rod_status status = rod_achd(&in, &out);
  *tau = out.tau_ctrl[ROD_JOINT1];
  return status;
}
