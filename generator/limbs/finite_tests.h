/* SPDX-License-Identifier: MIT */
/* finite_tests.h: fewer tests whether numbers are finite. */
#ifndef AG_FINITE_TESTS_H
#define AG_FINITE_TESTS_H

#include "graph/graph.h"

/* Gives the graphs of a header that have limbs as lanes (vectorize.h) shorter questions whether all that came in and goes out is finite. */
void ag_ask_less(ag_header *header);

#endif
