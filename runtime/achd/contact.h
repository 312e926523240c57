/* SPDX-License-Identifier: MIT */
/* contact.h: impulses of contacts with friction, joint limits and dry friction over one step of a
 * simulation: a convex problem, solved exactly.
 *
 *   minimise  1/2 lambda^T (A + R) lambda + lambda^T (b + gap)   over lambda in K
 *
 * lambda: impulses [N s, N m s] in rows of this order:
 *   contacts  three rows each, velocity of the point along the normal n, away from the surface, and
 *             along two tangents: mu lambda_n >= |(lambda_t1, lambda_t2)|, a circular cone, exact
 *   limits    one row each: lambda >= 0
 *   boxes     one row each: |lambda| <= bound, as of dry friction of a joint over a step; a row without
 *             bound is an equality
 * A = J M^-1 J^T: velocity of the rows per impulse; b = J v*: velocity of the rows after a step without
 * impulses; gap: distance of contacts and limits divided by the step's period, 0 in other rows [m/s,
 * rad/s]. The velocity after the step is v = A lambda + b, and with w = v + R lambda + gap every contact has
 *   mu lambda_n >= |lambda_t|,   w_n >= mu |w_t|,   lambda . w = 0
 * and every limit lambda >= 0, w >= 0, lambda w = 0. A contact that sticks has w = 0; one that slides is
 * pushed against its velocity by mu lambda_n, and leaves the surface by mu |v_t| a second, by which
 * this convex problem differs from Coulomb's law (Anitescu, Optimization-based simulation of nonsmooth
 * rigid multibody dynamics, Mathematical Programming 105, 2006; Todorov, Convex and analytically-invertible dynamics
 * with contacts and constraints, ICRA 2014; Castro, Permenter, Han, An unconstrained convex formulation of compliant
 * contact, IEEE Transactions on Robotics 39, 2023; docs/step.md).
 *
 * R >= 0, diagonal, makes contacts soft. Rigid rows have R = 0: where A is singular, as that of the
 * eight corners of two flat feet, their impulses are then not unique, though v is. So R_j is at least
 * ACHD_CONTACT_LEAST of the mean diagonal element of A in the rows of the same contact, or of the row itself:
 * lambda is Tikhonov's solution, the least one that is as good, and v is wrong by that share.
 *
 * Method: an active set of blocks, each of which is open, held (sticks), or slides along its cone.
 * Newton's method on the surfaces that these are, with the curvature of the cones, is followed by
 * the projection of lambda - w / A_jj on K, which tells the next sets (the natural map; Hintermueller, Ito, Kunisch,
 * The primal-dual active set strategy as a semismooth Newton method, SIAM Journal on Optimization 13,
 * 2002). With the right sets it converges quadratically; from the lambda of the last step of a
 * simulation one or two iterations are enough.
 * Where the sets have not settled after some iterations, an interior point method follows the
 * central path (Nesterov, Todd, Primal-dual interior-point methods for self-scaled cones, SIAM Journal on
 * Optimization 8, 1998), to a point from which they do. */
#ifndef ACHD_CONTACT_H
#define ACHD_CONTACT_H

#include <achd/real.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { ACHD_CONTACT_ROWS = 96 }; /* at most */

/* Size of the working memory of achd_contact_solve, for so many rows. */
#define ACHD_CONTACT_WORK(rows) ((rows) * (rows) + 24 * (rows))

/* A bound of this magnitude or more means no bound, as an infinite one does. */
#define ACHD_CONTACT_UNBOUNDED ((achd_real)(sizeof(achd_real) == sizeof(float) ? 1e38 : 1e300))

/* Least regularisation, of the mean diagonal element of A in the rows of a contact: 1e-9, float 1e-5. */
#define ACHD_CONTACT_LEAST ((achd_real)(sizeof(achd_real) == sizeof(float) ? 1e-5 : 1e-9))

/* Largest report.residual of a solved problem: 1e-10, float 1e-3; nearly all end below 1e-13. */
#define ACHD_CONTACT_RESIDUAL ((achd_real)(sizeof(achd_real) == sizeof(float) ? 1e-3 : 1e-10))

typedef enum achd_contact_status {
  ACHD_CONTACT_SOLVED,
  /* Solved, but rigid rows contradict each other, as those of a body between two walls that come
   * closer, or nothing moves along a row: no finite impulses meet them all. The impulses are immense, v is the
   * compromise of least squares, and some row misses its velocity by more than a thousandth of the largest one. */
  ACHD_CONTACT_INCONSISTENT,
  /* lambda is in K, but the residual is too large: numbers overflowed or differ too much in size. */
  ACHD_CONTACT_NOT_SOLVED,
  /* A + R has an eigenvalue below 0 that a pivot shows, so it cannot come from a robot; lambda is 0. */
  ACHD_CONTACT_INDEFINITE,
  /* A number of rows is negative, or there are too many; a number is NaN or infinite (a bound may be infinite);
   * a coefficient of friction, bound, element of R or diagonal element of A is negative. lambda is 0. */
  ACHD_CONTACT_BAD_INPUT,
  /* The limit of iterations was reached: lambda is in K, and report.residual tells how good it is. */
  ACHD_CONTACT_STOPPED
} achd_contact_status;

typedef struct achd_contact_problem {
  int contacts, limits, boxes; /* rows = 3 contacts + limits + boxes */
  const achd_real *A;          /* A[rows * rows], symmetric, positive semidefinite */
  const achd_real *b;          /* b[rows] */
  const achd_real *gap;        /* gap[rows]; NULL: 0 */
  const achd_real *mu;         /* mu[contacts], coefficients of friction, 0 or more */
  const achd_real *bound;      /* bound[boxes], 0 or more; may be infinite */
  const achd_real *R;          /* R[rows], 0 or more; NULL: rigid */
} achd_contact_problem;

typedef struct achd_contact_report {
  /* By how much w would have to change, in proportion to what is added up to it, that lambda were the
   * solution: the largest one of all contacts and rows. */
  achd_real residual;
  int iterations; /* of Newton's method: factorisations of the active set */
  int path;       /* further ones of the interior point method; 0: it was not needed */
} achd_contact_report;

/* Solves the problem for lambda[rows] and returns how that went.
 *
 * lambda, input and output: 0 is a cold start; the impulses of the last step are a warm start,
 * which is faster and has the same solution. Any numbers will do.
 *
 * most_iterations: largest number of factorisations; 0: 200, more than any problem has been seen to take.
 * work: ACHD_CONTACT_WORK(rows) numbers. The function always returns, with every number of lambda finite and
 * lambda in K up to four rounding errors. It neither recurses nor allocates; its stack holds three
 * bytes for each of ACHD_CONTACT_ROWS rows, and some hundred bytes more. */
achd_contact_status achd_contact_solve(const achd_contact_problem *problem, achd_real lambda[],
                                       int most_iterations, achd_real work[],
                                       achd_contact_report *report);

typedef struct achd_contact_certificate {
  /* The largest of the three below. Infinite: the numbers are no problem's or no answer. */
  achd_real residual;
  /* How far lambda is outside K, w outside the dual cone (of rows at a bound: of the wrong sign), and
   * lambda . w, each relative to the terms that are added up: |lambda|, |b + gap| and |A_jk lambda_k|, and
   * both multiplied. w below a rounding error of the largest |b + gap| / sqrt(A_jj), in units of the row, counts
   * as that. */
  achd_real cone, dual, complementarity;
  int row; /* the first row of the contact, or the row, that has the largest one; -1: none */
} achd_contact_certificate;

/* Returns whether lambda[rows] solves the problem: a certificate for the answer of achd_contact_solve, or of
 * anyone. It shares no code with the solver, and does not believe it. The conditions above are sufficient, as
 * the problem is convex; that A is semidefinite is not examined. True where the residual is at most
 * ACHD_CONTACT_RESIDUAL. R is raised as said above. */
bool achd_contact_check(const achd_contact_problem *problem, const achd_real lambda[],
                        achd_contact_certificate *certificate);

#ifdef __cplusplus
}
#endif

#endif
