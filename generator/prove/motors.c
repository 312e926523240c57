/* motors.c: see motors.h */
#include "prove/motors.h"

#include <string.h>

enum { PASSES = 3 };

/* (J_j U^T w) of the freedoms without a motor; w: by coordinate, zero at the others. */
static ag_number seen(const ag_motors *s, int j, const ag_number *w) {
  ag_number x = ag_zero;
  for (int a = 0; a < s->nidle; a++) x = ag_plus(x, s->rows[j].J[s->idle[a]], w[s->idle[a]]);
  return x;
}

static void invert(ag_motors *s) {
  const ag_robot *r = s->robot;
  const int k = s->nidle;
  ag_number *S = ag_alloc(r->arena, (size_t)(k * k + 1) * sizeof *S);
  s->inverse = ag_alloc(r->arena, (size_t)(k * k + 1) * sizeof *s->inverse);
  for (int a = 0; a < k; a++)
    for (int b = 0; b < k; b++) {
      ag_number *to = &S[a * k + b];
      *to = r->M[s->idle[a] * r->n + s->idle[b]];
      for (int j = 0; j < s->m; j++) {
        const ag_number *J = s->rows[j].J;
        *to = ag_plus(*to, s->stiffness[j], ag_number_mul(J[s->idle[a]], J[s->idle[b]]));
      }
    }
  ag_dense_inverse(S, k, s->inverse, r->arena);
}

const ag_motors *ag_motors_of(const ag_robot *r, const ag_demand *rows, int m,
                              const ag_number *compliance) {
  const ag_problem *p = r->problem;
  const ag_number softness = ag_number_of(r->point->header->single ? 1e-3 : 1e-6);
  ag_motors *s = ag_alloc(r->arena, sizeof *s);
  *s = (ag_motors){.robot = r,
                   .rows = rows,
                   .m = m,
                   .idle = ag_alloc(r->arena, (size_t)(r->n + 1) * sizeof *s->idle),
                   .stiffness = ag_alloc(r->arena, (size_t)(m + 1) * sizeof *s->stiffness)};
  for (int c = 0; c < r->n; c++)
    if (c < p->nbase || p->passive[c - p->nbase]) s->idle[s->nidle++] = c;
  if (!p->by_motors || s->nidle == 0) return NULL;
  for (int j = 0; j < m; j++)
    if (rows[j].physical && !rows[j].masked && compliance[j].exact != 0)
      s->stiffness[j] = ag_number_div(ag_one, ag_number_mul(softness, compliance[j]));
  invert(s);
  return s;
}

void ag_motors_answer(const ag_motors *s, const ag_number *load, ag_number *w, ag_number *mu) {
  const ag_robot *r = s->robot;
  const int k = s->nidle;
  ag_number *left = ag_alloc(r->arena, (size_t)(k + 1) * sizeof *left),
            *found = ag_alloc(r->arena, (size_t)(k + 1) * sizeof *found);
  memset(w, 0, (size_t)r->n * sizeof *w);
  memset(mu, 0, (size_t)s->m * sizeof *mu);
  for (int pass = 0; pass < PASSES; pass++) {
    for (int a = 0; a < k; a++) {
      left[a] = ag_number_neg(load[s->idle[a]]);
      for (int j = 0; j < s->m; j++)
        left[a] = ag_number_sub(left[a], ag_number_mul(s->rows[j].J[s->idle[a]], mu[j]));
    }
    ag_dense_times(s->inverse, k, k, left, found);
    for (int a = 0; a < k; a++) w[s->idle[a]] = found[a];
    for (int j = 0; j < s->m; j++) mu[j] = ag_plus(mu[j], s->stiffness[j], seen(s, j, w));
  }
}
