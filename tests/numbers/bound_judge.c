/* SPDX-License-Identifier: MIT */
/* bound_judge.c: two headers of one robot and layout, `wide` and `exact`, compiled in long double and in __float128, sines and
 * cosines included. Their constants are the doubles that the headers have. FD: forward dynamics. */
#include "bound_judge.h"

#include <math.h>
#include <quadmath.h>

#define WIDE_IMPLEMENTATION
#define WIDE_LIBM
#define double long double
#define sin sinl
#define cos cosl
#include "wide.h"
#undef double
#undef sin
#undef cos

#define EXACT_IMPLEMENTATION
#define EXACT_LIBM
#define double __float128
#define sin sinq
#define cos cosq
#include "exact.h"
#undef double
#undef sin
#undef cos

#ifdef FD
#define CALL(NAME, Name)                                                                           \
  Name##_fd_in given = NAME##_FD_IN_DEFAULT;                                                       \
  Name##_fd_out out
#define SOLVE(Name) Name##_fd(&given, &out)
#define TORQUE tau
#define ROWS(Name)
#else
#define CALL(NAME, Name)                                                                           \
  Name##_achd_in given = NAME##_ACHD_IN_DEFAULT;                                                   \
  Name##_achd_out out
#define SOLVE(Name) Name##_achd(&given, &out)
#define TORQUE tau_art
#define ROWS(NAME)                                                                                 \
  for (int i = 0; i < NAME##_NR; i++) {                                                            \
    given.b[i] = in->b[i];                                                                         \
    given.mask[i] = in->mask[i];                                                                   \
  }
#endif

#define TAKE(NAME)                                                                                 \
  for (int i = 0; i < NAME##_NJ; i++) {                                                            \
    given.q[i] = in->q[i];                                                                         \
    given.qd[i] = in->qd[i];                                                                       \
    given.TORQUE[i] = in->torque[i];                                                               \
  }                                                                                                \
  ROWS(NAME)

void bound_wide(const bound_state *in, long double *wide) {
  CALL(WIDE, wide);
  TAKE(WIDE);
  SOLVE(wide);
  for (int i = 0; i < WIDE_NJ; i++) wide[i] = out.qdd[i];
}

void bound_exact(const bound_state *in, const double *qdd, const long double *wide, double *error,
                 double *wide_error) {
  CALL(EXACT, exact);
  TAKE(EXACT);
  SOLVE(exact);
  for (int i = 0; i < EXACT_NJ; i++) {
    error[i] = fabs((double)(qdd[i] - out.qdd[i]));
    wide_error[i] = fabs((double)(wide[i] - out.qdd[i]));
  }
}
