/* SPDX-License-Identifier: MIT */
/* exact.c: see exact.h */
#include "prove/exact.h"

#include "graph/eval.h"
#include "prove/point.h"

#include <assert.h>
#include <math.h>
#include <string.h>

ag_exact_run ag_exact_new(const ag_graph *p, ag_arena *arena) {
  const size_t nodes = (size_t)p->dag.count + 1;
  bool *used = ag_alloc(arena, nodes * sizeof *used);
  ag_id *root_of = ag_alloc(arena, nodes * sizeof *root_of);
  for (const ag_way *way = p->ways; way < p->ways + p->nways; way++)
    for (int i = 0; i < way->nnodes; i++) used[way->nodes[i]] = true;
  for (ag_id id = 0; id < p->dag.count; id++) root_of[id] = -1;
  for (int i = 0; i < p->nroots; i++) root_of[p->roots[i].root] = p->roots[i].square;
  return (ag_exact_run){
      .graph = p,
      .taken = p->ways,
      .in = ag_alloc(arena, (size_t)(p->function->in.nelements + 1) * sizeof(double)),
      .doubles = ag_alloc(arena, nodes * sizeof(double)),
      .exact = ag_alloc(arena, nodes * sizeof(ag_residue)),
      .approximate = ag_alloc(arena, nodes * sizeof(bool)),
      .root_of = root_of,
      .used = used,
      .seen = ag_alloc(arena, nodes),
      .told = ag_alloc(arena, nodes * sizeof(ag_decision *))};
}

/* What a node is made of over the field: of a root what it is the root of. */
static int made_of(const ag_exact_run *r, ag_id id, ag_id of[3]) {
  if (r->root_of[id] < 0) return ag_operands(&r->graph->dag.nodes[id], of);
  of[0] = r->root_of[id];
  return 1;
}

bool ag_exact_selects(const ag_exact_run *r, ag_id id) {
  return r->used[id] && r->graph->dag.nodes[id].op == AG_SELECT && r->root_of[id] < 0;
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

static ag_residue value(const ag_exact_run *r, const ag_dag *dag, ag_id id, const ag_number *in) {
  const ag_node *n = &dag->nodes[id];
  const ag_residue *v = r->exact;
  if (r->root_of[id] >= 0 && !r->formulas) return ag_residue_root(v[r->root_of[id]]);
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
    return r->doubles[n->a] != 0 ? v[n->b] : v[n->c];
  default:
    return 0; /* conditions are the doubles' */
  }
}

static bool touched(const ag_exact_run *r, const ag_node *n, ag_id root_of) {
  ag_id of[3];
  if (root_of >= 0 && !r->formulas) return r->approximate[root_of];
  if (n->approximate) return true;
  if (n->op == AG_SELECT) return r->approximate[r->doubles[n->a] != 0 ? n->b : n->c];
  const int count = n->op >= AG_BOOL ? 0 : ag_operands(n, of);
  for (int k = 0; k < count; k++)
    if (r->approximate[of[k]]) return true;
  return false;
}

/* Signs stand before constants. */
static bool is_constant(const ag_dag *dag, ag_id id) {
  if (dag->nodes[id].op == AG_NEG) id = dag->nodes[id].a;
  return dag->nodes[id].op == AG_CONST;
}

/* Whether a node is a test that something is finite, and is to say that it is not. */
static bool fails(const ag_exact_run *r, const ag_dag *dag, const ag_node *n) {
  const double least = 1e-40; /* above the least divisor (magnitude.c), below all other constants */
  switch (n->op) {
  case AG_PROBE:
  case AG_PROBE_INPUTS:
  case AG_PROBE_TURNS:
    return r->unfinite == AG_PROBED;
  case AG_LT: /* least < d, d < -least */
    for (int side = 0; r->unfinite == AG_DIVISORS && side < 2; side++) {
      const ag_id id = side ? n->b : n->a;
      const double x = fabs(r->doubles[id]);
      if (is_constant(dag, id) && x > 0 && x < least) return true;
    }
    return false;
  default:
    return false;
  }
}

/* Nodes of a way from the `first`-th on, in both worlds. */
static void compute(ag_exact_run *r, const ag_dag *dag, const ag_way *way, int first, int behind,
                    const ag_number *in) {
  for (int i = first; i < behind; i++) {
    const ag_id id = way->nodes[i];
    const ag_node *n = &dag->nodes[id];
    ag_decision *known = NULL;
    r->told[id] = NULL;
    r->doubles[id] = ag_eval_node(dag, n, false, r->in, r->doubles);
    if (fails(r, dag, n)) r->doubles[id] = n->op != AG_LT;
    if (r->decisions && n->op == AG_LT)
      known = ag_decision_of(r->decisions, r->exact[n->a], r->exact[n->b]);
    if (known) {
      r->doubles[id] = known->less;
      known->met = true;
      r->told[id] = known;
    }
    r->exact[id] = value(r, dag, id, in);
    r->approximate[id] = touched(r, n, r->root_of[id]);
  }
}

void ag_exact_evaluate(ag_exact_run *r, const ag_dag *dag, const ag_number *in) {
  const ag_graph *p = r->graph;
  for (int i = 0; i < p->function->in.nelements; i++) r->in[i] = in[i].value;
  compute(r, dag, p->ways, 0, p->nguard, in);
  r->guarded = p->nways > 1 && r->doubles[p->guard] != 0;
  r->taken = &p->ways[r->guarded && !r->general ? AG_FAST : AG_GENERAL];
  compute(r, dag, r->taken, p->nguard, r->taken->nnodes, in);
  r->status = 0;
  for (int i = 0; i < r->taken->nstatus; i++)
    if (r->doubles[r->taken->status[i].node] != 0) r->status |= r->taken->status[i].bit;
}

void ag_exact_observe(ag_exact_run *r, bool *marked) {
  const ag_dag *dag = &r->graph->dag;
  const ag_way *way = r->taken;
  for (int i = 0; i < way->nnodes; i++) {
    const ag_id id = way->nodes[i];
    if (dag->nodes[id].op != AG_LT || !r->told[id]) continue;
    marked[dag->nodes[id].b] = true;
    if (!r->told[id]->by_right) marked[dag->nodes[id].a] = true;
  }
  for (int i = way->nnodes - 1; i >= 0; i--) {
    const ag_id id = way->nodes[i];
    const ag_node *n = &dag->nodes[id];
    ag_id of[3] = {0};
    if (!marked[id] || n->op >= AG_BOOL) continue;
    if (n->op == AG_SELECT &&
        r->root_of[id] < 0) { /* where both sides are the same, both are compared */
      const bool first = r->doubles[n->a] != 0;
      r->seen[id] |= r->exact[n->b] == r->exact[n->c] ? 3 : first ? 1 : 2;
      marked[first ? n->b : n->c] = true;
      continue;
    }
    const int count = made_of(r, id, of);
    for (int k = 0; k < count; k++) {
      const bool lost = n->op == AG_MUL ? r->exact[of[1 - k]] == 0
                                        : n->op == AG_DIV && k == 1 && r->exact[of[0]] == 0;
      if (!lost) marked[of[k]] = true;
    }
  }
}

void ag_exact_mark(const ag_exact_run *r, const ag_quantity *output, bool *marked) {
  for (const ag_way *way = r->graph->ways; way < r->graph->ways + r->graph->nways; way++)
    for (int i = 0; i < output->size; i++) marked[way->outputs[output->first + i]] = true;
}

void ag_exact_mark_operands(const ag_exact_run *r, bool *marked) {
  for (ag_id id = r->graph->dag.count - 1; id >= 0; id--) {
    ag_id of[3];
    const int count = marked[id] ? made_of(r, id, of) : 0;
    for (int k = 0; k < count; k++) marked[of[k]] = true;
  }
}

/* All selections by this condition take one side. By node: what follows for other conditions, whether it is 0. */
typedef struct supposed {
  ag_id condition;
  bool first;
  unsigned char *side; /* 1: it holds, 2: it does not, 0: it may or not */
  bool *zero;
} supposed;

static unsigned char follows(const supposed *s, const ag_node *n, ag_id id) {
  if (id == s->condition) return s->first ? 1 : 2;
  if (n->op == AG_NOT) return s->side[n->a] == 0 ? 0 : (unsigned char)(3 - s->side[n->a]);
  if (n->op != AG_AND && n->op != AG_OR) return 0;
  const unsigned char decides = n->op == AG_AND ? 2 : 1;
  if (s->side[n->a] == decides || s->side[n->b] == decides) return decides;
  return s->side[n->a] == 3 - decides && s->side[n->b] == 3 - decides ? (unsigned char)(3 - decides)
                                                                      : 0;
}

/* Whether a node is 0, whatever the inputs are. */
static bool is_zero(const ag_exact_run *r, ag_id id, const supposed *s) {
  const ag_node *n = &r->graph->dag.nodes[id];
  const bool *zero = s->zero;
  if (r->root_of[id] >= 0) return zero[r->root_of[id]];
  switch (n->op) {
  case AG_CONST:
    return n->exact == 0;
  case AG_SELECT:
    if (s->side[n->a]) return zero[s->side[n->a] == 1 ? n->b : n->c];
    return zero[n->b] && zero[n->c];
  case AG_MUL:
    return zero[n->a] || zero[n->b];
  case AG_ADD:
  case AG_SUB:
    return zero[n->a] && zero[n->b];
  case AG_NEG:
  case AG_DIV:
    return zero[n->a];
  default:
    return false;
  }
}

/* Of a product that is 0 the factor that is, which it depends on: the others may be anything. Of two of them the one that is
 * needed in any case, or the later one. */
static ag_id zero_factor(const ag_node *n, const bool *zero, const bool *there) {
  if (!zero[n->a] || !zero[n->b]) return zero[n->a] ? n->a : n->b;
  if (there[n->a] != there[n->b]) return there[n->a] ? n->a : n->b;
  return n->a > n->b ? n->a : n->b;
}

/* Marks what outputs depend on there. */
static void mark_where(const ag_exact_run *r, const supposed *s, const bool *marked, bool *there) {
  const ag_dag *dag = &r->graph->dag;
  for (ag_id id = 0; id < dag->count; id++) {
    s->side[id] = dag->nodes[id].op >= AG_BOOL ? follows(s, &dag->nodes[id], id) : 0;
    s->zero[id] = is_zero(r, id, s);
  }
  for (const ag_way *way = r->graph->ways; way < r->graph->ways + r->graph->nways; way++)
    for (int i = 0; i < way->noutputs; i++) there[way->outputs[i]] = true;
  for (ag_id id = dag->count - 1; id >= 0; id--) {
    const ag_node *n = &dag->nodes[id];
    ag_id of[3];
    const bool known = id != s->condition && s->side[id];
    const int count = there[id] && marked[id] && !known ? made_of(r, id, of) : 0;
    const bool one = ag_exact_selects(r, id) && s->side[n->a],
               product = n->op == AG_MUL && s->zero[id];
    const ag_id alone = product                     ? zero_factor(n, s->zero, there)
                        : one && s->side[n->a] == 1 ? n->b
                                                    : n->c;
    for (int k = 0; k < count; k++)
      if ((one && k == 0) || (!one && !product) || of[k] == alone) there[of[k]] = true;
  }
}

void ag_exact_exempt(ag_exact_run *r, const bool *marked) {
  const ag_dag *dag = &r->graph->dag;
  ag_arena arena = {0};
  const size_t nodes = (size_t)dag->count + 1;
  int *uses = ag_alloc(&arena, nodes * sizeof *uses);
  bool *selects = ag_alloc(&arena, nodes * sizeof *selects);
  bool *there = ag_alloc(&arena, nodes * sizeof *there);
  supposed s = {.side = ag_alloc(&arena, nodes), .zero = ag_alloc(&arena, nodes * sizeof(bool))};
  for (ag_id id = dag->count - 1; id >= 0; id--) { /* by it, or by what it is a part of */
    const ag_node *n = &dag->nodes[id];
    ag_id of[3];
    const bool chooses = ag_exact_selects(r, id) && marked[id];
    const int count = n->op >= AG_BOOL && uses[id] > 0 ? ag_operands(n, of) : 0;
    if (chooses) uses[n->a]++, selects[n->a] = true;
    for (int k = 0; k < count; k++)
      if (dag->nodes[of[k]].op >= AG_BOOL) uses[of[k]]++;
  }
  for (ag_id condition = 0; condition < dag->count; condition++)
    for (int side = 1; selects[condition] && uses[condition] > 1 && side <= 2; side++) {
      s.condition = condition;
      s.first = side == 1;
      memset(there, 0, nodes * sizeof *there);
      mark_where(r, &s, marked, there);
      for (ag_id id = 0; id < dag->count; id++)
        if (ag_exact_selects(r, id) && dag->nodes[id].a == condition && !there[id])
          r->seen[id] |= (unsigned char)side;
    }
  ag_arena_free(&arena);
}

void ag_exact_sides(const ag_exact_run *r, const bool *marked, int *all, int *seen) {
  *all = *seen = 0;
  for (int id = 0; id < r->graph->dag.count; id++) {
    if (!ag_exact_selects(r, id) || !marked[id]) continue;
    *all += 2;
    *seen += (r->seen[id] & 1) + (r->seen[id] >> 1);
  }
}
