/* SPDX-License-Identifier: MIT */
/* robotiq_ft_sensor.h: a Robotiq force and torque sensor on a serial line.
 *
 *   configure -> update, update, ... -> shutdown
 *
 * Each function sets *success. */
#ifndef ROBIF2B_FUNCTIONS_ROBOTIQ_FT_SENSOR_H
#define ROBIF2B_FUNCTIONS_ROBOTIQ_FT_SENSOR_H

#include "robif2b/types/robotiq_ft_sensor.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Opens the line, has the sensor send, and waits for its first reading, at most the timeout. It may be
 * called again where it fails. */
void robif2b_robotiq_ft_configure(struct robif2b_robotiq_ft_sensor_nbx *b);

/* Has the sensor be silent, and closes the line. After a configure that failed it does nothing, and
 * succeeds. */
void robif2b_robotiq_ft_shutdown(struct robif2b_robotiq_ft_sensor_nbx *b);

/* Waits for the next reading. Where none comes in time, *success is false and the ports keep their
 * values; after ten such updates in a row the line is opened anew. */
void robif2b_robotiq_ft_update(struct robif2b_robotiq_ft_sensor_nbx *b);

/* The sensor takes its present reading as its zero. */
void robif2b_robotiq_ft_zero(struct robif2b_robotiq_ft_sensor_nbx *b);

#ifdef __cplusplus
}
#endif

#endif
