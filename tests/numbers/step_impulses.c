/* SPDX-License-Identifier: MIT */
/* step_impulses.c: a step with contacts around a solver of its own: block Gauss and Seidel's method, projected on the cones,
 * as long as it takes. Compiled by step_contacts.py, with the header's name as HEADER. */
#include HEADER

#include <math.h>
#include <string.h>

enum { M = sizeof((r_step_begin_out *)0)->b / sizeof(double) };

const unsigned long size_in = sizeof(r_step_in), rows = M;
r_step_begin_out begun;
double lambda[M];
double least;              /* R of every contact and row, of the mean diagonal element of A there */
double gap_share = 1;      /* what gaps are multiplied by */
int most = 100000, sweeps; /* how many there may be, and were, in the last cycle */

/* The nearest point of mu n >= |t|. */
static void onto_cone(double *x, double mu) {
  const double t = hypot(x[1], x[2]);
  if (t <= mu * x[0]) return;
  if (mu * t <= -x[0]) {
    x[0] = x[1] = x[2] = 0;
    return;
  }
  const double n = (x[0] + mu * t) / (1 + mu * mu), share = t > 0 ? mu * n / t : 0;
  x[0] = n;
  x[1] *= share;
  x[2] *= share;
}

/* Velocity of row j, in a contact or row from `first` to `last`, and what R adds. */
static double velocity(int j, int first, int last) {
  double w = begun.b[j] + gap_share * begun.gap[j], mean = 0;
  for (int k = first; k <= last; k++) mean += begun.A[k * M + k] / (last - first + 1);
  w += least * mean * lambda[j];
  for (int k = 0; k < M; k++) w += begun.A[j * M + k] * lambda[k];
  return w;
}

static double improve(int contacts, int limits, const double *mu, const double *box) {
  double change = 0;
  for (int j = 0; j < M;) {
    const int size = j < 3 * contacts ? 3 : 1;
    double x[3], trace = 1e-300;
    for (int k = 0; k < size; k++) trace += begun.A[(j + k) * M + j + k];
    for (int k = 0; k < size; k++) x[k] = lambda[j + k] - velocity(j + k, j, j + size - 1) / trace;
    if (size == 3)
      onto_cone(x, mu[j / 3]);
    else if (j < 3 * contacts + limits)
      x[0] = fmax(0, x[0]);
    else
      x[0] = fmax(-box[j - 3 * contacts - limits], fmin(box[j - 3 * contacts - limits], x[0]));
    for (int k = 0; k < size; k++) {
      change = fmax(change, fabs(x[k] - lambda[j + k]));
      lambda[j + k] = x[k];
    }
    j += size;
  }
  return change;
}

unsigned begin(const r_step_in *in) {
  return r_step_begin(in, &begun);
}

unsigned end(const r_step_in *in, r_step_out *out) {
  return r_step_end(in, &begun, lambda, out);
}

unsigned cycle(const r_step_in *in, r_step_out *out, int contacts, int limits, const double *mu,
               const double *box) {
  const unsigned status = r_step_begin(in, &begun);
  for (sweeps = 0; sweeps < most && improve(contacts, limits, mu, box) > 1e-16; sweeps++) {
  }
  return status | end(in, out);
}
