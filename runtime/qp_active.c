/* qp_active.c: all rows of the levels so far within their bounds, by the dual active set method (Goldfarb and Idnani,
 * A numerically stable dual method for solving strictly convex quadratic programs, 1983).
 *
 * Of the rows in the active set, n_c = a_c at hi, -a_c at lo, with multipliers u_c:
 *   H x + g + N u = 0,   N^T x = b
 * H = L L^T; J = L^-T Q with Q orthogonal, such that J^T N = (R, 0), R upper triangular; J = (J1 J2)
 * where J1 has as many columns as there are active rows. Then
 *   x = J1 w + J2 (-J2^T g),   w = R^-T b,   u = -R^-1 (J1^T g + w)
 * A row that enters with normal n and multiplier t moves x by -t z, u by -t r:
 *   d = J^T n,   z = J2 d2,   r = R^-1 d1,   its violation shrinks by t |d2|^2. */
#include "qp_solver.h"

/* Relative: what of a normal must be left for it not to depend on the active ones; for a step of the size of rounding
 * along it not to move x by more; for it not to follow from what levels have reached; least pivot of H. */
static const achd_real dependent =
    (achd_real)(sizeof(achd_real) == sizeof(float) ? 64 : 256) * ACHD_EPSILON;
static const achd_real nearly = (achd_real)(sizeof(achd_real) == sizeof(float) ? 1e-4 : 1e-8);
static const achd_real hardly = (achd_real)(sizeof(achd_real) == sizeof(float) ? 1e-5 : 1e-10);
static const achd_real least_pivot = 16 * ACHD_EPSILON;
enum { ROUNDS = 8 };

/* ---- factors ---- */

bool achd_qp_factor(achd_qp_solver *s) {
  const int n = s->n;
  achd_real *L = s->J; /* not in use yet; its diagonal as inverse */
  for (int i = 0; i < n; i++) {
    for (int k = 0; k <= i; k++) {
      const achd_real *Li = L + (size_t)(i * n), *Lk = L + (size_t)(k * n);
      const achd_real rest = H_at(s, i, k) - dot(k, Li, Lk);
      if (k < i) {
        L[i * n + k] = rest * Lk[k];
      } else {
        const achd_real diagonal = H_at(s, i, i);
        if (!(diagonal > 0) || !(rest > least_pivot * diagonal)) return false;
        L[i * n + i] = 1 / achd_sqrt(rest);
      }
    }
  }
  /* column k of L^-1 is row k of L^-T */
  for (int k = 0; k < n; k++) {
    achd_real *column = s->start + (size_t)(k * n);
    achd_zero(column, k);
    column[k] = L[k * n + k];
    for (int i = k + 1; i < n; i++)
      column[i] = -dot(i - k, L + (size_t)(i * n + k), column + k) * L[i * n + i];
  }
  return true;
}

/* The sizes of the terms of J^T a_j, which are the same whatever Q is. */
void achd_qp_measure(achd_qp_solver *s) {
  for (int j = 0; j < s->m; j++) {
    const achd_real *a = normal(s, j);
    s->reach[j] = 0;
    for (int i = 0; i < s->n; i++) {
      const achd_real *row = s->start + (size_t)(i * s->n);
      if (a[i] != 0)
        s->reach[j] += achd_magnitude(a[i]) * achd_sqrt(dot(s->n - i, row + i, row + i));
    }
  }
}

/* No row is active; of J what H alone gives. */
void achd_qp_clear(achd_qp_solver *s) {
  const int n = s->n, size = s->size;
  for (int i = 0; i < size; i++) {
    achd_real *J = row_of_J(s, i);
    achd_zero(J, size);
    if (i < n)
      achd_copy(J, s->start + (size_t)(i * n), n);
    else
      J[i] = 1 / achd_sqrt(s->stiff[i - n]);
  }
  volatile unsigned char *position = s->position;
  for (int j = 0; j < s->m; j++) position[j] = OUTSIDE;
  s->active = 0;
}

/* d <- J^T n of row j at its bound `sign`; *left <- |d2|^2 where it is more than rounding, else 0. What levels have
 * reached is known to rounding only, and rows of the same cone depend on it but for the rounding of A: along what
 * little such a row leaves, a violation of 1e-9 would be a step of any size. It follows from the active rows instead. */
void achd_qp_project(achd_qp_solver *s, int j, int sign, achd_real *left) {
  const achd_real *a = normal(s, j);
  achd_real *d = s->d;
  achd_zero(d, s->size);
  for (int i = 0; i < s->n; i++) {
    if (a[i] == 0) continue;
    const achd_real *J = row_of_J(s, i), by = (achd_real)sign * a[i];
    for (int k = 0; k < s->size; k++) d[k] += by * J[k];
  }
  if (s->slack[j] != NO_SLACK) {
    const achd_real *J = row_of_J(s, s->n + s->slack[j]);
    for (int k = 0; k < s->size; k++) d[k] -= (achd_real)sign * J[k];
  }
  const int q = s->active;
  *left = dot(s->size - q, d + q, d + q);
  const bool may_follow = s->yields && s->slack[j] == NO_SLACK;
  const achd_real least = (may_follow ? hardly : dependent) * s->reach[j];
  if (!(*left > least * least)) *left = 0;
}

/* r <- R^-1 d1, by what the active rows make up the row that enters. In the second attempt, *left <- 0 where what is left
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

/* z <- J2 d2 */
static void find_direction(achd_qp_solver *s) {
  const int q = s->active;
  for (int i = 0; i < s->size; i++) s->z[i] = dot(s->size - q, row_of_J(s, i) + q, s->d + q);
}

/* Row j enters at its bound `sign`, with d, z and left = |d2|^2 > 0. A reflection turns d2 into a
 * multiple of its first element. */
static void enter(achd_qp_solver *s, int j, int sign, achd_real left, achd_real multiplier) {
  const int q = s->active, rest = s->size - q;
  achd_real *d2 = s->d + q;
  const achd_real length = achd_sqrt(left), first = d2[0];
  const achd_real onto = first > 0 ? -length : length;
  const achd_real by = 1 / (length * (length + achd_magnitude(first)));
  d2[0] = first - onto;
  for (int i = 0; i < s->size; i++) {
    achd_real *J = row_of_J(s, i) + q;
    const achd_real along = (s->z[i] - onto * J[0]) * by;
    for (int k = 0; k < rest; k++) J[k] -= along * d2[k];
  }
  achd_real *R = column_of_R(s, q);
  achd_copy(R, s->d, q);
  R[q] = onto;
  s->row[q] = (unsigned char)j;
  s->position[j] = (unsigned char)q;
  s->sign[j] = (signed char)sign;
  s->u[q] = multiplier;
  s->active = q + 1;
}

/* The row at this position of the active set leaves it. Rotations make R triangular again. */
void achd_qp_leave(achd_qp_solver *s, int position) {
  s->position[s->row[position]] = OUTSIDE;
  for (int c = position; c + 1 < s->active; c++) {
    achd_copy(column_of_R(s, c), column_of_R(s, c + 1), c + 2);
    s->row[c] = s->row[c + 1];
    s->u[c] = s->u[c + 1];
    s->position[s->row[c]] = (unsigned char)c;
  }
  s->active--;
  for (int c = position; c < s->active; c++) {
    achd_real *R = column_of_R(s, c);
    const achd_real a = R[c], b = R[c + 1], length = achd_sqrt(a * a + b * b);
    if (length == 0) continue;
    const achd_real cosine = a / length, sine = b / length;
    R[c] = length;
    for (int e = c + 1; e < s->active; e++) {
      achd_real *Re = column_of_R(s, e);
      const achd_real above = Re[c], below = Re[c + 1];
      Re[c] = cosine * above + sine * below;
      Re[c + 1] = cosine * below - sine * above;
    }
    for (int i = 0; i < s->size; i++) {
      achd_real *J = row_of_J(s, i) + c;
      const achd_real left = J[0], right = J[1];
      J[0] = cosine * left + sine * right;
      J[1] = cosine * right - sine * left;
    }
  }
}

/* y <- R^-1 y */
void achd_qp_solve_r(const achd_qp_solver *s, achd_real y[]) {
  for (int c = s->active - 1; c >= 0; c--) {
    const achd_real *R = column_of_R(s, c);
    y[c] /= R[c];
    for (int k = 0; k < c; k++) y[k] -= y[c] * R[k];
  }
}

/* y <- R^-T y */
static void solve_R_transposed(const achd_qp_solver *s, achd_real y[]) {
  for (int c = 0; c < s->active; c++) {
    const achd_real *R = column_of_R(s, c);
    y[c] = (y[c] - dot(c, R, y)) / R[c];
  }
}

/* to <- J^T of, all columns */
void achd_qp_times_j_transposed(const achd_qp_solver *s, const achd_real of[], achd_real to[]) {
  achd_zero(to, s->size);
  for (int i = 0; i < s->size; i++) {
    const achd_real *J = row_of_J(s, i);
    for (int k = 0; k < s->size; k++) to[k] += of[i] * J[k];
  }
}

static achd_real bound_of(const achd_qp_solver *s, int j) {
  return s->sign[j] > 0 ? s->hi[j] : s->lo[j];
}

/* One step of refinement of x and u on the active set; returns how far H x + g + N u was from 0,
 * relative to its terms. Kept rows are brought back to where they are at what levels have reached: that
 * place exists, while their bounds, each rounded for itself, need not meet in a point. */
static achd_real refine(achd_qp_solver *s) {
  const int n = s->n, size = s->size;
  achd_real *miss = s->d, *w = s->z, *r = s->r, *back = s->copy;
  achd_real largest = 0, most = 0;
  for (int i = 0; i < size; i++) {
    achd_real sum = s->g[i], terms_of_it = achd_magnitude(s->g[i]);
    if (i < n) {
      for (int k = 0; k < n; k++) {
        const achd_real part = H_at(s, i, k) * s->x[k];
        sum += part, terms_of_it += achd_magnitude(part);
      }
    } else {
      const achd_real part = s->stiff[i - n] * s->x[i];
      sum += part, terms_of_it += achd_magnitude(part);
    }
    for (int c = 0; c < s->active; c++) {
      const int j = s->row[c];
      const achd_real a = i < n ? normal(s, j)[i] : s->slack[j] == i - n ? -1 : 0;
      const achd_real part = (achd_real)s->sign[j] * s->u[c] * a;
      sum += part, terms_of_it += achd_magnitude(part);
    }
    miss[i] = -sum;
    const achd_real unit = achd_sqrt(i < n ? H_at(s, i, i) : s->stiff[i - n]);
    if (achd_magnitude(sum) > largest * unit) largest = achd_magnitude(sum) / unit;
    if (terms_of_it > most * unit) most = terms_of_it / unit;
  }
  achd_qp_times_j_transposed(s, miss, w);
  for (int i = 0; s->yields && i < n; i++) back[i] = s->reached[i] - s->x[i];
  for (int c = 0; c < s->active; c++) {
    const int j = s->row[c];
    const achd_real left =
        s->kept[j] ? dot(n, normal(s, j), back) : bound_of(s, j) - evaluate(s, j);
    r[c] = (achd_real)s->sign[j] * left;
  }
  solve_R_transposed(s, r);
  for (int c = 0; c < s->active; c++) {
    const achd_real along = w[c];
    w[c] = r[c];
    r[c] = along - r[c];
  }
  achd_qp_solve_r(s, r);
  for (int i = 0; i < size; i++) s->x[i] += dot(size, row_of_J(s, i), w);
  for (int c = 0; c < s->active; c++) s->u[c] += r[c];
  return most > 0 ? largest / most : 0;
}

/* x and u of the active set as it is, by the formulas above; where levels have yielded, from what these
 * have reached on, so that kept rows are as exact as the directions along which x moves. */
static void solve_active(achd_qp_solver *s) {
  if (s->yields) {
    achd_copy(s->x, s->reached, s->n);
    achd_zero(s->x + s->n, s->size - s->n);
    achd_zero(s->u, s->active);
    (void)refine(s);
    return;
  }
  achd_real *w = s->d, *Jg = s->z;
  achd_qp_times_j_transposed(s, s->g, Jg);
  for (int c = 0; c < s->active; c++) {
    const int j = s->row[c];
    w[c] = (achd_real)s->sign[j] * bound_of(s, j);
  }
  solve_R_transposed(s, w);
  for (int c = 0; c < s->active; c++) s->u[c] = -(Jg[c] + w[c]);
  achd_qp_solve_r(s, s->u);
  for (int k = s->active; k < s->size; k++) w[k] = -Jg[k];
  for (int i = 0; i < s->size; i++) s->x[i] = dot(s->size, row_of_J(s, i), w);
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
    const achd_real unit = s->norm[j] > 0 ? s->norm[j] : 1;
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
      if (worst < 0 || s->u[c] * s->norm[s->row[c]] < s->u[worst] * s->norm[s->row[worst]])
        worst = c;
    }
    if (worst < 0) return;
    achd_qp_leave(s, worst);
    s->steps++;
  }
}

/* Row j, outside its bound by so much, enters. */
static achd_qp_outcome take_in(achd_qp_solver *s, int j, int sign, achd_real violation) {
  achd_real multiplier = 0;
  while (s->steps < s->most_steps) {
    s->steps++;
    achd_real left;
    achd_qp_project(s, j, sign, &left);
    find_share(s, &left);
    if (left > 0) find_direction(s);
    achd_real when;
    const int leaving = first_to_leave(s, &when);
    const achd_real full = left > 0 ? violation / left : ACHD_INFINITY;
    const achd_real little = nearly * s->reach[j];
    const bool follows =
        left <= little * little && violation <= loose * terms(s, j, length_of_x(s));
    if (follows || (!achd_finite(full) && leaving < 0)) {
      if (!follows) {
        s->refused = j;
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
      enter(s, j, sign, left, multiplier);
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
  if (s->active < s->size) achd_qp_project(s, j, sign, &left);
  if (s->careful && left > 0) find_share(s, &left);
  s->let[j] = s->kept[j] && !(left > 0);
  if (!(left > 0)) return;
  find_direction(s);
  enter(s, j, sign, left, 0);
}

/* Begins with the equalities and with the rows of `side`, those of a wrong multiplier taken out. */
static void begin(achd_qp_solver *s, const signed char side[]) {
  achd_qp_clear(s);
  volatile bool *let = s->let, *spared = s->spared;
  for (int j = 0; j < s->m; j++) let[j] = spared[j] = false;
  for (int k = 0; k <= s->up_to; k++) {
    for (int j = 0; j < s->m; j++) {
      if (level_of(s, j) == k && equality(s, j)) achd_qp_hold(s, j, 1);
    }
  }
  for (int j = 0; j < s->m; j++) {
    if (!counts(s, j) || equality(s, j) || side[j] == 0) continue;
    if (achd_finite(side[j] > 0 ? s->hi[j] : s->lo[j])) achd_qp_hold(s, j, side[j] > 0 ? 1 : -1);
  }
  settle(s);
}

/* Whether row j is within its bounds, as the certificate sees it. */
static bool met(const achd_qp_solver *s, int j) {
  int side;
  return !(outside(s, j, evaluate(s, j), &side) > loose * terms(s, j, length_of_x(s)));
}

/* Whether the rows that were spared are within their bounds. Asked in floats alone, where the certificate allows so much
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
achd_qp_outcome achd_qp_run(achd_qp_solver *s, const signed char side[], achd_real *residual) {
  achd_qp_outcome o = MET;
  begin(s, side);
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
    refine(s);
    *residual = refine(s);
    const int missed = most_violated(s, &sign, &by);
    if (missed < 0) return spared_are_met(s) ? MET : CONTRADICTION;
    if (o == MET && round == ROUNDS - 1 && !met(s, missed)) s->refused = missed, o = CONTRADICTION;
  }
  return o;
}

/* ---- what came out ---- */

void achd_qp_name_sides(const achd_qp_solver *s, signed char side[]) {
  volatile signed char *written = side;
  for (int j = 0; j < s->m; j++)
    written[j] = (signed char)(s->position[j] == OUTSIDE ? 0 : s->sign[j]);
}

/* By row, the multipliers of the last run. */
void achd_qp_name_multipliers(const achd_qp_solver *s, achd_real y[]) {
  achd_zero(y, s->m);
  for (int c = 0; c < s->active; c++) y[s->row[c]] = (achd_real)s->sign[s->row[c]] * s->u[c];
}
