/* exact.c: see exact.h */
#include "prove/exact.h"

#include "graph/eval.h"
#include "prove/point.h"

#include <assert.h>

ag_exact_run ag_exact_new(const ag_program *p, ag_arena *arena) {
  const size_t nodes = (size_t)p->dag.count + 1;
  bool *used = ag_alloc(arena, nodes * sizeof *used);
  for (const ag_program *way = p; way; way = way->fast)
    for (int i = 0; i < way->norder; i++) used[way->order[i]] = true;
  return (ag_exact_run){.program = p,
                        .taken = p,
                        .in = ag_alloc(arena, (size_t)(p->in.nelements + 1) * sizeof(double)),
                        .out = ag_alloc(arena, (size_t)(p->out.nelements + 1) * sizeof(double)),
                        .doubles = ag_alloc(arena, nodes * sizeof(double)),
                        .exact = ag_alloc(arena, nodes * sizeof(ag_residue)),
                        .approximate = ag_alloc(arena, nodes * sizeof(bool)),
                        .used = used,
                        .seen = ag_alloc(arena, nodes)};
}

/* Sine or cosine of k q + c: the products are those of the definitions, to the bit. */
static ag_residue circle(const ag_dag *dag, const ag_node *n, const double *in) {
  int input;
  double k, c;
  ag_number cosine, sine;
  const bool affine = ag_affine(dag, n->a, &input, &k, &c);
  assert(affine);
  (void)affine;
  const ag_number x = ag_number_add(
      ag_number_mul(ag_number_from(k, 0), ag_number_from(in[input], 0)), ag_number_from(c, 0));
  ag_point_circle(x.value, &cosine, &sine);
  return n->op == AG_SIN ? sine.exact : cosine.exact;
}

static ag_residue value(ag_exact_run *r, const ag_dag *dag, ag_id id, const ag_number *in) {
  const ag_node *n = &dag->nodes[id];
  const ag_residue *v = r->exact;
  bool first;
  switch (n->op) {
  case AG_CONST:
    return n->exact;
  case AG_INPUT:
    return in[n->a].exact;
  case AG_ADD:
    return ag_residue_add(v[n->a], v[n->b]);
  case AG_SUB:
    return ag_residue_sub(v[n->a], v[n->b]);
  case AG_MUL:
    return ag_residue_mul(v[n->a], v[n->b]);
  case AG_DIV:
    return ag_residue_mul(v[n->a], ag_residue_inverse(v[n->b]));
  case AG_NEG:
    return ag_residue_neg(v[n->a]);
  case AG_SIN:
  case AG_COS:
    return circle(dag, n, r->in);
  case AG_SELECT:
    first = r->doubles[n->a] != 0;
    r->seen[id] |= first ? 1 : 2;
    return first ? v[n->b] : v[n->c];
  default:
    return 0; /* conditions are the doubles' */
  }
}

static bool touched(const ag_exact_run *r, const ag_node *n) {
  ag_id of[3];
  if (n->approximate) return true;
  if (n->op == AG_SELECT) return r->approximate[r->doubles[n->a] != 0 ? n->b : n->c];
  const int count = n->op >= AG_BOOL ? 0 : ag_operands(n, of);
  for (int k = 0; k < count; k++)
    if (r->approximate[of[k]]) return true;
  return false;
}

void ag_exact_evaluate(ag_exact_run *r, const ag_dag *dag, const ag_number *in) {
  const ag_program *p = r->program;
  ag_program changed = *p, fast;
  changed.dag = *dag;
  if (p->fast) {
    fast = *p->fast;
    fast.dag = *dag;
    changed.fast = &fast;
  }
  for (int i = 0; i < p->in.nelements; i++) r->in[i] = in[i].value;
  r->status = ag_eval(&changed, false, r->in, r->out, r->doubles);
  r->taken = p->fast && r->doubles[p->guard] != 0 ? p->fast : p;
  for (int i = 0; i < r->taken->norder; i++) {
    const ag_id id = r->taken->order[i];
    r->exact[id] = value(r, dag, id, in);
    r->approximate[id] = touched(r, &dag->nodes[id]);
  }
}

void ag_exact_sides(const ag_exact_run *r, int *all, int *seen) {
  *all = *seen = 0;
  for (int id = 0; id < r->program->dag.count; id++) {
    if (r->program->dag.nodes[id].op != AG_SELECT || !r->used[id]) continue;
    *all += 2;
    *seen += (r->seen[id] & 1) + (r->seen[id] >> 1);
  }
}
