/* bounds.c: see bounds.h */
#include "prove/bounds.h"

#include <math.h>
#include <string.h>

typedef struct limit { /* of a joint */
  ag_number below, above;
  bool lower, upper; /* near this one */
} limit;

static limit limit_of(const ag_robot *r, const ag_demand *row) {
  const ag_value *g = row->joints->value;
  const ag_number q = ag_point_find(r->point, "q")[row->joint],
                  margin = ag_value_exact(g, "margin");
  limit l = {.below = ag_number_sub(q, ag_value_at(ag_value_list(g, "lower"), row->joint)),
             .above = ag_number_sub(ag_value_at(ag_value_list(g, "upper"), row->joint), q)};
  ag_decisions *decisions = r->point->decisions;
  const bool nearer_above = ag_decide(decisions, l.above, l.below);
  l.lower = ag_decide(decisions, l.below, margin) && !nearer_above;
  l.upper = ag_decide(decisions, l.above, margin) && nearer_above;
  return l;
}

/* Against the limit, at distance d with speed v towards it:
 *   2 rate v - rate^2 d + max(0, v - rate d)^2 / max(d, margin / 1000) */
static ag_number stop(ag_decisions *decisions, const ag_value *g, ag_number d, ag_number v) {
  const ag_number rate = ag_value_exact(g, "rate"), margin = ag_value_exact(g, "margin");
  const ag_number least = ag_number_mul(ag_number_of(1e-3), margin);
  const ag_number near = ag_decide(decisions, d, least) ? least : d;
  const ag_number ahead = ag_number_mul(rate, d);
  ag_number fast = ag_number_sub(v, ahead);
  if (!ag_decide(decisions, ag_zero, fast)) fast = ag_zero;
  ag_number x = ag_number_mul(ag_number_of(2), ag_number_mul(rate, v));
  x = ag_number_sub(x, ag_number_mul(rate, ahead));
  return ag_number_add(x, ag_number_div(ag_number_mul(fast, fast), near));
}

ag_number ag_limit_set_point(const ag_robot *r, const ag_demand *row) {
  const ag_number qd = r->qd[r->problem->nbase + row->joint];
  const limit l = limit_of(r, row);
  const ag_value *g = row->joints->value;
  if (row->joints->given_b) return row->b;
  const ag_number lower = stop(r->point->decisions, g, l.below, ag_number_neg(qd)),
                  upper = stop(r->point->decisions, g, l.above, qd);
  return l.lower ? lower : l.upper ? ag_number_neg(upper) : ag_zero;
}

/* At rest |nu| <= f, in motion nu = -f sgn(qd). */
static void bound_friction(const ag_robot *r, const ag_demand *row, ag_number *lo, ag_number *hi) {
  const ag_value *g = row->joints->value, *given = ag_value_item(g, "coulomb");
  const ag_number qd = r->qd[r->problem->nbase + row->joint],
                  f = given ? ag_value_at(given, row->joint)
                            : ag_point_find(r->point, "friction")[row->joint];
  const bool back = ag_decide(r->point->decisions, qd, ag_zero);
  const bool rests =
      ag_decide(r->point->decisions, back ? ag_number_neg(qd) : qd, ag_value_exact(g, "threshold"));
  *lo = rests || !back ? ag_number_neg(f) : f;
  *hi = rests || back ? f : ag_number_neg(f);
}

/* nu_k = -mu F v_k / |v| where it slides, |nu_k| <= mu F where it sticks. Along one row |v| is the
 * absolute value; along more it is a square root, of which this is the double only. */
static void bound_contact(const ag_robot *r, const ag_demand *row, ag_number none, ag_number *lo,
                          ag_number *hi) {
  const ag_group *g = row->group;
  const ag_value *contact = ag_value_list(g->value, "contact"),
                 *given = ag_value_item(contact, "mu");
  const int normal = ag_value_integer(contact, "normal") - 1;
  if (row->k == normal) {
    *lo = ag_zero;
    *hi = none;
    return;
  }
  const ag_demand *first = row - row->k;
  const ag_motion v = ag_robot_velocity(r, g->frame.body, ag_robot_point(r, &g->frame));
  ag_number mine = ag_zero, speed = ag_zero;
  double squares = 0;
  const int along = g->nrows - (normal >= 0 && normal < g->nrows ? 1 : 0);
  for (int k = 0; k < g->nrows; k++) {
    if (k == normal) continue;
    const ag_number x = ag_number_add(ag_dot(first[k].lin, v.lin), ag_dot(first[k].ang, v.ang));
    if (k == row->k) mine = x;
    const bool back = along > 1 ? x.value < 0 : ag_decide(r->point->decisions, x, ag_zero);
    speed = back ? ag_number_neg(x) : x;
    squares += x.value * x.value;
  }
  if (along > 1) speed = ag_number_of(sqrt(squares));
  const ag_number *at = ag_point_find(r->point, ag_printf(r->arena, "normal.%s", g->name)),
                  *mu_at = ag_point_find(r->point, ag_printf(r->arena, "mu.%s", g->name));
  const ag_number mu = given ? ag_number_from(given->number, given->exact) : *mu_at,
                  most = ag_number_mul(mu, ag_decide(r->point->decisions, ag_zero, *at) ? *at
                                                                                        : ag_zero);
  const ag_number threshold = ag_value_exact(contact, "threshold");
  if (along > 1 ? threshold.value < speed.value
                : ag_decide(r->point->decisions, threshold, speed)) {
    *lo = *hi = ag_number_neg(ag_number_mul(ag_number_div(most, speed), mine));
  } else {
    *lo = ag_number_neg(most);
    *hi = most;
  }
}

/* Number or "input", the next of those; infinite: none. */
static ag_number bound_given(const ag_robot *r, const ag_value *x, const char *input, int *next,
                             ag_number none) {
  if (x->type == AG_VALUE_TEXT) return ag_point_find(r->point, input)[(*next)++];
  if (x->number > none.value) return none;
  if (x->number < -none.value) return ag_number_neg(none);
  return ag_number_from(x->number, x->exact);
}

void ag_bounds_at(const ag_robot *r, const ag_demand *rows, int count, ag_number *lo,
                  ag_number *hi) {
  const ag_number none = r->problem->no_bound;
  int next_lo = 0, next_hi = 0;
  for (int j = 0; j < count; j++) {
    const ag_demand *row = &rows[j];
    const ag_value *given = row->group ? ag_value_item(row->group->value, "lo") : NULL;
    lo[j] = ag_number_neg(none);
    hi[j] = none;
    if (row->joints && row->joints->friction) {
      bound_friction(r, row, &lo[j], &hi[j]);
    } else if (row->joints) {
      const limit l = limit_of(r, row);
      lo[j] = l.upper ? ag_number_neg(none) : ag_zero;
      hi[j] = l.lower ? none : ag_zero;
    } else if (row->group && ag_value_boolean(row->group->value, "has_contact")) {
      bound_contact(r, row, none, &lo[j], &hi[j]);
    } else if (row->group && given) {
      lo[j] = bound_given(r, &given->items[row->k], "lo", &next_lo, none);
      hi[j] = bound_given(r, &ag_value_list(row->group->value, "hi")->items[row->k], "hi", &next_hi,
                          none);
    }
  }
}
