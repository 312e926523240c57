/* SPDX-License-Identifier: MIT */
/* wide.c: see wide.h */
#include "check/wide.h"

#include <math.h>
#include <string.h>

/* v[j] = EXPRESSION of the states j */
#define EACH(expression)                                                                           \
  for (int j = 0; j < AG_WIDE_STATES; j++) v[j] = (expression);                                    \
  break

static void turn(const ag_wide *w, const ag_node *n, long double v[AG_WIDE_STATES]) {
  int input;
  double k, c;
  const bool known = ag_affine(&w->graph->dag, n->a, &input, &k, &c);
  for (int j = 0; j < AG_WIDE_STATES; j++) {
    const long double angle = known ? (long double)k * w->in[j][input] + (long double)c : NAN;
    v[j] = n->op == AG_SIN ? sinl(angle) : cosl(angle);
  }
}

static bool any_beyond(const ag_node *n, const long double *in) {
  for (int i = n->a; i <= n->b; i++)
    if (ag_is_beyond((double)in[i], n->c)) return true;
  return false;
}

static void evaluate(const ag_wide *w, ag_id id) {
  const ag_node *n = &w->graph->dag.nodes[id];
  long double *v = w->values[id];
  const int arity = ag_arity(n->op);
  const long double *a = arity > 0 ? w->values[n->a] : v, *b = arity > 1 ? w->values[n->b] : v,
                    *c = arity > 2 ? w->values[n->c] : v;
  switch (n->op) {
  case AG_CONST:
  case AG_BOOL:
    EACH((long double)n->value);
  case AG_INPUT:
    EACH(w->in[j][n->a]);
  case AG_ADD:
    EACH(a[j] + b[j]);
  case AG_SUB:
    EACH(a[j] - b[j]);
  case AG_MUL:
    EACH(a[j] * b[j]);
  case AG_DIV:
    EACH(a[j] / b[j]);
  case AG_NEG:
    EACH(-a[j]);
  case AG_SIN:
  case AG_COS:
    turn(w, n, v);
    break;
  case AG_SELECT:
    EACH(a[j] != 0 ? b[j] : c[j]);
  case AG_PROBE:
    EACH(!isfinite(a[j]));
  case AG_PROBE_INPUTS:
    EACH(any_beyond(n, w->in[j]));
  case AG_LT:
    EACH(a[j] < b[j]);
  case AG_EQ:
    EACH(a[j] == b[j]);
  case AG_AND:
    EACH(a[j] != 0 && b[j] != 0);
  case AG_OR:
    EACH(a[j] != 0 || b[j] != 0);
  case AG_NOT:
    EACH(a[j] == 0);
  default:
    EACH(0);
  }
}

/* Whether the value of a node can be another one than at the state itself. */
static bool has_moved(const ag_wide *w, const ag_node *n) {
  if (n->op == AG_INPUT) return w->moved_inputs[n->a];
  if (n->op == AG_SIN || n->op == AG_COS) { /* their angles are no operands (dag.h) */
    int input;
    double k, c;
    return !ag_affine(&w->graph->dag, n->a, &input, &k, &c) || w->moved_inputs[input];
  }
  if (n->op == AG_PROBE_INPUTS) {
    for (int i = n->a; i <= n->b; i++)
      if (w->moved_inputs[i]) return true;
    return false;
  }
  ag_id of[3];
  const int arity = ag_operands(n, of);
  for (int k = 0; k < arity; k++)
    if (w->moved[of[k]]) return true;
  return false;
}

static void collect(ag_wide *w) {
  const ag_graph *p = w->graph;
  for (int j = 0; j < AG_WIDE_STATES; j++) {
    for (int i = 0; i < p->function->out.nelements; i++)
      w->out[j][i] = w->values[p->ways[AG_GENERAL].outputs[i]][j];
    w->status[j] = 0;
    for (int i = 0; i < p->ways[AG_GENERAL].nstatus; i++) {
      const ag_status_bit *status = &p->ways[AG_GENERAL].status[i];
      if (w->values[status->node][j] != 0) w->status[j] |= status->bit;
    }
  }
}

void ag_wide_open(ag_wide *w, const ag_graph *graph, const double *at, ag_arena *arena) {
  const size_t wide = sizeof(long double), inputs = (size_t)graph->function->in.nelements + 1,
               nodes = (size_t)graph->dag.count + 1;
  *w = (ag_wide){.graph = graph, .at = at};
  w->values = ag_alloc(arena, nodes * sizeof *w->values);
  w->base = ag_alloc(arena, nodes * wide);
  w->moved_inputs = ag_alloc(arena, inputs * sizeof *w->moved_inputs);
  w->moved = ag_alloc(arena, nodes * sizeof *w->moved);
  w->list = ag_alloc(arena, nodes * sizeof *w->list);
  for (int j = 0; j < AG_WIDE_STATES; j++) {
    w->in[j] = ag_alloc(arena, inputs * wide);
    w->out[j] = ag_alloc(arena, ((size_t)graph->function->out.nelements + 1) * wide);
    for (int i = 0; i < graph->function->in.nelements; i++) w->in[j][i] = (long double)at[i];
  }
  const ag_way *way = &graph->ways[AG_GENERAL];
  for (int i = 0; i < way->nnodes; i++) {
    evaluate(w, way->nodes[i]);
    w->base[way->nodes[i]] = w->values[way->nodes[i]][0];
  }
  collect(w);
}

void ag_wide_evaluate(ag_wide *w) {
  const ag_graph *p = w->graph;
  for (int i = 0; i < p->function->in.nelements; i++) {
    w->moved_inputs[i] = false;
    for (int j = 0; j < AG_WIDE_STATES; j++)
      w->moved_inputs[i] |= w->in[j][i] != (long double)w->at[i];
  }
  w->nlist = 0;
  const ag_way *way = &p->ways[AG_GENERAL];
  for (int i = 0; i < way->nnodes; i++) {
    const ag_id id = way->nodes[i];
    w->moved[id] = has_moved(w, &p->dag.nodes[id]);
    if (!w->moved[id]) continue;
    w->list[w->nlist++] = id;
    evaluate(w, id);
  }
  collect(w);
  for (int i = 0; i < p->function->in.nelements; i++)
    for (int j = 0; j < AG_WIDE_STATES; j++) w->in[j][i] = (long double)w->at[i];
  for (int i = 0; i < w->nlist; i++)
    for (int j = 0; j < AG_WIDE_STATES; j++) w->values[w->list[i]][j] = w->base[w->list[i]];
}
