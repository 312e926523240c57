/* SPDX-License-Identifier: MIT */
/* raised.c: see raised.h */
#include "check/raised.h"

#include "base/value.h"
#include "check/policy.h"
#include "check/rows.h"
#include "check/solve.h"

#include <math.h>
#include <string.h>

static const double raised_threshold = 0.25;

bool ag_raised_open(ag_checker *c, const ag_model *model, const ag_script_options *options) {
  static const char *const solve[] = {"achd"};
  const ag_subject *own = ag_policy_subject(c);
  if (!own || c->robot.nrows < 2) return true;
  ag_script_options o = *options;
  o.functions = solve, o.nfunctions = 1, o.all_functions = false;
  o.check = o.one_way = true;
  o.threshold = raised_threshold;
  /* that of the header's solve; of its general one, most often joint */
  o.formulation =
      strcmp(own->run.graph->function->formulation, "recursion") == 0 ? "recursion" : "joint";
  ag_raised *r = ag_alloc(c->arena, sizeof *r);
  *r = (ag_raised){0};
  c->raised = r;
  if (!ag_script_build(model, &o, &r->header, &r->script, c->arena, c->err)) return false;
  ag_value problem;
  if (!ag_script_problem(r->script, 0, &problem, c->err)) return false;
  const char *policy = ag_value_text(&problem, "singularity");
  if (strcmp(policy, "truncate") == 0 ||
      c->header->by_motors) /* no row leaves of b what is its own */
    r->policy = ag_policy_new(c, raised_threshold);
  r->run = ag_run_new(&c->robot.sampler, r->header.functions[0]->graph, c->arena);
  r->pivots =
      ag_pivots_new(&c->robot, raised_threshold, policy, c->header->target.single, c->arena);
  r->force = ag_alloc(c->arena, ((size_t)c->robot.nrows + 1) * sizeof *r->force);
  return true;
}

void ag_raised_close(ag_checker *c) {
  if (c->raised && c->raised->script) ag_script_close(c->raised->script);
}

void ag_raised_check(ag_checker *c, double coarse) {
  ag_raised *r = c->raised;
  if (!r || c->state >= AG_RAISED_STATES) return;
  ag_run_evaluate(&c->robot.sampler, &r->run, c->single);
  /* squares of L_kk in damping: float's range ends at robots of 1e-19 kg, which the status tells */
  if (c->single && (r->run.status & AG_BIT_NOT_FINITE)) return;
  if (r->policy) {
    ag_policy *own = c->policy;
    c->policy = r->policy;
    (void)ag_policy_judge(c, &r->run, true);
    c->policy = own;
    return;
  }
  ag_rows_with_forces(&c->robot, ag_output_of(&r->run, "nu"), r->force);
  ag_pivots_find(&r->pivots, &c->robot, r->force);
  if (!r->pivots.close) ag_check_dependent(c, &r->run, r->pivots.left, coarse);
}
