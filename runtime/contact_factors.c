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

bool achd_contact_factor(int n, int stride, achd_real F[], achd_real inverse[]) {
  for (int k = 0; k < n; k++) {
    const achd_real *restrict row = F + (size_t)(k * stride);
    if (!(row[k] > 0)) return false;
    inverse[k] = 1 / row[k];
    for (int i = k + 1; i < n; i++) {
      achd_real *restrict below = F + (size_t)(i * stride);
      const achd_real by = row[i] * inverse[k];
      for (int j = i; j < n; j++) below[j] -= by * row[j];
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
