/* SPDX-License-Identifier: MIT */
/* rubbing_arm.c: one arm of rubbing.h; compiled with ARM, its name, and UPPER, that of its macros. */
#include "rubbing.h"

#define JOINED(a, b) a##b
#define JOIN(a, b) JOINED(a, b)
#define OWN(name) JOIN(ARM, name)
#define COUNT(name) JOIN(UPPER, name)
#define QUOTED(x) #x
#define QUOTE(x) QUOTED(x)

#include HEADER

static void copy(double to[], const double from[], int count) {
  for (int k = 0; k < count; k++) to[k] = from[k];
}

static void make(const rubbing_state *s, rubbing_problem *p) {
  enum { nj = COUNT(_NJ), nr = COUNT(_NR) };
  OWN(_achd_in) in = {.period = s->period};
  OWN(_mclp_out) out;
  copy(in.q, s->q, nj);
  copy(in.qd, s->qd, nj);
  copy(in.friction, s->friction, nj);
  copy(in.tau_art, s->tau, nj);
  copy(in.b, s->b, nr - nj);
  for (int k = 0; k < nr - nj; k++) in.mask[k] = s->held;
  p->status = OWN(_mclp)(&in, &out);
  copy(p->L, out.L, nr * (nr + 1) / 2);
  copy(p->r, out.r, nr);
  copy(p->lo, out.lo, nr);
  copy(p->hi, out.hi, nr);
  copy(p->qdd_0, out.qdd_0, nj);
  copy(p->qdd_nu, out.qdd_nu[0], nr * nj);
  copy(p->tau_0, out.tau_ctrl_0, nj);
  copy(p->tau_nu, out.tau_ctrl_nu[0], nr * nj);
}

const rubbing_arm OWN(_rubbing) = {QUOTE(ARM), COUNT(_NJ), COUNT(_NR), make};
