/* least_norm.c: see least_norm.h */
#include "least_norm.h"

#include <achd/mclp.h>

#include "mathematics.h"

static const achd_real rounding = 256 * ACHD_EPSILON; /* relative */

/* The space in which nu may move: columns held .. columns - 1 of Q; the columns before are what the
 * rows at their bounds took away, column c by row row[c], in whose element later columns are 0. */
typedef struct space {
  int rows, columns, held;
  achd_real *Q;
  const achd_real *weight;
  unsigned char row[ACHD_MCLP_ROWS];
} space;

static achd_real dot(int n, const achd_real *a, const achd_real *b) {
  achd_real sum = 0;
  for (int i = 0; i < n; i++) sum += a[i] * b[i];
  return sum;
}

static achd_real *column(const space *s, int c) {
  return s->Q + (size_t)(c * s->rows);
}

/* Gram and Schmidt, twice (Giraud, Langou, Rozloznik 2005: twice is enough). */
static void orthonormalize(int n, int columns, achd_real N[]) {
  for (int c = 0; c < columns; c++) {
    achd_real *a = N + (size_t)(c * n);
    for (int pass = 0; pass < 2; pass++) {
      for (int k = 0; k < c; k++) {
        const achd_real *b = N + (size_t)(k * n), along = dot(n, a, b);
        for (int i = 0; i < n; i++) a[i] -= along * b[i];
      }
      const achd_real length = achd_sqrt(dot(n, a, a));
      for (int i = 0; i < n; i++) a[i] /= length;
    }
  }
}

/* Holds a row: turns the space until one column only moves it, and takes that away. */
static void hold(space *s, int row) {
  achd_real *q = column(s, s->held);
  for (int c = s->held + 1; c < s->columns; c++) {
    achd_real *other = column(s, c);
    const achd_real length = achd_sqrt(q[row] * q[row] + other[row] * other[row]);
    if (length == 0) continue;
    const achd_real cosine = q[row] / length, sine = other[row] / length;
    for (int i = 0; i < s->rows; i++) {
      const achd_real x = q[i], y = other[i];
      q[i] = cosine * x + sine * y;
      other[i] = cosine * y - sine * x;
    }
    other[row] = 0;
  }
  s->row[s->held++] = (unsigned char)row;
}

static bool holds(const space *s, int row) {
  for (int c = 0; c < s->held; c++) {
    if (s->row[c] == row) return true;
  }
  return false;
}

/* The space with row number `which` of those held let go. */
static void release(space *s, const achd_real N[], int which) {
  unsigned char kept[ACHD_MCLP_ROWS];
  const int count = s->held;
  volatile unsigned char *written = kept;
  for (int c = 0; c < count; c++) written[c] = s->row[c];
  achd_copy(s->Q, N, s->rows * s->columns);
  s->held = 0;
  for (int c = 0; c < count; c++) {
    if (c != which) hold(s, kept[c]);
  }
}

/* step = -Q Q^T nu over the free columns: to the least norm. Returns its length. */
static achd_real towards_zero(const space *s, const achd_real nu[], achd_real step[]) {
  achd_zero(step, s->rows);
  for (int c = s->held; c < s->columns; c++) {
    const achd_real *q = column(s, c), along = dot(s->rows, q, nu);
    for (int i = 0; i < s->rows; i++) step[i] -= along * q[i];
  }
  return achd_sqrt(dot(s->rows, step, step));
}

/* Of the rows held, the least one whose bound pushes nu the wrong way; -1: none. The forces lambda
 * of the bounds balance nu: q_c^T nu = sum_{k >= c} q_c[row_k] lambda_k, from the last to the
 * first. */
static int wrong_way(const space *s, const achd_real lo[], const achd_real hi[],
                     const achd_real nu[], achd_real lambda[]) {
  const achd_real least = rounding * achd_sqrt(dot(s->rows, nu, nu));
  int which = -1;
  for (int c = s->held - 1; c >= 0; c--) {
    const achd_real *q = column(s, c);
    achd_real rest = dot(s->rows, q, nu);
    for (int k = c + 1; k < s->held; k++) rest -= q[s->row[k]] * lambda[k];
    const int row = s->row[c];
    lambda[c] = rest / q[row];
    const bool wrong =
        achd_magnitude(rest) > least && (lambda[c] < 0 ? nu[row] < hi[row] : nu[row] > lo[row]);
    if (wrong && (which < 0 || row < s->row[which])) which = c;
  }
  return which;
}

/* Whether element i of a step is more than rounding: by weight, in which the elements of the
 * columns are of one size; largest: of weight times step. A row without weight stands alone in its
 * column. */
static bool moves(const space *s, const achd_real step[], achd_real length, achd_real largest,
                  int i) {
  if (s->weight[i] == 0) return achd_magnitude(step[i]) > rounding * length;
  return s->weight[i] * achd_magnitude(step[i]) > rounding * largest;
}

/* How much of a step the bounds allow, at most 1; *row: the least one that stops it, or -1. */
static achd_real allowed(const space *s, const achd_bounded_plane *plane, const achd_real nu[],
                         const achd_real step[], achd_real length, int *row) {
  const achd_real *lo = plane->lo, *hi = plane->hi;
  achd_real share = 1, largest = 0;
  *row = -1;
  for (int i = 0; i < s->rows; i++) {
    const achd_real x = s->weight[i] * achd_magnitude(step[i]);
    if (x > largest) largest = x;
  }
  for (int i = 0; i < s->rows; i++) {
    if (!moves(s, step, length, largest, i) || holds(s, i)) continue;
    const achd_real room = ((step[i] < 0 ? lo[i] : hi[i]) - nu[i]) / step[i];
    if (room < share) share = room < 0 ? 0 : room, *row = i;
  }
  return share;
}

void achd_least_norm(const achd_bounded_plane *plane, achd_real nu[], int most_steps) {
  const int rows = plane->rows, columns = plane->columns;
  const achd_real *lo = plane->lo, *hi = plane->hi;
  space s;
  s.rows = rows, s.columns = columns, s.held = 0, s.Q = plane->Q, s.weight = plane->weight;
  achd_real *step = plane->work, *lambda = plane->work + rows;
  orthonormalize(rows, columns, plane->N);
  achd_copy(plane->Q, plane->N, rows * columns);
  for (int k = 0; k < most_steps; k++) {
    const achd_real length = towards_zero(&s, nu, step);
    if (length <= rounding * achd_sqrt(dot(rows, nu, nu))) {
      const int which = wrong_way(&s, lo, hi, nu, lambda);
      if (which < 0) return;
      release(&s, plane->N, which);
      continue;
    }
    int row;
    const achd_real share = allowed(&s, plane, nu, step, length, &row);
    for (int i = 0; i < rows; i++) nu[i] = achd_clamp(nu[i] + share * step[i], lo[i], hi[i]);
    if (row < 0) continue;
    nu[row] = step[row] < 0 ? lo[row] : hi[row];
    hold(&s, row);
  }
}
