/* SPDX-License-Identifier: MIT */
/* text_size.h: how many bytes of code gcc makes of a plan, predicted from the plan. */
#ifndef AG_TEXT_SIZE_H
#define AG_TEXT_SIZE_H

#include "lower/plan.h"

/* Of gcc -O2 for x86-64; of vectors of more than 16 bytes with -mavx2. Test text_size holds this against object code. */
ag_text_size ag_predict_text(const ag_plan *plan, ag_arena *arena);

/* Of these, those of functions for products with columns (products.h), and of their calls. */
int ag_text_of_products(const ag_plan *plan);

#endif
