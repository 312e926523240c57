/* SPDX-License-Identifier: MIT */
/* contact_solver.h: what the files of the solver of contacts share (contact.c); inside the library. */
#ifndef ACHD_CONTACT_SOLVER_H
#define ACHD_CONTACT_SOLVER_H

#include <achd/contact.h>

#include "mathematics.h"

/* Where a block is: open or at a bound; w = 0; on the surface of its cone. */
typedef enum contact_state { AWAY, HELD, SLIDES } contact_state;

/* Memory of one call. A block is a contact, or a row that is no contact's: a contact without friction counts as a
 * limit and two rows that are 0. */
typedef struct achd_contact_solver {
  const achd_contact_problem *p;
  int n; /* rows */
  achd_real *lambda;
  achd_real *c;                           /* b + gap */
  achd_real *R;                           /* as it is used */
  achd_real *size;                        /* mean diagonal element of A + R in the block */
  achd_real *lo;                          /* bounds of single rows */
  achd_real *hi;                          /* .. */
  achd_real *mu;                          /* of contacts, at their first row */
  achd_real *y;                           /* (A + R) lambda + c: w */
  achd_real *target;                      /* lambda - y / size, projected on K */
  achd_real *step;                        /* of the unknowns of the active set */
  achd_real *inverse;                     /* of the pivots of the factor */
  achd_real *terms;                       /* the size of what is added up to y */
  achd_real *F;                           /* the factor, upper triangle by rows of n */
  achd_real *rest;                        /* memory of the interior point method, 13 n */
  achd_real largest;                      /* of |c_j| / sqrt(size_j) */
  achd_real residual;                     /* of lambda, as in the report */
  int unknowns;                           /* of the active set */
  int factored, path;                     /* factorisations */
  int most;                               /* of these */
  unsigned char rows[ACHD_CONTACT_ROWS];  /* of the block that begins here; 0: none */
  unsigned char state[ACHD_CONTACT_ROWS]; /* of the block that begins here */
  bool indefinite;
} achd_contact_solver;

/* y <- (A + R) lambda + c */
void achd_contact_gradient(const achd_contact_solver *s, const achd_real lambda[], achd_real y[]);

/* U^T D^-1 U = F with F and U upper triangles by rows of `stride` numbers, in place; inverse: of U's diagonal.
 * False: a pivot is not above 0. */
bool achd_contact_factor(int n, int stride, achd_real F[], achd_real inverse[]);

/* x <- F^-1 x */
void achd_contact_substitute(int n, int stride, const achd_real F[], const achd_real inverse[],
                             achd_real x[]);

/* Moves lambda and y along the central path until lambda . w is below `gap` of what it was at the first
 * point. first: from the first point. False: no more is possible, or most factorisations are done. */
bool achd_contact_path(achd_contact_solver *s, bool first, achd_real gap);

#endif
