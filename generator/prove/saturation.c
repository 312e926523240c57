/* SPDX-License-Identifier: MIT */
/* saturation.c: see saturation.h */
#include "prove/saturation.h"

#include <math.h>

/* x held to +-limit, at most */
static ag_number held(ag_definition *d, ag_number x, ag_number limit) {
  ag_decisions *decisions = d->robot->point->decisions;
  const bool above = ag_decide(decisions, limit, x),
             below = ag_decide(decisions, x, ag_number_neg(limit));
  return above ? limit : below ? ag_number_neg(limit) : x;
}

const ag_number *ag_clamp(ag_definition *d, ag_number *tau) {
  const ag_robot *r = d->robot;
  const ag_problem *p = r->problem;
  for (int j = 0; j < p->njoints; j++)
    if (!p->passive[j] && isfinite(p->effort[j].value)) tau[j] = held(d, tau[j], p->effort[j]);
  bool any = false;
  ag_number *torques = ag_motor_torques(d, tau);
  for (int m = 0; m < p->ngears; m++) {
    any = any || p->gears[m].beside;
    if (!isfinite(p->gears[m].effort.value)) continue;
    const ag_number t = torques[m], less = ag_number_sub(held(d, t, p->gears[m].effort), t);
    torques[m] = ag_number_add(t, less);
    for (int j = 0; j < p->njoints; j++)
      tau[j] = ag_plus(tau[j], r->gears[m * r->n + p->nbase + j], less);
  }
  return any ? torques : NULL;
}

/* A share of added torques: what limits it, and on which side. */
typedef struct share {
  ag_number rest, more, limit;
  bool back;
} share;

/* What the limit of one motor leaves of the share; false: not even none of it is within. */
static bool shorten(ag_decisions *decisions, share *s, ag_number *least) {
  bool found = true;
  decisions->held = s->more.exact == 0; /* it has nothing to push for */
  s->back = ag_decide(decisions, s->more, ag_zero);
  const ag_number rest = s->back ? ag_number_neg(s->rest) : s->rest,
                  more = s->back ? ag_number_neg(s->more) : s->more,
                  room = ag_number_sub(s->limit, rest);
  const ag_number left = ag_decide(decisions, ag_zero, room) ? room : ag_zero;
  const bool ends = ag_decide(decisions, left, more);
  const ag_number end = ends ? ag_number_div(left, more) : ag_one;
  if (ag_decide(decisions, end, *least)) *least = end;
  if (ag_decide(decisions, room, ag_zero)) found = false;
  decisions->held = false;
  return found;
}

bool ag_largest_share(ag_definition *d, const ag_number *at_rest, const ag_number *added,
                      ag_number *least) {
  const ag_problem *p = d->robot->problem;
  ag_decisions *decisions = d->robot->point->decisions;
  share *shares = ag_alloc(d->arena, (size_t)(p->njoints + p->ngears + 1) * sizeof *shares);
  const ag_number *rest = ag_motor_torques(d, at_rest), *more = ag_motor_torques(d, added);
  int count = 0;
  bool found = true;
  for (int j = 0; j < p->njoints; j++)
    if (!p->passive[j] && isfinite(p->effort[j].value))
      shares[count++] = (share){at_rest[j], added[j], p->effort[j], false};
  for (int m = 0; m < p->ngears; m++)
    if (isfinite(p->gears[m].effort.value))
      shares[count++] = (share){rest[m], more[m], p->gears[m].effort, false};
  *least = ag_one;
  for (int k = 0; k < count; k++) found = shorten(decisions, &shares[k], least) && found;
  for (int k = 0; k < count; k++) {
    ag_number x = ag_plus(shares[k].rest, *least, shares[k].more);
    if (shares[k].back) x = ag_number_neg(x);
    decisions->held = shares[k].more.exact == 0;
    if (ag_decide(decisions, x, ag_number_neg(shares[k].limit))) found = false;
    decisions->held = false;
  }
  return found;
}
