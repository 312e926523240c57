/* SPDX-License-Identifier: MIT */
/* kelo_drive.h: from and to the process data of KELO drives. These functions only convert numbers;
 * robif2b/functions/ethercat.h exchanges them with the drives. */
#ifndef ROBIF2B_FUNCTIONS_KELO_DRIVE_H
#define ROBIF2B_FUNCTIONS_KELO_DRIVE_H

#include <robif2b/types/kelo_drive.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Publishes angles and velocities of wheels and pivots. */
void robif2b_kelo_drive_encoder_update(struct robif2b_kelo_drive_encoder *b);

/* Publishes angular velocities and accelerations. */
void robif2b_kelo_drive_imu_update(struct robif2b_kelo_drive_imu *b);

/* Writes the commands of each drive by its mode:
 *
 *   VELOCITY  velocities; currents limited by act_cur_cmd, by max_current if that is NULL
 *   FORCE     currents that exert act_trq_cmd: the drives control currents
 *   CURRENT   currents
 *   others    stop all drives
 *
 * A drive whose command is missing, or not finite, is stopped. */
void robif2b_kelo_drive_actuator_update(struct robif2b_kelo_drive_actuator *b);

/* Commands all wheels to stand still, with currents up to max_current. */
void robif2b_kelo_drive_actuator_stop(struct robif2b_kelo_drive_actuator *b);

#ifdef __cplusplus
}
#endif

#endif
