/* SPDX-License-Identifier: MIT */
/* alike.h: steps of the algorithm that differ from link to link by constants alone: what a chain's links have in common; and those that
 * rows of a large system have in common, each of which stands for a link here. */
#ifndef AG_ALIKE_H
#define AG_ALIKE_H

#include "lower/plan.h"

/* Nodes, each once, in the order in which a step's text names them first. */
typedef struct ag_named {
  ag_id *of;
  int count;
} ag_named;

void ag_add_named(ag_arena *arena, ag_named *list, ag_id id);

/* A step of one link: a region's statements of one way, or of what comes before the choice between two. */
typedef struct ag_step {
  int region;
  int link;                 /* the how-many-eth that the algorithm comes to */
  ag_named statement;       /* in the algorithm's order */
  ag_named outer;           /* statements of other steps */
  ag_named constant, given; /* given: inputs, sines and cosines */
  ag_named stored;          /* elements of the output that are known behind it, by number */
  const char *
      look; /* the text with the numbers of these in place of their names; NULL: it cannot be another's */
  int operations;
} ag_step;

/* Steps of one look: of the same way, in the order in which they come. */
typedef struct ag_repeat {
  ag_step **step;
  int count;
  bool *common; /* by outer value: all steps name the same */
  int number;   /* among those of a plan (repeats.h) */
} ag_repeat;

/* Nodes of a way's order from `first` to the one before `behind`. */
typedef struct ag_range {
  const ag_sequence *way;
  int first, behind;
  bool stores; /* outputs are stored there */
} ag_range;

/* Whether rows of a large system may have a text in common: not where links have. */
bool ag_has_rows(const ag_graph *graph);
/* Whether links or rows may. */
bool ag_may_repeat(const ag_graph *graph);
/* How often a text is called at least. */
int ag_least_calls(const ag_graph *graph);

/* By node of the range's order, the region that it belongs to: its own, or a later one whose values it is made of; others: 0. */
int *ag_regions_of(const ag_range *range, ag_arena *arena);

/* Appends to list the repeats in a range of what is long enough to be called, and often enough. */
int ag_find_alike(const ag_range *range, const int *region, ag_repeat **list, int count,
                  ag_arena *arena);

#endif
