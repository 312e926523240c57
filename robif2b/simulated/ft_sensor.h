/* SPDX-License-Identifier: MIT */
/* ft_sensor.h: a simulated force and torque sensor between two bodies of the world, which sends frames
 * as a Robotiq FT 300 does. */
#ifndef ACHD_SIMULATED_FT_SENSOR_H
#define ACHD_SIMULATED_FT_SENSOR_H

#include "serial.h"

/* The caller's handle (comm) is this, as long as the sensor is open. */
typedef struct achd_ft_sensor {
  achd_serial line; /* first: it is what the device begins with */
  int site;         /* its axes and origin, on the body that it carries */
  double sign;      /* 1: what acts on the sensor from the tool's side; -1: its reaction */
  double bias[6], noise[6], range[6]; /* force, moment [N, N m]; noise: standard deviation */
  double zero[6];                     /* that it has taken as its zero */
  double stuck[6];                    /* the last wrench before it stuck */
  uint64_t random;
  double due;     /* time of the next frame [s] */
  long frames;    /* that have arrived */
  double at;      /* when the last one arrived [s] */
  bool arrived;   /* the frame that was due last has */
  double wire[6]; /* of the last frame */
  int missed;     /* updates in a row without a frame */
} achd_ft_sensor;

extern const achd_world_kind achd_ft_kind;

#endif
