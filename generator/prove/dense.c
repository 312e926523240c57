/* SPDX-License-Identifier: MIT */
/* dense.c: see dense.h */
#include "prove/dense.h"

#include <math.h>
#include <string.h>

static void swap_rows(ag_number *A, int n, int i, int j) {
  for (int k = 0; k < n; k++) {
    const ag_number x = A[i * n + k];
    A[i * n + k] = A[j * n + k];
    A[j * n + k] = x;
  }
}

bool ag_dense_inverse(const ag_number *M, int n, ag_number *W, ag_arena *arena) {
  const size_t size = (size_t)n * (size_t)n;
  ag_number *A = ag_alloc(arena, (size + 1) * sizeof *A);
  memcpy(A, M, size * sizeof *A);
  memset(W, 0, size * sizeof *W);
  for (int i = 0; i < n; i++) W[i * n + i] = ag_number_from(1, 1);
  for (int i = 0; i < n; i++) {
    int best = i;
    for (int j = i + 1; j < n; j++)
      if (fabs(A[j * n + i].value) > fabs(A[best * n + i].value)) best = j;
    swap_rows(A, n, i, best);
    swap_rows(W, n, i, best);
    if (A[i * n + i].exact == 0) return false;
    const ag_number inverse = ag_number_div(ag_number_from(1, 1), A[i * n + i]);
    for (int k = 0; k < n; k++) {
      A[i * n + k] = ag_number_mul(inverse, A[i * n + k]);
      W[i * n + k] = ag_number_mul(inverse, W[i * n + k]);
    }
    for (int j = 0; j < n; j++) {
      const ag_number factor = A[j * n + i];
      if (j == i || (factor.exact == 0 && factor.rate == 0 && factor.value == 0)) continue;
      for (int k = 0; k < n; k++) {
        A[j * n + k] = ag_number_sub(A[j * n + k], ag_number_mul(factor, A[i * n + k]));
        W[j * n + k] = ag_number_sub(W[j * n + k], ag_number_mul(factor, W[i * n + k]));
      }
    }
  }
  return true;
}

void ag_dense_times(const ag_number *A, int rows, int columns, const ag_number *x, ag_number *y) {
  for (int i = 0; i < rows; i++) {
    y[i] = ag_number_from(0, 0);
    for (int j = 0; j < columns; j++)
      y[i] = ag_number_add(y[i], ag_number_mul(A[i * columns + j], x[j]));
  }
}

void ag_dense_add_transposed(const ag_number *A, int rows, int columns, const ag_number *x,
                             ag_number *y) {
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < columns; j++)
      y[j] = ag_number_add(y[j], ag_number_mul(A[i * columns + j], x[i]));
}

void ag_dense_eliminate(const ag_number *M, int n, ag_number *D, ag_number *x, ag_arena *arena) {
  const size_t size = (size_t)n * (size_t)n;
  ag_number *A = ag_alloc(arena, (size + 1) * sizeof *A);
  memcpy(A, M, size * sizeof *A);
  for (int i = n - 1; i >= 0; i--) {
    D[i] = A[i * n + i];
    for (int j = 0; j < i; j++) {
      const ag_number factor = ag_number_div(A[j * n + i], D[i]);
      for (int k = 0; k < i; k++)
        A[j * n + k] = ag_number_sub(A[j * n + k], ag_number_mul(factor, A[i * n + k]));
      if (x) x[j] = ag_number_sub(x[j], ag_number_mul(factor, x[i]));
    }
  }
}

void ag_dense_take_out(ag_number *G, int m, int a) {
  for (int b = a + 1; b < m; b++) {
    const ag_number factor = ag_number_div(G[b * m + a], G[a * m + a]);
    for (int c = a; c < m; c++)
      G[b * m + c] = ag_number_sub(G[b * m + c], ag_number_mul(factor, G[a * m + c]));
  }
}
