/* SPDX-License-Identifier: MIT */
/* qp_active.c: all rows of the levels so far within their bounds, by the dual active set method (Goldfarb and Idnani,
 * A numerically stable dual method for solving strictly convex quadratic programs, 1983), on the factors of
 * qp_factors.c, H = L L^T and L^-1 N = Q R. With multipliers u of the rows in the active set
 *   H x + g + N u = 0,   N^T x = b:   x = L^-T (Q y - L^-1 g),   u = -R^-1 y,   y = Q^T L^-1 g + R^-T b
 * A row that enters with normal n and multiplier t moves x by -t z, u by -t r:
 *   d = Q^T L^-1 n,   w = L^-1 n - Q d,   z = L^-T w,   r = R^-1 d,   its violation shrinks by t |w|^2. */
#include "qp_solver.h"

/* For a step of the size of rounding along what is left of a normal not to move x by more: of what must be left, relative. */
static const achd_real nearly = (achd_real)(sizeof(achd_real) == sizeof(float) ? 1e-4 : 1e-8);
/* Relative: what refinement leaves alone. */
static const achd_real exact = 2 * ACHD_EPSILON;
enum { ROUNDS = 8 };

/* r <- R^-1 d, by what the active rows make up the row that enters. In the second attempt, *left <- 0 where what is left
 * of the row is no more than the rounding of that sum: behind two rows that differ by 1e-10, another one that
 * follows from them seems to leave 1e-6, and a step along that is of any size. */
static void find_share(achd_qp_solver *s, achd_real *left) {
  achd_copy(s->r, s->d, s->active);
  achd_qp_solve_r(s, s->r);
  achd_real sum = 0;
  for (int c = 0; s->careful && c < s->active; c++)
    sum += achd_magnitude(s->r[c]) * s->reach[s->row[c]];
  const achd_real least = ACHD_EPSILON * sum;
  if (!(*left > least * least)) *left = 0;
}

static achd_real bound_of(const achd_qp_solver *s, int j) {
  return s->sign[j] > 0 ? s->hi[j] : s->lo[j];
}

/* miss <- -(H x + g + N u), of the problem's and of relaxed rows' unknowns. */
static void find_miss(const achd_qp_solver *s, achd_real miss[]) {
  const int n = s->n;
  achd_qp_slope(s, miss);
  for (int i = n; i < s->size; i++) miss[i] = s->g[i] + s->stiff[i - n] * s->x[i];
  for (int c = 0; c < s->active; c++) {
    const int j = s->row[c], from = s->from[j];
    const achd_real by = (achd_real)s->sign[j] * s->u[c];
    add_to(s->to[j] - from, by, normal(s, j) + from, miss + from);
    if (s->slack[j] != NO_SLACK) miss[n + s->slack[j]] -= by;
  }
  for (int i = 0; i < s->size; i++) miss[i] = -miss[i];
}

/* How large that is, relative to its terms; terms_of: memory of so many. */
static achd_real relative(const achd_qp_solver *s, const achd_real miss[], achd_real terms_of[]) {
  const int n = s->n;
  achd_real largest = 0, most = 0;
  for (int i = 0; i < s->size; i++)
    terms_of[i] =
        achd_magnitude(s->g[i]) + achd_magnitude(s->x[i]) * (i < n ? s->own[i] : s->stiff[i - n]);
  for (int i = 0; i < n; i++) {
    const achd_real *H = s->p->H + (size_t)(i * (i + 1) / 2), x = achd_magnitude(s->x[i]);
    achd_real sum = 0;
    for (int k = s->first[i]; k < i; k++) {
      const achd_real here = achd_magnitude(H[k]);
      sum += here * achd_magnitude(s->x[k]);
      terms_of[k] += here * x;
    }
    terms_of[i] += sum;
  }
  for (int c = 0; c < s->active; c++) {
    const int j = s->row[c];
    const achd_real *a = normal(s, j), by = achd_magnitude(s->u[c]);
    for (int i = s->from[j]; i < s->to[j]; i++) terms_of[i] += by * achd_magnitude(a[i]);
    if (s->slack[j] != NO_SLACK) terms_of[n + s->slack[j]] += by;
  }
  for (int i = 0; i < s->size; i++) {
    const achd_real unit = achd_sqrt(i < n ? s->own[i] : s->stiff[i - n]);
    if (achd_magnitude(miss[i]) > largest * unit) largest = achd_magnitude(miss[i]) / unit;
    if (terms_of[i] > most * unit) most = terms_of[i] / unit;
  }
  return most > 0 ? largest / most : 0;
}

/* r <- by what active rows miss their bounds. Kept rows are brought back to where they are at what levels have reached:
 * that place exists, while their bounds, each rounded for itself, need not meet in a point. */
static void find_gaps(const achd_qp_solver *s, achd_real r[]) {
  achd_real *back = s->copy;
  for (int i = 0; s->yields && i < s->n; i++) back[i] = s->reached[i] - s->x[i];
  for (int c = 0; c < s->active; c++) {
    const int j = s->row[c];
    const achd_real gap = s->kept[j] ? times_row(s, j, back) : bound_of(s, j) - evaluate(s, j);
    r[c] = (achd_real)s->sign[j] * gap;
  }
}

/* Whether these are rounding. */
static bool close(const achd_qp_solver *s, const achd_real gap[]) {
  const achd_real length = length_of_x(s);
  for (int c = 0; c < s->active; c++) {
    if (!(achd_magnitude(gap[c]) <= exact * terms(s, s->row[c], length))) return false;
  }
  return true;
}

/* One step of refinement of x and u on the active set; unless NULL, *residual: how far H x + g + N u was from 0, relative
 * to its terms, and no step where this and the gaps are rounding. */
static void refine(achd_qp_solver *s, achd_real *residual) {
  achd_real *miss = s->d, *w = s->w, *r = s->r, *along = s->z;
  find_miss(s, miss);
  find_gaps(s, r);
  if (residual) {
    *residual = relative(s, miss, w);
    if (*residual <= exact && close(s, r)) return;
  }
  achd_qp_solve_l(s, miss, w);
  achd_qp_times_q_transposed(s, w, along);
  achd_qp_solve_r_transposed(s, r);
  for (int c = 0; c < s->active; c++) r[c] -= along[c];
  achd_qp_add_q(s, r, w);
  achd_qp_solve_l_transposed(s, w, w);
  achd_qp_solve_r(s, r);
  for (int i = 0; i < s->size; i++) s->x[i] += w[i];
  for (int c = 0; c < s->active; c++) s->u[c] -= r[c];
}

/* x and u of the active set as it is, by the formulas above; where levels have yielded, from what these
 * have reached on, so that kept rows are as exact as the directions along which x moves. */
static void solve_active(achd_qp_solver *s) {
  if (s->yields) {
    achd_copy(s->x, s->reached, s->n);
    achd_zero(s->x + s->n, s->size - s->n);
    achd_zero(s->u, s->active);
    refine(s, NULL);
    return;
  }
  achd_real *w = s->w, *y = s->d, *u = s->u;
  for (int c = 0; c < s->active; c++) {
    const int j = s->row[c];
    u[c] = (achd_real)s->sign[j] * bound_of(s, j);
  }
  achd_qp_solve_r_transposed(s, u);
  achd_qp_solve_l(s, s->g, w);
  achd_qp_times_q_transposed(s, w, y);
  for (int i = 0; i < s->size; i++) w[i] = -w[i];
  for (int c = 0; c < s->active; c++) y[c] += u[c], u[c] = -y[c];
  achd_qp_add_q(s, y, w);
  achd_qp_solve_l_transposed(s, w, s->x);
  achd_qp_solve_r(s, u);
}

/* ---- what x misses ---- */

/* By how much a value is above hi or below lo; *sign: which. */
static achd_real outside(const achd_qp_solver *s, int j, achd_real value, int *sign) {
  *sign = value > s->hi[j] ? 1 : -1;
  if (value > s->hi[j]) return value - s->hi[j];
  return value < s->lo[j] ? s->lo[j] - value : 0;
}

/* The row to enter: the one that is outside its bounds by most, per its norm; equalities are not
 * preferred. -1: none. */
static int most_violated(achd_qp_solver *s, int *sign, achd_real *by) {
  const achd_real length = length_of_x(s);
  achd_real most = 0;
  int found = -1;
  for (int j = 0; j < s->m; j++) {
    if (s->position[j] != OUTSIDE || !counts(s, j) || s->spared[j]) continue;
    int side;
    const achd_real here = outside(s, j, evaluate(s, j), &side);
    if (!(here > 0) || here <= (s->let[j] ? loose : rounding) * terms(s, j, length)) continue;
    const achd_real unit = norm_of(s, j) > 0 ? norm_of(s, j) : 1;
    if (found >= 0 && !(here > most * unit)) continue;
    most = here / unit;
    found = j, *sign = side, *by = here;
  }
  return found;
}

/* ---- the dual active set method ---- */

/* The active row whose multiplier is the first to be 0 as the entering row's grows, and when;
 * -1: none. Of several the one of least index. */
static int first_to_leave(const achd_qp_solver *s, achd_real *when) {
  int found = -1;
  *when = ACHD_INFINITY;
  for (int c = 0; c < s->active; c++) {
    const int j = s->row[c];
    if (equality(s, j) || !(s->r[c] > 0)) continue;
    const achd_real here = s->u[c] > 0 ? s->u[c] / s->r[c] : 0;
    if (here < *when || (here == *when && found >= 0 && j < s->row[found])) found = c, *when = here;
  }
  return found;
}

/* x and u of the active set, less the rows whose multiplier has the wrong sign. */
static void settle(achd_qp_solver *s) {
  for (;;) {
    solve_active(s);
    int worst = -1;
    for (int c = 0; c < s->active; c++) {
      if (equality(s, s->row[c]) || !(s->u[c] < 0)) continue;
      if (worst < 0 || s->u[c] * norm_of(s, s->row[c]) < s->u[worst] * norm_of(s, s->row[worst]))
        worst = c;
    }
    if (worst < 0) return;
    achd_qp_leave(s, worst);
    s->steps++;
  }
}

/* Row j cannot be met beside the active rows that make it up, r; the last level among them is named. */
static void name_conflict(achd_qp_solver *s, int j) {
  achd_real sum = 0;
  for (int c = 0; c < s->active; c++) sum += achd_magnitude(s->r[c]) * s->reach[s->row[c]];
  s->refused = j, s->conflict = level_of(s, j);
  for (int c = 0; c < s->active; c++) {
    const int level = level_of(s, s->row[c]);
    const bool part = achd_magnitude(s->r[c]) * s->reach[s->row[c]] > rounding * sum;
    if (part && level > s->conflict) s->conflict = level;
  }
}

/* Row j, outside its bound by so much, enters. */
static achd_qp_outcome take_in(achd_qp_solver *s, int j, int sign, achd_real violation) {
  achd_real multiplier = 0;
  while (!achd_qp_too_long(s)) {
    s->steps++;
    achd_real left;
    achd_qp_project(s, j, sign, &left);
    find_share(s, &left);
    if (left > 0) achd_qp_solve_l_transposed(s, s->w, s->z);
    achd_real when;
    const int leaving = first_to_leave(s, &when);
    const achd_real full = left > 0 ? violation / left : ACHD_INFINITY;
    const achd_real little = nearly * s->reach[j];
    const bool follows =
        left <= little * little && violation <= loose * terms(s, j, length_of_x(s));
    if (follows || (!achd_finite(full) && leaving < 0)) {
      if (!follows) {
        name_conflict(s, j);
        return CONTRADICTION;
      }
      s->let[j] = true; /* met, but for rounding */
      if (multiplier > 0) settle(s);
      return MET;
    }
    const achd_real step = full <= when ? full : when;
    if (left > 0) {
      for (int i = 0; i < s->size; i++) s->x[i] -= step * s->z[i];
    }
    for (int c = 0; c < s->active; c++) s->u[c] -= step * s->r[c];
    multiplier += step;
    if (full <= when) {
      achd_qp_enter(s, j, sign, left, multiplier);
      return MET;
    }
    achd_qp_leave(s, leaving);
    violation -= step * left;
  }
  return TOO_LONG;
}

/* Enters row j as it stands, without a step; not where it depends on the active ones. */
void achd_qp_hold(achd_qp_solver *s, int j, int sign) {
  achd_real left = 0;
  s->held++;
  if (s->active < s->size) achd_qp_project(s, j, sign, &left);
  if (s->careful && left > 0) find_share(s, &left);
  s->let[j] = s->kept[j] && !(left > 0);
  if (left > 0) achd_qp_enter(s, j, sign, left, 0);
}

/* Enters the equalities and the rows of `side`, as far as they are not active, and takes those of a wrong multiplier out. */
static void take_sides(achd_qp_solver *s, const signed char side[]) {
  volatile bool *let = s->let, *spared = s->spared;
  for (int j = 0; j < s->m; j++) let[j] = spared[j] = false;
  unsigned char row[ACHD_QP_ROWS];
  int count = 0;
  for (int j = 0; j < s->m; j++) {
    if (s->position[j] == OUTSIDE && counts(s, j) && equality(s, j))
      row[count++] = (unsigned char)j;
  }
  for (int k = 0; k <= s->up_to; k++) {
    for (int i = 0; i < count; i++) {
      if (level_of(s, row[i]) == k) achd_qp_hold(s, row[i], 1);
    }
  }
  for (int j = 0; j < s->m; j++) {
    if (s->position[j] != OUTSIDE || !counts(s, j) || equality(s, j) || side[j] == 0) continue;
    if (achd_finite(side[j] > 0 ? s->hi[j] : s->lo[j])) achd_qp_hold(s, j, side[j] > 0 ? 1 : -1);
  }
  settle(s);
}

/* Whether row j is within its bounds, as the certificate sees it. */
static bool met(const achd_qp_solver *s, int j) {
  int side;
  return !(outside(s, j, evaluate(s, j), &side) > loose * terms(s, j, length_of_x(s)));
}

/* Whether the rows that were spared are within their bounds. Used in floats alone, where the certificate allows so much
 * that a row that is spared and missed would make a later level the first that yields. */
static bool spared_are_met(const achd_qp_solver *s) {
  if (loose < (achd_real)1e-6) return true;
  for (int j = 0; j < s->m; j++) {
    if (s->spared[j] && s->position[j] == OUTSIDE && !met(s, j)) return false;
  }
  return true;
}

/* All rows that count, within their bounds. A large step along what an active row leaves of x moves x also out of that
 * row, by the rounding of the step. Where a place within all bounds is known, a contradiction is no more than that:
 * x is computed anew from the active set, and a row that contradicts it still is spared: the certificate judges. */
achd_qp_outcome achd_qp_go_on(achd_qp_solver *s, const signed char side[], achd_real *residual) {
  achd_qp_outcome o = MET;
  take_sides(s, side);
  for (int round = 0; round < ROUNDS; round++) {
    int sign = 0;
    achd_real by = 0;
    o = MET;
    for (int j; o == MET && (j = most_violated(s, &sign, &by)) >= 0;) o = take_in(s, j, sign, by);
    if (o == TOO_LONG || (o == CONTRADICTION && !s->feasible)) return o;
    if (o == CONTRADICTION) {
      s->spared[s->refused] = round > 0;
      settle(s);
    }
    refine(s, NULL);
    refine(s, residual);
    const int missed = most_violated(s, &sign, &by);
    if (missed < 0) return spared_are_met(s) ? MET : CONTRADICTION;
    if (o == MET && round == ROUNDS - 1 && !met(s, missed)) s->refused = missed, o = CONTRADICTION;
  }
  return o;
}

achd_qp_outcome achd_qp_run(achd_qp_solver *s, const signed char side[], achd_real *residual) {
  achd_qp_clear(s);
  return achd_qp_go_on(s, side, residual);
}

/* ---- what came out ---- */

/* The bound at which row j is held; of a kept row, the one of the problem's that it is at; twice that where it is beyond, as
 * a relaxed row is. */
static int side_of(const achd_qp_solver *s, int j) {
  if (!s->kept[j] && s->position[j] == OUTSIDE) return 0;
  if (!s->kept[j]) return s->slack[j] == NO_SLACK ? s->sign[j] : 2 * s->sign[j];
  const achd_real value = s->lo[j], lo = s->p->lo[j], hi = s->p->hi[j];
  const achd_real near = loose * terms(s, j, length_of_x(s));
  const int bound = value - lo < hi - value ? -1 : 1;
  return value < lo - near || value > hi + near ? 2 * bound : bound;
}

void achd_qp_name_sides(const achd_qp_solver *s, signed char side[]) {
  volatile signed char *written = side;
  for (int j = 0; j < s->m; j++) {
    if (counts(s, j) || level_of(s, j) == NO_LEVEL) written[j] = (signed char)side_of(s, j);
  }
}

/* By row, the multipliers of the last run. */
void achd_qp_name_multipliers(const achd_qp_solver *s, achd_real y[]) {
  achd_zero(y, s->m);
  for (int c = 0; c < s->active; c++) y[s->row[c]] = (achd_real)s->sign[s->row[c]] * s->u[c];
}
