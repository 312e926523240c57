/* SPDX-License-Identifier: MIT */
/* serial.h: a serial line to a device. */
#ifndef ROBIF2B_TYPES_SERIAL_H
#define ROBIF2B_TYPES_SERIAL_H

#ifdef __cplusplus
extern "C" {
#endif

#include <stdint.h>

struct robif2b_serial_config {
  const char *port;      /* as "/dev/ttyUSB0" */
  uint32_t baudrate;     /* bits per second, without parity, one stop bit */
  double timeout_ms;     /* the most that an answer may take [ms] */
  uint8_t slave_address; /* of the device on the line; Robotiq's devices are delivered with 9 */
};

#ifdef __cplusplus
}
#endif

#endif
