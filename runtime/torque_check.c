/* SPDX-License-Identifier: MIT */
/* torque_check.c: the certificate of achd_mclp_least_torque, see achd/mclp.h; it shares no code with
 * the solver. */
#include <achd/mclp.h>

#include "mathematics.h"

/* A sum of products with twice the digits, and the size of its terms. */
typedef struct total {
  achd_real sum, lost, size;
} total;

static void add(total *t, achd_real a, achd_real b) {
  const achd_real product = a * b, next = t->sum + product, back = next - t->sum;
  t->lost += achd_fma(a, b, -product) + ((t->sum - (next - back)) + (product - back));
  t->sum = next;
  t->size += achd_magnitude(product);
}

/* Adds row j of L times x. */
static void add_row(const achd_mclp_problem *p, int j, const achd_real x[], total *t) {
  for (int k = 0; k < p->rows; k++)
    add(t, p->L[j >= k ? j * (j + 1) / 2 + k : k * (k + 1) / 2 + j], x[k]);
}

static achd_real root_of(const achd_mclp_problem *p, int j) {
  return achd_sqrt(p->L[j * (j + 3) / 2]);
}

/* The largest sqrt(L_jj) |nu_j|. */
static achd_real largest_force(const achd_mclp_problem *p, const achd_real nu[]) {
  achd_real largest = 0;
  for (int j = 0; j < p->rows; j++) {
    const achd_real force = root_of(p, j) * achd_magnitude(nu[j]);
    if (force > largest) largest = force;
  }
  return largest;
}

/* Adds element j of per_nu^T weight tau. A force as large as `force`, the largest, counts as a term
 * of every torque, since the rounding of that one is in all of them. */
static void add_gradient(const achd_mclp_problem *p, const achd_mclp_torques *t,
                         const achd_real nu[], achd_real force, int j, total *s) {
  for (int m = 0; m < t->motors; m++) {
    total tau = {0, 0, 0};
    add(&tau, t->at_0[m], 1);
    for (int k = 0; k < p->rows; k++) {
      const achd_real one = t->per_nu[k * t->motors + m], root = root_of(p, k);
      add(&tau, one, nu[k]);
      if (root > 0) tau.size += achd_magnitude(one) * force / root;
    }
    const achd_real per = t->per_nu[j * t->motors + m] * (t->weight ? t->weight[m] : 1);
    add(s, per, tau.sum + tau.lost);
    s->size += achd_magnitude(per) * tau.size;
  }
}

/* The size of the terms of the gradient, at most, per sqrt(L_jj): its rounding is in all multipliers.
 */
static achd_real largest_gradient(const achd_mclp_problem *p, const achd_mclp_torques *t,
                                  const achd_real nu[], achd_real force) {
  achd_real largest = 0;
  for (int j = 0; j < p->rows; j++) {
    total g = {0, 0, 0};
    add_gradient(p, t, nu, force, j, &g);
    if (root_of(p, j) > 0 && g.size > largest * root_of(p, j)) largest = g.size / root_of(p, j);
  }
  return largest;
}

static bool weights_mean_something(const achd_mclp_torques *t) {
  for (int m = 0; t->weight && m < t->motors; m++)
    if (!(t->weight[m] >= 0)) return false;
  return t->motors >= 0;
}

/* Relative to the terms of w: above, w is not zero, whatever rounding did. */
static const achd_real not_zero = 4096 * ACHD_EPSILON;

/* Whether a row rests at its bound in every solution, as its w is not zero. (achd_mclp_check has seen
 * that w has the sign that it has there.) */
static bool rests(const achd_mclp_problem *p, const achd_real nu[], achd_real noise, int j) {
  total w = {-p->r[j], 0, achd_magnitude(p->r[j])};
  add_row(p, j, nu, &w);
  const achd_real size = achd_magnitude(w.sum + w.lost);
  return (nu[j] == p->lo[j] || nu[j] == p->hi[j]) &&
         size > not_zero * w.size + noise * root_of(p, j);
}

bool achd_mclp_check_least_torque(const achd_mclp_problem *p, const achd_mclp_torques *torques,
                                  const achd_real nu[], const achd_real multiplier[],
                                  achd_real *error) {
  achd_mclp_certificate certificate;
  *error = ACHD_INFINITY;
  if (!weights_mean_something(torques) || !achd_mclp_check(p, nu, &certificate)) return false;
  const achd_real most = largest_force(p, nu), largest = largest_gradient(p, torques, nu, most);
  achd_real worst = 0;
  for (int j = 0; j < p->rows; j++) {
    if (p->lo[j] == p->hi[j] || rests(p, nu, certificate.noise, j)) continue;
    total s = {0, 0, root_of(p, j) * largest};
    add_gradient(p, torques, nu, most, j, &s);
    add_row(p, j, multiplier, &s);
    const achd_real force = s.sum + s.lost;
    const bool may_rise = nu[j] < p->hi[j] || p->hi[j] >= ACHD_MCLP_UNBOUNDED,
               may_fall = nu[j] > p->lo[j] || p->lo[j] <= -ACHD_MCLP_UNBOUNDED;
    if (!(achd_finite(force) && achd_finite(s.size))) return false;
    const achd_real wrong =
        (force < 0 && may_rise) || (force > 0 && may_fall) ? achd_magnitude(force) : 0;
    if (wrong > worst * s.size) worst = wrong / s.size;
  }
  *error = worst;
  return worst <= ACHD_MCLP_RESIDUAL;
}
