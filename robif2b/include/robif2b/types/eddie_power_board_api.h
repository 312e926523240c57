/* SPDX-License-Identifier: MIT */
/* eddie_power_board_api.h: the process data of the power board of the robot Eddie as they stand on the EtherCAT bus:
 * packed, little endian. */
#ifndef ROBIF2B_TYPES_EDDIE_POWER_BOARD_API_H
#define ROBIF2B_TYPES_EDDIE_POWER_BOARD_API_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* From the board: 30 bytes. */
struct robif2b_eddie_power_board_api_msr_pdo {
  uint16_t status;
  uint64_t time_stamp; /* [ms] */
  float current;       /* of all that it supplies [A] */
  float voltage;       /* [V] */
  float power;         /* [W] */
  float param1;        /* not specified */
  uint32_t param2;     /* the same */
} __attribute__((__packed__));

/* To the board: 6 bytes. */
struct robif2b_eddie_power_board_api_cmd_pdo {
  uint16_t shutdown; /* bit 7: shut down; bits 0 to 6: after so many seconds */
  uint32_t command;  /* bit 5: supply the arms */
} __attribute__((__packed__));

#ifdef __cplusplus
}
#endif

#endif
