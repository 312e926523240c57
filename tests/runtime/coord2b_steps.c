/* SPDX-License-Identifier: MIT */
/* coord2b_steps.c: a machine that achdgen wrote twice, for libachd and for coord2b, beside each other:
 * the same random events, the same states, the same pending events. The step of coord2b is written
 * here by its description: events fired in a step count in the next one, the first reaction whose
 * event is there and whose transition starts in the current state is executed, and the end state is
 * not left.
 *   cc -DMACHINE=pregrasp -include pregrasp_machine.h -include pregrasp_coord2b.h */
#include <achd/machine.h>

#include "random.h"
#include "test.h"

#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)
#define OURS JOIN(MACHINE, _machine)
#define THEIRS JOIN(MACHINE, _coord2b_fsm)
#define OWN_STATES JOIN(MACHINE, _coord2b_own_states)

static void swap_buffers(struct events *events) {
  _Bool *old = events->currentEvents;
  events->currentEvents = events->futureEvents;
  events->futureEvents = old;
  for (unsigned int e = 0; e < events->numEvents; e++) old[e] = 0;
}

static void step(struct fsm_nbx *fsm) {
  if (fsm->currentStateIndex == fsm->endStateIndex) return;
  for (unsigned int r = 0; r < fsm->numReactions; r++) {
    const struct event_reaction *reaction = &fsm->reactions[r];
    const struct transition *transition = &fsm->transitions[reaction->transitionIndex];
    if (!fsm->eventData->currentEvents[reaction->conditionEventIndex]) continue;
    if (transition->startStateIndex != fsm->currentStateIndex) continue;
    fsm->currentStateIndex = transition->endStateIndex;
    for (unsigned int k = 0; k < reaction->numFiredEvents; k++)
      fsm->eventData->futureEvents[reaction->firedEventIndices[k]] = 1;
    return;
  }
}

static bool in_range(const struct fsm_nbx *fsm) {
  bool good = fsm->numStates > 1 && fsm->numTransitions > 0 &&
              fsm->startStateIndex < fsm->numStates && fsm->endStateIndex < fsm->numStates &&
              fsm->currentStateIndex == fsm->startStateIndex;
  for (unsigned int t = 0; t < fsm->numTransitions; t++)
    good = good && fsm->transitions[t].startStateIndex < fsm->numStates &&
           fsm->transitions[t].endStateIndex < fsm->numStates;
  for (unsigned int r = 0; r < fsm->numReactions; r++) {
    const struct event_reaction *reaction = &fsm->reactions[r];
    good = good && reaction->conditionEventIndex > 0 &&
           reaction->conditionEventIndex < fsm->eventData->numEvents &&
           reaction->transitionIndex < fsm->numTransitions &&
           reaction->numFiredEvents < fsm->eventData->numEvents &&
           (reaction->numFiredEvents == 0 || reaction->firedEventIndices);
    for (unsigned int k = 0; good && k < reaction->numFiredEvents; k++)
      good = reaction->firedEventIndices[k] < fsm->eventData->numEvents;
  }
  return good;
}

static bool same(const struct fsm_nbx *fsm, const achd_machine_run *run) {
  const unsigned int now = fsm->currentStateIndex;
  if (OWN_STATES[now] != run->state) return false;
  if (strcmp(fsm->states[now].name, run->machine->states[run->state]) != 0) return false;
  for (int e = 0; e < run->machine->nevents; e++)
    if (fsm->eventData->currentEvents[e] != achd_machine_pending(run, e)) return false;
  return true;
}

enum { EVENTS = 100000 };

/* After every so many steps the machine starts again, so that final states do not end the test. */
static void the_same_states(void) {
  const int most = OURS.nevents < 4 ? OURS.nevents : 4;
  achd_machine_run run;
  int raised = 0, wrong = 0, visited = 0;
  uint64_t seen = 0;
  unsigned long long seed = 1;
  CHECK(in_range(&THEIRS));
  CHECK((int)THEIRS.eventData->numEvents == OURS.nevents);
  while (raised < EVENTS) {
    achd_machine_start(&run, &OURS);
    seen |= (uint64_t)1 << run.state;
    THEIRS.currentStateIndex = THEIRS.startStateIndex;
    swap_buffers(THEIRS.eventData);
    swap_buffers(THEIRS.eventData);
    for (int k = 0; k < 1000 && raised < EVENTS; k++) {
      const int count = 1 + (int)(random_number(&seed) * most);
      for (int n = 0; n < count; n++, raised++) {
        const int event = 1 + (int)(random_number(&seed) * (OURS.nevents - 1));
        achd_machine_raise(&run, event);
        THEIRS.eventData->futureEvents[event] = 1;
      }
      achd_machine_step(&run);
      swap_buffers(THEIRS.eventData);
      step(&THEIRS);
      wrong += !same(&THEIRS, &run);
      seen |= (uint64_t)1 << run.state;
    }
  }
  for (int s = 0; s < OURS.nstates; s++) visited += (seen >> s & 1) != 0;
  CHECK(wrong == 0);
  CHECK(visited > 1);
  printf("%s: %d events, %d of %d states visited, %u states for coord2b\n", OURS.name, raised,
         visited, OURS.nstates, THEIRS.numStates);
}

int main(void) {
  RUN(the_same_states);
  return test_end();
}
