/* SPDX-License-Identifier: MIT */
/* elimination.c: see elimination.h */
#include "check/elimination.h"

#include <math.h>

static void swap(long double *a, long double *b) {
  const long double x = *a;
  *a = *b, *b = x;
}

bool ag_eliminate(long double *A, long double *b, int n) {
  for (int k = 0; k < n; k++) {
    int best = k;
    for (int i = k + 1; i < n; i++)
      if (fabsl(A[i * n + k]) > fabsl(A[best * n + k])) best = i;
    if (A[best * n + k] == 0) return false;
    for (int j = 0; j < n && best != k; j++) swap(&A[k * n + j], &A[best * n + j]);
    if (best != k) swap(&b[k], &b[best]);
    for (int i = k + 1; i < n; i++) {
      const long double share = A[i * n + k] / A[k * n + k];
      for (int j = k; j < n; j++) A[i * n + j] -= share * A[k * n + j];
      b[i] -= share * b[k];
    }
  }
  for (int k = n - 1; k >= 0; k--) {
    for (int j = k + 1; j < n; j++) b[k] -= A[k * n + j] * b[j];
    b[k] /= A[k * n + k];
  }
  return true;
}
