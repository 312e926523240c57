/* SPDX-License-Identifier: MIT */
/* mclp_oracle.c: see mclp_oracle.h */
#include "mclp_oracle.h"

#include <math.h>
#include <string.h>

/* w_j, the sizes of its terms, and what four units of rounding leave of r, in row j's unit. */
static long double miss(const oracle_problem *p, const long double nu[], int j, long double *sizes,
                        long double *noise) {
  long double w = -p->r[j];
  *sizes = fabsl(p->r[j]);
  long double largest = 0;
  for (int k = 0; k < p->rows; k++) {
    w += p->L[j][k] * nu[k];
    *sizes += fabsl(p->L[j][k] * nu[k]);
    if (p->L[k][k] > 0) largest = fmaxl(largest, fabsl(p->r[k]) / sqrtl(p->L[k][k]));
  }
  *noise = 4 * p->rounding * sqrtl(p->L[j][j]) * largest;
  return w;
}

static long double over(long double x, long double size) {
  return x == 0 ? 0 : x / size;
}

oracle_gap oracle_conditions(const oracle_problem *p, const long double nu[]) {
  oracle_gap gap = {0};
  for (int j = 0; j < p->rows; j++) {
    long double sizes, noise;
    const long double w = miss(p, nu, j, &sizes, &noise);
    long double wrong = 0;
    if (w < 0 && nu[j] != p->hi[j]) wrong = -w;
    if (w > 0 && nu[j] != p->lo[j]) wrong = w;
    gap.outside = fmaxl(gap.outside, fmaxl(p->lo[j] - nu[j], nu[j] - p->hi[j]));
    gap.wrong = fmaxl(gap.wrong, over(fmaxl(wrong - noise, 0), sizes));
  }
  return gap;
}

long double oracle_value(const oracle_problem *p, const long double nu[], long double *scale) {
  long double value = 0;
  *scale = 0;
  for (int j = 0; j < p->rows; j++) {
    for (int k = 0; k < p->rows; k++) {
      value += nu[j] * p->L[j][k] * nu[k] / 2;
      *scale += fabsl(nu[j] * p->L[j][k] * nu[k]) / 2;
    }
    value -= p->r[j] * nu[j];
    *scale += fabsl(p->r[j] * nu[j]);
    if (p->L[j][j] > 0) *scale += p->rounding * p->r[j] * p->r[j] / p->L[j][j];
  }
  return value;
}

/* Gauss with complete pivoting: A x = b, n unknowns; false where A is singular to rounding. */
static bool gauss(int n, long double A[oracle_rows][oracle_rows], long double b[],
                  long double x[]) {
  int column[oracle_rows];
  for (int i = 0; i < n; i++) column[i] = i;
  long double first = 0;
  for (int k = 0; k < n; k++) {
    int row = k, col = k;
    for (int i = k; i < n; i++) {
      for (int j = k; j < n; j++) {
        if (fabsl(A[i][j]) > fabsl(A[row][col])) row = i, col = j;
      }
    }
    const long double pivot = fabsl(A[row][col]);
    if (k == 0) first = pivot;
    if (pivot <= 1e-16L * first) return false;
    for (int j = 0; j < n; j++) {
      const long double t = A[k][j];
      A[k][j] = A[row][j], A[row][j] = t;
    }
    for (int i = 0; i < n; i++) {
      const long double t = A[i][k];
      A[i][k] = A[i][col], A[i][col] = t;
    }
    const long double t = b[k];
    b[k] = b[row], b[row] = t;
    const int c = column[k];
    column[k] = column[col], column[col] = c;
    for (int i = k + 1; i < n; i++) {
      const long double f = A[i][k] / A[k][k];
      for (int j = k; j < n; j++) A[i][j] -= f * A[k][j];
      b[i] -= f * b[k];
    }
  }
  for (int k = n - 1; k >= 0; k--) {
    long double sum = b[k];
    for (int j = k + 1; j < n; j++) sum -= A[k][j] * x[column[j]];
    x[column[k]] = sum / A[k][k];
  }
  return true;
}

/* side[j]: -1, 0, 1. A row without bounds may rest too, at 0: where it depends on others. False:
 * the rows at 0 cannot be solved for, or a bound is infinite. */
static bool solve_sides(const oracle_problem *p, const int side[], long double delta,
                        long double nu[]) {
  int free[oracle_rows], count = 0;
  for (int j = 0; j < p->rows; j++) {
    if (side[j] == 0) {
      free[count++] = j;
    } else {
      nu[j] = side[j] < 0 ? p->lo[j] : p->hi[j];
      if (side[j] < 0 && isinf(p->lo[j]) && isinf(p->hi[j])) nu[j] = 0;
      if (isinf(nu[j])) return false;
    }
  }
  static long double A[oracle_rows][oracle_rows];
  long double b[oracle_rows], x[oracle_rows] = {0};
  /* scaled to a diagonal of 1 */
  long double unit[oracle_rows];
  for (int i = 0; i < count; i++) {
    const long double d = p->L[free[i]][free[i]] + delta;
    if (d <= 0) return false;
    unit[i] = 1 / sqrtl(d);
  }
  for (int i = 0; i < count; i++) {
    const int j = free[i];
    b[i] = p->r[j];
    for (int k = 0; k < p->rows; k++) {
      if (side[k] != 0) b[i] -= p->L[j][k] * nu[k];
    }
    b[i] *= unit[i];
    for (int k = 0; k < count; k++) {
      A[i][k] = (p->L[j][free[k]] + (i == k ? delta : 0)) * unit[i] * unit[k];
    }
  }
  if (!gauss(count, A, b, x)) return false;
  for (int i = 0; i < count; i++) nu[free[i]] = x[i] * unit[i];
  return true;
}

bool oracle_solve(const oracle_problem *p, long double delta, long double nu[]) {
  static oracle_problem shifted;
  shifted = *p;
  for (int j = 0; j < p->rows; j++) shifted.L[j][j] += delta;
  int side[oracle_rows], ways = 1;
  for (int j = 0; j < p->rows; j++) ways *= 3;
  const long double rounding = 1e5L * p->rounding; /* of dependent rows' r, amplified */
  long double best = INFINITY;
  for (int way = 0; way < ways; way++) {
    for (int j = 0, rest = way; j < p->rows; j++, rest /= 3) side[j] = rest % 3 - 1;
    long double x[oracle_rows];
    if (!solve_sides(p, side, delta, x)) continue;
    bool inside = true;
    for (int j = 0; j < p->rows; j++) {
      const long double slack = 1e-12L * (1 + fabsl(x[j]));
      inside = inside && x[j] >= p->lo[j] - slack && x[j] <= p->hi[j] + slack;
      if (side[j] == 0) x[j] = fminl(fmaxl(x[j], p->lo[j]), p->hi[j]);
    }
    if (!inside || oracle_conditions(&shifted, x).wrong > rounding) continue;
    long double scale;
    const long double value = oracle_value(&shifted, x, &scale);
    if (value < best) {
      best = value;
      memcpy(nu, x, sizeof x);
    }
  }
  return best < (long double)INFINITY;
}
