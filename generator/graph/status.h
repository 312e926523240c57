/* SPDX-License-Identifier: MIT */
/* status.h: the status bits that functions return: their numbers, names, and what they tell. */
#ifndef AG_STATUS_H
#define AG_STATUS_H

#include "graph/graph.h"

enum {
  AG_BIT_SINGULAR = 1,
  AG_BIT_SATURATED = 2,
  AG_BIT_NOT_FINITE = 4,
  AG_BIT_BOUND_ACTIVE = 8,
  AG_BIT_BAD_INPUT = 16,
  AG_BIT_UNACTUATED = 32,
  AG_BIT_NOT_POSITIVE = 64,
  AG_BIT_NOT_CLOSED = 128
};
enum { AG_STATUS_BITS = 8 };

/* Bit 1 << k is named ag_status_names[k]; NULL behind the last. */
extern const char *const ag_status_names[AG_STATUS_BITS + 1];

/* The name of a bit: "SINGULAR". */
const char *ag_status_name(unsigned bit);

/* Bits with which a result is not to be used. */
enum {
  AG_UNUSABLE = AG_BIT_NOT_FINITE | AG_BIT_BAD_INPUT | AG_BIT_NOT_POSITIVE | AG_BIT_NOT_CLOSED
};

/* The bits that a function can return: those whose condition is not the constant false. */
unsigned ag_status_of(const ag_graph *graph);
/* The same of one way. */
unsigned ag_status_of_way(const ag_graph *graph, const ag_way *way);
/* The same of all functions of a header. */
unsigned ag_status_of_header(const ag_header *header);

/* What the bit tells of a function of the header, for its user. */
const char *ag_status_text(const ag_header *header, unsigned bit);

#endif
