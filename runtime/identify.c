/* SPDX-License-Identifier: MIT */
/* identify.c: see achd/identify.h */
#include <achd/identify.h>

#include "vector.h"

enum { MOST = ACHD_IDENTIFY_PARAMETERS };

void achd_identify_reset(achd_identify *state) {
  achd_clear(state, sizeof *state);
}

void achd_identify_filter_reset(achd_identify_filter *filter) {
  achd_clear(filter, sizeof *filter);
}

/* Above 0, and finite. */
static bool positive(achd_real x) {
  return x > 0 && achd_finite(x);
}

static bool usable(const achd_identify_setup *setup) {
  if (setup->nparameters < 1 || setup->nparameters > MOST || setup->njoints < 1 ||
      setup->njoints > ACHD_OBSERVER_JOINTS || !positive(setup->gain) || !(setup->memory > 0) ||
      !(setup->told >= 0 && setup->told <= 1))
    return false;
  for (int k = 0; k < setup->nparameters; k++)
    if (!positive(setup->parameters[k].deviation) || !achd_finite(setup->parameters[k].value))
      return false;
  for (int j = 0; j < setup->njoints; j++)
    if (!positive(setup->sigma[j])) return false;
  return true;
}

/* ---- least squares ---- */

/* A joint's line in units of its sigma, of parameters in units of their prior deviations; what the prior makes of y is taken off. Returns y. */
static achd_real scaled(const achd_identify_setup *setup, const achd_real *a, achd_real y,
                        achd_real sigma, achd_real line[]) {
  for (int k = 0; k < setup->nparameters; k++) {
    y -= a[k] * setup->parameters[k].value;
    line[k] = a[k] * setup->parameters[k].deviation / sigma;
  }
  return y / sigma;
}

static achd_real dot(const achd_real *a, const achd_real *b, int n) {
  achd_real sum = 0;
  for (int i = 0; i < n; i++) sum += a[i] * b[i];
  return sum;
}

static void add_line(achd_identify *state, const achd_real line[], achd_real y, achd_real weight,
                     int n) {
  for (int i = 0, at = 0; i < n; i++) {
    for (int k = 0; k <= i; k++, at++) state->N[at] += weight * line[i] * line[k];
    state->b[i] += weight * line[i] * y;
  }
  state->squares += weight * y * y;
  state->lines += weight;
}

static void forget(achd_identify *state, achd_real kept, int n) {
  for (int i = 0, at = 0; i < n; i++) {
    for (int k = 0; k <= i; k++, at++) state->N[at] *= kept;
    state->b[i] *= kept;
  }
  state->squares *= kept;
  state->lines *= kept;
}

/* The squares of all that enters are looked at before anything does: no sum can become infinite, or NaN. */
unsigned achd_identify_add(achd_identify *state, const achd_identify_setup *setup,
                           const achd_real y[], const achd_real a[], achd_real period) {
  if (!usable(setup) || !positive(period)) return ACHD_IDENTIFY_BAD_INPUT;
  const int n = setup->nparameters;
  achd_real line[MOST], all = state->squares;
  for (int j = 0; j < setup->njoints; j++) {
    const achd_real value = scaled(setup, a + (size_t)j * (size_t)n, y[j], setup->sigma[j], line);
    all += value * value + dot(line, line, n);
  }
  for (int i = 0, at = 0; i < n; at += ++i + 1) all += state->N[at];
  if (!achd_finite(all)) return ACHD_IDENTIFY_NOT_FINITE;
  const achd_real share = setup->gain * period / 2, weight = share < 1 ? share : 1;
  forget(state, 1 / (1 + period / setup->memory), n);
  for (int j = 0; j < setup->njoints; j++) {
    const achd_real value = scaled(setup, a + (size_t)j * (size_t)n, y[j], setup->sigma[j], line);
    add_line(state, line, value, weight, n);
  }
  return ACHD_IDENTIFY_OK;
}

/* N + 1 = L L^T, L lower triangular. */
static void factor(const achd_identify *state, int n, achd_real L[MOST][MOST]) {
  for (int i = 0, at = 0; i < n; i++) {
    for (int k = 0; k < i; k++, at++) L[i][k] = (state->N[at] - dot(L[i], L[k], k)) / L[k][k];
    const achd_real left = state->N[at++] + 1 - dot(L[i], L[i], i);
    L[i][i] = achd_sqrt(left > 1 ? left : 1);
  }
}

/* x <- L^-1 x, from its element `first` on, before which it is 0. */
static void forwards(const achd_real L[MOST][MOST], int n, int first, achd_real x[]) {
  for (int i = first; i < n; i++) {
    for (int k = first; k < i; k++) x[i] -= L[i][k] * x[k];
    x[i] /= L[i][i];
  }
}

unsigned achd_identify_solve(const achd_identify *state, const achd_identify_setup *setup,
                             achd_identify_estimate *estimate) {
  achd_clear(estimate, sizeof *estimate);
  if (!usable(setup)) return ACHD_IDENTIFY_BAD_INPUT | ACHD_IDENTIFY_UNTOLD;
  const int n = setup->nparameters;
  achd_real L[MOST][MOST], x[MOST];
  factor(state, n, L);
  achd_copy(x, state->b, n);
  forwards((const achd_real(*)[MOST])L, n, 0, x);
  for (int i = n - 1; i >= 0; i--) {
    for (int k = i + 1; k < n; k++) x[i] -= L[k][i] * x[k];
    x[i] /= L[i][i];
  }
  /* sum (y - a x)^2 = squares - 2 b x + x N x, and N x = b - x */
  const achd_real left = state->squares - dot(state->b, x, n) - dot(x, x, n);
  estimate->unexplained = state->lines > 0 ? achd_sqrt((left > 0 ? left : 0) / state->lines) : 0;
  unsigned all = 0;
  for (int k = 0; k < n; k++) {
    achd_real column[MOST];
    achd_clear(column, sizeof column);
    column[k] = 1;
    forwards((const achd_real(*)[MOST])L, n, k, column);
    const achd_real share = achd_sqrt(dot(column, column, n));
    estimate->value[k] = setup->parameters[k].value + setup->parameters[k].deviation * x[k];
    estimate->deviation[k] = setup->parameters[k].deviation * share;
    all |= 1U << k;
    if (share <= setup->told) estimate->told |= 1U << k;
  }
  return estimate->told == all ? ACHD_IDENTIFY_OK : ACHD_IDENTIFY_UNTOLD;
}

/* ---- the filter ---- */

/* A quantity of a joint in a cycle: the momentum, what changes it beside the torque, and the torque since the cycle before. */
typedef struct quantity {
  achd_real p, force, tau;
} quantity;

/* K / (s + K) (dp/dt - force - tau), by the implicit rule of the momentum observer; force is the mean of both ends. */
static achd_real filtered(achd_identify_filter *filter, int j, int k, const quantity *now,
                          const achd_real rates[2]) {
  const achd_real gain = rates[0], period = rates[1];
  achd_real *r = &filter->r[j][k], *before = &filter->p[j][k], *held = &filter->held[j][k];
  const achd_real seen = now->p - *before - period * (now->tau + (now->force + *held) / 2);
  *r = filter->running ? (*r + gain * seen) / (1 + gain * period) : 0;
  *before = now->p;
  *held = now->force;
  return *r;
}

static achd_real rubs(const achd_observer_joint *friction, achd_real qd) {
  if (!friction) return 0;
  const achd_real dry =
      friction->speed > 0 ? friction->coulomb * achd_clamp(qd / friction->speed, -1, 1) : 0;
  return friction->viscous * qd + dry - friction->offset;
}

static bool finite_input(const achd_identify_setup *setup, const achd_identify_input *input) {
  bool good =
      achd_all_finite(input->qd, setup->njoints) && achd_all_finite(input->tau, setup->njoints);
  for (int k = 0; k <= setup->nparameters; k++)
    good = good && achd_all_finite(input->p[k], setup->njoints) &&
           achd_all_finite(input->beta[k], setup->njoints);
  return good;
}

/* What a line of joint j counts, sigma / sqrt(sigma^2 + coulomb^2 stuck): while a joint stands, its friction is anything up to
 * `coulomb`, and holds against what the line is to show. */
static achd_real trusted(achd_identify_filter *filter, const achd_identify_setup *setup,
                         const achd_identify_input *input, int j) {
  const achd_observer_joint *f = input->friction ? &input->friction[j] : NULL;
  if (!f || !(f->speed > 0)) return 1;
  const achd_real share = setup->gain * input->period;
  const achd_real moves = achd_clamp(achd_magnitude(input->qd[j]) / f->speed, 0, 1);
  filter->stuck[j] += (share < 1 ? share : 1) * (1 - moves * moves - filter->stuck[j]);
  const achd_real sigma = setup->sigma[j];
  return sigma / achd_sqrt(sigma * sigma + f->coulomb * f->coulomb * filter->stuck[j]);
}

unsigned achd_identify_step(achd_identify_filter *filter, achd_identify *state,
                            const achd_identify_setup *setup, const achd_identify_input *input) {
  achd_real y[ACHD_OBSERVER_JOINTS], a[ACHD_OBSERVER_JOINTS * MOST];
  const achd_real period = input->period;
  unsigned status = ACHD_IDENTIFY_OK;
  if (!usable(setup) || !positive(period))
    status = ACHD_IDENTIFY_BAD_INPUT;
  else if (!finite_input(setup, input))
    status = ACHD_IDENTIFY_NOT_FINITE;
  if (status) {
    achd_identify_filter_reset(filter);
    return status;
  }
  const int n = setup->nparameters;
  const achd_real rates[2] = {setup->gain, period};
  for (int j = 0; j < setup->njoints; j++) {
    const achd_real rubbing = rubs(input->friction ? &input->friction[j] : NULL, input->qd[j]);
    const quantity all = {input->p[0][j], input->beta[0][j] - rubbing, input->tau[j]};
    const achd_real counts = trusted(filter, setup, input, j);
    y[j] = -counts * filtered(filter, j, 0, &all, rates);
    for (int k = 1; k <= n; k++) {
      const quantity unit = {input->p[k][j] - input->p[0][j], input->beta[k][j] - input->beta[0][j],
                             0};
      a[j * n + k - 1] = counts * filtered(filter, j, k, &unit, rates);
    }
  }
  const bool first = !filter->running;
  filter->running = true;
  if (!first) status = achd_identify_add(state, setup, y, a, period);
  if (status) achd_identify_filter_reset(filter);
  return first ? ACHD_IDENTIFY_STARTED : status;
}

/* ---- a load ---- */

/* Turns the plane of rows and columns i, k of A so that A[i][k] = 0, and the columns of V likewise (Jacobi). */
static void turn(achd_real A[3][3], achd_real V[3][3], int i, int k) {
  if (achd_magnitude(A[i][k]) <= 0) return;
  achd_real c, s;
  achd_jacobi(A[i][i], A[k][k], A[i][k], &c, &s);
  if (achd_finite(s)) /* else a diagonal already, to the last digit */
    achd_turn_plane(A, V, i, k, c, s);
}

/* The nearest matrix to S without negative eigenvalues. */
static void without_negative(achd_real S[3][3]) {
  achd_real V[3][3], A[3][3];
  achd_clear(V, sizeof V);
  for (int i = 0; i < 3; i++) V[i][i] = 1;
  achd_copy(&A[0][0], &S[0][0], 9);
  for (int sweep = 0; sweep < 8; sweep++) turn(A, V, 0, 1), turn(A, V, 0, 2), turn(A, V, 1, 2);
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++) {
      S[i][k] = 0;
      for (int m = 0; m < 3; m++) S[i][k] += A[m][m] > 0 ? V[i][m] * A[m][m] * V[k][m] : 0;
    }
}

bool achd_identify_body(achd_inertia *load, const achd_real numbers[10]) {
  achd_clear(load, sizeof *load);
  const achd_real m = numbers[0], *h = numbers + 1, *I = numbers + 4;
  if (!achd_all_finite(numbers, 10) || !(m > 0)) return false;
  /* second moments about the origin, tr(I)/2 - I, less those of the mass at its centre */
  const achd_real half = (I[0] + I[3] + I[5]) / 2;
  achd_real S[3][3] = {
      {half - I[0], -I[1], -I[2]}, {-I[1], half - I[3], -I[4]}, {-I[2], -I[4], half - I[5]}};
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++) S[i][k] -= h[i] * (h[k] / m);
  if (!achd_all_finite(&S[0][0], 9)) return false;
  without_negative(S);
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++) S[i][k] += h[i] * (h[k] / m);
  load->m = m;
  load->mx = h[0], load->my = h[1], load->mz = h[2];
  load->xx = S[1][1] + S[2][2], load->yy = S[0][0] + S[2][2], load->zz = S[0][0] + S[1][1];
  load->xy = -S[0][1], load->xz = -S[0][2], load->yz = -S[1][2];
  return achd_all_finite(&load->m, 10);
}
