/* qp.c: see achd/qp.h
 *
 * Of the rows in the active set, n_c = a_c at hi, -a_c at lo, with multipliers u_c:
 *   H x + g + N u = 0,   N^T x = b
 * H = L L^T; J = L^-T Q with Q orthogonal, such that J^T N = (R, 0), R upper triangular; J = (J1 J2)
 * where J1 has as many columns as there are active rows. Then
 *   x = J1 w + J2 (-J2^T g),   w = R^-T b,   u = -R^-1 (J1^T g + w)
 * A row that enters with normal n and multiplier t moves x by -t z, u by -t r:
 *   d = J^T n,   z = J2 d2,   r = R^-1 d1,   its violation shrinks by t |d2|^2.
 *
 * While a level is relaxed, each of its rows has an unknown more, its violation v:
 *   a x - v within bounds,   objective + y v + 1/2 r v^2,   y <- y + r v   from pass to pass. */
#include <achd/qp.h>

#include "mathematics.h"

/* Relative: what of a normal must be left for it not to depend on the active ones, and for a step of
 * the size of rounding along it not to move x by more; by how much a row may be outside its bounds,
 * one that depends on the active ones or nearly so, and one of a level that counts as reached; least
 * pivot of H. */
static const achd_real dependent = 256 * ACHD_EPSILON;
static const achd_real nearly = (achd_real)(sizeof(achd_real) == sizeof(float) ? 1e-4 : 1e-8);
static const achd_real hardly = (achd_real)(sizeof(achd_real) == sizeof(float) ? 1e-5 : 1e-10);
static const achd_real rounding = 256 * ACHD_EPSILON;
static const achd_real loose = ACHD_QP_RESIDUAL / 2;
static const achd_real least_pivot = 16 * ACHD_EPSILON;
/* How much stiffer a relaxed row is than the unknowns along it; violations that change by no more
 * between passes have converged; passes at most. */
static const achd_real stiffness = (achd_real)(sizeof(achd_real) == sizeof(float) ? 1e3 : 1e6);
static const achd_real stiffer = 100,
                       stiffest = (achd_real)(sizeof(achd_real) == sizeof(float) ? 1e2 : 1e6);
static const achd_real settled = 65536 * ACHD_EPSILON;
/* Balances of a level: what may be left over; a multiplier above this kept the level from more, and its row is
 * held, since the balance is missed by that much where the row leaves its bound (in floats one that is not
 * what violations that have just settled leave over). Relative to the size of the sum. */
static const achd_real balanced = ACHD_QP_RESIDUAL / 64;
static const achd_real binding = (achd_real)(sizeof(achd_real) == sizeof(float) ? 0.1 : 2.5e-10);
enum { PASSES = 40, NO_SLACK = 255, OUTSIDE = 255 };

typedef struct solver {
  const achd_qp_problem *p;
  int n, m;   /* unknowns of the problem, rows */
  int size;   /* unknowns, those of relaxed rows among them */
  int active; /* rows in the active set */
  int up_to;  /* rows of later levels do not count */
  int steps, most_steps;
  achd_real *x, *g;                     /* by unknown, relaxed rows' behind */
  achd_real *u;                         /* by position in the active set */
  achd_real *J, *R;                     /* J by rows, R by columns: size numbers each */
  achd_real *start;                     /* L^-T, by rows of n */
  achd_real *d, *z, *r;                 /* of the row that enters; also memory of refine */
  achd_real *lo, *hi;                   /* bounds, of yielding rows as far as these yield */
  achd_real *bound;                     /* the size of the problem's own bounds */
  achd_real *reach;                     /* sum |a_ji| sqrt((H^-1)_ii): the terms of J^T a_j */
  achd_real *norm;                      /* of a_j, in units of 1 / sqrt(H_ii) */
  achd_real *stiff;                     /* r of relaxed rows, by their unknown */
  achd_real *copy;                      /* a memory of n */
  achd_real *reached;                   /* x, where the last level yielded */
  unsigned char row[ACHD_QP_ROWS];      /* by position in the active set */
  unsigned char position[ACHD_QP_ROWS]; /* where it is there; OUTSIDE */
  unsigned char slack[ACHD_QP_ROWS];    /* its further unknown; NO_SLACK */
  signed char sign[ACHD_QP_ROWS];       /* 1: held at hi, -1: at lo */
  bool let[ACHD_QP_ROWS];               /* depends on active rows and is met but for rounding */
  bool kept[ACHD_QP_ROWS];              /* an equality since some level yielded */
  int refused;                          /* the row that cannot be met */
  bool yields;                          /* some level does */
} solver;

static achd_real dot(int n, const achd_real *a, const achd_real *b) {
  achd_real s0 = 0, s1 = 0, s2 = 0, s3 = 0;
  int i = 0;
  for (; i + 3 < n; i += 4) {
    s0 += a[i] * b[i], s1 += a[i + 1] * b[i + 1];
    s2 += a[i + 2] * b[i + 2], s3 += a[i + 3] * b[i + 3];
  }
  for (; i < n; i++) s0 += a[i] * b[i];
  return (s0 + s1) + (s2 + s3);
}

static int level_of(const solver *s, int j) {
  return s->p->level ? (int)s->p->level[j] : 0;
}

static achd_real weight_of(const solver *s, int j) {
  return s->p->weight ? s->p->weight[j] : 1;
}

static const achd_real *normal(const solver *s, int j) {
  return s->p->A + (size_t)(j * s->n);
}

static achd_real *row_of_J(const solver *s, int i) {
  return s->J + (size_t)(i * s->size);
}

static achd_real *column_of_R(const solver *s, int c) {
  return s->R + (size_t)(c * s->size);
}

static bool counts(const solver *s, int j) {
  return level_of(s, j) <= s->up_to;
}

static bool equality(const solver *s, int j) {
  return s->lo[j] == s->hi[j];
}

static achd_real H_at(const solver *s, int i, int k) {
  return s->p->H[i >= k ? i * (i + 1) / 2 + k : k * (k + 1) / 2 + i];
}

/* ---- factors ---- */

/* start <- L^-T of H = L L^T; false: a pivot is no more than rounding of its diagonal. */
static bool factor(solver *s) {
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
static void measure(solver *s) {
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
static void clear_active(solver *s) {
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

/* d <- J^T n of row j at its bound `sign`; *left <- |d2|^2 where it is more than rounding, else 0. */
static void project(solver *s, int j, int sign, achd_real *left) {
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
  const achd_real least = dependent * s->reach[j];
  if (!(*left > least * least)) *left = 0;
}

/* z <- J2 d2 */
static void find_direction(solver *s) {
  const int q = s->active;
  for (int i = 0; i < s->size; i++) s->z[i] = dot(s->size - q, row_of_J(s, i) + q, s->d + q);
}

/* Row j enters at its bound `sign`, with d, z and left = |d2|^2 > 0. A reflection turns d2 into a
 * multiple of its first element. */
static void enter(solver *s, int j, int sign, achd_real left, achd_real multiplier) {
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
static void leave(solver *s, int position) {
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
static void solve_R(const solver *s, achd_real y[]) {
  for (int c = s->active - 1; c >= 0; c--) {
    const achd_real *R = column_of_R(s, c);
    y[c] /= R[c];
    for (int k = 0; k < c; k++) y[k] -= y[c] * R[k];
  }
}

/* y <- R^-T y */
static void solve_R_transposed(const solver *s, achd_real y[]) {
  for (int c = 0; c < s->active; c++) {
    const achd_real *R = column_of_R(s, c);
    y[c] = (y[c] - dot(c, R, y)) / R[c];
  }
}

/* to <- J^T of, all columns */
static void times_J_transposed(const solver *s, const achd_real of[], achd_real to[]) {
  achd_zero(to, s->size);
  for (int i = 0; i < s->size; i++) {
    const achd_real *J = row_of_J(s, i);
    for (int k = 0; k < s->size; k++) to[k] += of[i] * J[k];
  }
}

static achd_real bound_of(const solver *s, int j) {
  return s->sign[j] > 0 ? s->hi[j] : s->lo[j];
}

/* row j of A times x, and less its own violation */
static achd_real evaluate(const solver *s, int j) {
  const achd_real ax = dot(s->n, normal(s, j), s->x);
  return s->slack[j] == NO_SLACK ? ax : ax - s->x[s->n + s->slack[j]];
}

/* One step of refinement of x and u on the active set; returns how far H x + g + N u was from 0,
 * relative to its terms. */
static achd_real refine(solver *s) {
  const int n = s->n, size = s->size;
  achd_real *miss = s->d, *w = s->z, *r = s->r;
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
  times_J_transposed(s, miss, w);
  for (int c = 0; c < s->active; c++) {
    const int j = s->row[c];
    r[c] = s->kept[j] ? 0 : (achd_real)s->sign[j] * (bound_of(s, j) - evaluate(s, j));
  }
  solve_R_transposed(s, r);
  for (int c = 0; c < s->active; c++) {
    const achd_real along = w[c];
    w[c] = r[c];
    r[c] = along - r[c];
  }
  solve_R(s, r);
  for (int i = 0; i < size; i++) s->x[i] += dot(size, row_of_J(s, i), w);
  for (int c = 0; c < s->active; c++) s->u[c] += r[c];
  return most > 0 ? largest / most : 0;
}

/* x and u of the active set as it is, by the formulas above; where levels have yielded, from what these
 * have reached on, so that kept rows are as exact as the directions along which x moves. */
static void solve_active(solver *s) {
  if (s->yields) {
    achd_copy(s->x, s->reached, s->n);
    achd_zero(s->x + s->n, s->size - s->n);
    achd_zero(s->u, s->active);
    (void)refine(s);
    return;
  }
  achd_real *w = s->d, *Jg = s->z;
  times_J_transposed(s, s->g, Jg);
  for (int c = 0; c < s->active; c++) {
    const int j = s->row[c];
    w[c] = (achd_real)s->sign[j] * bound_of(s, j);
  }
  solve_R_transposed(s, w);
  for (int c = 0; c < s->active; c++) s->u[c] = -(Jg[c] + w[c]);
  solve_R(s, s->u);
  for (int k = s->active; k < s->size; k++) w[k] = -Jg[k];
  for (int i = 0; i < s->size; i++) s->x[i] = dot(s->size, row_of_J(s, i), w);
}

/* ---- what x misses ---- */

/* sqrt(sum H_ii x_i^2 + g_i^2 / H_ii): with norm_j an upper bound of what a_j x is a sum of, at x or
 * where the objective alone would lead */
static achd_real length_of_x(const solver *s) {
  achd_real sum = 0;
  for (int i = 0; i < s->n; i++)
    sum += H_at(s, i, i) * s->x[i] * s->x[i] + s->g[i] * s->g[i] / H_at(s, i, i);
  return achd_sqrt(sum);
}

/* What the rounding of row j is relative to. */
static achd_real terms(const solver *s, int j, achd_real length) {
  achd_real sum = s->norm[j] * length;
  if (s->slack[j] != NO_SLACK) sum += achd_magnitude(s->x[s->n + s->slack[j]]);
  return sum + s->bound[j];
}

/* By how much a value is above hi or below lo; *sign: which. */
static achd_real outside(const solver *s, int j, achd_real value, int *sign) {
  *sign = value > s->hi[j] ? 1 : -1;
  if (value > s->hi[j]) return value - s->hi[j];
  return value < s->lo[j] ? s->lo[j] - value : 0;
}

/* The row to enter: the one that is outside its bounds by most, per its norm; equalities are not
 * preferred. -1: none. */
static int most_violated(solver *s, int *sign, achd_real *by) {
  const achd_real length = length_of_x(s);
  achd_real most = 0;
  int found = -1;
  for (int j = 0; j < s->m; j++) {
    if (s->position[j] != OUTSIDE || !counts(s, j)) continue;
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

typedef enum outcome { MET, CONTRADICTION, TOO_LONG } outcome;

/* The active row whose multiplier is the first to be 0 as the entering row's grows, and when;
 * -1: none. Of several the one of least index. */
static int first_to_leave(const solver *s, achd_real *when) {
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
static void settle(solver *s) {
  for (;;) {
    solve_active(s);
    int worst = -1;
    for (int c = 0; c < s->active; c++) {
      if (equality(s, s->row[c]) || !(s->u[c] < 0)) continue;
      if (worst < 0 || s->u[c] * s->norm[s->row[c]] < s->u[worst] * s->norm[s->row[worst]])
        worst = c;
    }
    if (worst < 0) return;
    leave(s, worst);
    s->steps++;
  }
}

/* Row j, outside its bound by so much, enters. */
static outcome take_in(solver *s, int j, int sign, achd_real violation) {
  achd_real multiplier = 0;
  while (s->steps < s->most_steps) {
    s->steps++;
    achd_real left;
    project(s, j, sign, &left);
    if (left > 0) find_direction(s);
    achd_copy(s->r, s->d, s->active);
    solve_R(s, s->r);
    achd_real when;
    const int leaving = first_to_leave(s, &when);
    const achd_real full = left > 0 ? violation / left : ACHD_INFINITY;
    const achd_real little = nearly * s->reach[j];
    const bool met = left <= little * little && violation <= loose * terms(s, j, length_of_x(s));
    if (met || (!achd_finite(full) && leaving < 0)) {
      if (!met) {
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
    leave(s, leaving);
    violation -= step * left;
  }
  return TOO_LONG;
}

/* Enters row j as it stands, without a step; not where it depends on the active ones. What a level
 * has reached is known to rounding only: rows that nearly depend on others follow from them. */
static void hold(solver *s, int j, int sign) {
  achd_real left = 0;
  const achd_real least = s->kept[j] ? hardly * s->reach[j] : 0;
  if (s->active < s->size) project(s, j, sign, &left);
  s->let[j] = s->kept[j] && !(left > least * least);
  if (!(left > least * least)) return;
  find_direction(s);
  enter(s, j, sign, left, 0);
}

/* Begins with the equalities and with the rows of `side`, those of a wrong multiplier taken out. */
static void begin(solver *s, const signed char side[]) {
  clear_active(s);
  volatile bool *let = s->let;
  for (int j = 0; j < s->m; j++) let[j] = false;
  for (int k = 0; k <= s->up_to; k++) {
    for (int j = 0; j < s->m; j++) {
      if (level_of(s, j) == k && equality(s, j)) hold(s, j, 1);
    }
  }
  for (int j = 0; j < s->m; j++) {
    if (!counts(s, j) || equality(s, j) || side[j] == 0) continue;
    if (achd_finite(side[j] > 0 ? s->hi[j] : s->lo[j])) hold(s, j, side[j] > 0 ? 1 : -1);
  }
  settle(s);
}

/* All rows that count, within their bounds. */
static outcome run(solver *s, const signed char side[], achd_real *residual) {
  begin(s, side);
  for (int round = 0; round < 8; round++) {
    int sign = 0;
    achd_real by = 0;
    for (int j; (j = most_violated(s, &sign, &by)) >= 0;) {
      const outcome o = take_in(s, j, sign, by);
      if (o != MET) return o;
    }
    refine(s);
    *residual = refine(s);
    if (most_violated(s, &sign, &by) < 0) return MET;
  }
  return MET;
}

static void name_sides(const solver *s, signed char side[]) {
  volatile signed char *written = side;
  for (int j = 0; j < s->m; j++)
    written[j] = (signed char)(s->position[j] == OUTSIDE ? 0 : s->sign[j]);
}

/* ---- levels ---- */

/* By row, the multipliers of the last run. */
static void name_multipliers(const solver *s, achd_real y[]) {
  achd_zero(y, s->m);
  for (int c = 0; c < s->active; c++) y[s->row[c]] = (achd_real)s->sign[s->row[c]] * s->u[c];
}

/* Gives the rows of a level a violation each. Returns the stiffness of weight 1 to begin with. */
static achd_real relax(solver *s, int level) {
  int count = 0;
  achd_real sum = 0;
  for (int j = 0; j < s->m; j++) {
    if (level_of(s, j) != level || (!achd_finite(s->lo[j]) && !achd_finite(s->hi[j]))) continue;
    achd_real left;
    project(s, j, 1, &left); /* |J^T a|^2 = a H^-1 a^T */
    sum += weight_of(s, j) * dot(s->size, s->d, s->d);
    s->slack[j] = (unsigned char)count++;
  }
  s->size = s->n + count;
  achd_zero(s->g + s->n, count);
  return sum > 0 ? stiffness * (achd_real)count / sum : stiffness;
}

/* After a pass: the multipliers of the violations grow by what is violated. Returns whether the
 * violations are those of the pass before. */
static bool grow(solver *s, achd_real last[]) {
  achd_real change = 0, largest = 0;
  for (int i = 0; i < s->size - s->n; i++) {
    const achd_real v = s->x[s->n + i], unit = achd_sqrt(s->stiff[i]);
    const achd_real here = unit * achd_magnitude(v - last[i]), size = unit * achd_magnitude(v);
    if (here > change) change = here;
    if (size > largest) largest = size;
    last[i] = v;
    s->g[s->n + i] += s->stiff[i] * v;
  }
  return change <= settled * largest;
}

/* w_j v_j of a relaxed row; 0 where v_j is rounding. */
static achd_real force_of_violation(const solver *s, int j) {
  if (s->slack[j] == NO_SLACK) return 0;
  const achd_real v = s->x[s->n + s->slack[j]];
  if (achd_magnitude(v) <= rounding * terms(s, j, length_of_x(s))) return 0;
  return weight_of(s, j) * v;
}

/* y by row, of the level's rows that are relaxed: sum w_j v_j a_j + sum y_i a_i = 0 with the other
 * rows that are active, as far as those have multipliers of the right sign. Returns whether the
 * balance is met: no other violations are less. y of the level's own rows: w_j v_j. *size: of the
 * first sum's terms, in units of y_i norm_i. Leaves the factors of these rows alone. */
static bool balance(solver *s, achd_real y[], achd_real *size) {
  achd_real *sum = s->z, *along = s->r;
  const int count = s->active, unknowns = s->size;
  unsigned char row[ACHD_QP_ROWS];
  achd_real left, all = 0;
  achd_zero(sum, s->n);
  for (int j = 0; j < s->m; j++) {
    const achd_real *a = normal(s, j), force = force_of_violation(s, j);
    for (int i = 0; force != 0 && i < s->n; i++) sum[i] += force * a[i];
    all += achd_magnitude(force) * s->norm[j];
  }
  achd_assign(row, s->row, (size_t)count);
  s->size = s->n;
  clear_active(s);
  achd_copy(s->copy, sum, s->n);
  for (int c = 0; c < count; c++) {
    if (s->slack[row[c]] == NO_SLACK) hold(s, row[c], s->sign[row[c]]);
  }
  for (int worst = 0; worst >= 0;) {
    times_J_transposed(s, s->copy, along);
    left = achd_sqrt(dot(s->n - s->active, along + s->active, along + s->active));
    for (int c = 0; c < s->active; c++) s->u[c] = -along[c];
    solve_R(s, s->u);
    worst = -1;
    for (int c = 0; c < s->active; c++) {
      if (equality(s, s->row[c]) || !(s->u[c] < 0)) continue;
      if (worst < 0 || s->u[c] * s->norm[s->row[c]] < s->u[worst] * s->norm[s->row[worst]])
        worst = c;
    }
    if (worst >= 0) leave(s, worst);
  }
  name_multipliers(s, y);
  for (int j = 0; j < s->m; j++) {
    if (achd_magnitude(y[j]) * s->norm[j] <= balanced * all) y[j] = 0;
    if (s->slack[j] != NO_SLACK) y[j] = force_of_violation(s, j);
  }
  s->size = unknowns;
  *size = all;
  return left <= balanced * all;
}

/* What a level has reached becomes the bounds of its rows. Rows of levels before it with a multiplier y kept
 * it from more: they are held from now on. Where rounding has put x outside of other rows, it counts
 * as inside, so that x is within all bounds. */
static void keep(solver *s, const achd_real y[], achd_real size) {
  const achd_real length = length_of_x(s);
  for (int j = 0; j < s->m; j++) {
    if (!counts(s, j)) continue;
    const bool relaxed = s->slack[j] != NO_SLACK, holds = equality(s, j);
    const achd_real v = relaxed ? s->x[s->n + s->slack[j]] : 0, near = loose * terms(s, j, length);
    s->slack[j] = NO_SLACK;
    const achd_real value = evaluate(s, j);
    if (relaxed)
      s->kept[j] = holds || achd_magnitude(v) > near;
    else if (achd_magnitude(y[j]) * s->norm[j] > binding * size)
      s->kept[j] = true;
    if (s->kept[j]) {
      s->lo[j] = s->hi[j] = value;
    } else if (relaxed || (value >= s->lo[j] - near && value <= s->hi[j] + near)) {
      s->lo[j] = value < s->lo[j] ? value : s->lo[j];
      s->hi[j] = value > s->hi[j] ? value : s->hi[j];
    }
  }
  s->size = s->n;
  s->yields = true;
  achd_copy(s->reached, s->x, s->n);
}

/* The rows of a level that cannot all be met: as near as they come. Their bounds follow, and y gets
 * the multipliers that prove it. Passes grow stiffer where they converge slowly, or to multipliers
 * that show a set of rows that is not the last. */
static outcome yield(solver *s, int level, signed char side[], achd_real y[], achd_real last[]) {
  clear_active(s);
  achd_real unit = relax(s, level), residual, size = 0;
  achd_zero(last, s->size - s->n);
  for (int pass = 0; pass < PASSES; pass++) {
    for (int j = 0; j < s->m; j++) {
      if (s->slack[j] != NO_SLACK) s->stiff[s->slack[j]] = unit * weight_of(s, j);
    }
    const outcome o = run(s, side, &residual);
    if (o != MET) return o;
    name_sides(s, side);
    if (grow(s, last) && pass > 0 && balance(s, y, &size)) break;
    if (pass > 0 && unit < stiffest * stiffness) unit *= stiffer;
  }
  keep(s, y, size);
  return MET;
}

/* ---- multipliers of the right sign ---- */

/* By how much row j is outside the problem's own bounds. */
static achd_real violation_of(const solver *s, int j) {
  const achd_real value = dot(s->n, normal(s, j), s->x), lo = s->p->lo[j], hi = s->p->hi[j];
  return value > hi ? value - hi : value < lo ? value - lo : 0;
}

/* Rows that are held because level k yields have a multiplier of the right sign there, in of_level, and one of
 * any sign in y, of a later level or of the objective. The balance of level k is 0, so any multiple of
 * it may be added: twice the least that turns all signs right. */
static void turn_signs(const solver *s, const achd_real of_level[], achd_real y[]) {
  const achd_real length = length_of_x(s);
  achd_real by = 0;
  for (int j = 0; j < s->m; j++) {
    if (s->p->lo[j] == s->p->hi[j] || !(of_level[j] * y[j] < 0)) continue;
    if (achd_magnitude(violation_of(s, j)) > 2 * loose * terms(s, j, length)) continue;
    if (-y[j] / of_level[j] > by) by = -y[j] / of_level[j];
  }
  for (int j = 0; by > 0 && j < s->m; j++) y[j] += 2 * by * of_level[j];
}

/* Later levels first: what they add may be of either sign in the rows that an earlier one holds. */
static void turn_all_signs(const solver *s, achd_real dual[]) {
  for (int k = 0; k <= s->p->levels; k++) {
    for (int of = k == 0 ? s->p->levels : k - 1; of >= 1; of--)
      turn_signs(s, dual + (size_t)(of * s->m), dual + (size_t)(k * s->m));
  }
}

/* The first row of a level that is not within its bounds; -1: none. */
static int first_outside(const solver *s, int level) {
  const achd_real length = length_of_x(s);
  for (int j = 0; j < s->m; j++) {
    if (level_of(s, j) != level) continue;
    if (achd_magnitude(violation_of(s, j)) > loose * terms(s, j, length)) return j;
  }
  return -1;
}

/* Level by level. */
static achd_qp_status solve_levels(solver *s, achd_real dual[], signed char side[],
                                   achd_real last[], achd_qp_report *report) {
  for (int k = 0; k <= s->p->levels; k++) {
    s->up_to = k;
    outcome o = run(s, side, &report->residual);
    if (o == CONTRADICTION && k == 0) {
      report->level = 0;
      report->row = s->refused;
      return ACHD_QP_INFEASIBLE;
    }
    if (o == CONTRADICTION) {
      o = yield(s, k, side, dual + (size_t)(k * s->m), last);
      const int row = first_outside(s, k);
      if (report->level < 0 && row >= 0) report->level = k, report->row = row;
      if (o == MET) o = run(s, side, &report->residual);
    }
    if (o != MET) return ACHD_QP_NOT_SOLVED;
    name_sides(s, side);
  }
  return report->level < 0 ? ACHD_QP_SOLVED : ACHD_QP_YIELDED;
}

/* ---- the whole ---- */

static bool all_finite(const achd_real list[], int count) {
  for (int k = 0; k < count; k++) {
    if (!achd_finite(list[k])) return false;
  }
  return true;
}

static bool good_size(const achd_qp_problem *p) {
  return p->unknowns >= 1 && p->unknowns <= ACHD_QP_UNKNOWNS && p->rows >= 0 &&
         p->rows <= ACHD_QP_ROWS && p->levels >= 0 && p->levels <= ACHD_QP_LEVELS;
}

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
  return all_finite(p->H, n * (n + 1) / 2) && all_finite(p->g, n) && all_finite(p->A, p->rows * n);
}

static achd_real *take(achd_real **work, int count) {
  achd_real *part = *work;
  *work += count;
  return part;
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

/* Memory of the caller's; bounds that are none become infinite. Returns memory that is left. */
static achd_real *prepare(solver *s, const achd_qp_problem *p, achd_real *work) {
  const int n = p->unknowns, m = p->rows, most = n + m;
  s->p = p, s->n = s->size = n, s->m = m;
  s->active = s->steps = 0, s->refused = -1, s->yields = false;
  s->J = take(&work, most * most), s->R = take(&work, most * most);
  s->start = take(&work, n * n);
  s->x = take(&work, most), s->g = take(&work, most), s->u = take(&work, most);
  s->d = take(&work, most), s->z = take(&work, most), s->r = take(&work, most);
  s->lo = take(&work, m), s->hi = take(&work, m), s->norm = take(&work, m);
  s->bound = take(&work, m);
  s->reach = take(&work, m);
  s->stiff = take(&work, m), s->copy = take(&work, n), s->reached = take(&work, n);
  achd_copy(s->g, p->g, n);
  volatile bool *kept = s->kept;
  for (int j = 0; j < m; j++) {
    const achd_real *a = normal(s, j);
    s->lo[j] = p->lo[j] > -ACHD_QP_UNBOUNDED ? p->lo[j] : -ACHD_INFINITY;
    s->hi[j] = p->hi[j] < ACHD_QP_UNBOUNDED ? p->hi[j] : ACHD_INFINITY;
    achd_real sum = 0;
    for (int i = 0; i < n; i++) {
      if (a[i] != 0) sum += a[i] * a[i] / H_at(s, i, i);
    }
    s->norm[j] = achd_sqrt(sum);
    const achd_real low = achd_finite(s->lo[j]) ? achd_magnitude(s->lo[j]) : 0;
    const achd_real high = achd_finite(s->hi[j]) ? achd_magnitude(s->hi[j]) : 0;
    s->bound[j] = low > high ? low : high;
    s->slack[j] = NO_SLACK;
    s->position[j] = OUTSIDE;
    kept[j] = false;
  }
  return work;
}

achd_qp_status achd_qp(const achd_qp_problem *problem, achd_real x[], achd_real dual[],
                       signed char side[], int most_steps, achd_real work[],
                       achd_qp_report *report) {
  report->residual = 0;
  report->steps = 0;
  report->level = report->row = -1;
  if (!good_size(problem)) {
    const bool known = problem->unknowns > 0 && problem->unknowns <= ACHD_QP_UNKNOWNS;
    achd_zero(x, known ? problem->unknowns : 0);
    report->residual = ACHD_INFINITY;
    return ACHD_QP_BAD_INPUT;
  }
  if (!good_input(problem)) return refuse(ACHD_QP_BAD_INPUT, problem, x, dual, side, report);
  solver s;
  achd_real *last = prepare(&s, problem, work);
  if (!factor(&s)) return refuse(ACHD_QP_NOT_CONVEX, problem, x, dual, side, report);
  measure(&s);
  achd_zero(dual, ACHD_QP_DUAL(problem->levels, problem->rows));

  s.most_steps = most_steps > 0 ? most_steps : 40 * (s.n + s.m);
  s.up_to = problem->levels;
  const outcome o = run(&s, side, &report->residual);
  achd_qp_status status = o == MET ? ACHD_QP_SOLVED : ACHD_QP_NOT_SOLVED;
  if (o == CONTRADICTION) status = solve_levels(&s, dual, side, last, report);
  report->steps = s.steps;
  if (!all_finite(s.x, s.n)) return refuse(ACHD_QP_NOT_SOLVED, problem, x, dual, side, report);
  achd_copy(x, s.x, s.n);
  name_sides(&s, side);
  name_multipliers(&s, dual);
  if (s.yields) {
    achd_qp_certificate c;
    turn_all_signs(&s, dual);
    (void)achd_qp_check(problem, x, dual, &c);
    if (!(c.residual <= report->residual)) report->residual = c.residual;
  }
  if ((status == ACHD_QP_SOLVED || status == ACHD_QP_YIELDED) &&
      !(report->residual <= ACHD_QP_RESIDUAL))
    return ACHD_QP_NOT_SOLVED;
  return status;
}
