/* SPDX-License-Identifier: MIT */
/* critical_path.c: see critical_path.h
 *
 * With limbs in lanes a processor has little to do besides the steps that wait for each other, so
 * their chain bounds the time. Three changes make it shorter:
 *
 *   sums in the order in which their terms arrive, the last ones last: of all pairs of terms, the one
 *   whose sum is there first (Huffman's tree, with times for weights);
 *
 *   c (k x + l y) = (c k) x + (c l) y, with constants c, k, l;
 *
 *   of two pivots one after the other both quotients at once: with d2 = c - b (b / d1),
 *     1 / d2 = d1 / (c d1 - b b).
 *   The difference loses as many digits as c - b (b / d1) does: c d1 is to it as c is to d2. */
#include "limbs/critical_path.h"

#include "limbs/limbs.h"
#include "limbs/rebuild.h"

#include <stdlib.h>

/* What processors take for it, about, in cycles: until sines and cosines are there, .. */
enum { INPUT = 5, TRIG = 80, SUM = 4, PRODUCT = 4, QUOTIENT = 14, CROSS = 3, OTHER = 1 };
/* .. and how much later a sum may be there for an operation less: a product with a term that is none
 * is one where the CPU multiplies and adds at once, two products are two. */
enum { WORTH_AN_OPERATION = 6 };

typedef struct factor { /* a constant, by lanes */
  ag_number of[AG_LANES];
  int lanes;
} factor;

typedef struct term {
  ag_id a, b; /* of the new graph: a, or the product of both; b -1: none */
  signed char sign;
  int ready; /* when its last operand is there */
} term;

typedef struct shortener {
  const ag_graph *from;
  const int *uses;     /* 0: nothing needs it */
  bool *inside;        /* a sum that is part of another */
  bool *second;        /* a second pivot */
  bool *taken;         /* a vector whose lanes are taken: a sign would go with each of them */
  const bool *of_rows; /* ag_named_by_rows */
  ag_dag *dag;
  ag_arena *arena;
  ag_id *made; /* by node of `from` */
  int *ready;  /* by node of `from`: the cycle in which its value is there */
  term *terms;
  int nterms;
} shortener;

static const ag_node *at(const shortener *s, ag_id id) {
  return &s->from->dag.nodes[id];
}

static bool is_sum(const shortener *s, ag_id id) {
  return (at(s, id)->op == AG_ADD || at(s, id)->op == AG_SUB) && !ag_is_of_row(s->from, id);
}

static ag_id bare(const shortener *s, ag_id id) {
  while (at(s, id)->op == AG_NEG) id = at(s, id)->a;
  return id;
}

/* Marks the sums that only another sum of as many lanes uses. */
static void find_inside(shortener *s) {
  for (ag_id id = s->from->dag.count - 1; id >= 0; id--) {
    if (!s->uses[id] || !is_sum(s, id) || s->second[id]) continue;
    const ag_id of[2] = {at(s, id)->a, at(s, id)->b};
    for (int k = 0; k < 2; k++) {
      ag_id x = of[k];
      while (at(s, x)->op == AG_NEG && s->uses[x] == 1) x = at(s, x)->a;
      if (is_sum(s, x) && s->uses[x] == 1 && s->from->width[x] == s->from->width[id])
        s->inside[x] = true;
    }
  }
}

/* ---- pivots ---- */

static bool is_reciprocal(const shortener *s, ag_id id) {
  const ag_node *n = at(s, id);
  return n->op == AG_DIV && at(s, n->a)->op == AG_CONST && at(s, n->a)->value == 1;
}

/* square = b (b / d1)? */
static bool find_square(const shortener *s, ag_id square, ag_id *b, ag_id *d1) {
  const ag_node *n = at(s, square);
  if (n->op != AG_MUL) return false;
  const ag_id of[2] = {n->a, n->b};
  for (int k = 0; k < 2; k++) {
    const ag_node *inner = at(s, of[k]);
    if (inner->op != AG_MUL) continue;
    const bool left = inner->a == of[!k] && is_reciprocal(s, inner->b);
    if (!left && !(inner->b == of[!k] && is_reciprocal(s, inner->a))) continue;
    *b = of[!k];
    *d1 = at(s, left ? inner->b : inner->a)->b;
    return true;
  }
  return false;
}

/* The second pivots: d2 in 1 / d2, where d1 is none itself. Only those of the body that limbs hang on,
 * which are numbers: of a leg's joints, which are nearly dependent where it is stretched out, the
 * quotients of the null-space solve lost a digit, as measured. */
static void find_pivots(shortener *s) {
  for (ag_id id = 0; id < s->from->dag.count; id++) {
    if (!s->uses[id] || s->from->width[id] > 1 || !is_reciprocal(s, id) || !is_sum(s, at(s, id)->b))
      continue;
    const ag_id d2 = at(s, id)->b, of[2] = {at(s, d2)->a, at(s, d2)->b};
    for (int k = 0; k < 2; k++) {
      ag_id b, d1;
      if (find_square(s, of[k], &b, &d1) && !s->second[d1]) s->second[d2] = true;
    }
  }
}

/* 1 / d2 */
static void divide(shortener *s, ag_id id) {
  const ag_node *d2 = at(s, at(s, id)->b);
  ag_id b = 0, d1 = 0;
  const bool first = find_square(s, d2->a, &b, &d1) && !s->second[d1];
  if (!first) (void)find_square(s, d2->b, &b, &d1);
  const ag_id rest = first ? d2->b : d2->a;
  const ag_id c = ag_mul(s->dag, s->made[rest], s->made[d1]);
  const ag_id square = ag_mul(s->dag, s->made[b], s->made[b]);
  ag_id below = ag_add(s->dag, c, square);
  if (d2->op == AG_SUB) below = first ? ag_sub(s->dag, square, c) : ag_sub(s->dag, c, square);
  s->made[id] = ag_div(s->dag, s->made[d1], below);
  int last = s->ready[rest];
  if (s->ready[d1] > last) last = s->ready[d1];
  if (s->ready[b] > last) last = s->ready[b];
  s->ready[id] = last + PRODUCT + SUM + QUOTIENT;
}

/* ---- constants by lanes ---- */

/* Adds the lanes of a constant; false: it is none. */
static bool add_lanes(const shortener *s, ag_id id, factor *f) {
  const ag_node *n = at(s, id);
  if (n->op == AG_NEG) {
    const int first = f->lanes;
    if (!add_lanes(s, n->a, f)) return false;
    for (int l = first; l < f->lanes; l++) f->of[l] = ag_number_neg(f->of[l]);
    return true;
  }
  if (n->op == AG_JOIN) return add_lanes(s, n->a, f) && add_lanes(s, n->b, f);
  if (n->op != AG_CONST) return false;
  f->of[f->lanes++] = ag_number_at(&s->from->dag, id);
  return true;
}

static factor times(const factor *x, const factor *y) {
  factor f = {.lanes = x->lanes > y->lanes ? x->lanes : y->lanes};
  for (int l = 0; l < f.lanes; l++)
    f.of[l] = ag_number_mul(x->of[x->lanes == 1 ? 0 : l], y->of[y->lanes == 1 ? 0 : l]);
  return f;
}

static ag_id known(shortener *s, const factor *f) {
  ag_id of[AG_LANES] = {0};
  bool same = true;
  for (int l = 0; l < f->lanes; l++) {
    of[l] = ag_exact(s->dag, f->of[l]);
    same &= of[l] == of[0];
  }
  if (same) return of[0];
  for (int count = f->lanes; count > 1; count /= 2)
    for (int l = 0; l < count / 2; l++) {
      const int left = 2 * l;
      of[l] = ag_join(s->dag, of[left], of[left + 1]);
    }
  s->dag->nodes[of[0]].labelled = true;
  return of[0];
}

/* Whether a node is a constant times *x; x -1: a constant alone. */
static bool is_scaled(const shortener *s, ag_id id, factor *f, ag_id *x) {
  const ag_node *n = at(s, id);
  *x = -1;
  *f = (factor){.lanes = 0};
  if (add_lanes(s, id, f)) return true;
  for (int k = 0; n->op == AG_MUL && k < 2; k++) {
    *f = (factor){.lanes = 0};
    *x = k ? n->a : n->b;
    if (add_lanes(s, k ? n->b : n->a, f)) return true;
  }
  return false;
}

/* Whether a sum that is used once has constants in all its terms. */
static bool can_scale(const shortener *s, ag_id id, bool root) {
  factor f;
  ag_id x;
  id = bare(s, id);
  if (is_sum(s, id) && (root || s->inside[id]))
    return s->uses[id] == 1 && can_scale(s, at(s, id)->a, false) &&
           can_scale(s, at(s, id)->b, false);
  return is_scaled(s, id, &f, &x) && (x < 0 || s->uses[id] == 1);
}

/* ---- sums ---- */

static void add_term(shortener *s, term t) {
  for (; t.b < 0 && s->dag->nodes[t.a].op == AG_NEG; t.a = s->dag->nodes[t.a].a)
    t.sign = (signed char)-t.sign;
  s->terms = ag_room(s->arena, s->terms, s->nterms, sizeof *s->terms);
  s->terms[s->nterms++] = t;
}

/* Adds the terms of a node, times f where there is one. root: though it is inside no other. */
static void flatten(shortener *s, ag_id id, signed char sign, const factor *f, bool root) {
  for (; at(s, id)->op == AG_NEG; id = at(s, id)->a) sign = (signed char)-sign;
  const ag_node *n = at(s, id);
  factor own;
  ag_id x;
  if (is_sum(s, id) && (root || s->inside[id])) {
    signed char second = sign;
    if (n->op == AG_SUB) second = (signed char)-sign;
    flatten(s, n->a, sign, f, false);
    flatten(s, n->b, second, f, false);
  } else if ((root || f || s->uses[id] == 1) && is_scaled(s, id, &own, &x)) {
    if (f) own = times(f, &own);
    if (x < 0)
      add_term(s, (term){known(s, &own), -1, sign, 0});
    else if (is_sum(s, bare(s, x)) && can_scale(s, x, true))
      flatten(s, x, sign, &own, true);
    else
      add_term(s, (term){known(s, &own), s->made[x], sign, s->ready[x]});
  } else if (n->op == AG_MUL && s->uses[id] == 1) {
    const int ready = s->ready[n->a] > s->ready[n->b] ? s->ready[n->a] : s->ready[n->b];
    add_term(s, (term){s->made[n->a], s->made[n->b], sign, ready});
  } else {
    add_term(s, (term){s->made[id], -1, sign, s->ready[id]});
  }
}

static int by_arrival(const void *x, const void *y) {
  const term *a = x, *b = y;
  if (a->ready != b->ready) return a->ready < b->ready ? -1 : 1;
  if (a->a != b->a) return a->a < b->a ? -1 : 1;
  return a->b < b->b ? -1 : a->b > b->b;
}

static ag_id value_of(shortener *s, const term *t) {
  return t->b >= 0 ? ag_mul(s->dag, t->a, t->b) : t->a;
}

static bool are_products(const term *x, const term *y) {
  return x->b >= 0 && y->b >= 0;
}

/* When x + y is there: one of two products is made before it is added. */
static int ready_of(const term *x, const term *y) {
  const int first = x->ready < y->ready ? x->ready : y->ready;
  const int last = x->ready > y->ready ? x->ready : y->ready;
  return (are_products(x, y) && first + PRODUCT > last ? first + PRODUCT : last) + SUM;
}

static term sum_of(shortener *s, const term *x, const term *y) {
  if (x->sign < 0 && y->sign > 0) {
    const term *swap = x;
    x = y;
    y = swap;
  }
  const ag_id a = value_of(s, x), b = value_of(s, y);
  const ag_id sum = x->sign == y->sign ? ag_add(s->dag, a, b) : ag_sub(s->dag, a, b);
  return (term){sum, -1, x->sign, ready_of(x, y)};
}

static void sum_terms(shortener *s, ag_id id) {
  s->nterms = 0;
  flatten(s, id, 1, NULL, true);
  while (s->nterms > 1) {
    qsort(s->terms, (size_t)s->nterms, sizeof *s->terms, by_arrival);
    int best[2] = {0, 1}, least = -1;
    for (int x = 0; x < s->nterms && x < 4; x++) /* pairs of later ones are no better */
      for (int y = x + 1; y < s->nterms && y < 5; y++) {
        const int cost = ready_of(&s->terms[x], &s->terms[y]) +
                         (are_products(&s->terms[x], &s->terms[y]) ? WORTH_AN_OPERATION : 0);
        if (least >= 0 && cost >= least) continue;
        least = cost;
        best[0] = x;
        best[1] = y;
      }
    s->terms[best[0]] = sum_of(s, &s->terms[best[0]], &s->terms[best[1]]);
    s->terms[best[1]] = s->terms[--s->nterms];
  }
  const term *all = &s->terms[0];
  s->made[id] = value_of(s, all);
  if (all->sign < 0) s->made[id] = ag_neg(s->dag, s->made[id]);
  if (s->taken[id]) s->made[id] = ag_turn_difference(s->dag, s->made[id]);
  s->ready[id] = all->ready + (all->b >= 0 ? PRODUCT : 0);
}

/* ---- the rest ---- */

static int latency(ag_op op) {
  switch (op) {
  case AG_MUL:
    return PRODUCT;
  case AG_DIV:
    return QUOTIENT;
  case AG_TAKE:
  case AG_JOIN:
    return CROSS;
  case AG_CONST:
    return 0;
  case AG_INPUT:
    return INPUT;
  case AG_SIN:
  case AG_COS:
    return TRIG;
  default:
    return OTHER;
  }
}

static void remake(shortener *s, ag_id id) {
  const ag_node *n = at(s, id);
  ag_id operand[3], of[3] = {-1, -1, -1};
  const int arity = ag_all_operands(n, operand);
  int last = 0;
  for (int k = 0; k < arity; k++) {
    of[k] = s->made[operand[k]];
    if (s->ready[operand[k]] > last && !ag_is_given(&s->from->dag, id)) last = s->ready[operand[k]];
  }
  s->made[id] = ag_remake(s->dag, n, of);
  s->dag->nodes[s->made[id]].labelled |= n->labelled;
  s->ready[id] = last + latency(n->op);
}

static void make(shortener *s, ag_id id) {
  factor f;
  ag_id x;
  s->dag->region = at(s, id)->region;
  if (is_reciprocal(s, id) && s->second[at(s, id)->b])
    divide(s, id);
  else if (is_sum(s, id) || (at(s, id)->op == AG_MUL && is_scaled(s, id, &f, &x) && x >= 0 &&
                             is_sum(s, bare(s, x)) && can_scale(s, x, true)))
    sum_terms(s, id);
  else
    remake(s, id);
  ag_keep_words(s->dag, s->made[id], ag_words_of(at(s, id)));
  if (s->of_rows && s->of_rows[id]) s->made[id] = ag_hold_sign(s->dag, s->made[id]);
}

static ag_id made_of(void *pass, ag_id id) {
  return ((const shortener *)pass)->made[id];
}

/* When the last result of a way is there. */
static int longest_chain(const shortener *s, const ag_way *way) {
  int longest = 0;
  for (int i = 0; i < way->noutputs; i++)
    if (s->ready[way->outputs[i]] > longest) longest = s->ready[way->outputs[i]];
  return longest;
}

ag_graph *ag_shorten_chains(const ag_graph *lanes, ag_arena *arena) {
  const ag_graph *from = lanes;
  const size_t count = (size_t)from->dag.count + 1;
  ag_graph *to = ag_graph_like(arena, from);
  ag_arena own = {0};
  shortener s = {.from = from, .arena = &own, .dag = &to->dag};
  s.uses = ag_uses_of_all(from, &own);
  s.inside = ag_alloc(&own, count * sizeof *s.inside);
  s.second = ag_alloc(&own, count * sizeof *s.second);
  s.taken = ag_alloc(&own, count * sizeof *s.taken);
  s.made = ag_alloc(&own, count * sizeof *s.made);
  s.ready = ag_alloc(&own, count * sizeof *s.ready);
  for (ag_id id = 0; id < from->dag.count; id++)
    if (s.uses[id] && at(&s, id)->op == AG_TAKE) s.taken[at(&s, id)->a] = true;
  s.of_rows = ag_named_by_rows(from, &own);
  find_pivots(&s);
  find_inside(&s);
  for (ag_id id = 0; id < from->dag.count; id++) {
    const bool leaf = at(&s, id)->op == AG_INPUT || at(&s, id)->op == AG_CONST;
    if ((s.uses[id] || leaf) && !s.inside[id]) make(&s, id);
  }
  ag_make_results(from, to, made_of, &s, arena);
  to->chain = longest_chain(&s, &from->ways[AG_GENERAL]);
  ag_arena_free(&own);
  return to;
}
