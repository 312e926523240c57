/* SPDX-License-Identifier: MIT */
/* sampler.h: random states of a robot: values for the inputs of its programs that make physical
 * sense. State number k is the same on every machine, whatever else is requested. */
#ifndef AG_SAMPLER_H
#define AG_SAMPLER_H

#include "model/model.h"
#include "graph/graph.h"

typedef struct ag_sampled { /* an input, by its name */
  const ag_list *list;      /* of a program that takes it */
  const ag_quantity *quantity;
  double *values;
} ag_sampled;

typedef struct ag_sampler {
  const ag_model *model;
  const ag_header *header;
  ag_sampled *sampled;
  int nsampled;
} ag_sampler;

/* Adds the inputs of a program; inputs of one name are one. */
void ag_sampler_add(ag_sampler *sampler, const ag_graph *graph);

/* Where a joint's position is drawn: within its limits, as far as numbers have digits to spare
 * there: angles, those of joints that mimic it too, within 100 rad, lengths within 10 m; where the
 * limits are all beyond, around 0. Returns whether that is less than the limits allow. */
bool ag_sampler_range(const ag_sampler *sampler, int joint, double *lower, double *upper);

/* Draws state number k: joints within that range, masks 0 or 1, rotations, inertias near the
 * URDF's. With single, values are floats; the rotation matrix of a base stays one of doubles. */
void ag_sampler_draw(ag_sampler *sampler, int k, bool single);

/* The drawn values of an input; NULL: no program takes it. */
double *ag_sampler_find(const ag_sampler *sampler, const char *name);

/* Moves the joints' positions, balls and the base's orientation by h seconds at velocities v, those of the
 * base first: along the axes of the world, linear (without effect), then angular. */
void ag_sampler_move(const ag_sampler *sampler, const double *v, double h);

/* Copies the drawn values to where the program's evaluation takes them. */
void ag_sampler_fill(const ag_sampler *sampler, const ag_graph *graph, double *in);

#endif
