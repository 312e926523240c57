/* eval.c: see eval.h */
#include "eval.h"

#include <math.h>

/* The angle of a sine or cosine; out of range it is taken for 0, as the emitted code does. */
static double angle(const ag_dag *dag, ag_id id, const double *in, bool single) {
  int input;
  double k, c;
  if (!ag_affine(dag, id, &input, &k, &c)) return NAN;
  double x = k * in[input] + c;
  if (single) x = (double)((float)((float)k * (float)in[input]) + (float)c);
  return fabs(x) <= (single ? 1e4 : 1e5) ? x : x - x;
}

static double value(const ag_dag *dag, const ag_node *n, const double *in, const double *v,
                    bool single) {
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
    return sin(angle(dag, n->a, in, single));
  case AG_COS:
    return cos(angle(dag, n->a, in, single));
  case AG_SELECT:
    return v[n->a] != 0 ? v[n->b] : v[n->c];
  case AG_PROBE:
    return 0 * v[n->a];
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

unsigned ag_eval(const ag_program *program, bool single, const double *in, double *out,
                 double *work) {
  for (int i = 0; i < program->norder; i++) {
    const ag_id id = program->order[i];
    work[id] = value(&program->dag, &program->dag.nodes[id], in, work, single);
    if (single) work[id] = (double)(float)work[id];
  }
  for (int i = 0; i < program->out.nelements; i++) out[i] = work[program->out.elements[i].node];
  unsigned status = 0;
  for (int i = 0; i < program->nstatus; i++)
    if (work[program->status[i].node] != 0) status |= program->status[i].bit;
  return status;
}
