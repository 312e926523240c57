/* SPDX-License-Identifier: MIT */
/* motors.h: the motors of a simulated arm with their drives: the laws by which they follow a command,
 * and the limits at which they give up and hold the arm. */
#ifndef ACHD_SIMULATED_MOTORS_H
#define ACHD_SIMULATED_MOTORS_H

#include "world.h"

#include <achd/arm.h>

/* Faults of a joint, as bits (those of the arm's own actuators). */
enum achd_arm_fault {
  ACHD_ARM_FOLLOWING_ERROR = 1,
  ACHD_ARM_MAX_VELOCITY = 2,
  ACHD_ARM_LIMIT_HIGH = 4,
  ACHD_ARM_LIMIT_LOW = 8,
  ACHD_ARM_MAX_TORQUE = 32
};

/* What the joint may do; INFINITY where nothing is watched. */
typedef struct achd_arm_limits {
  double following_warning, following_fault; /* measured minus last position command [rad; m] */
  double velocity_warning, velocity_fault;   /* [rad/s; m/s] */
  double torque_warning, torque_fault; /* the latter is the most that the motor gives [N m; N] */
  double lower, upper;                 /* position [rad; m] */
  double current;                      /* the most that the drive gives [A] */
  double torque_constant;              /* behind the gear [N m/A; N/A] */
} achd_arm_limits;

typedef struct achd_arm_motor {
  int joint;  /* number in the model */
  bool turns; /* position commands are modulo 2 pi */
  achd_arm_limits limits;
  double position, torque, current; /* commands [rad; m], [N m; N], [A] */
  double held;                      /* position that is held [rad; m] */
  double integral;                  /* of the servo [rad/s^2; m/s^2] */
  double tau;                       /* torque of the motor in the last step [N m; N] */
  double
      edge; /* how far beyond a position limit the joint was when its fault was cleared [rad; m] */
  unsigned faults, warnings; /* bits of achd_arm_fault */
} achd_arm_motor;

/* The motors of an arm: they obey (low-level control), or hold where they are. */
typedef struct achd_arm_motors {
  achd_physics *physics;
  int n;
  achd_arm_motor motor[ACHD_ARM_JOINTS];
  enum robif2b_ctrl_mode mode;
  double frame;              /* time between commands [s] */
  bool obeying;              /* false: holding */
  bool gravity_compensation; /* in FORCE and CURRENT */
  bool compensated;          /* the torques are those of high-level control */
} achd_arm_motors;

/* Holds the joints: from motion, they are braked to rest first. */
void achd_motors_hold(achd_arm_motors *motors);

/* Follows commands: of mode FORCE with the torques that hold the arm, until other commands come. */
void achd_motors_obey(achd_arm_motors *motors);

/* Watches the limits, and sets the torques for the next step [s]. */
void achd_motors_act(achd_arm_motors *motors, double step);

/* A fault of joint j (from 0): all joints are held. */
void achd_motors_trip(achd_arm_motors *motors, int j, unsigned fault);
bool achd_motors_tripped(const achd_arm_motors *motors);
/* Clears all faults. */
void achd_motors_clear(achd_arm_motors *motors);

/* Torque that the joint's output gives to the link: the motor's less friction and what accelerates
 * the rotor [N m; N]. */
double achd_motors_output(const achd_arm_motors *motors, int j);

#endif
