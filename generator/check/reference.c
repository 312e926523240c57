/* SPDX-License-Identifier: MIT */
/* reference.c: see reference.h */
#include "check/reference.h"

#include "check/linkages.h"
#include "check/passing.h"
#include "check/rows.h"
#include "graph/functions.h"

#include <math.h>
#include <string.h>

/* By Cholesky; false: not positive definite. */
static bool invert(const double *M, double *inverse, double *L, int n) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++) {
      double sum = M[i * n + j];
      for (int k = 0; k < j; k++) sum -= L[i * n + k] * L[j * n + k];
      if (i == j && !(sum > 0)) return false;
      L[i * n + j] = i == j ? sqrt(sum) : sum / L[j * n + j];
    }
  for (int column = 0; column < n; column++) {
    for (int i = 0; i < n; i++) {
      double sum = i == column;
      for (int k = 0; k < i; k++) sum -= L[i * n + k] * inverse[k * n + column];
      inverse[i * n + column] = sum / L[i * n + i];
    }
    for (int i = n - 1; i >= 0; i--) {
      double sum = inverse[i * n + column];
      for (int k = i + 1; k < n; k++) sum -= L[k * n + i] * inverse[k * n + column];
      inverse[i * n + column] = sum / L[i * n + i];
    }
  }
  return true;
}

static bool find_inverse(ag_reference *c) {
  const int n = c->n;
  const double *packed = ag_output_of(ag_reference_run(c, "crba"), "M");
  for (int i = 0, at = 0; i < n; i++)
    for (int j = 0; j <= i; j++) c->M[i * n + j] = c->M[j * n + i] = packed[at++];
  return invert(c->M, c->inverse, c->scratch[1], n);
}

/* What cancels in the joints' torques, be it all of them: forces of the masses at their levers. */
static double turning_force(const ag_reference *c, const double *vdot) {
  const ag_measures *m = &c->measures;
  return ag_measure_force(m, ag_largest(vdot, c->n)) * (m->slides ? fmax(1, m->length) : m->length);
}

double ag_reference_size(const ag_reference *reference, const double *vdot, const double *tau,
                         const double *nu) {
  double *size = reference->scratch[0], *bias = reference->scratch[1],
         *hold = reference->scratch[2];
  ag_reference_outputs(reference, ag_reference_run(reference, "bias"), "base.wrench", "tau", bias);
  ag_reference_outputs(reference, ag_reference_run(reference, "gravity"), "base.wrench", "tau",
                       hold);
  const double *phys = ag_sampler_find(&reference->sampler, "tau_phys"),
               *art = ag_sampler_find(&reference->sampler, "tau_art");
  for (int i = 0; i < reference->n; i++) {
    const int j = i - reference->nbase;
    size[i] = fabs(bias[i]) + fabs(hold[i]);
    if (tau) size[i] += fabs(tau[i]);
    if (phys && j >= 0) size[i] += fabs(phys[j]);
    if (art && j >= 0) size[i] += fabs(art[j]);
    for (int k = 0; k < reference->n; k++)
      size[i] += fabs(reference->M[i * reference->n + k] * vdot[k]);
    for (int k = 0; nu && k < reference->nrows; k++)
      size[i] += fabs(reference->AJ[k * reference->n + i] * nu[k]);
  }
  ag_reference_wrenches(reference, true, NULL, size);
  ag_reference_wrenches(reference, false, NULL, size);
  return ag_largest(size, reference->n) + turning_force(reference, vdot);
}

/* solve: NULL where there is none: with the drawn accelerations. */
static void find_sizes(ag_reference *c, const ag_run *solve) {
  const int n = c->n;
  const double *nu = solve ? ag_output_of(solve, "nu") : NULL,
               *b = ag_sampler_find(&c->sampler, "b");
  double *vdot = c->scratch[3], *tau = c->torques;
  if (solve) {
    ag_reference_outputs(c, solve, "base.acc", "qdd", vdot);
    ag_reference_outputs(c, solve, "base.wrench_ctrl", "tau_ctrl", tau);
  } else {
    memcpy(vdot, c->acceleration, (size_t)n * sizeof *vdot);
    for (int i = 0; i < n; i++) tau[i] = 0;
  }
  ag_sizes *z = &c->sizes;
  *z = (ag_sizes){.torque = ag_reference_size(c, vdot, tau, nu)};
  for (int i = 0; i < n; i++) {
    double sum = 0;
    for (int j = 0; j < n; j++) sum += fabs(c->inverse[i * n + j]);
    c->reach[i] = sum * z->torque;
    z->qdd = fmax(z->qdd, c->reach[i]);
  }
  z->acceleration = c->measures.gravity + z->qdd +
                    ag_measure_velocity(&c->measures, c->measures.speed * c->measures.speed);
  double least_L = INFINITY, most_whole = 0;
  for (int k = 0; nu && k < c->nrows; k++) {
    const double *J = c->AJ + (size_t)k * (size_t)n;
    double terms = c->drift_size[k] + c->yield_size[k] + fabs(b[k]), L = 0, whole = 0, most = 0;
    for (int i = 0; i < n; i++) {
      double column = 0;
      terms += fabs(J[i]) * c->reach[i];
      for (int j = 0; j < n; j++) {
        L += J[i] * c->inverse[i * n + j] * J[j];
        column += fabs(c->inverse[i * n + j] * J[j]);
      }
      most = fmax(most, column);
      /* The levers in J_i can be as long as the robot, and cancel. */
      if (J[i] != 0) whole += c->measures.length * c->measures.length * c->inverse[i * n + i];
    }
    z->acceleration = fmax(z->acceleration, terms);
    /* L = sum K_i^2 / D_i, where K_i is known to the roundings of its levers: so L has a relative
     * rounding of sqrt(whole / L), and nu, too. */
    if (nu[k] == 0 || !(L > 0)) continue;
    const double rounded = fmax(1, sqrt(whole / L)) / L;
    z->nu = fmax(z->nu, terms * rounded);
    least_L = fmin(least_L, L);
    most_whole = fmax(most_whole, whole);
    z->nu_by_torque = fmax(z->nu_by_torque, most * rounded);
  }
  /* L^-1, where the roundings of one row's levers meet the least L of another */
  if (most_whole > 0) z->nu_by_b = fmax(1, sqrt(most_whole / least_L)) / least_L;
}

bool ag_reference_open(ag_reference *c, const ag_model *model, const ag_script_options *options,
                       const ag_header *checked, ag_err *err, ag_arena *arena) {
  const bool bounded = checked->bounded || checked->optimum.unknowns > 0;
  *c = (ag_reference){.solves = !bounded};
  ag_script_options o = *options;
  o.functions =
      ag_family(!ag_has_linkages(checked), arena) + bounded; /* without its first, the solve */
  for (o.nfunctions = 0; o.functions[o.nfunctions]; o.nfunctions++) {
  }
  o.all_functions = false;
  o.check = true;
  if (!ag_script_build(model, &o, &c->header, &c->script, arena, err)) return false;
  c->sampler = (ag_sampler){.model = model, .header = &c->header};
  c->nbase = c->header.nbase;
  c->n = c->nbase + c->header.njoints;
  c->nrows = bounded && c->header.optimum.unknowns == 0 ? 0 : c->header.nrows;
  c->runs = ag_alloc(arena, (size_t)c->header.nfunctions * sizeof *c->runs);
  const size_t n = (size_t)c->n, rows = (size_t)c->nrows, real = sizeof(double);
  size_t most = n * n + AG_MOST_OF_BASE;
  for (int k = 0; k < c->header.nfunctions; k++) {
    c->runs[k] = ag_run_new(&c->sampler, c->header.functions[k]->graph, arena);
    const size_t outputs = (size_t)c->header.functions[k]->out.nelements;
    if (outputs > most) most = outputs;
  }
  ag_rows_find(c, arena);
  c->M = ag_alloc(arena, n * n * real);
  c->inverse = ag_alloc(arena, n * n * real);
  c->AJ = ag_alloc(arena, (rows * n + 1) * real);
  c->drift = ag_alloc(arena, (rows + 1) * real);
  c->drift_size = ag_alloc(arena, (rows + 1) * real);
  c->yield = ag_alloc(arena, (rows + 1) * real);
  c->yield_size = ag_alloc(arena, (rows + 1) * real);
  double **vectors[] = {&c->velocity, &c->acceleration, &c->reach, &c->torques};
  for (int k = 0; k < 4; k++) *vectors[k] = ag_alloc(arena, n * real);
  for (int k = 0; k < 4; k++) c->scratch[k] = ag_alloc(arena, most * real);
  c->lever = ag_alloc(arena, ((size_t)ag_script_reduced(c->script)->nbodies + 1) * real);
  return ag_linkages_open(c, arena, err);
}

void ag_reference_close(ag_reference *reference) {
  ag_script_close(reference->script);
}

bool ag_reference_draw(ag_reference *c, int state, bool single, bool *shorter) {
  ag_sampler_draw(&c->sampler, state, single);
  return ag_linkages_close(c, single, shorter);
}

bool ag_reference_place(ag_reference *c) {
  static const char *const of_positions[] = {"fk", "jac", "crba"};
  if (!ag_linkages_follow(c)) return false;
  for (int k = 0; k < 3; k++)
    ag_run_evaluate(&c->sampler, ag_reference_run(c, of_positions[k]), false);
  if (!find_inverse(c)) return false;
  ag_rows_evaluate(c);
  return true;
}

bool ag_reference_evaluate(ag_reference *c) {
  const ag_sampler *s = &c->sampler;
  ag_reference_join(c, ag_sampler_find(s, "base.twist"), ag_sampler_find(s, "qd"), c->velocity);
  ag_reference_join(c, ag_sampler_find(s, "base.acc"), ag_sampler_find(s, "qdd"), c->acceleration);
  c->measures = (ag_measures){.rate = ag_linkages_rates(c)};
  ag_measure(&c->measures, s, ag_script_reduced(c->script), c->velocity, c->n, c->lever);
  for (int k = 0; k < c->header.nfunctions; k++) ag_run_evaluate(&c->sampler, &c->runs[k], false);
  if (!find_inverse(c)) return false;
  ag_rows_evaluate(c);
  ag_passing_evaluate(c);
  const ag_run *solve = c->solves ? ag_reference_run(c, "achd") : NULL;
  const double *pivot = solve ? ag_output_of(solve, "pivot_min") : NULL;
  c->pivot = pivot ? fmin(1, *pivot) : 1;
  if (c->header.optimum.unknowns > 0) c->pivot = ag_rows_physical_pivot(c);
  find_sizes(c, solve);
  return true;
}
