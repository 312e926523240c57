/* SPDX-License-Identifier: MIT */
/* outlining.c: see outlining.h */
#include "limbs/outlining.h"

#include "graph/live.h"
#include "limbs/limbs.h"
#include "limbs/rebuild.h"

#include <string.h>

ag_id ag_joined(const ag_dag *dag, ag_id join, int width, int l) {
  for (int half = width / 2; half > 0; half /= 2)
    join = (l & half) ? dag->nodes[join].b : dag->nodes[join].a;
  return join;
}

typedef struct cutter {
  const ag_graph *from;
  ag_dag *dag;
  ag_arena *arena;
  bool *vector; /* by node of `from`: stays a vector */
  bool *asked;  /* by node: something other than a finite test, or a longer vector, asks for it */
  ag_id *whole; /* of each vector that stays one: itself */
  ag_id (
      *lane)[AG_LANES]; /* of every node: its numbers; of a number all the same; -1: not made yet */
} cutter;

/* Whether lane l of a vector that joins numbers is another lane of a vector. */
static bool crosses(const cutter *c, ag_id join) {
  const ag_dag *dag = &c->from->dag;
  const int width = c->from->width[join];
  for (int l = 0; l < width; l++) {
    const ag_node *n = &dag->nodes[ag_joined(dag, join, width, l)];
    if (n->op == AG_NEG) n = &dag->nodes[n->a];
    if (n->op == AG_TAKE && (n->b != l || c->from->width[n->a] != width)) return true;
  }
  return false;
}

/* Limbs compute what is made of vectors that they compute or are given. What lanes exchange, and what is made of it,
 * the trunk computes as numbers, and so it does what is only joined to be tested. */
static bool is_of_limbs(const cutter *c, ag_id id) {
  const ag_node *n = &c->from->dag.nodes[id];
  if (c->from->width[id] == 1) return false;
  if (n->op == AG_JOIN) return c->asked[id] && !crosses(c, id);
  ag_id of[3];
  const int arity = ag_all_operands(n, of);
  for (int k = 0; k < arity; k++)
    if (c->from->width[of[k]] > 1 && !c->vector[of[k]]) return false;
  return true;
}

static void mark_vectors(cutter *c) {
  const ag_graph *from = c->from;
  const int *uses = ag_uses_of_all(from, c->arena);
  for (ag_id id = from->dag.count - 1; id >= 0; id--) {
    const ag_node *n = &from->dag.nodes[id];
    if (uses[id] == 0 || n->op == AG_PROBE || n->op == AG_JOIN) continue;
    ag_id of[3];
    const int arity = ag_all_operands(n, of);
    for (int k = 0; k < arity; k++) c->asked[of[k]] = true;
  }
  for (ag_id id = 0; id < from->dag.count; id++) c->vector[id] = is_of_limbs(c, id);
}

/* A node's number in lane l. */
static ag_id number(const cutter *c, ag_id id, int l) {
  if (c->lane[id][l] < 0) c->lane[id][l] = ag_take(c->dag, c->whole[id], l);
  return c->lane[id][l];
}

static ag_id operand(const cutter *c, ag_id id) {
  return c->vector[id] ? c->whole[id] : c->lane[id][0];
}

static ag_id join_of(const cutter *c, ag_id join, int first, int count) {
  if (count == 1) return number(c, ag_joined(&c->from->dag, join, c->from->width[join], first), 0);
  const ag_id a = join_of(c, join, first, count / 2);
  return ag_join(c->dag, a, join_of(c, join, first + count / 2, count / 2));
}

static ag_id any_of(const cutter *c, ag_id vector) {
  ag_id any = number(c, vector, 0);
  for (int l = 1; l < c->from->width[vector]; l++) any = ag_or(c->dag, any, number(c, vector, l));
  return any;
}

static void cut(const cutter *c, ag_id id) {
  const ag_node *n = &c->from->dag.nodes[id];
  const int width = c->from->width[id];
  ag_id from[3], of[3] = {-1, -1, -1};
  const int arity = ag_all_operands(n, from);
  c->dag->region = n->region;
  memset(c->lane[id], -1, sizeof c->lane[id]);
  if (n->op == AG_JOIN) {
    for (int l = 0; l < width; l++)
      c->lane[id][l] = number(c, ag_joined(&c->from->dag, id, width, l), 0);
    if (!c->vector[id]) return;
    c->whole[id] = join_of(c, id, 0, width);
    c->dag->nodes[c->whole[id]].labelled = true;
  } else if (c->vector[id]) {
    for (int k = 0; k < arity; k++) of[k] = operand(c, from[k]);
    c->whole[id] = ag_remake(c->dag, n, of);
  } else {
    for (int l = 0; l < AG_LANES; l++) {
      if (l >= width) {
        c->lane[id][l] = c->lane[id][0];
      } else if (n->op == AG_TAKE) {
        c->lane[id][l] = number(c, n->a, n->b);
      } else if (n->op == AG_ANY) {
        c->lane[id][l] = any_of(c, n->a);
      } else {
        for (int k = 0; k < arity; k++) of[k] = number(c, from[k], l);
        c->lane[id][l] = ag_remake(c->dag, n, of);
      }
    }
  }
}

static void cut_results(const cutter *c, const ag_way *from, ag_way *to) {
  to->outputs = ag_alloc(c->arena, (size_t)(from->noutputs + 1) * sizeof *to->outputs);
  to->status = ag_alloc(c->arena, (size_t)(from->nstatus + 1) * sizeof *to->status);
  for (int i = 0; i < from->noutputs; i++) to->outputs[i] = number(c, from->outputs[i], 0);
  for (int i = 0; i < from->nstatus; i++) {
    to->status[i] = from->status[i];
    to->status[i].node = number(c, from->status[i].node, 0);
  }
}

ag_graph *ag_outline(const ag_graph *lanes, ag_arena *arena) {
  ag_graph *general = ag_alloc(arena, sizeof *general);
  *general = *lanes;
  general->nways = 1;
  general->guard = general->first = 0;
  const size_t count = (size_t)lanes->dag.count + 1;
  ag_graph *to = ag_graph_like(arena, general);
  cutter c = {.from = general, .dag = &to->dag, .arena = arena};
  c.vector = ag_alloc(arena, count * sizeof *c.vector);
  c.asked = ag_alloc(arena, count * sizeof *c.asked);
  c.whole = ag_alloc(arena, count * sizeof *c.whole);
  c.lane = ag_alloc(arena, count * sizeof *c.lane);
  mark_vectors(&c);
  for (ag_id id = 0; id < lanes->dag.count; id++) cut(&c, id);
  cut_results(&c, &lanes->ways[AG_GENERAL], &to->ways[AG_GENERAL]);
  to->width = ag_widths(&to->dag, arena);
  ag_graph_complete(to, arena);
  return to;
}
