/* SPDX-License-Identifier: MIT */
/* saturation.c: see saturation.h */
#include "prove/saturation.h"

#include <math.h>

/* x held to +-limit, at most */
ag_number ag_held(ag_definition *d, ag_number x, ag_number limit) {
  ag_decisions *decisions = d->robot->point->decisions;
  const bool above = ag_decide(decisions, limit, x),
             below = ag_decide(decisions, x, ag_number_neg(limit));
  return above ? limit : below ? ag_number_neg(limit) : x;
}

bool ag_largest_share(ag_definition *d, const ag_number *at_rest, const ag_number *added,
                      ag_number *share) {
  const ag_problem *p = d->robot->problem;
  ag_decisions *decisions = d->robot->point->decisions;
  const int nj = p->njoints;
  bool found = true, *back = ag_alloc(d->arena, (size_t)(nj + 1) * sizeof *back);
  *share = ag_one;
  for (int j = 0; j < nj; j++) {
    const ag_number limit = p->effort[j];
    if (p->passive[j] || !isfinite(limit.value)) continue;
    decisions->held = added[j].exact == 0; /* it has nothing to push for */
    back[j] = ag_decide(decisions, added[j], ag_zero);
    const ag_number rest = back[j] ? ag_number_neg(at_rest[j]) : at_rest[j],
                    more = back[j] ? ag_number_neg(added[j]) : added[j],
                    room = ag_number_sub(limit, rest);
    const ag_number left = ag_decide(decisions, ag_zero, room) ? room : ag_zero;
    const bool ends = ag_decide(decisions, left, more);
    const ag_number end = ends ? ag_number_div(left, more) : ag_one;
    if (ag_decide(decisions, end, *share)) *share = end;
    if (ag_decide(decisions, room, ag_zero)) found = false;
    decisions->held = false;
  }
  for (int j = 0; j < nj; j++) {
    if (p->passive[j] || !isfinite(p->effort[j].value)) continue;
    ag_number x = ag_plus(at_rest[j], *share, added[j]);
    if (back[j]) x = ag_number_neg(x);
    decisions->held = added[j].exact == 0;
    if (ag_decide(decisions, x, ag_number_neg(p->effort[j]))) found = false;
    decisions->held = false;
  }
  return found;
}
