/* SPDX-License-Identifier: MIT */
/* horizontal_sums.c: see horizontal_sums.h
 *
 * What limbs hand to the rest of the robot is added over the lanes of a vector, in many sums at once:
 * forces, moments, inertias. Two such vectors a and b of four lanes are added together,
 *
 *   {a0, b0, a2, b2} + {a1, b1, a3, b3} = s,   {s0, s1} + {s2, s3} = {sum of a, sum of b},
 *
 * which are three moves and two sums in place of six and eight. Numbers before the lanes in a sum, as
 * in k (a0 - a1 + a2 - a3), go before the vector: {k, -k, k, -k} a.
 *
 * Sums that go together need vectors that do not wait for each other's sums: of as many sums over
 * lanes one behind the other (`round`), of the same way; then those that are there at about the same time. */
#include "limbs/horizontal_sums.h"

#include "limbs/limbs.h"
#include "limbs/rebuild.h"

#include <stdlib.h>
#include <assert.h>
#include <string.h>

typedef struct term { /* factor x: x a lane of a vector, or a number */
  ag_id x;
  ag_number factor;
} term;

typedef struct row { /* the sum of factor[l] lane l of a vector */
  ag_id root;        /* the sum that it is a part of */
  ag_id vector;
  ag_number factor[AG_LANES];
  int lanes, round, depth;
  unsigned char ways;
  int partner;          /* the row that is added with it; -1: none */
  ag_id made[AG_LANES]; /* terms, of the new graph */
  int nmade;            /* 0: not yet */
  bool placed;          /* it stands in its sum */
  bool turned;          /* the vector that is there is -vector */
} row;

typedef struct adder {
  const ag_graph *from;
  bool single; /* of floats */
  ag_arena *arena;
  const int *uses;
  unsigned char *ways; /* by node: bits of the ways that need it, and the guard's */
  bool *inside;        /* a sum that is a part of another */
  int *round, *depth;
  int *
      first; /* by node: its first row; -1: it has none. Those of a root are one behind the other */
  row *rows;
  int nrows;
  term *terms;
  int nterms;
  const bool *of_rows; /* ag_named_by_rows */
  ag_dag *dag;
  ag_id *made;
} adder;

static const ag_node *at(const adder *s, ag_id id) {
  assert(id >= 0);
  return &s->from->dag.nodes[id];
}

static bool is_sum(const adder *s, ag_id id) {
  return (at(s, id)->op == AG_ADD || at(s, id)->op == AG_SUB) && s->from->width[id] == 1;
}

/* ---- which ---- */

static void mark_ways(adder *s) {
  unsigned char bit = 1;
  for (const ag_way *way = s->from->ways; way < s->from->ways + s->from->nways;
       way++, bit = (unsigned char)(2 * bit)) {
    for (int i = 0; i < way->noutputs; i++) s->ways[way->outputs[i]] |= bit;
    for (int i = 0; i < way->nstatus; i++) s->ways[way->status[i].node] |= bit;
  }
  if (s->from->nways > 1) s->ways[s->from->guard] |= bit;
  for (ag_id id = s->from->dag.count - 1; id >= 0; id--) {
    ag_id of[3];
    const int arity = ag_operands(at(s, id), of);
    for (int k = 0; k < arity; k++) s->ways[of[k]] |= s->ways[id];
  }
}

static void find_inside(adder *s) {
  for (ag_id id = s->from->dag.count - 1; id >= 0; id--) {
    if (!s->ways[id] || !is_sum(s, id)) continue;
    const ag_id of[2] = {at(s, id)->a, at(s, id)->b};
    for (int k = 0; k < 2; k++) {
      ag_id x = of[k];
      while (at(s, x)->op == AG_NEG && s->uses[x] == 1) x = at(s, x)->a;
      if (is_sum(s, x) && s->uses[x] == 1) s->inside[x] = true;
    }
  }
}

/* Adds the terms of a sum. */
static void flatten(adder *s, ag_id id, ag_number factor, bool root) {
  for (; at(s, id)->op == AG_NEG; id = at(s, id)->a) factor = ag_number_neg(factor);
  const ag_node *n = at(s, id);
  if (is_sum(s, id) && (root || s->inside[id])) {
    flatten(s, n->a, factor, false);
    flatten(s, n->b, n->op == AG_SUB ? ag_number_neg(factor) : factor, false);
    return;
  }
  if (n->op == AG_MUL && at(s, n->a)->op == AG_CONST && at(s, n->b)->op == AG_TAKE) {
    factor = ag_number_mul(factor, ag_number_at(&s->from->dag, n->a));
    id = n->b;
  }
  s->terms = ag_room(s->arena, s->terms, s->nterms, sizeof *s->terms);
  s->terms[s->nterms++] = (term){id, factor};
}

/* Takes the lanes of the vector of the i-th term out of the terms; false: one is missing, or there
 * twice. */
static bool take_row(adder *s, int i, row *r) {
  const ag_id vector = at(s, s->terms[i].x)->a;
  int of[AG_LANES], found = 0;
  *r = (row){.vector = vector, .lanes = s->from->width[vector], .partner = -1};
  memset(of, -1, sizeof of);
  for (int k = 0; k < s->nterms; k++) {
    if (s->terms[k].x < 0) continue; /* another row of this sum has taken it */
    const ag_node *n = at(s, s->terms[k].x);
    if (n->op != AG_TAKE || n->a != vector) continue;
    if (of[n->b] >= 0) return false;
    of[n->b] = k;
    found++;
  }
  if (found < r->lanes) return false;
  for (int l = 0; l < r->lanes; l++) {
    r->factor[l] = s->terms[of[l]].factor;
    s->terms[of[l]].x = -1;
  }
  return true;
}

/* Leaves in terms[] what is no row. */
static void find_rows(adder *s, ag_id root) {
  s->nterms = 0;
  flatten(s, root, ag_number_from(1, 1), true);
  for (int i = 0; i < s->nterms; i++) {
    row r;
    if (s->terms[i].x < 0 || at(s, s->terms[i].x)->op != AG_TAKE) continue;
    if (s->from->width[at(s, s->terms[i].x)->a] < 4 || !take_row(s, i, &r)) continue;
    r.root = root;
    r.ways = s->ways[root];
    r.round = s->round[r.vector];
    r.depth = s->depth[r.vector];
    if (s->round[root] <= r.round) s->round[root] = r.round + 1;
    if (s->first[root] < 0) s->first[root] = s->nrows;
    s->rows = ag_room(s->arena, s->rows, s->nrows, sizeof *s->rows);
    s->rows[s->nrows++] = r;
  }
}

static void look(adder *s, ag_id id) {
  ag_id of[3];
  const int arity = ag_operands(at(s, id), of);
  for (int k = 0; k < arity; k++) {
    if (s->round[id] < s->round[of[k]]) s->round[id] = s->round[of[k]];
    if (s->depth[id] <= s->depth[of[k]]) s->depth[id] = s->depth[of[k]] + 1;
  }
  s->first[id] = -1;
  if (s->ways[id] && is_sum(s, id) && !s->inside[id]) find_rows(s, id);
}

/* ---- pairs ---- */

static bool may_pair(const row *a, const row *b) {
  return a->ways == b->ways && a->round == b->round && a->lanes == b->lanes;
}

static int by_time(const void *x, const void *y) {
  const row *a = *(row *const *)x, *b = *(row *const *)y;
  if (a->ways != b->ways) return a->ways < b->ways ? -1 : 1;
  if (a->round != b->round) return a->round < b->round ? -1 : 1;
  if (a->lanes != b->lanes) return a->lanes < b->lanes ? -1 : 1;
  if (a->depth != b->depth) return a->depth < b->depth ? -1 : 1;
  return a < b ? -1 : a > b;
}

static void pair_rows(adder *s) {
  row **order = ag_alloc(s->arena, (size_t)(s->nrows + 1) * sizeof *order);
  for (int k = 0; k < s->nrows; k++) order[k] = &s->rows[k];
  qsort(order, (size_t)s->nrows, sizeof *order, by_time);
  for (int k = 0; k + 1 < s->nrows; k++) {
    if (!may_pair(order[k], order[k + 1])) continue;
    order[k]->partner = (int)(order[k + 1] - s->rows);
    order[k + 1]->partner = (int)(order[k] - s->rows);
    k++;
  }
}

/* ---- the new graph ---- */

static ag_id make(adder *s, ag_id id);

static ag_id join(adder *s, const ag_id *of, int count) {
  ag_id joined[AG_LANES];
  memcpy(joined, of, (size_t)count * sizeof *of);
  for (; count > 1; count /= 2)
    for (int l = 0; l < count / 2; l++) {
      const int left = 2 * l;
      joined[l] = ag_join(s->dag, joined[left], joined[left + 1]);
    }
  s->dag->nodes[joined[0]].labelled = true;
  return joined[0];
}

static bool is_same(const row *r) {
  for (int l = 1; l < r->lanes; l++)
    if (r->factor[l].value != r->factor[0].value || r->factor[l].exact != r->factor[0].exact)
      return false;
  return true;
}

/* The vector of a row, with what is before its lanes but for a number that is before all of them. */
static ag_id vector_of(adder *s, row *r) {
  ag_id vector = make(s, r->vector), factor[AG_LANES] = {0};
  for (int l = 0; l < r->lanes; l++) factor[l] = ag_exact(s->dag, r->factor[l]);
  if (!is_same(r)) vector = ag_mul(s->dag, join(s, factor, r->lanes), vector);
  r->turned = s->dag->nodes[vector].op == AG_NEG;
  return r->turned ? s->dag->nodes[vector].a : vector;
}

/* Number k of a vector, times what is before all lanes of a row: a part of the row's sum. */
static void add_made(adder *s, row *r, ag_id vector, int k) {
  ag_id x = ag_take(s->dag, vector, k);
  if (is_same(r)) x = ag_mul(s->dag, ag_exact(s->dag, r->factor[0]), x);
  r->made[r->nmade++] = r->turned ? ag_neg(s->dag, x) : x;
}

/* The sum of a vector's first and second half. */
static ag_id halved(adder *s, ag_id x, int lanes) {
  ag_id half[2][AG_LANES] = {{0}};
  for (int l = 0; l < lanes; l++) half[2 * l >= lanes][l % (lanes / 2)] = ag_take(s->dag, x, l);
  const ag_id a = join(s, half[0], lanes / 2);
  return ag_add(s->dag, a, join(s, half[1], lanes / 2));
}

/* {a0, b0, a2, b2} + {a1, b1, a3, b3}; where registers of 16 bytes hold the four, which are floats then,
 * {a0, b0, a1, b1} + {a2, b2, a3, b3} is one move each. Returns every how-many-eth lane is of a. */
static ag_id mixed(adder *s, ag_id a, ag_id b, int lanes) {
  const int apart = s->single ? 2 : 1;
  ag_id of[2][AG_LANES] = {{0}};
  for (int l = 0; l < lanes; l++) {
    const int from = l / (2 * apart) * (2 * apart) + l / 2 % apart;
    of[0][l] = ag_take(s->dag, l % 2 ? b : a, from);
    of[1][l] = ag_take(s->dag, l % 2 ? b : a, from + apart);
  }
  const ag_id first = join(s, of[0], lanes);
  return ag_add(s->dag, first, join(s, of[1], lanes));
}

static void make_row(adder *s, row *r) {
  row *other = r->partner < 0 ? NULL : &s->rows[r->partner];
  const ag_id a = vector_of(s, r), b = other ? vector_of(s, other) : -1;
  const int least = s->single ? 4 : 2; /* lanes of the smallest vectors that CPUs have */
  int lanes = r->lanes;
  s->dag->region = at(s, r->root)->region;
  ag_id x = other ? mixed(s, a, b, lanes) : a;
  for (; lanes > least; lanes /= 2) x = halved(s, x, lanes);
  for (int l = 0; l < lanes; l++) add_made(s, other && l % 2 ? other : r, x, l);
}

/* The row of a sum that takes one of its terms; NULL: none does. */
static row *row_of(adder *s, ag_id root, ag_id id) {
  if (at(s, id)->op == AG_MUL && at(s, at(s, id)->a)->op == AG_CONST) id = at(s, id)->b;
  for (int k = s->first[root]; k < s->nrows && s->rows[k].root == root; k++)
    if (at(s, id)->op == AG_TAKE && at(s, id)->a == s->rows[k].vector) return &s->rows[k];
  return NULL;
}

/* A part of a sum, before which a sign is: as it was, but for terms that rows take. The first of them
 * becomes the row, the others 0. */
static ag_id make_part(adder *s, ag_id root, ag_id id, bool minus) {
  const ag_node *n = at(s, id);
  if (n->op == AG_NEG) return ag_neg(s->dag, make_part(s, root, n->a, !minus));
  row *r = row_of(s, root, id);
  if (r) {
    ag_id sum = ag_constant(s->dag, 0);
    if (r->nmade == 0) make_row(s, r);
    s->dag->region = at(s, root)->region;
    for (int i = 0; i < r->nmade && !r->placed; i++) sum = ag_add(s->dag, sum, r->made[i]);
    r->placed = true;
    return minus ? ag_neg(s->dag, sum) : sum;
  }
  if (!is_sum(s, id) || (id != root && !s->inside[id])) return make(s, id);
  const ag_id a = make_part(s, root, n->a, minus);
  const ag_id b = make_part(s, root, n->b, n->op == AG_SUB ? !minus : minus);
  s->dag->region = n->region;
  return n->op == AG_ADD ? ag_add(s->dag, a, b) : ag_sub(s->dag, a, b);
}

static ag_id make(adder *s, ag_id id) {
  if (s->made[id] >= 0) return s->made[id];
  const ag_node *n = at(s, id);
  ag_id of[3], x;
  const int arity = ag_all_operands(n, of);
  if (s->first[id] >= 0) {
    x = make_part(s, id, id, false);
  } else {
    for (int k = 0; k < arity; k++) of[k] = make(s, of[k]);
    s->dag->region = n->region;
    x = ag_remake(s->dag, n, of);
  }
  s->dag->nodes[x].labelled |= n->labelled;
  ag_keep_words(s->dag, x, ag_words_of(n));
  if (s->of_rows && s->of_rows[id]) x = ag_hold_sign(s->dag, x);
  s->made[id] = x;
  return x;
}

static ag_id make_of(void *pass, ag_id id) {
  return make((adder *)pass, id);
}

ag_graph *ag_sum_across(ag_graph *lanes, bool single, ag_arena *arena) {
  const size_t count = (size_t)lanes->dag.count + 1;
  ag_graph *to = ag_graph_like(arena, lanes);
  ag_arena own = {0};
  adder s = {.from = lanes, .arena = &own, .dag = &to->dag, .single = single};
  s.uses = ag_uses_of_all(lanes, &own);
  s.ways = ag_alloc(&own, count * sizeof *s.ways);
  s.inside = ag_alloc(&own, count * sizeof *s.inside);
  s.round = ag_alloc(&own, count * sizeof *s.round);
  s.depth = ag_alloc(&own, count * sizeof *s.depth);
  s.first = ag_alloc(&own, count * sizeof *s.first);
  s.made = ag_alloc(&own, count * sizeof *s.made);
  memset(s.made, -1, count * sizeof *s.made);
  mark_ways(&s);
  find_inside(&s);
  for (ag_id id = 0; id < lanes->dag.count; id++) look(&s, id);
  if (s.nrows == 0) {
    ag_arena_free(&own);
    return lanes;
  }
  pair_rows(&s);
  s.of_rows = ag_named_by_rows(lanes, &own);
  /* in one order, which signs of differences follow */
  for (ag_id id = 0; id < lanes->dag.count && s.of_rows; id++)
    if (s.ways[id] && (s.of_rows[id] || ag_is_of_row(lanes, id)) && !s.inside[id])
      (void)make(&s, id);
  ag_make_results(lanes, to, make_of, &s, arena);
  ag_arena_free(&own);
  return to;
}
