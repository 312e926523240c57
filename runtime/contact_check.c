/* SPDX-License-Identifier: MIT */
/* contact_check.c: the certificate of impulses of contacts, see achd/contact.h. It shares no code with the solver. */
#include <achd/contact.h>

#include "vector.h"

static const achd_real rounding_of_c = 4 * ACHD_EPSILON;

/* Rows first .. first + rows - 1, which belong together. */
typedef struct block {
  int first, rows;
  achd_real least; /* R is at least this */
  achd_real size;  /* mean diagonal element of A + R */
  achd_real w[3];
  achd_real
      terms; /* the largest sum of the magnitudes of what is added up to w_i, and rounding of c */
} block;

static int number_of_rows(const achd_contact_problem *p) {
  return 3 * p->contacts + p->limits + p->boxes;
}

static bool is_problem(const achd_contact_problem *p) {
  const int most = ACHD_CONTACT_ROWS;
  if (p->contacts < 0 || p->limits < 0 || p->boxes < 0) return false;
  if (p->contacts > most || p->limits > most || p->boxes > most) return false;
  const int n = number_of_rows(p);
  if (n > most || !achd_all_finite(p->A, n * n) || !achd_all_finite(p->b, n)) return false;
  if ((p->gap && !achd_all_finite(p->gap, n)) || (p->R && !achd_all_finite(p->R, n))) return false;
  if (!achd_all_finite(p->mu, p->contacts)) return false;
  for (int i = 0; i < p->contacts; i++) {
    if (p->mu[i] < 0) return false;
  }
  for (int i = 0; i < p->boxes; i++) {
    if (!(p->bound[i] >= 0)) return false;
  }
  for (int j = 0; j < n; j++) {
    if (p->A[j * n + j] < 0 || (p->R && p->R[j] < 0)) return false;
  }
  return true;
}

static achd_real constant_of(const achd_contact_problem *p, int j) {
  return p->b[j] + (p->gap ? p->gap[j] : 0);
}

static achd_real regularisation(const achd_contact_problem *p, int j, achd_real least) {
  return p->R && p->R[j] > least ? p->R[j] : least;
}

static block block_at(const achd_contact_problem *p, int first, int rows) {
  const int n = number_of_rows(p);
  block k;
  achd_clear(&k, sizeof k);
  k.first = first, k.rows = rows;
  achd_real trace = 0, own = 0;
  for (int j = 0; j < n; j++) trace += p->A[j * n + j];
  for (int i = 0; i < rows; i++) own += p->A[(first + i) * n + first + i] / (achd_real)rows;
  const bool reached = own > ACHD_EPSILON * ACHD_EPSILON * (trace / (achd_real)n);
  k.least = reached ? ACHD_CONTACT_LEAST * own : 1;
  k.size = own;
  for (int i = 0; i < rows; i++) k.size += regularisation(p, first + i, k.least) / (achd_real)rows;
  return k;
}

/* The largest |c_j| / sqrt(size_j). */
static achd_real largest_of(const achd_contact_problem *p) {
  achd_real most = 0;
  const int n = number_of_rows(p);
  for (int first = 0; first < n;) {
    const int rows = first < 3 * p->contacts ? 3 : 1;
    const block k = block_at(p, first, rows);
    for (int i = 0; i < rows; i++) {
      const achd_real c = achd_magnitude(constant_of(p, first + i)) / achd_sqrt(k.size);
      if (c > most) most = c;
    }
    first += rows;
  }
  return most;
}

/* w = (A + R) lambda + b + gap, and its terms. */
static void find_w(const achd_contact_problem *p, const achd_real lambda[], achd_real largest,
                   block *k) {
  const int n = number_of_rows(p);
  for (int i = 0; i < k->rows; i++) {
    const int j = k->first + i;
    const achd_real soft = regularisation(p, j, k->least) * lambda[j];
    achd_real sum = constant_of(p, j) + soft;
    achd_real terms = achd_magnitude(constant_of(p, j)) + achd_magnitude(soft);
    for (int m = 0; m < n; m++) {
      const achd_real term = p->A[j * n + m] * lambda[m];
      sum += term, terms += achd_magnitude(term);
    }
    k->w[i] = sum;
    if (!(terms <= k->terms)) k->terms = terms;
  }
  k->terms += rounding_of_c / ACHD_CONTACT_RESIDUAL * largest * achd_sqrt(k->size);
}

/* No violation yet. */
static achd_contact_certificate nothing_at(int row) {
  achd_contact_certificate is;
  achd_clear(&is, sizeof is);
  is.row = row;
  return is;
}

static achd_real part_of(achd_real x, achd_real whole) {
  if (x <= 0) return 0;
  return x / whole; /* NaN where either is */
}

static achd_contact_certificate check_contact(const block *k, achd_real mu,
                                              const achd_real lambda[3]) {
  achd_contact_certificate is = nothing_at(k->first);
  const achd_real *w = k->w;
  const achd_real t = achd_sqrt(lambda[1] * lambda[1] + lambda[2] * lambda[2]);
  const achd_real slip = achd_sqrt(w[1] * w[1] + w[2] * w[2]);
  const achd_real normal = achd_magnitude(lambda[0]);
  is.cone = part_of(t - mu * lambda[0], t + mu * normal);
  const achd_real below = part_of(-lambda[0], normal);
  if (!(below <= is.cone)) is.cone = below;
  is.dual = part_of((mu * slip - w[0]) / achd_sqrt(1 + mu * mu), k->terms);
  const achd_real work = w[0] * lambda[0] + w[1] * lambda[1] + w[2] * lambda[2];
  is.complementarity = part_of(achd_magnitude(work), k->terms * (t + normal + k->terms / k->size));
  return is;
}

static achd_contact_certificate check_row(const block *k, achd_real lo, achd_real hi,
                                          achd_real lambda) {
  achd_contact_certificate is = nothing_at(k->first);
  const achd_real outside = lambda < lo ? lo - lambda : lambda - hi;
  is.cone = part_of(outside, achd_magnitude(lambda));
  const achd_real w = k->w[0];
  if (w > 0) {
    is.complementarity = part_of(achd_smaller(w, k->size * (lambda - lo)), k->terms);
  } else {
    is.dual = part_of(achd_smaller(-w, k->size * (hi - lambda)), k->terms);
  }
  return is;
}

static achd_contact_certificate check_block(const achd_contact_problem *p, const block *k,
                                            const achd_real lambda[]) {
  const int row = k->first - 3 * p->contacts;
  if (row < 0) return check_contact(k, p->mu[k->first / 3], lambda);
  if (row < p->limits) return check_row(k, 0, ACHD_INFINITY, *lambda);
  const achd_real bound = p->bound[row - p->limits];
  const achd_real most = bound < ACHD_CONTACT_UNBOUNDED ? bound : ACHD_INFINITY;
  return check_row(k, -most, most, *lambda);
}

static void keep_larger(achd_real found, achd_real *largest) {
  if (!(found <= *largest)) *largest = found;
}

bool achd_contact_check(const achd_contact_problem *problem, const achd_real lambda[],
                        achd_contact_certificate *certificate) {
  const achd_real never = ACHD_INFINITY;
  *certificate = (achd_contact_certificate){never, never, never, never, -1};
  if (!is_problem(problem)) return false;
  const int n = number_of_rows(problem);
  if (!achd_all_finite(lambda, n)) return false;
  *certificate = nothing_at(-1);
  const achd_real largest = largest_of(problem);
  for (int first = 0; first < n;) {
    block k = block_at(problem, first, first < 3 * problem->contacts ? 3 : 1);
    find_w(problem, lambda, largest, &k);
    achd_contact_certificate is = check_block(problem, &k, lambda + first);
    keep_larger(is.cone, &is.residual);
    keep_larger(is.dual, &is.residual);
    keep_larger(is.complementarity, &is.residual);
    if (!(is.residual <= certificate->residual)) certificate->row = first;
    keep_larger(is.residual, &certificate->residual);
    keep_larger(is.cone, &certificate->cone);
    keep_larger(is.dual, &certificate->dual);
    keep_larger(is.complementarity, &certificate->complementarity);
    first += k.rows;
  }
  return certificate->residual <= ACHD_CONTACT_RESIDUAL;
}
