/* mclp.h: the exact solution of a mixed complementarity problem: constraint forces with bounds.
 *
 *   L nu = r + w,   lo <= nu <= hi,   w_j >= 0 where nu_j = lo_j,
 *                                     w_j <= 0 where nu_j = hi_j,   w_j = 0 in between
 *
 * These are the conditions for the least of 1/2 nu^T L nu - r^T nu over the box, the dual of Gauss'
 * principle with bounded constraint forces: L is the coupling of the rows, r what the rows miss at
 * nu = 0 (b - A^T a), w = A^T a - b what they miss of it in the end. Without bounds a row is an
 * equality (w = 0); joint friction at rest is |nu| <= f, a contact or a joint limit nu >= 0, a push
 * with at most 20 N is |nu| <= 20. Bounds may be infinite, and may be equal.
 *
 * L is symmetric positive semidefinite, lower triangle by rows: L_11, L_21, L_22, L_31, ...
 * The solution w is unique. Where nu is not, the one of least norm is taken.
 *
 * Method: the rows without bounds are eliminated first, by Cholesky's factors with diagonal
 * pivoting, which tells the dependent ones; then Keller's principal pivoting, with bounds on both
 * sides: a row of wrong w is driven until its w is zero or it meets a bound; rows between their
 * bounds follow with w = 0, and leave to the bound that they meet. The objective falls with every
 * step, so no set of rows comes twice; in degenerate problems the least index decides. Steps of
 * refinement end it. (Keller, The general quadratic optimization problem, Mathematical Programming
 * 5, 1973; Cottle, Pang, Stone, The Linear Complementarity Problem, 1992, section 4.5; Chang and
 * Cottle, Least-index resolution of degeneracy in quadratic programming, Mathematical Programming
 * 18, 1980. That Vereshchagin's max-min is this problem: Vukcevic 2018, section 3.) */
#ifndef ACHD_MCLP_H
#define ACHD_MCLP_H

#include <achd/real.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { ACHD_MCLP_ROWS = 64 }; /* at most */

/* Memory that achd_mclp works in, in achd_real: achd_real work[ACHD_MCLP_WORK(13)]. */
#define ACHD_MCLP_WORK(rows) (2 * (rows) * (rows) + 10 * (rows))

/* Bounds of this size or more are none, as infinite ones: generated functions write it for them. */
#define ACHD_MCLP_UNBOUNDED_DOUBLE 1e300
#define ACHD_MCLP_UNBOUNDED_FLOAT 1e38
#define ACHD_MCLP_UNBOUNDED                                                                        \
  ((achd_real)(sizeof(achd_real) == sizeof(float) ? ACHD_MCLP_UNBOUNDED_FLOAT                      \
                                                  : ACHD_MCLP_UNBOUNDED_DOUBLE))

typedef enum achd_mclp_status {
  ACHD_MCLP_SOLVED,
  /* No nu meets the rows: some contradict each other, or one without bound is out of reach. Those
   * that do were given up, where they stood; the others are solved with them. */
  ACHD_MCLP_INCONSISTENT,
  /* The limit of pivots was met, the residual is above what counts as solved, or rows contradict
   * each other but for rounding, which only forces out of all proportion meet: do not command. */
  ACHD_MCLP_NOT_SOLVED,
  /* L has a negative direction: it comes from no robot. nu is 0. (Found where pivoting meets it.)
   */
  ACHD_MCLP_INDEFINITE,
  /* Too many rows or fewer than none, lo > hi, lo = inf, hi = -inf, a NaN, an infinite L or r. nu
   * is 0, all of it also where the rows are too many. */
  ACHD_MCLP_BAD_INPUT
} achd_mclp_status;

typedef struct achd_mclp_problem {
  int rows;
  const achd_real *L;       /* rows (rows + 1) / 2 */
  const achd_real *r;       /* rows */
  const achd_real *lo, *hi; /* rows; may be infinite */
} achd_mclp_problem;

typedef struct achd_mclp_report {
  /* The worst violation of the complementarity conditions by nu over all rows, from L and r as they
   * came in: |w_j| by which row j has the wrong sign, relative to the terms that make up w_j,
   * |r_j| + sum_k |L_jk nu_k|: each row by its own measure. Of |w_j| only what is more than four
   * units of rounding of the largest |r_k| / sqrt(L_kk), in row j's unit (times sqrt(L_jj)): r is a
   * difference of terms of that size. */
  achd_real residual;
  int pivots;  /* rows that entered, left, or changed their bound */
  int nullity; /* dimension of the solutions nu; 0: it is unique */
} achd_mclp_report;

/* Largest report.residual of what counts as solved: 1e-10, float 1e-3. */
#define ACHD_MCLP_RESIDUAL ((achd_real)(sizeof(achd_real) == sizeof(float) ? 1e-3 : 1e-10))

/* Solves for nu[rows].
 *
 * Of SOLVED nu the residual is below ACHD_MCLP_RESIDUAL, and w is certain to 1e-6 of the largest r
 * (float: to a tenth of it, where rows all but contradict each other), of the rows that are coupled
 * with it, and of the forces at bounds, each in the rows' own units. A problem that does not come
 * out so is solved once more, with w and doubtful pivots computed with twice the digits: about
 * twice the time. What then is open are pivots of the size of L's own rounding (2 units).
 *
 * side[rows]: where each row ended: -1 at lo, 1 at hi, 0 between; and where to begin: all 0 is a
 * cold start, the sides of a problem nearby a warm one. It changes the way, not the solution.
 *
 * most_pivots: 0 for a limit that is never met in practice (64 a row). work: ACHD_MCLP_WORK(rows).
 * Always comes back, with every nu finite and, but for INDEFINITE and BAD_INPUT, within its bounds:
 * where numbers overflow (NOT_SOLVED) at the point of the bounds that is nearest to 0. Recursion
 * and allocation: none; the stack holds two bytes per row of ACHD_MCLP_ROWS and some hundred more.
 */
achd_mclp_status achd_mclp(const achd_mclp_problem *problem, achd_real nu[], signed char side[],
                           int most_pivots, achd_real work[], achd_mclp_report *report);

#ifdef __cplusplus
}
#endif

#endif
