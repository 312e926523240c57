/* SPDX-License-Identifier: MIT */
/* solves.h: the constrained solve, its shares, and the problem of bounded rows, by definition. */
#ifndef AG_SOLVES_H
#define AG_SOLVES_H

#include "prove/outputs.h"

/* achd */
void ag_define_solve(ag_definition *definition);
/* mclp */
void ag_define_problem(ag_definition *definition);
/* apply */
void ag_define_applied(ag_definition *definition);

#endif
