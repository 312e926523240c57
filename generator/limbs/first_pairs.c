/* SPDX-License-Identifier: MIT */
/* first_pairs.c: see first_pairs.h */
#include "limbs/first_pairs.h"

#include "limbs/correspondence.h"
#include "limbs/pairing.h"

#include <stdlib.h>

/* nodes: one of each limb; further lanes repeat the first. */
static void begin(vectorizer *q, int set, const ag_id *nodes) {
  ag_id node[AG_LANES];
  signed char sign[AG_LANES];
  const ag_limbs *limbs = &q->sets[set];
  for (int l = 0; l < limbs->lanes; l++) {
    node[l] = nodes[l < limbs->count ? l : 0];
    sign[l] = 1;
  }
  (void)ag_request_candidate(q, set, node, sign);
}

/* What is selected where the other choice is a constant. */
static ag_id through_selection(const vectorizer *q, ag_id id) {
  for (;;) {
    const ag_node *n = at(q, id);
    if (n->op == AG_NEG)
      id = n->a;
    else if (n->op == AG_SELECT && at(q, n->c)->op == AG_CONST)
      id = n->b;
    else if (n->op == AG_SELECT && at(q, n->b)->op == AG_CONST)
      id = n->c;
    else
      return id;
  }
}

static void begin_at_outputs(vectorizer *q, const ag_way *way) {
  const ag_list *out = &q->graph->function->out;
  for (int i = 0; i < way->noutputs; i++) {
    int set, limb, place, which;
    const int joint = ag_joint_of_element(q, out, i, &which);
    if (joint < 0 || !ag_find_limb(q, joint, &set, &limb, &place) || limb != 0) continue;
    ag_id nodes[AG_LANES];
    int found = 0;
    for (int k = 0; k < way->noutputs; k++) {
      int s, l, c, w;
      const int other = ag_joint_of_element(q, out, k, &w);
      if (ag_quantity_of_element(out, i) != ag_quantity_of_element(out, k) || other < 0) continue;
      if (!ag_find_limb(q, other, &s, &l, &c) || s != set || c != place || w != which) continue;
      nodes[l] = through_selection(q, way->outputs[k]);
      found++;
    }
    if (found == q->sets[set].count) begin(q, set, nodes);
  }
}

typedef struct border {
  uint64_t look;
  ag_id id;
} border;

static int by_look(const void *a, const void *b) {
  const border *x = a, *y = b;
  if (x->look != y->look) return x->look < y->look ? -1 : 1;
  return x->id - y->id;
}

/* What is made of one limb's inputs, and used with others'. */
static int find_border(const vectorizer *q, uint64_t bit, const bool *outside, border *list) {
  int count = 0;
  for (ag_id id = 0; id < q->graph->dag.count; id++) {
    if (!outside[id] || q->limb[id] != bit || at(q, id)->op == AG_NEG || q->home[id] >= 0) continue;
    list[count++] = (border){q->look[id], id};
  }
  qsort(list, (size_t)count, sizeof *list, by_look);
  return count;
}

static void begin_at_borders(vectorizer *q, const bool *outside) {
  const size_t nodes = (size_t)q->graph->dag.count;
  for (int set = 0; set < q->nsets; set++) {
    border *list[AG_LANES] = {NULL};
    int n[AG_LANES] = {0}, from[AG_LANES] = {0};
    const int count = q->sets[set].count;
    for (int l = 0; l < count; l++) {
      list[l] = ag_alloc(q->arena, nodes * sizeof **list);
      n[l] = find_border(q, ag_limb_bit(q, set, l), outside, list[l]);
    }
    while (from[0] < n[0]) {
      const uint64_t look = list[0][from[0]].look;
      int equal = 1, most = 0, size[AG_LANES] = {0};
      for (int l = 0; l < count; l++) {
        while (from[l] < n[l] && list[l][from[l]].look < look) from[l]++;
        int k = from[l];
        while (k < n[l] && list[l][k].look == look) k++;
        size[l] = k - from[l];
        equal &= size[l] == size[0];
        most = size[l] > most ? size[l] : most;
      }
      for (int k = 0; equal && k < most; k++) {
        ag_id id[AG_LANES];
        for (int l = 0; l < count; l++) id[l] = list[l][from[l] + k].id;
        begin(q, set, id);
      }
      for (int l = 0; l < count; l++) from[l] += size[l];
    }
  }
}

/* ---- sums over limbs ---- */

typedef struct term {
  ag_id id;
  signed char sign;
} term;

typedef struct terms {
  term *of;
  int count;
} terms;

static bool of_one_limb(const vectorizer *q, ag_id id) {
  return q->limb[id] != 0 && (q->limb[id] & (q->limb[id] - 1)) == 0;
}

/* Adds the terms of a sum over limbs that are each of one limb. uses: of nodes; what is used twice is
 * a sum of its own. */
static void flatten(vectorizer *q, ag_id id, signed char sign, const int *uses, terms *list) {
  for (; at(q, id)->op == AG_NEG; id = at(q, id)->a) sign = (signed char)-sign;
  const bool shared =
      is_sum(q, id) && (q->limb[bare(q, at(q, id)->a)] == 0 || q->limb[bare(q, at(q, id)->b)] == 0);
  if (of_one_limb(q, id) && !shared) {
    list->of = ag_room(q->arena, list->of, list->count, sizeof *list->of);
    list->of[list->count++] = (term){id, sign};
  } else if (is_sum(q, id) && q->limb[id] != 0) {
    ag_id of[2];
    signed char signs[2];
    terms_of(q, id, of, signs);
    for (int k = 0; k < 2; k++)
      if (of_one_limb(q, bare(q, of[k])) || uses[of[k]] == 1)
        flatten(q, of[k], (signed char)(sign * signs[k]), uses, list);
  }
}

/* A sum that nothing but a lane has. */
static term join_terms(vectorizer *q, term x, term y) {
  const size_t count = (size_t)q->nnodes;
  q->nodes = ag_room(q->arena, q->nodes, q->nnodes, sizeof *q->nodes);
  q->nodes[count] = *at(q, x.id);
  ag_node *n = &q->nodes[count];
  n->op = x.sign == y.sign ? AG_ADD : AG_SUB;
  n->a = x.id;
  n->b = y.id;
  n->name = NULL;
  q->look = ag_room(q->arena, q->look, q->nnodes, sizeof *q->look);
  q->fine = ag_room(q->arena, q->fine, q->nnodes, sizeof *q->fine);
  q->form = ag_room(q->arena, q->form, q->nnodes, sizeof *q->form);
  q->leaves = ag_room(q->arena, q->leaves, q->nnodes, sizeof *q->leaves);
  q->limb = ag_room(q->arena, q->limb, q->nnodes, sizeof *q->limb);
  q->own = ag_room(q->arena, q->own, q->nnodes, sizeof *q->own);
  q->depth = ag_room(q->arena, q->depth, q->nnodes, sizeof *q->depth);
  q->home = ag_room(q->arena, q->home, q->nnodes, sizeof *q->home);
  q->leaves[count] = q->limb[count] = q->own[count] = 0;
  q->depth[count] = 0;
  q->home[count] = -1;
  ag_look_at(q, (ag_id)count);
  return (term){q->nnodes++, x.sign};
}

/* The sum of terms, in the way in which a corresponding one is made. */
static term mirror(vectorizer *q, ag_id like, const term *of, int count) {
  if (count == 1) return of[0];
  if (is_sum(q, like)) {
    term *part[2];
    int n[2] = {0, 0};
    const ag_id x = bare(q, at(q, like)->a), y = bare(q, at(q, like)->b);
    for (int k = 0; k < 2; k++) part[k] = ag_alloc(q->arena, (size_t)count * sizeof **part);
    for (int k = 0; k < count; k++) {
      const int side = ag_alike(q, y, of[k].id) > ag_alike(q, x, of[k].id);
      part[side][n[side]++] = of[k];
    }
    if (n[0] > 0 && n[1] > 0) {
      const term a = mirror(q, x, part[0], n[0]), b = mirror(q, y, part[1], n[1]);
      return join_terms(q, a, b);
    }
  }
  return join_terms(q, mirror(q, like, of, count - 1), of[count - 1]);
}

/* lists: of each limb. Those of the limb with the fewest terms are what the others' are like. */
static void begin_at_terms(vectorizer *q, int set, const terms *lists, bool apart) {
  const int count = q->sets[set].count;
  int few = 0;
  for (int l = 1; l < count; l++)
    if (lists[l].count < lists[few].count) few = l;
  const terms *like = &lists[few];
  for (int k = 0; k < like->count; k++) {
    ag_id node[AG_LANES] = {0};
    for (int l = 0; l < count; l++) {
      term *of = ag_alloc(q->arena, (size_t)lists[l].count * sizeof *of);
      int n = 0;
      for (int i = 0; i < lists[l].count; i++) {
        int best = 0, most = -1;
        for (int j = 0; j < like->count; j++) {
          const int score = ag_alike(q, like->of[j].id, lists[l].of[i].id);
          if (score > most) {
            most = score;
            best = j;
          }
        }
        if (l == few ? i == k : best == k) of[n++] = lists[l].of[i];
      }
      if (n == 0) return;
      node[l] = mirror(q, like->of[k].id, of, n).id;
    }
    bool same = true;
    for (int l = 0; l < count; l++)
      same &=
          q->look[node[l]] == q->look[node[0]] || (apart && ag_alike(q, node[l], node[0]) >= ALIKE);
    if (same) begin(q, set, node);
  }
}

/* What limbs of a set hand to one sum: terms by limb; which: bits of the limbs that have some. */
typedef struct handed {
  terms of[AG_LANES];
  unsigned which;
} handed;

static handed handed_by(vectorizer *q, int set, const terms *all) {
  handed h = {0};
  for (int l = 0; l < q->sets[set].count; l++)
    for (int k = 0; k < all->count; k++) {
      terms *list = &h.of[l];
      if (q->limb[all->of[k].id] != ag_limb_bit(q, set, l)) continue;
      list->of = ag_room(q->arena, list->of, list->count, sizeof *list->of);
      list->of[list->count++] = all->of[k];
      h.which |= 1u << l;
    }
  return h;
}

/* How alike the terms are that two sums take of different limbs, from 0 to 1000: the best of them. */
static int alike(const vectorizer *q, const handed *a, const handed *b) {
  int best = 0;
  for (int k = 0; k < AG_LANES; k++)
    for (int l = 0; l < AG_LANES; l++) {
      if (a->of[k].count != 1 || b->of[l].count != 1) continue;
      const int score = ag_alike(q, a->of[k].of[0].id, b->of[l].of[0].id);
      if (score > best) best = score;
    }
  return best;
}

/* Limbs on different bodies, as arms and legs, hand the same to different sums. Of those over the
 * limbs `a` and those over the limbs `b`, the most alike go together. */
static void begin_at_both(vectorizer *q, int set, handed *list, int count, unsigned a, unsigned b) {
  for (int least = 1000; least >= ALIKE; least -= 50)
    for (int i = 0; i < count; i++)
      for (int k = 0; k < count; k++) {
        if (list[i].which != a || list[k].which != b || alike(q, &list[i], &list[k]) < least)
          continue;
        for (int l = 0; l < q->sets[set].count; l++)
          if (b >> l & 1) list[i].of[l] = list[k].of[l];
        begin_at_terms(q, set, list[i].of, true);
        list[i].which = list[k].which = 0;
      }
}

static void begin_at_parts(vectorizer *q, int set, handed *list, int count) {
  const unsigned all = (1u << q->sets[set].count) - 1;
  for (int i = 0; i < count; i++)
    if (list[i].which & 1) begin_at_both(q, set, list, count, list[i].which, all & ~list[i].which);
}

/* Sums over limbs: what limbs hand to the rest of the robot. */
static void begin_at_sums(vectorizer *q) {
  const ag_graph *p = q->graph;
  bool *inside = ag_alloc(q->arena, (size_t)p->dag.count * sizeof *inside);
  handed **parts = ag_alloc(q->arena, (size_t)(q->nsets + 1) * sizeof *parts);
  int *nparts = ag_alloc(q->arena, (size_t)(q->nsets + 1) * sizeof *nparts);
  const int *uses = q->uses;
  for (ag_id id = p->dag.count - 1; id >= 0; id--) {
    if (!is_sum(q, id) || q->limb[id] == 0 || of_one_limb(q, id)) continue;
    inside[bare(q, at(q, id)->a)] = inside[bare(q, at(q, id)->b)] = true;
    if (uses[id] == 0 || (uses[id] == 1 && inside[id])) continue;
    terms all = {0};
    flatten(q, id, 1, uses, &all);
    for (int set = 0; set < q->nsets; set++) {
      const handed by = handed_by(q, set, &all);
      if (by.which == (1u << q->sets[set].count) - 1) {
        begin_at_terms(q, set, by.of, false);
      } else if (by.which) {
        parts[set] = ag_room(q->arena, parts[set], nparts[set], sizeof **parts);
        parts[set][nparts[set]++] = by;
      }
    }
  }
  for (int set = 0; set < q->nsets; set++) begin_at_parts(q, set, parts[set], nparts[set]);
}

/* By node: used by one of more limbs, or a result. */
static bool *find_outside(const vectorizer *q) {
  const ag_graph *p = q->graph;
  bool *outside = ag_alloc(q->arena, (size_t)p->dag.count * sizeof *outside);
  for (const ag_way *way = p->ways; way < p->ways + p->nways; way++) {
    for (int i = 0; i < way->nnodes; i++) {
      const ag_node *n = at(q, way->nodes[i]);
      ag_id of[3];
      const int arity = ag_operands(n, of);
      for (int k = 0; k < arity; k++)
        if (q->limb[bare(q, of[k])] != q->limb[way->nodes[i]]) outside[bare(q, of[k])] = true;
    }
    for (int i = 0; i < way->noutputs; i++) outside[bare(q, way->outputs[i])] = true;
  }
  return outside;
}

/* Pairs what corresponds, from outputs and from what limbs hand to the rest of the robot. */
void ag_begin_lockstep(vectorizer *q) {
  for (int way = 0; way < q->graph->nways; way++) begin_at_outputs(q, &q->graph->ways[way]);
  begin_at_sums(q);
  begin_at_borders(q, find_outside(q));
}
