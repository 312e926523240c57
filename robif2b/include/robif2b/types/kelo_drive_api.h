/* SPDX-License-Identifier: MIT */
/* kelo_drive_api.h: the process data of a KELO drive as they stand on the EtherCAT bus: packed,
 * little endian. A drive has two wheels, each with its motor, on a pivot that turns freely. Motor 1
 * is the right wheel, motor 2 the left one. */
#ifndef ROBIF2B_TYPES_KELO_DRIVE_API_H
#define ROBIF2B_TYPES_KELO_DRIVE_API_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Bits of status1. Healthy drives report 60 while they are disabled, and 63 or 3 while they are
 * enabled: the bit of undervoltage alone does not tell a fault. */
#define STAT1_ENABLED1 0x0001
#define STAT1_ENABLED2 0x0002
#define STAT1_ENC_1_OK 0x0004
#define STAT1_ENC_2_OK 0x0008
#define STAT1_ENC_PIVOT_OK 0x0010
#define STAT1_UNDERVOLTAGE 0x0020
#define STAT1_OVERVOLTAGE 0x0040
#define STAT1_OVERCURRENT_1 0x0080
#define STAT1_OVERCURRENT_2 0x0100
#define STAT1_OVERTEMP_1 0x0200
#define STAT1_OVERTEMP_2 0x0400
#define STAT1_ENABLED_GRIP 0x0800
#define STAT1_INPOS_GRIP 0x1000
#define STAT1_OVERLOAD_GRIP 0x2000
#define STAT1_DETECT 0x4000

#define STAT2_UNUSED 0x0000

/* From the drive: 172 bytes. */
struct robif2b_kelo_drive_api_msr_pdo {
  uint16_t status1;     /* bits STAT1_... */
  uint16_t status2;     /* 2051 once the encoders are calibrated */
  uint64_t sensor_ts;   /* time at which the sensors were read [ns] */
  uint64_t setpoint_ts; /* time of the last setpoint [ns] */
  /* motor 1 */
  float encoder_1;   /* angle of the wheel, not wrapped [rad] */
  float velocity_1;  /* [rad/s] */
  float current_1_d; /* direct current [A] */
  float current_1_q; /* quadrature current, to which the torque is proportional [A] */
  float current_1_u, current_1_v, current_1_w; /* phase currents [A] */
  float voltage_1;                             /* by the pulse widths [V] */
  float voltage_1_u, voltage_1_v, voltage_1_w; /* phase voltages [V] */
  float temperature_1;                         /* [K] */
  /* motor 2, the same */
  float encoder_2;
  float velocity_2;
  float current_2_d;
  float current_2_q;
  float current_2_u, current_2_v, current_2_w;
  float voltage_2;
  float voltage_2_u, voltage_2_v, voltage_2_w;
  float temperature_2;
  /* pivot */
  float encoder_pivot;  /* angle in -pi..pi, from a zero that differs between drives [rad] */
  float velocity_pivot; /* [rad/s] */
  float voltage_bus;    /* supply [V] */
  /* inertial sensor: x to the left of the drive, y to its rear, z up */
  uint64_t imu_ts;                 /* time at which it was read [ns] */
  float accel_x, accel_y, accel_z; /* [m/s^2] */
  float gyro_x, gyro_y, gyro_z;    /* [rad/s] */
  float temperature_imu;           /* [K] */
  float pressure;                  /* of the air, absolute [Pa] */
  float current_in;                /* from the supply [A] */
} __attribute__((__packed__));

/* Bits of command1. What setpoints and limits mean depends on the mode:
 *
 *   mode       setpoint 1, 2               limits 1, 2
 *   TORQUE     current of motor 1, 2 [A]   velocity of motor 1, 2 [rad/s]
 *   DTORQUE    common, differential [A]    forward motion, motion of the pivot [rad/s]
 *   VELOCITY   motor 1, 2 [rad/s]          current of motor 1, 2 [A]
 *   DVELOCITY  common, differential        forward motion, motion of the pivot [A] */
#define COM1_ENABLE1 0x0001
#define COM1_ENABLE2 0x0002
#define COM1_MODE_TORQUE (0x0 << 2)
#define COM1_MODE_DTORQUE (0x1 << 2)
#define COM1_MODE_VELOCITY (0x2 << 2)
#define COM1_MODE_DVELOCITY (0x3 << 2)
#define COM1_EMERGENCY1 0x0010
#define COM1_EMERGENCY2 0x0020
#define COM1_ENABLESERVO 0x0400
#define COM1_SERVOCLOSE 0x0800
#define COM1_USE_TS 0x8000

#define COM2_UNUSED 0x0000

/* To the drive: 36 bytes. */
struct robif2b_kelo_drive_api_cmd_pdo {
  uint16_t command1; /* bits COM1_... */
  uint16_t command2; /* not used */
  float setpoint1;
  float setpoint2;
  float limit1_p; /* largest positive */
  float limit1_n; /* largest negative */
  float limit2_p;
  float limit2_n;
  uint64_t timestamp; /* at which the setpoint takes effect, with COM1_USE_TS [ns] */
} __attribute__((__packed__));

#ifdef __cplusplus
}
#endif

#endif
