/* SPDX-License-Identifier: MIT */
/* dag.c: see dag.h */
#include "graph/dag.h"

#include <assert.h>
#include <math.h>
#include <string.h>

int ag_arity(ag_op op) {
  static const int arity[AG_NOPS] = {
      [AG_ADD] = 2, [AG_SUB] = 2,    [AG_MUL] = 2,  [AG_DIV] = 2,  [AG_NEG] = 1,   [AG_SIN] = 1,
      [AG_COS] = 1, [AG_SELECT] = 3, [AG_JOIN] = 2, [AG_TAKE] = 1, [AG_PROBE] = 1, [AG_LT] = 2,
      [AG_EQ] = 2,  [AG_AND] = 2,    [AG_OR] = 2,   [AG_NOT] = 1,  [AG_ANY] = 1};
  return arity[op];
}

void ag_dag_init(ag_dag *dag, ag_arena *arena) {
  *dag = (ag_dag){.arena = arena, .capacity = 1024, .nplaces = 4096};
  dag->nodes = ag_alloc(arena, (size_t)dag->capacity * sizeof *dag->nodes);
  dag->places = ag_alloc(arena, dag->nplaces * sizeof *dag->places);
}

static uint32_t hash(ag_op op, ag_id a, ag_id b, ag_id c, ag_number k) {
  uint64_t bits, h = (uint64_t)op * 0x9E3779B97F4A7C15u;
  memcpy(&bits, &k.value, sizeof bits);
  bits ^= k.exact << 3;
  h = (h ^ (uint32_t)a) * 0xBF58476D1CE4E5B9u;
  h = (h ^ (h >> 29) ^ (uint32_t)b) * 0x94D049BB133111EBu;
  h = (h ^ (h >> 31) ^ (uint32_t)c) * 0xBF58476D1CE4E5B9u;
  h = (h ^ (h >> 30) ^ bits) * 0x94D049BB133111EBu;
  return (uint32_t)(h >> 32);
}

/* The place behind this one. */
static uint32_t next_place(const ag_dag *dag, uint32_t at) {
  return (at + 1) & (dag->nplaces - 1);
}

/* Where a hash that is not among the places belongs. */
static uint32_t free_place(const ag_dag *dag, uint32_t h) {
  uint32_t at = h & (dag->nplaces - 1);
  while (dag->places[at].node) at = next_place(dag, at);
  return at;
}

static void widen(ag_dag *dag) {
  const uint32_t nbefore = dag->nplaces;
  const struct ag_bucket *before = dag->places;
  dag->nplaces *= 4;
  dag->places = ag_alloc(dag->arena, dag->nplaces * sizeof *dag->places);
  for (uint32_t i = 0; i < nbefore; i++)
    if (before[i].node) dag->places[free_place(dag, before[i].hash)] = before[i];
}

/* The one node of this kind: the one that stands, or a new one. */
static ag_id intern_number(ag_dag *dag, ag_op op, ag_id a, ag_id b, ag_id c, ag_number k) {
  const double value = k.value;
  const uint32_t h = hash(op, a, b, c, k);
  for (uint32_t at = h & (dag->nplaces - 1); dag->places[at].node; at = next_place(dag, at)) {
    if (dag->places[at].hash != h) continue;
    const ag_node *n = &dag->nodes[dag->places[at].node - 1];
    /* by bits: 0.0 and -0.0 are two constants */
    /* NOLINTNEXTLINE(bugprone-suspicious-memory-comparison,cert-exp42-c,cert-flp37-c) */
    const bool same_value = memcmp(&n->value, &value, sizeof value) == 0 && n->exact == k.exact;
    if (n->op == op && n->a == a && n->b == b && n->c == c && same_value)
      return dag->places[at].node - 1;
  }
  if (dag->count == dag->capacity) {
    const size_t size = (size_t)dag->capacity * sizeof *dag->nodes;
    dag->nodes = ag_grow(dag->arena, dag->nodes, size, 2 * size);
    dag->capacity *= 2;
  }
  if (2 * (uint32_t)dag->count >= dag->nplaces) widen(dag);
  const ag_id id = dag->count++;
  dag->nodes[id] = (ag_node){.op = op,
                             .region = dag->region,
                             .a = a,
                             .b = b,
                             .c = c,
                             .scope = -1,
                             .value = value,
                             .exact = k.exact};
  dag->places[free_place(dag, h)] = (struct ag_bucket){h, id + 1};
  return id;
}

static ag_id intern(ag_dag *dag, ag_op op, ag_id a, ag_id b, ag_id c, double value) {
  return intern_number(dag, op, a, b, c, ag_number_from(value, 0));
}

static ag_op op_of(const ag_dag *dag, ag_id id) {
  return dag->nodes[id].op;
}
static bool is_const(const ag_dag *dag, ag_id id) {
  return op_of(dag, id) == AG_CONST;
}
/* Whether it is a negated value whose sign goes out of formulas: not one that is held (ag_hold_sign). */
static bool is_turned(const ag_dag *dag, ag_id id) {
  return op_of(dag, id) == AG_NEG && dag->nodes[id].b < 0;
}
static double value_of(const ag_dag *dag, ag_id id) {
  return dag->nodes[id].value;
}

/* -0 becomes 0: no expression here means the sign of a zero. */
ag_id ag_exact(ag_dag *dag, ag_number number) {
  if (number.value == 0) number.value = 0.0;
  return intern_number(dag, AG_CONST, -1, -1, -1, number);
}

ag_id ag_constant(ag_dag *dag, double value) {
  return ag_exact(dag, ag_number_of(value));
}

ag_id ag_input(ag_dag *dag, int index) {
  return intern(dag, AG_INPUT, index, -1, -1, 0);
}

ag_id ag_neg(ag_dag *dag, ag_id a) {
  const ag_node *n = &dag->nodes[a];
  if (n->op == AG_CONST) return ag_exact(dag, ag_number_neg(ag_number_at(dag, a)));
  if (is_turned(dag, a)) return n->a;
  return intern(dag, AG_NEG, a, -1, -1, 0);
}

ag_id ag_hold_sign(ag_dag *dag, ag_id a) {
  if (!is_turned(dag, a)) return a;
  const ag_id held = intern(dag, AG_NEG, dag->nodes[a].a, 0, -1, 0);
  dag->nodes[held].labelled = true;
  return held;
}

/* x = k y with k a constant: k, and y in *factor. */
static ag_number constant_factor(const ag_dag *dag, ag_id x, ag_id *factor) {
  const ag_node *n = &dag->nodes[x];
  *factor = x;
  if (n->op == AG_MUL && is_const(dag, n->a)) {
    *factor = n->b;
    return ag_number_at(dag, n->a);
  }
  if (is_turned(dag, x)) return ag_number_neg(constant_factor(dag, n->a, factor));
  return ag_number_from(1, 1);
}

/* k1 x + k2 x is (k1 + k2) x, and k1 x - k2 x likewise; -1 where a and b share no such x. */
static ag_id merge_multiples(ag_dag *dag, ag_id a, ag_id b, bool minus) {
  ag_id x, y;
  const ag_number ka = constant_factor(dag, a, &x), kb = constant_factor(dag, b, &y);
  if (x != y || is_const(dag, x)) return -1;
  return ag_mul(dag, ag_exact(dag, minus ? ag_number_sub(ka, kb) : ag_number_add(ka, kb)), x);
}

ag_id ag_add(ag_dag *dag, ag_id a, ag_id b) {
  if (is_const(dag, a) && is_const(dag, b))
    return ag_exact(dag, ag_number_add(ag_number_at(dag, a), ag_number_at(dag, b)));
  if (ag_is_value(dag, a, 0)) return b;
  if (ag_is_value(dag, b, 0)) return a;
  if (is_turned(dag, b)) return ag_sub(dag, a, dag->nodes[b].a);
  if (is_turned(dag, a)) return ag_sub(dag, b, dag->nodes[a].a);
  const ag_id merged = merge_multiples(dag, a, b, false);
  if (merged >= 0) return merged;
  /* (x - y) + y = x */
  if (op_of(dag, a) == AG_SUB && dag->nodes[a].b == b) return dag->nodes[a].a;
  if (op_of(dag, b) == AG_SUB && dag->nodes[b].b == a) return dag->nodes[b].a;
  return a < b ? intern(dag, AG_ADD, a, b, -1, 0) : intern(dag, AG_ADD, b, a, -1, 0);
}

ag_id ag_sub(ag_dag *dag, ag_id a, ag_id b) {
  if (is_const(dag, a) && is_const(dag, b))
    return ag_exact(dag, ag_number_sub(ag_number_at(dag, a), ag_number_at(dag, b)));
  if (ag_is_value(dag, b, 0)) return a;
  if (ag_is_value(dag, a, 0)) return ag_neg(dag, b);
  if (a == b) return ag_constant(dag, 0);
  if (is_turned(dag, b)) return ag_add(dag, a, dag->nodes[b].a);
  if (is_turned(dag, a)) return ag_neg(dag, ag_add(dag, dag->nodes[a].a, b));
  const ag_id merged = merge_multiples(dag, a, b, true);
  if (merged >= 0) return merged;
  /* x - (x - y) = y, (x + y) - x = y */
  if (op_of(dag, b) == AG_SUB && dag->nodes[b].a == a) return dag->nodes[b].b;
  if (op_of(dag, a) == AG_ADD && dag->nodes[a].a == b) return dag->nodes[a].b;
  if (op_of(dag, a) == AG_ADD && dag->nodes[a].b == b) return dag->nodes[a].a;
  /* (x - y) - x = -y, x - (x + y) = -y */
  if (op_of(dag, a) == AG_SUB && dag->nodes[a].a == b) return ag_neg(dag, dag->nodes[a].b);
  if (op_of(dag, b) == AG_ADD && dag->nodes[b].a == a) return ag_neg(dag, dag->nodes[b].b);
  if (op_of(dag, b) == AG_ADD && dag->nodes[b].b == a) return ag_neg(dag, dag->nodes[b].a);
  /* one order, so that a - b and b - a are one difference and a sign; of a constant by no chance of where it came first */
  const bool last = dag->alike && is_const(dag, b);
  if (dag->alike && is_const(dag, a)) return ag_neg(dag, intern(dag, AG_SUB, b, a, -1, 0));
  if (a < b && !last) return ag_neg(dag, intern(dag, AG_SUB, b, a, -1, 0));
  return intern(dag, AG_SUB, a, b, -1, 0);
}

ag_id ag_mul(ag_dag *dag, ag_id a, ag_id b) {
  if (is_const(dag, b)) { /* constants stand first */
    const ag_id swap = a;
    a = b;
    b = swap;
  }
  if (is_const(dag, a)) {
    const ag_number k = ag_number_at(dag, a);
    if (is_const(dag, b)) return ag_exact(dag, ag_number_mul(k, ag_number_at(dag, b)));
    if (ag_is_value(dag, a, 0)) return ag_constant(dag, 0);
    if (ag_is_value(dag, a, 1)) return b;
    if (k.value < 0 && !(dag->alike && k.value != -1)) /* signs go out */
      return ag_neg(dag, ag_mul(dag, ag_exact(dag, ag_number_neg(k)), b));
    if (is_turned(dag, b)) return ag_mul(dag, ag_exact(dag, ag_number_neg(k)), dag->nodes[b].a);
    if (op_of(dag, b) == AG_MUL && is_const(dag, dag->nodes[b].a)) { /* k (l x) = (k l) x */
      const ag_number l = ag_number_at(dag, dag->nodes[b].a);
      return ag_mul(dag, ag_exact(dag, ag_number_mul(k, l)), dag->nodes[b].b);
    }
    return intern(dag, AG_MUL, a, b, -1, 0);
  }
  /* signs go out, so that x y and (-x) y are one product */
  if (is_turned(dag, a)) return ag_neg(dag, ag_mul(dag, dag->nodes[a].a, b));
  if (is_turned(dag, b)) return ag_neg(dag, ag_mul(dag, a, dag->nodes[b].a));
  return a < b ? intern(dag, AG_MUL, a, b, -1, 0) : intern(dag, AG_MUL, b, a, -1, 0);
}

ag_id ag_div(ag_dag *dag, ag_id a, ag_id b) {
  assert(!ag_is_value(dag, b, 0));
  if (ag_is_value(dag, a, 0)) return a;
  if (is_const(dag, b)) {
    const ag_number k = ag_number_at(dag, b);
    if (is_const(dag, a)) return ag_exact(dag, ag_number_div(ag_number_at(dag, a), k));
    return ag_mul(dag, ag_exact(dag, ag_number_div(ag_number_from(1, 1), k)), a);
  }
  if (is_turned(dag, a)) return ag_neg(dag, ag_div(dag, dag->nodes[a].a, b));
  if (is_turned(dag, b)) return ag_neg(dag, ag_div(dag, a, dag->nodes[b].a));
  return intern(dag, AG_DIV, a, b, -1, 0);
}

/* Not folded over constants: libm's last bits differ between machines (sincos.h is for those). */
ag_id ag_sin(ag_dag *dag, ag_id a) {
  assert(!is_const(dag, a));
  if (is_turned(dag, a)) return ag_neg(dag, ag_sin(dag, dag->nodes[a].a));
  return intern(dag, AG_SIN, a, -1, -1, 0);
}

ag_id ag_cos(ag_dag *dag, ag_id a) {
  assert(!is_const(dag, a));
  if (is_turned(dag, a)) return ag_cos(dag, dag->nodes[a].a);
  return intern(dag, AG_COS, a, -1, -1, 0);
}

ag_id ag_select(ag_dag *dag, ag_id condition, ag_id yes, ag_id no) {
  assert(ag_is_boolean(dag, condition));
  const ag_node *n = &dag->nodes[condition];
  if (n->op == AG_BOOL) return n->value != 0 ? yes : no;
  if (yes == no) return yes;
  if (n->op == AG_NOT) return ag_select(dag, n->a, no, yes);
  return intern(dag, AG_SELECT, condition, yes, no, 0);
}

ag_id ag_join(ag_dag *dag, ag_id a, ag_id b) {
  ag_id of[] = {a, b};
  for (int k = 0; k < 2; k++) { /* {x, -y[l]}: the vector -y once, not each lane */
    const ag_node *n = &dag->nodes[of[k]];
    if (n->op != AG_NEG || op_of(dag, n->a) != AG_TAKE) continue;
    const int32_t lane = dag->nodes[n->a].b;
    const ag_id vector = ag_neg(dag, dag->nodes[n->a].a);
    dag->nodes[vector].labelled = true;
    of[k] = intern(dag, AG_TAKE, vector, lane, -1, 0);
  }
  return intern(dag, AG_JOIN, of[0], of[1], -1, 0);
}

ag_id ag_join_all(ag_dag *dag, const ag_id *of, int lanes) {
  if (lanes == 1) return of[0];
  const ag_id a = ag_join_all(dag, of, lanes / 2);
  return ag_join(dag, a, ag_join_all(dag, of + lanes / 2, lanes / 2));
}

ag_id ag_take(ag_dag *dag, ag_id a, int lane) {
  if (is_turned(dag, a)) return ag_neg(dag, ag_take(dag, dag->nodes[a].a, lane));
  if (is_const(dag, a)) return a; /* all lanes are */
  return intern(dag, AG_TAKE, a, lane, -1, 0);
}

ag_id ag_probe(ag_dag *dag, ag_id a) {
  if (is_const(dag, a)) return ag_bool(dag, !isfinite(value_of(dag, a)));
  if (is_turned(dag, a)) return ag_probe(dag, dag->nodes[a].a);
  if (op_of(dag, a) == AG_INPUT) return ag_probe_size(dag, a, AG_FINITE);
  return intern(dag, AG_PROBE, a, -1, -1, 0);
}

ag_id ag_probe_size(ag_dag *dag, ag_id input, int exponent) {
  const int32_t index = dag->nodes[input].a;
  return intern(dag, AG_PROBE_INPUTS, index, index, exponent, 0);
}

bool ag_is_beyond(double x, int exponent) {
  return !isfinite(x) || (exponent != AG_FINITE && fabs(x) >= ldexp(1, exponent));
}

ag_id ag_probe_turns(ag_dag *dag) {
  return intern(dag, AG_PROBE_TURNS, -1, -1, -1, 0);
}

ag_id ag_bool(ag_dag *dag, bool value) {
  return intern(dag, AG_BOOL, -1, -1, -1, value);
}

ag_id ag_lt(ag_dag *dag, ag_id a, ag_id b) {
  if (is_const(dag, a) && is_const(dag, b))
    return ag_bool(dag, value_of(dag, a) < value_of(dag, b));
  if (a == b) return ag_bool(dag, false);
  return intern(dag, AG_LT, a, b, -1, 0);
}

ag_id ag_eq(ag_dag *dag, ag_id a, ag_id b) {
  if (is_const(dag, a) && is_const(dag, b))
    return ag_bool(dag, value_of(dag, a) == value_of(dag, b));
  return a < b ? intern(dag, AG_EQ, a, b, -1, 0) : intern(dag, AG_EQ, b, a, -1, 0);
}

ag_id ag_and(ag_dag *dag, ag_id a, ag_id b) {
  if (op_of(dag, a) == AG_BOOL) return value_of(dag, a) != 0 ? b : a;
  if (op_of(dag, b) == AG_BOOL) return value_of(dag, b) != 0 ? a : b;
  if (a == b) return a;
  return a < b ? intern(dag, AG_AND, a, b, -1, 0) : intern(dag, AG_AND, b, a, -1, 0);
}

/* One probe of the inputs of two, where these follow each other; -1: they do not. */
static ag_id joint_probe(ag_dag *dag, ag_id a, ag_id b) {
  const ag_node *one = &dag->nodes[a], *other = &dag->nodes[b];
  if (one->op != AG_PROBE_INPUTS || other->op != AG_PROBE_INPUTS || one->c != other->c ||
      one->b + 1 != other->a)
    return -1;
  return intern(dag, AG_PROBE_INPUTS, one->a, other->b, one->c, 0);
}

/* Whether the tests that `any` joins, the latest outside, hold those of the inputs of `probe`. */
static bool is_probed(const ag_dag *dag, ag_id any, ag_id probe) {
  const ag_node *asked = &dag->nodes[probe];
  if (asked->op != AG_PROBE_INPUTS) return false;
  while (op_of(dag, any) == AG_OR) any = dag->nodes[any].b;
  const ag_node *first = &dag->nodes[any];
  return first->op == AG_PROBE_INPUTS && first->c == asked->c && first->a <= asked->a &&
         asked->b <= first->b;
}

ag_id ag_or(ag_dag *dag, ag_id a, ag_id b) {
  if (op_of(dag, a) == AG_BOOL) return value_of(dag, a) != 0 ? a : b;
  if (op_of(dag, b) == AG_BOOL) return value_of(dag, b) != 0 ? b : a;
  if (a == b) return a;
  const ag_id joined = joint_probe(dag, a, b);
  if (joined >= 0) return joined;
  if (is_probed(dag, a, b)) return a;
  return a < b ? intern(dag, AG_OR, a, b, -1, 0) : intern(dag, AG_OR, b, a, -1, 0);
}

ag_id ag_not(ag_dag *dag, ag_id a) {
  const ag_node *n = &dag->nodes[a];
  if (n->op == AG_BOOL) return ag_bool(dag, n->value == 0);
  if (n->op == AG_NOT) return n->a;
  return intern(dag, AG_NOT, a, -1, -1, 0);
}

ag_id ag_turn_difference(ag_dag *dag, ag_id a) {
  if (op_of(dag, a) != AG_NEG || op_of(dag, dag->nodes[a].a) != AG_SUB) return a;
  const ag_node *n = &dag->nodes[dag->nodes[a].a];
  return intern(dag, AG_SUB, n->b, n->a, -1, 0);
}
ag_id ag_any(ag_dag *dag, ag_id a) {
  return intern(dag, AG_ANY, a, -1, -1, 0);
}

static ag_id remade(ag_dag *dag, const ag_node *n, const ag_id of[3]) {
  switch (n->op) {
  case AG_CONST:
    return ag_exact(dag, ag_number_from(n->value, n->exact));
  case AG_INPUT:
    return ag_input(dag, n->a);
  case AG_ADD:
    return ag_add(dag, of[0], of[1]);
  case AG_SUB:
    return ag_sub(dag, of[0], of[1]);
  case AG_MUL:
    return ag_mul(dag, of[0], of[1]);
  case AG_DIV:
    return ag_div(dag, of[0], of[1]);
  case AG_NEG:
    return n->b < 0 ? ag_neg(dag, of[0]) : ag_hold_sign(dag, ag_neg(dag, of[0]));
  case AG_SIN:
    return ag_sin(dag, of[0]);
  case AG_COS:
    return ag_cos(dag, of[0]);
  case AG_SELECT:
    return ag_select(dag, of[0], of[1], of[2]);
  case AG_BOOL:
    return ag_bool(dag, n->value != 0);
  case AG_JOIN:
    return ag_join(dag, of[0], of[1]);
  case AG_TAKE:
    return ag_take(dag, of[0], n->b);
  case AG_PROBE:
    return ag_probe(dag, of[0]);
  case AG_ANY:
    return ag_any(dag, of[0]);
  case AG_LT:
    return ag_lt(dag, of[0], of[1]);
  case AG_EQ:
    return ag_eq(dag, of[0], of[1]);
  case AG_AND:
    return ag_and(dag, of[0], of[1]);
  case AG_OR:
    return ag_or(dag, of[0], of[1]);
  case AG_PROBE_INPUTS:
    return intern(dag, AG_PROBE_INPUTS, n->a, n->b, n->c, 0);
  case AG_PROBE_TURNS:
    return ag_probe_turns(dag);
  default:
    assert(n->op == AG_NOT);
    return ag_not(dag, of[0]);
  }
}

bool ag_same_limit(const ag_limit *a, const ag_limit *b) {
  return a->value == b->value && strcmp(a->name, b->name) == 0;
}

void ag_keep_words(ag_dag *dag, ag_id id, ag_words said) {
  const char *name = said.name;
  ag_node *n = &dag->nodes[id];
  for (; n->op == AG_NEG; n = &dag->nodes[n->a]) /* signs go out of sums and products */
    if (name)
      name = strncmp(name, "minus_", 6) == 0 ? name + 6 : ag_printf(dag->arena, "minus_%s", name);
  if (name && !n->name && n->op != AG_CONST && n->op != AG_INPUT) {
    n->name = name;
    n->scope = said.scope;
  }
  if (said.limit && !n->limit) n->limit = said.limit;
}

ag_id ag_remake(ag_dag *dag, const ag_node *n, const ag_id of[3]) {
  const ag_words said = ag_words_of(n); /* n may be of this graph, which moves */
  const ag_id id = remade(dag, n, of);
  ag_keep_words(dag, id, said);
  return id;
}

static void say_limit(ag_dag *dag, ag_id id, const ag_limit *limit, int depth) {
  ag_node *n = &dag->nodes[id];
  ag_id of[3];
  const int arity = ag_operands(n, of);
  if (n->op == AG_ADD || n->op == AG_SUB || n->op == AG_DIV) return; /* a number of another kind */
  for (int k = 0; k < arity; k++) {
    const ag_node *x = &dag->nodes[of[k]];
    if (x->op == AG_CONST && fabs(x->value) == fabs(limit->value) && !n->limit) n->limit = limit;
    if (depth > 1) say_limit(dag, of[k], limit, depth - 1);
  }
}

void ag_say_limit(ag_dag *dag, ag_id id, const ag_limit *limit) {
  enum { NEAR = 3 }; /* |x| < limit, clamped to it */
  say_limit(dag, id, limit, NEAR);
}

bool ag_affine(const ag_dag *dag, ag_id x, int *input, double *k, double *c) {
  const ag_node *n = &dag->nodes[x];
  switch (n->op) {
  case AG_INPUT:
    *input = n->a;
    *k = 1;
    *c = 0;
    return true;
  case AG_NEG:
    if (!ag_affine(dag, n->a, input, k, c)) return false;
    *k = -*k;
    *c = -*c;
    return true;
  case AG_MUL:
    if (!is_const(dag, n->a) || !ag_affine(dag, n->b, input, k, c)) return false;
    *k *= value_of(dag, n->a);
    *c *= value_of(dag, n->a);
    return true;
  case AG_ADD: {
    const ag_id constant = is_const(dag, n->a) ? n->a : n->b,
                rest = is_const(dag, n->a) ? n->b : n->a;
    if (!is_const(dag, constant) || !ag_affine(dag, rest, input, k, c)) return false;
    *c += value_of(dag, constant);
    return true;
  }
  case AG_SUB: {
    const bool first = is_const(dag, n->a);
    const double constant = first                 ? value_of(dag, n->a)
                            : is_const(dag, n->b) ? value_of(dag, n->b)
                                                  : NAN;
    if (isnan(constant) || !ag_affine(dag, first ? n->b : n->a, input, k, c)) return false;
    *k = first ? -*k : *k;
    *c = first ? constant - *c : *c - constant;
    return true;
  }
  default:
    return false;
  }
}
