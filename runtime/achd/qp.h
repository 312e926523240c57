/* SPDX-License-Identifier: MIT */
/* qp.h: what motors and contacts can do at best: a strictly convex quadratic program with two-sided
 * rows in levels of priority, solved exactly.
 *
 *   minimise  1/2 x^T H x + g^T x   subject to   lo_j <= a_j x <= hi_j   for every row j
 *
 * Rows of level 0 are never given up. Where the rows contradict each other, those of level 1 come as
 * near as they can to their bounds, then those of level 2 without loss to level 1, and so on:
 *   level k:  minimise  sum over its rows of 1/2 weight_j v_j^2,
 *   v_j = a_j x - hi_j above hi_j, a_j x - lo_j below lo_j, 0 between the two,
 * subject to level 0 and to what the levels before k have reached. The objective above comes last. So
 * there is one solution x, and it is the same whether or not the rows contradict each other.
 *
 * Of a robot (function qp of a generated header; docs/layouts.md, "Optimal torques"): x are the torques of
 * the motors and the shares of contact forces that these do not determine [N m, N]; level 0 are the
 * motors' limits, level 1 the cones of the contacts, and so on to the rows of tasks; the objective is
 * the deviation from the free motion (Gauss) and of the contact forces from the wanted ones.
 *
 * A row counts once, whether it has one bound or two; lo_j = hi_j makes it an equality.
 *
 * Method: the dual active set method on orthogonal factors, from the last active set: rows that are
 * violated enter one by one, and rows whose multiplier would change its sign leave. Every step
 * raises the dual objective, so that no set occurs twice (Goldfarb, Idnani, A numerically stable dual
 * method for solving strictly convex quadratic programs, Mathematical Programming 27, 1983). Of rows
 * that contradict each other, the level concerned is relaxed by an augmented Lagrangian, whose
 * multipliers grow by the least violation from pass to pass (Chiche, Gilbert, How the augmented
 * Lagrangian algorithm can deal with an infeasible convex quadratic optimization problem, Journal of
 * Convex Analysis 23, 2016). What it has reached, and the rows that kept it from more, are equalities
 * for all later levels, which move x along the directions that these leave. Iterative refinement ends
 * the computation. */
#ifndef ACHD_QP_H
#define ACHD_QP_H

#include <achd/real.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
  ACHD_QP_UNKNOWNS = 96, /* at most */
  ACHD_QP_ROWS = 192,    /* at most, equalities among them */
  ACHD_QP_LEVELS = 7     /* the last level; the first is 0 */
};

/* Size of the working memory of achd_qp, for so many unknowns and rows. */
#define ACHD_QP_WORK(unknowns, rows)                                                               \
  (2 * ((unknowns) + (rows)) * ((unknowns) + (rows)) + 2 * (unknowns) * (unknowns) +               \
   24 * ((unknowns) + (rows)))

/* Size of the multipliers for levels 0 .. levels and so many rows. */
#define ACHD_QP_DUAL(levels, rows) (((levels) + 1) * (rows))

/* A bound of this magnitude or more means no bound, as an infinite one does. Generated functions
 * use it in place of infinity. */
#define ACHD_QP_UNBOUNDED_DOUBLE 1e300
#define ACHD_QP_UNBOUNDED_FLOAT 1e38
#define ACHD_QP_UNBOUNDED                                                                          \
  ((achd_real)(sizeof(achd_real) == sizeof(float) ? ACHD_QP_UNBOUNDED_FLOAT                        \
                                                  : ACHD_QP_UNBOUNDED_DOUBLE))

typedef enum achd_qp_status {
  /* Every row is within its bounds, and the objective is least, both up to ACHD_QP_RESIDUAL, relative to
   * the terms that are added up (achd_qp_check): a row is outside by at most 1e-9 (float 1e-3) of the
   * larger of its bounds and of |a_j| |x|, lengths by the diagonal of H, however close the bounds are. */
  ACHD_QP_SOLVED,
  /* Some row of level 1 or more is not within its bounds, because levels before it and its own do
   * not allow it. x is the one solution described above; the report names level and row. */
  ACHD_QP_YIELDED,
  /* The rows of level 0 contradict each other: the report names one that cannot be met. x is within
   * none of the others' guarantees: do not command it. */
  ACHD_QP_INFEASIBLE,
  /* Not even level 0 was solved within the limit of steps, or the residual, of the objective or of a level that yields, is above
   * ACHD_QP_RESIDUAL, and a second attempt from no active rows did not mend it: do not command the
   * result. In floats this happens to some solvable problems: 1 of 3 10^4 random ones, and 1 in 2000
   * where levels yield at the tips of cones (docs/runtime.md). */
  ACHD_QP_NOT_SOLVED,
  /* H is not positive definite, up to rounding; x is 0. */
  ACHD_QP_NOT_CONVEX,
  /* A number of unknowns, rows or levels that is negative or too large; lo > hi, lo = inf or
   * hi = -inf; a level that is none; a weight that is not positive; a NaN; or an infinite element of
   * H, g or A. x is 0, if the number of unknowns is one. */
  ACHD_QP_BAD_INPUT,
  /* Of achd_qp: the limit of steps was reached. x is within the rows of level 0; levels from report.level on were given
   * up, the ones before it have what they can reach, of which the last may be short by what more passes would bring.
   * No multipliers prove it. Where report.level is 1, cones of contacts have not been seen either: better repeat the
   * last cycle's torques. The next cycle goes on from `side`.
   * Of achd_qp_friction: the limit of solves was reached. x obeys the law of friction and all that
   * SOLVED or YIELDED promise but one thing: another way of sticking and slipping may be better. */
  ACHD_QP_STOPPED
} achd_qp_status;

typedef struct achd_qp_problem {
  int unknowns, rows;
  int levels;               /* the last level that rows have; 0: no row may yield */
  const achd_real *H;       /* H[unknowns (unknowns + 1) / 2], lower triangle by rows */
  const achd_real *g;       /* g[unknowns] */
  const achd_real *A;       /* A[rows * unknowns], by rows: a_j from A[j * unknowns] on */
  const achd_real *lo, *hi; /* lo[rows], hi[rows]: bounds of a_j x; may be infinite */
  const achd_real *level;   /* level[rows]: 0, 1 .. levels; NULL: all 0 */
  const achd_real *weight;  /* weight[rows] > 0, within a level; NULL: all 1 */
} achd_qp_problem;

typedef struct achd_qp_report {
  /* The largest violation of the conditions under achd_qp_check: where a level yields, what that
   * function says, of all levels; else that of the objective. */
  achd_real residual;
  int steps; /* rows that entered or left the active set, in all levels */
  int level; /* the first level whose rows yield (INFEASIBLE: 0), or, STOPPED, that was given up; -1: none */
  int row;    /* the first row of that level that is not within its bounds; -1: none */
  int solves; /* problems that were solved: 1, of achd_qp_friction one or more */
} achd_qp_report;

/* Largest report.residual of a solved problem, and of one that achd_qp_check accepts: 1e-9, float
 * 1e-3. */
#define ACHD_QP_RESIDUAL ((achd_real)(sizeof(achd_real) == sizeof(float) ? 1e-3 : 1e-9))

/* Solves the problem for x[unknowns] and returns how that went.
 *
 * dual[ACHD_QP_DUAL(levels, rows)], output: the multipliers that prove it, see achd_qp_check: first
 * those of the objective by row, then those of level 1, and so on; of level k itself weight_j v_j.
 *
 * side[rows], input and output: which rows are at their bounds: -1 at lo, 1 at hi, 0 none, and -2 or 2 beyond them,
 * as their level yields. All 0 is a cold start; the result of a similar problem, such as that of the last cycle, is a
 * warm start, which is faster, most of all where levels yield, and has the same solution.
 *
 * most_steps: largest number of steps and of rows with which factors are made anew, each of which takes about as long;
 * then the answer is STOPPED, after level 0, if that is not solved by then, with at most twice the rows and unknowns more.
 * 0: 40 for each row and unknown, which is never reached in practice. work: ACHD_QP_WORK(unknowns, rows) numbers. The function always returns, with every x
 * finite. It neither recurses nor allocates; its stack holds a few bytes for each of ACHD_QP_ROWS
 * rows, and some hundred bytes more, with those of achd_qp_check where a level yields (6 KB). */
achd_qp_status achd_qp(const achd_qp_problem *problem, achd_real x[], achd_real dual[],
                       signed char side[], int most_steps, achd_real work[],
                       achd_qp_report *report);

/* Dry friction of joints that may stick (function qp of a header with `friction`). Joint k has the rows
 * 4k .. 4k + 3 of the problem, all of level 0, about its torque w = tau + f, of motor and friction, and
 * its slip a, the acceleration less the one at which it sticks; both are affine functions of x:
 *   4k      the torque's bounds, w within -E - r_k and E + r_k, E the motor's limit, 0: no motor
 *   4k + 1  a - s_k <= 0      4k + 2  a + s_k >= 0      s_k an unknown whose cost is r_k s_k
 *   4k + 3  a, without bounds
 * Coulomb's law says |f| <= r_k, f = -r_k where a > 0, f = r_k where a < 0. Some tau obeys it where
 *   (w <= E - r_k or a <= 0)   and   (w >= r_k - E or a >= 0). */
typedef struct achd_qp_rubbing {
  achd_qp_problem problem;
  int joints;
  const achd_real
      *stiction;   /* stiction[joints]: r_k; 0: the joint moves, and its friction is known */
  int most_solves; /* largest number of problems solved; 0: 1000 */
} achd_qp_rubbing;

/* Size of the working memory of achd_qp_friction. */
#define ACHD_QP_FRICTION_WORK(unknowns, rows, levels)                                              \
  (ACHD_QP_WORK(unknowns, rows) + ACHD_QP_DUAL(levels, rows) + (unknowns) + 5 * (rows) +           \
   4 * (levels) + 4)

/* As achd_qp, and of all x that obey the law of friction the best one: whatever sticks and slips,
 * motors and friction together reach no level better, the first ones first, and then the objective.
 *
 * Method: branch and bound. The problem without the two conditions above is solved; where its answer
 * breaks one, the answers that keep its first half and those that keep its second are searched one
 * after the other, with the best answer so far as a bound (Land, Doig, An automatic method of solving
 * discrete programming problems, Econometrica 28, 1960). Where no motor with friction at rest is near
 * its limit, one solve is enough. In theory solves double with every joint that is near its limit.
 * With a limit that is too small for the search the answer is the best one found, STOPPED, or none,
 * NOT_SOLVED.
 *
 * work: ACHD_QP_FRICTION_WORK(unknowns, rows, levels) numbers. The first `rows` of them, and the next
 * ones, are afterwards lo and hi of the problem that x solves, for achd_qp_check. Otherwise as achd_qp,
 * with its own limit of steps. */
achd_qp_status achd_qp_friction(const achd_qp_rubbing *rubs, achd_real x[], achd_real dual[],
                                signed char side[], achd_real work[], achd_qp_report *report);

typedef struct achd_qp_certificate {
  /* The largest of the three, each relative to the terms that it is a sum of:
   * a row of level 0 outside its bounds; the gradient of the objective or of a level that multipliers
   * do not balance; a multiplier of the wrong sign, or of a row that is not at its bound. Infinite:
   * the numbers are no problem's or no answer. */
  achd_real residual;
  int level; /* where the largest one is: 0 the objective and the rows of level 0, k: level k */
  int row;   /* the row concerned; -1: none, it is the balance of an unknown */
} achd_qp_certificate;

/* Returns whether x[unknowns] with dual[ACHD_QP_DUAL(levels, rows)] solves the problem: a
 * certificate for the answer of achd_qp, or of anyone. It shares no code with the solver.
 *
 * The conditions of Karush, Kuhn and Tucker, with y^0 = dual[0 ..], y^k = dual[k rows ..]:
 *   H x + g + sum_j y^0_j a_j = 0;
 *   sum over rows j of level k of weight_j v_j a_j + sum over rows i of levels < k of y^k_i a_i = 0;
 *   every row of level 0 is within its bounds;
 *   y^k_i is >= 0 where row i is at hi_i, <= 0 at lo_i, 0 between the two, and of any sign where row i
 *   is an equality or yields itself.
 * As the problem is convex, they are sufficient: no other x is better. H is not examined.
 * True where the residual is at most ACHD_QP_RESIDUAL. */
bool achd_qp_check(const achd_qp_problem *problem, const achd_real x[], const achd_real dual[],
                   achd_qp_certificate *certificate);

#ifdef __cplusplus
}
#endif

#endif
