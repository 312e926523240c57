/* SPDX-License-Identifier: MIT */
/* elimination.h: small systems of linear equations. */
#ifndef AG_ELIMINATION_H
#define AG_ELIMINATION_H

#include <stdbool.h>

/* A x = b of n unknowns by elimination with row pivots, both overwritten, x in b; false: A[n * n] is singular. */
bool ag_eliminate(long double *A, long double *b, int n);

#endif
