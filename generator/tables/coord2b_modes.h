/* SPDX-License-Identifier: MIT */
/* coord2b_modes.h: a state machine as coord2b knows it: no events that latch, one end state.
 *
 * coord2b's machines have no events that latch: what a machine does depends on its state alone. A
 * state that behaves differently while an event latches it therefore becomes two: itself, and a
 * copy behind all states that stands for "the same, latched". Which states need a copy is found by
 * refining a partition (Moore 1956): all modes of a state count as one until a reaction tells them
 * apart. */
#ifndef AG_COORD2B_MODES_H
#define AG_COORD2B_MODES_H

#include "base/arena.h"
#include "base/value.h"

enum { AG_NOWHERE = -1 };

typedef struct ag_coord2b_state { /* a state, latched or not; its place: 2 state + latched */
  bool reached, copied;
  int *to; /* by reaction: the mode that it leads to; AG_NOWHERE: it is not executed */
} ag_coord2b_state;

typedef struct ag_coord2b {
  const ag_value *machine, *states, *events, *transitions, *reactions;
  ag_coord2b_state *modes;
  int nstates, copies;
  int end; /* index of the state in which the machine ends; behind all others: none of the machine's */
  ag_arena *arena;
} ag_coord2b;

/* For what machine.lua gives. */
ag_coord2b ag_coord2b_of(const ag_value *machine, ag_arena *arena);

/* How many states there are: the machine's, the copies, and the end if it is none of them. */
int ag_coord2b_length(const ag_coord2b *c);
/* The state of the description that the state at an index stands for. */
int ag_coord2b_own_state(const ag_coord2b *c, int index);
/* The event of a reaction, from 1. */
int ag_coord2b_event(const ag_coord2b *c, int reaction);
/* The mode whose behaviour the index has: of a state that is only ever latched, that one. */
int ag_coord2b_mode(const ag_coord2b *c, int index);
/* The index of a mode among the states: the machine's, then the copies in their order. */
int ag_coord2b_index(const ag_coord2b *c, int mode);

#endif
