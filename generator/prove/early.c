/* SPDX-License-Identifier: MIT */
/* early.c: see early.h */
#include "prove/early.h"

#include "prove/pivots.h"

typedef struct set { /* rows by number from 0; L, m x m */
  const ag_robot *r;
  const int *rows, *coordinates;
  int m, n;
  ag_number *L;
} set;

static int *from_zero(const ag_robot *r, const ag_value *list, int *count) {
  *count = list->length;
  return ag_value_integers(list, -1, r->arena);
}

/* J M^-1 J^T of the set's coordinates. False: M is singular. */
static bool find_L(set *s, const ag_demand *rows) {
  const ag_robot *r = s->r;
  const int n = s->n, m = s->m;
  const size_t square = (size_t)n * (size_t)n + 1;
  ag_number *M = ag_alloc(r->arena, square * sizeof *M), *W = ag_alloc(r->arena, square * sizeof *W),
            *J = ag_alloc(r->arena, ((size_t)m * (size_t)n + 1) * sizeof *J),
            *x = ag_alloc(r->arena, ((size_t)n + 1) * sizeof *x);
  for (int a = 0; a < n; a++)
    for (int b = 0; b < n; b++) M[a * n + b] = r->M[s->coordinates[a] * r->n + s->coordinates[b]];
  for (int j = 0; j < m; j++)
    for (int a = 0; a < n; a++) J[j * n + a] = rows[s->rows[j]].J[s->coordinates[a]];
  if (!ag_dense_inverse(M, n, W, r->arena)) return false;
  s->L = ag_alloc(r->arena, ((size_t)m * (size_t)m + 1) * sizeof *s->L);
  for (int j = 0; j < m; j++) {
    ag_dense_times(W, n, n, J + (size_t)j * (size_t)n, x);
    for (int k = 0; k < m; k++)
      ag_dense_times(J + (size_t)k * (size_t)n, 1, n, x, &s->L[k * m + j]);
  }
  return true;
}

/* Whether rows are in reach, which is asked at every point. */
static void ask_reach(const set *s, const ag_demand *row, ag_number own) {
  ag_decisions *decisions = s->r->point->decisions;
  (void)ag_demand_in_reach(s->r, row, own);
  ag_decision *asked = ag_decision_of(decisions, 0, own.exact);
  if (asked) asked->due = true;
}

static void ask_set(const set *s, const ag_demand *rows, ag_least *found) {
  const int m = s->m;
  ag_number *L = s->L, all = ag_one, all_whole = ag_one;
  const double least = ag_seam(s->r);
  ag_number *whole = ag_alloc(s->r->arena, ((size_t)m + 1) * sizeof *whole);
  for (int a = 0; a < m; a++) {
    whole[a] = L[a * m + a];
    ask_reach(s, &rows[s->rows[a]], whole[a]);
  }
  for (int a = 0; a < m; a++) {
    const ag_number d = L[a * m + a];
    all = ag_number_mul(all, d);
    all_whole = ag_number_mul(all_whole, whole[a]);
    if (a > 0) ag_ask_pivot(s->r, found, least, whole[a], d);
    for (int b = a + 1; b < m; b++) {
      const ag_number factor = ag_number_div(L[b * m + a], d);
      for (int c = a; c < m; c++)
        L[b * m + c] = ag_number_sub(L[b * m + c], ag_number_mul(factor, L[a * m + c]));
    }
  }
  if (m > 2) ag_ask_pivot(s->r, found, least / 30, all_whole, all);
}

void ag_ask_early(const ag_robot *r, const ag_demand *rows) {
  const ag_value *sets = r->problem->sets;
  ag_least found = {.pivot = ag_one};
  for (int k = 0; k < sets->length; k++) {
    const int m = ag_value_list(&sets->items[k], "rows")->length;
    found.all += m - 1 + (m > 2);
  }
  for (int k = 0; k < sets->length; k++) {
    set s = {.r = r};
    s.rows = from_zero(r, ag_value_list(&sets->items[k], "rows"), &s.m);
    s.coordinates = from_zero(r, ag_value_list(&sets->items[k], "coordinates"), &s.n);
    if (find_L(&s, rows)) ask_set(&s, rows, &found);
  }
}
