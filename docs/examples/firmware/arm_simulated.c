/* SPDX-License-Identifier: MIT */
/* arm_simulated.c: no robot at hand: forward dynamics by the same header, a step per command. Ends
 * the program when two seconds are over; its status is 1 where the brakes are on. */
#include "arm.h"
#include "semihost.h"

static float q[GEN3F_NJ] = {0, 0.26F, 3.14F, -2.27F, 0, 0.96F, 1.57F}, qd[GEN3F_NJ];
static bool braked;

bool arm_read(arm_sensors *sensors) {
  static unsigned readings;
  if (++readings > 2001) semihost_exit(braked);
  for (int i = 0; i < GEN3F_NJ; i++) {
    sensors->q[i] = q[i];
    sensors->qd[i] = qd[i];
  }
  for (int i = 0; i < 3; i++) sensors->push.lin[i] = sensors->push.ang[i] = 0;
  return true;
}

void arm_command(const float tau[GEN3F_NJ]) {
  static gen3f_fd_in in = {.gravity = {0, 0, -9.81F}};
  gen3f_fd_out out;
  const float step = 1e-3F; /* [s] */
  if (braked) return;
  for (int i = 0; i < GEN3F_NJ; i++) {
    in.q[i] = q[i];
    in.qd[i] = qd[i];
    in.tau[i] = tau[i];
  }
  gen3f_fd(&in, &out);
  for (int i = 0; i < GEN3F_NJ; i++) {
    qd[i] += step * out.qdd[i];
    q[i] += step * qd[i];
  }
}

void arm_brake(void) {
  braked = true;
  for (int i = 0; i < GEN3F_NJ; i++) qd[i] = 0;
}
