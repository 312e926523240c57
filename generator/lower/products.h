/* SPDX-License-Identifier: MIT */
/* products.h: results that are a symmetric matrix times columns, as derivatives of forward dynamics are M^-1 times those of the
 * forces: by one text for all columns, in place of one for each. */
#ifndef AG_PRODUCTS_H
#define AG_PRODUCTS_H

#include "lower/plan.h"

/* n rows and columns of a matrix that is a result, too, times a column, in whose place the product is stored. */
typedef struct ag_product {
  int n;
  int matrix,
      across; /* the first element of the matrix among the outputs; from there to that of its next row */
  int column, down; /* the same of the column */
} ag_product;

typedef struct ag_products {
  ag_product *of;
  int count;
} ag_products;

/* Whether a graph has such results. */
bool ag_has_products(const ag_graph *graph, ag_arena *arena);

/* Puts the columns in the places of these results: the function multiplies them when all are stored. Returns which; NULL: there are
 * none. */
const ag_products *ag_leave_products(ag_graph *graph, ag_arena *arena);

/* Products and sums of these; NULL: there are none. */
ag_cost ag_cost_of_products(const ag_products *products);

/* Whether one text is for both. */
bool ag_same_product(const ag_product *a, const ag_product *b);

#endif
