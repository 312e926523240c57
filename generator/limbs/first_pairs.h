/* SPDX-License-Identifier: MIT */
/* first_pairs.h: pairs what corresponds, from outputs and from what limbs hand to the rest of the robot. */
#ifndef AG_FIRST_PAIRS_H
#define AG_FIRST_PAIRS_H

#include "limbs/vectorizer.h"

void ag_begin_lockstep(vectorizer *q);

#endif
