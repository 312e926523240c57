/* SPDX-License-Identifier: MIT */
/* gears_optimum.c: optima of states from standard input (q, qd and b, a state a line) by qp, achd_qp and apply of geared.h: a line each,
 * the status bits, what achd_qp says, and the torques of motors and joints. */
#include <achd/qp.h>

#define GEARED_IMPLEMENTATION
#include "geared.h"

#include <stdio.h>

static int numbers(geared_real *x, int count) {
  for (int k = 0; k < count; k++)
    if (scanf("%lf", &x[k]) != 1) return 0;
  return 1;
}

int main(void) {
  static achd_real work[ACHD_QP_WORK(GEARED_NX, GEARED_NQ)];
  static achd_real dual[ACHD_QP_DUAL(GEARED_LEVELS, GEARED_NQ)];
  static geared_qp_out p;
  geared_achd_in in = {.b = {0}};
  geared_achd_out out;
  achd_qp_report report;
  achd_real x[GEARED_NX];
  while (numbers(in.q, GEARED_NJ) && numbers(in.qd, GEARED_NJ) && numbers(in.b, GEARED_NR)) {
    signed char side[GEARED_NQ] = {0};
    unsigned bits = geared_qp(&in, &p);
    const achd_qp_problem problem = {GEARED_NX, GEARED_NQ, GEARED_LEVELS, p.H,     p.g,
                                     p.A,       p.lo,      p.hi,          p.level, p.weight};
    const int said = (int)achd_qp(&problem, x, dual, side, 0, work, &report);
    bits |= geared_apply(&in, &p, x, &out);
    printf("%u %d", bits, said);
    for (int m = 0; m < GEARED_NM; m++) printf(" %.17g", out.tau_motor[m]);
    for (int j = 0; j < GEARED_NJ; j++) printf(" %.17g", out.tau_ctrl[j]);
    printf("\n");
  }
  return 0;
}
