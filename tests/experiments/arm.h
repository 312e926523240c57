/* SPDX-License-Identifier: MIT */
/* arm.h: a simulated arm (achd/arm.h) behind a control loop: what it measures, what it is commanded,
 * and the force sensor that its model has at the tool. */
#ifndef EXPERIMENTS_ARM_H
#define EXPERIMENTS_ARM_H

#include "experiments/record.h"

#include <achd/arm.h>
#include <achd/loop.h>

#include <mujoco/mujoco.h>

typedef struct arm {
  struct achd_arm_nbx ports;
  double period; /* of the control [s] */
  double q[ACHD_LOOP_JOINTS], qd[ACHD_LOOP_JOINTS], tau[ACHD_LOOP_JOINTS],
      current[ACHD_LOOP_JOINTS], voltage[ACHD_LOOP_JOINTS], command[ACHD_LOOP_JOINTS], gyro[3],
      acceleration[3];
  bool success;
  enum robif2b_ctrl_mode mode;
  uint32_t faults;
  const mjModel *model;
  mjData *data;
  int force, torque, site; /* of the sensor at the tool; -1: none */
} arm;

/* Opens the arm "arm" of a world file and starts low-level control in mode FORCE. frame: the link
 * with the force sensor; NULL: none. Ends the program where the world is not right. */
void arm_open(arm *a, const char *world, int joints, double period, const char *frame);

/* What the loop measures. The wrench is that of the environment on the tool about the frame's
 * origin, along the axes of the world, which are those of the base here: the opposite of what the
 * sensor, which has no mass in front of it, holds against it. */
achd_measurement arm_measure(const arm *a);

/* The boxes that stand in the arm's world, for the page of the run. */
void arm_things(const arm *a, record *r);

/* Sends torques [N m] and lets a period pass. */
void arm_command(arm *a, const double *tau);

void arm_close(arm *a);

#endif
