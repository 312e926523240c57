/* SPDX-License-Identifier: MIT */
/* passivity.h: the Coriolis matrix, its products, and Slotine and Li's law, by the definition of C as
 * a sum over particles; the rows as an operational space. */
#ifndef AG_PASSIVITY_H
#define AG_PASSIVITY_H

#include "prove/outputs.h"

/* coriolis */
void ag_define_coriolis(ag_definition *definition);
/* slotine_li */
void ag_define_slotine_li(ag_definition *definition);
/* osim */
void ag_define_operational_space(ag_definition *definition);

#endif
