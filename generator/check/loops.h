/* SPDX-License-Identifier: MIT */
/* loops.h: whether what the functions say of linkages is what the loops are. */
#ifndef AG_CHECK_LOOPS_H
#define AG_CHECK_LOOPS_H

#include "check/checker.h"

/* Whether the loops are closed by the model's own frames, dependent joints move as their velocities say (h: step of the
 * differences, allowed: their bar), and the torques of motors do the work of those of the joints. */
void ag_check_linkages(ag_checker *checker, double h, double allowed);

#endif
