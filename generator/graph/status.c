/* SPDX-License-Identifier: MIT */
/* status.c: see status.h */
#include "graph/status.h"

#include "base/limits.h"
#include "base/sincos.h"
#include "base/text.h"

#include <string.h>

const char *const ag_status_names[AG_STATUS_BITS + 1] = {"SINGULAR",     "SATURATED",  "NOT_FINITE",
                                                         "BOUND_ACTIVE", "BAD_INPUT",  "UNACTUATED",
                                                         "NOT_POSITIVE", "NOT_CLOSED", NULL};

/* The armature, the mass or the centre of mass of a load; its tensor has a shape of its own. */
static bool of_inertia(const ag_quantity *q) {
  const char *word = strrchr(q->name, '.');
  if (!word) return strcmp(q->name, "armature") == 0;
  return strcmp(word, ".mass") == 0 || strcmp(word, ".com") == 0;
}

/* Inputs that mean nothing (State:finish of state.lua tests them). */
static const char *bad_input(const ag_header *h) {
  bool bounded = false, sides = false, periods = false, rests = false, ranges = false,
       inertias = ag_uses_shape(h, AG_INERTIA) || ag_uses_shape(h, AG_TENSOR);
  for (int k = 0; k < h->nfunctions; k++)
    for (int i = 0; i < h->functions[k]->in.nquantities; i++) {
      const ag_quantity *q = &h->functions[k]->in.quantities[i];
      inertias |= of_inertia(q);
      sides |= strcmp(q->name, "side") == 0;
      ranges |= q->shape == AG_LIST && strncmp(q->name, "upper.", 6) == 0;
      periods |= q->shape == AG_SCALAR && strcmp(q->name, "period") == 0;
      rests |= q->shape == AG_JOINTS && (strcmp(q->name, "breakaway") == 0 ||
                                         (strcmp(q->name, "friction") == 0 && q->defaults));
    }
  for (int k = 0; k < h->nfunctions; k++) bounded |= h->functions[k]->after != NULL;
  bool soft = false, weighted = false;
  for (int k = 0; k < h->nrows; k++) {
    soft |= h->rows[k].compliant;
    weighted |= h->rows[k].weighted;
  }
  return ag_printf(
      h->arena, "|q|%s above %s, %sa mask neither 0 nor 1%s%s%s%s%s%s%s%s",
      ag_has_yaw(h) ? " or |yaw|" : "",
      h->target.single ? AG_TEXT_OF(AG_ANGLE_FLOAT) : AG_TEXT_OF(AG_ANGLE_DOUBLE),
      ag_uses_shape(h, AG_QUATERNION) ? "a quaternion's norm not 1, " : "",
      inertias ? ", an inertia above " AG_TEXT_OF(AG_LARGEST_INERTIA) : "",
      sides ? ", a side not -1, 0 or 1" : "", bounded ? ", lo above hi, friction below 0" : "",
      periods ? ", a period not above 0" : "", ranges ? ", upper below b" : "",
      rests ? ", breakaway friction below that in motion" : "",
      soft ? ", a compliance below 0" : "", weighted ? ", a weight not from 0 to 1" : "");
}

const char *ag_status_name(unsigned bit) {
  int k = 0;
  while (k < AG_STATUS_BITS - 1 && bit != 1u << k) k++;
  return ag_status_names[k];
}

unsigned ag_status_of_way(const ag_graph *graph, const ag_way *way) {
  unsigned bits = 0;
  for (int i = 0; i < way->nstatus; i++) {
    const ag_node *n = &graph->dag.nodes[way->status[i].node];
    if (n->op != AG_BOOL || n->value != 0) bits |= way->status[i].bit;
  }
  return bits;
}

unsigned ag_status_of(const ag_graph *graph) {
  unsigned bits = 0;
  for (int way = 0; way < graph->nways; way++) bits |= ag_status_of_way(graph, &graph->ways[way]);
  return bits;
}

unsigned ag_status_of_header(const ag_header *header) {
  unsigned bits = 0;
  for (int k = 0; k < header->nfunctions; k++) bits |= ag_status_of(header->functions[k]->graph);
  return bits;
}

const char *ag_status_text(const ag_header *h, unsigned bit) {
  switch (bit) {
  case AG_BIT_SINGULAR:
    return "a row depends on others, or nearly, or no joint can move along it";
  case AG_BIT_SATURATED:
    return "a torque is at its effort limit: b is not reached";
  case AG_BIT_NOT_FINITE:
    return "an input or a result is NaN or infinite: all torques are 0";
  case AG_BIT_BOUND_ACTIVE:
    return "a bounded row is at its bound";
  case AG_BIT_BAD_INPUT:
    return bad_input(h);
  case AG_BIT_UNACTUATED:
    return h->nbase ? "the base or a joint without motor would need force: b is not reached"
                    : "a joint without motor would need torque: b is not reached";
  case AG_BIT_NOT_CLOSED:
    return "a linkage is not closed by its steps, or at a singular position: all torques are 0";
  default:
    return "an inertia given at run time that no body can have";
  }
}
