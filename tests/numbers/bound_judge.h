/* SPDX-License-Identifier: MIT */
/* bound_judge.h: the solve that bound_sweep.c judges by, in wider types (bound_judge.c). */
#ifndef BOUND_JUDGE_H
#define BOUND_JUDGE_H

/* Inputs of achd, or of fd, whose torque is tau and which has no rows. */
typedef struct bound_state {
  double q[16], qd[16], torque[16], b[16], mask[16];
} bound_state;

/* qdd in long double; and by joint the distances in quad of qdd, and of wide, from the exact one. */
void bound_wide(const bound_state *in, long double *wide);
void bound_exact(const bound_state *in, const double *qdd, const long double *wide, double *error,
                 double *wide_error);

#endif
