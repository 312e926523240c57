/* SPDX-License-Identifier: MIT */
/* pivots.c: see pivots.h
 *
 * By the definition of docs/layouts.md: L = A^T J M^-1 J^T A of the rows that have a force, in the order of the layout, L = l D l^T;
 * where a pivot d_k is below t L_kk, damping adds t L_kk (1 - d_k / (t L_kk))^2 to it, so that row k leaves
 * A^T a - b = -that nu_k; a row that is dropped has no force, and the others hold. With thresholds below half of the digits rows
 * are vectors q_j, L_jk = q_j . q_k, and q_j loses l_jk q_k (Gram, Schmidt): that is the same but for what damped rows leave of
 * those behind them. M = C C^T, L = K^T K with C K = J^T A. */
#include "check/pivots.h"

#include "check/rows.h"

#include <math.h>
#include <string.h>

/* Closer to the threshold than this, rounding decides which side a pivot is on. */
static double closely(const ag_pivots *p) {
  return p->single ? 1e-2 : 1e-6;
}
static double half_the_digits(bool single) {
  return single ? 2.4e-4 : 1.5e-8;
}

ag_pivots ag_pivots_new(const ag_reference *robot, double threshold, const char *policy,
                        bool single, ag_arena *arena) {
  const size_t n = (size_t)robot->n, m = (size_t)robot->nrows + 1, wide = sizeof(long double);
  return (ag_pivots){.threshold = threshold,
                     .drops = strcmp(policy, "drop") == 0,
                     .single = single,
                     .has = ag_alloc(arena, m * sizeof(bool)),
                     .lost = ag_alloc(arena, m * sizeof(bool)),
                     .whole = ag_alloc(arena, m * wide),
                     .relative = ag_alloc(arena, m * sizeof(double)),
                     .left = ag_alloc(arena, m * sizeof(double)),
                     .C = ag_alloc(arena, n * n * wide),
                     .K = ag_alloc(arena, n * m * wide),
                     .L = ag_alloc(arena, m * m * wide),
                     .rest = ag_alloc(arena, m * m * wide),
                     .l = ag_alloc(arena, m * m * wide),
                     .inverse = ag_alloc(arena, m * wide)};
}

/* M = C C^T (Cholesky), and C^-1 of every row of J. */
static void find_columns(ag_pivots *p, const ag_reference *r) {
  const int n = r->n;
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++) {
      long double sum = (long double)r->M[i * n + j];
      for (int k = 0; k < j; k++) sum -= p->C[i * n + k] * p->C[j * n + k];
      p->C[i * n + j] = i == j ? sqrtl(sum) : sum / p->C[j * n + j];
    }
  for (int row = 0; row < r->nrows; row++)
    for (int i = 0; i < n; i++) {
      long double sum = (long double)r->AJ[row * n + i], *K = p->K + (size_t)row * (size_t)n;
      for (int k = 0; k < i; k++) sum -= p->C[i * n + k] * K[k];
      K[i] = sum / p->C[i * n + i];
    }
}

/* Of each row L_kk, and of what motors do along it; a share of less than that they do not reach. */
static void find_reach(ag_pivots *p, const ag_reference *r, const bool *force) {
  const long double in_reach = p->single ? 1e-3L : 1e-8L, about = 2;
  const int n = r->n;
  if (p->motors) ag_by_motors_find(p->motors, r, force, p->C);
  p->close = p->motors && !p->motors->clear;
  for (int k = 0; k < r->nrows; k++) {
    long double *K = p->K + (size_t)k * (size_t)n, whole = 0, left = 0;
    for (int i = 0; i < n; i++) whole += K[i] * K[i];
    p->whole[k] = whole + (long double)ag_rows_compliance(r, k);
    p->has[k] = force[k], p->lost[k] = false;
    if (!p->motors || !force[k] || r->rows[k].group->physical) continue;
    ag_by_motors_project(p->motors, n, K);
    for (int i = 0; i < n; i++) left += K[i] * K[i];
    p->has[k] = left > in_reach * whole, p->lost[k] = !p->has[k];
    p->close = p->close || (left < about * in_reach * whole && about * left > in_reach * whole);
  }
}

static void find_coupling(ag_pivots *p, const ag_reference *r) {
  const int n = r->n, m = r->nrows;
  for (int j = 0; j < m; j++)
    for (int k = 0; k <= j; k++) {
      long double sum = j == k ? (long double)ag_rows_compliance(r, k) : 0;
      for (int i = 0; i < n; i++) sum += p->K[j * n + i] * p->K[k * n + i];
      p->L[j * m + k] = p->rest[j * m + k] = sum;
    }
}

/* What stands for 1 / d of row k, and what it leaves. The first row depends on none. product: of the relative pivots before it on which
 * nothing acts: a solve by squares knows d to rounding over that. */
static void judge(ag_pivots *p, int m, int k, bool first, long double product) {
  const long double unit = p->single ? 0x1p-22L : 0x1p-51L, known = unit / product;
  const long double d = p->rest[k * m + k], whole = p->whole[k],
                    limit = (long double)p->threshold * whole, lacks = limit - d;
  p->relative[k] = (double)(d / whole);
  p->left[k] = 0;
  p->inverse[k] = 1 / d;
  if (first) return;
  p->close = p->close || fabsl(lacks) < (long double)closely(p) * limit ||
             (p->motors && fabsl(lacks) < known * whole);
  if (lacks <= 0) return;
  p->left[k] = p->drops ? NAN : (double)(lacks * lacks / limit);
  p->inverse[k] = p->drops ? 0 : 1 / (d + lacks * lacks / limit);
}

/* Row k out of those behind it. */
static void take_out(ag_pivots *p, int m, int k) {
  long double *A = p->rest, *l = p->l;
  const long double d = A[k * m + k];
  for (int j = k + 1; j < m; j++) l[j * m + k] = A[j * m + k] * p->inverse[k];
  for (int j = k + 1; j < m; j++)
    for (int i = k + 1; i <= j; i++) {
      const long double more = p->by_columns ? l[j * m + k] * d - A[j * m + k] : 0;
      A[j * m + i] += l[i * m + k] * more - l[j * m + k] * A[i * m + k];
    }
}

void ag_pivots_find(ag_pivots *p, const ag_reference *r, const bool *force) {
  const int m = r->nrows;
  p->by_columns = p->threshold < half_the_digits(p->single) && !p->motors;
  find_columns(p, r);
  find_reach(p, r, force);
  find_coupling(p, r);
  long double product = 1;
  for (int k = 0; k < m; k++) {
    if (p->has[k])
      judge(p, m, k, k == p->first && !p->drops && !p->motors, product);
    else
      p->relative[k] = p->left[k] = NAN, p->inverse[k] = 0;
    if (p->left[k] == 0) product *= (long double)p->relative[k];
    take_out(p, m, k);
  }
}

void ag_pivots_solve(const ag_pivots *p, int m, const double *r, double *nu) {
  for (int k = 0; k < m; k++) {
    long double y = (long double)r[k];
    for (int i = 0; i < k; i++) y -= p->l[k * m + i] * (long double)nu[i];
    nu[k] = (double)y;
  }
  for (int k = m - 1; k >= 0; k--) {
    long double x = (long double)nu[k] * p->inverse[k];
    for (int j = k + 1; j < m; j++) x -= p->l[j * m + k] * (long double)nu[j];
    nu[k] = (double)x;
  }
}

double ag_pivots_condition(const ag_pivots *p, int m) {
  ag_arena own = {0};
  double *unit = ag_alloc(&own, ((size_t)m + 1) * sizeof *unit),
         *nu = ag_alloc(&own, ((size_t)m + 1) * sizeof *nu), most = 1;
  for (int k = 0; k < m; k++) {
    double sum = 0;
    for (int j = 0; j < m; j++) unit[j] = j == k ? (double)sqrtl(p->whole[k]) : 0;
    ag_pivots_solve(p, m, unit, nu);
    for (int j = 0; j < m; j++) sum += fabs(nu[j]) * (double)sqrtl(p->whole[j]);
    most = fmax(most, sum);
  }
  ag_arena_free(&own);
  return most;
}
