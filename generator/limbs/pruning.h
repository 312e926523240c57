/* pruning.h: takes those packs apart that cost more than they save, or wait for themselves. */
#ifndef AG_PRUNING_H
#define AG_PRUNING_H

#include "limbs/pack.h"

void ag_choose_packs(packer *q);

#endif
