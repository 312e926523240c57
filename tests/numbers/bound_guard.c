/* SPDX-License-Identifier: MIT */
/* bound_guard.c: the guard of docs/layouts.md, which bound.sh puts into guard.h, on a Gen3: it trusts the answer of a bent
 * arm, and not that of one that is nearly stretched, nor one to inputs that are no numbers. */
#define GEN3_ROUNDING_IMPLEMENTATION
#include "guard.h"

#include <math.h>
#include <stdio.h>

static int at(double elbow, double rate) {
  gen3_rounding_achd_in in = GEN3_ROUNDING_ACHD_IN_DEFAULT;
  gen3_rounding_achd_out out;
  const double bent[GEN3_ROUNDING_NJ] = {0, 0.26, 3.14, 0, 0, 0.96, 1.57};
  for (int i = 0; i < GEN3_ROUNDING_NJ; i++) {
    in.q[i] = i == 3 ? elbow : bent[i];
    in.qd[i] = rate;
  }
  gen3_rounding_achd(&in, &out);
  printf("elbow %g, rate %g: bound %.1e, trusted: %d\n", elbow, rate, out.bound[0],
         good_enough(&out));
  return good_enough(&out);
}

int main(void) {
  return !(at(-2.27, 0.1) && !at(1e-5, 0.1) && !at(-2.27, NAN) && !at(-2.27, 1e200));
}
