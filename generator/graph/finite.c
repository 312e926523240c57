/* SPDX-License-Identifier: MIT */
/* finite.c: see finite.h */
#include "graph/finite.h"

ag_held ag_where_finite(const ag_node *nodes, ag_id id) {
  const ag_node *n = &nodes[id];
  switch (n->op) {
  case AG_BOOL:
    return n->value != 0 ? AG_HOLDS : AG_FAILS;
  case AG_PROBE:
  case AG_PROBE_INPUTS:
  case AG_PROBE_TURNS:
    return AG_FAILS;
  case AG_NOT: {
    const ag_held a = ag_where_finite(nodes, n->a);
    return a == AG_UNDECIDED ? a : a == AG_HOLDS ? AG_FAILS : AG_HOLDS;
  }
  case AG_OR:
  case AG_AND: {
    const ag_held a = ag_where_finite(nodes, n->a), b = ag_where_finite(nodes, n->b),
                  decisive = n->op == AG_OR ? AG_HOLDS : AG_FAILS;
    if (a == decisive || b == decisive) return decisive;
    if (a == AG_UNDECIDED || b == AG_UNDECIDED) return AG_UNDECIDED;
    return decisive == AG_HOLDS ? AG_FAILS : AG_HOLDS;
  }
  default:
    return AG_UNDECIDED;
  }
}

/* What the numbers that are asked for tell of a node: that something it is made of is not finite; that it overflows itself,
 * which a product does not that a CPU multiplies and adds at once. ASKED: it is asked for, and no other tells both. */
enum { OPERANDS_TOLD = 1, ALL_TOLD = 3, ASKED = 4 };

/* Says of the operands of a node what it tells of them. */
static void tell_operands(const ag_dag *dag, ag_id id, unsigned char *told) {
  const ag_node *n = &dag->nodes[id];
  if (!told[id] || n->op < AG_ADD || n->op > AG_NEG) return;
  const ag_id of[2] = {n->a, n->b};
  for (int k = 0; k < (n->op == AG_NEG || n->op == AG_DIV ? 1 : 2); k++) {
    const bool fused = n->op <= AG_SUB && dag->nodes[ag_without_sign(dag, of[k])].op == AG_MUL;
    told[of[k]] |= n->op == AG_NEG ? told[id] & ALL_TOLD : fused ? OPERANDS_TOLD : ALL_TOLD;
  }
}

/* What is told, by node. */
static unsigned char *find_told(const ag_dag *dag, const bool *asked, ag_arena *arena) {
  unsigned char *told = ag_alloc(arena, (size_t)dag->count + 1);
  for (ag_id id = dag->count - 1; id >= 0; id--) {
    if (asked[id]) told[id] = (told[id] & ALL_TOLD) == ALL_TOLD ? ALL_TOLD : ALL_TOLD | ASKED;
    tell_operands(dag, id, told);
  }
  return told;
}

bool *ag_told_finite(const ag_dag *dag, const bool *asked, ag_arena *arena) {
  const unsigned char *told = find_told(dag, asked, arena);
  bool *all = ag_alloc(arena, (size_t)dag->count + 1);
  for (ag_id id = 0; id < dag->count; id++) all[id] = (told[id] & ALL_TOLD) == ALL_TOLD;
  return all;
}

/* Whether they are tests of inputs that follow each other, which one test can make. */
static bool follows(const ag_node *first, const ag_node *next) {
  return first->op == AG_PROBE_INPUTS && next->op == AG_PROBE_INPUTS && first->b + 1 == next->a;
}

ag_id ag_ask_finite(ag_dag *dag, const ag_id *numbers, int count, ag_arena *arena) {
  bool *asked = ag_alloc(arena, (size_t)dag->count + 1);
  for (int k = 0; k < count; k++) asked[ag_without_sign(dag, numbers[k])] = true;
  unsigned char *told = find_told(dag, asked, arena);
  ag_id any = ag_bool(dag, false), last = any;
  for (int k = 0; k < count; k++) {
    const ag_id number = ag_without_sign(dag, numbers[k]);
    if (!(told[number] & ASKED)) continue;
    told[number] = ALL_TOLD; /* once */
    const ag_id one = ag_probe(dag, number);
    const bool joins = follows(&dag->nodes[last], &dag->nodes[one]);
    if (!joins) any = ag_or(dag, any, last);
    last = joins ? ag_or(dag, last, one) : one;
  }
  return ag_or(dag, any, last);
}
