/* SPDX-License-Identifier: MIT */
/* serial_gripper.h: a simulated gripper on a serial line, as a Robotiq 2F-85. */
#ifndef ACHD_SIMULATED_SERIAL_GRIPPER_H
#define ACHD_SIMULATED_SERIAL_GRIPPER_H

#include "fingers.h"
#include "serial.h"

/* The caller's handle (comm) is this, as long as the gripper is open. */
typedef struct achd_serial_gripper {
  achd_serial line; /* first: it is what the device begins with */
  achd_fingers fingers;
  double counts[2]; /* that open and closed fingers have */
  bool activated;
} achd_serial_gripper;

extern const achd_world_kind achd_gripper_kind;

/* Position [counts]. */
double achd_serial_gripper_count(const achd_serial_gripper *g);

#endif
