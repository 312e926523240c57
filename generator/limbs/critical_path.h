/* critical_path.h: less waiting of one operation for another. */
#ifndef AG_CRITICAL_PATH_H
#define AG_CRITICAL_PATH_H

#include "graph/program.h"

/* A program with limbs as lanes (vectorize.h) with shorter chains of operations that wait for each other, scheduled. */
ag_program *ag_shorten_chains(const ag_program *lanes, ag_arena *arena);

#endif
