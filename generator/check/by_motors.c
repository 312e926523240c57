/* SPDX-License-Identifier: MIT */
/* by_motors.c: see by_motors.h
 *
 * U: the freedoms without a motor; load: forces needed at all; J_c: the physical rows in force, W = 1 / L_kk of each.
 *   f = load + J_c^T mu + M w, U f = 0, J_c w = 0, least mu^T W^-1 mu; of what is left, the least w^T M w (Gauss).
 * Z spans the motions of U that contacts do not hold, J_c Z = 0, by the eigenvectors of G = U J_c^T W J_c U^T:
 *   w = -Z (Z^T M Z)^-1 Z^T load,   mu = W J_c U^T y,   G y = -U (load + M w)
 * and rows see of their own forces  J (M^-1 - Z (Z^T M Z)^-1 Z^T) J^T: with M = C C^T and Q an orthonormal basis of C^T Z the columns
 * C^-1 J^T less what of them is along Q. */
#include "check/by_motors.h"

#include "check/rows.h"

#include <math.h>
#include <string.h>

/* Eigenvalues of G, the freedoms' own inertias 1: rounding, and surely held; by floats. */
static const double rounding = 1e-16, held = 1e-8, held_single = 1e-4;

int ag_idle_freedoms(const ag_reference *robot, int idle[AG_MOST_IDLE + 1]) {
  const ag_list *out = &ag_reference_run(robot, "achd")->graph->function->out;
  int count = 0;
  for (int i = 0; i < robot->nbase; i++) idle[count++] = i;
  for (int j = 0; j < robot->header.njoints; j++)
    for (int k = 0; k < out->nquantities && count <= AG_MOST_IDLE; k++)
      if (strncmp(out->quantities[k].name, "tau_unactuated.", 15) == 0 &&
          strcmp(out->quantities[k].name + 15, robot->header.joints[j].id) == 0)
        idle[count++] = robot->nbase + j;
  return count;
}

double ag_by_motors_lost(const ag_reference *robot) {
  double most = 1;
  for (int i = 0; i < robot->n; i++)
    most = fmax(most, robot->M[i * robot->n + i] * robot->inverse[i * robot->n + i]);
  return sqrt(most);
}

ag_by_motors *ag_by_motors_new(const ag_reference *robot, bool single, ag_arena *arena) {
  ag_by_motors *s = ag_alloc(arena, sizeof *s);
  *s = (ag_by_motors){.single = single};
  s->nidle = ag_idle_freedoms(robot, s->idle);
  if (s->nidle == 0 || s->nidle > AG_MOST_IDLE) return NULL;
  const size_t n = (size_t)robot->n, k = (size_t)s->nidle, wide = sizeof(long double);
  s->Q = ag_alloc(arena, n * k * wide);
  s->Y = ag_alloc(arena, n * k * wide);
  s->felt = ag_alloc(arena, k * k * wide);
  s->scale = ag_alloc(arena, k * sizeof(double));
  s->weight = ag_alloc(arena, ((size_t)robot->nrows + 1) * sizeof(double));
  s->all = ag_alloc(arena, k * sizeof(bool));
  for (size_t a = 0; a < k; a++) s->all[a] = true;
  s->spectrum = ag_spectrum_new(s->nidle, held, single, arena);
  s->load = ag_alloc(arena, n * sizeof(double));
  s->along = ag_alloc(arena, n * sizeof(double));
  return s;
}

/* G = U J_c^T W J_c U^T, each freedom by the root of its inertia, below its diagonal. */
static void find_felt(ag_by_motors *s, const ag_reference *r, const bool *force) {
  const int k = s->nidle, n = r->n;
  for (int a = 0; a < k; a++) s->scale[a] = 1 / sqrt(r->M[s->idle[a] * n + s->idle[a]]);
  for (int a = 0; a < k * k; a++) s->felt[a] = 0;
  for (int j = 0; j < r->nrows; j++) {
    const double *J = r->AJ + (size_t)j * (size_t)n;
    s->weight[j] = 0;
    if (!force[j] || !r->rows[j].group->physical) continue;
    s->weight[j] = 1 / ag_rows_caused(r, j, J, NULL);
    for (int a = 0; a < k; a++)
      for (int b = 0; b <= a; b++)
        s->felt[a * k + b] += (long double)(s->weight[j] * s->scale[a] * J[s->idle[a]]) *
                              (long double)(s->scale[b] * J[s->idle[b]]);
  }
}

static long double eigenvalue(const ag_by_motors *s, int v) {
  return s->spectrum.A[v * s->nidle + v];
}

static bool is_free(const ag_by_motors *s, int v) {
  return !(eigenvalue(s, v) > (long double)rounding);
}

/* Q, by Gram and Schmidt, twice, and Y. */
static void add_free(ag_by_motors *s, const ag_reference *r, int v, const long double *C) {
  const int n = r->n, k = s->nidle;
  long double *q = s->Q + (size_t)s->nfree * (size_t)n, *y = s->Y + (size_t)s->nfree * (size_t)n;
  for (int i = 0; i < n; i++) {
    q[i] = 0;
    for (int a = 0; a < k; a++)
      if (s->idle[a] >= i)
        q[i] += C[s->idle[a] * n + i] * (long double)s->scale[a] * s->spectrum.V[a * k + v];
  }
  for (int times = 0; times < 2; times++) {
    long double length = 0;
    ag_by_motors_project(s, n, q);
    for (int i = 0; i < n; i++) length += q[i] * q[i];
    for (int i = 0; i < n; i++) q[i] /= sqrtl(length);
  }
  for (int i = n - 1; i >= 0; i--) {
    y[i] = q[i];
    for (int j = i + 1; j < n; j++) y[i] -= C[j * n + i] * y[j];
    y[i] /= C[i * n + i];
  }
  s->nfree++;
}

void ag_by_motors_find(ag_by_motors *s, const ag_reference *r, const bool *force,
                       const long double *C) {
  find_felt(s, r, force);
  ag_spectrum_find(&s->spectrum, s->felt, s->all);
  const long double least_held = (long double)(s->single ? held_single : held);
  long double most = 0, least = INFINITY;
  s->nfree = 0, s->clear = true, s->condition = 1;
  for (int v = 0; v < s->nidle; v++) {
    const long double own = eigenvalue(s, v);
    if (is_free(s, v)) {
      add_free(s, r, v, C);
      continue;
    }
    s->clear = s->clear && own > least_held;
    most = fmaxl(most, own), least = fminl(least, own);
  }
  if (most > 0) s->condition = (double)(most / least);
}

void ag_by_motors_project(const ag_by_motors *s, int n, long double *K) {
  for (int f = 0; f < s->nfree; f++) {
    const long double *q = s->Q + (size_t)f * (size_t)n;
    long double along = 0;
    for (int i = 0; i < n; i++) along += q[i] * K[i];
    for (int i = 0; i < n; i++) K[i] -= along * q[i];
  }
}

void ag_by_motors_yield(const ag_by_motors *s, const ag_reference *r, const double *load,
                        double *forces) {
  const int n = r->n;
  double *w = s->along;
  for (int i = 0; i < n; i++) w[i] = 0;
  for (int f = 0; f < s->nfree; f++) {
    const long double *y = s->Y + (size_t)f * (size_t)n;
    long double along = 0;
    for (int i = 0; i < n; i++) along += y[i] * (long double)load[i];
    for (int i = 0; i < n; i++) w[i] -= (double)(along * y[i]);
  }
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) forces[i] += r->M[i * n + j] * w[j];
}

void ag_by_motors_carry(const ag_by_motors *s, const ag_reference *r, const double *load,
                        double *forces) {
  const int n = r->n, k = s->nidle;
  double *left = s->load, *y = s->along;
  memcpy(left, load, (size_t)n * sizeof *left);
  ag_by_motors_yield(s, r, load, left);
  for (int a = 0; a < k; a++) y[a] = 0;
  for (int v = 0; v < k; v++) {
    if (is_free(s, v)) continue;
    long double along = 0;
    for (int a = 0; a < k; a++)
      along += s->spectrum.V[a * k + v] * (long double)(s->scale[a] * left[s->idle[a]]);
    for (int a = 0; a < k; a++)
      y[a] -= s->scale[a] * (double)(s->spectrum.V[a * k + v] * along / eigenvalue(s, v));
  }
  for (int j = 0; j < r->nrows; j++)
    for (int a = 0; a < k; a++) forces[j] -= s->weight[j] * r->AJ[j * n + s->idle[a]] * y[a];
}
