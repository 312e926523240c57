/* SPDX-License-Identifier: MIT */
/* least_norm_test.c: the shortest point of a plane within a box, against all ways to let two, one
 * or no coordinate rest at a bound. */
#include "least_norm.h"

#include "random.h"
#include "test.h"

enum { ROWS = 5, COLUMNS = 2 };
static const double digits = sizeof(achd_real) == sizeof(float) ? 1e-4 : 1e-10;

typedef struct plane {
  double N[COLUMNS][ROWS], lo[ROWS], hi[ROWS], nu[ROWS];
} plane;

/* Through a point of the box, often one of its corners. */
static plane random_plane(unsigned long long *state) {
  plane p;
  for (int i = 0; i < ROWS; i++) {
    const double middle = 4 * random_number(state) - 2;
    p.lo[i] = (double)(achd_real)(middle - 0.1 - random_number(state));
    p.hi[i] = (double)(achd_real)(middle + 0.1 + random_number(state));
    const double where = random_number(state);
    p.nu[i] = where < 0.3   ? p.lo[i]
              : where > 0.7 ? p.hi[i]
                            : (double)(achd_real)((p.lo[i] + p.hi[i]) / 2);
    for (int c = 0; c < COLUMNS; c++) p.N[c][i] = (double)(achd_real)(2 * random_number(state) - 1);
  }
  return p;
}

static double square_of(const plane *p, const double z[COLUMNS], bool *within) {
  double sum = 0;
  *within = true;
  for (int i = 0; i < ROWS; i++) {
    const double x = p->nu[i] + p->N[0][i] * z[0] + p->N[1][i] * z[1];
    if (x < p->lo[i] - 1e-9 || x > p->hi[i] + 1e-9) *within = false;
    sum += x * x;
  }
  return sum;
}

static void consider(const plane *p, const double z[COLUMNS], double *least) {
  bool within;
  const double square = square_of(p, z, &within);
  if (within) *least = fmin(*least, square);
}

/* a . z = b and c . z = d */
static void meet(const plane *p, const double a[2], double b, const double c[2], double d,
                 double *least) {
  const double determinant = a[0] * c[1] - a[1] * c[0];
  const double z[2] = {(b * c[1] - a[1] * d) / determinant, (a[0] * d - b * c[0]) / determinant};
  if (determinant != 0) consider(p, z, least);
}

static double bound(const plane *p, int i, int side) {
  return (side ? p->hi[i] : p->lo[i]) - p->nu[i];
}

static double least_square(const plane *p) {
  double least = INFINITY, G[2][2] = {{0}}, g[2] = {0};
  for (int i = 0; i < ROWS; i++)
    for (int c = 0; c < 2; c++) {
      g[c] -= p->N[c][i] * p->nu[i];
      for (int k = 0; k < 2; k++) G[c][k] += p->N[c][i] * p->N[k][i];
    }
  meet(p, G[0], g[0], G[1], g[1], &least); /* no bound */
  for (int i = 0; i < 2 * ROWS; i++) {
    const double a[2] = {p->N[0][i / 2], p->N[1][i / 2]}, b = bound(p, i / 2, i % 2);
    /* along the line a . z = b the derivative is zero: t . (G z - g) = 0, t across a */
    const double t[2] = {-a[1], a[0]};
    const double c[2] = {t[0] * G[0][0] + t[1] * G[1][0], t[0] * G[0][1] + t[1] * G[1][1]};
    meet(p, a, b, c, t[0] * g[0] + t[1] * g[1], &least);
    for (int k = 0; k < i; k++) {
      const double other[2] = {p->N[0][k / 2], p->N[1][k / 2]};
      meet(p, a, b, other, bound(p, k / 2, k % 2), &least);
    }
  }
  return least;
}

static void shortest_point_is_found(void) {
  unsigned long long state = 1;
  int from_corners = 0;
  for (int k = 0; k < 3000; k++) {
    const plane p = random_plane(&state);
    achd_real N[COLUMNS * ROWS], weight[ROWS], lo[ROWS], hi[ROWS], nu[ROWS];
    achd_real Q[COLUMNS * ROWS], work[2 * ROWS];
    for (int i = 0; i < ROWS; i++) {
      weight[i] = 1;
      lo[i] = (achd_real)p.lo[i], hi[i] = (achd_real)p.hi[i], nu[i] = (achd_real)p.nu[i];
      for (int c = 0; c < COLUMNS; c++) N[c * ROWS + i] = (achd_real)p.N[c][i];
      from_corners += nu[i] == lo[i] || nu[i] == hi[i];
    }
    const achd_bounded_plane plane = {ROWS, COLUMNS, N, weight, lo, hi, Q, work};
    achd_least_norm(&plane, nu, 100);
    double square = 0;
    for (int i = 0; i < ROWS; i++) {
      CHECK(nu[i] >= lo[i] && nu[i] <= hi[i]);
      square += (double)nu[i] * (double)nu[i];
    }
    CHECK_NEAR(square, least_square(&p), digits);
  }
  CHECK(from_corners > 1000);
}

int main(void) {
  RUN(shortest_point_is_found);
  return test_end();
}
