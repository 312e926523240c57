/* SPDX-License-Identifier: MIT */
/* policy.c: see policy.h
 *
 * The forces nu are compared with the solution of L nu = b - A^T (a at nu = 0) with the rows that are damped or dropped, or without
 * the eigenvalues that are cut off. Where torques are clamped, those of artificial rows are what all rows demand; physical rows are
 * solved again by themselves, at the motion of the torques that the motors give. */
#include "check/policy.h"

#include "check/rows.h"
#include "check/solve.h"

#include <math.h>
#include <string.h>

/* Where pivots lose half as many digits, those that M loses by its own condition count. */
static const double inertias = 100;
static const double most_allowed = 1e-2,
                    most_of_float = 0.3; /* of nu: a policy changes it by much more */
static const double of_float =
    1e5; /* how much coarser it is here: inertias counts at its worst what SINGLE does */
static const double well_held = 100; /* condition of what contacts feel */
static const double of_sums = 8;     /* roundings of a right side's terms */
/* A fast way judges by other pivots than those of L, which can be much larger (docs/performance.md). */
static const double surely = 1e-2;
/* Pivots that no policy with a threshold of fewer digits than there are can act on. */
static const double far_above = 1e-3;
/* Relative pivots whose product is above this leave digits enough: no status is due to their product (docs/layouts.md). */
static const double large_product = 1e-7;

ag_subject *ag_policy_subject(const ag_checker *c) {
  ag_subject *own = NULL;
  int idle[AG_MOST_IDLE + 1];
  for (int k = 0; k < c->header->nfunctions; k++)
    if (strcmp(c->header->functions[k]->name, "achd") == 0) own = &c->subjects[k];
  if (!own || !c->robot.solves || c->robot.nrows == 0 || !ag_check_rows_alone(c)) return NULL;
  return !c->header->by_motors || ag_idle_freedoms(&c->robot, idle) <= AG_MOST_IDLE ? own : NULL;
}

ag_policy *ag_policy_new(ag_checker *c, double threshold) {
  ag_subject *own = ag_policy_subject(c);
  if (!own) return NULL;
  const size_t rows = (size_t)c->robot.nrows + 1;
  const char *name = ag_value_text(&own->problem, "singularity");
  const bool single = c->header->target.single;
  ag_policy *p = ag_alloc(c->arena, sizeof *p);
  *p = (ag_policy){.own = own,
                   .name = name,
                   .threshold = threshold,
                   .cuts = strcmp(name, "truncate") == 0,
                   .scales = ag_value_boolean(&own->problem, "scales"),
                   .force = ag_alloc(c->arena, rows * sizeof(bool)),
                   .kind = ag_alloc(c->arena, rows * sizeof(bool)),
                   .pivots = ag_pivots_new(&c->robot, threshold, name, single, c->arena),
                   .spectrum = ag_spectrum_new(c->robot.nrows, threshold, single, c->arena),
                   .right = ag_alloc(c->arena, rows * sizeof(double)),
                   .terms = ag_alloc(c->arena, rows * sizeof(double)),
                   .nu = ag_alloc(c->arena, rows * sizeof(double)),
                   .asked = ag_alloc(c->arena, (size_t)c->robot.n * sizeof(double)),
                   .load = ag_alloc(c->arena, (size_t)c->robot.n * sizeof(double)),
                   .unit = ag_alloc(c->arena, rows * sizeof(double)),
                   .caused = ag_alloc(c->arena, rows * sizeof(double))};
  if (c->header->by_motors) p->motors = ag_by_motors_new(&c->robot, single, c->arena);
  p->pivots.motors = p->motors;
  return p;
}

void ag_policy_find(ag_policy *p, const ag_reference *robot, const bool *force) {
  ag_pivots_find(&p->pivots, robot, force);
  if (p->cuts) ag_spectrum_find(&p->spectrum, p->pivots.L, p->pivots.has);
}

double ag_policy_least(const ag_policy *p) {
  if (p->cuts) return p->spectrum.least;
  double least = 1;
  for (int k = 0; k < p->spectrum.m; k++)
    if (!isnan(p->pivots.relative[k])) least = fmin(least, p->pivots.relative[k]);
  return least;
}

int ag_policy_acts(const ag_policy *p) {
  int count = p->cuts ? p->spectrum.ncut : 0;
  for (int k = 0; k < p->spectrum.m; k++) count += p->pivots.lost[k];
  for (int k = 0; k < p->spectrum.m && !p->cuts; k++)
    count += !isnan(p->pivots.relative[k]) && p->pivots.left[k] != 0; /* or NaN: dropped */
  return count;
}

/* r = b + what rows let pass - A^T a of the motion without their forces. by: NULL, or what gives the torques of motors, in the place of
 * what is demanded beside the rows. */
static void find_right_side(ag_checker *c, const ag_run *by) {
  ag_policy *p = c->policy;
  const ag_reference *robot = &c->robot;
  const int n = robot->n;
  double *given = c->v[3], *size = c->v[4], *none = c->v[0];
  for (int i = 0; i < n; i++) size[i] = none[i] = 0;
  ag_reference_join(robot, NULL,
                    by ? ag_output_of(by, "tau_ctrl") : ag_sampler_find(&robot->sampler, "tau_art"),
                    given);
  if (!by) ag_reference_wrenches(robot, false, given, size);
  memcpy(p->asked, given, (size_t)n * sizeof *given);
  if (!by && p->motors) ag_by_motors_yield(p->motors, robot, p->asked, given);
  const double *phys = ag_sampler_find(&robot->sampler, "tau_phys"),
               *friction = ag_output_of(ag_reference_run(robot, "achd"), "tau_friction"),
               *held = ag_reference_torques(robot, none),
               *b = ag_sampler_find(&robot->sampler, "b");
  for (int i = 0; i < n; i++) {
    const int j = i - robot->nbase;
    given[i] -= held[i];
    if (phys && j >= 0) given[i] += phys[j];
    if (friction && j >= 0) given[i] += friction[j];
  }
  for (int k = 0; k < robot->nrows; k++) {
    double terms;
    p->right[k] =
        b[k] + robot->yield[k] - robot->drift[k] - ag_rows_caused(robot, k, given, &terms);
    p->terms[k] = fabs(b[k]) + robot->yield_size[k] + robot->drift_size[k] + terms;
  }
}

/* The forces that roundings of the right side's sums cause, each row's by the root of its L_kk: L magnifies them in full whatever way it
 * is solved, also where columns keep half of the digits that L loses. */
static double of_right_side(const ag_policy *p, bool single) {
  const int m = p->spectrum.m;
  double sum = 0;
  for (int k = 0; k < m; k++) {
    for (int j = 0; j < m; j++) p->unit[j] = j == k ? p->terms[k] : 0;
    ag_pivots_solve(&p->pivots, m, p->unit, p->caused);
    for (int j = 0; j < m; j++) sum += p->caused[j] * p->caused[j] * (double)p->pivots.whole[j];
  }
  return of_sums * (single ? 0x1p-24 : 0x1p-53) * sqrt(sum);
}

/* Takes from the physical rows' forces what contacts carry in the place of motors. */
static void carry(const ag_policy *p, const ag_reference *robot) {
  const int n = robot->n;
  memcpy(p->load, p->asked, (size_t)n * sizeof *p->load);
  for (int k = 0; k < robot->nrows; k++)
    for (int i = 0; i < n && !robot->rows[k].group->physical; i++)
      p->load[i] += robot->AJ[k * n + i] * p->nu[k];
  ag_by_motors_carry(p->motors, robot, p->load, p->nu);
}

/* nu beside that of the definition, but for what roundings of the right side cause, over its size and that of the right side's terms:
 * each row's by the root of its L_kk, so that units do not count. counts: by row; robot: where contacts carry a part, else NULL. */
static double by_pivots(const ag_policy *p, const double *nu, const bool *counts, bool single,
                        const ag_reference *robot) {
  double apart = 0, whole = 0;
  const int m = p->spectrum.m;
  ag_pivots_solve(&p->pivots, m, p->right, p->nu);
  for (int k = 0; k < m; k++) whole += p->nu[k] * p->nu[k] * (double)p->pivots.whole[k];
  if (robot) carry(p, robot);
  for (int k = 0; k < m; k++) {
    const double root = (double)sqrtl(p->pivots.whole[k]);
    const double x = counts[k] ? (nu[k] - p->nu[k]) * root : 0;
    apart += x * x;
    if (!isnan(p->pivots.relative[k])) whole += p->terms[k] * p->terms[k] / (root * root);
  }
  return apart > 0 ? fmax(0, sqrt(apart) - of_right_side(p, single)) / sqrt(whole) : 0;
}

/* The same beside the forces that a right side of that length could have: what of it is along eigenvectors that are cut off, rounding
 * turns into the others. */
static double by_eigenvalues(const ag_policy *p, const double *nu, const bool *counts,
                             const ag_reference *robot) {
  double apart = 0;
  const double whole = ag_spectrum_solve(&p->spectrum, p->right, p->terms, p->nu);
  if (robot) carry(p, robot);
  for (int k = 0; k < p->spectrum.m; k++)
    if (counts[k]) apart += (nu[k] - p->nu[k]) * (nu[k] - p->nu[k]);
  return apart > 0 ? sqrt(apart) / whole : 0;
}

/* What rounding may do to the forces. */
static double allowed_for(const ag_policy *p, const ag_reference *robot, bool single) {
  const double lost = p->motors ? ag_by_motors_lost(robot) : 1,
               contacts = p->motors ? sqrt(p->motors->condition) : 1,
               motors = contacts * (p->motors && single ? fmax(inertias, lost) : lost),
               rounded = (single ? AG_CHECK_SAME * of_float : AG_CHECK_SAME) * motors;
  if (p->cuts) return rounded * p->spectrum.condition;
  const double magnified = ag_pivots_condition(&p->pivots, p->spectrum.m);
  return rounded * (p->pivots.by_columns ? inertias * sqrt(magnified) : magnified);
}

static bool took_fast_way(const ag_run *r) {
  return r->graph->nways > 1 && r->work[r->graph->guard] != 0;
}

/* A null-space solve is there for states whose least pivot, which it judges by, is above this. Rows that are eliminated early can be
 * turned, and then a pivot is beside the mean of three: of that only the policy's threshold is asked. */
static double seam(const ag_run *r, double threshold) {
  if (strcmp(r->graph->function->formulation, "early") == 0) return threshold;
  return fmax(1e3 * threshold, sqrt(threshold));
}

/* Whether no row in force is out of reach, and pivots are large, alone and together. */
static bool clearly_regular(const ag_policy *p, const ag_reference *robot) {
  double product = 1;
  for (int k = 0; k < robot->nrows; k++) {
    if (!ag_rows_in_force(robot, k)) continue;
    if (!p->force[k]) return false;
    product *= p->pivots.relative[k];
  }
  return product > large_product;
}

static void judge_status(ag_checker *c, const ag_run *r, int acted) {
  const ag_policy *p = c->policy;
  const bool fast = took_fast_way(r), singular = (r->status & AG_BIT_SINGULAR) != 0;
  const double *pivot = ag_output_of(r, "pivot_min");
  if (acted > 0 && (!fast || ag_policy_least(p) < surely * p->threshold))
    ag_check_note(c, "achd", "SINGULAR where a policy acts", !singular, 0);
  const bool held = !p->motors || sqrt(p->motors->condition) < well_held;
  if (acted == 0 && !c->single && held && clearly_regular(p, &c->robot))
    ag_check_note(c, "achd", "no SINGULAR where no pivot is small", singular, 0);
  if (fast && pivot)
    ag_check_note(c, "achd", "null-space solve where the least pivot allows it",
                  fmax(0, seam(r, p->threshold) / *pivot - 1), AG_CHECK_SAME);
}

/* The forces of the rows that count, by the rows' system as it was found last. carried: contacts carry a part. */
static bool judge_forces(ag_checker *c, const ag_run *r, const bool *counts, bool carried,
                         const char *what) {
  ag_policy *p = c->policy;
  const ag_reference *robot = carried && p->motors ? &c->robot : NULL;
  const double *nu = ag_output_of(r, "nu"), allowed = allowed_for(p, &c->robot, c->single);
  if (allowed > (c->single ? most_of_float : most_allowed)) return false; /* by rounding alone */
  const double error =
      p->cuts ? by_eigenvalues(p, nu, counts, robot) : by_pivots(p, nu, counts, c->single, robot);
  ag_check_note(c, "achd", what, error, allowed);
  return true;
}

/* Rows of a kind that have a force. Returns whether there are any. */
static bool of_kind(const ag_checker *c, bool physical, bool *force) {
  bool any = false;
  for (int k = 0; k < c->robot.nrows; k++) {
    force[k] = c->policy->force[k] && c->robot.rows[k].group->physical == physical;
    any = any || force[k];
  }
  return any;
}

/* Finds pivots or eigenvalues of the physical rows alone, which are of_kind. */
static void find_physical(ag_checker *c) {
  ag_policy *p = c->policy;
  p->pivots.first = ag_rows_first_physical(&c->robot);
  p->pivots.motors = NULL; /* which have no part in that */
  ag_policy_find(p, &c->robot, p->kind);
  p->pivots.first = 0;
  p->pivots.motors = p->motors;
}

static bool decided(const ag_policy *p) {
  return !(p->cuts ? p->spectrum.close : p->pivots.close);
}

bool ag_policy_judge(ag_checker *c, const ag_run *r, bool made) {
  ag_policy *p = c->policy;
  if (!p) return false;
  ag_rows_with_forces(&c->robot, ag_output_of(r, "nu"), p->force);
  const bool again = ag_check_solved_again(c, r), physical = again && of_kind(c, true, p->kind);
  const bool clamped = ag_check_clamped(c, r), singular = (r->status & AG_BIT_SINGULAR) != 0;
  if (physical) find_physical(c);
  const bool known = !physical || decided(p);
  const int acted_again = physical ? ag_policy_acts(p) : 0;
  ag_policy_find(p, &c->robot, p->force);
  p->acted = ag_policy_acts(p) + acted_again;
  c->least_pivot = ag_policy_least(p);
  if (!known || !decided(p)) return false;
  if (p->threshold < AG_LEAST_THRESHOLD(c->header->target.single) && ag_policy_least(p) < far_above)
    return false;
  judge_status(c, r, p->acted);
  if (p->acted > 0 && took_fast_way(r)) return false; /* which is exact there */
  if (clamped && p->scales) return false;
  if (!made && !singular && !clamped) return true; /* by the rows themselves (solve.h) */
  const char *what = p->acted > 0 ? "nu where a policy acts, by definition"
                     : made       ? "nu of states made nearly singular, by definition"
                                  : "nu, by definition";
  find_right_side(c, NULL);
  if (!again) return judge_forces(c, r, p->force, true, what);
  bool judged = of_kind(c, false, p->kind) && judge_forces(c, r, p->kind, false, what);
  if (!of_kind(c, true, p->kind)) return judged;
  find_physical(c);
  find_right_side(c, r);
  return judge_forces(c, r, p->kind, false, what) || judged;
}
