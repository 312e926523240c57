/* rebuild.c: see rebuild.h */
#include "limbs/rebuild.h"

#include "lower/schedule.h"

static void make_way(const ag_program *from, ag_program *to, ag_maker *make, void *pass,
                     ag_arena *arena) {
  to->out.elements = ag_alloc(arena, (size_t)(from->out.nelements + 1) * sizeof *to->out.elements);
  to->status = ag_alloc(arena, (size_t)(from->nstatus + 1) * sizeof *to->status);
  for (int i = 0; i < from->out.nelements; i++) {
    to->out.elements[i] = from->out.elements[i];
    to->out.elements[i].node = make(pass, from->out.elements[i].node);
  }
  for (int i = 0; i < from->nstatus; i++) {
    to->status[i] = from->status[i];
    to->status[i].node = make(pass, from->status[i].node);
  }
}

void ag_make_results(const ag_program *from, ag_program *to, ag_maker *make, void *pass,
                     ag_arena *arena) {
  if (from->fast) {
    to->fast = ag_alloc(arena, sizeof *to->fast);
    *to->fast = *from->fast;
    make_way(from->fast, to->fast, make, pass, arena);
    to->guard = to->fast->guard = make(pass, from->guard);
    to->dag.nodes[to->guard].labelled = true;
  }
  make_way(from, to, make, pass, arena);
  to->width = ag_lane_counts(&to->dag, arena);
  if (to->fast) to->fast->width = to->width;
  ag_schedule(to, arena);
}

const unsigned char *ag_lane_counts(const ag_dag *dag, ag_arena *arena) {
  unsigned char *lanes = ag_alloc(arena, (size_t)dag->count + 1);
  for (ag_id id = 0; id < dag->count; id++) {
    const ag_node *n = &dag->nodes[id];
    lanes[id] = 1;
    if (n->op == AG_JOIN) lanes[id] = (unsigned char)(2 * lanes[n->a]);
    if (n->op == AG_SELECT) lanes[id] = lanes[n->c];
    const bool sum = n->op >= AG_ADD && n->op <= AG_NEG, or = n->op == AG_OR || n->op == AG_LT;
    if (!sum && ! or &&n->op != AG_PROBE) continue;
    lanes[id] = lanes[n->a];
    if (ag_arity(n->op) == 2 && lanes[n->b] > lanes[id]) lanes[id] = lanes[n->b];
  }
  return lanes;
}

int *ag_lane_uses(const ag_program *lanes, ag_arena *arena) {
  int *uses = ag_alloc(arena, ((size_t)lanes->dag.count + 1) * sizeof *uses);
  for (const ag_program *way = lanes; way; way = way->fast) {
    for (int i = 0; i < way->out.nelements; i++) uses[way->out.elements[i].node]++;
    for (int i = 0; i < way->nstatus; i++) uses[way->status[i].node]++;
  }
  if (lanes->fast) uses[lanes->guard]++;
  for (ag_id id = lanes->dag.count - 1; id >= 0; id--) {
    ag_id of[3]; /* angles too */
    const int arity = uses[id] ? ag_all_operands(&lanes->dag.nodes[id], of) : 0;
    for (int k = 0; k < arity; k++) uses[of[k]]++;
  }
  return uses;
}
