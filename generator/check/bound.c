/* SPDX-License-Identifier: MIT */
/* bound.c: see bound.h */
#include "check/bound.h"

#include "check/wide.h"
#include "graph/eval.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { LINE = 200, PUSHED_STATES = 5 };

/* What "bound" and "base.bound" are of; NULL: another output. */
static const char *bounded_by(const char *name) {
  return strcmp(name, "bound") == 0 ? "qdd" : strcmp(name, "base.bound") == 0 ? "base.acc" : NULL;
}

bool ag_check_bounds(const ag_quantity *q) {
  return bounded_by(q->name) != NULL;
}

void ag_check_two_bounds(ag_checker *c, const ag_run *r, const ag_quantity *bound,
                         const ag_list *list, const double *other, const char *title) {
  const char *name = bounded_by(bound->name);
  const ag_quantity *q = ag_quantity_of(&r->graph->function->out, name),
                    *same = ag_quantity_of(list, name), *its = ag_quantity_of(list, bound->name);
  if (!q || !same || !its) return;
  double most = 0;
  for (int i = 0; i < q->size; i++) {
    const double apart = fabs(r->out[q->first + i] - other[same->first + i]);
    const double allowed = r->out[bound->first + i] + other[its->first + i];
    most = apart <= allowed ? fmax(most, apart / allowed) : INFINITY; /* also of NaN */
  }
  char what[LINE];
  snprintf(what, sizeof what, "%s: %s within both bounds", title, name);
  ag_check_note(c, r->graph->function->name, what, most, 1);
}

/* Accelerations against those of the same program in long double: off by no more than the bound says, which is no more than
 * what rounding does at worst to the terms that they are made of. */
static void check_true_error(ag_checker *c, const ag_subject *s, const ag_quantity *bound) {
  const ag_run *r = &s->run;
  const ag_quantity *q = ag_quantity_of(&r->graph->function->out, bounded_by(bound->name));
  if (!q || c->single || r->status != 0 || c->state >= AG_MOST_DIFFERENCES) return;
  ag_arena own = {0};
  ag_wide wide;
  ag_wide_open(&wide, r->graph, r->in, &own);
  double most = 0, largest = 0;
  for (int i = 0; i < q->size; i++) {
    const double apart =
        (double)fabsl(wide.out[0][q->first + i] - (long double)r->out[q->first + i]);
    const double told = r->out[bound->first + i];
    most = apart <= told * AG_CHECK_REFERENCE ? fmax(most, apart / told) : INFINITY;
    largest = fmax(largest, told);
  }
  ag_arena_free(&own);
  char what[LINE];
  snprintf(what, sizeof what, "%s: at least the error in long double", bound->name);
  ag_check_note(c, r->graph->function->name, what, most, AG_CHECK_REFERENCE);
  const int k = (int)(q - r->graph->function->out.quantities);
  snprintf(what, sizeof what, "%s: no larger than what rounding does", bound->name);
  ag_check_note(
      c, r->graph->function->name, what,
      ag_check_ratio(largest, (ag_check_norm(r->out + q->first, q->size) + s->typical[k]) /
                                  ag_check_pivot(c, r)),
      AG_CHECK_BOUND);
}

/* ---- errors that are put in ---- */

/* A solve of which some numbers are off, and all that is made of them behind. */
typedef struct pushed {
  const ag_run *run;
  const ag_way *way;
  double *sound, *work; /* by node */
  double *push;         /* by node; 0: it is what it is made of */
} pushed;

static void evaluate_sound(const pushed *p) {
  const ag_dag *dag = &p->run->graph->dag;
  for (int i = 0; i < p->way->nnodes; i++) {
    const ag_id id = p->way->nodes[i];
    p->sound[id] = ag_eval_node(dag, &dag->nodes[id], false, p->run->in, p->sound);
  }
}

static void evaluate_pushed(const pushed *p) {
  const ag_dag *dag = &p->run->graph->dag;
  for (int i = 0; i < p->way->nnodes; i++) {
    const ag_id id = p->way->nodes[i];
    p->work[id] = p->push[id] != 0 ? p->sound[id] + p->push[id]
                                   : ag_eval_node(dag, &dag->nodes[id], false, p->run->in, p->work);
  }
}

static void push(const pushed *p, const ag_quantity *q, int i, double by) {
  const ag_node *nodes = p->run->graph->dag.nodes;
  ag_id id = p->way->outputs[q->first + i];
  double sign = 1;
  for (; nodes[id].op == AG_NEG; id = nodes[id].a) sign = -sign; /* an axis is turned */
  p->push[id] = sign * by;
}

/* The most that an element of qdd is off by, over its bound. */
static double most_over_bound(const pushed *p, const double *off, const ag_quantity *bound) {
  double most = 0;
  evaluate_pushed(p);
  for (int i = 0; i < bound->size; i++)
    most = fmax(most, fabs(off[i]) / p->work[p->way->outputs[bound->first + i]]);
  return most;
}

/* A number by itself is far more off than by rounding: the acceleration of a joint, so that equations of motion and rows are not met; or the
 * force of a row with the accelerations M^-1 J^T that it causes, so that rows alone are not. */
static void check_pushed(ag_checker *c, pushed *p, const ag_quantity *bound) {
  const ag_list *out = &p->run->graph->function->out;
  const ag_quantity *qdd = ag_quantity_of(out, "qdd"), *nu = ag_quantity_of(out, "nu");
  const ag_reference *robot = &c->robot;
  const double small = 1e-3;
  const size_t size = (size_t)(p->run->graph->dag.count + 1) * sizeof *p->push;
  double *off = c->v[0], by_joint = 0, by_row = 0;
  evaluate_sound(p);
  for (int j = 0; j < qdd->size; j++) {
    memset(p->push, 0, size);
    for (int i = 0; i < qdd->size; i++) off[i] = 0;
    off[j] = small * (1 + fabs(p->run->out[qdd->first + j]));
    push(p, qdd, j, off[j]);
    by_joint = fmax(by_joint, most_over_bound(p, off, bound));
  }
  ag_check_note(c, p->run->graph->function->name, "bound: at least an error put into qdd", by_joint,
                AG_CHECK_REFERENCE);
  if (!nu || robot->nbase > 0) return;
  for (int k = 0; k < nu->size; k++) {
    const double force = small * (1 + fabs(p->run->out[nu->first + k]));
    memset(p->push, 0, size);
    push(p, nu, k, force);
    for (int i = 0; i < robot->n; i++) {
      off[i] = 0;
      for (int j = 0; j < robot->n; j++)
        off[i] += force * robot->inverse[i * robot->n + j] * robot->AJ[k * robot->n + j];
      push(p, qdd, i, off[i]);
    }
    by_row = fmax(by_row, most_over_bound(p, off, bound));
  }
  ag_check_note(c, p->run->graph->function->name, "bound: at least an error put into nu and qdd",
                by_row, AG_CHECK_REFERENCE);
}

/* In each solve that the function has and takes on this state. A bound that is computed of these numbers tells it, by what they leave of the
 * equations, G and H (lua/dynamics/bound.lua). Rounding leaves of the rows nearly nothing: by that alone H could be anything. */
static void check_by_pushing(ag_checker *c, const ag_run *r, const ag_quantity *bound) {
  const size_t size = (size_t)(r->graph->dag.count + 1) * sizeof(double);
  ag_arena own = {0};
  for (int w = 0; w < r->graph->nways; w++) {
    if (w == AG_FAST && r->work[r->graph->guard] == 0) continue;
    pushed p = {.run = r,
                .way = &r->graph->ways[w],
                .sound = ag_alloc(&own, size),
                .work = ag_alloc(&own, size),
                .push = ag_alloc(&own, size)};
    check_pushed(c, &p, bound);
  }
  ag_arena_free(&own);
}

void ag_check_bound(ag_checker *c, const ag_subject *s, const ag_quantity *bound) {
  const ag_list *out = &s->run.graph->function->out;
  check_true_error(c, s, bound);
  if (!c->single && s->run.status == 0 && c->state < PUSHED_STATES &&
      strcmp(bound->name, "bound") == 0 && ag_quantity_of(out, "qdd"))
    check_by_pushing(c, &s->run, bound);
}
