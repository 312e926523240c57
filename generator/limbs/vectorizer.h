/* SPDX-License-Identifier: MIT */
/* vectorizer.h: what the steps of ag_vectorize_functions (limbs/vectorize.h) share: nodes of limbs, and vectors of them that may be
 * made. */
#ifndef AG_VECTORIZER_H
#define AG_VECTORIZER_H

#include "limbs/limbs.h"
#include "graph/graph.h"

typedef enum candidate_kind {
  SPLAT,  /* the same number in every lane */
  KNOWN,  /* factor */
  GATHER, /* numbers, joined */
  SUM,    /* a + turn b */
  SCALE,  /* factor a */
  MUL,    /* a b */
  DIV     /* a / b */
} candidate_kind;

typedef struct candidate { /* a vector that may be made: lane l is sign[l] node[l] */
  candidate_kind kind;
  int set, lanes;
  ag_id node[AG_LANES]; /* -1: 0 */
  signed char sign[AG_LANES];
  int a, b; /* candidates */
  signed char turn[AG_LANES];
  ag_number factor[AG_LANES];
  bool apart; /* computed one by one, after all */
  int next;   /* in the hash chain */
  /* found by the walk from the results */
  char state; /* 0 not reached, 1 on the way, 2 reached */
  bool taken[AG_LANES];
  int users; /* vectors made of it */
  ag_id made;
} candidate;

enum { BUCKETS = 4096 };

typedef struct vectorizer {
  const ag_header *header;
  const ag_graph *graph;
  ag_node *nodes; /* the graph's, and sums that only lanes have */
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
  candidate *candidates;
  int ncandidates;
  int bucket[BUCKETS];
  int *home; /* by node: the candidate that has it in a lane; -1 */
  char *state;
  int *open, nopen; /* candidates on the way of the walk */
  bool again;
  ag_id *made;         /* by node, in the new graph */
  const bool *of_rows; /* ag_named_by_rows */
  ag_dag *dag;
} vectorizer;

/* A hash of two. */
static inline uint64_t ag_mix(uint64_t a, uint64_t b) {
  uint64_t h = (a ^ (b + 0x9E3779B97F4A7C15u + (a << 6) + (a >> 2))) * 0xBF58476D1CE4E5B9u;
  return h ^ (h >> 31);
}

static inline const ag_node *at(const vectorizer *q, ag_id id) {
  return &q->nodes[id];
}

static inline ag_number number_at(const vectorizer *q, ag_id id) {
  return ag_number_from(at(q, id)->value, at(q, id)->exact);
}

static inline bool is_sum(const vectorizer *q, ag_id id) {
  return id >= 0 && (at(q, id)->op == AG_ADD || at(q, id)->op == AG_SUB);
}

static inline bool is_scaled(const vectorizer *q, ag_id id) {
  return id >= 0 && at(q, id)->op == AG_MUL && at(q, at(q, id)->a)->op == AG_CONST;
}

/* Operands of a sum with signs; of a lane without one of them: -1. */
static inline void terms_of(const vectorizer *q, ag_id id, ag_id term[2], signed char sign[2]) {
  const ag_node *n = at(q, id);
  term[0] = n->a;
  term[1] = n->b;
  sign[0] = 1;
  sign[1] = n->op == AG_SUB ? -1 : 1;
}

static inline ag_id bare(const vectorizer *q, ag_id id) {
  while (id >= 0 && at(q, id)->op == AG_NEG) id = at(q, id)->a;
  return id;
}

static inline bool stands(const candidate *p) {
  return p->kind >= SUM && !p->apart;
}

static inline int lane_of(const candidate *p, ag_id id) {
  int l = 0;
  while (p->node[l] != id) l++;
  return l;
}

#endif
