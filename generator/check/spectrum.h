/* SPDX-License-Identifier: MIT */
/* spectrum.h: the eigenvalues of the rows' L and the forces of its pseudo-inverse, by definition, in long double. */
#ifndef AG_CHECK_SPECTRUM_H
#define AG_CHECK_SPECTRUM_H

#include "base/arena.h"

#include <stdbool.h>

typedef struct ag_spectrum {
  double threshold, closely; /* closer to the threshold than this, of it, rounding decides */
  int ncut;                  /* eigenvalues that are cut off */
  double least;              /* the least eigenvalue, over the largest */
  double condition;          /* the largest over the least that is kept */
  bool close;                /* rounding decides whether one is cut off */
  long double *A, *V; /* V^T L V, which is diagonal in the end; the eigenvectors are V's columns */
  /* private */
  int m;
  const bool *force;
} ag_spectrum;

/* For m rows; eigenvalues up to threshold times the largest are cut off. single: by a program for float. */
ag_spectrum ag_spectrum_new(int m, double threshold, bool single, ag_arena *arena);

/* Of L, m x m, of which the lower triangle is read. force: by row whether it may have a force; kept. */
void ag_spectrum_find(ag_spectrum *spectrum, const long double *L, const bool *force);

/* The forces nu of least norm among those that leave of L nu = r the least, without what is cut off; returns the largest norm
 * that a right side with numbers as large as `terms` could cause. */
double ag_spectrum_solve(const ag_spectrum *spectrum, const double *r, const double *terms,
                         double *nu);

#endif
