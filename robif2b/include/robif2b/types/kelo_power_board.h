/* SPDX-License-Identifier: MIT */
/* kelo_power_board.h: ports of a KELO power board. */
#ifndef ROBIF2B_TYPES_KELO_POWER_BOARD_H
#define ROBIF2B_TYPES_KELO_POWER_BOARD_H

#include <stdbool.h>

#include <robif2b/types/kelo_power_board_api.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Outputs may be NULL. */
struct robif2b_kelo_power_board {
  const struct robif2b_kelo_power_board_api_msr_pdo *msr_pdo;
  struct robif2b_kelo_power_board_api_cmd_pdo *cmd_pdo;
  int *soc_msr;        /* state of charge of the battery [%] */
  double *voltage_msr; /* of the battery [V] */
  double *current_msr; /* from the battery [A] */
  double *power_msr;   /* of all that is supplied [W] */
};

#ifdef __cplusplus
}
#endif

#endif
