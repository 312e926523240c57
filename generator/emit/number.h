/* SPDX-License-Identifier: MIT */
/* number.h: numbers in emitted text. */
#ifndef AG_NUMBER_H
#define AG_NUMBER_H

#include "lower/plan.h"

/* A number of C that reads back as itself. */
const char *ag_emit_number(const ag_header *header, double value);
/* The same as a number in base 16, with all its bits. */
const char *ag_emit_bits(const ag_header *header, double value);

#endif
