/* SPDX-License-Identifier: MIT */
/* kelo_power_board.h: from and to the process data of a KELO power board. */
#ifndef ROBIF2B_FUNCTIONS_KELO_POWER_BOARD_H
#define ROBIF2B_FUNCTIONS_KELO_POWER_BOARD_H

#include <robif2b/types/kelo_power_board.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Publishes the readings, and withdraws all commands of the board. */
void robif2b_kelo_power_board_update(struct robif2b_kelo_power_board *b);

#ifdef __cplusplus
}
#endif

#endif
