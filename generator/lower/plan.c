/* SPDX-License-Identifier: MIT */
/* plan.c: see plan.h */
#include "lower/plan.h"

int ag_flops(const ag_cost *cost) {
  return cost->add + cost->mul + cost->div;
}
