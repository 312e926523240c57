/* SPDX-License-Identifier: MIT */
/* fsm_steps.c: steps a machine through the events on standard input, a cycle a line (0: it starts
 * again), and prints its state and the events that it raised for the next cycle.
 *   cc -DMACHINE=gripper -include gripper_machine.h */
#include <achd/machine.h>

#include <stdio.h>
#include <stdlib.h>

#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)
#define OURS JOIN(MACHINE, _machine)

int main(void) {
  static char line[256];
  achd_machine_run run;
  achd_machine_start(&run, &OURS);
  while (fgets(line, sizeof line, stdin)) {
    char *at = line, *end;
    bool restarted = false;
    for (long event = strtol(at, &end, 10); end != at; event = strtol(at = end, &end, 10)) {
      if (event == 0)
        restarted = true;
      else
        achd_machine_raise(&run, (int)event);
    }
    if (restarted)
      achd_machine_start(&run, &OURS);
    else
      achd_machine_step(&run);
    printf("%d", run.state);
    for (int e = 1; e < OURS.nevents; e++)
      if (run.raised >> e & 1) printf(" %d", e);
    printf("\n");
  }
  return 0;
}
