/* SPDX-License-Identifier: MIT */
/* eddie_power_board.h: ports of the power board of the robot Eddie. */
#ifndef ROBIF2B_TYPES_EDDIE_POWER_BOARD_H
#define ROBIF2B_TYPES_EDDIE_POWER_BOARD_H

#include <stdbool.h>

#include <robif2b/types/eddie_power_board_api.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Outputs may be NULL. */
struct robif2b_eddie_power_board {
  const struct robif2b_eddie_power_board_api_msr_pdo *msr_pdo;
  struct robif2b_eddie_power_board_api_cmd_pdo *cmd_pdo;
  uint64_t *time_stamp; /* of the reading [ms] */
  uint16_t *status;
  double *voltage_msr; /* of the battery [V] */
  double *current_msr; /* from the battery [A] */
  double *power_msr;   /* of all that is supplied [W] */
};

#ifdef __cplusplus
}
#endif

#endif
