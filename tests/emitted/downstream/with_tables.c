/* SPDX-License-Identifier: MIT */
#include "approach_machine.h"
#include "line_task.h"

#include <stdio.h>

int main(void) {
  achd_machine_run run;
  achd_machine_start(&run, &pregrasp_machine);
  achd_machine_raise(&run, PREGRASP_E_INITIALIZED);
  achd_machine_step(&run);
  printf("%s %d\n", pregrasp_state_names[run.state],
         (int)(sizeof gen3_line_tasks / sizeof *gen3_line_tasks));
  return 0;
}
