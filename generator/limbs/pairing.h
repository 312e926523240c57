/* SPDX-License-Identifier: MIT */
/* pairing.h: pairs the operands of what is paired. */
#ifndef AG_PAIRING_H
#define AG_PAIRING_H

#include "limbs/vectorizer.h"

/* The candidate of these nodes. sign: as they are wanted, which a new candidate follows where it can; then, of
 * what is wanted, the sign to the candidate's value. */
int ag_request_candidate(vectorizer *q, int set, ag_id *node, signed char *sign);

#endif
