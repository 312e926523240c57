/* machine.h: state machines as data. Tables come from `achdgen --machine`; state is the caller's.
 *
 * Two buffers keep a cycle's causes apart from its effects: what is raised now is seen by the next
 * step, in whatever order it is raised. A step takes the first reaction, in the order of the table,
 * whose event has been raised and whose transition leads away from the current state; order is
 * priority.
 *
 * Some events latch (a contact, a limit, a timeout): after a reaction to one, the machine stays in
 * its state whatever happens, until an event that latches too leads elsewhere or one releases (the
 * program's own "go"). A release is taken in the order of the table like any other: an event that
 * latches and stands before it wins. */
#ifndef ACHD_MACHINE_H
#define ACHD_MACHINE_H

#include <achd/real.h>

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { ACHD_MACHINE_MOST = 64 }; /* states; events */

typedef struct achd_transition {
  const char *name;
  uint64_t from; /* bit s: leads away from state s */
  int to;        /* state */
} achd_transition;

typedef struct achd_reaction {
  int event;       /* that it waits for */
  int transition;  /* that it takes */
  uint64_t raises; /* bit e: raises event e */
} achd_reaction;

/* A machine: constant. Indices are the generated enumerators; events of generated machines count
 * from 1, so that event 0 is none. */
typedef struct achd_machine {
  const char *name;
  int nstates, nevents, ntransitions, nreactions;
  int initial;                               /* state */
  const char *const *states, *const *events; /* names */
  const achd_transition *transitions;
  const achd_reaction *reactions; /* the first match wins */
  uint64_t latches, releases;     /* events that do, as bits; 0: none */
} achd_machine;

/* Where a machine is. */
typedef struct achd_machine_run {
  const achd_machine *machine;
  int state;
  uint64_t pending; /* events of this cycle, as bits */
  uint64_t raised;  /* events for the next step */
  bool latched;     /* an event that latches has been taken, none since that releases */
} achd_machine_run;

/* In the initial state, nothing raised. */
void achd_machine_start(achd_machine_run *run, const achd_machine *machine);

/* Raises an event for the next step; raised twice it is there once. False: the machine has no such
 * event. */
bool achd_machine_raise(achd_machine_run *run, int event);

/* Whether an event is pending: it was raised before the last step. */
bool achd_machine_pending(const achd_machine_run *run, int event);

/* Whether an event that latches has been taken, and none since that releases. */
bool achd_machine_latched(const achd_machine_run *run);

/* What was raised becomes pending; then at most one reaction: its transition is taken and its
 * events are raised for the next step. Returns the reaction's index, -1 where there is none. */
int achd_machine_step(achd_machine_run *run);

#ifdef __cplusplus
}
#endif

#endif
