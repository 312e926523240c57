/* SPDX-License-Identifier: MIT */
/* formulas.h: what a function computes, as formulas of LaTeX (--formulas). */
#ifndef AG_FORMULAS_H
#define AG_FORMULAS_H

#include "base/err.h"
#include "lower/plan.h"

/* Prints a document with the formulas that lead to an output, a quantity ("qdd") or one number of it ("qdd.joint_1", as --columns
 * names it): by step of the algorithm, with the names that the statements of the header have. Of a function with two solves those of
 * the faster one. All numbers count as finite, so tests for NaN are left out. */
bool ag_formulas(const ag_header *header, const ag_plan *plan, const char *output, FILE *to,
                 ag_err *err);

#endif
