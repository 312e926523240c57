/* wide.c: see wide.h */
#include "check/wide.h"

#include <math.h>

static long double value(const ag_dag *dag, const ag_node *n, const long double *in,
                         const long double *v) {
  switch (n->op) {
  case AG_CONST:
  case AG_BOOL:
    return (long double)n->value;
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
  case AG_COS: {
    int input;
    double k, c;
    if (!ag_affine(dag, n->a, &input, &k, &c)) return NAN;
    const long double angle = (long double)k * in[input] + (long double)c;
    return n->op == AG_SIN ? sinl(angle) : cosl(angle);
  }
  case AG_SELECT:
    return v[n->a] != 0 ? v[n->b] : v[n->c];
  case AG_PROBE:
    return !isfinite(v[n->a]);
  case AG_PROBE_INPUTS:
    for (int i = n->a; i <= n->b; i++)
      if (ag_is_beyond((double)in[i], n->c)) return 1;
    return 0;
  case AG_PROBE_TURNS:
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

unsigned ag_eval_wide(const ag_program *program, const long double *in, long double *out,
                      long double *work) {
  for (int i = 0; i < program->norder; i++) {
    const ag_id id = program->order[i];
    work[id] = value(&program->dag, &program->dag.nodes[id], in, work);
  }
  for (int i = 0; i < program->out.nelements; i++) out[i] = work[program->out.elements[i].node];
  unsigned status = 0;
  for (int i = 0; i < program->nstatus; i++)
    if (work[program->status[i].node] != 0) status |= program->status[i].bit;
  return status;
}
