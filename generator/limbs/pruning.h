/* SPDX-License-Identifier: MIT */
/* pruning.h: takes those candidates apart that cost more than they save, or wait for themselves. */
#ifndef AG_PRUNING_H
#define AG_PRUNING_H

#include "limbs/vectorizer.h"

void ag_choose_candidates(vectorizer *q);

#endif
