/* SPDX-License-Identifier: MIT */
/* spectrum.c: see spectrum.h
 *
 * L = V diag(x) V^T by Jacobi's rotations (Golub, Van Loan, Matrix Computations, 8.5); nu = sum of v_k (v_k . r) / x_k over the
 * eigenvalues x_k > t x_max. A row without a force is none of L. */
#include "check/spectrum.h"

#include <math.h>

enum { SWEEPS = 30 };
/* L is known to rounding over the threshold. */
static const double closely = 1e-2, closely_single = 0.3;

ag_spectrum ag_spectrum_new(int m, double threshold, bool single, ag_arena *arena) {
  const size_t size = ((size_t)m * (size_t)m + 1) * sizeof(long double);
  return (ag_spectrum){.threshold = threshold,
                       .closely = single ? closely_single : closely,
                       .m = m,
                       .A = ag_alloc(arena, size),
                       .V = ag_alloc(arena, size)};
}

/* x, y <- c x - s y, s x + c y */
static void turn(long double *x, long double *y, long double c, long double s) {
  const long double kept = *x;
  *x = c * kept - s * *y;
  *y = s * kept + c * *y;
}

/* A <- G^T A G with a_pq = 0, V <- V G */
static void rotate(ag_spectrum *s, int p, int q) {
  const int m = s->m;
  long double *A = s->A;
  if (A[p * m + q] == 0) return;
  const long double ratio = (A[q * m + q] - A[p * m + p]) / (2 * A[p * m + q]);
  const long double t = (ratio < 0 ? -1 : 1) / (fabsl(ratio) + sqrtl(1 + ratio * ratio));
  const long double c = 1 / sqrtl(1 + t * t);
  for (int k = 0; k < m; k++) turn(&A[k * m + p], &A[k * m + q], c, t * c);
  for (int k = 0; k < m; k++) turn(&A[p * m + k], &A[q * m + k], c, t * c);
  for (int k = 0; k < m; k++) turn(&s->V[k * m + p], &s->V[k * m + q], c, t * c);
}

void ag_spectrum_find(ag_spectrum *s, const long double *L, const bool *force) {
  const int m = s->m;
  s->force = force;
  for (int j = 0; j < m; j++)
    for (int k = 0; k < m; k++) {
      s->A[j * m + k] = force[j] && force[k] ? L[j > k ? j * m + k : k * m + j] : 0;
      s->V[j * m + k] = j == k;
    }
  for (int sweep = 0; sweep < SWEEPS; sweep++)
    for (int p = 0; p < m; p++)
      for (int q = p + 1; q < m; q++) rotate(s, p, q);
  long double largest = 0, least_kept = INFINITY;
  for (int k = 0; k < m; k++) largest = fmaxl(largest, s->A[k * m + k]);
  s->ncut = 0, s->least = 1, s->condition = 1, s->close = false;
  for (int k = 0; k < m; k++) {
    /* a row without a force has an eigenvector of its own, of the eigenvalue 0 */
    bool none = false;
    for (int j = 0; j < m; j++) none = none || (!force[j] && s->V[j * m + k] != 0);
    if (none) continue;
    const double relative = (double)(s->A[k * m + k] / largest);
    s->least = fmin(s->least, relative);
    s->close = s->close || fabs(relative - s->threshold) < s->closely * s->threshold;
    if (relative > s->threshold)
      least_kept = fminl(least_kept, s->A[k * m + k]);
    else
      s->ncut++;
  }
  if (isfinite((double)least_kept)) s->condition = (double)(largest / least_kept);
}

double ag_spectrum_solve(const ag_spectrum *s, const double *r, const double *terms, double *nu) {
  const int m = s->m;
  long double largest = 0, least = INFINITY, whole = 0;
  for (int k = 0; k < m; k++) largest = fmaxl(largest, s->A[k * m + k]);
  for (int k = 0; k < m; k++) {
    nu[k] = 0;
    if (s->force[k]) whole += (long double)terms[k] * (long double)terms[k];
  }
  for (int k = 0; k < m; k++) {
    const long double own = s->A[k * m + k];
    if (!(own > (long double)s->threshold * largest)) continue;
    long double along = 0;
    for (int j = 0; j < m; j++)
      if (s->force[j]) along += s->V[j * m + k] * (long double)r[j];
    for (int j = 0; j < m; j++)
      if (s->force[j]) nu[j] += (double)(s->V[j * m + k] * along / own);
    least = fminl(least, own);
  }
  return (double)(sqrtl(whole) / least);
}
