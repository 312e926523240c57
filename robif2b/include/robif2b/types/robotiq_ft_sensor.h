/* SPDX-License-Identifier: MIT */
/* robotiq_ft_sensor.h: the ports of a Robotiq force and torque sensor (FT 300) on a serial line. It
 * sends a reading every 10 ms. Arrays have three elements, along the axes x, y, z of the sensor. */
#ifndef ROBIF2B_TYPES_ROBOTIQ_FT_SENSOR_H
#define ROBIF2B_TYPES_ROBOTIQ_FT_SENSOR_H

#ifdef __cplusplus
extern "C" {
#endif

#include <stdbool.h>

#include "robif2b/types/serial.h"

/* The connection: made by configure, released by shutdown. */
struct robif2b_robotiq_ft_sensor_comm;

struct robif2b_robotiq_ft_sensor_nbx {
  /* configuration */
  struct robif2b_serial_config serial; /* 19200 baud; a timeout of more than 10 ms */
  /* ports; what is measured is the sensor's reading less the offset */
  float *force_msr;     /* [N] */
  float *force_offset;  /* [N] */
  float *moment_msr;    /* about the sensor's origin [N m] */
  float *moment_offset; /* [N m] */
  bool *success;
  /* internal state */
  struct robif2b_robotiq_ft_sensor_comm *comm;
};

#ifdef __cplusplus
}
#endif

#endif
