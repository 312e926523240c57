/* SPDX-License-Identifier: MIT */
/* cartesian.h: high-level control of a simulated arm: its base moves the tool. */
#ifndef ACHD_SIMULATED_CARTESIAN_H
#define ACHD_SIMULATED_CARTESIAN_H

#include "motors.h"

/* The command of the tool. */
typedef struct achd_cartesian_command {
  enum robif2b_hl_ctrl_mode mode;
  enum robif2b_kinova_cart_ref_frame frame;
  bool restricted;  /* WRENCH: no motion where a component is 0 */
  double values[6]; /* twist [m/s, rad/s] or wrench [N, N m], linear first */
} achd_cartesian_command;

typedef struct achd_cartesian {
  achd_arm_motors *motors;
  int tool,
      base; /* frame of the tool, -1: there is none; the link whose axes are those of the base */
  bool active;
  achd_cartesian_command command;
  double twist[6];      /* that is followed, along the base's axes */
  double p[3], axes[9]; /* the tool's pose when the command began */
} achd_cartesian;

/* Takes a command; from rest, or where it is another one than the last, it begins where the tool is. */
void achd_cartesian_take(achd_cartesian *c, const achd_cartesian_command *command);

/* Ends it. */
void achd_cartesian_end(achd_cartesian *c);

/* Sets the motors' torques for the next step [s]. */
void achd_cartesian_act(achd_cartesian *c, double step);

/* The environment's wrench on the links behind the last joint, about the tool, along the base's axes:
 * force, then moment [N, N m]. After achd_physics_sense. */
void achd_cartesian_external(const achd_cartesian *c, double wrench[6]);

#endif
