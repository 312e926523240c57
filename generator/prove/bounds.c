/* SPDX-License-Identifier: MIT */
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

/* A number of the row's joint in a list; NULL: it has none. */
static const ag_number *number_of(const ag_value *g, const char *list, int joint, ag_number *x) {
  *x = ag_value_at(ag_value_list(g, list), joint);
  return x->value < 0 ? NULL : x;
}

/* The speed after the period h with which braking with a still stops at the distance d: w^2 + a h w =
 * 2 a (d - h v / 2), by six steps of Newton's method from max(0, v) + a h. */
static ag_number braked(ag_decisions *decisions, ag_number d, ag_number v, ag_number a,
                        ag_number h) {
  const ag_number two = ag_number_of(2), ah = ag_number_mul(a, h);
  ag_number left = ag_number_sub(d, ag_number_div(ag_number_mul(h, v), two));
  if (!ag_decide(decisions, ag_zero, left)) left = ag_zero;
  ag_number w = ag_number_add(ag_decide(decisions, ag_zero, v) ? v : ag_zero, ah);
  const ag_number right = ag_number_mul(two, ag_number_mul(a, left));
  for (int k = 0; k < 6; k++)
    w = ag_number_div(ag_number_add(ag_number_mul(w, w), right),
                      ag_number_add(ag_number_mul(two, w), ah));
  return w;
}

/* The largest acceleration towards a limit at the distance d (NULL: none) at the speed v. */
static ag_number most_in_time(ag_decisions *decisions, const ag_value *g, int joint,
                              const ag_number *d, ag_number v) {
  const ag_number a = ag_value_at(ag_value_list(g, "acceleration"), joint),
                  h = ag_value_exact(g, "step");
  ag_number most, w = ag_zero;
  const ag_number *fastest = number_of(g, "velocity", joint, &most);
  if (!d && !fastest) return a;
  if (d && ag_decide(decisions, *d, ag_zero)) {
    w = ag_number_mul(ag_value_exact(g, "rate"), *d);
    if (fastest && ag_decide(decisions, w, ag_number_neg(*fastest))) w = ag_number_neg(*fastest);
  } else if (d) {
    w = braked(decisions, *d, v, a, h);
  }
  if (fastest && (!d || ag_decide(decisions, *fastest, w))) w = *fastest;
  const ag_number x = ag_number_div(ag_number_sub(w, v), h);
  if (ag_decide(decisions, a, x)) return a;
  return ag_decide(decisions, x, ag_number_neg(a)) ? ag_number_neg(a) : x;
}

static bool in_time(const ag_joint_rows *of) {
  return ag_value_item(of->value, "side") != NULL;
}

static bool is_upper_in_time(const ag_joint_rows *of) {
  return ag_value_is(of->value, "side", "upper");
}

static ag_number set_point_in_time(const ag_robot *r, const ag_demand *row) {
  const ag_value *g = row->joints->value;
  const ag_number q = ag_point_find(r->point, "q")[row->joint],
                  qd = r->qd[r->problem->nbase + row->joint];
  const bool upper = is_upper_in_time(row->joints);
  const ag_number end = ag_value_at(ag_value_list(g, upper ? "upper" : "lower"), row->joint);
  const ag_number d = upper ? ag_number_sub(end, q) : ag_number_sub(q, end);
  const bool stops = ag_value_list(g, "stops")->items[row->joint].number != 0;
  const ag_number most = most_in_time(r->point->decisions, g, row->joint, stops ? &d : NULL,
                                      upper ? qd : ag_number_neg(qd));
  return upper ? most : ag_number_neg(most);
}

static ag_number limit_set_point(const ag_robot *r, const ag_demand *row) {
  if (in_time(row->joints)) return set_point_in_time(r, row);
  const ag_number qd = r->qd[r->problem->nbase + row->joint];
  const limit l = limit_of(r, row);
  const ag_value *g = row->joints->value;
  if (row->joints->given_b) return row->b;
  const ag_number lower = stop(r->point->decisions, g, l.below, ag_number_neg(qd)),
                  upper = stop(r->point->decisions, g, l.above, qd);
  return l.lower ? lower : l.upper ? ag_number_neg(upper) : ag_zero;
}

/* A number of a joint, of the layout or the input `name`; -1 in the layout: none. */
static ag_number of_joint(const ag_robot *r, const ag_demand *row, const char *word,
                          const char *input) {
  const ag_value *given = ag_value_item(row->joints->value, word);
  return given ? ag_value_at(given, row->joint) : ag_point_find(r->point, input)[row->joint];
}

static bool has_period(const ag_joint_rows *of) {
  return ag_value_item(of->value, "period") || ag_value_boolean(of->value, "period_input");
}

static ag_number period_of(const ag_robot *r, const ag_joint_rows *of) {
  if (ag_value_boolean(of->value, "period_input")) return *ag_point_find(r->point, "period");
  return ag_value_exact(of->value, "period");
}

/* The speed at which a row of friction rubs: of a joint, or of a motor. */
static ag_number speed_of(const ag_robot *r, const ag_demand *row) {
  if (row->motor >= 0) return ag_robot_gear(r, row->motor, r->qd);
  return r->qd[r->problem->nbase + row->joint];
}

ag_number ag_joint_set_point(const ag_robot *r, const ag_demand *row) {
  if (row->joints->limits) return limit_set_point(r, row);
  if (!has_period(row->joints)) return ag_zero;
  return ag_number_neg(ag_number_div(speed_of(r, row), period_of(r, row->joints)));
}

/* f in motion, and at rest; false: they come at run time and mean nothing. */
static bool find_friction(const ag_robot *r, const ag_demand *row, ag_number *f,
                          ag_number *at_rest) {
  const ag_value *g = row->joints->value;
  ag_decisions *decisions = r->point->decisions;
  if (row->motor >= 0)
    *f = *at_rest = r->problem->gears[row->motor].coulomb;
  else
    *f = *at_rest = of_joint(r, row, "coulomb", "friction");
  const bool of_input = ag_value_boolean(g, "breakaway_input");
  if (of_input || ag_value_item(g, "breakaway")) {
    const ag_number given = of_joint(r, row, "breakaway", "breakaway");
    if (of_input || given.value >= 0) *at_rest = given;
  }
  const bool run_time = of_input || (row->motor < 0 && !ag_value_item(g, "coulomb"));
  bool good = !(run_time && ag_decide(decisions, *at_rest, *f));
  if (ag_value_boolean(g, "period_input"))
    good = ag_decide(decisions, ag_zero, period_of(r, row->joints)) && good;
  return good;
}

/* At rest |nu| <= the breakaway friction; in motion nu = -f sgn(qd), in steps of a period |nu| <= f.
 */
static void bound_friction(const ag_robot *r, const ag_demand *row, ag_number *lo, ag_number *hi) {
  ag_number f, at_rest;
  if (!find_friction(r, row, &f, &at_rest)) f = at_rest = ag_number_of(-1);
  const ag_number qd = speed_of(r, row);
  const bool back = ag_decide(r->point->decisions, qd, ag_zero);
  const bool in_steps = has_period(row->joints);
  const bool rests =
      (in_steps && f.value == at_rest.value) ||
      ag_decide(r->point->decisions, back ? ag_number_neg(qd) : qd,
                row->motor < 0
                    ? ag_value_exact(row->joints->value, "threshold")
                    : ag_value_at(ag_value_list(row->joints->value, "thresholds"), row->k));
  const ag_number most = rests ? at_rest : f;
  const bool stops = rests || in_steps;
  *lo = stops || !back ? ag_number_neg(most) : most;
  *hi = stops || back ? most : ag_number_neg(most);
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

/* The limit of what pushes one way, less what is pushed that way already; at least 0. */
static ag_number rest_of(const ag_robot *r, ag_number effort, bool back, ag_number given) {
  const ag_number x = back ? ag_number_add(effort, given) : ag_number_sub(effort, given);
  return ag_decide(r->point->decisions, ag_zero, x) ? x : ag_zero;
}

/* Torques of all motors for a unit torque of one joint. */
static const ag_number *torques_of_unit(const ag_definition *d, int joint) {
  ag_number *unit = ag_numbers(d, d->robot->problem->njoints);
  unit[joint] = ag_one;
  return ag_motor_torques(d, unit);
}

/* How many joints may be pushed by limits and load a motor: the row's own one, others within the margin, and those that
 * stop in time. */
static int count_pushed(const ag_definition *d, const ag_demand *row, int motor) {
  const ag_robot *r = d->robot;
  ag_arena *arena = d->arena;
  bool *seen = ag_alloc(arena, (size_t)(r->problem->njoints + 1) * sizeof *seen);
  for (int j = 0; j < r->problem->njoints; j++) seen[j] = j == row->joint;
  int count = 1;
  for (int k = 0; k < r->problem->njoint_rows; k++) {
    const ag_joint_rows *g = &r->problem->joint_rows[k];
    for (int i = 0; g->limits && i < g->nrows; i++) {
      const int j = g->joints[i];
      if (seen[j] || torques_of_unit(d, j)[motor].exact == 0) continue;
      seen[j] = true;
      const ag_demand other = {.joints = g, .k = i, .joint = j, .motor = -1};
      limit l = {.lower = true}; /* it stops in time */
      if (!in_time(g)) l = limit_of(r, &other);
      count += l.lower || l.upper;
    }
  }
  return count;
}

/* How far nu of a limit can be from 0: what the joint's motor has left beside tau_art, if there is an effort; and of each
 * motor that moves several joints the share of one of those that limits push, by what a unit of nu takes of it. */
static ag_number room(const ag_definition *d, const ag_demand *row, bool upper, ag_number none) {
  const ag_robot *r = d->robot;
  const ag_value *g = row->joints->value;
  const ag_number *tau = ag_point_find(r->point, "tau_art");
  ag_number least;
  bool any = ag_value_item(g, "effort") && number_of(g, "effort", row->joint, &least);
  if (any && tau) least = rest_of(r, least, upper, tau[row->joint]);
  const bool at_motors = ag_value_boolean(g, "effort_at_motors");
  for (int m = 0; at_motors && m < r->problem->ngears; m++) {
    const ag_number effort = r->problem->gears[m].effort, unit = torques_of_unit(d, row->joint)[m];
    if (!isfinite(effort.value) || unit.exact == 0) continue;
    const bool back = unit.value < 0;
    const ag_number left =
        tau ? rest_of(r, effort, upper != back, ag_motor_torques(d, tau)[m]) : effort;
    const ag_number share = ag_number_div(left, ag_number_mul(ag_number_of(count_pushed(d, row, m)),
                                                              back ? ag_number_neg(unit) : unit));
    if (!any || !ag_decide(r->point->decisions, least, share)) least = share;
    any = true;
  }
  return any ? least : none;
}

void ag_bounds_at(const ag_definition *d, const ag_demand *rows, int count, ag_number *lo,
                  ag_number *hi) {
  const ag_robot *r = d->robot;
  const ag_number none = r->problem->no_bound;
  int next_lo = 0, next_hi = 0;
  for (int j = 0; j < count; j++) {
    const ag_demand *row = &rows[j];
    const ag_value *given = row->group ? ag_value_item(row->group->value, "lo") : NULL;
    lo[j] = ag_number_neg(none);
    hi[j] = none;
    if (row->joints && row->joints->friction) {
      bound_friction(r, row, &lo[j], &hi[j]);
    } else if (row->joints && in_time(row->joints)) {
      const bool upper = is_upper_in_time(row->joints);
      const ag_number most = room(d, row, upper, none);
      lo[j] = upper ? ag_number_neg(most) : ag_zero;
      hi[j] = upper ? ag_zero : most;
    } else if (row->joints) {
      const limit l = limit_of(r, row);
      lo[j] = l.upper ? ag_number_neg(room(d, row, true, none)) : ag_zero;
      hi[j] = l.lower ? room(d, row, false, none) : ag_zero;
    } else if (row->group && ag_value_boolean(row->group->value, "has_contact")) {
      bound_contact(r, row, none, &lo[j], &hi[j]);
    } else if (row->group && given) {
      lo[j] = bound_given(r, &given->items[row->k], "lo", &next_lo, none);
      hi[j] = bound_given(r, &ag_value_list(row->group->value, "hi")->items[row->k], "hi", &next_hi,
                          none);
    }
  }
}
