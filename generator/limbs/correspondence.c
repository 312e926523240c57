/* SPDX-License-Identifier: MIT */
/* correspondence.c: see correspondence.h. Nodes of two limbs correspond where their formulas look the same, constants and
 * signs left out: those of limbs differ. */
#include "limbs/correspondence.h"

#include <stdlib.h>

enum { SHARED = 5 }; /* the look of what is no limb's own */

/* The set, limb and place of a joint; false: it is in no limb. */
bool ag_find_limb(const vectorizer *q, int joint, int *set, int *limb, int *place) {
  for (int s = 0; s < q->nsets; s++)
    for (int l = 0; l < q->sets[s].count; l++)
      for (int k = 0; k < q->sets[s].length; k++)
        if (q->sets[s].joint[l][k] == joint) {
          *set = s;
          *limb = l;
          *place = k;
          return true;
        }
  return false;
}

uint64_t ag_limb_bit(const vectorizer *q, int set, int limb) {
  int bit = limb;
  for (int s = 0; s < set; s++) bit += q->sets[s].count;
  return (uint64_t)1 << (bit & 63);
}

/* The joint that an element of a quantity belongs to: its own, or that of its row. */
int ag_joint_of_element(const vectorizer *q, const ag_list *list, int element, int *which) {
  const ag_element *e = &list->elements[element];
  *which = 0;
  if (e->joint >= 0) return e->joint;
  for (int i = 0; i < list->nquantities; i++) {
    const ag_quantity *quantity = &list->quantities[i];
    if (element < quantity->first || element >= quantity->first + quantity->size) continue;
    if (!ag_by_row(quantity->shape)) return AG_NO_JOINT;
    int row = 0, k = quantity->first;
    for (;; row++) {
      if (!ag_row_counts(&q->header->rows[row], quantity->shape)) continue;
      if (k++ == element) break;
    }
    for (int r = 0; r < row; r++) *which += q->header->rows[r].joint == q->header->rows[row].joint;
    (*which)++;
    return q->header->rows[row].joint;
  }
  return AG_NO_JOINT;
}

int ag_quantity_of_element(const ag_list *list, int element) {
  int k = 0;
  while (element >= list->quantities[k].first + list->quantities[k].size) k++;
  return k;
}

static void look_at_input(vectorizer *q, ag_id id) {
  const ag_list *in = &q->graph->function->in;
  const int element = at(q, id)->a;
  int set, limb, place, which;
  const int joint = ag_joint_of_element(q, in, element, &which);
  if (joint >= 0 && ag_find_limb(q, joint, &set, &limb, &place)) {
    q->limb[id] = ag_limb_bit(q, set, limb);
    q->look[id] = ag_mix((uint64_t)ag_quantity_of_element(in, element) + 1000u,
                         ag_mix((uint64_t)place, ag_mix((uint64_t)which, (uint64_t)set)));
  } else {
    q->look[id] = ag_mix(7u, (uint64_t)element);
  }
  q->leaves[id] = (uint64_t)1 << (q->look[id] >> 58);
}

static uint64_t limb_of_output(const vectorizer *q, int element) {
  int set, limb, place, which;
  const int joint = ag_joint_of_element(q, &q->graph->function->out, element, &which);
  if (joint < 0 || !ag_find_limb(q, joint, &set, &limb, &place)) return (uint64_t)1 << 63;
  return ag_limb_bit(q, set, limb);
}

/* Marks what only one limb's results are made of: what the rest of the robot does to the limb. */
void ag_look_back(vectorizer *q) {
  const ag_graph *p = q->graph;
  uint64_t *reached = ag_alloc(q->arena, (size_t)p->dag.count * sizeof *reached);
  for (const ag_way *way = p->ways; way < p->ways + p->nways; way++)
    for (int i = 0; i < way->noutputs; i++) reached[way->outputs[i]] |= limb_of_output(q, i);
  for (ag_id id = p->dag.count - 1; id >= 0; id--) {
    ag_id of[3];
    const int arity = reached[id] ? ag_operands(at(q, id), of) : 0;
    for (int k = at(q, id)->op == AG_SELECT; k < arity; k++) reached[of[k]] |= reached[id];
    if ((reached[id] & (reached[id] - 1)) == 0 && reached[id] >> 63 == 0) q->own[id] = reached[id];
  }
}

/* How many nodes of the same limbs before this one have the same formula. */
static uint64_t which_of_equals(vectorizer *q, ag_id id, uint64_t formula) {
  const uint64_t key = ag_mix(formula, q->own[id]) | 1;
  size_t k = (size_t)(key >> 7) & q->nkeys;
  while (q->keys[k] && q->keys[k] != key) k = (k + 1) & q->nkeys;
  q->keys[k] = key;
  return q->equals[k]++;
}

/* A node's formula by those of its operands in `look`. */
static uint64_t formula_of(const vectorizer *q, ag_id id, const uint64_t *look) {
  const ag_node *n = at(q, id);
  ag_id of[3];
  const int arity = ag_all_operands(n, of);
  uint64_t sum = 0;
  if (n->op == AG_CONST) return 3;
  if (n->op == AG_NEG) return look[n->a];
  if (n->op == AG_MUL && at(q, n->a)->op == AG_CONST) return look[n->b];
  if (n->op == AG_MUL || n->op == AG_ADD || n->op == AG_SUB)
    return ag_mix(n->op == AG_MUL ? 11u : 12u, ag_mix(look[n->a], 1) + ag_mix(look[n->b], 1));
  for (int k = 0; k < arity; k++) sum = ag_mix(sum, look[of[k]]);
  return ag_mix((uint64_t)n->op + 20u, sum);
}

void ag_look_at(vectorizer *q, ag_id id) {
  const ag_node *n = at(q, id);
  if (n->op == AG_INPUT) {
    look_at_input(q, id);
    q->form[id] = ag_mix(9u, (uint64_t)n->a);
  } else {
    q->form[id] = formula_of(q, id, q->form);
    ag_id of[3];
    const int arity = ag_all_operands(n, of);
    for (int k = 0; k < arity; k++) {
      q->leaves[id] |= q->leaves[of[k]];
      q->limb[id] |= q->limb[of[k]];
      if (q->depth[id] <= q->depth[of[k]]) q->depth[id] = q->depth[of[k]] + 1;
    }
    q->look[id] = q->fine[id] = formula_of(q, id, q->look);
    if (n->op == AG_SIN || n->op == AG_COS) q->leaves[id] = (uint64_t)1 << (q->look[id] >> 58);
  }
  if (q->own[id] == 0) q->own[id] = q->limb[id];
  if (q->own[id] & (q->own[id] - 1)) q->own[id] = 0;
  if (id < q->graph->dag.count && ag_is_of_row(q->graph, id)) q->own[id] = q->limb[id] = 0;
  if (q->own[id] == 0) {
    if (n->op != AG_CONST) q->look[id] = q->fine[id] = SHARED;
    return;
  }
  const bool own = n->op != AG_INPUT && n->op != AG_NEG && !is_scaled(q, id);
  q->fine[id] = n->op == AG_INPUT ? q->look[id] : formula_of(q, id, q->fine);
  if (own) q->fine[id] = ag_mix(q->fine[id], which_of_equals(q, id, q->fine[id]));
}

/* How alike two nodes of different limbs are, from 0 to 1000. */
int ag_alike(const vectorizer *q, ag_id a, ag_id b) {
  if (a < 0 || b < 0) return 0;
  const bool known_a = at(q, a)->op == AG_CONST, known_b = at(q, b)->op == AG_CONST;
  if (known_a != known_b) return 0;
  if (q->fine[a] == q->fine[b]) return 1000;
  if (q->look[a] == q->look[b]) return 950;
  const int both = __builtin_popcountll(q->leaves[a] & q->leaves[b]);
  const int any = __builtin_popcountll(q->leaves[a] | q->leaves[b]);
  const int apart = abs(q->depth[a] - q->depth[b]);
  const int score = any ? 900 * both / any - 5 * apart : 0;
  return score > 0 ? score : 0;
}
