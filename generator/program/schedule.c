/* schedule.c: see schedule.h */
#include "program/schedule.h"

#include "program/order.h"

int ag_flops(const ag_cost *cost) {
  return cost->add + cost->mul + cost->div;
}

/* Operands have smaller ids: one pass from the last node back marks what is needed. */
static bool *mark_live(const ag_program *program, ag_arena *arena) {
  const ag_dag *dag = &program->dag;
  bool *live = ag_alloc(arena, (size_t)dag->count * sizeof *live);
  for (int i = 0; i < program->out.nelements; i++) live[program->out.elements[i].node] = true;
  for (int i = 0; i < program->nstatus; i++) live[program->status[i].node] = true;
  for (ag_id id = dag->count - 1; id >= 0; id--) {
    if (!live[id]) continue;
    ag_id of[3];
    const int arity = ag_operands(&dag->nodes[id], of);
    for (int k = 0; k < arity; k++) live[of[k]] = true;
  }
  return live;
}

int *ag_uses(const ag_program *program, ag_arena *arena) {
  const ag_dag *dag = &program->dag;
  int *uses = ag_alloc(arena, (size_t)dag->count * sizeof *uses);
  for (int i = 0; i < program->norder; i++) {
    ag_id of[3];
    const int arity = ag_operands(&dag->nodes[program->order[i]], of);
    for (int k = 0; k < arity; k++) uses[of[k]]++;
  }
  for (int i = 0; i < program->out.nelements; i++) uses[program->out.elements[i].node]++;
  for (int i = 0; i < program->nstatus; i++) uses[program->status[i].node]++;
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

static void order_by_id(ag_program *program, ag_arena *arena) {
  const bool *live = mark_live(program, arena);
  program->norder = 0;
  for (ag_id id = 0; id < program->dag.count; id++)
    if (live[id]) program->order[program->norder++] = id;
}

enum { NEARNESS = 10 }; /* measured with AVX2: 2 % of the time and of the code */

void ag_schedule_lanes(ag_program *program, ag_arena *arena) {
  ag_program near = *program;
  ag_order(&near, NEARNESS, arena);
  program->lane_order = near.order;
}

void ag_schedule(ag_program *program, ag_arena *arena) {
  program->order = ag_alloc(arena, (size_t)program->dag.count * sizeof *program->order);
  order_by_id(program, arena);
  turn_differences(program, arena);
  order_by_id(program, arena);
  ag_choose_statements(program, ag_uses(program, arena), arena);
  ag_order(program, 0, arena);
  program->cost = (ag_cost){0};
  count_operations(program);
  program->cost.live = most_live(program, arena);
}
