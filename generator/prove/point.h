/* SPDX-License-Identifier: MIT */
/* point.h: a random point: every input of the functions of a header as a number in both worlds. The
 * double decides comparisons, the exact number follows. Point number k is the same on every
 * machine, but for the last bits of its angles' tangents. */
#ifndef AG_POINT_H
#define AG_POINT_H

#include "graph/graph.h"
#include "prove/decisions.h"

typedef struct ag_given { /* an input, by its name */
  const ag_list *list;    /* of a program that takes it */
  const ag_quantity *quantity;
  ag_number *values;
} ag_given;

typedef struct ag_point {
  const ag_header *header;
  ag_arena *arena;
  ag_given *given;
  int ngiven;
  ag_residue turn[3]; /* of a derivative: how a moving base turns, about the axes of the world */
  ag_decisions *decisions; /* the comparisons of its definitions */
} ag_point;

/* Adds the inputs of a program; inputs of one name are one. */
void ag_point_add(ag_point *point, const ag_graph *graph);

/* Draws point number k. Number 0 has all rows in force, later ones mask some; some have their joints
 * nearly at rest, others all positions zero or nearly so, where many robots are singular. */
void ag_point_draw(ag_point *point, int k);

/* Masks no rows, about half of them or the others. */
void ag_point_mask(ag_point *point, ag_turning turn);

/* The values of an input; NULL: no program takes it. */
ag_number *ag_point_find(const ag_point *point, const char *name);

/* One of them; NULL: the input has no number at this index, too. */
ag_number *ag_point_element(const ag_point *point, const char *name, int index);

/* Copies the values to where the program takes them. */
void ag_point_fill(const ag_point *point, const ag_graph *graph, ag_number *in);

/* A random element of the field: number k of those with this name. */
ag_residue ag_point_residue(const char *name, int k);

/* Cosine and sine of an angle in both worlds: of the double x they are rounded ones and those of the
 * point t = tan(x / 2) of the circle, exact. */
void ag_point_circle(double x, ag_number *c, ag_number *s);

#endif
