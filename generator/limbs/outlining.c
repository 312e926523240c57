/* outlining.c: see outlining.h */
#include "limbs/outlining.h"

#include "limbs/limbs.h"
#include "limbs/rebuild.h"
#include "lower/schedule.h"

#include <string.h>

ag_id ag_joined(const ag_dag *dag, ag_id join, int width, int l) {
  for (int half = width / 2; half > 0; half /= 2)
    join = (l & half) ? dag->nodes[join].b : dag->nodes[join].a;
  return join;
}

/* ---- the graph: vectors where limbs compute them, else numbers ---- */

typedef struct cutter {
  const ag_program *from;
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
  const ag_program *from = c->from;
  const int *uses = ag_lane_uses(from, c->arena);
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

/* ---- stages ---- */

typedef struct stager {
  const ag_program *program;
  int *stage;
  uint64_t *
      asked; /* by node: bits of the limbs' stages that ask for it, of those that have been looked at */
  int *first; /* by node: the first of them */
} stager;

static bool is_vector(const ag_program *p, ag_id id) {
  return p->width[id] > 1;
}

/* What a stage of limbs takes from tables, from the input, or as it is: no value waits for it. */
static bool is_at_hand(const ag_node *n) {
  return n->op == AG_CONST || n->op == AG_BOOL || n->op == AG_INPUT || n->op == AG_JOIN ||
         n->op == AG_SIN || n->op == AG_COS;
}

/* The first stage in which a node can stand. */
static int earliest(const stager *s, ag_id id) {
  const bool limbs = is_vector(s->program, id);
  ag_id of[3];
  const int arity = ag_operands(&s->program->dag.nodes[id], of);
  int stage = limbs ? 1 : 0;
  for (int k = 0; k < arity; k++) {
    const int made = s->stage[of[k]] + (is_vector(s->program, of[k]) != limbs);
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
  const ag_node *n = &s->program->dag.nodes[id];
  const int later = s->first[id];
  const uint64_t bit = bit_of(later);
  int gain = s->asked[id] == bit ? 2 : (s->asked[id] & bit) != 0; /* a store and a load, or one */
  ag_id of[3];
  const int arity = ag_operands(n, of);
  for (int k = 0; k < arity; k++) {
    if (is_at_hand(&s->program->dag.nodes[of[k]]) || (k > 0 && of[k] == of[0])) continue;
    if (s->asked[of[k]] & bit) continue;
    gain -= s->asked[of[k]] ? 1 : 2;
  }
  return gain >= 0;
}

static void ask(const stager *s, ag_id id) {
  ag_id of[3];
  const int arity = ag_operands(&s->program->dag.nodes[id], of);
  const bool limbs = is_vector(s->program, id);
  for (int k = 0; k < arity; k++) {
    const int wanted = s->stage[id] - (is_vector(s->program, of[k]) != limbs);
    if (limbs) s->asked[of[k]] |= bit_of(s->stage[id]);
    if (limbs != is_vector(s->program, of[k])) s->asked[of[k]] |= BY_OTHERS;
    if (wanted < s->first[of[k]]) s->first[of[k]] = wanted;
  }
}

static int find_stages(ag_steps *steps, ag_arena *arena) {
  const ag_program *p = steps->program;
  const size_t count = (size_t)p->dag.count + 1;
  stager s = {.program = p, .stage = steps->stage};
  s.asked = ag_alloc(arena, count * sizeof *s.asked);
  s.first = ag_alloc(arena, count * sizeof *s.first);
  int last = 0;
  for (int i = 0; i < p->norder; i++) {
    const ag_id id = p->order[i];
    s.stage[id] = earliest(&s, id);
    if (s.stage[id] > last) last = s.stage[id];
  }
  last += last & 1;
  for (ag_id id = 0; id < p->dag.count; id++) s.first[id] = last;
  for (int i = p->norder - 1; i >= 0; i--) {
    const ag_id id = p->order[i];
    const ag_op op = p->dag.nodes[id].op;
    const bool later = s.first[id] > s.stage[id];
    if (later && (op == AG_TAKE || op == AG_JOIN || (is_vector(p, id) && waits_less(&s, id))))
      s.stage[id] = s.first[id];
    ask(&s, id);
  }
  return last;
}

/* What limbs and trunk ask each other for, and what a later stage asks for, has a name. */
static void name_what_waits(const ag_steps *steps) {
  const ag_program *p = steps->program;
  for (int i = 0; i < p->norder; i++) {
    const ag_id id = p->order[i];
    const ag_node *n = &p->dag.nodes[id];
    ag_id of[3];
    const int arity = ag_operands(n, of);
    /* it is asked for where it stands; of what lanes keep, limbs that ask for it come later */
    if (n->op == AG_TAKE || n->op == AG_SIN || n->op == AG_COS) p->statement[id] = false;
    for (int k = 0; k < arity && n->op != AG_JOIN; k++) {
      const ag_op op = p->dag.nodes[of[k]].op;
      const bool limbs = is_vector(p, id) || is_vector(p, of[k]);
      if (!limbs || op == AG_CONST || op == AG_BOOL || ag_is_given(&p->dag, of[k])) continue;
      if (op == AG_JOIN || n->op == AG_TAKE || steps->stage[of[k]] != steps->stage[id])
        p->statement[of[k]] = true;
    }
  }
}

/* The order of each stage, one behind the other. */
static void sort_by_stage(const ag_steps *steps, ag_arena *arena) {
  ag_program *p = steps->program;
  ag_id *order = ag_alloc(arena, (size_t)(p->norder + 1) * sizeof *order);
  int count = 0;
  for (int stage = 0; stage <= steps->last; stage++)
    for (int i = 0; i < p->norder; i++)
      if (steps->stage[p->order[i]] == stage) order[count++] = p->order[i];
  p->order = order;
}

static void cut_results(const cutter *c, ag_program *to) {
  const ag_program *from = c->from;
  to->out.elements =
      ag_alloc(c->arena, (size_t)(from->out.nelements + 1) * sizeof *to->out.elements);
  to->status = ag_alloc(c->arena, (size_t)(from->nstatus + 1) * sizeof *to->status);
  for (int i = 0; i < from->out.nelements; i++) {
    to->out.elements[i] = from->out.elements[i];
    to->out.elements[i].node = number(c, from->out.elements[i].node, 0);
  }
  for (int i = 0; i < from->nstatus; i++) {
    to->status[i] = from->status[i];
    to->status[i].node = number(c, from->status[i].node, 0);
  }
}

ag_steps *ag_cut_steps(const ag_program *lanes, ag_arena *arena) {
  const size_t count = (size_t)lanes->dag.count + 1;
  ag_steps *steps = ag_alloc(arena, sizeof *steps);
  ag_program *to = ag_alloc(arena, sizeof *to);
  *to = *lanes;
  to->part = 0; /* the functions of limbs are parts enough */
  to->split = NULL;
  ag_dag_init(&to->dag, arena);
  cutter c = {.from = lanes, .dag = &to->dag, .arena = arena};
  c.vector = ag_alloc(arena, count * sizeof *c.vector);
  c.asked = ag_alloc(arena, count * sizeof *c.asked);
  c.whole = ag_alloc(arena, count * sizeof *c.whole);
  c.lane = ag_alloc(arena, count * sizeof *c.lane);
  mark_vectors(&c);
  for (int i = 0; i < lanes->in.nelements; i++) (void)ag_input(c.dag, i);
  for (ag_id id = 0; id < lanes->dag.count; id++) cut(&c, id);
  cut_results(&c, to);
  to->width = ag_lane_counts(&to->dag, arena);
  ag_schedule(to, arena);
  steps->program = to;
  to->steps = steps;
  steps->stage = ag_alloc(arena, ((size_t)to->dag.count + 1) * sizeof *steps->stage);
  steps->last = find_stages(steps, arena);
  name_what_waits(steps);
  sort_by_stage(steps, arena);
  return steps;
}

bool ag_cut_functions(ag_header *header, int parts, ag_err *err) {
  for (int k = 0; k < header->nprograms; k++) {
    const ag_program *p = header->programs[k];
    if (!p->lanes) continue;
    const bool cut = parts > 0 && p->part > 0; /* by --parts, not because it is long */
    const char *other = header->prefetch ? "--prefetch" : cut ? "--parts" : NULL;
    if (other)
      return ag_fail(err, "", 0, ag_printf(header->arena, "leave out %s or --lanes 1", other),
                     "%s and --small --lanes 1 exclude each other: what limbs have in common is in "
                     "functions of its own",
                     other);
    if (p->fast)
      return ag_fail(err, "", 0, "leave out --formulation null or --lanes 1",
                     "--small --lanes 1 with --formulation null: %s has two ways, one of them for "
                     "most states, and functions of limbs are for one",
                     p->function);
    p->lanes->steps = ag_cut_steps(p->lanes, header->arena);
  }
  return true;
}
