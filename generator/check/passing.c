/* SPDX-License-Identifier: MIT */
/* passing.c: see passing.h
 *
 * By the definition of docs/layouts.md: rows that yield take over A^T J M^-1 J^T f of the artificial wrenches; rows with
 * weights sum (1 - w) A^T J M^-1 f of the drivers, f with what the physical rows answer, so that these hold. */
#include "check/passing.h"

#include "check/rows.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static void evaluate_yield(ag_reference *r) {
  double *force = r->scratch[0], *size = r->scratch[1];
  for (int i = 0; i < r->n; i++) force[i] = size[i] = 0;
  ag_reference_wrenches(r, false, force, size);
  for (int k = 0; k < r->nrows; k++) {
    r->yield[k] = r->yield_size[k] = 0;
    if (!r->rows[k].group->yields) continue;
    for (int i = 0; i < r->n; i++)
      for (int j = 0; j < r->n; j++) {
        const double AJ = r->AJ[k * r->n + i], inverse = r->inverse[i * r->n + j];
        r->yield[k] += AJ * inverse * force[j];
        r->yield_size[k] += fabs(AJ * inverse) * size[j];
      }
  }
}

/* The forces of a driver by coordinate. */
static void driver_forces(const ag_reference *r, const char *name, double *force) {
  for (int i = 0; i < r->n; i++) force[i] = 0;
  for (int m = 0; m < r->header.nmarks; m++) {
    const ag_mark *mark = &r->header.marks[m];
    if (mark->kind == AG_MARK_WRENCH && strcmp(mark->name, name) == 0)
      ag_reference_wrench(r, mark, force, NULL);
  }
  const bool viscous = strcmp(name, "viscous") == 0;
  const double *given = viscous ? ag_output_of(ag_reference_run(r, "achd"), "tau_friction")
                                : ag_sampler_find(&r->sampler, name);
  const bool torques = viscous || strncmp(name, "tau_", 4) == 0;
  for (int i = r->nbase; torques && given && i < r->n; i++) force[i] = given[i - r->nbase];
}

/* M^-1 of the robot whose physical rows in force hold: of each, W - y y^T / (J y + c), y = W J^T. What depends on rows
 * before takes nothing away. */
static void held_inverse(const ag_reference *r, double *W, double *y) {
  const double independent = 1e-9;
  const int n = r->n;
  memcpy(W, r->inverse, (size_t)n * (size_t)n * sizeof *W);
  for (int k = 0; k < r->nrows; k++) {
    const double *J = r->AJ + (size_t)k * (size_t)n;
    if (!ag_rows_in_force(r, k) || !r->rows[k].group->physical) continue;
    double pivot = ag_rows_compliance(r, k);
    for (int i = 0; i < n; i++) {
      y[i] = 0;
      for (int j = 0; j < n; j++) y[i] += W[i * n + j] * J[j];
      pivot += J[i] * y[i];
    }
    if (!(pivot > independent * ag_rows_caused(r, k, J, NULL))) continue;
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++) W[i * n + j] -= y[i] * y[j] / pivot;
  }
}

static void evaluate_weights(ag_reference *r) {
  double *force = r->scratch[0], *W = r->scratch[1];
  held_inverse(r, W, force);
  for (int d = 0; d < r->header.ndrivers; d++) {
    char name[256];
    snprintf(name, sizeof name, "weight.%s", r->header.drivers[d]);
    const double *given = ag_sampler_find(&r->sampler, name);
    driver_forces(r, r->header.drivers[d], force);
    for (int k = 0, at = 0; k < r->nrows; k++) {
      const ag_row_info *row = &r->header.rows[k];
      const double *J = r->AJ + (size_t)k * (size_t)r->n;
      const double weight = row->weights ? row->weights[d] : row->weighted ? given[at++] : 1;
      for (int i = 0; i < r->n; i++)
        for (int j = 0; j < r->n; j++) {
          const double term = (1 - weight) * J[i] * W[i * r->n + j] * force[j];
          r->yield[k] += term;
          r->yield_size[k] += fabs(term);
        }
    }
  }
}

void ag_passing_evaluate(ag_reference *reference) {
  bool weighted = false;
  for (int k = 0; k < reference->nrows; k++)
    weighted = weighted || ag_row_weighs(&reference->header.rows[k]);
  evaluate_yield(reference);
  if (weighted) evaluate_weights(reference);
}
