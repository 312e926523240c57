/* SPDX-License-Identifier: MIT */
/* stages.c: see stages.h */
#include "lower/stages.h"

typedef struct stager {
  const ag_graph *graph;
  int *stage;
  uint64_t *
      asked; /* by node: bits of the limbs' stages that ask for it, of those that have been looked at */
  int *first; /* by node: the first of them */
} stager;

static bool is_vector(const ag_graph *g, ag_id id) {
  return g->width[id] > 1;
}

/* What a stage of limbs takes from tables, from the input, or as it is: no value waits for it. */
static bool is_at_hand(const ag_node *n) {
  return n->op == AG_CONST || n->op == AG_BOOL || n->op == AG_INPUT || n->op == AG_JOIN ||
         n->op == AG_SIN || n->op == AG_COS;
}

/* The first stage in which a node can stand. */
static int earliest(const stager *s, ag_id id) {
  const bool limbs = is_vector(s->graph, id);
  ag_id of[3];
  const int arity = ag_operands(&s->graph->dag.nodes[id], of);
  int stage = limbs ? 1 : 0;
  for (int k = 0; k < arity; k++) {
    const int made = s->stage[of[k]] + (is_vector(s->graph, of[k]) != limbs);
    if (made > stage) stage = made;
  }
  return stage;
}

#define BY_OTHERS                                                                                  \
  ((uint64_t)1 << 63) /* limbs ask the trunk, or the trunk limbs: a store in any case */

static uint64_t bit_of(int stage) {
  return (uint64_t)1 << (stage / 2 % 63);
}

/* Whether a value of limbs had better be made in the stage that first asks for it, since fewer numbers wait so. */
static bool waits_less(const stager *s, ag_id id) {
  const ag_node *n = &s->graph->dag.nodes[id];
  const int later = s->first[id];
  const uint64_t bit = bit_of(later);
  int gain = s->asked[id] == bit ? 2 : (s->asked[id] & bit) != 0; /* a store and a load, or one */
  ag_id of[3];
  const int arity = ag_operands(n, of);
  for (int k = 0; k < arity; k++) {
    if (is_at_hand(&s->graph->dag.nodes[of[k]]) || (k > 0 && of[k] == of[0])) continue;
    if (s->asked[of[k]] & bit) continue;
    gain -= s->asked[of[k]] ? 1 : 2;
  }
  return gain >= 0;
}

static void ask(const stager *s, ag_id id) {
  ag_id of[3];
  const int arity = ag_operands(&s->graph->dag.nodes[id], of);
  const bool limbs = is_vector(s->graph, id);
  for (int k = 0; k < arity; k++) {
    const int wanted = s->stage[id] - (is_vector(s->graph, of[k]) != limbs);
    if (limbs) s->asked[of[k]] |= bit_of(s->stage[id]);
    if (limbs != is_vector(s->graph, of[k])) s->asked[of[k]] |= BY_OTHERS;
    if (wanted < s->first[of[k]]) s->first[of[k]] = wanted;
  }
}

static int find_stages(const ag_stages *stages, ag_arena *arena) {
  const ag_sequence *way = &stages->plan->own;
  const ag_graph *g = way->graph;
  const size_t count = (size_t)g->dag.count + 1;
  stager s = {.graph = g, .stage = stages->stage};
  s.asked = ag_alloc(arena, count * sizeof *s.asked);
  s.first = ag_alloc(arena, count * sizeof *s.first);
  int last = 0;
  for (int i = 0; i < way->norder; i++) {
    const ag_id id = way->order[i];
    s.stage[id] = earliest(&s, id);
    if (s.stage[id] > last) last = s.stage[id];
  }
  last += last & 1;
  for (ag_id id = 0; id < g->dag.count; id++) s.first[id] = last;
  for (int i = way->norder - 1; i >= 0; i--) {
    const ag_id id = way->order[i];
    const ag_op op = g->dag.nodes[id].op;
    const bool later = s.first[id] > s.stage[id];
    if (later && (op == AG_TAKE || op == AG_JOIN || (is_vector(g, id) && waits_less(&s, id))))
      s.stage[id] = s.first[id];
    ask(&s, id);
  }
  return last;
}

/* What limbs and trunk ask each other for, and what a later stage asks for, has a name. */
static void name_what_waits(const ag_stages *stages) {
  const ag_sequence *way = &stages->plan->own;
  const ag_graph *g = way->graph;
  for (int i = 0; i < way->norder; i++) {
    const ag_id id = way->order[i];
    const ag_node *n = &g->dag.nodes[id];
    ag_id of[3];
    const int arity = ag_operands(n, of);
    /* it is needed where it stands; of what lanes keep, limbs that ask for it come later */
    if (n->op == AG_TAKE || n->op == AG_SIN || n->op == AG_COS) way->statement[id] = false;
    for (int k = 0; k < arity && n->op != AG_JOIN; k++) {
      const ag_op op = g->dag.nodes[of[k]].op;
      const bool limbs = is_vector(g, id) || is_vector(g, of[k]);
      if (!limbs || op == AG_CONST || op == AG_BOOL || ag_is_given(&g->dag, of[k])) continue;
      if (op == AG_JOIN || n->op == AG_TAKE || stages->stage[of[k]] != stages->stage[id])
        way->statement[of[k]] = true;
    }
  }
}

/* The order of each stage, one behind the other. */
static void sort_by_stage(const ag_stages *stages, ag_arena *arena) {
  ag_sequence *way = &stages->plan->own;
  ag_id *order = ag_alloc(arena, (size_t)(way->norder + 1) * sizeof *order);
  int count = 0;
  for (int stage = 0; stage <= stages->last; stage++)
    for (int i = 0; i < way->norder; i++)
      if (stages->stage[way->order[i]] == stage) order[count++] = way->order[i];
  way->order = order;
}

ag_stages *ag_find_stages(ag_plan *plan, ag_arena *arena) {
  ag_stages *stages = ag_alloc(arena, sizeof *stages);
  stages->plan = plan;
  stages->stage = ag_alloc(arena, ((size_t)plan->graph->dag.count + 1) * sizeof *stages->stage);
  stages->last = find_stages(stages, arena);
  name_what_waits(stages);
  sort_by_stage(stages, arena);
  return stages;
}

/* ---- one text for all limbs ---- */

/* Whether limbs can compute a node of constants and inputs. */
static bool is_of_given(const ag_sequence *way, ag_id id) {
  const ag_dag *dag = &way->graph->dag;
  ag_id of[3];
  const int arity = ag_operands(&dag->nodes[id], of);
  if (ag_is_given(dag, id)) return true;
  if (way->statement[id] && dag->nodes[id].op != AG_JOIN) return false;
  for (int k = 0; k < arity; k++)
    if (!is_of_given(way, of[k])) return false;
  return true;
}

int ag_lanes_of(const ag_stages *stages, ag_id id) {
  const ag_sequence *way = &stages->plan->own;
  const int lanes = way->graph->width[id];
  const bool given = way->graph->dag.nodes[id].op == AG_JOIN && !is_of_given(way, id);
  return given ? 1 : lanes;
}

/* The order of each stage: what the trunk makes, then the limbs of two lanes, and so on. */
static void sort_by_lanes(const ag_stages *stages, ag_arena *arena) {
  ag_sequence *way = &stages->plan->own;
  ag_id *order = ag_alloc(arena, (size_t)(way->norder + 1) * sizeof *order);
  int count = 0;
  for (int first = 0, behind = 0; first < way->norder; first = behind) {
    const int stage = stages->stage[way->order[first]];
    while (behind < way->norder && stages->stage[way->order[behind]] == stage) behind++;
    for (int lanes = 1; lanes <= 1 << (AG_WIDTHS - 1); lanes *= 2)
      for (int i = first; i < behind; i++)
        if (ag_lanes_of(stages, way->order[i]) == lanes) order[count++] = way->order[i];
  }
  way->order = order;
}

/* Output e takes a lane of a vector of limbs, whose lanes are all outputs of one quantity of joints: they store these. */
static bool is_stored(const ag_sequence *way, int e) {
  const ag_graph *g = way->graph;
  const ag_id *outputs = way->results->outputs;
  const ag_node *n = &g->dag.nodes[outputs[e]];
  if (n->op != AG_TAKE || way->statement[outputs[e]] || g->dag.nodes[n->a].op == AG_JOIN)
    return false;
  for (int k = 0; k < g->function->out.nquantities; k++) {
    const ag_quantity *q = &g->function->out.quantities[k];
    if (q->shape != AG_JOINTS || e < q->first || e >= q->first + q->size) continue;
    int lanes = 0;
    for (int i = q->first; i < q->first + q->size; i++) {
      const ag_node *other = &g->dag.nodes[outputs[i]];
      lanes += other->op == AG_TAKE && other->a == n->a && !way->statement[outputs[i]];
    }
    return lanes == g->width[n->a];
  }
  return false;
}

void ag_share_stages(ag_stages *stages, ag_arena *arena) {
  ag_plan *plan = stages->plan;
  const int noutputs = plan->own.results->noutputs;
  bool *stored = ag_alloc(arena, (size_t)(noutputs + 1) * sizeof *stored);
  for (int e = 0; e < noutputs; e++) stored[e] = is_stored(&plan->own, e);
  stages->shared = true;
  stages->stored = stored;
  sort_by_lanes(stages, arena);
  plan->of_stages = stages;
}
