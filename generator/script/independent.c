/* SPDX-License-Identifier: MIT */
/* independent.c: see independent.h */
#include "script/independent.h"

#include "base/arena.h"
#include "base/field.h"
#include "script/scalars.h"

#include <lauxlib.h>
#include <math.h>

static const double ROUNDING = 1e-9;

/* Row by row; after each column it is in reduced echelon form up to there (Gauss and Jordan). */
typedef struct matrix {
  ag_number *x;
  int rows, columns;
  int *pivot;  /* by row: the column that it has the only number of; -1: none yet */
  int *filled; /* columns, for work */
  int *row;    /* by column: its pivot's row; -1: it depends on those before it */
  bool rounded;
} matrix;

static ag_number *at(const matrix *m, int row, int column) {
  return &m->x[row * m->columns + column];
}

static matrix read(lua_State *L, ag_arena *arena) {
  matrix m = {.columns = (int)luaL_len(L, 1), .rounded = lua_toboolean(L, 2)};
  for (int c = 0; c < m.columns; c++) {
    lua_rawgeti(L, 1, c + 1);
    if (c == 0) {
      m.rows = (int)luaL_len(L, -1);
      m.x = ag_alloc(arena, ((size_t)m.rows * (size_t)m.columns + 1) * sizeof *m.x);
    }
    for (int r = 0; r < m.rows; r++) {
      lua_rawgeti(L, -1, r + 1);
      *at(&m, r, c) = ag_to_number(L, -1);
      lua_pop(L, 1);
    }
    lua_pop(L, 1);
  }
  m.pivot = ag_alloc(arena, (size_t)(m.rows + 1) * sizeof *m.pivot);
  m.filled = ag_alloc(arena, (size_t)(m.columns + 1) * sizeof *m.filled);
  m.row = ag_alloc(arena, (size_t)(m.columns + 1) * sizeof *m.row);
  for (int r = 0; r < m.rows; r++) m.pivot[r] = -1;
  return m;
}

/* The largest number that the column began with. */
static double largest(const matrix *m, int column) {
  double most = 0;
  for (int r = 0; r < m->rows; r++) most = fmax(most, fabs(at(m, r, column)->value));
  return most;
}

/* The row without a pivot with the largest number in this column that is not 0; -1. */
static int find_pivot(const matrix *m, int column, double least) {
  int best = -1;
  for (int r = 0; r < m->rows; r++) {
    const ag_number x = *at(m, r, column);
    if (m->pivot[r] >= 0 || (m->rounded ? fabs(x.value) <= least : x.exact == 0)) continue;
    if (best < 0 || fabs(x.value) > fabs(at(m, best, column)->value)) best = r;
  }
  return best;
}

static void eliminate(matrix *m, int pivot, int column) {
  const ag_number divisor = *at(m, pivot, column);
  int n = 0; /* columns in which the pivot's row is not 0 */
  for (int c = column; c < m->columns; c++) {
    ag_number *x = at(m, pivot, c);
    if (x->exact == 0 && x->value == 0) continue;
    *x = ag_number_div(*x, divisor);
    m->filled[n++] = c;
  }
  for (int r = 0; r < m->rows; r++) {
    const ag_number factor = *at(m, r, column);
    if (r == pivot || (factor.exact == 0 && factor.value == 0)) continue;
    for (int k = 0; k < n; k++) {
      const int c = m->filled[k];
      *at(m, r, c) = ag_number_sub(*at(m, r, c), ag_number_mul(factor, *at(m, pivot, c)));
    }
  }
}

/* What a dependent column is made of; what rounding left of 0 is 0. */
static void push_factors(lua_State *L, const matrix *m, int column) {
  lua_createtable(L, column, 0);
  for (int c = 0; c < column; c++) {
    const ag_number zero = {0};
    ag_number factor = m->row[c] < 0 ? zero : *at(m, m->row[c], column);
    if (m->rounded ? fabs(factor.value) < ROUNDING : factor.exact == 0) factor = zero;
    ag_push_number(L, factor);
    lua_rawseti(L, -2, c + 1);
  }
}

int ag_l_independent(lua_State *L) {
  luaL_checktype(L, 1, LUA_TTABLE);
  ag_arena arena = {0};
  matrix m = read(L, &arena);
  double *least = ag_alloc(&arena, (size_t)(m.columns + 1) * sizeof *least);
  for (int c = 0; c < m.columns; c++) least[c] = ROUNDING * largest(&m, c);
  lua_createtable(L, m.columns, 0);
  for (int c = 0; c < m.columns; c++) {
    m.row[c] = find_pivot(&m, c, least[c]);
    if (m.row[c] < 0) {
      push_factors(L, &m, c);
    } else {
      eliminate(&m, m.row[c], c);
      m.pivot[m.row[c]] = c;
      lua_pushboolean(L, true);
    }
    lua_rawseti(L, -2, c + 1);
  }
  ag_arena_free(&arena);
  return 1;
}
