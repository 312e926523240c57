/* SPDX-License-Identifier: MIT */
/* pivots.c: see pivots.h */
#include "prove/pivots.h"

#include <math.h>
#include <string.h>

ag_number ag_smaller_as(const ag_robot *r, ag_number pivot, ag_number least, bool chosen) {
  ag_decisions *decisions = r->point->decisions;
  if (decisions->turn.number > 0) ag_decide_as(decisions, pivot, least, chosen, false);
  return ag_decide(decisions, pivot, least) ? pivot : least;
}

ag_number ag_smaller_pivot(const ag_robot *r, ag_number pivot, ag_number least, ag_turns *turns) {
  const bool chosen = r->point->decisions->turn.number % turns->all == turns->so_far++;
  return ag_smaller_as(r, pivot, least, chosen);
}

typedef struct equations { /* J by equation and column: coordinates, then what bodies do unasked */
  const ag_robot *r;
  const ag_value *value; /* as it came (problem.h) */
  int rows, columns;
  ag_number *J;
  bool weak; /* a step divides by less than it may (eliminate) */
} equations;

static ag_number *at(const equations *e, int row, int column) {
  return &e->J[(size_t)row * (size_t)e->columns + (size_t)column];
}

static const ag_value *bodies_of(const equations *e) {
  return ag_value_list(e->value, "bodies");
}

static void start(equations *e) {
  const ag_value *bodies = bodies_of(e);
  e->rows = 6 * bodies->length + ag_value_list(e->value, "rows")->length;
  e->columns = e->r->n;
  for (int k = 0; k < bodies->length; k++)
    e->columns += ag_value_list(&bodies->items[k], "unasked")->length;
  const size_t size = (size_t)(e->rows + 1) * (size_t)(e->columns + 1);
  e->J = ag_alloc(e->r->arena, size * sizeof *e->J);
  for (size_t i = 0; i < size; i++) e->J[i] = ag_zero;
}

/* A motion of whole body k, by the six equations along the axes of the body that it is seen from. */
static void put_motion(equations *e, int k, int column, const ag_exact_pose *seen_from,
                       ag_motion m) {
  const ag_mat across = ag_mat_transpose(seen_from->R);
  const ag_vec lin = ag_mat_vec(across, m.lin), ang = ag_mat_vec(across, m.ang);
  for (int i = 0; i < 3; i++) {
    *at(e, 6 * k + i, column) = lin.x[i];
    *at(e, 6 * k + 3 + i, column) = ang.x[i];
  }
}

/* How a body moves along what its rows do not ask for: a row's word, of the group of that name or,
 * without one, along the axes of the body that it is seen from; turns about a point. */
static ag_motion unasked_motion(const equations *e, const ag_value *item,
                                const ag_exact_pose *seen_from) {
  const ag_problem *p = e->r->problem;
  const char *word = ag_value_text(item, "word");
  ag_motion m = {ag_no_vec, ag_no_vec};
  const ag_vec axis = ag_mat_vec(seen_from->R, ag_unit(word[4] - 'x'));
  *(strncmp(word, "lin", 3) == 0 ? &m.lin : &m.ang) = axis;
  for (int g = 0; ag_value_item(item, "group") && g < p->ngroups; g++) {
    ag_group group = p->groups[g];
    group.rows = &word;
    if (strcmp(group.name, ag_value_text(item, "group")) == 0)
      ag_demand_direction(e->r, &group, 0, &m.lin, &m.ang);
  }
  const ag_site about = ag_site_of(ag_value_list(item, "about"));
  m.lin = ag_vec_scale(ag_value_exact(e->value, "reach"), m.lin);
  const ag_vec arm = ag_vec_sub(seen_from->p, ag_robot_point(e->r, &about));
  m.lin = ag_vec_add(m.lin, ag_vec_cross(m.ang, arm));
  return m;
}

/* Of a body that is held whole, the motion of its point at another body's origin; of the others, the
 * rows' coefficients. */
static void fill(equations *e, const ag_demand *rows) {
  const ag_value *bodies = bodies_of(e), *others = ag_value_list(e->value, "rows");
  int column = e->r->n;
  for (int k = 0; k < bodies->length; k++) {
    const ag_value *body = &bodies->items[k], *unasked = ag_value_list(body, "unasked");
    const ag_exact_pose *seen_from = &e->r->place[ag_value_integer(body, "middle")];
    const int tool = ag_value_integer(body, "tool");
    for (int c = 0; c < e->r->n; c++)
      put_motion(e, k, c, seen_from, ag_robot_partial(e->r, tool, seen_from->p, c));
    for (int i = 0; i < unasked->length; i++)
      put_motion(e, k, column++, seen_from, unasked_motion(e, &unasked->items[i], seen_from));
  }
  for (int k = 0; k < others->length; k++)
    memcpy(at(e, 6 * bodies->length + k, 0), rows[(int)others->items[k].number - 1].J,
           (size_t)e->r->n * sizeof *e->J);
}

/* Row number j of the layout whose equation this is; NULL: one of the six of a body that is held whole. */
static const ag_demand *row_with(const equations *e, const ag_demand *rows, int equation) {
  const ag_value *others = ag_value_list(e->value, "rows");
  const int other = equation - 6 * bodies_of(e)->length;
  return other < 0 ? NULL : &rows[(int)others->items[other].number - 1];
}

/* The square of what the coefficients of an equation are compared with: lengths with the robot's reach, angles with 1. */
static ag_number square_of(const equations *e, const ag_demand *rows, int equation) {
  const double reach = ag_value_number(e->value, "reach"); /* its square counts as a double */
  const ag_number square = ag_number_of(reach * reach);
  const ag_demand *row = row_with(e, rows, equation);
  if (!row) return equation % 6 < 3 ? square : ag_one;
  const bool linear = row->joint < 0 && strncmp(row->group->rows[row->k], "lin", 3) == 0;
  if (row->joint >= 0 || !row->group->free) return linear ? square : ag_one;
  return ag_number_add(ag_number_mul(square, ag_dot(row->lin, row->lin)),
                       ag_dot(row->ang, row->ang));
}

static void clear_column(equations *e, int column) {
  for (int i = 0; i < e->rows; i++) *at(e, i, column) = ag_zero;
}

/* Without the columns that are held out, the equations of the steps, and the columns that these
 * solve for. On a fixed base, whose columns are those of the program, a step divides by no less than a twentieth of what its equation's
 * coefficients are compared with: exact numbers would not show that doubles lose their digits. */
static void eliminate(equations *e, const ag_demand *rows) {
  const ag_value *steps = ag_value_list(e->value, "steps"), *held = ag_value_list(e->value, "held");
  for (int k = 0; k < held->length; k++) clear_column(e, (int)held->items[k].number - 1);
  for (int s = 0; s < steps->length; s++) {
    const int row = ag_value_integer(&steps->items[s], "equation") - 1,
              column = ag_value_integer(&steps->items[s], "column") - 1;
    const ag_number pivot = *at(e, row, column);
    const double least = 0.05 * sqrt(square_of(e, rows, row).value);
    if (e->r->problem->nbase == 0) e->weak = e->weak || fabs(pivot.value) < (1 - 1e-9) * least;
    for (int i = 0; i < e->rows; i++) {
      const ag_number factor = ag_number_div(*at(e, i, column), pivot);
      for (int c = 0; i != row && c < e->columns; c++)
        *at(e, i, c) = ag_number_sub(*at(e, i, c), ag_number_mul(factor, *at(e, row, c)));
    }
    for (int c = 0; c < e->columns; c++) *at(e, row, c) = ag_zero;
    clear_column(e, column);
  }
}

/* Row a of a block. */
static const ag_number *row_of(const equations *e, const ag_value *block, int a) {
  return at(e, ag_value_integer(&block->items[a], "equation") - 1, 0);
}

/* What the square of an equation counts as at least: a hundredth of that. Where the generator tells a number, to its
 * last digits. */
static ag_number least_square(const equations *e, const ag_demand *rows, const ag_value *item) {
  static const double hundredth = 1e-2;
  const ag_number own = ag_number_mul(ag_number_of(hundredth),
                                      square_of(e, rows, ag_value_integer(item, "equation") - 1));
  if (!ag_value_item(item, "least")) return own;
  const ag_number told = ag_value_exact(item, "least");
  return fabs(told.value - own.value) < 1e-12 * own.value ? told : own;
}

double ag_seam(const ag_robot *r) {
  const double t = r->problem->threshold.value;
  return fmax(1e3 * t, sqrt(t));
}

void ag_ask_pivot(const ag_robot *r, ag_least *found, double least, ag_number whole, ag_number d) {
  ag_decisions *decisions = r->point->decisions;
  const ag_number bound = ag_number_mul(ag_number_of(least), whole);
  const int turned = (decisions->turn.number - 1) % found->all;
  /* what is 0 exactly is rounding in the double */
  const bool no = d.exact == 0 || (decisions->general && found->asked == turned);
  if (no || decisions->turn.number > 0) ag_decide_as(decisions, bound, d, !no, true);
  found->asked++;
  (void)ag_decide(decisions, bound, d);
}

/* Relative pivots of a block's rows: those of their Gram matrix, B B^T = l diag(d) l^T. */
static void block_pivots(const equations *e, const ag_demand *rows, const ag_value *block,
                         ag_least *found) {
  const int m = block->length;
  ag_decisions *decisions = e->r->point->decisions;
  ag_number all = ag_one, all_whole = ag_one;
  ag_number *G = ag_alloc(e->r->arena, (size_t)(m * m + 1) * sizeof *G);
  for (int a = 0; a < m; a++)
    for (int b = 0; b < m; b++)
      ag_dense_times(row_of(e, block, a), 1, e->columns, row_of(e, block, b), &G[a * m + b]);
  for (int a = 0; a < m; a++) {
    const ag_number floor = least_square(e, rows, &block->items[a]);
    const ag_number *row = row_of(e, block, a), d = G[a * m + a];
    ag_number whole;
    ag_dense_times(row, 1, e->columns, row, &whole);
    if (ag_decide(decisions, whole, floor)) whole = floor;
    all = ag_number_mul(all, d);
    all_whole = ag_number_mul(all_whole, whole);
    ag_ask_pivot(e->r, found, ag_seam(e->r), whole, d);
    found->pivot = ag_smaller_pivot(e->r, ag_number_div(d, whole), found->pivot, &found->rows);
    ag_dense_take_out(G, m, a);
  }
  if (m > 0) ag_ask_pivot(e->r, found, ag_seam(e->r) / 30, all_whole, all);
}

ag_least ag_least_pivot_of_equations(const ag_robot *r, const ag_demand *rows) {
  equations e = {.r = r, .value = r->problem->equations};
  const ag_value *blocks = ag_value_list(e.value, "blocks");
  ag_least found = {.pivot = ag_one};
  for (int k = 0; k < blocks->length; k++) {
    found.rows.all += blocks->items[k].length;
    found.all += blocks->items[k].length > 0 ? blocks->items[k].length + 1 : 0;
  }
  start(&e);
  fill(&e, rows);
  eliminate(&e, rows);
  for (int k = 0; k < blocks->length; k++) block_pivots(&e, rows, &blocks->items[k], &found);
  if (e.weak) found.pivot = ag_zero;
  return found;
}
