/* SPDX-License-Identifier: MIT */
/* eval.c: see eval.h */
#include "graph/eval.h"

#include "sincos_double.h"
#include "sincos_float.h"

#include <math.h>

/* Sine (or cosine) of a node's angle, as the emitted code computes it. */
static double turn(const ag_dag *dag, const ag_node *n, const double *in, bool single) {
  int input;
  double k, c, sine, cosine;
  if (!ag_affine(dag, n->a, &input, &k, &c)) return NAN;
  if (single) {
    const float angle = (float)k * (float)in[input] + (float)c;
    float s, co;
    ag_float_sincos(&angle, &s, &co);
    sine = (double)s;
    cosine = (double)co;
  } else {
    const double angle = k * in[input] + c;
    ag_double_sincos(&angle, &sine, &cosine);
  }
  return n->op == AG_SIN ? sine : cosine;
}

double ag_eval_node(const ag_dag *dag, const ag_node *n, bool single, const double *in,
                    const double *v) {
  switch (n->op) {
  case AG_CONST:
  case AG_BOOL:
    return n->value;
  case AG_INPUT:
    return in[n->a];
  case AG_ADD:
    return v[n->a] + v[n->b];
  case AG_SUB:
    return v[n->a] - v[n->b];
  case AG_MUL:
    return v[n->a] * v[n->b];
  case AG_DIV:
    return v[n->a] / v[n->b];
  case AG_NEG:
    return -v[n->a];
  case AG_SIN:
  case AG_COS:
    return turn(dag, n, in, single);
  case AG_SELECT:
    return v[n->a] != 0 ? v[n->b] : v[n->c];
  case AG_PROBE:
    return !isfinite(v[n->a]);
  case AG_PROBE_INPUTS:
    for (int i = n->a; i <= n->b; i++)
      if (ag_is_beyond(in[i], n->c)) return 1;
    return 0;
  case AG_PROBE_TURNS: /* here they are of the angles that come in, of which the other probe asks */
    return 0;
  case AG_LT:
    return v[n->a] < v[n->b];
  case AG_EQ:
    return v[n->a] == v[n->b];
  case AG_AND:
    return v[n->a] != 0 && v[n->b] != 0;
  case AG_OR:
    return v[n->a] != 0 || v[n->b] != 0;
  case AG_NOT:
    return v[n->a] == 0;
  default:
    return 0;
  }
}

static void compute(const ag_dag *dag, ag_id id, bool single, const double *in, double *work) {
  work[id] = ag_eval_node(dag, &dag->nodes[id], single, in, work);
  if (single) work[id] = (double)(float)work[id];
}

void ag_eval_until(const ag_dag *dag, ag_id last, bool single, const double *in, double *work) {
  for (ag_id id = 0; id <= last; id++) compute(dag, id, single, in, work);
}

unsigned ag_eval(const ag_graph *graph, bool single, const double *in, double *out, double *work) {
  const ag_way *way = &graph->ways[AG_GENERAL];
  for (int i = 0; i < graph->nguard; i++) compute(&graph->dag, way->nodes[i], single, in, work);
  if (graph->nways > 1 && work[graph->guard] != 0) way = &graph->ways[AG_FAST];
  for (int i = graph->nguard; i < way->nnodes; i++)
    compute(&graph->dag, way->nodes[i], single, in, work);
  for (int i = 0; i < way->noutputs; i++) out[i] = work[way->outputs[i]];
  unsigned status = 0;
  for (int i = 0; i < way->nstatus; i++)
    if (work[way->status[i].node] != 0) status |= way->status[i].bit;
  return status;
}
