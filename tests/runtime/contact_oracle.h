/* SPDX-License-Identifier: MIT */
/* contact_oracle.h: the problem of achd/contact.h in long double, from its definition; shares no code with the
 * solver, and goes another way, by the barrier of the cones without multipliers. */
#ifndef CONTACT_ORACLE_H
#define CONTACT_ORACLE_H

#include <stdbool.h>

enum { CONTACT_ORACLE_ROWS = 48 };

/* Rows in the order of achd/contact.h; bound: infinite in an equality. */
typedef struct contact_oracle_problem {
  int contacts, limits, boxes, rows;
  long double G[CONTACT_ORACLE_ROWS][CONTACT_ORACLE_ROWS]; /* A + R */
  long double c[CONTACT_ORACLE_ROWS];                      /* b + gap */
  long double mu[CONTACT_ORACLE_ROWS], bound[CONTACT_ORACLE_ROWS];
} contact_oracle_problem;

/* By how much the conditions of achd/contact.h are broken, relative to the terms: the cones; w in the dual cones;
 * lambda . w. */
typedef struct contact_oracle_conditions {
  long double cone, dual, product;
} contact_oracle_conditions;
contact_oracle_conditions contact_oracle_check(const contact_oracle_problem *p,
                                               const long double lambda[]);

/* The minimum: objective within `gap` of the least one, in theory, so that sqrt(d^T G d) <= sqrt(2 gap) of the
 * difference d. Returns the gap reached; negative: Newton's method did not converge. */
long double contact_oracle_solve(const contact_oracle_problem *p, long double lambda[]);

/* sqrt(d^T G d) of d = a - b, and of a itself, at least sqrt of the largest c_j^2 / G_jj. */
long double contact_oracle_distance(const contact_oracle_problem *p, const long double a[],
                                    const long double b[], long double *size);

#endif
