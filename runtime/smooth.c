/* SPDX-License-Identifier: MIT */
/* smooth.c: see achd/smooth.h */
#include <achd/smooth.h>

/* What a cycle adds to the integral; its slope afterwards; what is commanded beside it. */
typedef struct change {
  achd_real more, slope, quick;
} change;

static achd_real step(achd_smooth *state, achd_real largest, const change *by, achd_real period,
                      int side) {
  const achd_real wanted = state->sum + by->more + by->quick;
  state->running = true;
  if (!(period > 0) || !achd_finite(wanted))
    return state->u = achd_clamp(state->sum, -largest, largest);
  const bool winds = ((wanted > largest || side > 0) && by->more > 0) ||
                     ((wanted < -largest || side < 0) && by->more < 0);
  state->slope = winds ? 0 : by->slope;
  if (!winds) state->sum = achd_clamp(state->sum + by->more, -largest, largest);
  return state->u = achd_clamp(state->sum + by->quick, -largest, largest);
}

achd_real achd_smooth_force(achd_smooth *state, const achd_smooth_parameters *p, achd_real e,
                            achd_real v, achd_real period, int side) {
  const achd_real wished = achd_finite(e) ? achd_clamp(e / p->damping, -p->speed, p->speed) : e;
  const achd_real force = p->damping * (wished - v);
  const achd_real slope = state->slope + period * p->rate * p->rate / 4 * force;
  const change by = {period * (p->rate * force + slope), slope, -p->damping * v};
  return step(state, p->largest, &by, period, side);
}

achd_real achd_smooth_motion(achd_smooth *state, const achd_smooth_parameters *p, achd_real d,
                             achd_real period, int side) {
  const change by = {period * p->rate * p->rate / 4 * d, 0, p->rate * d};
  return step(state, p->largest, &by, period, side);
}
