/* SPDX-License-Identifier: MIT */
/* equations.c: see equations.h */
#include "prove/equations.h"

#include "prove/vector.h"

typedef struct block {
  const ag_equations *of;
  int n;
  const int *rows, *columns;
  bool bad;
  ag_number pivot;
} block;

static ag_number element(const block *b, int i, int j) {
  return b->of->A[b->rows[i] * b->of->n + b->columns[j]];
}

/* Less than that is no divisor. */
static ag_number divisor(const ag_equations *e, ag_number x) {
  const ag_number size = ag_decide(e->decisions, x, ag_zero) ? ag_number_neg(x) : x;
  return ag_decide(e->decisions, size, ag_number_of(1e-30)) ? ag_one : x;
}

/* What of a square is left, and whether that is too little. */
static bool is_weak(const block *b, ag_number left, ag_number whole) {
  if (!b->of->least) return false;
  return !ag_decide(b->of->decisions, ag_number_mul(*b->of->least, whole), left);
}

static ag_number share_of(const block *b, ag_number left, ag_number whole) {
  if (!b->of->least) return ag_zero;
  const bool some = ag_decide(b->of->decisions, ag_zero, whole);
  return ag_number_div(left, some ? whole : ag_one);
}

/* The determinant without row i and column j of up to three. */
static ag_number minor(const block *b, int i, int j) {
  if (b->n == 1) return ag_one;
  if (b->n == 2) return element(b, 1 - i, 1 - j);
  const int r = (i + 1) % 3, s = (i + 2) % 3, c = (j + 1) % 3, d = (j + 2) % 3;
  return ag_number_sub(ag_number_mul(element(b, r, c), element(b, s, d)),
                       ag_number_mul(element(b, r, d), element(b, s, c)));
}

static ag_number cofactor(const block *b, int i, int j) {
  return b->n == 2 && i != j ? ag_number_neg(minor(b, i, j)) : minor(b, i, j);
}

static void by_cofactors(block *b, const ag_number *rhs, int count, ag_number *x) {
  const ag_equations *e = b->of;
  ag_number det = ag_zero, whole = ag_one;
  for (int j = 0; j < b->n; j++) det = ag_plus(det, element(b, 0, j), cofactor(b, 0, j));
  for (int i = 0; i < b->n; i++) whole = ag_number_mul(whole, e->sizes[b->rows[i]]);
  const ag_number squared = ag_number_mul(det, det);
  b->bad = is_weak(b, squared, whole);
  b->pivot = share_of(b, squared, whole);
  const ag_number by = e->least ? b->bad ? ag_one : det : divisor(e, det);
  for (int j = 0; j < b->n; j++)
    for (int k = 0; k < count; k++) {
      ag_number sum = ag_zero;
      for (int i = 0; i < b->n; i++)
        sum = ag_plus(sum, cofactor(b, i, j), rhs[b->rows[i] * count + k]);
      x[b->columns[j] * count + k] = ag_number_div(sum, by);
    }
}

/* A = L Q with rows of Q that are orthogonal: x = sum of Q_i y_i / Q_i . Q_i, L y = b. */
static void by_rows(block *b, const ag_number *rhs, int count, ag_number *x) {
  const ag_equations *e = b->of;
  const int n = b->n;
  ag_number *Q = ag_alloc(e->arena, (size_t)(n * n + n) * sizeof *Q), *by = Q + (ptrdiff_t)n * n,
            *y = ag_alloc(e->arena, (size_t)(n * count + 1) * sizeof *y);
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) Q[i * n + j] = element(b, i, j);
    for (int k = 0; k < count; k++) y[i * count + k] = rhs[b->rows[i] * count + k];
    for (int h = 0; h < i; h++) {
      ag_number along = ag_zero;
      for (int j = 0; j < n; j++) along = ag_plus(along, Q[i * n + j], Q[h * n + j]);
      along = ag_number_neg(ag_number_div(along, by[h]));
      for (int j = 0; j < n; j++) Q[i * n + j] = ag_plus(Q[i * n + j], along, Q[h * n + j]);
      for (int k = 0; k < count; k++)
        y[i * count + k] = ag_plus(y[i * count + k], along, y[h * count + k]);
    }
    ag_number square = ag_zero;
    for (int j = 0; j < n; j++) square = ag_plus(square, Q[i * n + j], Q[i * n + j]);
    const bool weak = is_weak(b, square, e->sizes[b->rows[i]]);
    const ag_number share = share_of(b, square, e->sizes[b->rows[i]]);
    by[i] = e->least ? weak ? ag_one : square : divisor(e, square);
    b->bad = b->bad || weak;
    b->pivot = i == 0 || ag_decide(e->decisions, share, b->pivot) ? share : b->pivot;
  }
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < count; k++) {
        ag_number *to = &x[b->columns[j] * count + k];
        *to = ag_plus(*to, ag_number_div(y[i * count + k], by[i]), Q[i * n + j]);
      }
}

ag_answer ag_equations_solve(const ag_equations *e, const ag_number *rhs, int count) {
  const size_t size = (size_t)e->n * (size_t)count + 1;
  ag_answer answer = {.x = ag_alloc(e->arena, size * sizeof *answer.x)};
  for (int k = 0; k < e->blocks->length; k++) {
    const ag_value *rows = ag_value_list(&e->blocks->items[k], "rows"),
                   *columns = ag_value_list(&e->blocks->items[k], "columns");
    block b = {.of = e,
               .n = rows->length,
               .rows = ag_value_integers(rows, -1, e->arena),
               .columns = ag_value_integers(columns, -1, e->arena),
               .pivot = ag_zero};
    b.bad = b.n != columns->length;
    if (!b.bad && b.n <= 3) by_cofactors(&b, rhs, count, answer.x);
    if (!b.bad && b.n > 3) by_rows(&b, rhs, count, answer.x);
    answer.bad = answer.bad || b.bad;
    if (k == 0 || ag_decide(e->decisions, b.pivot, answer.pivot)) answer.pivot = b.pivot;
  }
  return answer;
}
