/* SPDX-License-Identifier: MIT */
/* least_norm.c: see least_norm.h */
#include "least_norm.h"

#include "vector.h"

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

/* a <- cosine a + sine b, b <- cosine b - sine a */
static void turn(int n, achd_real a[], achd_real b[], achd_real cosine, achd_real sine) {
  for (int i = 0; i < n; i++) {
    const achd_real x = a[i], y = b[i];
    a[i] = cosine * x + sine * y;
    b[i] = cosine * y - sine * x;
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
    turn(s->rows, q, other, cosine, sine);
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
 * of the bounds balance the gradient g of what is minimised: q_c^T g = sum_{k >= c} q_c[row_k]
 * lambda_k, from the last to the first. size: of g's terms. */
static int wrong_way(const space *s, const achd_bounded_plane *plane, const achd_real nu[],
                     const achd_real g[], achd_real size, achd_real lambda[]) {
  const achd_real *lo = plane->lo, *hi = plane->hi, least = rounding * size;
  int which = -1;
  for (int c = s->held - 1; c >= 0; c--) {
    const achd_real *q = column(s, c);
    achd_real rest = dot(s->rows, q, g);
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

/* Moves nu by as much of a step as the bounds allow, and holds the row whose bound stops it. Whether
 * the whole step was made. */
static bool move(space *s, const achd_bounded_plane *plane, const achd_real step[],
                 achd_real length, achd_real nu[]) {
  const achd_real *lo = plane->lo, *hi = plane->hi;
  int row;
  const achd_real share = allowed(s, plane, nu, step, length, &row);
  for (int i = 0; i < s->rows; i++) nu[i] = achd_clamp(nu[i] + share * step[i], lo[i], hi[i]);
  if (row < 0) return true;
  nu[row] = step[row] < 0 ? lo[row] : hi[row];
  hold(s, row);
  return false;
}

static void begin(space *s, const achd_bounded_plane *plane) {
  s->rows = plane->rows, s->columns = plane->columns, s->held = 0;
  s->Q = plane->Q, s->weight = plane->weight;
  orthonormalize(s->rows, s->columns, plane->N);
  achd_copy(plane->Q, plane->N, s->rows * s->columns);
}

void achd_least_norm(const achd_bounded_plane *plane, achd_real nu[], int most_steps) {
  const int rows = plane->rows;
  space s;
  begin(&s, plane);
  achd_real *step = plane->work, *lambda = plane->work + rows;
  for (int k = 0; k < most_steps; k++) {
    const achd_real length = towards_zero(&s, nu, step), size = achd_sqrt(dot(rows, nu, nu));
    if (length > rounding * size) {
      (void)move(&s, plane, step, length, nu);
      continue;
    }
    const int which = wrong_way(&s, plane, nu, nu, size, lambda);
    if (which < 0) return;
    release(&s, plane->N, which);
  }
}

/* ---- least torque ---- */

/* Of the largest column of B: a direction below causes no torque. */
static const achd_real no_torque = 16384 * ACHD_EPSILON;

static achd_real weight_of(const achd_mclp_torques *t, int m) {
  return t->weight ? t->weight[m] : 1;
}

/* Columns of B from `first` on: the torques of columns of Q, by roots of their weights. */
static void make_B(const space *s, const achd_torque_plane *of, int first) {
  const achd_mclp_torques *t = of->torques;
  for (int c = first; c < s->columns; c++) {
    const achd_real *q = column(s, c);
    achd_real *b = of->B + (size_t)(c * t->motors);
    for (int m = 0; m < t->motors; m++) {
      achd_real sum = 0;
      for (int i = 0; i < s->rows; i++) sum += t->per_nu[i * t->motors + m] * q[i];
      b[m] = achd_sqrt(weight_of(t, m)) * sum;
    }
  }
}

/* Turns columns of Q from `first` on until those of B are orthogonal. */
static void orthogonalize(const space *s, const achd_torque_plane *of, int first) {
  const int motors = of->torques->motors;
  bool turned = true;
  for (int sweep = 0; turned && sweep < 30; sweep++) {
    turned = false;
    for (int a = first; a < s->columns; a++) {
      for (int b = a + 1; b < s->columns; b++) {
        achd_real *Ba = of->B + (size_t)(a * motors), *Bb = of->B + (size_t)(b * motors);
        const achd_real aa = dot(motors, Ba, Ba), bb = dot(motors, Bb, Bb),
                        ab = dot(motors, Ba, Bb);
        if (achd_magnitude(ab) <= ACHD_EPSILON * achd_sqrt(aa) * achd_sqrt(bb)) continue;
        achd_real cosine, sine;
        achd_jacobi(aa, bb, ab, &cosine, &sine);
        turn(motors, Ba, Bb, cosine, -sine);
        turn(s->rows, column(s, a), column(s, b), cosine, -sine);
        turned = true;
      }
    }
  }
}

/* The torques of nu, by roots of their weights, and their gradient g by nu. Returns the size of the
 * terms of g. */
static achd_real torques_at(const space *s, const achd_torque_plane *of, const achd_real nu[],
                            achd_real g[]) {
  const achd_mclp_torques *t = of->torques;
  const int rows = s->rows;
  achd_real size = 0, largest = 0; /* force, whose rounding is in every torque */
  achd_zero(g, rows);
  for (int i = 0; i < rows; i++) {
    const achd_real force = s->weight[i] * achd_magnitude(nu[i]);
    if (force > largest) largest = force;
  }
  for (int m = 0; m < t->motors; m++) {
    achd_real tau = t->at_0[m], terms = achd_magnitude(tau), per = 0;
    for (int i = 0; i < rows; i++) {
      const achd_real one = t->per_nu[i * t->motors + m];
      tau += one * nu[i];
      terms += achd_magnitude(one * nu[i]);
      if (s->weight[i] > 0) terms += achd_magnitude(one) * largest / s->weight[i];
      if (achd_magnitude(one) > per) per = achd_magnitude(one);
    }
    for (int i = 0; i < rows; i++) g[i] += t->per_nu[i * t->motors + m] * weight_of(t, m) * tau;
    size += per * weight_of(t, m) * terms;
    of->tau[m] = achd_sqrt(weight_of(t, m)) * tau;
  }
  return size;
}

/* step: to the least torque over the free columns. Returns its length. */
static achd_real towards_no_torque(const space *s, const achd_torque_plane *of, achd_real largest,
                                   achd_real step[]) {
  const int motors = of->torques->motors;
  make_B(s, of, s->held);
  orthogonalize(s, of, s->held);
  achd_zero(step, s->rows);
  for (int c = s->held; c < s->columns; c++) {
    const achd_real *b = of->B + (size_t)(c * motors), *q = column(s, c);
    const achd_real squares = dot(motors, b, b);
    if (achd_sqrt(squares) <= no_torque * largest) continue;
    const achd_real along = dot(motors, b, of->tau) / squares;
    for (int i = 0; i < s->rows; i++) step[i] -= along * q[i];
  }
  return achd_sqrt(dot(s->rows, step, step));
}

static achd_real largest_column(const space *s, const achd_torque_plane *of) {
  const int motors = of->torques->motors;
  achd_real largest = 0;
  for (int c = 0; c < s->columns; c++) {
    const achd_real *b = of->B + (size_t)(c * motors), length = achd_sqrt(dot(motors, b, b));
    if (length > largest) largest = length;
  }
  return largest;
}

/* Leaves in N the columns without torque; how many there are. */
static int without_torque(space *s, const achd_bounded_plane *plane, const achd_torque_plane *of,
                          achd_real largest) {
  const int motors = of->torques->motors;
  int count = 0;
  s->held = 0;
  achd_copy(s->Q, plane->N, s->rows * s->columns);
  make_B(s, of, 0);
  orthogonalize(s, of, 0);
  for (int c = 0; c < s->columns; c++) {
    const achd_real *b = of->B + (size_t)(c * motors);
    if (achd_sqrt(dot(motors, b, b)) > no_torque * largest) continue;
    achd_copy(plane->N + (size_t)(count * s->rows), column(s, c), s->rows);
    count++;
  }
  return count;
}

void achd_least_torque(const achd_bounded_plane *plane, const achd_torque_plane *of, achd_real nu[],
                       int most_steps) {
  space s;
  begin(&s, plane);
  achd_real *step = plane->work, *lambda = plane->work + s.rows, *g = of->forces;
  make_B(&s, of, 0);
  const achd_real largest = largest_column(&s, of);
  int whole = 0; /* steps at the present bounds: the second one is refinement */
  for (int k = 0; k < most_steps; k++) {
    const achd_real size = torques_at(&s, of, nu, g);
    const achd_real length = towards_no_torque(&s, of, largest, step);
    if (whole < 2 && length > rounding * rounding * achd_sqrt(dot(s.rows, nu, nu))) {
      whole = move(&s, plane, step, length, nu) ? whole + 1 : 0;
      continue;
    }
    const int which = wrong_way(&s, plane, nu, g, size, lambda);
    if (which < 0) break;
    release(&s, plane->N, which);
    whole = 0;
  }
  achd_zero(of->forces, s.rows);
  for (int c = 0; c < s.held; c++) of->forces[s.row[c]] = lambda[c];
  const achd_bounded_plane rest = {plane->rows, without_torque(&s, plane, of, largest),
                                   plane->N,    plane->weight,
                                   plane->lo,   plane->hi,
                                   plane->Q,    plane->work};
  if (rest.columns > 0) achd_least_norm(&rest, nu, most_steps);
}
