/* SPDX-License-Identifier: MIT */
/* external.h: a function with the C interface of CasADi's external functions, as achdgen --casadi
 * writes them, as dense matrices. */
#ifndef EXTERNAL_H
#define EXTERNAL_H

#ifndef casadi_int
#define casadi_int long long int
#endif

#include <stdbool.h>
#include <stddef.h>

enum { EXTERNAL_MOST = 512 }; /* numbers of a result that can differ from zero */

/* Declares the function NAME. */
#define EXTERNAL(name)                                                                             \
  int name(const double **arg, double **res, casadi_int *iw, double *w, int mem);                  \
  const casadi_int *name##_sparsity_out(casadi_int i);                                             \
  casadi_int name##_n_out(void);                                                                   \
  static bool call_##name(const double *const arg[], double *const out[]) {                        \
    return external_call(name, name##_sparsity_out, (int)name##_n_out(), arg, out);                \
  }

typedef int external_eval(const double **arg, double **res, casadi_int *iw, double *w, int mem);
typedef const casadi_int *external_pattern(casadi_int i);

/* out[i]: the matrix of result i, row by row; NULL: it is not wanted. False: there is no result. */
static inline bool external_call(external_eval *eval, external_pattern *pattern, int results,
                                 const double *const arg[], double *const out[]) {
  static double numbers[16][EXTERNAL_MOST];
  const double *in[16] = {NULL};
  double *res[16] = {NULL};
  for (int i = 0; i < 16 && arg[i]; i++) in[i] = arg[i];
  for (int i = 0; i < results && i < 16; i++)
    if (out[i]) res[i] = numbers[i];
  if (eval(in, res, NULL, NULL, 0)) return false;
  for (int i = 0; i < results && i < 16; i++) {
    if (!out[i]) continue;
    /* compressed columns: rows, columns, where each column begins, the row of each number */
    const casadi_int *s = pattern(i), rows = s[0], columns = s[1], *begin = s + 2;
    const casadi_int *row = begin + columns + 1;
    for (casadi_int k = 0; k < rows * columns; k++) out[i][k] = 0;
    for (casadi_int c = 0; c < columns; c++)
      for (casadi_int k = begin[c]; k < begin[c + 1]; k++)
        out[i][row[k] * columns + c] = numbers[i][k];
  }
  return true;
}

#endif
