/* SPDX-License-Identifier: MIT */
/* posture.h: the torques of a posture, without what they would do to the tool of a Kinova Gen3
 * (robots/gen3.lua, functions achd and gravity). */
#ifndef POSTURE_H
#define POSTURE_H

#include "gen3_achd.h"

/* A spring and a damper of each joint towards a posture [N m], and of these torques t what moves
 * freedoms only that no row of the tool takes:
 *
 *   t + J^T nu,  nu such that  J M^-1 (t + J^T nu) = 0
 *
 * It is what the solver makes of t where all rows are in force with b = 0, and nothing else acts:
 * no gravity, no velocity, no wrench. Along a row that the task masks out, to press there or to
 * yield, the tool then feels nothing of the posture. tau: to be added to tau_art beside the weight.
 * The status is the solver's; with SINGULAR or SATURATED the tool feels a rest of the posture. */
static inline gen3_status posture_torques(const double posture[GEN3_NJ], const double q[GEN3_NJ],
                                          const double qd[GEN3_NJ], double tau[GEN3_NJ]) {
  gen3_achd_in in = {.gravity = {0, 0, 0}};
  gen3_achd_out out;
  for (int i = 0; i < GEN3_NR; i++) in.mask[i] = 1;
  for (int i = 0; i < GEN3_NJ; i++) {
    in.q[i] = q[i];
    in.tau_art[i] = 20 * (posture[i] - q[i]) - 4 * qd[i];
  }
  const gen3_status status = gen3_achd(&in, &out);
  for (int i = 0; i < GEN3_NJ; i++) tau[i] = out.tau_ctrl[i];
  return status;
}

#endif
