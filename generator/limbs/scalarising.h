/* SPDX-License-Identifier: MIT */
/* scalarising.h: vectors made numbers again. */
#ifndef AG_SCALARISING_H
#define AG_SCALARISING_H

#include "graph/graph.h"

/* A graph with limbs as lanes (vectorize.h) with each lane computed by itself: of numbers alone again, for those who judge it. */
ag_graph *ag_scalarise(const ag_graph *lanes, ag_arena *arena);

#endif
