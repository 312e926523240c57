/* SPDX-License-Identifier: MIT */
/* function.h: a function of a header: what it takes and gives. How it computes that is its graph's business (graph.h). */
#ifndef AG_GRAPH_FUNCTION_H
#define AG_GRAPH_FUNCTION_H

#include "graph/quantity.h"

typedef struct ag_graph ag_graph; /* graph.h */

struct ag_function {
  const char *name; /* "achd" */
  const char *takes,
      *fills;        /* whose structs it takes and fills: the function's own, or another's */
  const char *after; /* the function whose results it takes as well; NULL: none. Its inputs are then
                        those of `takes`, which it does not read, results named after that function
                        ("mclp.r"), and numbers by row; and it has no twin that takes sines */
  const char *doc;   /* lines of its comment */
  ag_list in, out;
  const char *formulation;
  int flops_recursion, flops_joint, flops_null,
      flops_early; /* of each formulation's best; 0: not tried */
  int saved_by_sums; /* operations, of the angles of joints with parallel axes; 0: none, or not counted */
  double
      general; /* share of random states that the fast way does not solve, where these were asked; else 0 */
  ag_graph *graph;
  ag_graph *
      for_limbs; /* the same results by fewer steps that wait for each other, for limbs as lanes; NULL: these are
                          made of `graph` */
  ag_graph *limbs; /* the same with limbs as lanes (limbs/vectorize.h); NULL: none */
  ag_graph *
      outlined; /* the same with numbers where limbs exchange them (limbs/outlining.h); NULL: none */
};

ag_function *ag_function_new(ag_arena *arena, const char *name, const char *doc);

/* Has any function a quantity of this shape? */
bool ag_uses_shape(const ag_header *header, ag_shape shape);
/* Whether quantities of this shape are arrays with a place for every row, though not every row may
 * have an element. */
bool ag_by_row(ag_shape shape);
/* The units of a quantity's elements, in their order; where joints or rows have several, the numbers of those that
 * have each: "m/s^2: rows 0 to 2; rad/s^2: rows 3 to 5". "1" where there is none. */
const char *ag_units(const ag_header *header, const ag_list *list, const ag_quantity *q);
/* Whether quantity i stands in a struct inside that an earlier one has opened. */
bool ag_stands_earlier(const ag_list *list, int i);
/* Whether a name before the i-th begins with the same `length` characters. */
bool ag_begun_earlier(const ag_list *list, int i, size_t length);
/* Whether an input, named "mclp.r", is a result of the function `after`, "mclp". */
bool ag_is_result_of(const char *after, const char *name);
/* Where each element of a list stands in its struct, counted in reals; behind the last, how many
 * reals the struct has. */
const int *ag_places(const ag_header *header, const ag_list *list);

#endif
