/* scalarising.h: vectors made numbers again. */
#ifndef AG_SCALARISING_H
#define AG_SCALARISING_H

#include "graph/program.h"

/* A program with limbs as lanes (vectorize.h) with each lane computed by itself: of numbers alone again, for those who judge it. */
ag_program *ag_unpack_lanes(const ag_program *lanes, ag_arena *arena);

#endif
