/* SPDX-License-Identifier: MIT */
/* qp_check.c: see achd/qp.h. It shares no code with the solver. */
#include <achd/qp.h>

#include "mathematics.h"

/* A row at x: by how much it is above hi (> 0) or below lo (< 0), the size of the terms of that, and
 * the signs that its multiplier may have. */
typedef struct place {
  achd_real violation, terms;
  bool yields, positive, negative;
} place;

static achd_real size_of(achd_real bound) {
  const achd_real size = achd_magnitude(bound);
  return size < ACHD_QP_UNBOUNDED ? size : 0;
}

/* length: sqrt(sum H_ii x_i^2 + g_i^2 / H_ii), of x and of where the objective alone would lead. */
static place place_of(const achd_qp_problem *p, const achd_real x[], int j, achd_real length) {
  const achd_real *a = p->A + (size_t)(j * p->unknowns), lo = p->lo[j], hi = p->hi[j];
  achd_real value = 0, squares = 0;
  for (int i = 0; i < p->unknowns; i++) {
    value += a[i] * x[i];
    squares += a[i] * a[i] / p->H[i * (i + 3) / 2];
  }
  const achd_real bound = size_of(lo) > size_of(hi) ? size_of(lo) : size_of(hi);
  const achd_real terms = bound + achd_sqrt(squares) * length;
  const achd_real near = ACHD_QP_RESIDUAL * terms;
  const achd_real violation = value > hi ? value - hi : value < lo ? value - lo : 0;
  const bool yields = !(achd_magnitude(violation) <= near);
  const place at = {violation, terms, yields,
                    yields || lo == hi || (hi < ACHD_QP_UNBOUNDED && value >= hi - near),
                    yields || lo == hi || (lo > -ACHD_QP_UNBOUNDED && value <= lo + near)};
  return at;
}

static int level_of(const achd_qp_problem *p, int j) {
  return p->level ? (int)p->level[j] : 0;
}

/* One balance of a solution x: of the objective, level 0, or of a level, with the multipliers y. */
typedef struct balance {
  const achd_qp_problem *problem;
  const achd_real *x;
  const place *at; /* the rows at x */
  const achd_real *y;
  int level;
} balance;

/* What row j adds to the balance of unknown i. A multiplier that the row may not have adds nothing;
 * so the balance fails where it was needed. */
static achd_real added(const balance *b, int i, int j, achd_real *noise) {
  const achd_qp_problem *p = b->problem;
  const place *at = b->at;
  const achd_real *y = b->y;
  const int k = b->level;
  const achd_real a = p->A[j * p->unknowns + i], weight = p->weight ? p->weight[j] : 1;
  const bool allowed = y[j] > 0 ? at[j].positive : at[j].negative;
  if (k > 0 && level_of(p, j) == k) {
    *noise += ACHD_QP_RESIDUAL * weight * at[j].terms * achd_magnitude(a);
    return weight * at[j].violation * a;
  }
  return (k == 0 || level_of(p, j) < k) && allowed ? y[j] * a : 0;
}

/* How far the gradient of the objective or of the level is from being balanced, relative to
 * the largest term; unknowns in units of 1 / sqrt(H_ii). */
static achd_real imbalance(const balance *b) {
  const achd_qp_problem *p = b->problem;
  const achd_real *x = b->x;
  const int k = b->level;
  achd_real worst = 0, largest = 0;
  for (int i = 0; i < p->unknowns; i++) {
    achd_real sum = k == 0 ? p->g[i] : 0, most = achd_magnitude(sum), noise = 0;
    const achd_real unit = achd_sqrt(p->H[i * (i + 3) / 2]);
    for (int l = 0; k == 0 && l < p->unknowns; l++) {
      const achd_real part = p->H[i >= l ? i * (i + 1) / 2 + l : l * (l + 1) / 2 + i] * x[l];
      sum += part;
      if (!(achd_magnitude(part) <= most)) most = achd_magnitude(part);
    }
    for (int j = 0; j < p->rows; j++) {
      const achd_real part = added(b, i, j, &noise);
      sum += part;
      if (!(achd_magnitude(part) <= most)) most = achd_magnitude(part);
    }
    const achd_real miss = (achd_magnitude(sum) - noise) / unit;
    if (!achd_finite(miss)) return ACHD_INFINITY;
    if (miss > worst) worst = miss;
    if (most > largest * unit) largest = most / unit;
  }
  return worst == 0 ? 0 : worst / largest;
}

static void record(achd_qp_certificate *c, achd_real residual, int level, int row) {
  if (residual <= c->residual) return; /* a NaN is no residual */
  c->residual = achd_finite(residual) ? residual : ACHD_INFINITY;
  c->level = level;
  c->row = row;
}

/* Whether row j is one at all. */
static bool sound(const achd_qp_problem *p, int j) {
  bool level = !p->level;
  for (int k = 0; !level && k <= p->levels; k++) level = p->level[j] == (achd_real)k;
  return level && p->lo[j] <= p->hi[j] && p->lo[j] < ACHD_QP_UNBOUNDED &&
         p->hi[j] > -ACHD_QP_UNBOUNDED && (!p->weight || p->weight[j] > 0);
}

bool achd_qp_check(const achd_qp_problem *problem, const achd_real x[], const achd_real dual[],
                   achd_qp_certificate *certificate) {
  const achd_qp_problem *p = problem;
  place at[ACHD_QP_ROWS];
  bool yields[ACHD_QP_LEVELS + 1] = {true};
  certificate->residual = ACHD_INFINITY;
  certificate->level = 0;
  certificate->row = -1;
  if (p->unknowns < 1 || p->unknowns > ACHD_QP_UNKNOWNS || p->rows < 0 || p->rows > ACHD_QP_ROWS ||
      p->levels < 0 || p->levels > ACHD_QP_LEVELS)
    return false;
  for (int j = 0; j < p->rows; j++) {
    if (!sound(p, j)) return false;
  }
  achd_real squares = 0;
  for (int i = 0; i < p->unknowns; i++) {
    const achd_real own = p->H[i * (i + 3) / 2];
    if (!(own > 0)) return false;
    squares += own * x[i] * x[i] + p->g[i] * p->g[i] / own;
  }
  certificate->residual = 0;
  for (int j = 0; j < p->rows; j++) {
    at[j] = place_of(p, x, j, achd_sqrt(squares));
    yields[level_of(p, j)] = yields[level_of(p, j)] || at[j].yields;
    if (level_of(p, j) == 0 && at[j].violation != 0)
      record(certificate, achd_magnitude(at[j].violation) / at[j].terms, 0, j);
    if (!achd_finite(at[j].terms)) record(certificate, ACHD_INFINITY, level_of(p, j), j);
  }
  for (int k = 0; k <= p->levels; k++) {
    const balance b = {p, x, at, dual + (size_t)(k * p->rows), k};
    if (yields[k]) record(certificate, imbalance(&b), k, -1);
  }
  return certificate->residual <= ACHD_QP_RESIDUAL;
}
