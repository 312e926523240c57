/* SPDX-License-Identifier: MIT */
/* qp.c: see achd/qp.h. Input that means something, the caller's memory, and the steps of the whole: all levels at once
 * by the active set (qp_active.c), and where they contradict one another, level by level (qp_levels.c). */
#include "dispatch.h"
#include "qp_solver.h"

bool achd_qp_good_size(const achd_qp_problem *p) {
  return p->unknowns >= 1 && p->unknowns <= ACHD_QP_UNKNOWNS && p->rows >= 0 &&
         p->rows <= ACHD_QP_ROWS && p->levels >= 0 && p->levels <= ACHD_QP_LEVELS;
}

#include "vector.h"

static bool good_row(const achd_qp_problem *p, int j) {
  if (!(p->lo[j] <= p->hi[j])) return false;
  if (p->lo[j] >= ACHD_QP_UNBOUNDED || p->hi[j] <= -ACHD_QP_UNBOUNDED) return false;
  if (p->weight && !(p->weight[j] > 0 && achd_finite(p->weight[j]))) return false;
  if (!p->level) return true;
  for (int k = 0; k <= p->levels; k++) {
    if (p->level[j] == (achd_real)k) return true;
  }
  return false;
}

static bool good_input(const achd_qp_problem *p) {
  const int n = p->unknowns;
  for (int j = 0; j < p->rows; j++) {
    if (!good_row(p, j)) return false;
  }
  return achd_all_finite(p->H, n * (n + 1) / 2) && achd_all_finite(p->g, n);
}

static achd_qp_status refuse(achd_qp_status status, const achd_qp_problem *p, achd_real x[],
                             achd_real dual[], signed char side[], achd_qp_report *report) {
  volatile signed char *written = side;
  achd_zero(x, p->unknowns);
  achd_zero(dual, ACHD_QP_DUAL(p->levels, p->rows));
  for (int j = 0; j < p->rows; j++) written[j] = 0;
  report->residual = ACHD_INFINITY;
  return status;
}

/* sum a_i^2 unit_i */
static achd_real sum_of_squares(int n, const achd_real *a, const achd_real *unit) {
  achd_real s0 = 0, s1 = 0, s2 = 0, s3 = 0;
  int i = 0;
  for (; i + 3 < n; i += 4) {
    s0 += a[i] * a[i] * unit[i], s1 += a[i + 1] * a[i + 1] * unit[i + 1];
    s2 += a[i + 2] * a[i + 2] * unit[i + 2], s3 += a[i + 3] * a[i + 3] * unit[i + 3];
  }
  for (; i < n; i++) s0 += a[i] * a[i] * unit[i];
  return (s0 + s1) + (s2 + s3);
}

/* Of row j: its bounds, those that are none become infinite; where it is 0; its norm and level. False: an element of it is
 * not finite. */
static bool prepare_row(achd_qp_solver *s, const achd_real unit[], int j) {
  const achd_qp_problem *p = s->p;
  const achd_real *a = normal(s, j);
  s->lo[j] = p->lo[j] > -ACHD_QP_UNBOUNDED ? p->lo[j] : -ACHD_INFINITY;
  s->hi[j] = p->hi[j] < ACHD_QP_UNBOUNDED ? p->hi[j] : ACHD_INFINITY;
  const bool low = achd_finite(s->lo[j]), high = achd_finite(s->hi[j]);
  const achd_real below = low ? achd_magnitude(s->lo[j]) : 0;
  const achd_real above = high ? achd_magnitude(s->hi[j]) : 0;
  int from = 0, to = s->n;
  while (from < to && a[from] == 0) from++;
  while (from < to && a[to - 1] == 0) to--;
  s->bound[j] = below < above ? above : below;
  s->level[j] = (unsigned char)(low || high ? (p->level ? (int)p->level[j] : 0) : NO_LEVEL);
  s->from[j] = (unsigned char)from, s->to[j] = (unsigned char)to;
  s->square[j] = sum_of_squares(to - from, a + from, unit + from);
  s->slack[j] = NO_SLACK;
  s->position[j] = OUTSIDE;
  s->kept[j] = false;
  return achd_finite(s->square[j]) || achd_all_finite(a, s->n);
}

/* Numbers of the caller's memory, for a problem of this size. Returns what is left of it. */
static achd_real *divide(achd_qp_solver *s, const achd_qp_problem *p, achd_real *work) {
  const int n = p->unknowns, m = p->rows, most = n + m;
  s->p = p, s->n = n, s->m = m;
  s->Q = take(&work, most * most), s->R = take(&work, most * most);
  s->inverse = take(&work, n * n);
  s->x = take(&work, most), s->g = take(&work, most), s->u = take(&work, most);
  s->d = take(&work, most), s->w = take(&work, most);
  s->z = take(&work, most), s->r = take(&work, most);
  s->lo = take(&work, m), s->hi = take(&work, m), s->square = take(&work, m);
  s->bound = take(&work, m), s->reach = take(&work, m);
  s->stiff = take(&work, m), s->soft = take(&work, m);
  s->copy = take(&work, n), s->reached = take(&work, n);
  s->own = take(&work, n), s->length = take(&work, n);
  return work;
}

/* What does not depend on active rows. False: an element of A is not finite. */
static bool prepare(achd_qp_solver *s) {
  const achd_qp_problem *p = s->p;
  achd_real *unit = s->copy;
  s->size = s->n, s->active = 0, s->refused = s->conflict = -1,
  s->yields = s->cut = s->feasible = false;
  achd_copy(s->g, p->g, s->n);
  s->pull = 0;
  for (int i = 0; i < s->n; i++) {
    s->own[i] = p->H[i * (i + 3) / 2];
    unit[i] = 1 / s->own[i];
    s->pull += s->g[i] * s->g[i] * unit[i];
  }
  bool good = true;
  for (int j = 0; j < s->m; j++) good = prepare_row(s, unit, j) && good;
  return good;
}

/* What refinement leaves of an unknown that is 0: the objective alone would lead to x_i of the size length_i sqrt(pull), of
 * which this is far less than rounding. Who asks for the sign of x, as the law of friction does, gets 0. */
static void clear_rounding(achd_qp_solver *s) {
  const achd_real least = ACHD_EPSILON * achd_sqrt(ACHD_EPSILON * s->pull);
  for (int i = 0; i < s->n; i++) {
    if (achd_magnitude(s->x[i]) <= least * s->length[i]) s->x[i] = 0;
  }
}

/* All levels at once from the active rows of `side` on, and level by level where they contradict each other. */
static achd_qp_status solve(achd_qp_solver *s, achd_real x[], achd_real dual[], signed char side[],
                            achd_real last[], achd_qp_report *report) {
  const achd_qp_problem *p = s->p;
  report->residual = 0;
  report->level = report->row = -1;
  achd_zero(dual, ACHD_QP_DUAL(p->levels, p->rows));
  s->up_to = p->levels;
  const achd_qp_outcome o = achd_qp_run(s, side, &report->residual);
  achd_qp_status status = o == MET ? ACHD_QP_SOLVED : ACHD_QP_NOT_SOLVED;
  if (o == TOO_LONG) achd_qp_name_sides(s, side), status = achd_qp_fall_back(s, -1, side, report);
  if (o == CONTRADICTION) status = achd_qp_solve_levels(s, dual, side, last, report);
  report->steps = s->steps;
  if (!achd_all_finite(s->x, s->n)) return refuse(ACHD_QP_NOT_SOLVED, p, x, dual, side, report);
  clear_rounding(s);
  achd_copy(x, s->x, s->n);
  if (status == ACHD_QP_STOPPED) { /* side is how far it has come */
    achd_zero(dual, ACHD_QP_DUAL(p->levels, p->rows));
    report->residual = ACHD_INFINITY;
    return status;
  }
  achd_qp_name_sides(s, side);
  achd_qp_name_multipliers(s, dual);
  if (s->yields) {
    achd_qp_certificate c;
    achd_qp_turn_signs(s, dual);
    if (!achd_qp_check(p, x, dual, &c)) {
      achd_qp_rebalance(s, dual);
      (void)achd_qp_check(p, x, dual, &c);
    }
    if (!(c.residual <= report->residual)) report->residual = c.residual;
  }
  const bool found = status == ACHD_QP_SOLVED || status == ACHD_QP_YIELDED;
  return found && !(report->residual <= ACHD_QP_RESIDUAL) ? ACHD_QP_NOT_SOLVED : status;
}

achd_qp_status achd_qp(const achd_qp_problem *problem, achd_real x[], achd_real dual[],
                       signed char side[], int most_steps, achd_real work[],
                       achd_qp_report *report) {
#ifdef ACHD_HAS_AVX2
  if (ACHD_HAS_AVX2) return achd_qp_avx2(problem, x, dual, side, most_steps, work, report);
#endif
  report->residual = 0;
  report->steps = 0;
  report->solves = 1;
  report->level = report->row = -1;
  if (!achd_qp_good_size(problem)) {
    const bool known = problem->unknowns > 0 && problem->unknowns <= ACHD_QP_UNKNOWNS;
    achd_zero(x, known ? problem->unknowns : 0);
    report->residual = ACHD_INFINITY;
    return ACHD_QP_BAD_INPUT;
  }
  if (!good_input(problem)) return refuse(ACHD_QP_BAD_INPUT, problem, x, dual, side, report);
  achd_qp_solver s;
  achd_qp_status status = ACHD_QP_NOT_SOLVED;
  s.steps = s.held = 0;
  achd_real *last = divide(&s, problem, work);
  s.most_steps = most_steps > 0 ? most_steps : 40 * (problem->unknowns + problem->rows);
  for (int attempt = 0; attempt < 2 && status == ACHD_QP_NOT_SOLVED; attempt++) {
    if (attempt > 0 && achd_qp_too_long(&s)) break;
    if (!prepare(&s)) return refuse(ACHD_QP_BAD_INPUT, problem, x, dual, side, report);
    s.careful = attempt > 0;
    if (!achd_qp_factor(&s)) return refuse(ACHD_QP_NOT_CONVEX, problem, x, dual, side, report);
    volatile signed char *from = side;
    for (int j = 0; s.careful && j < problem->rows; j++) from[j] = 0;
    status = solve(&s, x, dual, side, last, report);
  }
  return status;
}
