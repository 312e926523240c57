/* SPDX-License-Identifier: MIT */
/* qp_factors.c: what H and the rows in the active set are factored into.
 *
 * Of the rows in the active set, n_c = a_c at hi, -a_c at lo, the columns of N:
 *   H = L L^T,   L^-1 N = Q R,   Q with orthonormal columns, R upper triangular
 * L^-1 is computed once. A row that enters adds a column to Q and R (Gram and Schmidt, with a second pass where much was
 * taken away: Daniel, Gragg, Kaufman, Stewart, Reorthogonalization and stable algorithms for updating the Gram-Schmidt
 * QR factorization, Mathematics of Computation 30, 1976); one that leaves turns those behind it. So the effort
 * of a step grows with the rows that are active, and not with the square of the unknowns only. */
#include "qp_solver.h"

/* Relative: what of a normal must be left for it not to depend on the active ones; for it not to follow from what levels
 * have reached; least pivot of H. */
static const achd_real dependent =
    (achd_real)(sizeof(achd_real) == sizeof(float) ? 64 : 256) * ACHD_EPSILON;
static const achd_real hardly = (achd_real)(sizeof(achd_real) == sizeof(float) ? 1e-5 : 1e-10);
static const achd_real least_pivot = 16 * ACHD_EPSILON;

/* ---- H ---- */

static const achd_real *row_of_H(const achd_qp_solver *s, int i) {
  return s->p->H + (size_t)(i * (i + 1) / 2);
}

static achd_real *row_of_inverse(const achd_qp_solver *s, int i) {
  return s->inverse + (size_t)(i * s->n);
}

/* U <- L^T, by rows of n, its diagonal as inverse; each row takes its share from those below at once. end: of its rows. */
static bool factor(achd_qp_solver *s, achd_real U[]) {
  const int n = s->n;
  volatile unsigned char *ends = s->end;
  for (int i = 0; i < n; i++) {
    const achd_real *H = row_of_H(s, i);
    int first = 0;
    while (first < i && H[first] == 0) first++;
    s->first[i] = (unsigned char)first;
    for (int k = 0; k <= i; k++) U[k * n + i] = H[k];
    for (int k = first; k <= i; k++) ends[k] = (unsigned char)(i + 1);
  }
  for (int k = 0; k < n; k++) {
    achd_real *Uk = U + (size_t)(k * n);
    const int end = s->end[k];
    if (!(s->own[k] > 0) || !(Uk[k] > least_pivot * s->own[k])) return false;
    Uk[k] = 1 / achd_sqrt(Uk[k]);
    for (int i = k + 1; i < end; i++) Uk[i] *= Uk[k];
    for (int i = k + 1; i < end; i++) add_to(end - i, -Uk[i], Uk + i, U + (size_t)(i * n + i));
  }
  return true;
}

/* Row i of L^-1 from those before: L_ii row_i = e_i - sum_k L_ik row_k. */
bool achd_qp_factor(achd_qp_solver *s) {
  const int n = s->n;
  achd_real *U = s->R; /* not in use yet */
  volatile unsigned char *ends = s->end;
  if (!factor(s, U)) return false;
  for (int i = 0; i < n; i++) {
    achd_real *row = row_of_inverse(s, i);
    int begin = i;
    achd_zero(row, i);
    for (int k = i - 1; k >= s->first[i]; k--) {
      const int from = s->begin[k];
      if (from < begin) begin = from;
      add_to(k + 1 - from, -U[k * n + i], row_of_inverse(s, k) + from, row + from);
    }
    const achd_real by = U[i * n + i];
    row[i] = by;
    for (int k = begin; k < i; k++) {
      row[k] *= by;
      row_of_inverse(s, k)[i] = row[k];
      ends[k] = (unsigned char)(i + 1);
    }
    s->begin[i] = (unsigned char)begin;
    s->end[i] = (unsigned char)(i + 1);
  }
  for (int i = 0; i < n; i++) {
    const achd_real *row = row_of_inverse(s, i) + i;
    s->length[i] = achd_sqrt(dot(s->end[i] - i, row, row));
  }
  return true;
}

/* sum <- g + H x, of the problem's own unknowns. */
void achd_qp_slope(const achd_qp_solver *s, achd_real sum[]) {
  const achd_real *x = s->x;
  for (int i = 0; i < s->n; i++) {
    const achd_real *H = row_of_H(s, i);
    const int first = s->first[i];
    sum[i] = s->g[i] + H[i] * x[i] + dot(i - first, H + first, x + first);
    add_to(i - first, x[i], H + first, sum + first);
  }
}

/* ---- L, Q and R ---- */

/* to <- L^-1 of */
void achd_qp_solve_l(const achd_qp_solver *s, const achd_real of[], achd_real to[]) {
  for (int i = 0; i < s->n; i++) {
    const int begin = s->begin[i];
    to[i] = dot(i + 1 - begin, row_of_inverse(s, i) + begin, of + begin);
  }
  for (int i = s->n; i < s->size; i++) to[i] = s->soft[i - s->n] * of[i];
}

/* to <- L^-T of; they may be the same */
void achd_qp_solve_l_transposed(const achd_qp_solver *s, const achd_real of[], achd_real to[]) {
  for (int i = 0; i < s->n; i++) to[i] = dot(s->end[i] - i, row_of_inverse(s, i) + i, of + i);
  for (int i = s->n; i < s->size; i++) to[i] = s->soft[i - s->n] * of[i];
}

/* to <- Q^T of */
void achd_qp_times_q_transposed(const achd_qp_solver *s, const achd_real of[], achd_real to[]) {
  for (int c = 0; c < s->active; c++) to[c] = dot(s->tail[c], column_of_Q(s, c), of);
}

/* y <- y + Q by */
void achd_qp_add_q(const achd_qp_solver *s, const achd_real by[], achd_real y[]) {
  for (int c = 0; c < s->active; c++) add_to(s->tail[c], by[c], column_of_Q(s, c), y);
}

/* y <- R^-1 y */
void achd_qp_solve_r(const achd_qp_solver *s, achd_real y[]) {
  for (int c = s->active - 1; c >= 0; c--) {
    const achd_real *R = column_of_R(s, c);
    y[c] /= R[c];
    add_to(c, -y[c], R, y);
  }
}

/* y <- R^-T y */
void achd_qp_solve_r_transposed(const achd_qp_solver *s, achd_real y[]) {
  for (int c = 0; c < s->active; c++) {
    const achd_real *R = column_of_R(s, c);
    y[c] = (y[c] - dot(c, R, y)) / R[c];
  }
}

/* ---- the active set ---- */

/* No row is active. */
void achd_qp_clear(achd_qp_solver *s) {
  volatile unsigned char *position = s->position;
  for (int i = s->n; i < s->size; i++) s->soft[i - s->n] = 1 / achd_sqrt(s->stiff[i - s->n]);
  for (int j = 0; j < s->m; j++) position[j] = OUTSIDE;
  s->active = 0;
}

/* w <- L^-1 n of row j at its bound `sign`; reach */
static void transform(achd_qp_solver *s, int j, int sign) {
  const achd_real *a = normal(s, j);
  const int from = s->from[j], to = s->to[j], n = s->n;
  achd_real *w = s->w, reach = 0;
  achd_zero(w, from);
  for (int i = from; i < n; i++) {
    const int begin = s->begin[i] > from ? s->begin[i] : from, end = i < to ? i + 1 : to;
    w[i] = (achd_real)sign * dot(end - begin, row_of_inverse(s, i) + begin, a + begin);
  }
  for (int i = from; i < to; i++) reach += achd_magnitude(a[i]) * s->length[i];
  s->reach[j] = reach;
  achd_zero(w + n, s->size - n);
  if (s->slack[j] != NO_SLACK) w[n + s->slack[j]] = -(achd_real)sign * s->soft[s->slack[j]];
}

/* d <- Q^T L^-1 n of row j at its bound `sign`, w <- what Q leaves of L^-1 n; *left <- |w|^2 where it is more than rounding,
 * else 0. What levels have reached is known to rounding only, and rows of the same cone depend on it but for the
 * rounding of A: along what little such a row leaves, a violation of 1e-9 would be a step of any size. It follows
 * from the active rows instead. */
void achd_qp_project(achd_qp_solver *s, int j, int sign, achd_real *left) {
  achd_real *d = s->d, *w = s->w, *by = s->z;
  transform(s, j, sign);
  const achd_real all = dot(s->size, w, w);
  *left = all;
  achd_zero(d, s->active);
  for (int pass = 0; s->active > 0 && pass < 2; pass++) {
    achd_qp_times_q_transposed(s, w, by);
    for (int c = 0; c < s->active; c++) d[c] += by[c], by[c] = -by[c];
    achd_qp_add_q(s, by, w);
    *left = dot(s->size, w, w);
    if (*left > all / 2) break;
  }
  const bool may_follow = s->yields && s->slack[j] == NO_SLACK;
  const achd_real least = (may_follow ? hardly : dependent) * s->reach[j];
  if (!(*left > least * least)) *left = 0;
}

/* Row j enters at its bound `sign`, with d and w of achd_qp_project, left = |w|^2 > 0. */
void achd_qp_enter(achd_qp_solver *s, int j, int sign, achd_real left, achd_real multiplier) {
  const int q = s->active;
  const achd_real length = achd_sqrt(left), by = 1 / length;
  achd_real *Q = column_of_Q(s, q), *R = column_of_R(s, q);
  int tail = s->size;
  while (tail > 1 && s->w[tail - 1] == 0) tail--;
  for (int i = 0; i < tail; i++) Q[i] = by * s->w[i];
  achd_zero(Q + tail, s->size - tail);
  achd_copy(R, s->d, q);
  R[q] = length;
  s->tail[q] = (unsigned short)tail;
  s->row[q] = (unsigned char)j;
  s->position[j] = (unsigned char)q;
  s->sign[j] = (signed char)sign;
  s->u[q] = multiplier;
  s->active = q + 1;
}

/* a <- cosine a + sine b, b <- cosine b - sine a */
static void turn(int n, achd_real cosine, achd_real sine, achd_real *restrict a,
                 achd_real *restrict b) {
  for (int i = 0; i < n; i++) {
    const achd_real x = a[i], y = b[i];
    a[i] = cosine * x + sine * y;
    b[i] = cosine * y - sine * x;
  }
}

/* The row at this position of the active set leaves it. Rotations make R triangular again; what they leave of the last
 * column of Q goes. */
void achd_qp_leave(achd_qp_solver *s, int position) {
  const int q = s->active - 1;
  s->position[s->row[position]] = OUTSIDE;
  for (int c = position; c < q; c++) {
    achd_copy(column_of_R(s, c), column_of_R(s, c + 1), c + 2);
    s->row[c] = s->row[c + 1];
    s->u[c] = s->u[c + 1];
    s->position[s->row[c]] = (unsigned char)c;
  }
  s->active = q;
  for (int c = position; c < q; c++) {
    achd_real *R = column_of_R(s, c);
    const achd_real a = R[c], b = R[c + 1], length = achd_sqrt(a * a + b * b);
    if (length == 0) continue;
    const achd_real cosine = a / length, sine = b / length;
    R[c] = length;
    for (int e = c + 1; e < q; e++) {
      achd_real *Re = column_of_R(s, e);
      const achd_real above = Re[c], below = Re[c + 1];
      Re[c] = cosine * above + sine * below;
      Re[c + 1] = cosine * below - sine * above;
    }
    if (s->tail[c + 1] > s->tail[c]) s->tail[c] = s->tail[c + 1];
    s->tail[c + 1] = s->tail[c];
    turn(s->tail[c], cosine, sine, column_of_Q(s, c), column_of_Q(s, c + 1));
  }
}
