/* SPDX-License-Identifier: MIT */
/* kelo_unit.h: simulated KELO drives and power boards, as far as they are seen from the bus. */
#ifndef ACHD_SIMULATED_KELO_UNIT_H
#define ACHD_SIMULATED_KELO_UNIT_H

#include "physics.h"

#include <robif2b/types/kelo_drive_api.h>
#include <robif2b/types/kelo_power_board_api.h>

#include <stdbool.h>

typedef struct achd_kelo_motor {
  int joint;              /* of its wheel, in the model */
  double current;         /* that flows now [A] */
  double integral;        /* of the velocity's controller [A] */
  int asked;              /* cycles since the command to enable it */
  double angle, velocity; /* last reading [rad], [rad/s] */
} achd_kelo_motor;

/* What all drives of a bus have in common. */
typedef struct achd_kelo_kind {
  double torque_constant; /* [N m/A] */
  double resistance;      /* of a motor's windings [Ohm] */
  double most_current;    /* of a motor [A] */
  double proportional;    /* gain of the velocity's controller [A s/rad] */
  double integral;        /* the same [A/rad] */
  double voltage;         /* of the supply [V] */
  int enabling;           /* cycles until a motor is enabled */
} achd_kelo_kind;

typedef struct achd_kelo_drive {
  achd_kelo_motor motor[2];           /* right, left */
  int pivot;                          /* joint of the model */
  double pivot_angle, pivot_velocity; /* last reading, from the encoder's zero */
  int accelerometer, gyro;            /* readings of the model */
  double offset; /* reading of the pivot's encoder when the drive looks forward [rad] */
  struct robif2b_kelo_drive_api_cmd_pdo command;
  double unheard;           /* time since it has heard a frame [s] */
  bool operational;         /* obeys commands: the bus is operational, and frames come */
  bool undervoltage, blind; /* faults: of the supply, of the encoders */
  double supply;            /* voltage now [V] */
  double supply_current;    /* [A] */
  uint64_t setpoint_time;   /* of the last command [ns] */
} achd_kelo_drive;

/* One cycle of the bus: motors with the command to do so are enabled after a while. */
void achd_kelo_drive_cycle(achd_kelo_drive *drive, const achd_kelo_kind *kind);

/* The motors' torques for the next step [s] of the physics. */
void achd_kelo_drive_act(achd_kelo_drive *drive, const achd_kelo_kind *kind, achd_physics *physics,
                         double step);

/* The process data that the drive sends at a time [ns]. */
void achd_kelo_drive_read(achd_kelo_drive *drive, const achd_kelo_kind *kind,
                          const achd_physics *physics, uint64_t time,
                          struct robif2b_kelo_drive_api_msr_pdo *pdo);

typedef struct achd_kelo_board {
  double charge; /* that has left the battery [A s] */
} achd_kelo_board;

/* The process data that the board sends at a time [ns], after a cycle [s] in which the drives drew a
 * current [A] at a voltage [V]. */
void achd_kelo_board_read(achd_kelo_board *board, double current, double voltage, double cycle,
                          uint64_t time, struct robif2b_kelo_power_board_api_msr_pdo *pdo);

#endif
