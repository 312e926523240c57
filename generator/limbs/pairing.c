/* SPDX-License-Identifier: MIT */
/* pairing.c: see pairing.h. Operands are paired in lockstep, limb by limb, down to constants, inputs and
 * numbers that all limbs share. Where a constant is 0, 1 or -1 the graph has folded something away: a
 * term that is missing is 0 in its lane, a factor that is missing is 1, a sign is one of the lane's
 * constants. What does not pair is gathered: computed one by one, then joined. */
#include "limbs/pairing.h"

#include "limbs/correspondence.h"

#include <string.h>

static unsigned bucket_of(int set, const ag_id *node, int lanes) {
  uint64_t h = (uint64_t)set;
  for (int l = 0; l < lanes; l++) h = ag_mix(h, (uint64_t)node[l]);
  return (unsigned)(h % BUCKETS);
}

/* The number of a new candidate; sign: all 1. */
static int add_candidate(vectorizer *q, const candidate *of) {
  q->candidates = ag_room(q->arena, q->candidates, q->ncandidates, sizeof *q->candidates);
  candidate *p = &q->candidates[q->ncandidates];
  *p = *of;
  p->next = -1;
  return q->ncandidates++;
}

/* Whether term[0] and term[1] of a lane correspond to those of the first the other way round. */
static bool crossed(const vectorizer *q, const ag_id first[2], const ag_id term[2]) {
  ag_id f[2] = {bare(q, first[0]), bare(q, first[1])}, t[2] = {bare(q, term[0]), bare(q, term[1])};
  const int across = ag_alike(q, f[0], t[1]) + ag_alike(q, f[1], t[0]);
  const int straight = ag_alike(q, f[0], t[0]) + ag_alike(q, f[1], t[1]);
  if (across != straight) return across > straight;
  return (first[0] < first[1]) != (term[0] < term[1]); /* in the order in which they were made */
}

static void make_apart(candidate *p) {
  memset(p->sign, 1, sizeof p->sign);
  p->kind = GATHER;
}

static void strip(const vectorizer *q, int lanes, ag_id *node, signed char *sign) {
  for (int l = 0; l < lanes; l++)
    for (; node[l] >= 0 && at(q, node[l])->op == AG_NEG; node[l] = at(q, node[l])->a)
      sign[l] = (signed char)-sign[l];
}

/* The candidate of these nodes, which have no signs; -1: there is none yet. */
static int find_candidate(const vectorizer *q, int set, const ag_id *node) {
  const int lanes = q->sets[set].lanes;
  const size_t size = (size_t)lanes * sizeof *node;
  int found = q->bucket[bucket_of(set, node, lanes)];
  while (found >= 0 &&
         (q->candidates[found].set != set || memcmp(q->candidates[found].node, node, size) != 0))
    found = q->candidates[found].next;
  return found;
}

/* Operands of a candidate by lanes: nodes, and the signs with which they are wanted. */
typedef struct operand {
  ag_id node[AG_LANES];
  signed char sign[AG_LANES];
  int candidate;
} operand;

/* Makes the candidates of both operands, so that the signs of both are those of the first. One that is
 * made already has its signs, so it goes first: a new one can adapt. */
static void request_both(vectorizer *q, int set, operand *x, operand *y) {
  const int lanes = q->sets[set].lanes;
  strip(q, lanes, x->node, x->sign);
  strip(q, lanes, y->node, y->sign);
  if (find_candidate(q, set, x->node) < 0 && find_candidate(q, set, y->node) >= 0) {
    const operand swap = *x;
    *x = *y;
    *y = swap;
  }
  x->candidate = ag_request_candidate(q, set, x->node, x->sign);
  for (int l = 0; l < lanes; l++) y->sign[l] = (signed char)(y->sign[l] * x->sign[l]);
  y->candidate = ag_request_candidate(q, set, y->node, y->sign);
}

static bool is_mixed(const signed char *sign, int lanes) {
  for (int l = 1; l < lanes; l++)
    if (sign[l] != sign[0]) return true;
  return false;
}

/* sign times a candidate, where its factors can hold the signs; -1: they cannot. */
static int turn_factors(vectorizer *q, int k, const signed char *sign) {
  candidate turned = q->candidates[k];
  if (turned.kind == SPLAT && is_scaled(q, turned.node[0])) {
    const ag_node *n = at(q, turned.node[0]);
    ag_id node[AG_LANES];
    signed char plus[AG_LANES];
    for (int l = 0; l < turned.lanes; l++) {
      node[l] = n->b;
      plus[l] = 1;
      turned.factor[l] = number_at(q, n->a);
    }
    turned.a = ag_request_candidate(q, turned.set, node, plus);
    for (int l = 0; l < turned.lanes; l++)
      if (plus[l] < 0) turned.factor[l] = ag_number_neg(turned.factor[l]);
    turned.kind = SCALE;
  }
  if (turned.kind != SCALE && turned.kind != KNOWN) return -1;
  for (int l = 0; l < turned.lanes; l++) {
    if (sign[l] < 0) turned.factor[l] = ag_number_neg(turned.factor[l]);
    turned.sign[l] = (signed char)(turned.sign[l] * sign[l]);
  }
  return add_candidate(q, &turned);
}

/* a + turn b, the turn in the factors of one of them where it has such. */
static void make_sum(vectorizer *q, candidate *p, int first) {
  operand x = {0}, y = {0};
  ag_id lead[2];
  signed char signs[2];
  terms_of(q, p->node[first], lead, signs);
  for (int l = 0; l < p->lanes; l++) {
    ag_id term[2] = {p->node[l], -1};
    signs[0] = signs[1] = 1;
    if (is_sum(q, p->node[l])) terms_of(q, p->node[l], term, signs);
    const bool cross = l != first && crossed(q, lead, term);
    x.node[l] = term[cross];
    y.node[l] = term[!cross];
    x.sign[l] = (signed char)(p->sign[l] * signs[cross]);
    y.sign[l] = (signed char)(p->sign[l] * signs[!cross]);
  }
  request_both(q, p->set, &x, &y);
  for (int l = 0; l < p->lanes; l++) p->sign[l] = (signed char)(p->sign[l] * x.sign[l]);
  memcpy(p->turn, y.sign, sizeof p->turn);
  p->kind = SUM;
  p->a = x.candidate;
  p->b = y.candidate;
  if (!is_mixed(p->turn, p->lanes)) return;
  int turned = turn_factors(q, p->b, p->turn);
  if (turned < 0) {
    turned = turn_factors(q, p->a, p->turn);
    if (turned < 0) return;
    p->a = p->b;
    for (int l = 0; l < p->lanes; l++) p->sign[l] = (signed char)(p->sign[l] * p->turn[l]);
  }
  p->b = turned;
  memset(p->turn, 1, sizeof p->turn);
}

static void make_scale(vectorizer *q, candidate *p, int first) {
  operand x = {0};
  for (int l = 0; l < p->lanes; l++) {
    x.node[l] = p->node[l];
    x.sign[l] = 1;
    p->factor[l] = ag_number_from(1, 1);
    if (p->node[l] < 0) {
      x.node[l] = at(q, p->node[first])->b;
      p->factor[l] = ag_number_from(0, 0);
    } else if (is_scaled(q, p->node[l])) {
      x.node[l] = at(q, p->node[l])->b;
      p->factor[l] = number_at(q, at(q, p->node[l])->a);
    }
  }
  p->a = ag_request_candidate(q, p->set, x.node, x.sign);
  for (int l = 0; l < p->lanes; l++)
    if (x.sign[l] * p->sign[l] < 0) p->factor[l] = ag_number_neg(p->factor[l]);
  p->kind = SCALE;
}

static void make_product(vectorizer *q, candidate *p, int first, candidate_kind kind) {
  operand x = {0}, y = {0};
  const ag_id lead[2] = {at(q, p->node[first])->a, at(q, p->node[first])->b};
  for (int l = 0; l < p->lanes; l++) {
    ag_id term[2] = {-1, lead[1]};
    if (p->node[l] >= 0) {
      term[0] = at(q, p->node[l])->a;
      term[1] = at(q, p->node[l])->b;
    }
    const bool cross = kind == MUL && p->node[l] >= 0 && crossed(q, lead, term);
    x.node[l] = term[cross];
    y.node[l] = term[!cross];
    x.sign[l] = 1;
    y.sign[l] = p->sign[l];
  }
  if (kind == MUL) {
    request_both(q, p->set, &x, &y);
  } else {
    y.candidate = ag_request_candidate(q, p->set, y.node, y.sign);
    memcpy(x.sign, y.sign, sizeof x.sign);
    x.candidate = ag_request_candidate(q, p->set, x.node, x.sign);
    memcpy(y.sign, x.sign, sizeof y.sign);
  }
  p->a = x.candidate;
  p->b = y.candidate;
  for (int l = 0; l < p->lanes; l++) p->sign[l] = (signed char)(p->sign[l] * y.sign[l]);
  p->kind = kind;
}

/* The first lane with such a node, and how many have one, -1 left out. */
static int count_of(const vectorizer *q, const candidate *p, bool (*is)(const vectorizer *, ag_id),
                    int *first) {
  int count = 0;
  for (int l = p->lanes - 1; l >= 0; l--)
    if (is(q, p->node[l])) {
      count++;
      *first = l;
    }
  return count;
}

static bool is_product(const vectorizer *q, ag_id id) {
  return id >= 0 && at(q, id)->op == AG_MUL && !is_scaled(q, id);
}
static bool is_quotient(const vectorizer *q, ag_id id) {
  return id >= 0 && at(q, id)->op == AG_DIV;
}
static bool is_known(const vectorizer *q, ag_id id) {
  return id >= 0 && at(q, id)->op == AG_CONST;
}

/* Whether every lane that is no sum is like one of the first sum's terms. */
static bool terms_missing(const vectorizer *q, const candidate *p, int first) {
  ag_id term[2];
  signed char sign[2];
  terms_of(q, p->node[first], term, sign);
  for (int l = 0; l < p->lanes; l++) {
    const ag_id id = p->node[l];
    if (id < 0 || is_sum(q, id)) continue;
    if (ag_alike(q, bare(q, term[0]), id) < ALIKE && ag_alike(q, bare(q, term[1]), id) < ALIKE)
      return false;
  }
  return true;
}
static bool factors_missing(const vectorizer *q, const candidate *p, int first) {
  for (int l = 0; l < p->lanes; l++) {
    const ag_id id = p->node[l];
    if (id >= 0 && !is_scaled(q, id) && ag_alike(q, at(q, p->node[first])->b, id) < ALIKE)
      return false;
  }
  return true;
}

/* Whether these are no limb's own, and differ: what limbs hang on has no lanes. */
static bool is_beyond(const vectorizer *q, const candidate *p, ag_id lead) {
  bool alike = true;
  for (int l = 0; l < p->lanes; l++) {
    const ag_id id = p->node[l];
    const int limb = l < q->sets[p->set].count ? l : 0;
    if (id < 0) continue;
    if (q->own[id] & ag_limb_bit(q, p->set, limb)) return false;
    alike &= q->form[id] == q->form[lead];
  }
  return !alike;
}

/* Whether a node is in a lane beside others: then lockstep has gone astray, and would go on so. */
static bool is_elsewhere(const vectorizer *q, const candidate *p) {
  for (int l = 0; l < p->lanes; l++)
    if (p->node[l] >= 0 && q->home[p->node[l]] >= 0) return true;
  return false;
}

static void make(vectorizer *q, candidate *p) {
  int there = 0, first = 0, same = 1, lead = 0;
  for (int l = p->lanes - 1; l >= 0; l--)
    if (p->node[l] >= 0) {
      there++;
      lead = l;
    }
  for (int l = 0; l < p->lanes; l++) same &= p->node[l] == p->node[lead];
  const int known = count_of(q, p, is_known, &first);
  if (known == there) {
    p->kind = KNOWN;
    for (int l = 0; l < p->lanes; l++)
      p->factor[l] = p->node[l] < 0 ? ag_number_from(0, 0) : number_at(q, p->node[l]);
    for (int l = 0; l < p->lanes; l++)
      if (p->sign[l] < 0) p->factor[l] = ag_number_neg(p->factor[l]);
    return;
  }
  if (same) {
    memset(p->sign, 1, sizeof p->sign);
    p->kind = SPLAT;
    return;
  }
  if (is_beyond(q, p, p->node[lead]) || is_elsewhere(q, p)) {
    make_apart(p);
    return;
  }
  const int scaled = count_of(q, p, is_scaled, &first);
  if (scaled > 0 && factors_missing(q, p, first)) {
    make_scale(q, p, first);
    return;
  }
  const int sums = count_of(q, p, is_sum, &first);
  if (sums > 0 && (sums == there || terms_missing(q, p, first))) {
    make_sum(q, p, first);
    return;
  }
  if (count_of(q, p, is_product, &first) == there)
    make_product(q, p, first, MUL);
  else if (count_of(q, p, is_quotient, &first) == there)
    make_product(q, p, first, DIV);
  else
    make_apart(p);
}

/* The candidate of these nodes. sign: as they are wanted, which a new candidate follows where it can; then, of
 * what is wanted, the sign to the candidate's value. */
int ag_request_candidate(vectorizer *q, int set, ag_id *node, signed char *sign) {
  candidate p = {.set = set, .lanes = q->sets[set].lanes};
  strip(q, p.lanes, node, sign);
  int found = find_candidate(q, set, node);
  if (found < 0) {
    memcpy(p.node, node, (size_t)p.lanes * sizeof *node);
    memcpy(p.sign, sign, (size_t)p.lanes);
    make(q, &p);
    found = add_candidate(q, &p);
    const unsigned h = bucket_of(set, p.node, p.lanes);
    q->candidates[found].next = q->bucket[h];
    q->bucket[h] = found;
    if (p.kind >= SUM)
      for (int l = 0; l < p.lanes; l++)
        if (p.node[l] >= 0 && q->home[p.node[l]] < 0) q->home[p.node[l]] = found;
  }
  for (int l = 0; l < p.lanes; l++) sign[l] = (signed char)(sign[l] * q->candidates[found].sign[l]);
  return found;
}
