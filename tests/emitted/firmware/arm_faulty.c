/* SPDX-License-Identifier: MIT */
/* arm_faulty.c: the example's simulated arm that goes wrong after 100 readings, as FAULT says, and
 * that tells when it is commanded behind its brakes. */
#define arm_read simulated_read
#define arm_command simulated_command
#define arm_brake simulated_brake
#include "arm_simulated.c"
#undef arm_read
#undef arm_command
#undef arm_brake
#include "semihost.h"

enum {
  NO_FAULT,
  NAN_POSITION,
  NAN_FORCE,
  WILD_POSITION,
  SILENT,
  LATE_ONCE,
  LATE,
  HUNG,
  BAD_ADDRESS,
  DEEP
};

bool arm_read(arm_sensors *sensors);
void arm_command(const float tau[GEN3F_NJ]);
void arm_brake(void);

static void waste(unsigned instructions) {
  for (volatile unsigned i = 0; i < instructions / 4; i++) {
  }
}

static float descend(volatile float depth) { /* below any stack */
  return depth > 0 ? descend(depth + 1) + depth : 0;
}

bool arm_read(arm_sensors *sensors) {
  static unsigned readings;
  const bool answered = simulated_read(sensors);
  if (++readings <= 100) return answered;
  switch (FAULT) {
  case NAN_POSITION:
    sensors->q[3] = __builtin_nanf("");
    break;
  case NAN_FORCE:
    sensors->push.ang[2] = __builtin_nanf("");
    break;
  case WILD_POSITION:
    sensors->q[0] = 2e4F;
    break;
  case SILENT:
    return false;
  case LATE_ONCE:
    if (readings == 101) waste(100000);
    break;
  case LATE:
    waste(50000);
    break;
  case HUNG:
    for (;;) {
    }
  case BAD_ADDRESS:
    sensors->q[0] = *(volatile float *)0x90000000U;
    break;
  case DEEP:
    sensors->q[0] = descend(1);
    break;
  default:
    break;
  }
  return answered;
}

void arm_command(const float tau[GEN3F_NJ]) {
  for (int i = 0; i < GEN3F_NJ; i++)
    if (!(tau[i] > -1e3F && tau[i] < 1e3F)) semihost_print("COMMANDED NO TORQUE\n");
  if (braked) semihost_print("COMMANDED BEHIND THE BRAKES\n");
  simulated_command(tau);
}

void arm_brake(void) {
  if (!braked) semihost_print("braked\n");
  simulated_brake();
}
