/* SPDX-License-Identifier: MIT */
/* simulated.c: an arm to try the controller on: the generated forward dynamics, integrated. It has
 * friction that the controller does not know, and the brakes of its drives. */
#include "robot.h"

#include "gen3_achd.h"

#include <math.h>
#include <string.h>

static double q[GEN3_NJ] = {0, 0.26, 3.14, -2.27, 0, 0.96, 1.57}, qd[GEN3_NJ];
static bool blind;

void arm_lose_encoders(void) {
  blind = true;
}

void arm_read(achd_measurement *measured) {
  memset(measured, 0, sizeof *measured);
  for (int j = 0; j < GEN3_NJ; j++) {
    measured->q[j] = blind ? NAN : q[j];
    measured->qd[j] = qd[j];
  }
}

void arm_command(achd_loop_mode mode, const double *tau, double period) {
  gen3_fd_in in;
  gen3_fd_out out;
  memset(&in, 0, sizeof in);
  memcpy(in.q, q, sizeof in.q);
  memcpy(in.qd, qd, sizeof in.qd);
  for (int j = 0; j < GEN3_NJ; j++) in.tau[j] = tau[j] - 0.5 * tanh(qd[j] / 0.01); /* [N m] */
  gen3_fd(&in, &out);
  for (int j = 0; j < GEN3_NJ; j++) {
    qd[j] += period * out.qdd[j];
    if (mode == ACHD_LOOP_DISABLE) qd[j] = 0; /* the drives' brakes have closed */
    q[j] += period * qd[j];
  }
}
