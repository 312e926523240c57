/* SPDX-License-Identifier: MIT */
/* machine.c: see achd/machine.h */
#include <achd/machine.h>

#include "mathematics.h"

static uint64_t bit(int index) {
  return (uint64_t)1 << index;
}

void achd_machine_start(achd_machine_run *run, const achd_machine *machine) {
  achd_clear(run, sizeof *run);
  run->machine = machine;
  run->state = machine->initial;
}

bool achd_machine_raise(achd_machine_run *run, int event) {
  if (event < 0 || event >= run->machine->nevents) return false;
  run->raised |= bit(event);
  return true;
}

bool achd_machine_pending(const achd_machine_run *run, int event) {
  return event >= 0 && event < run->machine->nevents && (run->pending & bit(event)) != 0;
}

bool achd_machine_latched(const achd_machine_run *run) {
  return run->latched;
}

int achd_machine_step(achd_machine_run *run) {
  const achd_machine *m = run->machine;
  run->pending = run->raised;
  run->raised = 0;
  for (int i = 0; i < m->nreactions; i++) {
    const achd_reaction *reaction = &m->reactions[i];
    const achd_transition *transition = &m->transitions[reaction->transition];
    if ((run->pending & bit(reaction->event)) == 0) continue;
    if ((transition->from & bit(run->state)) == 0) continue;
    const bool latches = (m->latches & bit(reaction->event)) != 0;
    const bool releases = (m->releases & bit(reaction->event)) != 0;
    if (run->latched && !latches && !releases && transition->to != run->state) continue;
    run->latched = latches || (run->latched && !releases);
    run->state = transition->to;
    run->raised = reaction->raises;
    return i;
  }
  return -1;
}
