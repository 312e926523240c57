/* SPDX-License-Identifier: MIT */
/* load.c: see achd/load.h */
#include <achd/load.h>

#include "vector.h"

enum { CHANNELS = 6 };

void achd_window_put(achd_window *window, achd_real sample) {
  window->samples[window->next] = sample;
  window->next = (window->next + 1) % ACHD_LOAD_WINDOW;
  if (window->count < ACHD_LOAD_WINDOW) window->count++;
}

/* Slope by least squares: sum (t - t0) (x - mean) / sum (t - t0)^2, t0 the middle of the times, and
 * the lower sum n (n^2 - 1) / 12. Around the mean, so that a small variance of large numbers is
 * kept. */
void achd_window_examine(const achd_window *window, achd_window_statistics *statistics) {
  statistics->mean = statistics->variance = statistics->slope = 0;
  const int n = window->count;
  if (n == 0) return;
  achd_real sum = 0;
  for (int k = 0; k < n; k++) sum += window->samples[k];
  const achd_real mean = sum / (achd_real)n, middle = (achd_real)(n - 1) / 2;
  const int oldest = n < ACHD_LOAD_WINDOW ? 0 : window->next;
  achd_real squares = 0, products = 0;
  for (int k = 0; k < n; k++) {
    const int age = k >= oldest ? k - oldest : k - oldest + n;
    const achd_real apart = window->samples[k] - mean;
    squares += apart * apart;
    products += ((achd_real)age - middle) * apart;
  }
  statistics->mean = mean;
  statistics->variance = squares / (achd_real)n;
  if (n > 1) statistics->slope = 12 * products / ((achd_real)n * ((achd_real)n * (achd_real)n - 1));
}

static void wait_again(achd_load *load) {
  load->quiet = 0;
  load->examined = 0;
  load->loud = (1u << CHANNELS) - 1;
  for (int c = 0; c < CHANNELS; c++) load->bias_window[c].count = load->bias_window[c].next = 0;
  for (int c = 0; c < CHANNELS; c++) load->gain_window[c].count = load->gain_window[c].next = 0;
}

void achd_load_reset(achd_load *load, const achd_real bias[6]) {
  for (int c = 0; c < CHANNELS; c++) {
    load->bias[c] = achd_finite(bias[c]) ? bias[c] : 0;
    load->wrench[c] = load->mean_gain[c] = load->largest_update[c] = load->largest_wrench[c] = 0;
  }
  load->beyond = 0;
  wait_again(load);
}

static bool is_quiet(const achd_window *window, const achd_quiet *quiet, achd_real *mean) {
  achd_window_statistics s;
  achd_window_examine(window, &s);
  *mean = s.mean;
  return window->count == ACHD_LOAD_WINDOW && s.variance < quiet->variance &&
         achd_magnitude(s.slope) < quiet->slope;
}

static bool back_at_reference(const achd_load *load, const achd_load_parameters *p) {
  const achd_real most = p->gain_tolerance > 0 ? p->gain_tolerance : (achd_real)0.1;
  for (int c = 0; c < CHANNELS; c++) {
    if (!(achd_magnitude(load->bias[c] - p->reference[c]) < p->tolerance[c])) return false;
    if (!(load->mean_gain[c] < most)) return false;
  }
  return true;
}

achd_load_event achd_load_step(achd_load *load, const achd_load_parameters *p,
                               const achd_real bias[6], const achd_real gain[6]) {
  if (!achd_all_finite(bias, CHANNELS) || !achd_all_finite(gain, CHANNELS)) {
    wait_again(load);
    return ACHD_LOAD_WAITING;
  }
  for (int c = 0; c < CHANNELS; c++) {
    load->bias[c] = p->filter * load->bias[c] + (1 - p->filter) * bias[c];
    achd_window_put(&load->bias_window[c], load->bias[c]);
    achd_window_put(&load->gain_window[c], gain[c]);
    load->largest_update[c] = p->largest_update[c];
    load->largest_wrench[c] = p->largest_wrench[c];
  }
  const int c = load->examined;
  load->examined = (c + 1) % CHANNELS;
  achd_real mean_bias;
  const bool quiet_bias = is_quiet(&load->bias_window[c], &p->bias, &mean_bias);
  const bool quiet = is_quiet(&load->gain_window[c], &p->gain, &load->mean_gain[c]) && quiet_bias;
  load->loud = quiet ? load->loud & ~(1u << c) : load->loud | 1u << c;
  load->quiet = load->loud ? 0 : load->quiet + 1;
  if (load->quiet < p->patience) return ACHD_LOAD_WAITING;

  if (back_at_reference(load, p)) return ACHD_LOAD_CONVERGED;
  return ACHD_LOAD_QUIET;
}

/* The share of a change that keeps each component within its largest update. */
static achd_real allowed_share(const achd_real most[6], const achd_real change[6]) {
  achd_real share = 1;
  for (int c = 0; c < CHANNELS; c++) {
    const achd_real size = achd_magnitude(change[c]);
    if (most[c] > 0 && size * share > most[c]) share = most[c] / size;
  }
  return share;
}

typedef struct bounds {
  const achd_real *update, *wrench; /* of each channel; 0: none */
} bounds;

static bool update(achd_load *load, const bounds *most, const achd_real change[6]) {
  if (!achd_all_finite(change, CHANNELS)) return false;
  const achd_real share = allowed_share(most->update, change);
  load->beyond = 0;
  for (int c = 0; c < CHANNELS; c++) {
    const achd_real wanted = load->wrench[c] + share * change[c], limit = most->wrench[c];
    const bool beyond = limit > 0 && achd_magnitude(wanted) > limit;
    load->wrench[c] = beyond ? achd_clamp(wanted, -limit, limit) : wanted;
    if (beyond) load->beyond |= 1u << c;
  }
  wait_again(load);
  return true;
}

bool achd_load_update_by(achd_load *load, const achd_real change[6]) {
  return update(load, &(bounds){load->largest_update, load->largest_wrench}, change);
}

void achd_load_update(achd_load *load, const achd_load_parameters *p) {
  achd_real change[CHANNELS];
  for (int c = 0; c < CHANNELS; c++) change[c] = -p->scale[c] * (load->bias[c] - p->reference[c]);
  update(load, &(bounds){p->largest_update, p->largest_wrench}, change);
}

/* moment = h x g = -[g] h with the first moment h = m c along the tool's axes: normal equations
 * (sum [g]^T [g]) h = sum g x moment, with [g]^T [g] = g.g - g g^T. */
bool achd_payload_add(achd_payload_sums *sums, const achd_wrench *wrench, const achd_rotation *R,
                      const achd_real gravity[3]) {
  achd_real g[3], moment[3], product[3];
  achd_rotate_back(R, gravity, g);
  achd_rotate_back(R, wrench->ang, moment);
  achd_cross(g, moment, product);
  const achd_real square = achd_dot(g, g), force = achd_dot(wrench->lin, gravity);
  if (!achd_finite(square) || !achd_finite(force) || !achd_all_finite(product, 3)) return false;
  sums->force += force;
  sums->gravity += square;
  for (int i = 0; i < 3; i++) {
    sums->moment[i] += product[i];
    for (int j = 0; j < 3; j++) sums->normal[i][j] += (i == j ? square : 0) - g[i] * g[j];
  }
  return true;
}

/* Gravity has turned in the tool by five degrees at least: of two such poses the least eigenvalue
 * of the normal matrix over its trace, (1 - cos 5 deg) / 4. */
static const achd_real turned_enough = (achd_real)0.00095;

/* x of (N + d) x = r, N symmetric, by Cramer's rule; returns the least eigenvalue over the trace,
 * roughly. d keeps what N does not tell near 0: x is then the least solution. */
static achd_real solve_least(const achd_real N[3][3], const achd_real r[3], achd_real x[3]) {
  const achd_real trace = N[0][0] + N[1][1] + N[2][2], d = trace * achd_sqrt(ACHD_EPSILON);
  achd_real M[3][3], adjugate[3][3];
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) M[i][j] = N[i][j] + (i == j ? d : 0);
  for (int i = 0; i < 3; i++) achd_cross(M[(i + 1) % 3], M[(i + 2) % 3], adjugate[i]);
  const achd_real determinant = achd_dot(M[0], adjugate[0]);
  const achd_real minors = adjugate[0][0] + adjugate[1][1] + adjugate[2][2];
  for (int i = 0; i < 3; i++) x[i] = achd_dot(adjugate[i], r) / determinant;
  return determinant / (minors * trace);
}

void achd_payload_solve(const achd_payload_sums *sums, achd_payload *payload) {
  payload->mass = 0;
  achd_zero(payload->centre, 3);
  payload->rank = 0;
  if (!(sums->gravity > 0)) return;
  payload->mass = sums->force / sums->gravity;
  if (!(payload->mass > 0)) return;
  achd_real h[3];
  const achd_real least = solve_least(sums->normal, sums->moment, h);
  for (int i = 0; i < 3; i++) payload->centre[i] = h[i] / payload->mass;
  payload->rank = least > turned_enough ? 3 : 2;
}

void achd_payload_carry(const achd_payload *payload, const achd_pose *tool_in_link,
                        const achd_inertia *link, achd_inertia *loaded) {
  const achd_real m = payload->mass > 0 ? payload->mass : 0;
  achd_real c[3];
  achd_rotate(&tool_in_link->R, payload->centre, c);
  for (int i = 0; i < 3; i++) c[i] += tool_in_link->p[i];
  achd_assign(loaded, link, sizeof *loaded);
  loaded->m += m;
  loaded->mx += m * c[0];
  loaded->my += m * c[1];
  loaded->mz += m * c[2];
  loaded->xx += m * (c[1] * c[1] + c[2] * c[2]);
  loaded->yy += m * (c[0] * c[0] + c[2] * c[2]);
  loaded->zz += m * (c[0] * c[0] + c[1] * c[1]);
  loaded->xy -= m * c[0] * c[1];
  loaded->xz -= m * c[0] * c[2];
  loaded->yz -= m * c[1] * c[2];
}
