/* SPDX-License-Identifier: MIT */
/* early.c: see early.h */
#include "prove/early.h"

#include "prove/pivots.h"

#include <string.h>

typedef struct set { /* rows by number from 0; L, m x m */
  const ag_robot *r;
  const int *rows, *coordinates;
  int m, n;
  const ag_number *
      taken; /* L of the joint where the first row was eliminated before the others; NULL: it was not */
  const ag_value *turned; /* names of groups */
  ag_number *L;
} set;

static int *from_zero(const ag_robot *r, const ag_value *list, int *count) {
  *count = list->length;
  return ag_value_integers(list, -1, r->arena);
}

/* J of the set's rows of a group along the axes of its frame, of those along the axes of the base. */
static void turn(const set *s, const ag_demand *rows, const ag_group *group, ag_number *J) {
  static const char *const words[] = {"lin_x", "lin_y", "lin_z", "ang_x", "ang_y", "ang_z"};
  ag_group along_link = *group;
  along_link.axes = AG_AXES_LINK;
  for (int a = 0; a < s->m; a++) {
    const ag_demand *row = &rows[s->rows[a]];
    if (row->group != group) continue;
    ag_vec lin, ang;
    ag_demand_direction(s->r, &along_link, row->k, &lin, &ang);
    for (int c = 0; c < s->n; c++) J[a * s->n + c] = ag_zero;
    for (int b = 0; b < s->m; b++) {
      const ag_demand *other = &rows[s->rows[b]];
      const char *word = other->group == group ? group->rows[other->k] : "";
      for (int i = 0; i < 6; i++) {
        if (strcmp(word, words[i]) != 0) continue;
        const ag_number share = i < 3 ? lin.x[i] : ang.x[i - 3];
        for (int c = 0; c < s->n; c++)
          J[a * s->n + c] =
              ag_number_add(J[a * s->n + c], ag_number_mul(share, other->J[s->coordinates[c]]));
      }
    }
  }
}

/* J M^-1 J^T of the set's coordinates. False: M is singular. */
static bool find_L(set *s, const ag_demand *rows) {
  const ag_robot *r = s->r;
  const int n = s->n, m = s->m;
  const size_t square = (size_t)n * (size_t)n + 1;
  ag_number *M = ag_alloc(r->arena, square * sizeof *M),
            *W = ag_alloc(r->arena, square * sizeof *W),
            *J = ag_alloc(r->arena, ((size_t)m * (size_t)n + 1) * sizeof *J),
            *x = ag_alloc(r->arena, ((size_t)n + 1) * sizeof *x);
  for (int a = 0; a < n; a++)
    for (int b = 0; b < n; b++) M[a * n + b] = r->M[s->coordinates[a] * r->n + s->coordinates[b]];
  for (int j = 0; j < m; j++)
    for (int a = 0; a < n; a++) J[j * n + a] = rows[s->rows[j]].J[s->coordinates[a]];
  if (!ag_dense_inverse(M, n, W, r->arena)) return false;
  for (int k = 0; k < s->turned->length; k++)
    for (int g = 0; g < r->problem->ngroups; g++)
      if (strcmp(r->problem->groups[g].name, s->turned->items[k].text) == 0)
        turn(s, rows, &r->problem->groups[g], J);
  s->L = ag_alloc(r->arena, ((size_t)m * (size_t)m + 1) * sizeof *s->L);
  for (int j = 0; j < m; j++) {
    ag_dense_times(W, n, n, J + (size_t)j * (size_t)n, x);
    for (int k = 0; k < m; k++)
      ag_dense_times(J + (size_t)k * (size_t)n, 1, n, x, &s->L[k * m + j]);
  }
  return true;
}

/* Whether rows are in reach, which is asked at every point. */
static bool ask_reach(const set *s, const ag_demand *row, ag_number own) {
  ag_decisions *decisions = s->r->point->decisions;
  const ag_number most = ag_number_of(s->r->point->header->target.single ? 1e38 : 1e300);
  const bool turned = decisions->turn.number > 0;
  if (turned && !decisions->turn.reach) ag_decide_as(decisions, own, most, true, false);
  const bool reached = ag_demand_in_reach(s->r, row, own);
  ag_decision *asked = ag_decision_of(decisions, 0, own.exact);
  if (asked) asked->due = turned;
  return reached;
}

/* The smaller of a row's pivot and the least so far. Of ten turned points two take the way for most states
 * (decisions.h): each row's pivot is the least in one of these in turn; a row out of reach always is. */
static ag_number smaller(const ag_robot *r, ag_number pivot, ag_number least, ag_turns *turns) {
  enum { POINTS = 10, OF_FAST_WAY = 2 };
  const int number = r->point->decisions->turn.number,
            own = number / POINTS * OF_FAST_WAY + number % OF_FAST_WAY;
  const bool chosen = own % turns->all == turns->so_far++ || pivot.exact == 0;
  return ag_smaller_as(r, pivot, least, chosen);
}

/* What a row's pivot is compared with: what the rows before its part leave of its L_jj, and what the first row took of
 * it where that was eliminated before the others. */
static ag_number *wholes(const set *s) {
  const int m = s->m;
  ag_number *whole = ag_alloc(s->r->arena, ((size_t)m + 1) * sizeof *whole);
  for (int a = 0; a < m; a++) {
    whole[a] = s->L[a * m + a];
    if (s->taken) whole[a] = ag_number_add(whole[a], s->taken[a * m + a]);
  }
  if (s->taken) whole[0] = s->taken[0];
  return whole;
}

/* "lin" or "ang" of a row that is turned to the axes of its frame, else NULL. */
static const char *kind_of(const set *s, const ag_demand *row) {
  for (int k = 0; row->group && k < s->turned->length; k++)
    if (strcmp(row->group->name, s->turned->items[k].text) == 0)
      return strncmp(row->group->rows[row->k], "lin", 3) == 0 ? "lin" : "ang";
  return NULL;
}

/* By row `whole`, and of a row that is turned the sum of the three of its group and kind, three times their mean. */
static ag_number *sums_of(const set *s, const ag_demand *rows, const ag_number *whole) {
  const int m = s->m;
  ag_number *sums = ag_alloc(s->r->arena, ((size_t)m + 1) * sizeof *sums);
  for (int a = 0; a < m; a++) {
    const ag_demand *row = &rows[s->rows[a]];
    const char *kind = kind_of(s, row);
    sums[a] = kind ? ag_zero : whole[a];
    for (int b = 0; b < m && kind; b++) {
      const ag_demand *other = &rows[s->rows[b]];
      if (other->group == row->group && kind_of(s, other) == kind)
        sums[a] = ag_number_add(sums[a], whole[b]);
    }
  }
  return sums;
}

/* What stands over that sum: a row's pivot, of a row that is turned three times. */
static ag_number over_sum(const set *s, const ag_demand *row, ag_number d) {
  return kind_of(s, row) ? ag_number_mul(ag_number_of(3), d) : d;
}

static void ask_set(const set *s, const ag_demand *rows, ag_least *found) {
  const int m = s->m, first = s->taken != NULL;
  const double least = ag_seam(s->r);
  if (first > 0) ag_dense_take_out(s->L, m, 0);
  const ag_number *whole = wholes(s), *sums = sums_of(s, rows, whole);
  ag_number all = ag_one, all_whole = ag_one, over = ag_one, below = ag_one;
  if (first > 0) over = over_sum(s, &rows[s->rows[0]], s->taken[0]), below = sums[0];
  for (int a = first; a < m; a++) {
    const ag_demand *row = &rows[s->rows[a]];
    const ag_number d = s->L[a * m + a], share = over_sum(s, row, d);
    const bool reached = ask_reach(s, row, d), alone = a == 0 && !kind_of(s, row);
    all = ag_number_mul(all, d);
    all_whole = ag_number_mul(all_whole, whole[a]);
    over = ag_number_mul(over, share);
    below = ag_number_mul(below, sums[a]);
    if (a > 0) ag_ask_pivot(s->r, found, least, whole[a], d);
    const ag_number pivot = alone ? ag_one : ag_number_div(share, sums[a]);
    found->pivot = smaller(s->r, reached ? pivot : ag_zero, found->pivot, &found->rows);
    if (d.exact == 0) return; /* what the program makes of it is no number */
    ag_dense_take_out(s->L, m, a);
  }
  if (m > 2) ag_ask_pivot(s->r, found, least / 30, all_whole, all);
  if (s->turned->length > 0)
    ag_ask_pivot(s->r, found, 9.0 / 4 * s->r->problem->threshold.value, below, over);
}

ag_number ag_ask_early(const ag_robot *r, const ag_demand *rows) {
  const ag_value *sets = r->problem->sets;
  ag_least found = {.pivot = ag_one};
  for (int k = 0; k < sets->length; k++) {
    const int m = ag_value_list(&sets->items[k], "rows")->length;
    found.all += m - 1 + (m > 2) + (ag_value_list(&sets->items[k], "turned")->length > 0);
    found.rows.all += m;
  }
  for (int k = 0; k < sets->length; k++) {
    set s = {.r = r, .turned = ag_value_list(&sets->items[k], "turned")};
    s.rows = from_zero(r, ag_value_list(&sets->items[k], "rows"), &s.m);
    set lead = s;
    lead.coordinates = from_zero(r, ag_value_list(&sets->items[k], "lead"), &lead.n);
    if (lead.n > 0 && find_L(&lead, rows)) s.taken = lead.L;
    s.coordinates = from_zero(r, ag_value_list(&sets->items[k], "coordinates"), &s.n);
    if (find_L(&s, rows)) ask_set(&s, rows, &found);
  }
  return found.pivot;
}
