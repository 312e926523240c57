/* lanes.c: see lanes.h
 *
 * Superword-level parallelism (Larsen and Amarasinghe, PLDI 2000), begun where it is known to be: at
 * outputs of corresponding joints and rows, and at what limbs hand to the rest of the robot. From
 * there operands are paired in lockstep, limb by limb, down to constants, inputs and numbers that
 * all limbs share. Constants differ between limbs, and where one is 0, 1 or -1 the graph has folded
 * something away: a term that is missing is 0 in its lane, a factor that is missing is 1, a sign is
 * one of the lane's constants. What does not pair is gathered: computed one by one, then joined. */
#include "program/lanes.h"

#include "program/limbs.h"
#include "program/schedule.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum pack_kind {
  SPLAT,  /* the same number in every lane */
  KNOWN,  /* factor */
  GATHER, /* numbers, joined */
  SUM,    /* a + turn b */
  SCALE,  /* factor a */
  MUL,    /* a b */
  DIV     /* a / b */
} pack_kind;

typedef struct pack { /* a vector: lane l is sign[l] node[l] */
  pack_kind kind;
  int set, lanes;
  ag_id node[AG_LANES]; /* -1: 0 */
  signed char sign[AG_LANES];
  int a, b; /* packs */
  signed char turn[AG_LANES];
  ag_number factor[AG_LANES];
  bool apart; /* computed one by one, after all */
  int next;   /* in the hash chain */
  /* found by the walk from the results */
  char state; /* 0 not reached, 1 on the way, 2 reached */
  bool taken[AG_LANES];
  int users; /* vectors made of it */
  ag_id made;
} pack;

enum { BUCKETS = 4096 };

typedef struct packer {
  const ag_header *header;
  const ag_program *program;
  ag_node *nodes; /* the program's, and sums that only lanes have */
  ag_id nnodes;
  ag_arena *arena;
  ag_limbs *sets;
  int nsets;
  uint64_t *look;   /* by node: its formula without constants, signs and limbs */
  uint64_t *fine;   /* the same, and which one it is of those of the limb that look so */
  uint64_t *form;   /* by node: its formula without constants and signs, of whatever it is made */
  uint64_t *keys;   /* formulas of limbs, by hash; 0: none */
  size_t nkeys;     /* places less 1 */
  uint64_t *equals; /* how many there have been */
  uint64_t *leaves; /* by node: inputs that it is made of, a Bloom filter */
  uint64_t *limb;   /* by node: bits of the limbs whose inputs it is made of */
  uint64_t *own;    /* by node: the bit of the limb that alone makes it, or uses it; 0: none */
  int *depth;
  const int *uses;
  pack *packs;
  int npacks;
  int bucket[BUCKETS];
  int *home; /* by node: the pack that has it in a lane; -1 */
  char *state;
  int *open, nopen; /* packs on the way of the walk */
  bool again;
  ag_id *made; /* by node, in the new graph */
  ag_dag *dag;
} packer;

static const ag_node *at(const packer *q, ag_id id) {
  return &q->nodes[id];
}

static ag_number number_at(const packer *q, ag_id id) {
  return (ag_number){at(q, id)->value, at(q, id)->exact};
}

/* ---- what nodes look like ---- */

enum { SHARED = 5 }; /* of what is no limb's own */

static bool is_sum(const packer *q, ag_id id) {
  return id >= 0 && (at(q, id)->op == AG_ADD || at(q, id)->op == AG_SUB);
}
static bool is_scaled(const packer *q, ag_id id) {
  return id >= 0 && at(q, id)->op == AG_MUL && at(q, at(q, id)->a)->op == AG_CONST;
}

static uint64_t mix(uint64_t a, uint64_t b) {
  uint64_t h = (a ^ (b + 0x9E3779B97F4A7C15u + (a << 6) + (a >> 2))) * 0xBF58476D1CE4E5B9u;
  return h ^ (h >> 31);
}

/* The set, limb and place of a joint; false: it is in no limb. */
static bool find_joint(const packer *q, int joint, int *set, int *limb, int *place) {
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

static uint64_t limb_bit(const packer *q, int set, int limb) {
  int bit = limb;
  for (int s = 0; s < set; s++) bit += q->sets[s].count;
  return (uint64_t)1 << (bit & 63);
}

/* The joint that an element of a quantity belongs to: its own, or that of its row. */
static int joint_of(const packer *q, const ag_list *list, int element, int *which) {
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

static int quantity_of(const ag_list *list, int element) {
  int k = 0;
  while (element >= list->quantities[k].first + list->quantities[k].size) k++;
  return k;
}

static void look_at_input(packer *q, ag_id id) {
  const ag_list *in = &q->program->in;
  const int element = at(q, id)->a;
  int set, limb, place, which;
  const int joint = joint_of(q, in, element, &which);
  if (joint >= 0 && find_joint(q, joint, &set, &limb, &place)) {
    q->limb[id] = limb_bit(q, set, limb);
    q->look[id] = mix((uint64_t)quantity_of(in, element) + 1000u, mix((uint64_t)place, mix((uint64_t)which, (uint64_t)set)));
  } else {
    q->look[id] = mix(7u, (uint64_t)element);
  }
  q->leaves[id] = (uint64_t)1 << (q->look[id] >> 58);
}

static uint64_t limb_of_output(const packer *q, const ag_program *way, int element) {
  int set, limb, place, which;
  const int joint = joint_of(q, &way->out, element, &which);
  if (joint < 0 || !find_joint(q, joint, &set, &limb, &place)) return (uint64_t)1 << 63;
  return limb_bit(q, set, limb);
}

/* Marks what only one limb's results are made of: what the rest of the robot does to the limb. */
static void look_back(packer *q) {
  const ag_program *p = q->program;
  uint64_t *reached = ag_alloc(q->arena, (size_t)p->dag.count * sizeof *reached);
  for (const ag_program *way = p; way; way = way->fast)
    for (int i = 0; i < way->out.nelements; i++)
      reached[way->out.elements[i].node] |= limb_of_output(q, way, i);
  for (ag_id id = p->dag.count - 1; id >= 0; id--) {
    ag_id of[3];
    const int arity = reached[id] ? ag_operands(at(q, id), of) : 0;
    for (int k = at(q, id)->op == AG_SELECT; k < arity; k++) reached[of[k]] |= reached[id];
    if ((reached[id] & (reached[id] - 1)) == 0 && reached[id] >> 63 == 0) q->own[id] = reached[id];
  }
}

/* How many nodes of the same limbs before this one have the same formula. */
static uint64_t which_of_equals(packer *q, ag_id id, uint64_t formula) {
  const uint64_t key = mix(formula, q->own[id]) | 1;
  size_t k = (size_t)(key >> 7) & q->nkeys;
  while (q->keys[k] && q->keys[k] != key) k = (k + 1) & q->nkeys;
  q->keys[k] = key;
  return q->equals[k]++;
}

/* A node's formula by those of its operands in `look`. */
static uint64_t formula_of(const packer *q, ag_id id, const uint64_t *look) {
  const ag_node *n = at(q, id);
  const ag_id of[3] = {n->a, n->b, n->c};
  uint64_t sum = 0;
  if (n->op == AG_CONST) return 3;
  if (n->op == AG_NEG) return look[n->a];
  if (n->op == AG_MUL && at(q, n->a)->op == AG_CONST) return look[n->b];
  if (n->op == AG_MUL || n->op == AG_ADD || n->op == AG_SUB)
    return mix(n->op == AG_MUL ? 11u : 12u, mix(look[n->a], 1) + mix(look[n->b], 1));
  for (int k = 0; k < ag_arity(n->op); k++) sum = mix(sum, look[of[k]]);
  return mix((uint64_t)n->op + 20u, sum);
}

static void look_at(packer *q, ag_id id) {
  const ag_node *n = at(q, id);
  if (n->op == AG_INPUT) {
    look_at_input(q, id);
    q->form[id] = mix(9u, (uint64_t)n->a);
  } else {
    q->form[id] = formula_of(q, id, q->form);
    const ag_id of[3] = {n->a, n->b, n->c};
    for (int k = 0; k < ag_arity(n->op); k++) {
      q->leaves[id] |= q->leaves[of[k]];
      q->limb[id] |= q->limb[of[k]];
      if (q->depth[id] <= q->depth[of[k]]) q->depth[id] = q->depth[of[k]] + 1;
    }
    q->look[id] = q->fine[id] = formula_of(q, id, q->look);
    if (n->op == AG_SIN || n->op == AG_COS) q->leaves[id] = (uint64_t)1 << (q->look[id] >> 58);
  }
  if (q->own[id] == 0) q->own[id] = q->limb[id];
  if (q->own[id] & (q->own[id] - 1)) q->own[id] = 0;
  if (q->own[id] == 0) {
    if (n->op != AG_CONST) q->look[id] = q->fine[id] = SHARED;
    return;
  }
  const bool own = n->op != AG_INPUT && n->op != AG_NEG && !is_scaled(q, id);
  q->fine[id] = n->op == AG_INPUT ? q->look[id] : formula_of(q, id, q->fine);
  if (own) q->fine[id] = mix(q->fine[id], which_of_equals(q, id, q->fine[id]));
}

/* How alike two nodes of different limbs are, from 0 to 1000. */
static int alike(const packer *q, ag_id a, ag_id b) {
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

/* ---- packs ---- */

static unsigned bucket_of(int set, const ag_id *node, int lanes) {
  uint64_t h = (uint64_t)set;
  for (int l = 0; l < lanes; l++) h = mix(h, (uint64_t)node[l]);
  return (unsigned)(h % BUCKETS);
}

/* The number of a new pack; sign: all 1. */
static int add_pack(packer *q, const pack *of) {
  q->packs = ag_room(q->arena, q->packs, q->npacks, sizeof *q->packs);
  pack *p = &q->packs[q->npacks];
  *p = *of;
  p->next = -1;
  return q->npacks++;
}

static int request(packer *q, int set, ag_id *node, signed char *sign);

/* Operands of a sum with signs; of a lane without one of them: -1. */
static void terms_of(const packer *q, ag_id id, ag_id term[2], signed char sign[2]) {
  const ag_node *n = at(q, id);
  term[0] = n->a;
  term[1] = n->b;
  sign[0] = 1;
  sign[1] = n->op == AG_SUB ? -1 : 1;
}

static ag_id bare(const packer *q, ag_id id) {
  while (id >= 0 && at(q, id)->op == AG_NEG) id = at(q, id)->a;
  return id;
}

/* Whether term[0] and term[1] of a lane correspond to those of the first the other way round. */
static bool crossed(const packer *q, const ag_id first[2], const ag_id term[2]) {
  ag_id f[2] = {bare(q, first[0]), bare(q, first[1])}, t[2] = {bare(q, term[0]), bare(q, term[1])};
  const int across = alike(q, f[0], t[1]) + alike(q, f[1], t[0]);
  const int straight = alike(q, f[0], t[0]) + alike(q, f[1], t[1]);
  if (across != straight) return across > straight;
  return (first[0] < first[1]) != (term[0] < term[1]); /* in the order in which they were made */
}

static void make_apart(pack *p) {
  memset(p->sign, 1, sizeof p->sign);
  p->kind = GATHER;
}

static void strip(const packer *q, int lanes, ag_id *node, signed char *sign) {
  for (int l = 0; l < lanes; l++)
    for (; node[l] >= 0 && at(q, node[l])->op == AG_NEG; node[l] = at(q, node[l])->a)
      sign[l] = (signed char)-sign[l];
}

/* The pack of these nodes, which have no signs; -1: there is none yet. */
static int find_pack(const packer *q, int set, const ag_id *node) {
  const int lanes = q->sets[set].lanes;
  const size_t size = (size_t)lanes * sizeof *node;
  int found = q->bucket[bucket_of(set, node, lanes)];
  while (found >= 0 &&
         (q->packs[found].set != set || memcmp(q->packs[found].node, node, size) != 0))
    found = q->packs[found].next;
  return found;
}

/* Operands of a pack by lanes: nodes, and the signs with which they are wanted. */
typedef struct operand {
  ag_id node[AG_LANES];
  signed char sign[AG_LANES];
  int pack;
} operand;

/* Makes the packs of both operands, so that the signs of both are those of the first. One that is
 * made already has its signs, so it goes first: a new one can adapt. */
static void request_both(packer *q, int set, operand *x, operand *y) {
  const int lanes = q->sets[set].lanes;
  strip(q, lanes, x->node, x->sign);
  strip(q, lanes, y->node, y->sign);
  if (find_pack(q, set, x->node) < 0 && find_pack(q, set, y->node) >= 0) {
    const operand swap = *x;
    *x = *y;
    *y = swap;
  }
  x->pack = request(q, set, x->node, x->sign);
  for (int l = 0; l < lanes; l++) y->sign[l] = (signed char)(y->sign[l] * x->sign[l]);
  y->pack = request(q, set, y->node, y->sign);
}

static bool is_mixed(const signed char *sign, int lanes) {
  for (int l = 1; l < lanes; l++)
    if (sign[l] != sign[0]) return true;
  return false;
}

/* sign times a pack, where its factors can hold the signs; -1: they cannot. */
static int turn_factors(packer *q, int k, const signed char *sign) {
  pack turned = q->packs[k];
  const ag_node *n = turned.node[0] >= 0 ? at(q, turned.node[0]) : NULL;
  if (turned.kind == SPLAT && is_scaled(q, turned.node[0])) {
    ag_id node[AG_LANES];
    signed char plus[AG_LANES];
    for (int l = 0; l < turned.lanes; l++) {
      node[l] = n->b;
      plus[l] = 1;
      turned.factor[l] = number_at(q, n->a);
    }
    turned.a = request(q, turned.set, node, plus);
    for (int l = 0; l < turned.lanes; l++)
      if (plus[l] < 0) turned.factor[l] = ag_number_neg(turned.factor[l]);
    turned.kind = SCALE;
  }
  if (turned.kind != SCALE && turned.kind != KNOWN) return -1;
  for (int l = 0; l < turned.lanes; l++) {
    if (sign[l] < 0) turned.factor[l] = ag_number_neg(turned.factor[l]);
    turned.sign[l] = (signed char)(turned.sign[l] * sign[l]);
  }
  return add_pack(q, &turned);
}

/* a + turn b, the turn in the factors of one of them where it has such. */
static void make_sum(packer *q, pack *p, int first) {
  operand x, y;
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
  p->a = x.pack;
  p->b = y.pack;
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

static void make_scale(packer *q, pack *p, int first) {
  operand x;
  for (int l = 0; l < p->lanes; l++) {
    x.node[l] = p->node[l];
    x.sign[l] = 1;
    p->factor[l] = (ag_number){1, 1};
    if (p->node[l] < 0) {
      x.node[l] = at(q, p->node[first])->b;
      p->factor[l] = (ag_number){0, 0};
    } else if (is_scaled(q, p->node[l])) {
      x.node[l] = at(q, p->node[l])->b;
      p->factor[l] = number_at(q, at(q, p->node[l])->a);
    }
  }
  p->a = request(q, p->set, x.node, x.sign);
  for (int l = 0; l < p->lanes; l++)
    if (x.sign[l] * p->sign[l] < 0) p->factor[l] = ag_number_neg(p->factor[l]);
  p->kind = SCALE;
}

static void make_product(packer *q, pack *p, int first, pack_kind kind) {
  operand x, y;
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
    y.pack = request(q, p->set, y.node, y.sign);
    memcpy(x.sign, y.sign, sizeof x.sign);
    x.pack = request(q, p->set, x.node, x.sign);
    memcpy(y.sign, x.sign, sizeof y.sign);
  }
  p->a = x.pack;
  p->b = y.pack;
  for (int l = 0; l < p->lanes; l++) p->sign[l] = (signed char)(p->sign[l] * y.sign[l]);
  p->kind = kind;
}

/* The first lane with such a node, and how many have one, -1 left out. */
static int count_of(const packer *q, const pack *p, bool (*is)(const packer *, ag_id), int *first) {
  int count = 0;
  for (int l = p->lanes - 1; l >= 0; l--)
    if (is(q, p->node[l])) {
      count++;
      *first = l;
    }
  return count;
}

static bool is_product(const packer *q, ag_id id) {
  return id >= 0 && at(q, id)->op == AG_MUL && !is_scaled(q, id);
}
static bool is_quotient(const packer *q, ag_id id) {
  return id >= 0 && at(q, id)->op == AG_DIV;
}
static bool is_known(const packer *q, ag_id id) {
  return id >= 0 && at(q, id)->op == AG_CONST;
}

enum { ALIKE = 500 };

/* Whether every lane that is no sum is like one of the first sum's terms. */
static bool terms_missing(const packer *q, const pack *p, int first) {
  ag_id term[2];
  signed char sign[2];
  terms_of(q, p->node[first], term, sign);
  for (int l = 0; l < p->lanes; l++) {
    const ag_id id = p->node[l];
    if (id < 0 || is_sum(q, id)) continue;
    if (alike(q, bare(q, term[0]), id) < ALIKE && alike(q, bare(q, term[1]), id) < ALIKE) return false;
  }
  return true;
}
static bool factors_missing(const packer *q, const pack *p, int first) {
  for (int l = 0; l < p->lanes; l++) {
    const ag_id id = p->node[l];
    if (id >= 0 && !is_scaled(q, id) && alike(q, at(q, p->node[first])->b, id) < ALIKE) return false;
  }
  return true;
}

/* Whether these are no limb's own, and differ: what limbs hang on has no lanes. */
static bool is_beyond(const packer *q, const pack *p, ag_id lead) {
  bool alike = true;
  for (int l = 0; l < p->lanes; l++) {
    const ag_id id = p->node[l];
    const int limb = l < q->sets[p->set].count ? l : 0;
    if (id < 0) continue;
    if (q->own[id] & limb_bit(q, p->set, limb)) return false;
    alike &= q->form[id] == q->form[lead];
  }
  return !alike;
}

/* Whether a node is in a lane beside others: then lockstep has gone astray, and would go on so. */
static bool is_elsewhere(const packer *q, const pack *p) {
  for (int l = 0; l < p->lanes; l++)
    if (p->node[l] >= 0 && q->home[p->node[l]] >= 0) return true;
  return false;
}

static void make(packer *q, pack *p) {
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
      p->factor[l] = p->node[l] < 0 ? (ag_number){0, 0} : number_at(q, p->node[l]);
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

/* The pack of these nodes. sign: as they are wanted, which a new pack follows where it can; then, of
 * what is wanted, the sign to the pack's value. */
static int request(packer *q, int set, ag_id *node, signed char *sign) {
  pack p = {.set = set, .lanes = q->sets[set].lanes};
  strip(q, p.lanes, node, sign);
  int found = find_pack(q, set, node);
  if (found < 0) {
    memcpy(p.node, node, (size_t)p.lanes * sizeof *node);
    memcpy(p.sign, sign, (size_t)p.lanes);
    make(q, &p);
    found = add_pack(q, &p);
    const unsigned h = bucket_of(set, p.node, p.lanes);
    q->packs[found].next = q->bucket[h];
    q->bucket[h] = found;
    if (p.kind >= SUM)
      for (int l = 0; l < p.lanes; l++)
        if (p.node[l] >= 0 && q->home[p.node[l]] < 0) q->home[p.node[l]] = found;
  }
  for (int l = 0; l < p.lanes; l++) sign[l] = (signed char)(sign[l] * q->packs[found].sign[l]);
  return found;
}

/* ---- where lockstep begins ---- */

/* nodes: one of each limb; further lanes repeat the first. */
static void begin(packer *q, int set, const ag_id *nodes) {
  ag_id node[AG_LANES];
  signed char sign[AG_LANES];
  const ag_limbs *limbs = &q->sets[set];
  for (int l = 0; l < limbs->lanes; l++) {
    node[l] = nodes[l < limbs->count ? l : 0];
    sign[l] = 1;
  }
  (void)request(q, set, node, sign);
}

/* What is selected where the other choice is a constant. */
static ag_id through_selection(const packer *q, ag_id id) {
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

static void begin_at_outputs(packer *q, const ag_program *way) {
  for (int i = 0; i < way->out.nelements; i++) {
    int set, limb, place, which;
    const int joint = joint_of(q, &way->out, i, &which);
    if (joint < 0 || !find_joint(q, joint, &set, &limb, &place) || limb != 0) continue;
    ag_id nodes[AG_LANES];
    int found = 0;
    for (int k = 0; k < way->out.nelements; k++) {
      int s, l, c, w;
      const int other = joint_of(q, &way->out, k, &w);
      if (quantity_of(&way->out, i) != quantity_of(&way->out, k) || other < 0) continue;
      if (!find_joint(q, other, &s, &l, &c) || s != set || c != place || w != which) continue;
      nodes[l] = through_selection(q, way->out.elements[k].node);
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
static int find_border(const packer *q, uint64_t bit, const bool *outside, border *list) {
  int count = 0;
  for (ag_id id = 0; id < q->program->dag.count; id++) {
    if (!outside[id] || q->limb[id] != bit || at(q, id)->op == AG_NEG || q->home[id] >= 0) continue;
    list[count++] = (border){q->look[id], id};
  }
  qsort(list, (size_t)count, sizeof *list, by_look);
  return count;
}

static void begin_at_borders(packer *q, const bool *outside) {
  const size_t nodes = (size_t)q->program->dag.count;
  for (int set = 0; set < q->nsets; set++) {
    border *list[AG_LANES];
    int n[AG_LANES], from[AG_LANES] = {0};
    const int count = q->sets[set].count;
    for (int l = 0; l < count; l++) {
      list[l] = ag_alloc(q->arena, nodes * sizeof **list);
      n[l] = find_border(q, limb_bit(q, set, l), outside, list[l]);
    }
    while (from[0] < n[0]) {
      const uint64_t look = list[0][from[0]].look;
      int equal = 1, most = 0, size[AG_LANES];
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

static bool of_one_limb(const packer *q, ag_id id) {
  return q->limb[id] != 0 && (q->limb[id] & (q->limb[id] - 1)) == 0;
}

/* Adds the terms of a sum over limbs that are each of one limb. uses: of nodes; what is used twice is
 * a sum of its own. */
static void flatten(packer *q, ag_id id, signed char sign, const int *uses, terms *list) {
  for (; at(q, id)->op == AG_NEG; id = at(q, id)->a) sign = (signed char)-sign;
  const bool shared = is_sum(q, id) && (q->limb[bare(q, at(q, id)->a)] == 0 || q->limb[bare(q, at(q, id)->b)] == 0);
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
static term join_terms(packer *q, term x, term y) {
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
  look_at(q, (ag_id)count);
  return (term){q->nnodes++, x.sign};
}

/* The sum of terms, in the way in which a corresponding one is made. */
static term mirror(packer *q, ag_id like, const term *of, int count) {
  if (count == 1) return of[0];
  term *part[2];
  int n[2] = {0, 0};
  if (is_sum(q, like)) {
    const ag_id x = bare(q, at(q, like)->a), y = bare(q, at(q, like)->b);
    for (int k = 0; k < 2; k++) part[k] = ag_alloc(q->arena, (size_t)count * sizeof **part);
    for (int k = 0; k < count; k++) {
      const int side = alike(q, y, of[k].id) > alike(q, x, of[k].id);
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
static void begin_at_terms(packer *q, int set, const terms *lists) {
  const int count = q->sets[set].count;
  int few = 0;
  for (int l = 1; l < count; l++)
    if (lists[l].count < lists[few].count) few = l;
  const terms *like = &lists[few];
  for (int k = 0; k < like->count; k++) {
    ag_id node[AG_LANES];
    for (int l = 0; l < count; l++) {
      term *of = ag_alloc(q->arena, (size_t)lists[l].count * sizeof *of);
      int n = 0;
      for (int i = 0; i < lists[l].count; i++) {
        int best = 0, most = -1;
        for (int j = 0; j < like->count; j++) {
          const int score = alike(q, like->of[j].id, lists[l].of[i].id);
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
    for (int l = 0; l < count; l++) same &= q->look[node[l]] == q->look[node[0]];
    if (same) begin(q, set, node);
  }
}

/* Sums over limbs: what limbs hand to the rest of the robot. */
static void begin_at_sums(packer *q) {
  const ag_program *p = q->program;
  bool *inside = ag_alloc(q->arena, (size_t)p->dag.count * sizeof *inside);
  const int *uses = q->uses;
  for (ag_id id = p->dag.count - 1; id >= 0; id--) {
    if (!is_sum(q, id) || q->limb[id] == 0 || of_one_limb(q, id)) continue;
    inside[bare(q, at(q, id)->a)] = inside[bare(q, at(q, id)->b)] = true;
    if (uses[id] == 0 || (uses[id] == 1 && inside[id])) continue;
    terms all = {0};
    flatten(q, id, 1, uses, &all);
    for (int set = 0; set < q->nsets; set++) {
      terms lists[AG_LANES] = {0};
      const int count = q->sets[set].count;
      int there = 0;
      for (int l = 0; l < count; l++) {
        for (int k = 0; k < all.count; k++) {
          if (q->limb[all.of[k].id] != limb_bit(q, set, l)) continue;
          lists[l].of = ag_room(q->arena, lists[l].of, lists[l].count, sizeof *lists[l].of);
          lists[l].of[lists[l].count++] = all.of[k];
        }
        there += lists[l].count > 0;
      }
      if (there == count) begin_at_terms(q, set, lists);
    }
  }
}

/* By node: used by one of more limbs, or a result. */
static bool *find_outside(const packer *q) {
  const ag_program *p = q->program;
  bool *outside = ag_alloc(q->arena, (size_t)p->dag.count * sizeof *outside);
  for (const ag_program *way = p; way; way = way->fast) {
    for (int i = 0; i < way->norder; i++) {
      const ag_node *n = at(q, way->order[i]);
      ag_id of[3];
      const int arity = ag_operands(n, of);
      for (int k = 0; k < arity; k++)
        if (q->limb[bare(q, of[k])] != q->limb[way->order[i]]) outside[bare(q, of[k])] = true;
    }
    for (int i = 0; i < way->out.nelements; i++) outside[bare(q, way->out.elements[i].node)] = true;
  }
  return outside;
}

/* ---- which packs are worth it ---- */

static void reach(packer *q, ag_id id);

static bool stands(const pack *p) {
  return p->kind >= SUM && !p->apart;
}

static void reach_pack(packer *q, int k) {
  pack *p = &q->packs[k];
  p->users++;
  if (p->state == 1) {
    q->packs[q->open[q->nopen - 1]].apart = true;
    q->again = true;
  }
  if (p->state || q->again) return;
  p->state = 1;
  if (stands(p)) q->open[q->nopen++] = k;
  if (stands(p)) {
    reach_pack(q, p->a);
    if (p->kind != SCALE) reach_pack(q, p->b);
  } else if (p->kind != KNOWN) {
    for (int l = 0; l < p->lanes; l++)
      if (p->node[l] >= 0) reach(q, p->node[l]);
  }
  if (stands(p)) q->nopen--;
  p->state = 2;
}

static int lane_of(const pack *p, ag_id id) {
  int l = 0;
  while (p->node[l] != id) l++;
  return l;
}

static void reach(packer *q, ag_id id) {
  if (q->state[id] == 1) {
    assert(q->nopen > 0);
    q->packs[q->open[q->nopen - 1]].apart = true;
    q->again = true;
  }
  if (q->state[id] || q->again) return;
  q->state[id] = 1;
  const int home = q->home[id];
  if (home >= 0 && stands(&q->packs[home])) {
    pack *p = &q->packs[home];
    p->taken[lane_of(p, id)] = true;
    p->users--;
    reach_pack(q, home);
  } else {
    ag_id of[3];
    const int arity = ag_operands(at(q, id), of);
    for (int k = 0; k < arity; k++) reach(q, of[k]);
  }
  q->state[id] = 2;
}

/* Walks from the results; where vectors wait for each other, the last one on the way is taken apart. */
static void walk(packer *q) {
  do {
    q->again = false;
    q->nopen = 0;
    memset(q->state, 0, (size_t)q->nnodes);
    for (int k = 0; k < q->npacks; k++) {
      q->packs[k].state = 0;
      q->packs[k].users = 0;
      memset(q->packs[k].taken, 0, sizeof q->packs[k].taken);
    }
    for (const ag_program *way = q->program; way; way = way->fast) {
      for (int i = 0; i < way->out.nelements; i++) reach(q, way->out.elements[i].node);
      for (int i = 0; i < way->nstatus; i++) reach(q, way->status[i].node);
      if (way->fast) reach(q, way->guard);
    }
  } while (q->again);
}

static int taken(const pack *p) {
  int count = 0;
  for (int l = 0; l < p->lanes; l++) count += p->taken[l];
  return count;
}

/* What an operand costs, in hundredths of an operation: its joining, shared by its users. */
static int joining(const pack *p) {
  if (stands(p) || p->kind == KNOWN) return 0;
  const int users = p->users > 0 ? p->users : 1;
  return (p->kind == SPLAT ? 30 : 100 * p->lanes) / users;
}

/* What it would cost to take the lanes of an operand that is a vector. */
static int taking(const pack *p) {
  return stands(p) ? 100 * (p->lanes - taken(p)) : 0;
}

static bool is_worth(const packer *q, const pack *p) {
  const pack *a = &q->packs[p->a], *b = p->kind == SCALE ? a : &q->packs[p->b];
  int distinct = 0;
  for (int l = 0; l < p->lanes; l++) {
    bool first = p->node[l] >= 0;
    for (int k = 0; k < l; k++) first &= p->node[k] != p->node[l];
    distinct += first;
  }
  const int together = 100 + 100 * taken(p) + joining(a) + (a == b ? 0 : joining(b));
  const int apart = 100 * distinct + (p->users > 0 ? 100 * p->lanes : 0) + taking(a) + (a == b ? 0 : taking(b));
  return together <= apart;
}

static void choose(packer *q) {
  for (bool changed = true; changed;) {
    changed = false;
    walk(q);
    for (int k = q->npacks - 1; k >= 0; k--) {
      pack *p = &q->packs[k];
      if (!p->state || !stands(p) || is_worth(q, p)) continue;
      p->apart = true;
      changed = true;
    }
  }
}

/* ---- the new graph ---- */

static ag_id build(packer *q, ag_id id);

static ag_id join_of(packer *q, const ag_id *of, int lanes) {
  if (lanes == 1) return of[0];
  return ag_join(q->dag, join_of(q, of, lanes / 2), join_of(q, of + lanes / 2, lanes / 2));
}

static ag_id labelled(packer *q, ag_id id) {
  if (q->dag->nodes[id].op == AG_JOIN) q->dag->nodes[id].labelled = true;
  return id;
}

static ag_id known(packer *q, const ag_number *number, int lanes) {
  ag_id of[AG_LANES];
  bool same = true;
  for (int l = 0; l < lanes; l++) {
    of[l] = ag_exact(q->dag, number[l]);
    same &= of[l] == of[0];
  }
  return same ? of[0] : labelled(q, join_of(q, of, lanes));
}

/* s x */
static ag_id turned(packer *q, const signed char *s, ag_id x, int lanes) {
  ag_number number[AG_LANES];
  for (int l = 0; l < lanes; l++) number[l] = s[l] < 0 ? ag_number_neg((ag_number){1, 1}) : (ag_number){1, 1};
  return ag_mul(q->dag, known(q, number, lanes), x);
}

static ag_id build_pack(packer *q, int k) {
  pack *p = &q->packs[k];
  if (p->made >= 0) return p->made;
  ag_id of[AG_LANES] = {-1}, a = -1, b = -1;
  if (stands(p)) {
    a = build_pack(q, p->a);
    if (p->kind != SCALE) b = build_pack(q, p->b);
  } else if (p->kind != KNOWN) {
    for (int l = 0; l < p->lanes; l++) of[l] = p->node[l] < 0 ? ag_constant(q->dag, 0) : build(q, p->node[l]);
  }
  p = &q->packs[k];
  for (int l = p->lanes - 1; l >= 0; l--)
    if (p->node[l] >= 0) q->dag->region = at(q, p->node[l])->region;
  if (p->apart && p->kind >= SUM) {
    const ag_id joined = labelled(q, join_of(q, of, p->lanes));
    bool same = true, plus = true;
    for (int l = 0; l < p->lanes; l++) {
      same &= of[l] == of[0];
      plus &= p->sign[l] > 0;
    }
    for (int l = 0; l < p->lanes; l++)
      if (p->sign[l] < 0) of[l] = ag_neg(q->dag, of[l]);
    p->made = plus ? joined : labelled(q, join_of(q, of, p->lanes));
    return p->made;
  }
  switch (p->kind) {
  case SPLAT:
    p->made = of[0];
    break;
  case KNOWN:
    p->made = known(q, p->factor, p->lanes);
    break;
  case GATHER:
    p->made = labelled(q, join_of(q, of, p->lanes));
    break;
  case SUM: {
    bool plus = true, minus = true;
    for (int l = 0; l < p->lanes; l++) {
      plus &= p->turn[l] > 0;
      minus &= p->turn[l] < 0;
    }
    if (minus)
      p->made = ag_sub(q->dag, a, b);
    else
      p->made = ag_add(q->dag, a, plus ? b : turned(q, p->turn, b, p->lanes));
    break;
  }
  case SCALE:
    p->made = ag_mul(q->dag, known(q, p->factor, p->lanes), a);
    break;
  case MUL:
    p->made = ag_mul(q->dag, a, b);
    break;
  case DIV:
    p->made = ag_div(q->dag, a, b);
    break;
  }
  return p->made;
}

/* ---- conditions: one of many holds ---- */

typedef struct conditions {
  ag_id *of;
  int count;
} conditions;

/* Adds the conditions of which one must hold. */
static void alternatives(packer *q, ag_id id, bool first, conditions *list) {
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
static int probed_home(const packer *q, ag_id id) {
  const ag_node *n = at(q, id);
  if (n->op != AG_PROBE) return -1;
  const int home = q->home[bare(q, n->a)];
  return home >= 0 && stands(&q->packs[home]) ? home : -1;
}

/* Comparisons of inputs with the same constant: which side the input is on, 1 or 2; 0: none. */
static int compared_input(const packer *q, ag_id id) {
  const ag_node *n = at(q, id);
  if (n->op != AG_LT) return 0;
  if (at(q, n->a)->op == AG_INPUT && at(q, n->b)->op == AG_CONST) return 1;
  return at(q, n->a)->op == AG_CONST && at(q, n->b)->op == AG_INPUT ? 2 : 0;
}

static ag_id input_of(const packer *q, ag_id id) {
  return compared_input(q, id) == 1 ? at(q, id)->a : at(q, id)->b;
}
static ag_id bound_of(const packer *q, ag_id id) {
  return compared_input(q, id) == 1 ? at(q, id)->b : at(q, id)->a;
}

/* Of the alternatives from the i-th on, those that compare what follows the i-th's input in the same
 * array with the same constant: at[l], as many as a vector has lanes; false: there are fewer. */
static bool find_row(const packer *q, const conditions *list, int i, int lanes, int *at_lane) {
  const ag_element *elements = q->program->in.elements;
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
static ag_id build_row(packer *q, const conditions *list, const int *at_lane, int lanes) {
  const ag_id first = list->of[at_lane[0]];
  const int side = compared_input(q, first);
  const ag_id bound = build(q, bound_of(q, first));
  ag_id of[AG_LANES];
  for (int l = 0; l < lanes; l++) {
    of[l] = build(q, input_of(q, list->of[at_lane[l]]));
    list->of[at_lane[l]] = -1;
  }
  const ag_id row = labelled(q, join_of(q, of, lanes));
  return side == 1 ? ag_lt(q->dag, row, bound) : ag_lt(q->dag, bound, row);
}

/* Lanes of the vectors that conditions are asked of: of all sets' the widest. */
static int widest(const packer *q) {
  int lanes = 0;
  for (int s = 0; s < q->nsets; s++)
    if (q->sets[s].lanes > lanes) lanes = q->sets[s].lanes;
  return lanes;
}

static ag_id build_alternatives(packer *q, ag_id id) {
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
      lanes = q->packs[home].lanes;
      const ag_id vector = build_pack(q, home);
      for (int k = i; k < list.count; k++)
        if (list.of[k] >= 0 && probed_home(q, list.of[k]) == home) list.of[k] = -1;
      q->dag->region = at(q, id)->region;
      mask = ag_probe(q->dag, vector);
    } else if (compared_input(q, list.of[i]) && find_row(q, &list, i, lanes, at_lane)) {
      q->dag->region = at(q, id)->region;
      mask = build_row(q, &list, at_lane, lanes);
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

static ag_id again(packer *q, const ag_node *n, const ag_id of[3]) {
  ag_dag *dag = q->dag;
  switch (n->op) {
  case AG_CONST:
    return ag_exact(dag, (ag_number){n->value, n->exact});
  case AG_INPUT:
    return ag_input(dag, n->a);
  case AG_ADD:
    return ag_add(dag, of[0], of[1]);
  case AG_SUB:
    return ag_sub(dag, of[0], of[1]);
  case AG_MUL:
    return ag_mul(dag, of[0], of[1]);
  case AG_DIV:
    return ag_div(dag, of[0], of[1]);
  case AG_NEG:
    return ag_neg(dag, of[0]);
  case AG_SIN:
    return ag_sin(dag, of[0]);
  case AG_COS:
    return ag_cos(dag, of[0]);
  case AG_SELECT:
    return ag_select(dag, of[0], of[1], of[2]);
  case AG_BOOL:
    return ag_bool(dag, n->value != 0);
  case AG_PROBE:
    return ag_probe(dag, of[0]);
  case AG_LT:
    return ag_lt(dag, of[0], of[1]);
  case AG_EQ:
    return ag_eq(dag, of[0], of[1]);
  case AG_AND:
    return ag_and(dag, of[0], of[1]);
  default:
    assert(n->op == AG_NOT);
    return ag_not(dag, of[0]);
  }
}

/* A number: of a vector's lane where it is in one. */
static ag_id build(packer *q, ag_id id) {
  if (q->made[id] >= 0) return q->made[id];
  const int home = q->home[id];
  if (home >= 0 && stands(&q->packs[home])) {
    const ag_id vector = build_pack(q, home);
    const int lane = lane_of(&q->packs[home], id);
    q->dag->region = at(q, id)->region;
    const ag_id number = ag_take(q->dag, vector, lane);
    q->made[id] = q->packs[home].sign[lane] < 0 ? ag_neg(q->dag, number) : number;
    return q->made[id];
  }
  const ag_node *n = at(q, id);
  if (n->op == AG_OR) {
    const ag_id any = build_alternatives(q, id);
    q->made[id] = any;
    return any;
  }
  ag_id of[3] = {n->a, n->b, n->c};
  const int arity = ag_arity(n->op);
  for (int k = 0; k < arity; k++) of[k] = build(q, of[k]);
  n = at(q, id);
  q->dag->region = n->region;
  q->made[id] = n->op == AG_PROBE_INPUTS ? ag_probe_inputs(q->dag, n->a, n->b) : again(q, n, of);
  return q->made[id];
}

static void build_results(packer *q, const ag_program *from, ag_program *to) {
  ag_arena *arena = q->header->arena;
  to->out.elements = ag_alloc(arena, (size_t)(from->out.nelements + 1) * sizeof *to->out.elements);
  to->status = ag_alloc(arena, (size_t)(from->nstatus + 1) * sizeof *to->status);
  for (int i = 0; i < from->out.nelements; i++) {
    to->out.elements[i] = from->out.elements[i];
    to->out.elements[i].node = build(q, from->out.elements[i].node);
  }
  for (int i = 0; i < from->nstatus; i++) {
    to->status[i] = from->status[i];
    to->status[i].node = build(q, from->status[i].node);
  }
}

const unsigned char *ag_lane_counts(const ag_dag *dag, ag_arena *arena) {
  unsigned char *lanes = ag_alloc(arena, (size_t)dag->count + 1);
  for (ag_id id = 0; id < dag->count; id++) {
    const ag_node *n = &dag->nodes[id];
    lanes[id] = 1;
    if (n->op == AG_JOIN) lanes[id] = (unsigned char)(2 * lanes[n->a]);
    const bool sum = n->op >= AG_ADD && n->op <= AG_NEG, or = n->op == AG_OR || n->op == AG_LT;
    if (!sum && !or && n->op != AG_PROBE) continue;
    lanes[id] = lanes[n->a];
    if (ag_arity(n->op) == 2 && lanes[n->b] > lanes[id]) lanes[id] = lanes[n->b];
  }
  return lanes;
}

/* What a way costs, in hundredths of an operation of numbers or vectors. */
static long cost_of(const ag_program *way) {
  long cost = 0;
  for (int i = 0; i < way->norder; i++) {
    const ag_node *n = &way->dag.nodes[way->order[i]];
    if (n->op >= AG_ADD && n->op <= AG_DIV) cost += 100;
    if (n->op == AG_TAKE) cost += 100;
    if (n->op == AG_JOIN && way->dag.nodes[n->a].op != AG_CONST) cost += 100;
  }
  return cost;
}

/* Whether vectors save a quarter of the operations of every way. */
static bool gains(const ag_program *lanes, const ag_program *program) {
  for (; program; program = program->fast, lanes = lanes->fast)
    if (4 * cost_of(lanes) > 3 * cost_of(program)) return false;
  return true;
}

ag_program *ag_pack_lanes(const ag_header *header, const ag_program *program) {
  packer q = {.header = header, .program = program, .arena = header->arena};
  const size_t count = (size_t)program->dag.count + 1;
  size_t room = 1;
  while (room < count) room *= 2;
  q.nnodes = program->dag.count;
  q.nodes = ag_alloc(q.arena, room * sizeof *q.nodes);
  memcpy(q.nodes, program->dag.nodes, (size_t)q.nnodes * sizeof *q.nodes);
  q.nsets = ag_find_limbs(header, header->single ? AG_LANES : AG_LANES / 2, &q.sets);
  if (q.nsets == 0) return NULL;
  q.look = ag_alloc(q.arena, room * sizeof *q.look);
  q.fine = ag_alloc(q.arena, room * sizeof *q.fine);
  q.form = ag_alloc(q.arena, room * sizeof *q.form);
  q.nkeys = 4 * room - 1;
  q.keys = ag_alloc(q.arena, (q.nkeys + 1) * sizeof *q.keys);
  q.equals = ag_alloc(q.arena, (q.nkeys + 1) * sizeof *q.equals);
  q.leaves = ag_alloc(q.arena, room * sizeof *q.leaves);
  q.limb = ag_alloc(q.arena, room * sizeof *q.limb);
  q.own = ag_alloc(q.arena, room * sizeof *q.own);
  q.depth = ag_alloc(q.arena, room * sizeof *q.depth);
  q.home = ag_alloc(q.arena, room * sizeof *q.home);
  memset(q.home, -1, room * sizeof *q.home);
  memset(q.bucket, -1, sizeof q.bucket);
  look_back(&q);
  for (ag_id id = 0; id < program->dag.count; id++) look_at(&q, id);
  for (const ag_program *way = program; way; way = way->fast) begin_at_outputs(&q, way);
  q.uses = ag_uses(program, q.arena);
  begin_at_sums(&q);
  begin_at_borders(&q, find_outside(&q));
  q.made = ag_alloc(q.arena, ((size_t)q.nnodes + 1) * sizeof *q.made);
  memset(q.made, -1, (size_t)q.nnodes * sizeof *q.made);
  q.state = ag_alloc(q.arena, (size_t)q.nnodes + 1);
  q.open = ag_alloc(q.arena, (size_t)(q.npacks + 1) * sizeof *q.open);
  choose(&q);
  for (int k = 0; k < q.npacks; k++) q.packs[k].made = -1;
  ag_program *lanes = ag_alloc(q.arena, sizeof *lanes);
  *lanes = *program;
  ag_dag_init(&lanes->dag, q.arena);
  q.dag = &lanes->dag;
  for (int i = 0; i < program->in.nelements; i++) (void)ag_input(q.dag, i);
  if (program->fast) {
    lanes->fast = ag_alloc(q.arena, sizeof *lanes->fast);
    *lanes->fast = *program->fast;
    build_results(&q, program->fast, lanes->fast);
    lanes->guard = lanes->fast->guard = build(&q, program->guard);
    lanes->dag.nodes[lanes->guard].labelled = true;
  }
  build_results(&q, program, lanes);
  lanes->width = ag_lane_counts(&lanes->dag, q.arena);
  ag_schedule(lanes, q.arena);
  if (getenv("LANES_COST")) fprintf(stderr, "%s %ld %ld\n", program->function, cost_of(lanes), cost_of(program));
  return gains(lanes, program) ? lanes : NULL;
}
