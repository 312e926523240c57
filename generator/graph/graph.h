/* SPDX-License-Identifier: MIT */
/* graph.h: how a function's results are computed: scalar nodes, and which of them are the results. */
#ifndef AG_GRAPH_H
#define AG_GRAPH_H

#include "graph/dag.h"
#include "graph/function.h"

typedef struct ag_status_bit {
  unsigned bit; /* status.h */
  ag_id node;   /* boolean */
} ag_status_bit;

typedef struct ag_region {
  const char *title;  /* "outward: joint_2 -> half_arm_1_link" */
  const char *source; /* "motion.lua:41" */
  const char *body;   /* the link, joint or group that it is about, for names; NULL: none */
  int row; /* of a large system, from 1 on, whose text other rows may have, too (lower/alike.h); 0: of none */
} ag_region;

typedef struct ag_way { /* results */
  ag_id *outputs;       /* by element of the function's outputs; -1: not said yet */
  int noutputs;         /* of them that have been declared */
  ag_status_bit *status;
  int nstatus;
  ag_id *
      nodes; /* of a complete graph: what guard and results are made of, the guard's first, operands before their users */
  int nnodes;
} ag_way;

enum { AG_GENERAL, AG_FAST, AG_MOST_WAYS };

struct ag_graph {
  const ag_function *function;
  ag_dag dag;
  ag_region *regions;
  int nregions;
  /* The general way; and the fast way, for most states: a null-space solve or early elimination, whose results are the
   * function's where `guard` (boolean) holds. when, otherwise: comments on the two. */
  ag_way ways[AG_MOST_WAYS];
  int nways;
  ag_id guard;
  int nguard; /* of a complete graph: how many nodes the guard is made of; 0: there is one way */
  const char *when, *otherwise;
  /* A condition that the guard begins with, cheap beside the rest of it: where it does not hold, the rest
   * need not be known. 0: none. */
  ag_id first;
  bool rooted;       /* a square root of constants, which is approximated, is among its constants */
  struct ag_length { /* the square of a vector with this component is at most this sum of squares */
    ag_id component, square;
  } * lengths;
  int nlengths;
  struct ag_root { /* this node approximates the square root of that one */
    ag_id root, square;
  } * roots;
  int nroots;
  /* with limbs as lanes (limbs/vectorize.h) */
  const unsigned char *width;   /* by node: lanes of its value; NULL: all are numbers */
  const struct ag_limbs *limbs; /* the sets of limbs in its lanes (limbs/limbs.h) */
  int nlimbs;
  int chain; /* cycles of its longest chain of steps that wait for each other, about */
};

ag_graph *ag_graph_new(ag_arena *arena, const ag_function *function);

/* A graph for the same results, of nodes that are still to be made; those of the inputs are there. */
ag_graph *ag_graph_like(ag_arena *arena, const ag_graph *graph);

/* The same graph, of which nodes can be added, and results changed. */
ag_graph *ag_graph_copy(ag_arena *arena, const ag_graph *graph);

/* The nodes of an element of the function's outputs, which has been declared. */
void ag_graph_output(ag_arena *arena, ag_graph *graph, int way, int element, ag_id node);
/* Adds a condition under which the way sets a status bit. */
void ag_graph_status(ag_arena *arena, ag_graph *graph, int way, unsigned bit, ag_id condition);
/* Gives the graph a fast way where `guard` holds, whose outputs and status are still to be
 * said. first: what it begins with, or 0; when, otherwise: comments on the two ways. */
void ag_graph_add_fast_way(ag_arena *arena, ag_graph *graph, ag_id guard, ag_id first,
                           const char *when, const char *otherwise);
/* Says that `component` is one of a vector whose square is at most `square`, a sum of squares. */
void ag_graph_no_longer(ag_arena *arena, ag_graph *graph, ag_id component, ag_id square);
/* Says that `root` approximates the square root of `square`. */
void ag_graph_root(ag_arena *arena, ag_graph *graph, ag_id root, ag_id square);
/* Begins a region: a step of the algorithm, for comments; source: the script's name and line; row: 0 or of a large system. */
void ag_graph_region(ag_arena *arena, ag_graph *graph, const char *title, const char *source,
                     const char *body, int row);

/* Whether a node belongs to a row of a large system: its formula stays as it is, that of other rows. */
bool ag_is_of_row(const ag_graph *graph, ag_id id);
/* By node, whether such nodes of other regions are made of it, to which its sign must not go (ag_hold_sign); NULL: there are none. */
bool *ag_named_by_rows(const ag_graph *graph, ag_arena *arena);

/* Whether an output's element is one of a derivative, and zero whatever comes in. */
bool ag_always_zero(const ag_graph *graph, int element);

#endif
