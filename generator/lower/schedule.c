/* SPDX-License-Identifier: MIT */
/* schedule.c: see schedule.h */
#include "lower/schedule.h"

#include "graph/live.h"
#include "lower/order.h"
#include "lower/products.h"
#include "lower/registers.h"
#include "lower/repeats.h"
#include "lower/split.h"
#include "lower/stored.h"

#include <string.h>

static void add_operations(ag_cost *cost, const ag_sequence *way) {
  for (int i = 0; i < way->norder; i++) {
    const ag_node *n = &way->graph->dag.nodes[way->order[i]];
    switch (n->op) {
    case AG_ADD:
    case AG_SUB:
      cost->add++;
      break;
    case AG_MUL:
      cost->mul++;
      break;
    case AG_DIV:
      cost->div++;
      break;
    case AG_NEG:
      cost->neg++;
      break;
    case AG_SIN:
    case AG_COS:
      cost->trig++;
      break;
    case AG_SELECT:
      cost->select++;
      break;
    case AG_LT:
    case AG_EQ:
      cost->compare++;
      break;
    case AG_PROBE_INPUTS:
      cost->probe += n->b - n->a + 1;
      break;
    case AG_PROBE:
      cost->probe++;
      break;
    default:
      break;
    }
  }
}

void ag_add_guard(ag_cost *cost, const ag_graph *graph, ag_arena *arena) {
  const size_t count = (size_t)graph->dag.count;
  bool *marked = ag_alloc(arena, count * sizeof *marked);
  ag_sequence guard = {.graph = graph, .order = ag_alloc(arena, count * sizeof *guard.order)};
  marked[graph->guard] = true;
  (void)ag_mark_operands(&graph->dag, marked);
  for (ag_id id = 0; id < graph->dag.count; id++)
    if (marked[id]) guard.order[guard.norder++] = id;
  add_operations(cost, &guard);
}

/* Values that are computed and still needed, at the worst statement. Inputs and constants are read
 * where they are used and outputs stored where they are made, so neither counts. */
static int most_live(const ag_sequence *way, ag_arena *arena) {
  const ag_dag *dag = &way->graph->dag;
  int *last = ag_alloc(arena, (size_t)dag->count * sizeof *last);
  for (int i = 0; i < way->norder; i++) {
    ag_id of[3];
    const int arity = ag_operands(&dag->nodes[way->order[i]], of);
    for (int k = 0; k < arity; k++) last[of[k]] = i;
  }
  int live = 0, most = 0;
  for (int i = 0; i < way->norder; i++) {
    const ag_id id = way->order[i];
    ag_id of[3];
    const int arity = ag_operands(&dag->nodes[id], of);
    for (int k = 0; k < arity; k++) {
      const bool again = (k > 0 && of[k] == of[0]) || (k > 1 && of[k] == of[1]);
      if (!again && last[of[k]] == i && ag_arity(dag->nodes[of[k]].op) > 0) live--;
    }
    if (ag_arity(dag->nodes[id].op) > 0 && last[id] > i) live++;
    if (live > most) most = live;
  }
  return most;
}

/* Marks the statements that a node's text names, and the node itself where it is one. */
static void mark_named(const ag_sequence *way, ag_id id, bool *named) {
  if (way->statement[id]) {
    named[id] = true;
    return;
  }
  ag_id of[3];
  const int arity = ag_operands(&way->graph->dag.nodes[id], of);
  for (int k = 0; k < arity; k++) mark_named(way, of[k], named);
}

/* Marks the statements of the guard that a node of the other way is made of. */
static void mark_carried(const ag_plan *plan, ag_id id, bool *carried) {
  if (plan->early[id]) {
    mark_named(&plan->own, id, carried);
    return;
  }
  ag_id of[3];
  const int arity = ag_operands(&plan->graph->dag.nodes[id], of);
  for (int k = 0; k < arity; k++) mark_carried(plan, of[k], carried);
}

/* Marks what of the guard is needed only where `first` holds: all that the other way is not made of, its choices by
 * `first` taken as if that did not hold; and what these choices ask for where it does. */
static void find_inside(ag_plan *plan, ag_arena *arena) {
  const ag_graph *graph = plan->graph;
  const ag_dag *dag = &graph->dag;
  const ag_way *general = plan->own.results;
  bool *inside = ag_alloc(arena, (size_t)dag->count * sizeof *inside);
  bool *carried = ag_alloc(arena, (size_t)dag->count * sizeof *carried);
  bool *always = ag_alloc(arena, (size_t)dag->count * sizeof *always);
  for (int i = 0; i < general->noutputs; i++) always[general->outputs[i]] = true;
  for (int i = 0; i < general->nstatus; i++) always[general->status[i].node] = true;
  always[graph->first] = true;
  for (ag_id id = dag->count - 1; id >= 0; id--) {
    if (!always[id]) continue;
    const ag_node *n = &dag->nodes[id];
    const bool chosen = n->op == AG_SELECT && n->a == graph->first;
    if (chosen) mark_carried(plan, n->b, carried);
    ag_id of[3];
    const int arity = ag_operands(n, of);
    for (int k = 0; k < arity; k++) always[of[k]] |= !(chosen && k == 1);
  }
  for (ag_id id = 0; id < dag->count; id++) {
    inside[id] = plan->early[id] && !always[id];
    carried[id] = carried[id] && inside[id];
  }
  plan->inside = inside;
  plan->carried = carried;
}

/* Marks what comes before the choice between two ways: what the guard is made of, a long chain; shared: and the values that both
 * ways need, which fill its pauses. */
static void find_early(ag_plan *plan, bool shared, ag_arena *arena) {
  const ag_graph *graph = plan->graph;
  const ag_id count = graph->dag.count;
  bool *early = ag_alloc(arena, (size_t)count * sizeof *early);
  bool *own = ag_alloc(arena, (size_t)count * sizeof *own);
  bool *of_fast = ag_alloc(arena, (size_t)count * sizeof *of_fast);
  ag_mark_way(graph, AG_GENERAL, own);
  ag_mark_way(graph, AG_FAST, of_fast);
  for (ag_id id = 0; id < count; id++)
    early[id] = id == graph->guard || (shared && own[id] && of_fast[id] && plan->own.statement[id]);
  plan->nguard = ag_mark_operands(&graph->dag, early);
  plan->early = early;
}

/* The nodes that a way is made of, by id, and which of them are statements; statement: of both ways. */
static void keep_own(ag_sequence *way, const bool *statement, ag_arena *arena) {
  const size_t count = (size_t)way->graph->dag.count;
  bool *live = ag_alloc(arena, count * sizeof *live);
  for (int i = 0; i < way->results->nnodes; i++) live[way->results->nodes[i]] = true;
  way->statement = ag_alloc(arena, count * sizeof *way->statement);
  way->order = ag_alloc(arena, count * sizeof *way->order);
  way->norder = 0;
  for (ag_id id = 0; id < way->graph->dag.count; id++) {
    if (!live[id]) continue;
    way->order[way->norder++] = id;
    way->statement[id] = statement[id];
  }
}

/* Orders both ways; what the guard is made of and what both need comes first, in the fast way's order. */
static void order_ways(ag_plan *plan, bool vectors, int window, ag_arena *arena) {
  ag_order(plan, &plan->own, vectors, window, arena);
  if (!plan->fast) return;
  ag_order(plan, plan->fast, vectors, window, arena);
  memcpy(plan->own.order, plan->fast->order, (size_t)plan->nguard * sizeof *plan->own.order);
}

/* --small: the usual order, and those of the shortest code that reach more or less far; the one with
 * the fewest moves between registers and memory is left. */
static void order_shortest(ag_plan *plan, ag_arena *arena) {
  static const int windows[] = {0, 1000, 100, 20, 10};
  enum { TRIALS = sizeof windows / sizeof *windows };
  int best = 0, least = -1;
  for (int k = 0; k < TRIALS; k++) {
    order_ways(plan, false, windows[k], arena);
    int moves = ag_count_moves(&plan->own, 0);
    if (plan->fast) moves += ag_count_moves(plan->fast, 0);
    if (least >= 0 && moves >= least) continue;
    least = moves;
    best = k;
  }
  order_ways(plan, false, windows[best], arena);
}

static void count_cost(ag_sequence *way, const ag_products *products, ag_arena *arena) {
  way->cost = ag_cost_of_products(products);
  add_operations(&way->cost, way);
  way->cost.live = most_live(way, arena);
}

/* The statements of both ways together. */
static const bool *choose_statements(const ag_graph *graph, ag_arena *arena) {
  const size_t count = (size_t)graph->dag.count;
  bool *live = ag_alloc(arena, count * sizeof *live);
  ag_sequence both = {.graph = graph, .order = ag_alloc(arena, count * sizeof *both.order)};
  for (int way = 0; way < graph->nways; way++) ag_mark_way(graph, way, live);
  for (ag_id id = 0; id < graph->dag.count; id++)
    if (live[id]) both.order[both.norder++] = id;
  ag_choose_statements(&both, ag_uses(graph, live, arena), arena);
  return both.statement;
}

ag_plan *ag_schedule(const ag_graph *graph, const ag_target *target, int part, ag_arena *arena) {
  ag_plan *plan = ag_alloc(arena, sizeof *plan);
  const bool behind = part && !target->branchless; /* which leaves out no test */
  ag_graph *stored = behind ? ag_test_stored(graph, arena) : NULL;
  if (stored) graph = stored;
  *plan = (ag_plan){.target = target, .part = part, .stored_tests = stored != NULL};
  if (stored && !target->repeats) plan->products = ag_leave_products(stored, arena);
  plan->graph = graph;
  const bool *statement = choose_statements(graph, arena);
  plan->own = (ag_sequence){.graph = graph, .results = &graph->ways[AG_GENERAL]};
  keep_own(&plan->own, statement, arena);
  if (graph->nways > 1) {
    plan->fast = ag_alloc(arena, sizeof *plan->fast);
    *plan->fast = (ag_sequence){.graph = graph, .results = &graph->ways[AG_FAST]};
    keep_own(plan->fast, statement, arena);
    find_early(plan, !target->apart, arena);
  }
  if (target->small)
    order_shortest(plan, arena);
  else
    order_ways(plan, false, target->read ? AG_READ_ANEW : 0, arena);
  if (target->repeats && part) plan->repeats = ag_find_repeats(plan, arena);
  count_cost(&plan->own, plan->products, arena);
  if (plan->fast) count_cost(plan->fast, NULL, arena);
  if (part) plan->split = ag_split_plan(plan, arena);
  if (plan->fast && graph->first && !plan->split) find_inside(plan, arena);
  return plan;
}

ag_plan *ag_schedule_as_asked(const ag_graph *graph, const ag_target *target, ag_arena *arena) {
  const int operations = ag_count(graph, AG_GENERAL, arena);
  return ag_schedule(graph, target, ag_part_of(target->parts, operations), arena);
}

/* Vectors ask of several numbers at once whether they are finite, where these questions stand in one text. */
static void ask_in_place(ag_sequence *way, ag_arena *arena) {
  const size_t count = (size_t)way->graph->dag.count;
  bool *statement = ag_alloc(arena, count * sizeof *statement);
  for (ag_id id = 0; id < way->graph->dag.count; id++)
    statement[id] = way->statement[id] && way->graph->dag.nodes[id].op != AG_PROBE;
  way->statement = statement;
}

/* Operations of a part of a function of a batch. Whole, compilers keep too many vectors waiting: results to the end, and what they
 * load early. */
static int batch_part_of(const ag_plan *plan, ag_arena *arena) {
  const int operations = ag_count(plan->graph, AG_GENERAL, arena);
  if (plan->target->parts != AG_PARTS_LONG || operations <= 2 * AG_BATCH_PART) return plan->part;
  return AG_BATCH_PART;
}

const ag_plan *ag_schedule_vectors(const ag_plan *plan, const ag_graph *graph, ag_arena *arena) {
  ag_plan *vectors = ag_alloc(arena, sizeof *vectors);
  *vectors = *plan;
  vectors->part = batch_part_of(plan, arena);
  vectors->inside = vectors->carried = NULL;
  vectors->repeats = NULL;
  if (plan->products) {
    bool *asked = ag_asked_results(graph, arena);
    for (int k = 0; k < plan->products->count; k++) {
      const ag_product *p = &plan->products->of[k];
      for (int i = 0; i < p->n; i++) asked[p->column + i * p->down] = false;
    }
    vectors->asked = asked;
  } else if (
      plan->stored_tests) { /* vectors ask for several results at once where these are made */
    vectors->stored_tests = false;
    vectors->graph = graph;
    vectors->own = (ag_sequence){.graph = graph, .results = &graph->ways[AG_GENERAL]};
    keep_own(&vectors->own, choose_statements(graph, arena), arena);
  }
  ask_in_place(&vectors->own, arena);
  if (plan->fast) {
    vectors->fast = ag_alloc(arena, sizeof *vectors->fast);
    *vectors->fast = *plan->fast;
    ask_in_place(vectors->fast, arena);
    find_early(vectors, false, arena);
  }
  order_ways(vectors, true, 0, arena);
  if (vectors->part) vectors->split = ag_split_plan(vectors, arena);
  return vectors;
}
