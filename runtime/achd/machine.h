/* SPDX-License-Identifier: MIT */
/* machine.h: state machines as tables, which `achdgen --machine` generates. The caller stores the
 * state.
 *
 * An event that is raised takes effect in the next step, so that the order in which events of one
 * cycle are raised does not matter. A step executes the first reaction of the table whose event has
 * been raised and whose transition begins in the current state: the order of the table is the
 * priority.
 *
 * Some events latch (a contact, a limit, a timeout). After a reaction to one, the machine stays in
 * the state that it reached until an event that releases (the program's own command to start), or
 * another event that latches, leads elsewhere. If both have been raised, the order of the table
 * decides as always. */
#ifndef ACHD_MACHINE_H
#define ACHD_MACHINE_H

#include <achd/real.h>

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { ACHD_MACHINE_MOST = 64 }; /* largest number of states, and of events */

typedef struct achd_transition {
  const char *name;
  uint64_t from; /* bit s: the transition may begin in state s */
  int to;        /* state in which it ends */
} achd_transition;

typedef struct achd_reaction {
  int event;       /* event that triggers it */
  int transition;  /* index of the transition that it executes */
  uint64_t raises; /* bit e: raises event e for the next step */
} achd_reaction;

/* A machine, constant. Indices are the generated enumerators. Events of generated machines are
 * numbered from 1; 0 means no event. */
typedef struct achd_machine {
  const char *name;
  int nstates, nevents, ntransitions, nreactions;
  int initial;                               /* state */
  const char *const *states, *const *events; /* names */
  const achd_transition *transitions;
  const achd_reaction *reactions; /* the first match wins */
  uint64_t latches, releases;     /* bit e: event e latches, releases */
} achd_machine;

/* State of a machine that runs. */
typedef struct achd_machine_run {
  const achd_machine *machine;
  int state;
  uint64_t pending; /* bit e: event e was raised before the last step */
  uint64_t raised;  /* bit e: event e is raised for the next step */
  bool latched;     /* a latching event has had a reaction, and none has released it since */
} achd_machine_run;

/* Puts the machine into its initial state, with no event raised. */
void achd_machine_start(achd_machine_run *run, const achd_machine *machine);

/* Raises an event for the next step; raising it twice is the same as once. Returns false if the
 * machine has no such event. */
bool achd_machine_raise(achd_machine_run *run, int event);

/* Returns whether an event is pending, that is, was raised before the last step. */
bool achd_machine_pending(const achd_machine_run *run, int event);

/* Returns whether the machine is latched: an event that latches has had a reaction, and no event
 * has released the machine since. */
bool achd_machine_latched(const achd_machine_run *run);

/* One step: raised events become pending; then at most one reaction is executed, that is, its
 * transition, and its events are raised for the next step. Returns the index of the reaction, or -1
 * if there is none. */
int achd_machine_step(achd_machine_run *run);

#ifdef __cplusplus
}
#endif

#endif
