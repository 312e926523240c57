/* SPDX-License-Identifier: MIT */
/* paired_stores.h: results stored two or four at a time. */
#ifndef AG_PAIRED_STORES_H
#define AG_PAIRED_STORES_H

#include "graph/graph.h"

/* Gives the graphs of a header that have limbs as lanes (vectorize.h) results in the order of the arrays that they go to, two or four of them a vector. */
void ag_pair_stores(ag_header *header);

#endif
