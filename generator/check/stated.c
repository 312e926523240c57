/* SPDX-License-Identifier: MIT */
/* stated.c: see stated.h
 *
 * By docs/layouts.md, "Optimal torques". x are the motors' torques and what several points of a body share among themselves; with
 * the motion vdot and the forces f that they cause, the objective is
 *   1/2 (vdot - a)^T M (vdot - a) + sum w/2 |f - wanted|^2,   a: the motion that all other forces cause,
 * and each level asks for the least sum of squares by which it is missed: torques beyond their limits; forces outside their
 * cones; joints whose acceleration leads beyond a limit, over what a unit torque does there; and of the artificial rows of a
 * priority r^T (A^T J M^-1 J^T A)^-1 r, r = A^T a - b, or of rows with ranges what r is outside, over its own element. A row that
 * depends on those before it in its level, or that is out of reach, gets no torque: it counts by what is left of it at x = 0.
 * Two problems whose objective and levels are the same functions of x have the same optimum. vdot and the rows' forces are
 * what the function says they are, which optimum.c judges. */
#include "check/stated.h"

#include "base/random.h"
#include "check/gearing.h"
#include "check/linkages.h"
#include "check/rows.h"
#include "graph/eval.h"

#include <math.h>
#include <string.h>

enum { POINTS = 4, LIMITS = 2, MOST_LEVELS = 10, MOST_ROWS = 64 };

static const char objective[] = "objective: Gauss function and forces, by definition",
                  levels[] = "levels: what each is missed by, by definition",
                  shared[] = "forces at points add up to those of the rows";
/* Of the mass of all that moves, the default weight of forces. */
static const double light = 1e-3;
/* Of levels, over their terms: what a row is the sum of counts as nothing below 1e-9. */
static const double allowed = 1e-8;
/* What rounding makes of a level by the condition of its rows, and the most of it by which anything is to be judged. */
static const double rounded = 1e-12, most_allowed = 1e-4;
/* L_jj over the most that it could be, levers as long as the robot: surely in reach, and surely not. */
static const double in_reach = 1e-10, out_of_reach = 1e-25;

typedef struct amount { /* and the sum of the absolute values of its terms */
  double value, size;
} amount;

typedef struct stated {
  ag_checker *c;
  const ag_run *run;
  const ag_value *problem;
  const double *x;
  int unknowns;
  double *vdot, *nu, *rest; /* at x; a */
  bool known[MOST_LEVELS];
  double condition[MOST_LEVELS]; /* of the rows that get torques */
  amount level[MOST_LEVELS];
  amount *left, *at_rest; /* by row: A^T a - b, at x and at x = 0 */
  ag_pivots pivots;       /* of the rows of a level */
  bool *force;
  ag_gearing gearing;
  double *tau, *torques; /* at x: of joints and of motors */
} stated;

static void add(amount *to, double term) {
  to->value += term;
  to->size += fabs(term);
}

/* What a level is missed by: a row that is outside by so much, of terms of that size. */
static void add_square(amount *level, double outside, double size, double weight) {
  level->value += weight * outside * outside;
  level->size += weight * size * size;
}

/* y_0 + y_x x of an output of `count` numbers; false: there is none. */
static bool at_x(const stated *s, const char *name, const char *rest, int count, double *y) {
  char whole[200];
  snprintf(whole, sizeof whole, "%s_0%s", name, rest);
  const double *at_rest = ag_output_of(s->run, whole);
  snprintf(whole, sizeof whole, "%s_x%s", name, rest);
  const double *by = ag_output_of(s->run, whole);
  for (int k = 0; at_rest && k < count; k++) {
    y[k] = at_rest[k];
    for (int i = 0; by && i < s->unknowns; i++) y[k] += by[i * count + k] * s->x[i];
  }
  return at_rest != NULL;
}

static int first_row(const stated *s, const char *group) {
  int k = 0;
  while (strcmp(s->c->header->rows[k].group, group) != 0) k++;
  return k;
}

static const double *input(const stated *s, const char *name, const char *group) {
  char whole[200];
  snprintf(whole, sizeof whole, "%s.%s", name, group);
  return ag_sampler_find(&s->c->robot.sampler, whole);
}

/* ---- forces ---- */

static const ag_value *points_of(const ag_value *g) {
  return ag_value_boolean(g, "has_contact") ? ag_value_item(ag_value_list(g, "contact"), "points")
                                            : NULL;
}

/* The forces of group g: by row, or three at each point. Returns how many. */
static int forces_of(const stated *s, const ag_value *g, double *f) {
  const char *name = ag_value_text(g, "name");
  const int rows = ag_value_list(g, "rows")->length, first = first_row(s, name);
  const ag_value *points = points_of(g);
  char rest[200];
  snprintf(rest, sizeof rest, ".%s", name);
  if (points && at_x(s, "points", rest, 3 * points->length, f)) return 3 * points->length;
  memcpy(f, s->nu + first, (size_t)rows * sizeof *f);
  return rows;
}

static int axis_of(const ag_value *g, int row) {
  const char *word = ag_value_list(g, "rows")->items[row].text;
  return (strncmp(word, "ang", 3) == 0 ? 3 : 0) + word[4] - 'x';
}

/* Force and moment of what acts at the points are those of the six rows. */
static void check_points(const stated *s, const ag_value *g, const double *f) {
  const ag_value *points = points_of(g);
  const int first = first_row(s, ag_value_text(g, "name"));
  amount sum[6] = {{0, 0}};
  for (int p = 0; p < points->length; p++) {
    double at[3], moment[3];
    for (int i = 0; i < 3; i++) at[i] = ag_value_at(&points->items[p], i).value;
    ag_cross(at, f + (size_t)3 * (size_t)p, moment);
    for (int i = 0; i < 3; i++) {
      add(&sum[i], f[3 * p + i]), add(&sum[3 + i], moment[i]);
      sum[3 + i].size += fabs(f[3 * p + i]);
    }
  }
  for (int k = 0; k < 6; k++) {
    amount *of = &sum[axis_of(g, k)];
    add(of, -s->nu[first + k]);
    ag_check_note(s->c, "qp", shared, ag_check_ratio(of->value, of->size), AG_CHECK_BALANCE);
  }
}

static double mass_that_moves(const stated *s) {
  const ag_reduced *reduced = ag_script_reduced(s->c->robot.script);
  double mass = s->c->robot.nbase > 0 ? reduced->base.m : 0;
  for (int i = 0; i < reduced->nbodies; i++) mass += reduced->bodies[i].inertia.m;
  return mass > 0 ? mass : 1;
}

/* sum w/2 |f - wanted|^2 of group g */
static void add_forces(const stated *s, const ag_value *g, const double *f, int count, amount *to) {
  const char *name = ag_value_text(g, "name");
  const double *wanted = input(s, "wanted", name), reach = ag_value_number(s->problem, "reach");
  const ag_value *weight = ag_value_item(g, "weight"), *points = points_of(g);
  for (int k = 0; k < count; k++) {
    const int row = points ? ag_value_integer(ag_value_list(g, "contact"), "normal") - 1 : k;
    const bool turns = !points && ag_value_list(g, "joints")->length == 0 && axis_of(g, k) > 2;
    const double usual = light / mass_that_moves(s) / (turns ? reach * reach : 1);
    const double want =
        wanted && ag_rows_in_force(&s->c->robot, first_row(s, name) + row) ? wanted[k] : 0;
    const double w = weight ? weight->number : usual, off = f[k] - want;
    to->value += w / 2 * off * off;
    to->size += w / 2 * (f[k] * f[k] + want * want);
  }
}

/* How far forces are outside the cone of a contact at one point; f: of the rows, or along the axes there. */
static void add_cone(stated *s, const ag_value *g, const double *f, bool by_axis) {
  const ag_value *contact = ag_value_list(g, "contact"), *given = ag_value_item(contact, "mu");
  const int normal = ag_value_integer(contact, "normal") - 1;
  double t[2] = {0, 0}, size = 0;
  const double n = f[by_axis ? axis_of(g, normal) : normal];
  int count = 0;
  for (int k = 0; k < ag_value_list(g, "rows")->length; k++)
    if (k != normal && axis_of(g, k) < 3) t[count++] = f[by_axis ? axis_of(g, k) : k];
  size = fabs(n) + fabs(t[0]) + fabs(t[1]);
  add_square(&s->level[1], fmax(0, -n), size, 1);
  if (count == 0) return;
  const double *mu = input(s, "mu", ag_value_text(g, "name"));
  const double friction = mu ? *mu : given->number, pi = acos(-1);
  size = fabs(t[0]) + fabs(t[1]) + friction * fabs(n);
  const int sides = count == 1 ? 2 : ag_value_integer(contact, "sides");
  const double inside = count == 1 ? 1 : cos(pi / sides);
  for (int k = 0; k < sides; k++) {
    const double angle = 2 * pi * k / sides;
    const double along = cos(angle) * t[0] + sin(angle) * t[1];
    add_square(&s->level[1], fmax(0, along - friction * inside * n), size, 1);
  }
}

/* Of all physical groups: the objective's part, and cones. */
static void state_forces(stated *s, amount *to) {
  const ag_value *groups = ag_value_list(s->problem, "groups");
  double f[3 * 32] = {0};
  for (int k = 0; k < groups->length; k++) {
    const ag_value *g = &groups->items[k];
    if (!ag_value_boolean(g, "physical")) continue;
    const ag_value *points = points_of(g);
    const int count = forces_of(s, g, f);
    if (points) check_points(s, g, f);
    add_forces(s, g, f, count, to);
    for (int p = 0; ag_value_boolean(g, "has_contact") && p < (points ? points->length : 1); p++)
      add_cone(s, g, f + (size_t)3 * (size_t)p, points != NULL);
  }
}

/* ---- motion ---- */

/* 1/2 (vdot - a)^T M (vdot - a) */
static void add_gauss(const stated *s, amount *to) {
  const ag_reference *r = &s->c->robot;
  for (int i = 0; i < r->n; i++)
    for (int j = 0; j < r->n; j++) {
      const double m = r->M[i * r->n + j] / 2;
      to->value += m * (s->vdot[i] - s->rest[i]) * (s->vdot[j] - s->rest[j]);
      to->size +=
          fabs(m) * (fabs(s->vdot[i]) + fabs(s->rest[i])) * (fabs(s->vdot[j]) + fabs(s->rest[j]));
    }
}

/* The motion that all but the motors and the rows cause. */
static void find_rest(const stated *s) {
  const ag_reference *r = &s->c->robot;
  double *forces = s->c->v[1], *part = s->c->v[2];
  for (int i = 0; i < r->n; i++) s->rest[i] = 0;
  const double *needed = ag_reference_torques(r, s->rest);
  for (int i = 0; i < r->n; i++) forces[i] = -needed[i];
  ag_reference_wrenches(r, false, forces, NULL);
  ag_gearing_rub(&s->gearing, ag_sampler_find(&r->sampler, "qd"), forces + r->nbase);
  for (int art = 0; art < 2; art++) {
    ag_reference_join(r, NULL, ag_sampler_find(&r->sampler, art ? "tau_art" : "tau_phys"), part);
    for (int i = 0; i < r->n; i++) forces[i] += part[i];
  }
  for (int i = 0; i < r->n; i++)
    for (int j = 0; j < r->n; j++) s->rest[i] += r->inverse[i * r->n + j] * forces[j];
}

/* Torques beyond their limits. */
static void state_torques(stated *s) {
  const ag_value *effort = ag_value_list(s->problem, "effort");
  for (int i = 0; i < s->c->nmotors; i++) {
    const double most = ag_value_at(effort, s->c->motors[i]).value;
    if (isfinite(most))
      add_square(&s->level[0], fmax(0, fabs(s->x[i]) - most), fabs(s->x[i]) + most, 1);
  }
  const ag_gearing *g = &s->gearing;
  for (int j = 0; j < g->joints; j++) s->tau[j] = 0;
  for (int i = 0; i < s->c->nmotors; i++) s->tau[s->c->motors[i]] = s->x[i];
  ag_gearing_torques(g, s->tau, s->torques);
  for (int m = 0; m < g->motors; m++)
    if (isfinite(g->effort[m]))
      add_square(&s->level[0], fmax(0, fabs(s->torques[m]) - g->effort[m]),
                 fabs(s->torques[m]) + g->effort[m], 1);
  const ag_reference *r = &s->c->robot;
  for (int k = 0; k < r->nlinkages; k++) {
    const ag_linkage *l = &r->linkages[k];
    if (!ag_linkage_torques(r, l, s->tau, s->torques)) continue;
    for (int m = 0; m < l->motors->length; m++) {
      const double most = ag_value_exact(&l->motors->items[m], "effort").value;
      if (isfinite(most))
        add_square(&s->level[0], fmax(0, fabs(s->torques[m]) - most), fabs(s->torques[m]) + most,
                   1);
    }
  }
}

/* The most that joint j may accelerate towards a limit at the distance d (infinite: none) at the speed v towards it, in
 * steps of h in which that stays: to the speed w from which braking with a stops there, w^2 = 2 a (d - h (v + w) / 2). */
static double most_in_time(const ag_value *g, int j, double d, double v) {
  const double a = ag_value_at(ag_value_list(g, "acceleration"), j).value,
               fastest = ag_value_at(ag_value_list(g, "velocity"), j).value,
               h = ag_value_number(g, "step"), left = fmax(0, d - h * v / 2);
  double w =
      d < 0 ? ag_value_number(g, "rate") * d : (sqrt(a * a * h * h + 8 * a * left) - a * h) / 2;
  if (fastest >= 0) w = fmax(-fastest, fmin(fastest, w));
  return fmax(-a, fmin(a, (w - v) / h));
}

/* Joints that stop in time: their accelerations, on both sides; the upper one counts where they contradict. */
static void state_in_time(stated *s, const ag_value *g) {
  const ag_reference *r = &s->c->robot;
  const ag_value *joints = ag_value_list(g, "joints");
  const double *q = ag_sampler_find(&r->sampler, "q"), *qd = ag_sampler_find(&r->sampler, "qd");
  for (int k = 0; k < joints->length; k++) {
    const int j = (int)joints->items[k].number - 1, c = r->nbase + j;
    const bool stops = ag_value_at(ag_value_list(g, "stops"), j).value != 0;
    const double lower = ag_value_at(ag_value_list(g, "lower"), j).value,
                 upper = ag_value_at(ag_value_list(g, "upper"), j).value;
    const double most = most_in_time(g, j, stops ? upper - q[j] : INFINITY, qd[j]),
                 least = fmin(most, -most_in_time(g, j, stops ? q[j] - lower : INFINITY, -qd[j]));
    const double x = s->vdot[c], beyond = fmax(0, fmax(x - most, least - x));
    add_square(&s->level[LIMITS], beyond, fabs(x) + fmax(fabs(most), fabs(least)),
               1 / r->inverse[c * r->n + c]);
  }
}

/* Joints that are to stop. At a distance d from the limit, at a speed v towards it, the acceleration against it is
 *   2 rate v - rate^2 d + max(0, v - rate d)^2 / d  at least. */
static void state_limits(stated *s, const ag_value *g) {
  const ag_reference *r = &s->c->robot;
  const ag_value *joints = ag_value_list(g, "joints");
  const double *q = ag_sampler_find(&r->sampler, "q"), *qd = ag_sampler_find(&r->sampler, "qd");
  if (ag_value_item(g, "side")) {
    state_in_time(s, g);
    return;
  }
  const double margin = ag_value_number(g, "margin"), rate = ag_value_number(g, "rate");
  for (int k = 0; k < joints->length; k++) {
    const int j = (int)joints->items[k].number - 1, c = r->nbase + j;
    const double below = q[j] - ag_value_at(ag_value_list(g, "lower"), j).value,
                 above = ag_value_at(ag_value_list(g, "upper"), j).value - q[j];
    const bool upper = above < below;
    const double d = upper ? above : below, v = upper ? qd[j] : -qd[j];
    if (!(d < margin)) continue;
    const double fast = fmax(0, v - rate * d);
    const double least = 2 * rate * v - rate * rate * d + fast * fast / fmax(d, 1e-3 * margin);
    const double away = upper ? -s->vdot[c] : s->vdot[c];
    add_square(&s->level[LIMITS], fmax(0, least - away), fabs(least) + fabs(away),
               1 / r->inverse[c * r->n + c]);
  }
}

/* A^T a - b of a row, and the size of its terms. */
static amount residual_of(const stated *s, int row) {
  const ag_reference *r = &s->c->robot;
  amount a = {0, r->drift_size[row]};
  add(&a, -ag_sampler_find(&r->sampler, "b")[row]);
  a.value += r->drift[row];
  for (int i = 0; i < r->n; i++) add(&a, r->AJ[row * r->n + i] * s->vdot[i]);
  return a;
}

typedef enum reach { IN_REACH, OUT_OF_REACH, UNDECIDED } reach;

static reach reach_of(const ag_reference *r, int row) {
  const double *J = r->AJ + (size_t)row * (size_t)r->n;
  const double length = fmax(1, r->measures.length), L = ag_rows_caused(r, row, J, NULL);
  double most = 0;
  for (int i = 0; i < r->n; i++)
    if (J[i] != 0) most += length * length * r->inverse[i * r->n + i];
  if (L > in_reach * most) return IN_REACH;
  return L <= out_of_reach * most ? OUT_OF_REACH : UNDECIDED;
}

/* r^T L^-1 r of the rows that `force` names, L = l D l^T: l y = r, sum y^2 / d. Of a row that is left out, y at x = 0 stands for itself.
 * apart: by row, it is out of reach, and as one that is left out. */
static bool add_coupled(stated *s, const bool *apart, int at) {
  const int m = s->c->robot.nrows;
  ag_arena own = {0};
  amount *y = ag_alloc(&own, ((size_t)m + 1) * sizeof *y),
         *rest = ag_alloc(&own, ((size_t)m + 1) * sizeof *rest);
  ag_pivots_find(&s->pivots, &s->c->robot, s->force);
  for (int k = 0; k < m; k++) {
    if (!s->force[k] && !apart[k]) continue;
    y[k] = s->left[k], rest[k] = s->at_rest[k];
    for (int i = 0; i < k && s->force[k]; i++) {
      const double l = (double)s->pivots.l[k * m + i];
      y[k].value -= l * y[i].value, y[k].size += fabs(l) * y[i].size;
      rest[k].value -= l * rest[i].value, rest[k].size += fabs(l) * rest[i].size;
    }
    if (apart[k] || isnan(s->pivots.left[k]))
      add_square(&s->level[at], rest[k].value, rest[k].size, 1);
    else
      add_square(&s->level[at], y[k].value, y[k].size, (double)s->pivots.inverse[k]);
  }
  s->condition[at] = ag_pivots_condition(&s->pivots, m);
  ag_arena_free(&own);
  return !s->pivots.close;
}

/* A row with a range, by itself. */
static bool add_range(stated *s, int row, double width, amount *level) {
  const ag_reference *r = &s->c->robot;
  const reach can = reach_of(r, row);
  const amount left = can == IN_REACH ? s->left[row] : s->at_rest[row];
  const double L = ag_rows_caused(r, row, r->AJ + (size_t)row * (size_t)r->n, NULL);
  add_square(level, fmax(0, fmax(-left.value, left.value - width)), left.size + fabs(width),
             can == IN_REACH ? 1 / L : 1);
  return can != UNDECIDED;
}

/* The artificial rows of all priorities. */
static void state_rows(stated *s) {
  const ag_reference *r = &s->c->robot;
  const ag_value *groups = ag_value_list(s->problem, "groups");
  bool apart[MOST_ROWS] = {false};
  for (int k = 0; k < r->nrows; k++) s->left[k] = residual_of(s, k);
  for (int at = LIMITS + 1; at < MOST_LEVELS; at++) {
    for (int k = 0; k < r->nrows; k++) s->force[k] = apart[k] = false;
    for (int k = 0; k < groups->length; k++) {
      const ag_value *g = &groups->items[k];
      if (ag_value_boolean(g, "physical") || LIMITS + ag_value_integer(g, "priority") != at)
        continue;
      const double *upper = input(s, "upper", ag_value_text(g, "name"));
      const int first = first_row(s, ag_value_text(g, "name"));
      s->known[at] = s->known[at] && !ag_value_boolean(g, "yields");
      for (int i = 0; i < ag_value_list(g, "rows")->length; i++) {
        const int row = first + i;
        if (!ag_rows_in_force(r, row)) continue;
        if (ag_value_boolean(g, "ranged")) {
          const double width = upper[i] - ag_sampler_find(&r->sampler, "b")[row];
          s->known[at] = add_range(s, row, width, &s->level[at]) && s->known[at];
          continue;
        }
        const reach can = reach_of(r, row);
        s->force[row] = can == IN_REACH, apart[row] = can == OUT_OF_REACH;
        s->known[at] = s->known[at] && can != UNDECIDED;
      }
    }
    s->known[at] = s->known[at] && add_coupled(s, apart, at);
  }
}

/* ---- beside the function's ---- */

/* 1/2 x^T H x + g^T x */
static void add_told(const stated *s, amount *to) {
  const double *H = ag_output_of(s->run, "H"), *g = ag_output_of(s->run, "g");
  for (int i = 0; i < s->unknowns; i++) {
    add(to, -g[i] * s->x[i]);
    for (int j = 0; j <= i; j++)
      add(to, -(i == j ? 0.5 : 1) * H[i * (i + 1) / 2 + j] * s->x[i] * s->x[j]);
  }
}

static void compare_levels(const stated *s, int nrows) {
  const double *A = ag_output_of(s->run, "A"), *lo = ag_output_of(s->run, "lo"),
               *hi = ag_output_of(s->run, "hi"), *level = ag_output_of(s->run, "level"),
               *weight = ag_output_of(s->run, "weight");
  amount told[MOST_LEVELS] = {{0, 0}};
  for (int j = 0; j < nrows; j++) {
    amount a = {0, 0};
    for (int i = 0; i < s->unknowns; i++) add(&a, A[j * s->unknowns + i] * s->x[i]);
    const double outside = fmax(0, fmax(lo[j] - a.value, a.value - hi[j]));
    add_square(&told[(int)level[j]], outside, a.size + outside, weight[j]);
  }
  for (int k = 0; k < MOST_LEVELS; k++) {
    const double most = fmax(allowed, rounded * s->condition[k]);
    if (s->known[k] && most <= most_allowed)
      ag_check_note(
          s->c, "qp", levels,
          ag_check_ratio(told[k].value - s->level[k].value, told[k].size + s->level[k].size), most);
  }
}

/* Objective and levels at x; the objective less that at x = 0, *zero. */
static void state_at(stated *s, amount *zero, int nrows) {
  amount all = {0, 0};
  for (int k = 0; k < MOST_LEVELS; k++)
    s->level[k] = (amount){0, 0}, s->known[k] = true, s->condition[k] = 1;
  double *qdd = s->c->v[3], *base = s->c->v[4];
  at_x(s, "qdd", "", s->c->header->njoints, qdd);
  if (s->c->robot.nbase > 0) at_x(s, "base", ".acc", s->c->robot.nbase, base);
  ag_reference_join(&s->c->robot, base, qdd, s->vdot);
  at_x(s, "nu", "", s->c->robot.nrows, s->nu);
  add_gauss(s, &all);
  state_forces(s, &all);
  if (s->x[0] == 0) {
    *zero = all;
    for (int k = 0; k < s->c->robot.nrows; k++) s->at_rest[k] = residual_of(s, k);
    return;
  }
  const ag_value *limits = ag_value_list(s->problem, "joint_groups");
  state_torques(s);
  for (int k = 0; k < limits->length; k++)
    if (ag_value_boolean(&limits->items[k], "limits")) state_limits(s, &limits->items[k]);
  state_rows(s);
  add_told(s, &all);
  all.value -= zero->value, all.size += zero->size;
  ag_check_note(s->c, "qp", objective,
                ag_check_ratio(all.value, all.size / ag_check_pivot(s->c, s->run)),
                AG_CHECK_BALANCE);
  compare_levels(s, nrows);
}

void ag_check_stated(ag_checker *c, const ag_run *run, const ag_value *problem) {
  const ag_quantity *g = ag_quantity_of(&run->graph->function->out, "g"),
                    *lo = ag_quantity_of(&run->graph->function->out, "lo");
  if (!g || c->robot.nrows > MOST_ROWS || (run->status & AG_BIT_SINGULAR)) return;
  const size_t n = (size_t)c->robot.n, rows = (size_t)c->robot.nrows + 1;
  ag_arena arena = {0};
  double *x = ag_alloc(&arena, (size_t)(g->size + 1) * sizeof *x);
  stated s = {.c = c, .run = run, .problem = problem, .x = x, .unknowns = g->size};
  s.vdot = ag_alloc(&arena, n * sizeof(double));
  s.rest = ag_alloc(&arena, n * sizeof(double));
  s.nu = ag_alloc(&arena, rows * sizeof(double));
  s.left = ag_alloc(&arena, rows * sizeof(amount));
  s.at_rest = ag_alloc(&arena, rows * sizeof(amount));
  s.force = ag_alloc(&arena, rows * sizeof(bool));
  s.pivots = ag_pivots_new(&c->robot, ag_value_number(problem, "threshold"), "drop", false, &arena);
  s.gearing = ag_gearing_of(problem, c->header->njoints, &arena);
  s.tau = ag_alloc(&arena, (size_t)(s.gearing.joints + 1) * sizeof(double));
  s.torques = ag_alloc(&arena, (size_t)(s.gearing.motors + s.gearing.joints + 1) * sizeof(double));
  find_rest(&s);
  amount zero = {0, 0};
  uint64_t random = (uint64_t)c->state + 1;
  for (int point = 0; point <= POINTS; point++) {
    const double most = point == 0 ? 0 : c->robot.sizes.torque * pow(10, point - 3);
    for (int i = 0; i < g->size; i++) x[i] = ag_random_between(&random, -most, most);
    state_at(&s, &zero, lo ? lo->size : 0);
  }
  ag_arena_free(&arena);
}

/* ---- what goes on with the optimum ---- */

/* The input "qp.STEM_0REST" of the output "STEMREST", REST from the dot on; of mclp, by nu, the same; NULL: there is none. */
static const ag_quantity *part_of(const ag_run *r, const char *solver, const char *output,
                                  const char *part) {
  char name[240];
  const int stem = (int)strcspn(output, ".");
  snprintf(name, sizeof name, "%s.%.*s_%s%s", solver, stem, output, part, output + stem);
  return ag_quantity_of(&r->graph->function->in, name);
}

/* What the function before it put out goes in: drawn at random, a map would not be 0 where it always is. */
static void take_over(const ag_checker *c, const ag_run *r) {
  const ag_list *in = &r->graph->function->in;
  for (int f = 0; f < c->header->nfunctions; f++) {
    const ag_run *before = &c->subjects[f].run;
    const ag_list *out = &before->graph->function->out;
    for (int k = 0; k < out->nquantities; k++) {
      char name[240];
      snprintf(name, sizeof name, "%s.%s", before->graph->function->name, out->quantities[k].name);
      const ag_quantity *to = ag_quantity_of(in, name);
      if (to)
        memcpy(r->in + to->first, before->out + out->quantities[k].first,
               (size_t)to->size * sizeof *r->in);
    }
  }
}

/* Torques of an optimum: x itself, within the limits of joints and of motors. */
static void check_motors(ag_checker *c, const ag_run *r) {
  const double *tau = ag_output_of(r, "tau_ctrl");
  const ag_quantity *x = ag_quantity_of(&r->graph->function->in, "x");
  if (!tau || !x || !c->optimum) return;
  ag_arena own = {0};
  const int n = c->header->njoints;
  const ag_gearing gearing = ag_gearing_of(c->optimum, n, &own);
  double *expected = ag_alloc(&own, (size_t)(n + 1) * sizeof *expected);
  for (int j = 0; j < n; j++) expected[j] = 0;
  for (int i = 0; i < c->nmotors; i++) {
    const double most = ag_value_at(ag_value_list(c->optimum, "effort"), c->motors[i]).value;
    expected[c->motors[i]] = fmax(-most, fmin(most, r->in[x->first + i]));
  }
  const double size = gearing.motors > 0 ? ag_gearing_clamp(&gearing, expected) : 0;
  for (int i = 0; i < c->nmotors; i++) {
    const double tau_i = expected[c->motors[i]];
    ag_check_note(c, "apply", "torques: x within the limits",
                  ag_check_ratio(tau_i - tau[c->motors[i]], fabs(tau_i) + size), AG_CHECK_SAME);
  }
  ag_arena_free(&own);
}

void ag_check_applied(ag_checker *c, ag_run *r) {
  static const char *const solvers[][2] = {{"qp", "x"}, {"mclp", "nu"}};
  const ag_list *in = &r->graph->function->in, *out = &r->graph->function->out;
  take_over(c, r);
  const ag_quantity *torques = ag_quantity_of(in, "x");
  for (int i = 0; torques && i < torques->size; i++) /* of every other state beyond all limits */
    r->in[torques->first + i] *= c->state % 2 == 1 ? 1000 : 1;
  r->status = ag_eval(r->graph, c->single, r->in, r->out, r->work);
  if (r->status & AG_BIT_NOT_FINITE) return;
  if (!c->single && c->header->optimum.rubbing == 0) check_motors(c, r);
  for (int k = 0; k < 2 * out->nquantities; k++) {
    const char *const *of = solvers[k % 2];
    const ag_quantity *q = &out->quantities[k / 2], *x = ag_quantity_of(in, of[1]),
                      *zero = part_of(r, of[0], q->name, "0"),
                      *by = part_of(r, of[0], q->name, of[1]);
    const bool linear = strcmp(q->name, "Z") != 0; /* which has a square of nu, too */
    for (int i = 0; linear && zero && x && i < q->size; i++) {
      amount y = {0, 0};
      add(&y, r->in[zero->first + i]);
      for (int j = 0; by && j < x->size; j++)
        add(&y, r->in[by->first + j * q->size + i] * r->in[x->first + j]);
      ag_check_note(c, "apply", "y_0 + y_x x",
                    ag_check_ratio(y.value - r->out[q->first + i], y.size),
                    AG_CHECK_SAME * (c->single ? AG_CHECK_SINGLE : 1));
    }
  }
}
