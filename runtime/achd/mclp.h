/* SPDX-License-Identifier: MIT */
/* mclp.h: constraint forces with bounds: exact solution of a mixed linear complementarity problem.
 *
 *   L nu = r + w,   lo <= nu <= hi,   w_j >= 0 where nu_j = lo_j,
 *                                     w_j <= 0 where nu_j = hi_j,   w_j = 0 in between
 *
 * nu: magnitude of the constraint wrench of each row [N, N m]; L: acceleration along each row per
 * unit of constraint wrench; r = b - A^T a: constraint residual at nu = 0; w = A^T a - b:
 * constraint residual of the solution [m/s^2, rad/s^2]. The conditions above are those of the
 * minimum of 1/2 nu^T L nu - r^T nu within the bounds, which is the dual of Gauss' principle with
 * bounded constraint forces. A row without bounds is an equality (w = 0); joint friction at rest is
 * |nu| <= f; a contact or a joint limit is nu >= 0; a push with at most 20 N is |nu| <= 20. Bounds
 * may be infinite, and lo may equal hi.
 *
 * L is symmetric positive semidefinite; its lower triangle is stored by rows: L_11, L_21, L_22, ...
 * The solution w is unique. If nu is not unique, the one of least norm is computed.
 *
 * Method: rows without bounds are eliminated first, by a Cholesky factorisation with diagonal
 * pivoting, which detects dependent rows. Then follows Keller's principal pivoting with bounds on
 * both sides: a row with a wrong w is changed until its w is zero or it reaches a bound, while rows
 * between their bounds keep w = 0 and stop at a bound that they reach. Every step reduces the
 * objective, so that no set of rows occurs twice; in degenerate problems the lowest index is
 * chosen. Where forces are immense, near singular configurations, rounding can turn pivots in a
 * circle: after 6 for each row a w that rounding explains counts as zero, and nu is shortened with
 * such rows free until no w is left in doubt. Iterative refinement ends the computation. (Keller,
 * The general quadratic optimization problem, Mathematical Programming 5, 1973; Cottle, Pang, Stone, The Linear Complementarity
 * Problem, 1992, section 4.5; Chang and Cottle, Least-index resolution of degeneracy in quadratic
 * programming, Mathematical Programming 18, 1980. Vukcevic 2018, section 3, shows that
 * Vereshchagin's problem with bounds is this one.) */
#ifndef ACHD_MCLP_H
#define ACHD_MCLP_H

#include <achd/real.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { ACHD_MCLP_ROWS = 64 }; /* at most */

/* Size of the working memory of achd_mclp: achd_real work[ACHD_MCLP_WORK(13)] for 13 rows. */
#define ACHD_MCLP_WORK(rows) (2 * (rows) * (rows) + 10 * (rows))

/* A bound of this magnitude or more means no bound, as an infinite one does. Generated functions
 * use it in place of infinity. */
#define ACHD_MCLP_UNBOUNDED_DOUBLE 1e300
#define ACHD_MCLP_UNBOUNDED_FLOAT 1e38
#define ACHD_MCLP_UNBOUNDED                                                                        \
  ((achd_real)(sizeof(achd_real) == sizeof(float) ? ACHD_MCLP_UNBOUNDED_FLOAT                      \
                                                  : ACHD_MCLP_UNBOUNDED_DOUBLE))

typedef enum achd_mclp_status {
  ACHD_MCLP_SOLVED,
  /* No nu satisfies all rows: some rows contradict each other, or no joint can move along a row
   * without bounds. Such rows keep their last nu; the other rows are solved with these. */
  ACHD_MCLP_INCONSISTENT,
  /* The residual is too large, or rows contradict each other up to rounding, so that only immense
   * forces would satisfy them: do not command the result. */
  ACHD_MCLP_NOT_SOLVED,
  /* L has a negative eigenvalue, so it cannot come from a robot; nu is 0. (Detected only if a pivot
   * shows it.) */
  ACHD_MCLP_INDEFINITE,
  /* The number of rows is negative or too large; lo > hi, lo = inf or hi = -inf; a NaN; or an
   * infinite element of L or r. All of nu is 0. */
  ACHD_MCLP_BAD_INPUT,
  /* The limit of pivots was reached before the solution: every nu is within its bounds, and rows
   * without bounds are met, w = 0, but some row with bounds has a w of the wrong sign. What is
   * commanded then meets the rows without bounds if the others push as nu says; report.residual
   * tells how far that is from the solution. */
  ACHD_MCLP_STOPPED
} achd_mclp_status;

typedef struct achd_mclp_problem {
  int rows;
  const achd_real *L;       /* L[rows (rows + 1) / 2], lower triangle by rows */
  const achd_real *r;       /* r[rows] */
  const achd_real *lo, *hi; /* lo[rows], hi[rows]: bounds of nu; may be infinite */
} achd_mclp_problem;

typedef struct achd_mclp_report {
  /* The largest relative violation of the complementarity conditions over all rows, computed from
   * the given L and r: |w_j| of a row j whose w_j has the wrong sign, divided by the sum of its
   * terms, |r_j| + sum_k |L_jk nu_k|. A |w_j| below four rounding errors of the largest |r_k| /
   * sqrt(L_kk), times sqrt(L_jj), counts as 0, because r is a difference of terms of that size. */
  achd_real residual;
  int pivots;  /* number of pivoting steps */
  int nullity; /* dimension of the set of solutions nu; 0: nu is unique */
} achd_mclp_report;

/* Largest report.residual of a solved problem: 1e-10, float 1e-3. */
#define ACHD_MCLP_RESIDUAL ((achd_real)(sizeof(achd_real) == sizeof(float) ? 1e-3 : 1e-10))

/* Solves the problem for nu[rows] and returns how that went.
 *
 * If the status is SOLVED, the residual is below ACHD_MCLP_RESIDUAL, and w is accurate to 1e-6 of
 * the largest r and of the forces at bounds among the rows that are coupled with it, in units of
 * each row (float: to a tenth, if rows nearly contradict each other). A problem that does not reach
 * this is solved once more with w and doubtful pivots in twice the precision, which takes about
 * twice the time. Only pivots as small as two rounding errors of L then remain undecided.
 *
 * side[rows], input and output: where each row is: -1 at lo, 1 at hi, 0 in between. All 0 is a cold
 * start; the result of a similar problem, such as that of the last cycle, is a warm start, which is
 * faster and has the same solution.
 *
 * most_pivots: largest number of steps; 0: 64 for each row, which is never reached in practice. The
 * last step may take several rows to their bounds, each of which counts as a pivot, so that there
 * are at most most_pivots + rows.
 * work: ACHD_MCLP_WORK(rows) numbers. The function always returns, with every nu finite and, except
 * for INDEFINITE and BAD_INPUT, within its bounds; if numbers overflow (NOT_SOLVED), nu is the
 * point within the bounds that is nearest to 0. It neither recurses nor allocates; its stack holds
 * two bytes for each of ACHD_MCLP_ROWS rows, and some hundred bytes more. */
achd_mclp_status achd_mclp(const achd_mclp_problem *problem, achd_real nu[], signed char side[],
                           int most_pivots, achd_real work[], achd_mclp_report *report);

/* The torques of the motors as functions of nu: tau_ctrl_0 and tau_ctrl_nu of generated functions. */
typedef struct achd_mclp_torques {
  int motors;
  const achd_real *at_0;   /* at_0[motors]: at nu = 0 */
  const achd_real *per_nu; /* per_nu[rows * motors], row by row: what a unit of each nu adds */
  const achd_real *weight; /* weight[motors], zero or more; NULL: 1 each */
} achd_mclp_torques;

/* Size of the working memory of achd_mclp_least_torque. */
#define ACHD_MCLP_TORQUE_WORK(rows, motors)                                                        \
  (ACHD_MCLP_WORK(rows) + (rows) * (motors) + 3 * (rows) + (motors))

/* Where several nu solve the problem, they cause the same accelerations, but different torques: what
 * friction holds, motors need not. Given nu[rows] and side[rows] of a solution, finds that of least
 * motor torque,
 *
 *   minimum of 1/2 sum_m weight_m tau_m^2,   tau = at_0 + per_nu nu
 *
 * among all nu with the same w within the bounds. tau is unique for motors whose weight is not zero;
 * of several nu with that tau the one of least norm is computed.
 *
 * SOLVED: the first `rows` numbers of work are the multipliers of the equations L nu = r + w, by
 * which achd_mclp_check_least_torque proves the answer. report.nullity: dimension of the set of
 * solutions. NOT_SOLVED: nu is no solution, or rounding lost it on the way; nu is as it was.
 * BAD_INPUT: a number of the problem, of nu or of the torques is senseless, a weight negative; nu is
 * as it was. work: ACHD_MCLP_TORQUE_WORK(rows, motors) numbers. The function always returns. */
achd_mclp_status achd_mclp_least_torque(const achd_mclp_problem *problem,
                                        const achd_mclp_torques *torques, achd_real nu[],
                                        signed char side[], achd_real work[],
                                        achd_mclp_report *report);

/* Returns whether nu[rows] solves the problem and no other solution has less weighted torque. With
 * g = per_nu^T weight tau and s = g + L multiplier this is so if s_j >= 0 where nu_j is at its lower
 * bound, s_j <= 0 where it is at its upper one, and s_j = 0 in between, for all rows with w_j = 0
 * and lo_j < hi_j (w_j counts as zero up to 4096 rounding errors of its terms, and where nu_j is at
 * no bound): then g^T (nu' - nu) >= 0 for every other solution nu', and the torques of nu are
 * the least, as their squares are convex. *error: the largest violation, relative to the terms of
 * s_j, among which a force as large as the largest sqrt(L_kk) |nu_k| counts in every torque. It shares no code with the solver. True: achd_mclp_check accepts nu, and *error is at most
 * ACHD_MCLP_RESIDUAL. */
bool achd_mclp_check_least_torque(const achd_mclp_problem *problem,
                                  const achd_mclp_torques *torques, const achd_real nu[],
                                  const achd_real multiplier[], achd_real *error);

typedef struct achd_mclp_certificate {
  /* The largest violation of the complementarity conditions over all rows, relative to the terms of
   * w_j, as achd_mclp_report.residual. Infinite: the numbers are no problem's or no answer. */
  achd_real residual;
  /* The largest violation in proportion to what acts: to the largest |r_k| / sqrt(L_kk) and the
   * forces sqrt(L_kk) |nu_k| at bounds, of the rows that are coupled with row j, in units of row j
   * (times sqrt(L_jj)). A nu that is immense does not make it small. */
  achd_real error;
  /* Four rounding errors of the largest |r_k| / sqrt(L_kk). A |w_j| below this times sqrt(L_jj)
   * counts as 0. */
  achd_real noise;
  int row; /* the first row that is refused; -1: none, or the number of rows is not 0 to 64 */
} achd_mclp_certificate;

/* Largest error of an answer that is accepted: 1e-6, float 1e-1. */
#define ACHD_MCLP_ERROR ((achd_real)(sizeof(achd_real) == sizeof(float) ? 1e-1 : 1e-6))

/* Returns whether nu[rows] solves the problem: a certificate for the answer of achd_mclp, or of
 * anyone. It shares no code with the solver, and does not believe it.
 *
 * True: every number of the problem and every nu_j is as it should be, lo_j <= nu_j <= hi_j
 * exactly, and for every row, w_j = (L nu - r)_j and s_j = |r_j| + sum_k |L_jk nu_k|,
 *   w_j >= -e_j unless nu_j is at its upper bound, w_j <= e_j unless nu_j is at its lower bound,
 *   e_j = noise sqrt(L_jj) + the smaller of ACHD_MCLP_RESIDUAL s_j and ACHD_MCLP_ERROR times what
 * acts (see error above). As L is semidefinite, which is not checked, nu is then a minimum within
 * the bounds for a right side that differs from r by no more than e_j. It need not be the one of
 * least norm.
 *
 * False: some condition is not met, and `certificate` says in which row and by how much. The
 * certificate's numbers serve for tolerances of your own as well.
 *
 * w is summed with twice the digits: rounding changes it by less than one rounding error of w_j
 * itself and rows^2 EPSILON^2 of s_j. It takes less time than the solution. */
bool achd_mclp_check(const achd_mclp_problem *problem, const achd_real nu[],
                     achd_mclp_certificate *certificate);

#ifdef __cplusplus
}
#endif

#endif
