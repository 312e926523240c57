/* SPDX-License-Identifier: MIT */
/* dag.h: scalar expressions as a directed acyclic graph, hash-consed. No robotics here.
 *
 * A node is an integer id; operands have smaller ids than what is made of them, so the order of ids
 * is a valid order of evaluation: the order in which the algorithm made them. The constructors fold
 * constants, 0, 1, -1 and signs and put operands of commutative operators in one order, so that
 * equal expressions become one node.
 *
 * A constant is a number in two worlds (base/field.h): the double that is printed, and the exact
 * element that it stands for. Folding computes both; two constants are one node, and a constant is
 * 0 or 1, only where both agree. So the graph that is printed is the one that --prove judges. */
#ifndef AG_DAG_H
#define AG_DAG_H

#include "base/arena.h"
#include "base/field.h"

#include <stdbool.h>
#include <stdint.h>

typedef enum ag_op {
  /* real valued */
  AG_CONST,  /* value, exact */
  AG_INPUT,  /* a: index of the input */
  AG_ADD,    /* a + b */
  AG_SUB,    /* a - b */
  AG_MUL,    /* a b */
  AG_DIV,    /* a / b */
  AG_NEG,    /* -a */
  AG_SIN,    /* sin a */
  AG_COS,    /* cos a */
  AG_SELECT, /* a ? b : c, a boolean */
  AG_JOIN, /* the lanes of a, then those of b: numbers, or vectors of as many lanes (limbs/vectorize.h) */
  AG_TAKE, /* a number: lane b of a vector a */
  /* boolean */
  AG_BOOL,  /* value 0 or 1 */
  AG_PROBE, /* a is NaN or infinite; by its bits, which no reordering of arithmetic changes */
  AG_PROBE_INPUTS, /* one of the inputs of index a to b is NaN, infinite, or of size 2^c or more; c AG_FINITE: whatever
                    * their size */
  AG_PROBE_TURNS, /* one of the sines and cosines that a function is given is NaN, or 2 or more in size */
  AG_LT,          /* a < b; false where an operand is NaN */
  AG_EQ,          /* a == b; false where an operand is NaN */
  AG_AND,
  AG_OR,
  AG_NOT,
  AG_ANY, /* a in one of its lanes, a a vector of them (limbs/vectorize.h) */
  AG_NOPS
} ag_op;

enum { AG_FINITE = INT32_MAX }; /* no number has such an exponent */

typedef int32_t ag_id;

/* A constant that others are compared with: what the emitted text calls it, and why it is that number. */
typedef struct ag_limit {
  const char *name, *reason;
  double value;
} ag_limit;

/* Whether they are one constant of one name. */
bool ag_same_limit(const ag_limit *a, const ag_limit *b);

typedef struct ag_node {
  ag_op op;
  int32_t region;   /* index of the region that made it */
  ag_id a, b, c;    /* operands; -1: none */
  const char *name; /* wish for a name in the emitted text; NULL: none */
  int32_t scope;    /* region whose body's name comes before it; -1: none */
  bool labelled;    /* name is also a wish for a statement of its own */
  bool approximate; /* by what it stands for, not by its formula: a square root (ag_approximate) */
  double value;
  ag_residue exact; /* of a constant: what it stands for */
  const ag_limit *
      limit; /* what an operand of this value, or of this value negated, is; NULL: nothing is said of it */
} ag_node;

typedef struct ag_dag {
  ag_arena *arena;
  ag_node *nodes;
  ag_id count, capacity;
  struct ag_bucket { /* open addressing: equal nodes have equal hashes */
    uint32_t hash;
    ag_id node; /* its id + 1; 0: empty */
  } * places;
  uint32_t nplaces; /* a power of 2, at least twice the nodes */
  int32_t region;   /* stamped on new nodes */
  bool
      alike; /* what differs by constants alone is made of the same nodes: signs of constants stay where they are */
} ag_dag;

/* An empty graph, in the arena. */
void ag_dag_init(ag_dag *dag, ag_arena *arena);

/* The nodes of the operators above (ag_op). Equal ones are made once; those of constants are
 * folded. */
ag_id ag_constant(ag_dag *dag, double value); /* exactly this double */
ag_id ag_exact(ag_dag *dag, ag_number number);
ag_id ag_input(ag_dag *dag, int index);
ag_id ag_add(ag_dag *dag, ag_id a, ag_id b);
ag_id ag_sub(ag_dag *dag, ag_id a, ag_id b);
ag_id ag_mul(ag_dag *dag, ag_id a, ag_id b);
ag_id ag_div(ag_dag *dag, ag_id a, ag_id b);
ag_id ag_neg(ag_dag *dag, ag_id a);
/* A value itself; where it is a negated one, with its sign in a statement of its own: what is made of it has the formula of any other. */
ag_id ag_hold_sign(ag_dag *dag, ag_id a);
ag_id ag_sin(ag_dag *dag, ag_id a);
ag_id ag_cos(ag_dag *dag, ag_id a);
ag_id ag_select(ag_dag *dag, ag_id condition, ag_id yes, ag_id no);
ag_id ag_join(ag_dag *dag, ag_id a, ag_id b);
/* The vector of these; lanes: a power of 2. */
ag_id ag_join_all(ag_dag *dag, const ag_id *of, int lanes);
ag_id ag_take(ag_dag *dag, ag_id a, int lane);
/* b - a of a node -(a - b), though equal differences are one node otherwise; of others, itself. */
ag_id ag_turn_difference(ag_dag *dag, ag_id a);
ag_id ag_probe(ag_dag *dag, ag_id a);
ag_id ag_probe_size(ag_dag *dag, ag_id input, int exponent);
ag_id ag_probe_turns(ag_dag *dag);
ag_id ag_bool(ag_dag *dag, bool value);
ag_id ag_lt(ag_dag *dag, ag_id a, ag_id b);
ag_id ag_eq(ag_dag *dag, ag_id a, ag_id b);
ag_id ag_and(ag_dag *dag, ag_id a, ag_id b);
ag_id ag_or(ag_dag *dag, ag_id a, ag_id b);
ag_id ag_not(ag_dag *dag, ag_id a);
ag_id ag_any(ag_dag *dag, ag_id a);

/* Whether a number is NaN, infinite, or of size 2^exponent or more. */
bool ag_is_beyond(double x, int exponent);

/* The node of `n`, which may be of another graph, over other operands. */
ag_id ag_remake(ag_dag *dag, const ag_node *n, const ag_id of[3]);

/* Whether a node is boolean valued. */
static inline bool ag_is_boolean(const ag_dag *dag, ag_id id) {
  return dag->nodes[id].op >= AG_BOOL;
}
/* Whether a node comes from outside: inputs, sines and cosines. */
static inline bool ag_is_given(const ag_dag *dag, ag_id id) {
  const ag_op op = dag->nodes[id].op;
  return op == AG_INPUT || op == AG_SIN || op == AG_COS;
}
/* Whether a node is this constant, in both worlds. */
static inline bool ag_is_value(const ag_dag *dag, ag_id id, double value) {
  const ag_node *n = &dag->nodes[id];
  return n->op == AG_CONST && n->value == value && n->exact == ag_residue_of(value);
}
/* The constant that a node is. */
static inline ag_number ag_number_at(const ag_dag *dag, ag_id id) {
  return ag_number_from(dag->nodes[id].value, dag->nodes[id].exact);
}
/* Says what a constant is, in the comparisons, choices and products by it that a node is made of near by. */
void ag_say_limit(ag_dag *dag, ag_id id, const ag_limit *limit);
/* What the emitted text is to say of a node. */
typedef struct ag_words {
  const char *name;
  int32_t scope;
  const ag_limit *limit;
} ag_words;
static inline ag_words ag_words_of(const ag_node *n) {
  return (ag_words){n->name, n->scope, n->limit};
}
/* Says the same of a node that was made of the one of which it is said, where nothing is said of it yet. */
void ag_keep_words(ag_dag *dag, ag_id id, ag_words said);
/* Says of a node that it stands for something that is no rational function of the inputs, a square
 * root, which it approximates. Signs go out of products, so what a sign is before counts. */
static inline void ag_approximate(ag_dag *dag, ag_id id) {
  if (dag->nodes[id].op == AG_NEG) id = dag->nodes[id].a;
  dag->nodes[id].approximate = true;
}
/* Is x = k input + c with constants k and c? Sines and cosines are taken of such angles only. */
bool ag_affine(const ag_dag *dag, ag_id x, int *input, double *k, double *c);
/* How many operands an operator has. */
int ag_arity(ag_op op);
/* The operands that a program computes for a node; returns how many. At most 3: said here for the
 * static analyzer. A sine or cosine has none: it comes from outside, with its angle. */
static inline int ag_operands(const ag_node *n, ag_id of[3]) {
  const int arity = n->op == AG_SIN || n->op == AG_COS ? 0 : ag_arity(n->op);
  of[0] = n->a;
  of[1] = n->b;
  of[2] = n->c;
  return arity < 3 ? arity : 3;
}
/* The same with the angle of a sine or cosine. */
static inline int ag_all_operands(const ag_node *n, ag_id of[3]) {
  const int arity = ag_arity(n->op);
  (void)ag_operands(n, of);
  return arity < 3 ? arity : 3;
}
/* The number of which this one is the same turned around, else itself. */
static inline ag_id ag_without_sign(const ag_dag *dag, ag_id id) {
  return dag->nodes[id].op == AG_NEG ? dag->nodes[id].a : id;
}

#endif
