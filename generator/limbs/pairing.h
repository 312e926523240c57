/* pairing.h: pairs the operands of what is paired. */
#ifndef AG_PAIRING_H
#define AG_PAIRING_H

#include "limbs/pack.h"

/* The pack of these nodes. sign: as they are wanted, which a new pack follows where it can; then, of
 * what is wanted, the sign to the pack's value. */
int ag_request_pack(packer *q, int set, ag_id *node, signed char *sign);

#endif
