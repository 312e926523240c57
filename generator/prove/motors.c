/* SPDX-License-Identifier: MIT */
/* motors.c: see motors.h */
#include "prove/motors.h"

#include <math.h>
#include <string.h>

/* Below this share of its own size, a number that is not zero is too close to zero for doubles. */
static const double too_close = 1e-9;

static ag_number *numbers(const ag_robot *r, int count) {
  ag_number *x = ag_alloc(r->arena, (size_t)(count + 1) * sizeof *x);
  for (int i = 0; i <= count; i++) x[i] = ag_zero;
  return x;
}

/* G = U J_c^T W J_c U^T */
static ag_number *felt_by_contacts(const ag_motors *s) {
  const int k = s->nidle;
  ag_number *G = numbers(s->robot, k * k);
  for (int a = 0; a < k; a++)
    for (int b = 0; b < k; b++)
      for (int j = 0; j < s->m; j++) {
        const ag_number *J = s->rows[j].J;
        G[a * k + b] =
            ag_plus(G[a * k + b], s->weight[j], ag_number_mul(J[s->idle[a]], J[s->idle[b]]));
      }
  return G;
}

/* The columns of N, by rows here, span G N = 0: by Gauss and Jordan. Returns how many they are. G is
 * positive semidefinite: a diagonal element that is zero has nothing beside it. */
static int find_free(ag_motors *s, const ag_number *G, ag_number *N) {
  const int k = s->nidle;
  ag_number *A = numbers(s->robot, k * k);
  int count = 0;
  memcpy(A, G, (size_t)(k * k) * sizeof *A);
  for (int a = 0; a < k; a++) {
    const ag_number d = A[a * k + a];
    if (d.exact == 0) continue;
    if (!(d.value > too_close * G[a * k + a].value)) s->borderline = true;
    for (int c = 0; c < k; c++) A[a * k + c] = ag_number_div(A[a * k + c], d);
    for (int i = 0; i < k; i++) {
      const ag_number factor = A[i * k + a];
      for (int c = 0; i != a && c < k; c++)
        A[i * k + c] = ag_number_sub(A[i * k + c], ag_number_mul(factor, A[a * k + c]));
    }
  }
  for (int f = 0; f < k; f++) {
    if (A[f * k + f].exact != 0) continue;
    for (int a = 0; a < k; a++)
      if (A[a * k + a].exact != 0) N[count * k + a] = ag_number_neg(A[a * k + f]);
    N[count++ * k + f] = ag_one;
  }
  return count;
}

/* The inverse of [G, C N; N^T, 0], C = U M U^T */
static void invert(ag_motors *s) {
  const ag_robot *r = s->robot;
  const int k = s->nidle;
  ag_number *G = felt_by_contacts(s);
  s->free = numbers(r, k * k);
  s->nfree = find_free(s, G, s->free);
  const int n = k + s->nfree;
  ag_number *K = numbers(r, n * n);
  for (int a = 0; a < k; a++) {
    memcpy(&K[(size_t)a * (size_t)n], &G[(size_t)a * (size_t)k], (size_t)k * sizeof *K);
    for (int f = 0; f < s->nfree; f++) {
      K[(k + f) * n + a] = s->free[f * k + a];
      for (int b = 0; b < k; b++)
        K[a * n + k + f] =
            ag_plus(K[a * n + k + f], r->M[s->idle[a] * r->n + s->idle[b]], s->free[f * k + b]);
    }
  }
  s->inverse = numbers(r, n * n);
  if (!ag_dense_inverse(K, n, s->inverse, r->arena)) s->borderline = true;
}

const ag_motors *ag_motors_of(const ag_robot *r, const ag_demand *rows, int m,
                              const ag_number *compliance) {
  const ag_problem *p = r->problem;
  ag_motors *s = ag_alloc(r->arena, sizeof *s);
  *s = (ag_motors){.robot = r,
                   .rows = rows,
                   .m = m,
                   .idle = ag_alloc(r->arena, (size_t)(r->n + 1) * sizeof *s->idle),
                   .weight = numbers(r, m)};
  for (int c = 0; c < r->n; c++)
    if (c < p->nbase || p->passive[c - p->nbase]) s->idle[s->nidle++] = c;
  if (!p->by_motors || s->nidle == 0) return NULL;
  for (int j = 0; j < m; j++)
    if (rows[j].physical && !rows[j].masked && ag_demand_in_reach(r, &rows[j], compliance[j]))
      s->weight[j] = ag_number_div(ag_one, compliance[j]);
  invert(s);
  return s;
}

void ag_motors_answer(const ag_motors *s, const ag_number *load, ag_number *w, ag_number *mu) {
  const ag_robot *r = s->robot;
  const int k = s->nidle, n = k + s->nfree;
  ag_number *right = numbers(r, n), *found = numbers(r, n);
  memset(w, 0, (size_t)r->n * sizeof *w);
  memset(mu, 0, (size_t)s->m * sizeof *mu);
  for (int a = 0; a < k; a++) right[a] = ag_number_neg(load[s->idle[a]]);
  ag_dense_times(s->inverse, n, n, right, found);
  for (int a = 0; a < k; a++)
    for (int f = 0; f < s->nfree; f++)
      w[s->idle[a]] = ag_plus(w[s->idle[a]], s->free[f * k + a], found[k + f]);
  for (int j = 0; j < s->m; j++) {
    ag_number seen = ag_zero;
    for (int a = 0; a < k; a++) seen = ag_plus(seen, s->rows[j].J[s->idle[a]], found[a]);
    mu[j] = ag_number_mul(s->weight[j], seen);
  }
}
