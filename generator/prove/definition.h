/* SPDX-License-Identifier: MIT */
/* definition.h: what every function of the family is, by the definitions of mechanics, at a point.
 * Nothing here is shared with the scripts that it judges. */
#ifndef AG_DEFINITION_H
#define AG_DEFINITION_H

#include "prove/outputs.h"

/* All outputs of a function of the header. */
ag_definition ag_define(const char *function, const ag_robot *robot);

#endif
