/* SPDX-License-Identifier: MIT */
/* sequence.h: the order of an algorithm's steps, where these stay whole. */
#ifndef AG_SEQUENCE_H
#define AG_SEQUENCE_H

#include "lower/alike.h"

/* Fills after[] with all regions in the order in which the range's statements of each are computed. region: by node (ag_regions_of).
 * The steps of the repeats, `count` of them, come behind what their stores name. */
void ag_order_steps(const ag_range *range, const int *region, const ag_repeat *repeats, int count,
                    int *after, ag_arena *arena);

#endif
