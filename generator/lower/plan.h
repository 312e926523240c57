/* SPDX-License-Identifier: MIT */
/* plan.h: a graph in the order in which a processor computes it, for one target. */
#ifndef AG_PLAN_H
#define AG_PLAN_H

#include "graph/graph.h"
#include "graph/target.h"

/* Operations of the arithmetic; comparisons, probes and status apart. */
typedef struct ag_cost {
  int add, mul, div, neg; /* add: additions and subtractions */
  int trig;               /* sines and cosines */
  int select, compare;
  int probe; /* finite tests */
  int live;  /* most values alive at a time */
} ag_cost;

/* Nodes of a way's order that a C function of its own computes. */
typedef struct ag_part {
  bool fast; /* of the fast way, and what comes before both */
  int first, behind;
  int lanes; /* of limbs of so many lanes; 1: of the trunk, 0: of a plan without stages */
  const struct ag_repeat
      *repeat; /* it is a step that has one function for several links (repeats.h); NULL: none */
  int call;    /* the how-many-eth of these */
} ag_part;

/* Kinds of values that wait: numbers, then vectors of 2, 4 and 8 of them, then the same of what holds or not. */
enum { AG_WIDTHS = 4, AG_KINDS = 2 * AG_WIDTHS };

/* Where what a part makes waits for later parts, for the results or for the status. */
typedef struct ag_waiting {
  int *place;  /* by node: among those of its kind that wait; -1: it does not wait there */
  int *output; /* by node: the element of the output that it is, and waits in; -1: it does not */
  int *
      stored; /* by element: the node of the order behind which the output is stored; -1: at the end */
} ag_waiting;

/* How a plan is cut into parts (split.h). */
typedef struct ag_split {
  ag_part *parts; /* those of the guard, then of the fast way, then of the general way */
  int nparts;
  ag_waiting own, fast; /* what the guard is made of is the same in both */
  int count[AG_KINDS];  /* places of each kind */
  int live, names; /* of a part at most: values alive at a time; statements, and values of others */
} ag_split;

/* A way in order. */
typedef struct ag_sequence {
  const ag_graph *graph;
  const ag_way *results;
  ag_id *
      order; /* the nodes that it is made of in order of evaluation, what the guard is made of first */
  int norder;
  bool *statement; /* by node: computed by a statement of its own; else in the text of its users */
  const bool *
      again; /* by node: a statement whose text another link's stands for (repeats.h); NULL: none is */
  ag_cost cost; /* what comes before the choice included */
} ag_sequence;

/* Bytes of code, predicted (text_size.h). */
typedef struct ag_text_size {
  int whole; /* of all ways */
  int most;  /* of what most states run through: of the fast way and its guard, or whole */
} ag_text_size;

typedef struct ag_plan ag_plan;
struct ag_plan {
  const ag_graph *graph;
  const ag_target *target;
  int part;          /* it is cut into parts of so many operations at most; 0: it is one function */
  ag_sequence own;   /* the general way */
  ag_sequence *fast; /* the fast way; NULL: there is one way */
  /* Both orders begin with the same nguard nodes, which the guard is made of or both ways need. */
  int nguard;
  const bool *early; /* by node: it is one of these; NULL: there is one way */
  const bool *
      inside; /* by node of the guard: known only where graph->first holds; NULL: all are always known */
  const bool *carried; /* by node: of these, what the other way asks for where graph->first holds */
  bool stored_tests;   /* whether results are finite is asked when all are stored (stored.h) */
  const bool *
      asked; /* of a batch with products: by output, whether it is asked behind these, which ask for themselves */
  const struct ag_products
      *products; /* results that are products, when all are stored (products.h); NULL: none are */
  const struct ag_repeats *
      repeats; /* steps with a function for several links (repeats.h), of a plan in parts; NULL: none */
  const ag_split *split;  /* NULL: it is one function */
  const ag_plan *vectors; /* the same in the order for several states at once; NULL: none */
  ag_plan *limbs;         /* of the graph with limbs as lanes; NULL: none */
  /* Where text was weighed (choice.h) and less of it was chosen: how much, and how much the usual plan has; else 0. */
  ag_text_size text, usual_text;
  struct ag_stages
      *stages; /* of the graph that has been cut for functions of a limb (stages.h); NULL: none */
  const struct ag_stages
      *of_stages; /* it is the plan of these, for parts of limbs; NULL: it is not */
};

/* Additions, subtractions, multiplications and divisions. */
int ag_flops(const ag_cost *cost);

/* The kind of a node's value, and how many lanes one has. */
int ag_kind_of(const ag_graph *graph, ag_id id);
int ag_kind_lanes(int kind);
/* Whether every part has a value for itself: sines, cosines and inputs are given, vectors of constants stand in its text. */
bool ag_is_at_hand(const ag_graph *graph, ag_id id);

/* Lists the statements that the text of a statement names, or that of a result, which may be a statement itself; of: room for all
 * statements. Returns how many. */
int ag_list_named(const ag_sequence *way, ag_id id, ag_id *of);
int ag_list_result(const ag_sequence *way, ag_id id, ag_id *of);

#endif
