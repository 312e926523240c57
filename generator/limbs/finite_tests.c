/* SPDX-License-Identifier: MIT */
/* finite_tests.c: see finite_tests.h
 *
 * NaN and infinities stay what they are in sums, differences, products and numerators: each result of one that has an operand
 * which is not finite is not finite. So if several numbers are to be tested, those from which others are computed in
 * this way need no test: the torques of a leg, from which the wrench on the trunk is computed; of the inputs, all except
 * those used nowhere or only in sines, divisors and choices. Lane by lane, from results back to inputs; the remaining
 * inputs are tested in rows, vectors of neighbouring numbers of the struct. */
#include "limbs/finite_tests.h"

#include "limbs/limbs.h"
#include "limbs/rebuild.h"

#include <string.h>

typedef struct asker {
  const ag_graph *from;
  const int *place; /* by input: its place in the struct */
  int places;
  ag_arena *arena;
  ag_dag *dag;
  ag_id *made;
  bool *asked; /* by node: the question is a result of its own, not one of several alternatives */
  unsigned char *flow; /* by node: lanes that a tested number is made of; of one test */
} asker;

/* A question: whether one of many holds. */
typedef struct question {
  ag_id *of;
  int count;
} question;

static const ag_node *at(const asker *s, ag_id id) {
  return &s->from->dag.nodes[id];
}

static unsigned char all_lanes(const asker *s, ag_id id) {
  return (unsigned char)((1 << s->from->width[id]) - 1);
}

static bool is_alternative(const asker *s, ag_id id) {
  return at(s, id)->op == AG_OR || at(s, id)->op == AG_ANY;
}

/* Marks the questions: alternatives that stand in no others. */
static void mark_questions(asker *s) {
  for (ag_id id = 0; id < s->from->dag.count; id++) {
    ag_id of[3];
    const int arity = ag_all_operands(at(s, id), of);
    for (int k = 0; k < arity && !is_alternative(s, id); k++) s->asked[of[k]] = true;
  }
  for (const ag_way *way = s->from->ways; way < s->from->ways + s->from->nways; way++)
    for (int i = 0; i < way->nstatus; i++) s->asked[way->status[i].node] = true;
}

static void list_alternatives(const asker *s, ag_id id, question *q) {
  const ag_node *n = at(s, id);
  if (n->op == AG_ANY) {
    list_alternatives(s, n->a, q);
  } else if (n->op == AG_OR) {
    list_alternatives(s, n->a, q);
    list_alternatives(s, n->b, q);
  } else {
    q->of = ag_room(s->arena, q->of, q->count, sizeof *q->of);
    q->of[q->count++] = id;
  }
}

/* What is not finite if these lanes of a node are not: hands them to its operands. */
static void hand_on(asker *s, ag_id id) {
  const ag_node *n = at(s, id);
  const unsigned char lanes = s->flow[id];
  if (!lanes) return;
  if (n->op == AG_JOIN) {
    const int half = s->from->width[id] / 2;
    s->flow[n->a] |= lanes & (unsigned char)((1 << half) - 1);
    s->flow[n->b] |= (unsigned char)(lanes >> half);
    return;
  }
  if (n->op == AG_TAKE) s->flow[n->a] |= (unsigned char)(1 << n->b);
  if (n->op < AG_ADD || n->op > AG_NEG) return;
  const ag_id of[2] = {n->a, n->b};
  for (int k = 0; k < (n->op == AG_NEG || n->op == AG_DIV ? 1 : 2); k++)
    s->flow[of[k]] |= s->from->width[of[k]] == 1 ? 1 : lanes;
}

/* Leaves those alternatives out that others tell: of what others are made of. */
static void leave_told(asker *s, question *q) {
  const int count = q->count;
  bool *probed = ag_alloc(s->arena, (size_t)s->from->dag.count + 1);
  memset(s->flow, 0, (size_t)s->from->dag.count);
  for (int k = 0; k < q->count; k++)
    if (at(s, q->of[k])->op == AG_PROBE) probed[at(s, q->of[k])->a] = true;
  for (ag_id id = s->from->dag.count - 1; id >= 0; id--) {
    if (probed[id]) {
      probed[id] = s->flow[id] != all_lanes(s, id);
      s->flow[id] = all_lanes(s, id);
    }
    hand_on(s, id);
  }
  q->count = 0;
  for (int k = 0; k < count; k++)
    if (at(s, q->of[k])->op != AG_PROBE || probed[at(s, q->of[k])->a]) q->of[q->count++] = q->of[k];
}

static ag_id make(asker *s, ag_id id);

/* The question whether a row of inputs from `place` on is finite. */
static ag_id ask_row(asker *s, int place, int lanes) {
  ag_id of[AG_LANES] = {0};
  for (int i = 0; i < s->from->function->in.nelements; i++)
    if (s->place[i] >= place && s->place[i] < place + lanes)
      of[s->place[i] - place] = ag_input(s->dag, i);
  const ag_id row = ag_join_all(s->dag, of, lanes);
  s->dag->nodes[row].labelled = true;
  return ag_probe(s->dag, row);
}

/* The inputs that still need a test, in rows; returns what they add to the mask. */
static ag_id ask_inputs(asker *s, const ag_node *probe, int lanes, ag_id mask) {
  bool *left = ag_alloc(s->arena, (size_t)s->places + 1);
  for (ag_id id = 0; id < s->from->dag.count; id++) {
    const ag_node *n = at(s, id);
    if (n->op == AG_INPUT && n->a >= probe->a && n->a <= probe->b && !s->flow[id])
      left[s->place[n->a]] = true;
  }
  for (int p = 0; p < s->places; p++) {
    if (!left[p]) continue;
    const int first = p + lanes <= s->places ? p : s->places - lanes;
    const ag_id row = ask_row(s, first, lanes);
    mask = mask < 0 ? row : ag_or(s->dag, mask, row);
    p = first + lanes - 1;
  }
  return mask;
}

/* Lanes of the widest vector that is tested; 1: none. */
static int widest(const asker *s, const question *q) {
  int lanes = 1;
  for (int k = 0; k < q->count; k++)
    if (at(s, q->of[k])->op == AG_PROBE && s->from->width[q->of[k]] > lanes)
      lanes = s->from->width[q->of[k]];
  return lanes;
}

/* Whether an alternative is about inputs that can be tested in rows. */
static bool is_of_rows(const asker *s, ag_id id, int lanes) {
  return at(s, id)->op == AG_PROBE_INPUTS && at(s, id)->c == AG_FINITE && lanes > 1 &&
         s->places >= lanes;
}

/* The test, without what others imply. */
static ag_id ask(asker *s, ag_id id) {
  question q = {0};
  list_alternatives(s, id, &q);
  const int lanes = widest(s, &q);
  leave_told(s, &q);
  ag_id any[AG_LANES + 1], one = -1; /* any: by lanes */
  memset(any, -1, sizeof any);
  for (int k = 0; k < q.count; k++)
    if (is_of_rows(s, q.of[k], lanes))
      any[lanes] = ask_inputs(s, at(s, q.of[k]), lanes, any[lanes]);
  for (int k = 0; k < q.count; k++) {
    const int width = s->from->width[q.of[k]];
    if (is_of_rows(s, q.of[k], lanes)) continue;
    const ag_id x = make(s, q.of[k]);
    ag_id *to = width > 1 ? &any[width] : &one;
    s->dag->region = at(s, id)->region;
    *to = *to < 0 ? x : ag_or(s->dag, *to, x);
  }
  for (int width = 2; width <= AG_LANES; width++) {
    if (any[width] < 0) continue;
    const ag_id number = ag_any(s->dag, any[width]);
    one = one < 0 ? number : ag_or(s->dag, one, number);
  }
  return one;
}

static bool is_asked_of_results(const asker *s, ag_id id) {
  question q = {0};
  if (!s->asked[id] || !is_alternative(s, id) || s->from->width[id] > 1) return false;
  list_alternatives(s, id, &q);
  for (int k = 0; k < q.count; k++)
    if (at(s, q.of[k])->op == AG_PROBE) return true;
  return false;
}

static ag_id make(asker *s, ag_id id) {
  if (s->made[id] >= 0) return s->made[id];
  const ag_node *n = at(s, id);
  ag_id x;
  if (is_asked_of_results(s, id)) {
    x = ask(s, id);
  } else {
    ag_id of[3];
    const int arity = ag_all_operands(n, of);
    for (int k = 0; k < arity; k++) of[k] = make(s, of[k]);
    s->dag->region = n->region;
    x = ag_remake(s->dag, n, of);
  }
  s->dag->nodes[x].labelled |= n->labelled;
  ag_keep_words(s->dag, x, ag_words_of(n));
  s->made[id] = x;
  return x;
}

static ag_id make_of(void *pass, ag_id id) {
  return make((asker *)pass, id);
}

static ag_graph *ask_less(const ag_graph *lanes, const int *place, ag_arena *arena) {
  const size_t count = (size_t)lanes->dag.count + 1;
  ag_graph *to = ag_graph_like(arena, lanes);
  asker s = {.from = lanes, .place = place, .arena = arena, .dag = &to->dag};
  s.made = ag_alloc(arena, count * sizeof *s.made);
  memset(s.made, -1, count * sizeof *s.made);
  s.asked = ag_alloc(arena, count * sizeof *s.asked);
  s.flow = ag_alloc(arena, count * sizeof *s.flow);
  for (int i = 0; i < lanes->function->in.nelements; i++)
    if (place[i] >= s.places) s.places = place[i] + 1;
  mark_questions(&s);
  ag_make_results(lanes, to, make_of, &s, arena);
  return to;
}

void ag_ask_less(ag_header *header) {
  for (int k = 0; k < header->nfunctions; k++) {
    ag_function *function = header->functions[k];
    if (function->limbs)
      function->limbs = ask_less(function->limbs, ag_places(header, &function->in), header->arena);
  }
}
