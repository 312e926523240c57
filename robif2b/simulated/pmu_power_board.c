/* SPDX-License-Identifier: MIT */
/* pmu_power_board.c: the power board of the robots Eddie and Freddy 2, which is the same, by two names. */
#include <robif2b/functions/eddie_power_board.h>
#include <robif2b/functions/freddy_2_power_board.h>

#include <stddef.h>

void robif2b_eddie_power_board_update(struct robif2b_eddie_power_board *b) {
  if (!b || !b->msr_pdo) return;
  if (b->time_stamp) *b->time_stamp = b->msr_pdo->time_stamp;
  if (b->status) *b->status = b->msr_pdo->status;
  if (b->voltage_msr) *b->voltage_msr = (double)b->msr_pdo->voltage;
  if (b->current_msr) *b->current_msr = (double)b->msr_pdo->current;
  if (b->power_msr) *b->power_msr = (double)b->msr_pdo->power;
}

void robif2b_freddy_2_power_board_update(struct robif2b_freddy_2_power_board *b) {
  if (!b || !b->msr_pdo) return;
  if (b->time_stamp) *b->time_stamp = b->msr_pdo->time_stamp;
  if (b->status) *b->status = b->msr_pdo->status;
  if (b->voltage_msr) *b->voltage_msr = (double)b->msr_pdo->voltage;
  if (b->current_msr) *b->current_msr = (double)b->msr_pdo->current;
  if (b->power_msr) *b->power_msr = (double)b->msr_pdo->power;
}
