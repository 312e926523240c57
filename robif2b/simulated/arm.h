/* SPDX-License-Identifier: MIT */
/* arm.h: the simulated arm behind its ports. */
#ifndef ACHD_SIMULATED_ARM_H
#define ACHD_SIMULATED_ARM_H

#include "cartesian.h"
#include "fingers.h"

enum { ACHD_ARM_PUSHES = 6 };

/* A force on a link, from .. until [s]. */
typedef struct achd_arm_push {
  int link;
  double from, until, force[3];
  bool acts; /* in the step that is taken */
} achd_arm_push;

/* An arm of a world. The caller's handle (comm) is this, as long as the device is open. */
typedef struct achd_arm {
  achd_world_device *device;
  achd_arm_motors motors;
  bool wraps;      /* positions are published as 0..2 pi */
  double upwards;  /* sign of the acceleration that a still base measures against gravity */
  int base, wrist; /* links of the inertial sensors */
  int sensor;      /* frame of the force and torque sensor; -1: there is none */
  double voltage;  /* of the motors' supply [V] */
  bool servoing;   /* low-level control */
  unsigned frame;  /* identifier of the last frame, 0..65535 */
  bool stuck[ACHD_ARM_JOINTS], dead[ACHD_ARM_JOINTS]; /* sensors with a fault */
  /* the last measurement */
  double q[ACHD_ARM_JOINTS], qd[ACHD_ARM_JOINTS], tau[ACHD_ARM_JOINTS], current[ACHD_ARM_JOINTS];
  double sensed[6]; /* force, moment */
  double base_gyro[3], base_acceleration[3], wrist_gyro[3], wrist_acceleration[3];
  achd_fingers fingers;
  achd_cartesian cartesian;
  achd_arm_push pushes[ACHD_ARM_PUSHES];
  int npushes;
  bool high_level; /* high-level control has begun */
} achd_arm;

extern const achd_world_kind achd_arm_kind, achd_gen3_kind;

/* The open arm that a handle is, or NULL: handles that were never made or are closed are harmless. */
achd_arm *achd_arm_of(const void *comm);

/* Opens the arm of a kind, "arm" or "gen3", in a world whose devices are of `kinds`. The world is
 * locked. */
void achd_arm_connect(struct achd_arm_nbx *b, const char *kind,
                      const achd_world_kind *const *kinds);

/* High-level control: begins; one exchange with a command (NULL: it is missing, and the exchange
 * fails). */
void achd_arm_start_high_level(struct achd_arm_nbx *b);
void achd_arm_move(struct achd_arm_nbx *b, const achd_cartesian_command *command);

/* Publishes the last measurement once more. */
void achd_arm_publish(struct achd_arm_nbx *b);

/* What it is like as a whole. */
enum robif2b_kinova_arm_state achd_arm_state(const achd_arm *arm);
unsigned achd_arm_flags(const achd_arm *arm, bool warnings);

#endif
