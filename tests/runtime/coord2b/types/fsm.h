/* SPDX-License-Identifier: MIT */
/* fsm.h: the structs of coord2b, by the names and fields of its public headers, for the test of what
 * achdgen --machine --coord2b writes. */
#ifndef COORD2B_TYPES_FSM_H
#define COORD2B_TYPES_FSM_H

struct events {
  unsigned int numEvents;
  _Bool *currentEvents; /* by event */
  _Bool *futureEvents;
};

struct event_reaction {
  unsigned int conditionEventIndex;
  unsigned int transitionIndex;
  unsigned int numFiredEvents;
  unsigned int *firedEventIndices;
};

struct transition {
  unsigned int startStateIndex;
  unsigned int endStateIndex;
};

struct state {
  char *name;
};

struct fsm_nbx {
  unsigned int numReactions;
  unsigned int numTransitions;
  unsigned int numStates;
  struct state *states;
  const unsigned int startStateIndex;
  const unsigned int endStateIndex;
  unsigned int currentStateIndex;
  struct events *eventData;
  struct event_reaction *reactions;
  struct transition *transitions;
};

#endif
