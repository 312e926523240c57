/* SPDX-License-Identifier: MIT */
/* contact_oracle.c: see contact_oracle.h.
 *
 * The barrier of a contact is -log(mu^2 n^2 - t1^2 - t2^2), of a limit -log n, of a box
 * -log(bound - x) - log(bound + x): self-concordant, of parameters 2, 1 and 2. The minimum of weight f + barrier is
 * within (sum of the parameters) / weight of the least f
 * (Nesterov, Nemirovskii, Interior-point polynomial algorithms in convex programming, SIAM 1994). */
#include "contact_oracle.h"

#include <math.h>

enum { ROWS = CONTACT_ORACLE_ROWS };

static bool is_off(const contact_oracle_problem *p, int j) {
  if (j < 3 * p->contacts) return j % 3 != 0 && !(p->mu[j / 3] > 0);
  return j >= 3 * p->contacts + p->limits && !(p->bound[j - 3 * p->contacts - p->limits] > 0);
}

static bool is_cone(const contact_oracle_problem *p, int j) {
  return j < 3 * p->contacts && p->mu[j / 3] > 0;
}

/* Bounds of row j where it is in no cone. */
static void bounds_of(const contact_oracle_problem *p, int j, long double *lo, long double *hi) {
  *lo = 0, *hi = INFINITY;
  const int box = j - 3 * p->contacts - p->limits;
  if (box >= 0) *hi = p->bound[box], *lo = -*hi;
}

static long double largest_energy(const contact_oracle_problem *p) {
  long double most = 0;
  for (int j = 0; j < p->rows; j++) most = fmaxl(most, p->c[j] * p->c[j] / p->G[j][j]);
  return most;
}

/* ---- the conditions ---- */

contact_oracle_conditions contact_oracle_check(const contact_oracle_problem *p,
                                               const long double x[]) {
  contact_oracle_conditions is = {0, 0, 0};
  long double w[ROWS], terms[ROWS];
  const long double rounding = sqrtl(largest_energy(p)) * 1e-9L;
  for (int j = 0; j < p->rows; j++) {
    w[j] = p->c[j], terms[j] = fabsl(p->c[j]) + rounding * sqrtl(p->G[j][j]);
    for (int k = 0; k < p->rows; k++)
      w[j] += p->G[j][k] * x[k], terms[j] += fabsl(p->G[j][k] * x[k]);
  }
  for (int j = 0; j < p->rows; j++) {
    long double lo, hi;
    bounds_of(p, j, &lo, &hi);
    if (j < 3 * p->contacts) {
      if (j % 3 != 0) continue;
      const long double mu = p->mu[j / 3], t = hypotl(x[j + 1], x[j + 2]),
                        slip = hypotl(w[j + 1], w[j + 2]);
      const long double size = fmaxl(p->G[j][j], fmaxl(p->G[j + 1][j + 1], p->G[j + 2][j + 2]));
      const long double all = fmaxl(terms[j], fmaxl(terms[j + 1], terms[j + 2]));
      const long double work = w[j] * x[j] + w[j + 1] * x[j + 1] + w[j + 2] * x[j + 2];
      if (x[j] < 0) is.cone = fmaxl(is.cone, 1);
      if (t > mu * x[j]) is.cone = fmaxl(is.cone, (t - mu * x[j]) / (t + mu * fabsl(x[j])));
      is.dual = fmaxl(is.dual, (mu * slip - w[j]) / (all * sqrtl(1 + mu * mu)));
      is.product = fmaxl(is.product, fabsl(work) / (all * (fabsl(x[j]) + t + all / size)));
      continue;
    }
    if (x[j] < lo || x[j] > hi)
      is.cone = fmaxl(is.cone, fmaxl(lo - x[j], x[j] - hi) / fmaxl(fabsl(x[j]), 1e-300L));
    /* w > 0 is for the lower bound, w < 0 for the upper one */
    const long double room = w[j] > 0 ? x[j] - lo : hi - x[j];
    is.product = fmaxl(is.product, fminl(fabsl(w[j]), p->G[j][j] * room) / terms[j]);
  }
  return is;
}

long double contact_oracle_distance(const contact_oracle_problem *p, const long double a[],
                                    const long double b[], long double *size) {
  long double square = 0, own = 0;
  for (int j = 0; j < p->rows; j++) {
    for (int k = 0; k < p->rows; k++) {
      square += (a[j] - b[j]) * p->G[j][k] * (a[k] - b[k]);
      own += a[j] * p->G[j][k] * a[k];
    }
  }
  *size = sqrtl(fmaxl(own, largest_energy(p)));
  if (!(*size > 0)) *size = 1;
  return sqrtl(fmaxl(square, 0));
}

/* ---- the minimum ---- */

/* Gradient g and Hessian H of weight f + barrier. */
static void derive(const contact_oracle_problem *p, long double weight, const long double x[],
                   long double g[], long double H[][ROWS]) {
  for (int j = 0; j < p->rows; j++) {
    g[j] = p->c[j];
    for (int k = 0; k < p->rows; k++) g[j] += p->G[j][k] * x[k];
    g[j] *= weight;
    for (int k = 0; k <= j; k++) H[j][k] = weight * p->G[j][k];
  }
  for (int j = 0; j < p->rows; j++) {
    if (is_cone(p, j)) {
      if (j % 3 != 0) continue;
      const long double mu = p->mu[j / 3], t = hypotl(x[j + 1], x[j + 2]);
      const long double det = (mu * x[j] - t) * (mu * x[j] + t);
      const long double d[3] = {mu * mu * x[j], -x[j + 1], -x[j + 2]}, s[3] = {mu * mu, -1, -1};
      for (int i = 0; i < 3; i++) {
        g[j + i] -= 2 * d[i] / det;
        for (int k = 0; k <= i; k++)
          H[j + i][j + k] += 4 * d[i] * d[k] / (det * det) - (i == k ? 2 * s[i] / det : 0);
      }
      continue;
    }
    if (is_off(p, j)) continue;
    long double lo, hi;
    bounds_of(p, j, &lo, &hi);
    const long double below = 1 / (x[j] - lo), above = 1 / (hi - x[j]);
    g[j] += above - below;
    H[j][j] += below * below + above * above;
  }
  for (int j = 0; j < p->rows; j++) {
    for (int k = 0; k < p->rows; k++) {
      if (is_off(p, j) || is_off(p, k)) H[j > k ? j : k][j > k ? k : j] = j == k;
    }
    if (is_off(p, j)) g[j] = 0;
  }
}

/* d <- -H^-1 g by Cholesky; returns g^T H^-1 g. */
static long double newton(int n, long double H[][ROWS], const long double g[], long double d[]) {
  for (int j = 0; j < n; j++) {
    for (int k = 0; k <= j; k++) {
      for (int i = 0; i < k; i++) H[j][k] -= H[j][i] * H[k][i];
      H[j][k] = j == k ? sqrtl(H[j][j]) : H[j][k] / H[k][k];
    }
    d[j] = -g[j];
    for (int i = 0; i < j; i++) d[j] -= H[j][i] * d[i];
    d[j] /= H[j][j];
  }
  long double square = 0;
  for (int j = n - 1; j >= 0; j--) {
    square += d[j] * d[j];
    for (int i = j + 1; i < n; i++) d[j] -= H[i][j] * d[i];
    d[j] /= H[j][j];
  }
  return square;
}

long double contact_oracle_solve(const contact_oracle_problem *p, long double x[]) {
  static long double H[ROWS][ROWS], g[ROWS], d[ROWS];
  const long double energy = largest_energy(p);
  long double parameter = 0;
  for (int j = 0; j < p->rows; j++) {
    const bool box = j >= 3 * p->contacts + p->limits;
    const long double start = sqrtl(energy / p->G[j][j]);
    x[j] = box || (j < 3 * p->contacts && j % 3 != 0) ? 0 : start;
    parameter += j < 3 * p->contacts ? (j % 3 == 0 ? 2 : 0) : box ? 2 : 1;
  }
  if (!(energy > 0)) {
    for (int j = 0; j < p->rows; j++) x[j] = 0;
    return 0;
  }
  long double weight = 1 / energy, reached = -1;
  const long double last = parameter * 1e17L / energy;
  for (int steps = 0; steps < 100; steps++) {
    derive(p, weight, x, g, H);
    const long double decrement = sqrtl(newton(p->rows, H, g, d));
    if (!(decrement >= 0)) return reached;
    const long double step = decrement > 0.25L ? 1 / (1 + decrement) : 1;
    for (int j = 0; j < p->rows; j++) x[j] += step * d[j];
    if (decrement > 0.05L) continue;
    reached = parameter / weight;
    if (weight >= last) return reached;
    weight *= 10, steps = 0;
  }
  return reached; /* rounding ends it */
}
