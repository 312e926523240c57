/* SPDX-License-Identifier: MIT */
/* language_batch.h: C for a batch of states: each value is a vector of one number of every state. */
#ifndef AG_LANGUAGE_BATCH_H
#define AG_LANGUAGE_BATCH_H

#include "emit/language.h"

extern const ag_language ag_in_batch;

#endif
