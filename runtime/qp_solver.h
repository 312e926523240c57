/* SPDX-License-Identifier: MIT */
/* qp_solver.h: what the files of the solver of quadratic programs share (qp.c); inside the library. */
#ifndef ACHD_QP_SOLVER_H
#define ACHD_QP_SOLVER_H

#include <achd/qp.h>

#include "mathematics.h"

/* Relative to a row's terms, by how much it may be outside its bounds; and one that depends on the active rows or
 * nearly so, and one of a level that counts as reached. */
static const achd_real rounding = 256 * ACHD_EPSILON;
static const achd_real loose = ACHD_QP_RESIDUAL / 2;
enum { NO_SLACK = 255, OUTSIDE = 255, NO_LEVEL = 255 };

typedef enum achd_qp_outcome { MET, CONTRADICTION, TOO_LONG } achd_qp_outcome;

/* Memory of one call. Files may change what they find here: qp.c makes it, qp_factors.c the factors, qp_active.c moves x
 * and u, qp_levels.c the bounds, and what is relaxed. */
typedef struct achd_qp_solver {
  const achd_qp_problem *p;
  int n, m;   /* unknowns of the problem, rows */
  int size;   /* unknowns, those of relaxed rows among them */
  int active; /* rows in the active set */
  int up_to;  /* rows of later levels do not count */
  int steps, most_steps;
  int held;           /* rows that entered as they stand, which takes as long as a step */
  achd_real *x, *g;   /* by unknown, relaxed rows' behind */
  achd_real *u;       /* by position in the active set */
  achd_real *inverse; /* L^-1, and its transpose above the diagonal, by rows of n */
  achd_real *soft;    /* the same of relaxed rows: 1 / sqrt(stiff) */
  achd_real *Q, *R;   /* by columns of size numbers */
  achd_real *d, *w;   /* of the row that enters: Q^T n, and what is left of n */
  achd_real *z, *r;   /* and how x and u move; also memory of refine */
  achd_real *lo, *hi; /* bounds, of yielding rows as far as these yield */
  achd_real *bound;   /* the size of the problem's own bounds */
  achd_real *length;  /* sqrt((H^-1)_ii) */
  achd_real *reach;   /* sum |a_ji| length_i: the terms of L^-1 a_j; of rows that were projected */
  achd_real *square;  /* of the norm of a_j, in units of 1 / sqrt(H_ii) */
  achd_real *own;     /* H_ii */
  achd_real pull;     /* sum g_i^2 / H_ii */
  achd_real *stiff;   /* r of relaxed rows, by their unknown */
  achd_real *copy;    /* a memory of n */
  achd_real *reached; /* x, where the last level yielded */
  unsigned char first[ACHD_QP_UNKNOWNS]; /* element of row i of H that is not 0 */
  unsigned char begin[ACHD_QP_UNKNOWNS]; /* of row i of L^-1: elements before are 0 */
  unsigned char end[ACHD_QP_UNKNOWNS];   /* of row i of L^-T: elements from there on are 0 */
  unsigned short tail[ACHD_QP_ROWS];     /* of column c of Q: elements from there on are 0 */
  unsigned char from[ACHD_QP_ROWS];      /* elements of a_j before are 0 */
  unsigned char to[ACHD_QP_ROWS];        /* and from there on */
  unsigned char level[ACHD_QP_ROWS];     /* NO_LEVEL: a row without bounds */
  unsigned char row[ACHD_QP_ROWS];       /* by position in the active set */
  unsigned char position[ACHD_QP_ROWS];  /* where it is there; OUTSIDE */
  unsigned char slack[ACHD_QP_ROWS];     /* its further unknown; NO_SLACK */
  signed char sign[ACHD_QP_ROWS];        /* 1: held at hi, -1: at lo */
  bool let[ACHD_QP_ROWS];                /* depends on active rows and is met but for rounding */
  bool spared[ACHD_QP_ROWS];             /* contradicts others by rounding alone */
  bool kept[ACHD_QP_ROWS];               /* an equality since some level yielded */
  int refused;                           /* the row that cannot be met */
  int conflict; /* the last level of the rows that contradicted one another, as far as that can be known */
  bool yields;   /* some level does */
  bool cut;      /* by the limit of steps, before its passes had converged */
  bool careful;  /* the second attempt: dependence is judged by all terms */
  bool feasible; /* rows that count are known not to contradict one another */
} achd_qp_solver;

/* ---- the problem, by row and unknown ---- */

static inline achd_real dot(int n, const achd_real *a, const achd_real *b) {
  achd_real s0 = 0, s1 = 0, s2 = 0, s3 = 0;
  int i = 0;
  for (; i + 3 < n; i += 4) {
    s0 += a[i] * b[i], s1 += a[i + 1] * b[i + 1];
    s2 += a[i + 2] * b[i + 2], s3 += a[i + 3] * b[i + 3];
  }
  for (; i < n; i++) s0 += a[i] * b[i];
  return (s0 + s1) + (s2 + s3);
}

/* y <- y + by a */
static inline void add_to(int n, achd_real by, const achd_real *restrict a, achd_real *restrict y) {
  int i = 0;
  for (; i + 3 < n; i += 4) {
    y[i] += by * a[i], y[i + 1] += by * a[i + 1];
    y[i + 2] += by * a[i + 2], y[i + 3] += by * a[i + 3];
  }
  for (; i < n; i++) y[i] += by * a[i];
}

static inline int level_of(const achd_qp_solver *s, int j) {
  return s->level[j];
}

static inline achd_real weight_of(const achd_qp_solver *s, int j) {
  return s->p->weight ? s->p->weight[j] : 1;
}

static inline const achd_real *normal(const achd_qp_solver *s, int j) {
  return s->p->A + (size_t)(j * s->n);
}

/* a_j y */
static inline achd_real times_row(const achd_qp_solver *s, int j, const achd_real y[]) {
  const int from = s->from[j];
  return dot(s->to[j] - from, normal(s, j) + from, y + from);
}

static inline achd_real *column_of_Q(const achd_qp_solver *s, int c) {
  return s->Q + (size_t)(c * s->size);
}

static inline achd_real *column_of_R(const achd_qp_solver *s, int c) {
  return s->R + (size_t)(c * s->size);
}

static inline bool counts(const achd_qp_solver *s, int j) {
  return level_of(s, j) <= s->up_to;
}

static inline bool equality(const achd_qp_solver *s, int j) {
  return s->lo[j] == s->hi[j];
}

/* row j of A times x, and less its own violation */
static inline achd_real evaluate(const achd_qp_solver *s, int j) {
  const achd_real ax = times_row(s, j, s->x);
  return s->slack[j] == NO_SLACK ? ax : ax - s->x[s->n + s->slack[j]];
}

/* sqrt(sum H_ii x_i^2 + g_i^2 / H_ii): with norm_j an upper bound of what a_j x is a sum of, at x or
 * where the objective alone would lead */
static inline achd_real length_of_x(const achd_qp_solver *s) {
  achd_real sum = s->pull;
  for (int i = 0; i < s->n; i++) sum += s->own[i] * s->x[i] * s->x[i];
  return achd_sqrt(sum);
}

static inline achd_real norm_of(const achd_qp_solver *s, int j) {
  return achd_sqrt(s->square[j]);
}

/* What the rounding of row j is relative to. */
static inline achd_real terms(const achd_qp_solver *s, int j, achd_real length) {
  achd_real sum = norm_of(s, j) * length;
  if (s->slack[j] != NO_SLACK) sum += achd_magnitude(s->x[s->n + s->slack[j]]);
  return sum + s->bound[j];
}

static inline bool achd_qp_too_long(const achd_qp_solver *s) {
  return s->steps + s->held >= s->most_steps;
}

/* ---- qp.c ---- */

/* Whether the problem has sizes that the solver knows. */
bool achd_qp_good_size(const achd_qp_problem *p);

/* The next numbers of the caller's memory. */
static inline achd_real *take(achd_real **work, int count) {
  achd_real *part = *work;
  *work += count;
  return part;
}

/* ---- qp_factors.c ---- */

/* inverse <- L^-1 of H = L L^T; false: a pivot is no more than rounding of its diagonal. */
bool achd_qp_factor(achd_qp_solver *s);

/* sum <- g + H x, of the problem's own unknowns. */
void achd_qp_slope(const achd_qp_solver *s, achd_real sum[]);

/* No row is active. */
void achd_qp_clear(achd_qp_solver *s);

/* d <- Q^T L^-1 n of row j at its bound `sign`, w <- what Q leaves of L^-1 n; *left <- |w|^2 where it is more than
 * rounding, else 0, and where levels have yielded also 0 for what nearly depends on the active rows. */
void achd_qp_project(achd_qp_solver *s, int j, int sign, achd_real *left);

/* Row j enters at its bound `sign`, with d and w of achd_qp_project, left = |w|^2 > 0, and that multiplier. */
void achd_qp_enter(achd_qp_solver *s, int j, int sign, achd_real left, achd_real multiplier);

/* The row at this position of the active set leaves it. */
void achd_qp_leave(achd_qp_solver *s, int position);

/* y <- R^-1 y; y <- R^-T y */
void achd_qp_solve_r(const achd_qp_solver *s, achd_real y[]);
void achd_qp_solve_r_transposed(const achd_qp_solver *s, achd_real y[]);

/* to <- L^-1 of */
void achd_qp_solve_l(const achd_qp_solver *s, const achd_real of[], achd_real to[]);

/* to <- L^-T of; they may be the same */
void achd_qp_solve_l_transposed(const achd_qp_solver *s, const achd_real of[], achd_real to[]);

/* to <- Q^T of; y <- y + Q by */
void achd_qp_times_q_transposed(const achd_qp_solver *s, const achd_real of[], achd_real to[]);
void achd_qp_add_q(const achd_qp_solver *s, const achd_real by[], achd_real y[]);

/* ---- qp_active.c ---- */

/* Enters row j as it stands, without a step; not where it depends on the active ones. */
void achd_qp_hold(achd_qp_solver *s, int j, int sign);

/* x and u with all rows that count within their bounds, from the active rows of `side` on. */
achd_qp_outcome achd_qp_run(achd_qp_solver *s, const signed char side[], achd_real *residual);

/* As achd_qp_run, with the factors of the last run, whose active rows stay; those of `side` come in addition. Since that run
 * nothing but g has changed, or the levels that count. */
achd_qp_outcome achd_qp_go_on(achd_qp_solver *s, const signed char side[], achd_real *residual);

/* By row, what the last run has found: the bound at which it is held, if it counts, and its multiplier. */
void achd_qp_name_sides(const achd_qp_solver *s, signed char side[]);
void achd_qp_name_multipliers(const achd_qp_solver *s, achd_real y[]);

/* ---- qp_levels.c ---- */

/* Level by level: what cannot be met comes as near as levels before it allow. dual: the multipliers
 * that prove it, by level; last: memory by row. */
achd_qp_status achd_qp_solve_levels(achd_qp_solver *s, achd_real dual[], signed char side[],
                                    achd_real last[], achd_qp_report *report);

/* What is left when the limit of steps is reached: levels up to `done`, or level 0. */
achd_qp_status achd_qp_fall_back(achd_qp_solver *s, int done, const signed char side[],
                                 achd_qp_report *report);

/* Makes the signs of multipliers right in the rows that are held because an earlier level yields. */
void achd_qp_turn_signs(const achd_qp_solver *s, achd_real dual[]);

/* Multipliers that meet the balances of all levels again, and have the right signs; of the factors, nothing is left. */
void achd_qp_rebalance(achd_qp_solver *s, achd_real dual[]);

#endif
