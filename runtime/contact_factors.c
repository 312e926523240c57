/* SPDX-License-Identifier: MIT */
/* contact_factors.c: products with A + R and its factors, see achd/contact.h. */
#include "contact_solver.h"

void achd_contact_gradient(const achd_contact_solver *s, const achd_real lambda[], achd_real y[]) {
  const int n = s->n;
  for (int i = 0; i < n; i++) y[i] = s->c[i] + s->R[i] * lambda[i];
  for (int k = 0; k < n; k++) {
    const achd_real *restrict column = s->p->A + (size_t)(k * n), by = lambda[k];
    for (int i = 0; i < n; i++) y[i] += column[i] * by;
  }
}

/* Two pivots at once, in the order of sums that one after the other has. */
bool achd_contact_factor(int n, int stride, achd_real F[], achd_real inverse[]) {
  for (int k = 0; k < n; k += 2) {
    achd_real *restrict row = F + (size_t)(k * stride);
    if (!(row[k] > 0)) return false;
    inverse[k] = 1 / row[k];
    if (k + 1 == n) break;
    achd_real *restrict next = row + stride;
    const achd_real own = row[k + 1] * inverse[k];
    for (int j = k + 1; j < n; j++) next[j] -= own * row[j];
    if (!(next[k + 1] > 0)) return false;
    inverse[k + 1] = 1 / next[k + 1];
    for (int i = k + 2; i < n; i++) {
      achd_real *restrict below = F + (size_t)(i * stride);
      const achd_real by = row[i] * inverse[k], more = next[i] * inverse[k + 1];
      for (int j = i; j < n; j++) below[j] = below[j] - by * row[j] - more * next[j];
    }
  }
  return true;
}

void achd_contact_substitute(int n, int stride, const achd_real F[], const achd_real inverse[],
                             achd_real x[]) {
  for (int k = 0; k < n; k++) {
    const achd_real *restrict row = F + (size_t)(k * stride);
    const achd_real by = x[k] * inverse[k];
    for (int j = k + 1; j < n; j++) x[j] -= by * row[j];
  }
  for (int k = n - 1; k >= 0; k--) {
    const achd_real *restrict row = F + (size_t)(k * stride);
    achd_real even = x[k], odd = 0;
    int j = k + 1;
    for (; j + 1 < n; j += 2) even -= row[j] * x[j], odd -= row[j + 1] * x[j + 1];
    if (j < n) even -= row[j] * x[j];
    x[k] = (even + odd) * inverse[k];
  }
}
