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
