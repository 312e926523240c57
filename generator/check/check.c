/* SPDX-License-Identifier: MIT */
/* check.c: see check.h
 *
 * An error is a difference over the terms that it is made of. For a solve these are |M^-1| times
 * all torques that the equation of motion sums up; its rows magnify roundings by one over their
 * least pivot. What remains is rounding, whatever the robot and the state. */
#include "check/check.h"

#include "base/sincos.h"
#include "base/value.h"
#include "check/bound.h"
#include "check/checker.h"
#include "check/derivatives.h"
#include "check/family.h"
#include "check/linkages.h"
#include "check/optimum.h"
#include "check/policy.h"
#include "check/raised.h"
#include "check/rows.h"
#include "check/singular.h"
#include "check/solve.h"
#include "check/stated.h"
#include "graph/functions.h"

#include <math.h>
#include <string.h>
#include <time.h>

enum { LINE = 200, TYPICAL_STATES = 101 };
/* Status bits that rounding cannot flip. */
static const unsigned ROUNDING_PROOF = AG_BIT_NOT_FINITE | AG_BIT_BAD_INPUT | AG_BIT_NOT_POSITIVE;

/* ---- programs against scripts, and one formulation against the other ---- */

/* The median over some states of the norm of every output. */
static void find_typical(ag_checker *c, ag_subject *s, int nstates) {
  if (nstates > TYPICAL_STATES) nstates = TYPICAL_STATES;
  const ag_list *list = &s->run.graph->function->out;
  const size_t count = (size_t)nstates;
  double *norms = ag_alloc(c->arena, (count * (size_t)list->nquantities + 1) * sizeof *norms);
  for (int state = 0; state < nstates; state++) {
    bool shorter;
    (void)ag_reference_draw(&c->robot, state, c->single, &shorter);
    ag_run_evaluate(&c->robot.sampler, &s->run, c->single);
    for (int k = 0; k < list->nquantities; k++) {
      const ag_quantity *q = &list->quantities[k];
      double *sorted = norms + (size_t)k * count, x = ag_check_norm(s->run.out + q->first, q->size);
      int at = state;
      for (; at > 0 && sorted[at - 1] > x; at--) sorted[at] = sorted[at - 1];
      sorted[at] = x;
    }
  }
  for (int k = 0; k < list->nquantities; k++) s->typical[k] = norms[(size_t)k * count + count / 2];
}

/* Accelerations that forces cause, by M^-1, are as large as those of the lightest joint, be they the rest of what that does to a
 * base: links of 1e-9 kg m^2 accelerate with 1e9 rad/s^2. */
static double caused(const ag_checker *c, const ag_run *r) {
  const ag_quantity *qdd = ag_quantity_of(&r->graph->function->out, "qdd");
  return qdd ? ag_measure_velocity(&c->robot.measures, ag_largest(r->out + qdd->first, qdd->size))
             : 0;
}

/* The terms of the derivatives of nu, and of the torques that it causes: as large as nu itself by positions and
 * velocities; by b and torques as rows that joints hardly move along make them. */
static double force_derivative_size(const ag_checker *c, const ag_quantity *q) {
  const ag_reference *robot = &c->robot;
  const ag_sizes *z = &robot->sizes;
  const bool torques = strncmp(q->name, "dtau_ctrl_d", 11) == 0;
  const double lever = torques ? ag_largest(robot->AJ, robot->nrows * robot->n) : 1;
  switch ((ag_by)(q->count % AG_NBY)) {
  case AG_BY_POSITIONS:
  case AG_BY_VELOCITIES:
    return (torques ? z->torque : 0) + lever * z->nu;
  case AG_BY_SET_POINTS:
    return lever * z->nu_by_b;
  case AG_BY_WRENCH:
    return lever * z->nu_by_torque * fmax(1, robot->measures.length);
  default:
    return lever * z->nu_by_torque;
  }
}

/* The terms of derivatives: M^-1 times those of forces by positions and velocities, M^-1 itself by forces. */
static double derivative_size(const ag_checker *c, const ag_quantity *q) {
  const ag_reference *robot = &c->robot;
  const ag_by by = (ag_by)(q->count % AG_NBY);
  if (strncmp(q->name, "dnu_d", 5) == 0 || strncmp(q->name, "dtau_ctrl_d", 11) == 0)
    return force_derivative_size(c, q);
  if (strncmp(q->name, "dqdd_d", 6) != 0) return robot->measures.speed * robot->measures.speed;
  if (strcmp(q->name, "dqdd_dq") == 0 || strcmp(q->name, "dqdd_dqd") == 0) return robot->sizes.qdd;
  return ag_largest(robot->inverse, robot->n * robot->n) *
         fmax(1, by == AG_BY_WRENCH ? robot->measures.length : 1);
}

/* Of K nu, where motors alone realise rows that depend on each other: what motors make of J^T A nu, and so
 * the motion, is determined there, J^T A nu itself no more than nu is. */
static double undetermined(const ag_checker *c, const ag_run *r, const ag_quantity *q) {
  const ag_reference *robot = &c->robot;
  if (strcmp(q->name, "tau_apparent") != 0 || !c->header->by_motors ||
      !(r->status & AG_BIT_SINGULAR))
    return 0;
  return ag_largest(robot->AJ, robot->nrows * robot->n) * robot->sizes.nu;
}

/* Whether a program divides by the pivots of rows, as a solve does, and so do its derivatives. */
static bool meets_rows(const ag_graph *p) {
  const char *values = ag_function_values(p->function->name);
  return strcmp(p->function->name, "osim") == 0 || strcmp(p->function->name, "qp") == 0 ||
         ag_function_solves(values ? values : p->function->name);
}

/* How much less is left of a row that makes a frame's manipulability w small than of one elsewhere: the gradient of w is known by the
 * direction of what is left, so to as many digits less. 1: it is another output. */
static double of_small(const ag_subject *s, const ag_quantity *q) {
  const ag_list *out = &s->run.graph->function->out;
  const char *of = strstr(q->name, "_dq.");
  char name[LINE];
  if (strncmp(q->name, "dmanipulability", 15) != 0 || !of) return 1;
  snprintf(name, sizeof name, "%.*s%s", (int)(of - q->name - 1), q->name + 1, of + 3);
  const ag_quantity *w = ag_quantity_of(out, name);
  if (!w || !(s->run.out[w->first] > 0)) return 1;
  return fmax(1, s->typical[w - out->quantities] / s->run.out[w->first]);
}

/* The size of the terms that an output's differences are made of, be it small or none of it be
 * left. */
static double output_size(const ag_checker *c, const ag_subject *s, int k) {
  const ag_run *r = &s->run;
  const ag_reference *robot = &c->robot;
  const ag_quantity *q = &r->graph->function->out.quantities[k];
  const ag_sizes *z = &robot->sizes;
  const ag_measures *m = &robot->measures;
  const bool solve = meets_rows(r->graph);
  const double own = ag_check_norm(r->out + q->first, q->size) + s->typical[k];
  const double v = ag_measure_velocity(m, m->speed),
               a = ag_measure_velocity(m, m->speed * m->speed) +
                   ag_measure_velocity(m, m->rate * ag_largest(robot->acceleration, robot->n)),
               largest = ag_largest(robot->M, robot->n * robot->n);
  if (q->shape == AG_DERIVATIVE) return own + derivative_size(c, q);
  switch (q->terms) {
  case AG_TERMS_NONE:
    return 1;
  case AG_TERMS_TORQUES:
    return own + z->torque;
  case AG_TERMS_ROTORS: /* D below M's diagonal */
    return own + z->torque + largest * z->qdd + undetermined(c, r, q);
  case AG_TERMS_JOINTS:
    return own + z->qdd;
  case AG_TERMS_FORCES:
    return own + z->nu;
  case AG_TERMS_WORK:
    return own + robot->n * z->torque * z->qdd;
  case AG_TERMS_SOLVED:
    return own + (solve ? z->acceleration : m->speed * m->speed + caused(c, r));
  case AG_TERMS_ACCELERATIONS:
    return own + (solve ? z->acceleration : a);
  case AG_TERMS_DRIFT:
    return own + a;
  case AG_TERMS_LENGTHS:
    return own + m->length;
  case AG_TERMS_TWISTS:
    return own + v;
  case AG_TERMS_MOMENTA:
    return own + m->mass * v * fmax(1, m->length);
  case AG_TERMS_POTENTIAL:
    return own + m->mass * m->gravity * m->length;
  case AG_TERMS_KINETIC:
    return own + m->mass * v * v;
  case AG_TERMS_INERTIAS:
    return own + largest;
  default:
    return own + m->speed * m->speed;
  }
}

/* The least pivot that derivatives of a solve live on. Their columns, which are many, are not refined as nu is: where several pivots
 * are small these multiply, so it is 1 over the condition of L. */
static double derivatives_pivot(ag_checker *c, double pivot) {
  static const double undamped = 1e-12;
  const ag_reference *robot = &c->robot;
  if (c->condition == 0) {
    ag_arena own = {0};
    bool *force = ag_alloc(&own, ((size_t)robot->nrows + 1) * sizeof *force);
    if (!c->pivots.L) c->pivots = ag_pivots_new(robot, undamped, "damp", false, c->arena);
    ag_rows_with_forces(robot, ag_output_of(ag_reference_run(robot, "achd"), "nu"), force);
    ag_pivots_find(&c->pivots, robot, force);
    c->condition = ag_pivots_condition(&c->pivots, robot->nrows);
    ag_arena_free(&own);
  }
  return fmin(pivot, fmax(1 / c->condition, AG_CHECK_LEAST_PIVOT(c->single)));
}

/* The least pivot that an output lives on. pivot: that of the solve. */
static double pivot_of(ag_checker *c, const ag_subject *s, const ag_quantity *q, double pivot) {
  static const char *const of_levels[] = {"A", "lo", "hi", "weight"};
  if (q->shape == AG_DERIVATIVE && pivot < 1 && c->robot.solves) return derivatives_pivot(c, pivot);
  for (size_t k = 0; k < sizeof of_levels / sizeof *of_levels; k++)
    if (strcmp(s->run.graph->function->name, "qp") == 0 && strcmp(q->name, of_levels[k]) == 0)
      return fmin(pivot, ag_check_levels_pivot(c, &s->problem));
  return pivot;
}

static void compare(ag_checker *c, const ag_subject *s, const ag_list *list, const double *other,
                    const char *title, double allowed) {
  const ag_run *r = &s->run;
  const ag_graph *p = r->graph;
  const double pivot = meets_rows(p) ? ag_check_pivot(c, r) : 1;
  for (int k = 0; k < p->function->out.nquantities; k++) {
    const ag_quantity *q = &p->function->out.quantities[k], *same = ag_quantity_of(list, q->name);
    if (!same || same->size != q->size) continue;
    /* of the rows' own equations, without the robot's inertia, or of limbs alone; the reference has that of L */
    if (list != &p->function->out && strcmp(q->name, "pivot_min") == 0 &&
        (ag_value_item(&s->problem, "equations") || ag_value_list(&s->problem, "sets")->length > 0))
      continue;
    if (ag_check_bounds(q)) {
      if (list == &p->function->out) ag_check_bound(c, s, q);
      ag_check_two_bounds(c, r, q, list, other, title);
      continue;
    }
    double apart = 0;
    for (int i = 0; i < q->size; i++)
      apart = fmax(apart, fabs(r->out[q->first + i] - other[same->first + i]));
    for (int i = 0; i < q->size; i++)
      if (isnan(r->out[q->first + i]) || isnan(other[same->first + i])) apart = INFINITY;
    const double least = pivot_of(c, s, q, pivot);
    char what[LINE];
    snprintf(what, sizeof what, "%s: %s", title, q->name);
    ag_check_note(c, p->function->name, what,
                  ag_check_ratio(apart, output_size(c, s, k) * of_small(s, q) / least), allowed);
  }
}

/* What Newton's steps leave changes much faster than where they end: both sides begin there. */
static void check_derivatives(ag_checker *c, ag_run *r, double coarse) {
  const bool linked = c->robot.nlinkages > 0;
  if (linked) {
    ag_linkages_keep(&c->robot, false);
    (void)ag_linkages_follow(&c->robot);
    ag_run_evaluate(&c->robot.sampler, r, c->single);
  }
  ag_check_derivatives(c, r, coarse);
  if (linked) ag_linkages_keep(&c->robot, true);
}

static bool check_subject(ag_checker *c, int index, double coarse) {
  ag_subject *s = &c->subjects[index];
  ag_run *r = &s->run;
  const ag_graph *p = r->graph;
  ag_run_evaluate(&c->robot.sampler, r, c->single);
  unsigned status = 0;
  if (!ag_script_numbers(c->script, index, r->in, s->numbers, &status, c->err)) return false;
  unsigned odd = (r->status ^ status) & (c->single ? ROUNDING_PROOF : ~0u);
  /* nu of damped rows that depend on each other is rounding magnified, and so is what no motor gives of it */
  if (r->status & status & AG_BIT_SINGULAR) odd &= ~(unsigned)AG_BIT_UNACTUATED;
  ag_check_note(c, p->function->name, "program and script: status", odd != 0, 0);
  if (r->status & AG_BIT_BAD_INPUT)
    ag_check_note(c, p->function->name, "BAD_INPUT only where an input is bad", 1, 0);
  const bool solve = ag_function_solves(p->function->name);
  const ag_run *other = solve ? ag_reference_run(&c->robot, "achd") : NULL;
  if (solve && c->single && c->header->by_motors && (r->status | status) == 0)
    ag_check_motors(c, r, s->numbers, s->typical);
  /* one side or the other of a threshold; float leaves nothing of rows this close to dependent */
  if (meets_rows(p) && r->status != status) return true;
  if (meets_rows(p) && c->single && c->robot.pivot < AG_CHECK_LEAST_PIVOT(true)) return true;
  compare(c, s, &p->function->out, s->numbers, "program and script", AG_CHECK_SAME * coarse);
  if (solve && !((r->status | other->status) & AG_BIT_SINGULAR)) {
    char title[LINE];
    snprintf(title, sizeof title, "%s and %s", p->function->formulation,
             other->graph->function->formulation);
    compare(c, s, &other->graph->function->out, other->out, title, AG_CHECK_BALANCE * coarse);
  }
  return true;
}

/* ---- all of it ---- */

/* Of the rows in a state, by any function that solves for their forces: some are in force; the policy about dependent rows met them;
 * torques are at their limits; and they were compared. */
typedef struct rows_met {
  bool asked, singular, clamped, compared;
} rows_met;

/* judged: what the policy makes of them was compared, or it makes nothing of them. */
static void note_rows(const ag_checker *c, rows_met *met, const ag_run *r, bool judged) {
  const bool singular = (r->status & AG_BIT_SINGULAR) != 0, clamped = ag_check_clamped(c, r);
  bool physical = false;
  for (int k = 0; k < c->robot.nrows; k++) {
    if (!ag_rows_in_force(&c->robot, k)) continue;
    met->asked = true;
    physical = physical || c->robot.rows[k].group->physical;
  }
  met->singular = met->singular || singular;
  met->clamped = met->clamped || clamped;
  met->compared = met->compared || judged || (!singular && (!clamped || physical));
}

static void count_rows(ag_check_report *report, const rows_met *met) {
  report->nasked += met->asked;
  report->nsingular += met->singular;
  if (!met->asked || met->compared) return;
  report->nuncompared++;
  report->nlimited += !met->singular; /* then torques are clamped */
}

/* Whether a function says that a linkage is not closed: the torques at its motors, beside its positions. */
static bool open_somewhere(const ag_reference *robot) {
  for (int k = 0; k < robot->header.nfunctions; k++)
    if (robot->runs[k].status & AG_BIT_NOT_CLOSED) return true;
  return false;
}

static bool check_state(ag_checker *c) {
  bool shorter = false;
  c->condition = 0;
  const bool closed = ag_reference_draw(&c->robot, c->state, c->single, &shorter),
             positive = closed && ag_reference_evaluate(&c->robot);
  if (!closed || open_somewhere(&c->robot)) {
    c->report->nopen++;
    return true;
  }
  c->report->nshorter += shorter;
  if (!positive) {
    ag_check_note(c, "crba", "M is positive definite", INFINITY, 0);
    return true;
  }
  if (c->robot.measures.angle > c->report->range) {
    c->report->nbeyond++;
    return true;
  }
  /* float rounds the angles themselves, by 6e-8 of them */
  const double coarse = c->single ? AG_CHECK_SINGLE * fmax(1, c->robot.measures.angle / 100) : 1;
  rows_met met = {false, false, false, false};
  for (int k = 0; k < c->header->nfunctions; k++) {
    if (!check_subject(c, k, coarse)) return false;
    const ag_run *r = &c->subjects[k].run;
    if (strcmp(r->graph->function->name, "apply") == 0) ag_check_applied(c, &c->subjects[k].run);
    if (strcmp(r->graph->function->name, "qp") == 0) {
      const bool judged = ag_check_optimum(c, &c->subjects[k], coarse);
      note_rows(c, &met, r, judged);
    }
    if (ag_function_values(r->graph->function->name) && c->state < AG_MOST_DIFFERENCES)
      check_derivatives(c, &c->subjects[k].run, coarse);
    ag_check_regressor(c, r, coarse);
    if (strcmp(r->graph->function->name, "osim") == 0) ag_check_operational_space(c, r, coarse);
    if (!ag_function_solves(r->graph->function->name)) continue;
    ag_check_contributions(c, r, coarse);
    const bool own = ag_check_complete(c, r);
    if (!own) r = ag_reference_run(&c->robot, "achd");
    const bool judged = ag_policy_judge(c, r, false); /* which finds the pivots */
    ag_check_solve(c, r, own ? coarse : 1);
    note_rows(c, &met, r, judged);
  }
  count_rows(c->report, &met);
  ag_raised_check(c, coarse);
  ag_check_family(c);
  return true;
}

/* The formulation that the solve is not in; NULL: there is but one, or no solve. */
static const char *other_formulation(const ag_header *header, const ag_reduced *reduced) {
  if (header->couples) return NULL;
  for (int i = 0; i < reduced->nbodies; i++)
    if (reduced->bodies[i].mimic >= 0) return NULL;
  for (int k = 0; k < header->nfunctions; k++)
    if (ag_function_solves(header->functions[k]->name))
      return strcmp(header->functions[k]->formulation, "joint") == 0 ? "recursion" : "joint";
  return NULL;
}

/* All states, from the first. */
static bool check_states(ag_checker *c, ag_check_report *report, bool single, int nstates) {
  *report = (ag_check_report){.nstates = nstates,
                              .linked = c->robot.nlinkages > 0,
                              .range = c->header->target.single ? AG_ANGLE_FLOAT : AG_ANGLE_DOUBLE};
  c->report = report;
  c->single = single;
  for (int j = 0; j < c->header->njoints; j++) {
    double lower, upper;
    report->nnarrowed += ag_sampler_range(&c->robot.sampler, j, &lower, &upper);
  }
  for (int k = 0; k < c->header->nfunctions; k++) find_typical(c, &c->subjects[k], nstates);
  if (!c->policy && ag_policy_subject(c))
    c->policy = ag_policy_new(c, ag_value_number(&ag_policy_subject(c)->problem, "threshold"));
  const clock_t began = clock();
  clock_t told = began;
  bool good = true;
  for (c->state = 0; good && c->state < nstates; c->state++) {
    good = check_state(c);
    const clock_t now = clock();
    if (!c->progress || now - began < CLOCKS_PER_SEC || now - told < CLOCKS_PER_SEC / 4) continue;
    told = now;
    fprintf(c->progress, "\r%d of %d states", c->state + 1, nstates);
    (void)fflush(c->progress);
  }
  if (good) ag_check_singular(c);
  if (told != began) fprintf(c->progress, "\r\033[K"); /* the line is free again */
  return good;
}

bool ag_check(const ag_checked *checked, int nstates, FILE *progress, ag_check_report *report,
              ag_err *err) {
  const ag_header *header = checked->header;
  ag_arena *arena = header->arena;
  ag_checker c = {.header = header,
                  .script = checked->script,
                  .arena = arena,
                  .err = err,
                  .progress = progress};
  *report = (ag_check_report){.nstates = nstates};
  ag_script_options other = *checked->options;
  other.formulation = other_formulation(header, ag_script_reduced(checked->script));
  bool good = ag_reference_open(&c.robot, checked->model, &other, header, err, arena);
  if (good) {
    const size_t real = sizeof(double);
    c.subjects = ag_alloc(arena, (size_t)header->nfunctions * sizeof *c.subjects);
    for (int k = 0; k < header->nfunctions; k++) {
      const ag_list *out = &header->functions[k]->out;
      ag_subject *s = &c.subjects[k];
      s->run = ag_run_new(&c.robot.sampler, header->functions[k]->graph, arena);
      s->numbers = ag_alloc(arena, (size_t)(out->nelements + 1) * real);
      s->typical = ag_alloc(arena, (size_t)(out->nquantities + 1) * real);
      good = good && ag_script_problem(c.script, k, &s->problem, err);
      if (good) c.threshold = fmax(c.threshold, ag_value_number(&s->problem, "threshold"));
    }
    ag_rows_place(&c.robot, arena);
    for (int k = 0; k < 5; k++) c.v[k] = ag_alloc(arena, (size_t)c.robot.n * real);
    good = good && ag_raised_open(&c, checked->model, checked->options) &&
           check_states(&c, report, header->target.single, nstates);
    if (good && header->target.single && !ag_check_passed(report, "", &(ag_err){0})) {
      ag_check_report in_double;
      good = check_states(&c, &in_double, false, nstates);
      report->float_only = ag_check_holds(report) ? ag_check_passed(&in_double, "", &(ag_err){0})
                                                  : ag_check_holds(&in_double);
    }
  }
  ag_raised_close(&c);
  ag_reference_close(&c.robot);
  return good;
}
