/* SPDX-License-Identifier: MIT */
/* machine_graph.h: a state machine as text for other programs that draw: Graphviz (--dot) and
 * Mermaid (--mermaid). */
#ifndef AG_MACHINE_GRAPH_H
#define AG_MACHINE_GRAPH_H

#include "base/arena.h"
#include "base/value.h"

/* A directed graph in the DOT language, for what machine.lua gives. An edge is a transition out of one
 * state, with the events that take it, in the order of priority. Same inputs, same bytes. */
const char *ag_machine_dot(const ag_value *machine, ag_arena *arena);

/* The same as a Mermaid state diagram. */
const char *ag_machine_mermaid(const ag_value *machine, ag_arena *arena);

#endif
