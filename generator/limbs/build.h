/* SPDX-License-Identifier: MIT */
/* build.h: the graph made anew, with vectors where nodes of limbs have been paired. */
#ifndef AG_BUILD_H
#define AG_BUILD_H

#include "limbs/vectorizer.h"

/* The node of q->dag for node `id` of the program, a number: of a vector's lane where it is in one. An ag_maker (rebuild.h);
 * pass: the vectorizer. */
ag_id ag_build_node(void *pass, ag_id id);
/* First of all what belongs to rows of a large system, in one order, which signs of differences follow; live: by node of the program. */
void ag_build_rows(vectorizer *q, const bool *live);

#endif
