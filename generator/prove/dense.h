/* SPDX-License-Identifier: MIT */
/* dense.h: dense linear algebra over numbers in both worlds; matrices by rows. */
#ifndef AG_DENSE_H
#define AG_DENSE_H

#include "base/arena.h"
#include "base/field.h"

#include <stdbool.h>

/* W = M^-1, n x n, by Gauss and Jordan; false: M is singular. */
bool ag_dense_inverse(const ag_number *M, int n, ag_number *W, ag_arena *arena);

/* y = A x, A rows x columns. */
void ag_dense_times(const ag_number *A, int rows, int columns, const ag_number *x, ag_number *y);
/* y + A^T x, into y. */
void ag_dense_add_transposed(const ag_number *A, int rows, int columns, const ag_number *x,
                             ag_number *y);

/* What is left of each diagonal element of M when all later rows and columns are eliminated: D_i; and
 * of the vector x, in place: x_i - sum over later j of M_ij ... x_j. */
void ag_dense_eliminate(const ag_number *M, int n, ag_number *D, ag_number *x, ag_arena *arena);

/* Takes row a of G, m x m, out of the later ones: their column a becomes 0. */
void ag_dense_take_out(ag_number *G, int m, int a);

#endif
