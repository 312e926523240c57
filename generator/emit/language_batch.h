/* SPDX-License-Identifier: MIT */
/* language_batch.h: C for a batch of states: each value is a vector of one number of every state. */
#ifndef AG_LANGUAGE_BATCH_H
#define AG_LANGUAGE_BATCH_H

#include "emit/language.h"

extern const ag_language ag_in_batch;

enum { AG_ASKED_AT_ONCE = 8 };

/* Whether one of these numbers is not finite: the sum of `at_once` of them, each times what keeps it finite, is not either. One
 * instruction each, and one question for each sum. */
void ag_emit_infinite(ag_text *text, const ag_header *header, const char *const *numbers, int count,
                      int at_once);

#endif
