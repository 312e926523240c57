/* schedule.c: see schedule.h */
#include "lower/schedule.h"

#include "lower/order.h"
#include "lower/registers.h"
#include "lower/split.h"

#include <string.h>

int ag_flops(const ag_cost *cost) {
  return cost->add + cost->mul + cost->div;
}

/* Operands have smaller ids: one pass from the last node back marks what is needed. Returns how
 * many nodes. */
static int mark_operands(const ag_dag *dag, bool *live) {
  int count = 0;
  for (ag_id id = dag->count - 1; id >= 0; id--) {
    if (!live[id]) continue;
    ag_id of[3];
    const int arity = ag_operands(&dag->nodes[id], of);
    for (int k = 0; k < arity; k++) live[of[k]] = true;
    count++;
  }
  return count;
}

/* Marks what outputs, status, and the guard where there is one, are made of. */
static void mark_live(const ag_program *program, bool *live) {
  for (int i = 0; i < program->out.nelements; i++) live[program->out.elements[i].node] = true;
  for (int i = 0; i < program->nstatus; i++) live[program->status[i].node] = true;
  if (program->fast) live[program->guard] = true;
  (void)mark_operands(&program->dag, live);
}

int ag_count_operations(const ag_dag *dag, bool *live) {
  (void)mark_operands(dag, live);
  int count = 0;
  for (ag_id id = 0; id < dag->count; id++) {
    const ag_op op = dag->nodes[id].op;
    count += live[id] && (op == AG_ADD || op == AG_SUB || op == AG_MUL || op == AG_DIV);
  }
  return count;
}

int ag_count(const ag_program *program, const ag_program *way, ag_arena *arena) {
  bool *live = ag_alloc(arena, (size_t)program->dag.count * sizeof *live);
  for (int i = 0; i < way->out.nelements; i++) live[way->out.elements[i].node] = true;
  for (int i = 0; i < way->nstatus; i++) live[way->status[i].node] = true;
  if (program->fast) live[program->guard] = true;
  return ag_count_operations(&program->dag, live);
}

static void count_results(const ag_program *program, int *uses) {
  for (int i = 0; i < program->out.nelements; i++) uses[program->out.elements[i].node]++;
  for (int i = 0; i < program->nstatus; i++) uses[program->status[i].node]++;
}

int *ag_uses(const ag_program *program, ag_arena *arena) {
  const ag_dag *dag = &program->dag;
  int *uses = ag_alloc(arena, (size_t)dag->count * sizeof *uses);
  for (int i = 0; i < program->norder; i++) {
    ag_id of[3];
    const int arity = ag_operands(&dag->nodes[program->order[i]], of);
    for (int k = 0; k < arity; k++) uses[of[k]]++;
  }
  count_results(program, uses);
  if (program->fast) {
    count_results(program->fast, uses);
    uses[program->guard]++;
  }
  return uses;
}

static void count_operations(ag_program *program) {
  ag_cost *cost = &program->cost;
  for (int i = 0; i < program->norder; i++) {
    const ag_node *n = &program->dag.nodes[program->order[i]];
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

/* Values that are computed and still needed, at the worst statement. Inputs and constants are read
 * where they are used and outputs stored where they are made, so neither counts. */
static int most_live(const ag_program *program, ag_arena *arena) {
  const ag_dag *dag = &program->dag;
  int *last = ag_alloc(arena, (size_t)dag->count * sizeof *last);
  for (int i = 0; i < program->norder; i++) {
    ag_id of[3];
    const int arity = ag_operands(&dag->nodes[program->order[i]], of);
    for (int k = 0; k < arity; k++) last[of[k]] = i;
  }
  int live = 0, most = 0;
  for (int i = 0; i < program->norder; i++) {
    const ag_id id = program->order[i];
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

/* -(a - b), where nothing else uses the difference, is b - a. The hash table does not know the node
 * any more, so this is for a program that is complete. */
static void turn_differences(ag_program *program, ag_arena *arena) {
  const int *uses = ag_uses(program, arena);
  for (int i = 0; i < program->norder; i++) {
    ag_node *n = &program->dag.nodes[program->order[i]];
    if (n->op != AG_NEG || uses[n->a] != 1) continue;
    const ag_node *inner = &program->dag.nodes[n->a];
    if (inner->op != AG_SUB) continue;
    n->op = AG_SUB;
    n->a = inner->b;
    n->b = inner->a;
  }
}

/* Marks the statements that a node's text names, and the node itself where it is one. */
static void mark_named(const ag_program *program, ag_id id, bool *named) {
  if (program->statement[id]) {
    named[id] = true;
    return;
  }
  ag_id of[3];
  const int arity = ag_operands(&program->dag.nodes[id], of);
  for (int k = 0; k < arity; k++) mark_named(program, of[k], named);
}

/* Marks what of the guard is only asked for where `first` holds: all that the other way is not made of, its choices by
 * `first` taken as if that did not hold; and what these choices ask for where it does. */
static void find_inside(ag_program *program, ag_arena *arena) {
  const ag_dag *dag = &program->dag;
  bool *inside = ag_alloc(arena, (size_t)dag->count * sizeof *inside);
  bool *carried = ag_alloc(arena, (size_t)dag->count * sizeof *carried);
  bool *always = ag_alloc(arena, (size_t)dag->count * sizeof *always);
  for (int i = 0; i < program->out.nelements; i++) always[program->out.elements[i].node] = true;
  for (int i = 0; i < program->nstatus; i++) always[program->status[i].node] = true;
  always[program->first] = true;
  for (ag_id id = dag->count - 1; id >= 0; id--) {
    if (!always[id]) continue;
    const ag_node *n = &dag->nodes[id];
    const bool chosen = n->op == AG_SELECT && n->a == program->first;
    if (chosen) mark_named(program, n->b, carried);
    ag_id of[3];
    const int arity = ag_operands(n, of);
    for (int k = 0; k < arity; k++) always[of[k]] |= !(chosen && k == 1);
  }
  for (ag_id id = 0; id < dag->count; id++) {
    inside[id] = program->early[id] && !always[id];
    carried[id] = carried[id] && inside[id];
  }
  program->inside = inside;
  program->carried = carried;
}

/* The live nodes of both ways by id. */
static void order_by_id(ag_program *program, ag_arena *arena) {
  const ag_id count = program->dag.count;
  bool *live = ag_alloc(arena, (size_t)count * sizeof *live);
  mark_live(program, live);
  if (program->fast) mark_live(program->fast, live);
  program->norder = 0;
  for (ag_id id = 0; id < count; id++)
    if (live[id]) program->order[program->norder++] = id;
}

/* Marks what comes before the choice between two ways: what the guard is made of, a long chain; shared: and the values that both
 * ways need, which fill its pauses. */
static void find_early(ag_program *program, bool shared, ag_arena *arena) {
  const ag_dag *dag = &program->dag;
  bool *early = ag_alloc(arena, (size_t)dag->count * sizeof *early);
  bool *own = ag_alloc(arena, (size_t)dag->count * sizeof *own);
  bool *of_fast = ag_alloc(arena, (size_t)dag->count * sizeof *of_fast);
  mark_live(program, own);
  mark_live(program->fast, of_fast);
  for (ag_id id = 0; id < dag->count; id++)
    early[id] =
        id == program->guard || (shared && own[id] && of_fast[id] && program->statement[id]);
  program->nguard = program->fast->nguard = mark_operands(dag, early);
  program->early = program->fast->early = early;
}

/* Leaves a program those nodes and statements that it needs itself, and what comes before the choice. */
static void keep_own(ag_program *program, ag_arena *arena) {
  const size_t count = (size_t)program->dag.count;
  bool *live = ag_alloc(arena, count * sizeof *live);
  bool *statement = ag_alloc(arena, count * sizeof *statement);
  ag_id *order = ag_alloc(arena, count * sizeof *order);
  live[program->guard] = true;
  mark_live(program, live);
  const int nboth = program->norder;
  program->norder = 0;
  for (int i = 0; i < nboth; i++) {
    const ag_id id = program->order[i];
    if (!live[id]) continue;
    order[program->norder++] = id;
    statement[id] = program->statement[id];
  }
  program->order = order;
  program->statement = statement;
}

/* Orders both ways; what the guard is made of and what both need comes first, in the null-space solve's order. */
static void order_ways(ag_program *program, bool vectors, int window, ag_arena *arena) {
  ag_order(program, vectors, window, arena);
  if (!program->fast) return;
  ag_order(program->fast, vectors, window, arena);
  memcpy(program->order, program->fast->order, (size_t)program->nguard * sizeof *program->order);
}

/* --small: the usual order, and those of the shortest code that reach more or less far; the one with
 * the fewest moves between registers and memory is left. */
static void order_shortest(ag_program *program, ag_arena *arena) {
  static const int windows[] = {0, 1000, 100, 20, 10};
  enum { TRIALS = sizeof windows / sizeof *windows };
  int best = 0, least = -1;
  for (int k = 0; k < TRIALS; k++) {
    order_ways(program, false, windows[k], arena);
    int moves = ag_count_moves(program, arena);
    if (program->fast) moves += ag_count_moves(program->fast, arena);
    if (least >= 0 && moves >= least) continue;
    least = moves;
    best = k;
  }
  order_ways(program, false, windows[best], arena);
}

void ag_schedule_vectors(ag_program *program, ag_arena *arena) {
  ag_program *vectors = ag_alloc(arena, sizeof *vectors);
  *vectors = *program;
  if (program->fast) {
    vectors->fast = ag_alloc(arena, sizeof *vectors->fast);
    *vectors->fast = *program->fast;
    find_early(vectors, false, arena);
  }
  order_ways(vectors, true, 0, arena);
  if (program->part) vectors->split = ag_split_program(vectors, arena);
  program->vectors = vectors;
}

static void count_cost(ag_program *program, ag_arena *arena) {
  program->cost = (ag_cost){0};
  count_operations(program);
  program->cost.live = most_live(program, arena);
}

void ag_schedule(ag_program *program, ag_arena *arena) {
  ag_program *fast = program->fast;
  program->order = ag_alloc(arena, (size_t)program->dag.count * sizeof *program->order);
  if (fast) fast->dag = program->dag;
  order_by_id(program, arena);
  turn_differences(program, arena);
  order_by_id(program, arena);
  ag_choose_statements(program, ag_uses(program, arena), arena);
  if (fast) {
    fast->order = program->order;
    fast->norder = program->norder;
    fast->statement = program->statement;
    fast->regions = program->regions;
    fast->nregions = program->nregions;
    fast->part = program->part;
    fast->small = program->small;
    keep_own(fast, arena);
    keep_own(program, arena);
    find_early(program, true, arena);
  }
  if (program->small)
    order_shortest(program, arena);
  else
    order_ways(program, false, 0, arena);
  count_cost(program, arena);
  if (fast) count_cost(fast, arena);
  if (program->part) program->split = ag_split_program(program, arena);
  program->inside = program->carried = NULL;
  if (fast && program->first && !program->split) find_inside(program, arena);
}
