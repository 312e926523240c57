/* SPDX-License-Identifier: MIT */
/* vectorize.h: limbs of equal shape in the lanes of vectors: a graph made of another one, which computes
 * what limbs have in common once, with vectors that have a lane for each of them.
 *
 * Of nodes it has two kinds more (dag.h): AG_JOIN makes a vector of numbers, AG_TAKE takes a number
 * out of one. Sums, products, quotients and signs of vectors go lane by lane; a number beside a vector
 * counts in every lane. Every lane does the operations of the graph that it was made of, signs
 * apart, which go with constants; ag_shorten_chains then adds in another order. */
#ifndef AG_VECTORIZE_H
#define AG_VECTORIZE_H

#include "graph/graph.h"

/* A function's graph with limbs as lanes; NULL: nothing would be gained, in one of its ways; most: in that of most states. */
ag_graph *ag_vectorize_function(const ag_header *header, const ag_function *function, bool most);

/* Gives every function that gains by it a graph with limbs as lanes; false: none does. */
bool ag_vectorize_functions(ag_header *header);

#endif
