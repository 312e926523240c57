/* SPDX-License-Identifier: MIT */
/* kelo_power_board.c: see robif2b/functions/kelo_power_board.h */
#include <robif2b/functions/kelo_power_board.h>

#include <stddef.h>

void robif2b_kelo_power_board_update(struct robif2b_kelo_power_board *b) {
  if (!b) return;
  if (b->msr_pdo) {
    if (b->soc_msr) *b->soc_msr = b->msr_pdo->bmsm_soc;
    if (b->voltage_msr) *b->voltage_msr = (double)b->msr_pdo->bmsm_voltage;
    if (b->current_msr) *b->current_msr = (double)b->msr_pdo->bmsm_current;
    if (b->power_msr) *b->power_msr = (double)b->msr_pdo->output_power;
  }
  if (b->cmd_pdo) {
    b->cmd_pdo->generic_command = COMMAND_DISABLE;
    b->cmd_pdo->charge_command = COMMAND_DISABLE;
    b->cmd_pdo->shutdown_command = COMMAND_DISABLE;
  }
}
