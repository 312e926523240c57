/* SPDX-License-Identifier: MIT */
/* kelo_drive.h: ports of KELO drives, for any number of drives at once.
 *
 * Arrays of wheels have two elements for each drive: the right wheel (motor 1), then the left one
 * (motor 2). Both wheels' axes point outward, away from the pivot: a positive velocity of the left
 * wheel rolls forward, one of the right wheel backward.
 *
 *                  forward, x of the drive
 *                         ^
 *            left  |=|----o----|=|  right      o: pivot, ahead of the wheels' axis by the castor offset
 *        +axis <-- |=|         |=| --> +axis                                                          */
#ifndef ROBIF2B_TYPES_KELO_DRIVE_H
#define ROBIF2B_TYPES_KELO_DRIVE_H

#include <math.h>
#include <stdlib.h>

#include <robif2b/types/control_mode.h>
#include <robif2b/types/kelo_drive_api.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Readings of the encoders. Outputs may be NULL. */
struct robif2b_kelo_drive_encoder {
  const int *num_drives;
  const struct robif2b_kelo_drive_api_msr_pdo *msr_pdo; /* of each drive */
  double *wheel_pos_msr;                                /* of each wheel, not wrapped [rad] */
  double *wheel_vel_msr;                                /* of each wheel [rad/s] */
  /* Of each drive: the encoder's reading at which it looks forward [rad]. NULL: readings are
   * published as they are. */
  const double *pivot_pos_off;
  double *pivot_pos_msr; /* of each drive: reading minus offset, in 0..2 pi [rad] */
  double *pivot_vel_msr; /* of each drive [rad/s] */
};

/* Readings of the inertial sensors, three for each drive: x to the left of the drive, y to its rear,
 * z up. Outputs may be NULL. */
struct robif2b_kelo_drive_imu {
  const int *num_drives;
  const struct robif2b_kelo_drive_api_msr_pdo *msr_pdo; /* of each drive */
  double *imu_ang_vel_msr;                              /* [rad/s] */
  double *imu_lin_acc_msr;                              /* [m/s^2] */
};

/* Commands of the motors. */
struct robif2b_kelo_drive_actuator {
  const int *num_drives;
  struct robif2b_kelo_drive_api_cmd_pdo *cmd_pdo; /* of each drive */
  const enum robif2b_ctrl_mode *ctrl_mode;        /* of each drive */
  const double *act_vel_cmd;                      /* of each wheel [rad/s] */
  const double *act_trq_cmd;                      /* of each wheel [N m] */
  /* Of each wheel [A]: the command of the mode CURRENT, and the largest current of the mode
   * VELOCITY. */
  const double *act_cur_cmd;
  const double *max_current; /* of each wheel: the largest current while it is stopped [A] */
  const double *trq_const;   /* of each wheel: torque by current [N m/A] */
};

#ifdef __cplusplus
}
#endif

#endif
