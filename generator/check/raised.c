/* raised.c: see raised.h
 *
 * By the definition of docs/layouts.md: L = A^T J M^-1 J^T A of the rows that have a force, in the order of the layout, L = l D l^T;
 * where a pivot d_k is below t L_kk, damping adds t L_kk (1 - d_k / (t L_kk))^2 to it, so that row k leaves
 * A^T a - b = -that nu_k; a row that is dropped has no force, and the others hold. */
#include "check/raised.h"

#include "base/value.h"
#include "check/rows.h"
#include "check/solve.h"

#include <math.h>
#include <string.h>

static const double raised_threshold = 0.25;
/* Closer to the threshold than this, rounding decides which side a pivot is on. */
static const double closely = 1e-6;

bool ag_raised_open(ag_checker *c, const ag_model *model, const ag_script_options *options) {
  static const char *const solve[] = {"achd"};
  int solve_at = -1;
  for (int k = 0; k < c->header->nfunctions; k++)
    if (strcmp(c->header->functions[k]->name, solve[0]) == 0) solve_at = k;
  bool weighted = false,
       physical = false; /* what drivers cause beside physical rows has their pivots in it */
  for (int k = 0; k < c->robot.nrows; k++) {
    weighted = weighted || ag_row_weighs(&c->header->rows[k]);
    physical = physical || c->robot.rows[k].group->physical;
  }
  if (weighted && physical) return true;
  if (solve_at < 0 || !c->robot.solves || c->robot.nrows < 2 || c->header->by_motors) return true;
  ag_script_options o = *options;
  o.functions = solve, o.nfunctions = 1, o.all_functions = false;
  o.check = o.one_way = true;
  o.threshold = raised_threshold;
  /* that of the header's solve; of its general one, most often joint */
  o.formulation =
      strcmp(c->header->functions[solve_at]->formulation, "recursion") == 0 ? "recursion" : "joint";
  ag_raised *r = ag_alloc(c->arena, sizeof *r);
  *r = (ag_raised){0};
  c->raised = r;
  if (!ag_script_build(model, &o, &r->header, &r->script, c->arena, c->err)) return false;
  ag_value problem;
  if (!ag_script_problem(r->script, 0, &problem, c->err)) return false;
  const char *policy = ag_value_text(&problem, "singularity");
  r->drops = strcmp(policy, "drop") == 0;
  r->judged = r->drops || strcmp(policy, "damp") == 0; /* not the eigenvalues of L */
  r->run = ag_run_new(&c->robot.sampler, r->header.functions[0]->graph, c->arena);
  const size_t m = (size_t)c->robot.nrows;
  r->L = ag_alloc(c->arena, m * m * sizeof *r->L);
  r->inverse = ag_alloc(c->arena, m * sizeof *r->inverse);
  r->left = ag_alloc(c->arena, m * sizeof *r->left);
  return true;
}

void ag_raised_close(ag_checker *c) {
  if (c->raised && c->raised->script) ag_script_close(c->raised->script);
}

static void find_coupling(const ag_checker *c) {
  const int m = c->robot.nrows;
  for (int k = 0; k < m; k++) {
    const double *J = c->robot.AJ + (size_t)k * (size_t)c->robot.n;
    for (int j = k; j < m; j++) c->raised->L[j * m + k] = ag_rows_caused(&c->robot, j, J, NULL);
    c->raised->L[k * m + k] += ag_rows_compliance(&c->robot, k);
  }
}

/* What row k leaves of its set-point per unit of its force, by pivot d; false: rounding decides. */
static bool judge_pivot(const ag_raised *r, int k, double d, double Lkk) {
  const double limit = raised_threshold * Lkk, lacks = limit - d;
  r->left[k] = 0;
  r->inverse[k] = 1 / d;
  if (r->drops && fabs(lacks) < closely * limit) return false;
  if (lacks <= 0) return true;
  r->left[k] = r->drops ? NAN : lacks * lacks / limit;
  r->inverse[k] = r->drops ? 0 : 1 / (d + r->left[k]);
  return true;
}

/* L = l D l^T in place, l_jk d_k below the diagonal. Rows without a force, masked or out of reach, are as if they were not there. */
static bool eliminate(const ag_checker *c, const double *nu) {
  const ag_raised *r = c->raised;
  const int m = c->robot.nrows;
  for (int k = 0; k < m; k++) {
    const double Lkk = r->L[k * m + k];
    double d = Lkk;
    for (int i = 0; i < k; i++) d -= r->L[k * m + i] * r->L[k * m + i] * r->inverse[i];
    if (!judge_pivot(r, k, d, Lkk)) return false;
    if (nu[k] == 0 && !isnan(r->left[k])) r->left[k] = NAN, r->inverse[k] = 0;
    for (int j = k + 1; j < m; j++)
      for (int i = 0; i < k; i++)
        r->L[j * m + k] -= r->L[j * m + i] * r->L[k * m + i] * r->inverse[i];
  }
  return true;
}

void ag_raised_check(ag_checker *c, double coarse) {
  ag_raised *r = c->raised;
  if (!r || !r->judged || c->state >= AG_RAISED_STATES) return;
  ag_run_evaluate(&c->robot.sampler, &r->run, c->single);
  /* squares of L_kk in damping: float's range ends at robots of 1e-19 kg, which the status tells */
  if (c->single && (r->run.status & AG_BIT_NOT_FINITE)) return;
  find_coupling(c);
  if (eliminate(c, ag_output_of(&r->run, "nu"))) ag_check_dependent(c, &r->run, r->left, coarse);
}
