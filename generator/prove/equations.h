/* SPDX-License-Identifier: MIT */
/* equations.h: A x = b of a linkage, by its blocks of rows and columns that have nothing to do with each other. Up to three
 * rows are solved by cofactors, x = adj(A) b / det A; more by rows made orthogonal, A = L Q, which is the same function;
 * where a block is singular, 1 stands for what would be divided by. */
#ifndef AG_EQUATIONS_H
#define AG_EQUATIONS_H

#include "base/value.h"
#include "prove/decisions.h"

typedef struct ag_equations {
  ag_decisions *decisions;
  ag_arena *arena;
  const ag_value *blocks; /* {rows, columns} each, from 1 */
  int n;
  const ag_number *A;     /* n x n */
  const ag_number *sizes; /* by row: what its pivot is judged against */
  const ag_number *least; /* the share below which a block is singular; NULL: it is not asked */
} ag_equations;

typedef struct ag_answer {
  ag_number *x; /* n x count */
  ag_number pivot;
  bool bad;
} ag_answer;

/* rhs: n x count. */
ag_answer ag_equations_solve(const ag_equations *equations, const ag_number *rhs, int count);

#endif
