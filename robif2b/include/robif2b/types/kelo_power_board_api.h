/* SPDX-License-Identifier: MIT */
/* kelo_power_board_api.h: the process data of a KELO power board as they stand on the EtherCAT bus:
 * packed, little endian. */
#ifndef ROBIF2B_TYPES_KELO_POWER_BOARD_API_H
#define ROBIF2B_TYPES_KELO_POWER_BOARD_API_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* From the board: 68 bytes. */
struct robif2b_kelo_power_board_api_msr_pdo {
  uint64_t timestamp; /* [ms] */
  uint16_t status;
  uint16_t error;
  uint16_t warning;
  float output_current;   /* of all that it supplies [A] */
  float output_voltage;   /* [V] */
  float output_power;     /* [W] */
  float aux_port_current; /* of the auxiliary port [A] */
  float generic_data_1;
  uint32_t generic_data_2;
  /* battery */
  uint16_t bmsm_power_device_id;
  uint16_t bmsm_status;
  float bmsm_voltage;     /* [V] */
  float bmsm_current;     /* [A] */
  float bmsm_temperature; /* [degree Celsius] */
  uint16_t bmsm_soc;      /* state of charge [%] */
  uint32_t bmsm_sn;       /* serial number */
  uint32_t bmsm_generic_data_1;
  float bmsm_generic_data_2;
} __attribute__((__packed__));

#define COMMAND_DISABLE 0x00

/* To the board: 12 bytes. */
struct robif2b_kelo_power_board_api_cmd_pdo {
  uint32_t generic_command;
  uint32_t charge_command;
  uint16_t shutdown_command;
  uint16_t power_device_id;
} __attribute__((__packed__));

#ifdef __cplusplus
}
#endif

#endif
