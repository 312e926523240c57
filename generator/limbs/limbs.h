/* SPDX-License-Identifier: MIT */
/* limbs.h: subtrees of equal shape: legs, arms, wheels, fingers. */
#ifndef AG_LIMBS_H
#define AG_LIMBS_H

#include "graph/interface.h"

enum { AG_LANES = 8 }; /* most lanes of a vector */

/* Limbs of the same joints, one behind the other from each root, children in one order: joint k of
 * the first corresponds to joint k of every other. */
typedef struct ag_limbs {
  int count;            /* of limbs */
  int lanes;            /* of the vectors that hold one number of each: a power of 2, >= count */
  int length;           /* joints in each */
  int *joint[AG_LANES]; /* of each limb */
} ag_limbs;

/* Finds sets of limbs that share no joint, those with most joints in all first; returns how many
 * sets. siblings: limbs of a set hang on the same body. */
int ag_find_limbs(const ag_header *header, bool siblings, ag_limbs **sets);

#endif
