/* SPDX-License-Identifier: MIT */
/* eddie_power_board.h: from the process data of the power board of the robot Eddie. */
#ifndef ROBIF2B_FUNCTIONS_EDDIE_POWER_BOARD_H
#define ROBIF2B_FUNCTIONS_EDDIE_POWER_BOARD_H

#include <robif2b/types/eddie_power_board.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Publishes the readings. Commands stay as the program has written them. */
void robif2b_eddie_power_board_update(struct robif2b_eddie_power_board *b);

#ifdef __cplusplus
}
#endif

#endif
