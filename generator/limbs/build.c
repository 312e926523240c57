/* SPDX-License-Identifier: MIT */
/* build.c: see build.h */
#include "limbs/build.h"

#include "base/text.h"

#include <string.h>

static ag_id build(vectorizer *q, ag_id id);

static ag_id labelled(vectorizer *q, ag_id id) {
  if (q->dag->nodes[id].op == AG_JOIN) q->dag->nodes[id].labelled = true;
  return id;
}

static ag_id known(vectorizer *q, const ag_number *number, int lanes) {
  ag_id of[AG_LANES] = {0};
  bool same = true;
  for (int l = 0; l < lanes; l++) {
    of[l] = ag_exact(q->dag, number[l]);
    same &= of[l] == of[0];
  }
  return same ? of[0] : labelled(q, ag_join_all(q->dag, of, lanes));
}

/* s x */
static ag_id turned(vectorizer *q, const signed char *s, ag_id x, int lanes) {
  ag_number number[AG_LANES];
  for (int l = 0; l < lanes; l++)
    number[l] = s[l] < 0 ? ag_number_neg(ag_number_from(1, 1)) : ag_number_from(1, 1);
  return ag_mul(q->dag, known(q, number, lanes), x);
}

/* Numbers, joined. */
static ag_id build_gathered(vectorizer *q, const candidate *p) {
  ag_id of[AG_LANES] = {0};
  for (int l = 0; l < p->lanes; l++) {
    of[l] = p->node[l] < 0 ? ag_constant(q->dag, 0) : build(q, p->node[l]);
    if (p->sign[l] < 0) of[l] = ag_neg(q->dag, of[l]);
  }
  return labelled(q, ag_join_all(q->dag, of, p->lanes));
}

static ag_id build_sum(vectorizer *q, const candidate *p, ag_id a, ag_id b) {
  bool plus = true, minus = true;
  for (int l = 0; l < p->lanes; l++) {
    plus &= p->turn[l] > 0;
    minus &= p->turn[l] < 0;
  }
  if (minus) return ag_sub(q->dag, a, b);
  return ag_add(q->dag, a, plus ? b : turned(q, p->turn, b, p->lanes));
}

/* Signs differ between limbs: R_xy of minus_R_xy. */
static const char *without_sign(const char *name) {
  return strncmp(name, "minus_", 6) == 0 ? name + 6 : name;
}

/* What two names have in common but for signs and for numbers, which joints and rows have: KD of KD3_2 and KD4_2; NULL:
 * they differ in more. */
static const char *common_name(ag_arena *arena, const char *a, const char *b) {
  ag_text text = {.arena = arena};
  if (strcmp(a, b) == 0) return a;
  a = without_sign(a);
  b = without_sign(b);
  while (*a || *b) {
    const size_t na = strspn(a, "0123456789"), nb = strspn(b, "0123456789");
    if (na > 0 || nb > 0) {
      if (na == nb && strncmp(a, b, na) == 0) ag_text_add(&text, "%.*s", (int)na, a);
      a += na;
      b += nb;
    } else if (*a != *b) {
      return NULL;
    } else {
      if (*a != '_' || (text.length > 0 && text.chars[text.length - 1] != '_'))
        ag_text_add(&text, "%c", *a);
      a++;
      b++;
    }
  }
  while (text.length > 0 && text.chars[text.length - 1] == '_') text.chars[--text.length] = '\0';
  return text.length > 0 ? text.chars : NULL;
}

/* What is said of the nodes of all lanes alike. */
static ag_words words_of_lanes(const vectorizer *q, const candidate *p) {
  ag_words all = {0};
  bool first = true;
  for (int l = 0; l < p->lanes; l++) {
    if (p->node[l] < 0) continue;
    const ag_words own = ag_words_of(at(q, bare(q, p->node[l])));
    if (first) all = own;
    first = false;
    if (all.name) all.name = own.name ? common_name(q->dag->arena, all.name, own.name) : NULL;
    if (all.limit && !(own.limit && ag_same_limit(all.limit, own.limit))) all.limit = NULL;
  }
  return all;
}

static ag_id build_candidate(vectorizer *q, int k) {
  candidate *p = &q->candidates[k];
  if (p->made >= 0) return p->made;
  if (p->kind == KNOWN) {
    p->made = known(q, p->factor, p->lanes);
  } else if (p->kind == SPLAT) {
    p->made = build(q, p->node[0]);
  } else if (!stands(p)) {
    p->made = build_gathered(q, p);
  } else {
    const ag_id a = build_candidate(q, p->a), b = p->kind == SCALE ? -1 : build_candidate(q, p->b);
    int lead = 0;
    while (p->node[lead] < 0) lead++;
    q->dag->region = at(q, p->node[lead])->region;
    switch (p->kind) {
    case SUM:
      p->made = build_sum(q, p, a, b);
      break;
    case SCALE:
      p->made = ag_mul(q->dag, known(q, p->factor, p->lanes), a);
      break;
    case MUL:
      p->made = ag_mul(q->dag, a, b);
      break;
    default:
      p->made = ag_div(q->dag, a, b);
      break;
    }
  }
  if (p->kind != KNOWN && p->kind != SPLAT) ag_keep_words(q->dag, p->made, words_of_lanes(q, p));
  return p->made;
}

/* ---- conditions: one of many holds ---- */

typedef struct conditions {
  ag_id *of;
  int count;
} conditions;

/* Adds the conditions of which one must hold. */
static void alternatives(vectorizer *q, ag_id id, bool first, conditions *list) {
  const ag_node *n = at(q, id);
  if (n->op == AG_OR && (first || q->uses[id] == 1)) {
    alternatives(q, n->a, false, list);
    alternatives(q, n->b, false, list);
    return;
  }
  list->of = ag_room(q->arena, list->of, list->count, sizeof *list->of);
  list->of[list->count++] = id;
}

/* The vector that a probed number is a lane of; -1: none. */
static int probed_home(const vectorizer *q, ag_id id) {
  const ag_node *n = at(q, id);
  if (n->op != AG_PROBE) return -1;
  const int home = q->home[bare(q, n->a)];
  return home >= 0 && stands(&q->candidates[home]) ? home : -1;
}

/* Comparisons of inputs with the same constant: which side the input is on, 1 or 2; 0: none. */
static int compared_input(const vectorizer *q, ag_id id) {
  const ag_node *n = at(q, id);
  if (n->op != AG_LT) return 0;
  if (at(q, n->a)->op == AG_INPUT && at(q, n->b)->op == AG_CONST) return 1;
  return at(q, n->a)->op == AG_CONST && at(q, n->b)->op == AG_INPUT ? 2 : 0;
}

static ag_id input_of(const vectorizer *q, ag_id id) {
  return compared_input(q, id) == 1 ? at(q, id)->a : at(q, id)->b;
}
static ag_id bound_of(const vectorizer *q, ag_id id) {
  return compared_input(q, id) == 1 ? at(q, id)->b : at(q, id)->a;
}

/* Of the alternatives from the i-th on, those that compare what follows the i-th's input in the same
 * array with the same constant: at[l], as many as a vector has lanes; false: there are fewer. */
static bool find_row(const vectorizer *q, const conditions *list, int i, int lanes, int *at_lane) {
  const ag_element *elements = q->graph->function->in.elements;
  const ag_id first = list->of[i];
  at_lane[0] = i;
  for (int l = 1; l < lanes; l++) {
    int k = 0;
    for (; k < list->count; k++) {
      const ag_id id = list->of[k];
      if (id < 0 || compared_input(q, id) != compared_input(q, first)) continue;
      if (bound_of(q, id) == bound_of(q, first) &&
          at(q, input_of(q, id))->a == at(q, input_of(q, first))->a + l &&
          elements[at(q, input_of(q, id))->a].joint >= 0)
        break;
    }
    if (k == list->count) return false;
    at_lane[l] = k;
  }
  return elements[at(q, input_of(q, first))->a].joint >= 0;
}

/* Whether an input of the robot's joints is above or below a bound, a vector of them at a time. */
static ag_id build_row(vectorizer *q, const conditions *list, const int *at_lane, int lanes) {
  const ag_id first = list->of[at_lane[0]];
  const int side = compared_input(q, first);
  const ag_id bound = build(q, bound_of(q, first));
  ag_id of[AG_LANES] = {0};
  for (int l = 0; l < lanes; l++) {
    of[l] = build(q, input_of(q, list->of[at_lane[l]]));
    list->of[at_lane[l]] = -1;
  }
  const ag_id row = labelled(q, ag_join_all(q->dag, of, lanes));
  const ag_id outside = side == 1 ? ag_lt(q->dag, row, bound) : ag_lt(q->dag, bound, row);
  ag_keep_words(q->dag, outside, (ag_words){.scope = -1, .limit = at(q, first)->limit});
  return outside;
}

/* Lanes of the vectors in conditions: of all sets' the widest. */
static int widest(const vectorizer *q) {
  int lanes = 0;
  for (int s = 0; s < q->nsets; s++)
    if (q->sets[s].lanes > lanes) lanes = q->sets[s].lanes;
  return lanes;
}

/* Finite tests of numbers, a vector of them at a time; the last number in all lanes that are left. */
static ag_id build_probes(vectorizer *q, conditions *list, int i, int lanes) {
  ag_id of[AG_LANES] = {0};
  int found = 0;
  for (int k = i; k < list->count && found < lanes; k++) {
    if (list->of[k] < 0 || at(q, list->of[k])->op != AG_PROBE || probed_home(q, list->of[k]) >= 0)
      continue;
    of[found++] = build(q, at(q, list->of[k])->a);
    list->of[k] = -1;
  }
  for (int l = found; l < lanes; l++) of[l] = of[found - 1];
  return ag_probe(q->dag, labelled(q, ag_join_all(q->dag, of, lanes)));
}

static bool are_probes(const vectorizer *q, const conditions *list, int i) {
  int count = 0;
  for (int k = i; k < list->count; k++)
    count +=
        list->of[k] >= 0 && at(q, list->of[k])->op == AG_PROBE && probed_home(q, list->of[k]) < 0;
  return count > 1 && list->of[i] >= 0 && at(q, list->of[i])->op == AG_PROBE;
}

static ag_id build_alternatives(vectorizer *q, ag_id id) {
  conditions list = {0};
  alternatives(q, id, true, &list);
  ag_id any[AG_LANES + 1], one = -1; /* any: by lanes */
  memset(any, -1, sizeof any);
  for (int i = 0; i < list.count; i++) {
    if (list.of[i] < 0) continue;
    const int home = probed_home(q, list.of[i]);
    int lanes = widest(q), at_lane[AG_LANES];
    ag_id mask = -1;
    if (home >= 0) {
      lanes = q->candidates[home].lanes;
      const ag_id vector = build_candidate(q, home);
      for (int k = i; k < list.count; k++)
        if (list.of[k] >= 0 && probed_home(q, list.of[k]) == home) list.of[k] = -1;
      q->dag->region = at(q, id)->region;
      mask = ag_probe(q->dag, vector);
    } else if (compared_input(q, list.of[i]) && find_row(q, &list, i, lanes, at_lane)) {
      q->dag->region = at(q, id)->region;
      mask = build_row(q, &list, at_lane, lanes);
    } else if (are_probes(q, &list, i)) {
      q->dag->region = at(q, id)->region;
      mask = build_probes(q, &list, i, lanes);
    } else {
      const ag_id number = build(q, list.of[i]);
      q->dag->region = at(q, id)->region;
      one = one < 0 ? number : ag_or(q->dag, one, number);
    }
    if (mask >= 0) any[lanes] = any[lanes] < 0 ? mask : ag_or(q->dag, any[lanes], mask);
  }
  for (int lanes = 2; lanes <= AG_LANES; lanes++) {
    if (any[lanes] < 0) continue;
    const ag_id number = ag_any(q->dag, any[lanes]);
    one = one < 0 ? number : ag_or(q->dag, one, number);
  }
  return one;
}

/* What is made of a number goes to rows with one formula: as a statement, with its sign. */
static ag_id held(vectorizer *q, ag_id id, ag_id number) {
  if (!q->of_rows || !q->of_rows[id]) return number;
  number = ag_hold_sign(q->dag, number);
  if (q->dag->nodes[number].op == AG_TAKE) q->dag->nodes[number].labelled = true;
  return number;
}

/* A number: of a vector's lane where it is in one. */
static ag_id build(vectorizer *q, ag_id id) {
  if (q->made[id] >= 0) return q->made[id];
  const int home = q->home[id];
  if (home >= 0 && stands(&q->candidates[home])) {
    const ag_id vector = build_candidate(q, home);
    const int lane = lane_of(&q->candidates[home], id);
    q->dag->region = at(q, id)->region;
    const ag_id number = ag_take(q->dag, vector, lane);
    const bool minus = q->candidates[home].sign[lane] < 0;
    q->made[id] = held(q, id, minus ? ag_neg(q->dag, number) : number);
    return q->made[id];
  }
  const ag_node *n = at(q, id);
  if (n->op == AG_OR) {
    const ag_id any = build_alternatives(q, id);
    q->made[id] = any;
    return any;
  }
  ag_id of[3];
  const int arity = ag_all_operands(n, of);
  for (int k = 0; k < arity; k++) of[k] = build(q, of[k]);
  n = at(q, id);
  q->dag->region = n->region;
  q->made[id] = held(q, id, ag_remake(q->dag, n, of));
  return q->made[id];
}

ag_id ag_build_node(void *pass, ag_id id) {
  return build((vectorizer *)pass, id);
}

void ag_build_rows(vectorizer *q, const bool *live) {
  q->of_rows = ag_named_by_rows(q->graph, q->arena);
  for (ag_id id = 0; id < q->graph->dag.count && q->of_rows; id++)
    if (live[id] && (q->of_rows[id] || ag_is_of_row(q->graph, id))) (void)build(q, id);
}
