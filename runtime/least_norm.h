/* SPDX-License-Identifier: MIT */
/* least_norm.h: of the points nu + N z within bounds, the one nearest to zero, and those of least
 * motor torque. Inside the library. */
#ifndef ACHD_LEAST_NORM_H
#define ACHD_LEAST_NORM_H

#include <achd/mclp.h>

/* The points nu + N z within bounds. */
typedef struct achd_bounded_plane {
  int rows, columns;
  achd_real
      *N; /* columns x rows numbers, column after column, independent; orthonormal afterwards */
  const achd_real *weight; /* [rows]: makes the elements of N's columns numbers of one size: what is
                                rounding is told by it */
  const achd_real *lo, *hi; /* [rows] */
  achd_real *Q;             /* memory of the size of N */
  achd_real *work;          /* 2 rows */
} achd_bounded_plane;

/* nu[rows], within the bounds, moves along the columns of N to the least norm that they allow, in at most so
 * many steps.
 *
 * Primal active set method: nu moves towards the point of least norm; a bound that it meets holds
 * its row, and lets it go where that would shorten nu. By least index where several would do.
 * (Nocedal, Wright, Numerical Optimization, 2006, algorithm 16.3, on an orthonormal null space.) */
void achd_least_norm(const achd_bounded_plane *plane, achd_real nu[], int most_steps);

/* What achd_least_torque needs beside. */
typedef struct achd_torque_plane {
  const achd_mclp_torques *torques;
  achd_real *B;      /* columns x motors */
  achd_real *tau;    /* motors */
  achd_real *forces; /* rows; afterwards: with what force the bound of each row holds it */
} achd_torque_plane;

/* nu[rows], within the bounds, moves along the columns of N to the least torque,
 *   minimum of 1/2 sum_m weight_m tau_m^2,   tau = at_0 + per_nu nu,
 * that they allow, in at most so many steps; of all such nu to the one of least norm.
 *
 * The same method; with B = weight^1/2 per_nu N its directions are turned until their columns of B
 * are orthogonal (one-sided Jacobi: Hestenes, Inversion of matrices by biorthogonalization, Journal
 * of the Society for Industrial and Applied Mathematics 6, 1958). Directions without torque stay
 * where they are, and come last, by achd_least_norm. */
void achd_least_torque(const achd_bounded_plane *plane, const achd_torque_plane *of, achd_real nu[],
                       int most_steps);

#endif
