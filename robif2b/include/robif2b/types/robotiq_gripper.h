/* SPDX-License-Identifier: MIT */
/* robotiq_gripper.h: the ports of a Robotiq gripper with two fingers on a serial line. Positions,
 * speeds and forces are counts from 0 to 255. */
#ifndef ROBIF2B_TYPES_ROBOTIQ_GRIPPER_H
#define ROBIF2B_TYPES_ROBOTIQ_GRIPPER_H

#ifdef __cplusplus
extern "C" {
#endif

#include <stdbool.h>
#include <stdint.h>

#include "robif2b/types/serial.h"

/* What the fingers do. */
enum robif2b_robotiq_gripper_obj_status {
  ROBIF2B_ROBOTIQ_OBJ_MOVING = 0,
  ROBIF2B_ROBOTIQ_OBJ_DETECTED_OPENING = 1, /* stopped by something while they opened */
  ROBIF2B_ROBOTIQ_OBJ_DETECTED_CLOSING = 2, /* stopped by something while they closed */
  ROBIF2B_ROBOTIQ_OBJ_AT_REQUESTED_POSITION = 3,
  ROBIF2B_ROBOTIQ_OBJ_UNKNOWN = 4
};

/* Whether the gripper has been activated. */
enum robif2b_robotiq_gripper_status {
  ROBIF2B_ROBOTIQ_RESET = 0,
  ROBIF2B_ROBOTIQ_IN_PROGRESS = 1,
  ROBIF2B_ROBOTIQ_COMPLETED = 2,
  ROBIF2B_ROBOTIQ_UNKNOWN = 3
};

/* Why the last function failed. */
enum robif2b_robotiq_gripper_error {
  ROBIF2B_ROBOTIQ_NO_ERROR = 0,
  ROBIF2B_ROBOTIQ_ERR_MEMORY = 1,
  ROBIF2B_ROBOTIQ_ERR_CONNECTION = 2,
  ROBIF2B_ROBOTIQ_ERR_DEACTIVATION = 3,
  ROBIF2B_ROBOTIQ_ERR_ACTIVATION = 4,
  ROBIF2B_ROBOTIQ_ERR_READ = 5,
  ROBIF2B_ROBOTIQ_ERR_WRITE = 6
};

/* The line, by its older name. */
struct robif2b_robotiq_gripper_config {
  const char *port;
  uint32_t baudrate;
  double timeout_ms; /* [ms] */
  uint8_t slave_address;
};

/* The connection: made by configure, released by shutdown. */
struct robif2b_robotiq_gripper_comm;

struct robif2b_robotiq_gripper_nbx {
  /* configuration: 115200 baud; `conf` is what older programs call it */
  union {
    struct robif2b_serial_config serial;
    struct robif2b_robotiq_gripper_config conf;
  };
  /* ports */
  uint8_t *position_msr; /* 0 open .. 255 closed */
  bool *is_gripper_moving;
  enum robif2b_robotiq_gripper_obj_status *obj_detection_status;
  enum robif2b_robotiq_gripper_status *gripper_status;
  uint8_t *position_cmd; /* 0 open .. 255 closed */
  uint8_t *speed_cmd;    /* 0 slowest .. 255 fastest */
  uint8_t *force_cmd;    /* 0 weakest .. 255 strongest */
  enum robif2b_robotiq_gripper_error *error;
  bool *success;
  /* internal state */
  struct robif2b_robotiq_gripper_comm *comm;
  /* optional port: current of the motor, in steps of 10 mA [A] */
  double *current_msr;
};

#ifdef __cplusplus
}
#endif

#endif
