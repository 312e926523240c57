/* SPDX-License-Identifier: MIT */
/* lane_signs.c: see lane_signs.h
 *
 * The graph keeps signs out of its nodes, so lanes of a candidate stand for what they are in the robot up
 * to a sign each. Which signs a candidate takes is free: a product with constants puts them right, a sum
 * wants its two operands turned alike. Wrongly chosen, they cost products with (1, -1, ..), and every
 * constant is there in as many patterns of signs.
 *
 * Chosen well: bits x, 1 where a lane's sign is not the first lane's, and linear equations between
 * them, modulo 2, lane by lane:
 *
 *   sum p = a + b:          x_p + x_a = signs of a in p;  x_p + x_b = signs of b in p
 *   product p = a b:        x_p + x_a + x_b = sign in p
 *   with constants p = c a: x_p + x_a + k = signs of c,   k of all vectors of these sizes
 *   joined or spread:       x = 0
 *
 * They are taken one after the other, most valuable first, and those that contradict others are left
 * out (Gauss). */
#include "limbs/lane_signs.h"

#include <stdlib.h>
#include <string.h>

typedef struct equations {
  int count, words; /* variables; 64-bit words of a row */
  uint64_t **row;   /* by its highest variable; NULL: none. Bit `count` is the right side */
  uint64_t *next;
} equations;

static void flip(uint64_t *row, int bit) {
  row[bit / 64] ^= (uint64_t)1 << (bit % 64);
}
static bool has(const uint64_t *row, int bit) {
  return row[bit / 64] >> (bit % 64) & 1;
}

/* Adds a row, of three variables at most, -1: none; left out where it contradicts others. */
static void add(vectorizer *q, equations *e, const int of[3], bool right) {
  uint64_t *row = e->next;
  memset(row, 0, (size_t)e->words * sizeof *row);
  int highest = -1;
  for (int k = 0; k < 3; k++)
    if (of[k] >= 0) {
      flip(row, of[k]);
      if (of[k] > highest) highest = of[k];
    }
  if (right) flip(row, e->count);
  for (int bit = highest; bit >= 0; bit--) {
    if (!has(row, bit)) continue;
    if (!e->row[bit]) {
      e->row[bit] = row;
      e->next = ag_alloc(q->arena, (size_t)e->words * sizeof *row);
      return;
    }
    for (int w = 0; w < e->words; w++) row[w] ^= e->row[bit][w];
  }
}

/* Fills the variables' values; those that nothing decides are 0. */
static void solve(const equations *e, bool *value) {
  for (int k = 0; k < e->count; k++) {
    value[k] = false;
    if (!e->row[k]) continue;
    value[k] = has(e->row[k], e->count);
    for (int j = 0; j < k; j++)
      if (has(e->row[k], j)) value[k] ^= value[j];
  }
}

/* ---- candidates ---- */

typedef signed char lanes_sign[AG_LANES];

/* The sign with which an operand, or the product of both, is in the node: what is so whatever the
 * signs of candidates are. */
static int sign_in(const vectorizer *q, const candidate *p, int operand, int lane) {
  const candidate *a = &q->candidates[p->a], *b = &q->candidates[p->b];
  switch (p->kind) {
  case SUM:
    return operand == 0 ? p->sign[lane] * a->sign[lane]
                        : p->sign[lane] * p->turn[lane] * b->sign[lane];
  case SCALE:
    return (p->factor[lane].value < 0 ? -1 : 1) * p->sign[lane] * a->sign[lane];
  case KNOWN:
    return (p->factor[lane].value < 0 ? -1 : 1) * p->sign[lane];
  default:
    return p->sign[lane] * a->sign[lane] * b->sign[lane];
  }
}

static bool is_there(const candidate *p, int lane) {
  return p->node[lane] >= 0 && (p->kind != SCALE || p->factor[lane].value != 0);
}

static bool of_same_size(const candidate *a, const candidate *b) {
  if (a->set != b->set) return false;
  for (int l = 0; l < a->lanes; l++) {
    const double x = a->factor[l].value, y = b->factor[l].value;
    if (x != y && x != -y) return false;
  }
  return true;
}

/* By candidate: which of the vectors of constants, up to signs, it has; returns how many there are. */
static int find_sizes(const vectorizer *q, int *size) {
  int count = 0;
  int *first = ag_alloc(q->arena, (size_t)(q->ncandidates + 1) * sizeof *first);
  for (int k = 0; k < q->ncandidates; k++) {
    const candidate *p = &q->candidates[k];
    size[k] = -1;
    if (!p->state || !((stands(p) && p->kind == SCALE) || p->kind == KNOWN)) continue;
    for (int i = 0; i < count && size[k] < 0; i++)
      if (of_same_size(p, &q->candidates[first[i]])) size[k] = i;
    if (size[k] >= 0) continue;
    first[count] = k;
    size[k] = count++;
  }
  return count;
}

/* The equations of a lane, and what solves them, by candidate. */
static void choose_lane(vectorizer *q, const int *size, int nsizes, int lane, bool *value) {
  equations e = {.count = nsizes + q->ncandidates};
  e.words = e.count / 64 + 1;
  e.row = ag_alloc(q->arena, (size_t)e.count * sizeof *e.row);
  e.next = ag_alloc(q->arena, (size_t)e.words * sizeof *e.next);
  for (int turn = 0; turn < 3; turn++)
    for (int k = 0; k < q->ncandidates; k++) {
      const candidate *p = &q->candidates[k];
      if (!p->state || lane >= q->sets[p->set].count) continue;
      const int x = nsizes + k, a = nsizes + p->a, b = nsizes + p->b;
      const bool fixed = !stands(p) && p->kind != KNOWN;
      if (turn == 0 && fixed) {
        add(q, &e, (const int[3]){x, -1, -1}, false);
      } else if (fixed || !is_there(p, lane) || !is_there(p, 0)) {
        continue;
      } else if (turn == 0 && (p->kind == MUL || p->kind == DIV)) {
        add(q, &e, (const int[3]){x, a, a == b ? -1 : b},
            sign_in(q, p, 0, lane) != sign_in(q, p, 0, 0));
      } else if (turn == 1 && p->kind == SUM) {
        if (is_there(&q->candidates[p->a], lane) && is_there(&q->candidates[p->a], 0))
          add(q, &e, (const int[3]){x, a, -1}, sign_in(q, p, 0, lane) != sign_in(q, p, 0, 0));
        if (is_there(&q->candidates[p->b], lane) && is_there(&q->candidates[p->b], 0))
          add(q, &e, (const int[3]){x, b, -1}, sign_in(q, p, 1, lane) != sign_in(q, p, 1, 0));
      } else if (turn == 2 && size[k] >= 0) {
        add(q, &e, (const int[3]){x, p->kind == KNOWN ? -1 : a, size[k]},
            sign_in(q, p, 0, lane) != sign_in(q, p, 0, 0));
      }
    }
  bool *all = ag_alloc(q->arena, (size_t)e.count * sizeof *all);
  solve(&e, all);
  memcpy(value, all + nsizes, (size_t)q->ncandidates * sizeof *value);
}

/* x y, the signs of a candidate */
static bool is_like(const signed char *sign, const signed char *wanted, int lanes) {
  for (int l = 0; l < lanes; l++)
    if (sign[l] * sign[0] != wanted[l] * wanted[0]) return false;
  return true;
}

/* Gives a candidate, whose operands have their new signs, its own: as wanted where it can. */
static void turn_candidate(vectorizer *q, int k, const candidate *old, const signed char *wanted) {
  candidate *p = &q->candidates[k];
  const candidate *a = &q->candidates[p->a], *b = &q->candidates[p->b];
  lanes_sign in[2] = {{0}};
  if (p->kind == KNOWN || p->kind == SCALE) {
    for (int l = 0; l < p->lanes; l++) {
      const int change = p->kind == KNOWN ? 1 : old[p->a].sign[l] * a->sign[l];
      if (p->sign[l] * wanted[l] * change < 0) p->factor[l] = ag_number_neg(p->factor[l]);
      p->sign[l] = wanted[l];
    }
    if (p->factor[0].value >= 0 || p->kind == KNOWN) return;
    for (int l = 0; l < p->lanes; l++) {
      p->factor[l] = ag_number_neg(p->factor[l]);
      p->sign[l] = (signed char)-p->sign[l];
    }
    return;
  }
  for (int l = 0; l < p->lanes; l++) {
    const candidate *was = &old[k], *wa = &old[p->a], *wb = &old[p->b];
    if (p->kind == SUM) {
      in[0][l] = (signed char)(was->sign[l] * wa->sign[l] * a->sign[l]);
      in[1][l] = (signed char)(was->sign[l] * was->turn[l] * wb->sign[l] * b->sign[l]);
    } else {
      p->sign[l] =
          (signed char)(was->sign[l] * wa->sign[l] * wb->sign[l] * a->sign[l] * b->sign[l]);
    }
  }
  if (p->kind != SUM) return;
  const int lead = !is_like(in[0], wanted, p->lanes) && is_like(in[1], wanted, p->lanes);
  if (lead) {
    const int swap = p->a;
    p->a = p->b;
    p->b = swap;
  }
  for (int l = 0; l < p->lanes; l++) {
    p->sign[l] = in[lead][l];
    p->turn[l] = (signed char)(in[0][l] * in[1][l]);
  }
}

void ag_choose_signs(vectorizer *q) {
  if (q->ncandidates == 0) return;
  const size_t count = (size_t)q->ncandidates + 1;
  int *size = ag_alloc(q->arena, count * sizeof *size);
  lanes_sign *wanted = ag_alloc(q->arena, count * sizeof *wanted);
  bool *value = ag_alloc(q->arena, count * sizeof *value);
  candidate *old = ag_alloc(q->arena, count * sizeof *old);
  const int nsizes = find_sizes(q, size);
  memcpy(old, q->candidates, (size_t)q->ncandidates * sizeof *old);
  memset(wanted, 1, count * sizeof *wanted);
  for (int lane = 1; lane < AG_LANES; lane++) {
    choose_lane(q, size, nsizes, lane, value);
    for (int k = 0; k < q->ncandidates; k++)
      if (lane < q->sets[q->candidates[k].set].count) wanted[k][lane] = value[k] ? -1 : 1;
  }
  for (int k = 0; k < q->ncandidates; k++) {
    candidate *p = &q->candidates[k];
    if (!p->state) continue;
    if (stands(p) || p->kind == KNOWN)
      turn_candidate(q, k, old, wanted[k]);
    else
      memset(p->sign, 1, sizeof p->sign);
  }
}
