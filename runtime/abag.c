/* SPDX-License-Identifier: MIT */
/* abag.c: see achd/abag.h */
#include <achd/abag.h>

static achd_real within(achd_range range, achd_real x) {
  return achd_clamp(x, range.lower, range.upper);
}

static bool ordered(achd_range range) {
  return achd_finite(range.lower) && achd_finite(range.upper) && range.lower <= range.upper;
}

static bool not_negative(achd_real x) {
  return achd_finite(x) && x >= 0;
}

bool achd_abag_valid(const achd_abag_parameters *p) {
  return p->order >= 0 && p->order <= ACHD_ABAG_ORDER && not_negative(p->alpha) && p->alpha < 1 &&
         not_negative(p->bias_threshold) && not_negative(p->bias_step) &&
         not_negative(p->gain_threshold) && not_negative(p->gain_step) && ordered(p->bias) &&
         ordered(p->gain) && ordered(p->u);
}

void achd_abag_reset(achd_abag *abag, const achd_abag_parameters *p, achd_real bias) {
  abag->ebar = 0;
  for (int i = 0; i < ACHD_ABAG_ORDER - 1; i++) abag->earlier[i] = 0;
  abag->bias = within(p->bias, achd_finite(bias) ? bias : 0);
  abag->gain = within(p->gain, 0);
  abag->u = within(p->u, abag->bias);
  abag->saturated = 0;
}

/* The sign after all low-passes but the last one. */
static achd_real smoothed(achd_abag *abag, const achd_abag_parameters *p, int s) {
  achd_real x = (achd_real)s;
  for (int i = 0; i < p->order - 1 && i < ACHD_ABAG_ORDER - 1; i++)
    x = abag->earlier[i] = p->alpha * abag->earlier[i] + (1 - p->alpha) * x;
  return x;
}

achd_real achd_abag_step(achd_abag *abag, const achd_abag_parameters *p, achd_real e,
                         int saturated) {
  const int s = achd_sign(e);
  const int side = saturated != 0 ? saturated : p->hold ? abag->saturated : 0;
  if (achd_finite(e)) {
    abag->ebar = p->alpha * abag->ebar + (1 - p->alpha) * smoothed(abag, p, s);
    const achd_real size = abag->ebar < 0 ? -abag->ebar : abag->ebar;

    const int turn = size > p->bias_threshold ? achd_sign(abag->ebar - p->bias_threshold) : 0;
    const bool bias_held = turn != 0 && turn == side;
    if (!bias_held) abag->bias = within(p->bias, abag->bias + p->bias_step * (achd_real)turn);

    const int growth = achd_sign(size - p->gain_threshold);
    const bool gain_held = growth > 0 && side != 0;
    if (!gain_held) abag->gain = within(p->gain, abag->gain + p->gain_step * (achd_real)growth);
  }
  const achd_real wanted = achd_finite(e) ? abag->bias + abag->gain * (achd_real)s : abag->bias;
  abag->saturated = (wanted > p->u.upper) - (wanted < p->u.lower);
  abag->u = within(p->u, wanted);
  return abag->u;
}
