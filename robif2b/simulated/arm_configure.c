/* SPDX-License-Identifier: MIT */
/* arm_configure.c: opens a simulated arm, in a world with all kinds of devices. */
#include "arm.h"
#include "kinds.h"

void achd_arm_configure(struct achd_arm_nbx *b) {
  achd_world_lock();
  achd_arm_connect(b, "arm", achd_world_kinds);
  achd_world_unlock();
}
