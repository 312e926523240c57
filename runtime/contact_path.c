/* SPDX-License-Identifier: MIT */
/* contact_path.c: the central path of a contact problem, for active sets that do not settle, see achd/contact.h.
 *
 * Of every block, lambda in K and y in its dual cone are kept in the interior; y - (A + R) lambda - c goes to 0 and
 * lambda . y with it. A contact is seen in x = (mu lambda_n, lambda_t) and z = (y_n / mu, y_t), both in the cone
 * z_1 >= |(z_2, z_3)|, which is its own dual. W is the scaling of Nesterov and Todd, W z = W^-1 x:
 *   W = eta V,  V = ( w_1  w^T            )   eta^2 = sqrt(det x / det z),  det x = x_1^2 - x_2^2 - x_3^2
 *                   ( w    I + w w^T / (1 + w_1) )
 * A row with bounds has two multipliers, y = below - above, below (lambda - lo) and above (hi - lambda) going to 0.
 * Steps are Mehrotra's predictor and corrector (Domahidi, Chu, Boyd, ECOS: an SOCP solver for embedded
 * systems, European Control Conference 2013), its second order weighted (Colombo,
 * Gondzio, Further development of multiple centrality correctors for interior point methods, Computational
 * Optimization and Applications 41, 2008), and the linear equations met by the share by which the products
 * fall (Vandenberghe, The CVXOPT linear and quadratic cone program solvers, 2010). */
#include "contact_solver.h"

#include "vector.h"

static const achd_real short_of_border = (achd_real)0.98, least_step = (achd_real)1e-6;
static const achd_real least_residual = (achd_real)1e-6;

typedef struct path {
  achd_contact_solver *s;
  achd_real *lambda, *below, *above; /* contacts: y in `below` */
  achd_real *under, *over;           /* of rows with bounds: lambda - lo and hi - lambda */
  achd_real *gradient;
  achd_real *d_lambda, *d_below, *d_above;
  achd_real *k_below, *k_above; /* what the corrector adds */
  achd_real *w;                 /* of contacts: w, of length 1 in the sense of det */
  achd_real *eta;               /* of contacts: 1 / eta^2, at their first row */
} path;

static achd_real *portion(achd_real **at, int count) {
  achd_real *taken = *at;
  *at += count;
  return taken;
}

static path path_of(achd_contact_solver *s) {
  achd_real *at = s->rest;
  const int n = s->n;
  path p;
  p.s = s;
  p.lambda = portion(&at, n), p.below = portion(&at, n), p.above = portion(&at, n);
  p.under = portion(&at, n), p.over = portion(&at, n), p.gradient = portion(&at, n);
  p.d_lambda = portion(&at, n), p.d_below = portion(&at, n), p.d_above = portion(&at, n);
  p.k_below = portion(&at, n), p.k_above = portion(&at, n);
  p.w = portion(&at, n), p.eta = portion(&at, n);
  return p;
}

static bool is_contact(const path *p, int j) {
  return p->s->rows[j] == 3;
}

static bool is_fixed(const path *p, int j) {
  return p->s->lo[j] == p->s->hi[j];
}

/* ---- a contact's block, in coordinates in which its cone is its own dual ---- */

static void impulse_in(achd_real mu, const achd_real lambda[3], achd_real x[3]) {
  x[0] = mu * lambda[0], x[1] = lambda[1], x[2] = lambda[2];
}

static void multiplier_in(achd_real mu, const achd_real y[3], achd_real z[3]) {
  z[0] = y[0] / mu, z[1] = y[1], z[2] = y[2];
}

static achd_real determinant(const achd_real x[3]) {
  const achd_real t = achd_sqrt(x[1] * x[1] + x[2] * x[2]);
  return (x[0] - t) * (x[0] + t);
}

/* out <- V x; inverse: V^-1 x. */
static void scale(const achd_real w[3], bool inverse, const achd_real x[3], achd_real out[3]) {
  const achd_real sign = inverse ? -1 : 1;
  const achd_real along = w[1] * x[1] + w[2] * x[2];
  const achd_real by = along / (1 + w[0]) + sign * x[0];
  out[0] = w[0] * x[0] + sign * along;
  out[1] = x[1] + by * w[1], out[2] = x[2] + by * w[2];
}

/* W at lambda and y. */
static void find_scaling(const path *p, int j) {
  achd_real x[3], z[3], *w = p->w + j;
  impulse_in(p->s->mu[j], p->lambda + j, x);
  multiplier_in(p->s->mu[j], p->below + j, z);
  const achd_real of_x = achd_sqrt(determinant(x)), of_z = achd_sqrt(determinant(z));
  for (int i = 0; i < 3; i++) x[i] /= of_x, z[i] /= of_z;
  const achd_real by = 1 / achd_sqrt(2 * (1 + x[0] * z[0] + x[1] * z[1] + x[2] * z[2]));
  w[0] = by * (x[0] + z[0]), w[1] = by * (x[1] - z[1]), w[2] = by * (x[2] - z[2]);
  p->eta[j] = of_z / of_x;
}

/* Row i of W^-2 = (2 v v^T - J) / eta^2 in coordinates of lambda and y, v = (w_1, -w). */
static void scaling_row(const path *p, int j, int i, achd_real out[3]) {
  const achd_real *w = p->w + j, mu = p->s->mu[j], by = p->eta[j];
  for (int k = 0; k < 3; k++) {
    const achd_real sign = (i == 0) != (k == 0) ? -2 : 2;
    out[k] = sign * w[i] * w[k];
    if (i == k) out[k] += i == 0 ? (achd_real)-1 : (achd_real)1;
    out[k] *= by * (i == 0 ? mu : 1) * (k == 0 ? mu : 1);
  }
}

/* ---- directions ---- */

/* F <- A + R + W^-2, its factor. */
static bool factor(const path *p) {
  achd_contact_solver *s = p->s;
  const int n = s->n;
  for (int j = 0; j < n; j += s->rows[j]) {
    for (int i = j; i < j + s->rows[j]; i++) {
      achd_real *row = s->F + (size_t)(i * n);
      achd_copy(row + i, s->p->A + (size_t)(i * n + i), n - i);
      row[i] += s->R[i];
      if (is_contact(p, j)) {
        achd_real own[3];
        scaling_row(p, j, i - j, own);
        for (int k = i; k < j + 3; k++) row[k] += own[k - j];
      } else if (!is_fixed(p, j)) {
        row[i] += p->below[j] / p->under[j] + p->above[j] / p->over[j];
      }
    }
  }
  for (int j = 0; j < n; j++) {
    if (s->rows[j] != 1 || !is_fixed(p, j)) continue;
    for (int k = 0; k < j; k++) s->F[k * n + j] = 0;
    achd_zero(s->F + (size_t)(j * n + j), n - j);
    s->F[j * n + j] = 1;
  }
  s->factored++, s->path++;
  return achd_contact_factor(n, n, s->F, s->inverse);
}

/* d_lambda and the multipliers', with what the corrector adds or without. `keep`: which share of y - (A + R) lambda - c
 * is left. */
static void find_direction(const path *p, bool corrected, achd_real keep) {
  achd_contact_solver *s = p->s;
  for (int j = 0; j < s->n; j++) {
    p->d_lambda[j] = keep * (p->gradient[j] - p->below[j] + p->above[j]) - p->gradient[j];
    if (corrected) p->d_lambda[j] += p->k_below[j] - p->k_above[j];
  }
  for (int j = 0; j < s->n; j += s->rows[j]) {
    if (!is_contact(p, j) && is_fixed(p, j)) p->d_lambda[j] = 0;
  }
  achd_contact_substitute(s->n, s->n, s->F, s->inverse, p->d_lambda);
  for (int j = 0; j < s->n; j += s->rows[j]) {
    for (int i = j; i < j + s->rows[j]; i++) {
      p->d_below[i] = -p->below[i] + (corrected ? p->k_below[i] : 0);
      p->d_above[i] = -p->above[i] + (corrected ? p->k_above[i] : 0);
      if (is_contact(p, j)) {
        achd_real own[3];
        scaling_row(p, j, i - j, own);
        for (int k = 0; k < 3; k++) p->d_below[i] -= own[k] * p->d_lambda[j + k];
      } else if (!is_fixed(p, j)) {
        p->d_below[i] -= p->below[i] / p->under[i] * p->d_lambda[i];
        p->d_above[i] += p->above[i] / p->over[i] * p->d_lambda[i];
      }
    }
  }
}

/* k_below of a contact: W^-1 u, with (W z) o u = target e - second (W^-1 d_x) o (W d_z); o: Jordan's product. */
static void correct_contact(const path *p, int j, achd_real target, achd_real second) {
  const achd_real *w = p->w + j, mu = p->s->mu[j], eta = 1 / achd_sqrt(p->eta[j]);
  achd_real x[3], z[3], a[3], b[3], at[3], d[3], u[3];
  impulse_in(mu, p->d_lambda + j, x);
  multiplier_in(mu, p->d_below + j, z);
  scale(w, true, x, a);
  scale(w, false, z, b);
  multiplier_in(mu, p->below + j, z);
  scale(w, false, z, at);
  for (int i = 0; i < 3; i++) a[i] /= eta, b[i] *= eta, at[i] *= eta;
  d[0] = target - second * (a[0] * b[0] + a[1] * b[1] + a[2] * b[2]);
  for (int i = 1; i < 3; i++) d[i] = -second * (a[0] * b[i] + b[0] * a[i]);
  u[0] = (at[0] * d[0] - at[1] * d[1] - at[2] * d[2]) / determinant(at);
  for (int i = 1; i < 3; i++) u[i] = (d[i] - u[0] * at[i]) / at[0];
  scale(w, true, u, p->k_below + j);
  for (int i = 0; i < 3; i++) p->k_below[j + i] /= eta, p->k_above[j + i] = 0;
  p->k_below[j] *= mu;
}

/* What is added to the multipliers' change, for a mean product `target`. `second`: the share of d_x d_z. */
static void correct(const path *p, achd_real target, achd_real second) {
  const achd_contact_solver *s = p->s;
  for (int j = 0; j < s->n; j += s->rows[j]) {
    if (is_contact(p, j)) {
      correct_contact(p, j, target, second);
      continue;
    }
    const achd_real d = p->d_lambda[j];
    const bool fixed = is_fixed(p, j), lo = achd_finite(s->lo[j]), hi = achd_finite(s->hi[j]);
    p->k_below[j] = fixed || !lo ? 0 : (target - second * d * p->d_below[j]) / p->under[j];
    p->k_above[j] = fixed || !hi ? 0 : (target + second * d * p->d_above[j]) / p->over[j];
  }
}

/* ---- steps ---- */

/* The largest multiple of d, at most `most`, by which x stays in the cone. */
static achd_real step_in_cone(const achd_real x[3], const achd_real d[3], achd_real most) {
  const achd_real square = determinant(d), both = x[0] * d[0] - x[1] * d[1] - x[2] * d[2];
  const achd_real first = determinant(x), under = both * both - square * first;
  if ((square >= 0 && both >= 0) || under < 0) {
    if (d[0] >= 0 || square < 0) return most;
  }
  const achd_real step = first / (achd_sqrt(under > 0 ? under : 0) - both);
  return step > 0 && step < most ? step : most;
}

static achd_real step_on_line(achd_real x, achd_real d, achd_real most) {
  return d < 0 && -x / d < most ? -x / d : most;
}

/* The largest step along the direction, at most 1 / short_of_border. */
static achd_real longest_step(const path *p) {
  const achd_contact_solver *s = p->s;
  achd_real step = 1 / short_of_border;
  for (int j = 0; j < s->n; j += s->rows[j]) {
    if (is_contact(p, j)) {
      achd_real x[3], d[3];
      impulse_in(s->mu[j], p->lambda + j, x);
      impulse_in(s->mu[j], p->d_lambda + j, d);
      step = step_in_cone(x, d, step);
      multiplier_in(s->mu[j], p->below + j, x);
      multiplier_in(s->mu[j], p->d_below + j, d);
      step = step_in_cone(x, d, step);
      continue;
    }
    if (is_fixed(p, j)) continue;
    step = step_on_line(p->under[j], p->d_lambda[j], step);
    step = step_on_line(p->over[j], -p->d_lambda[j], step);
    step = step_on_line(p->below[j], p->d_below[j], step);
    step = step_on_line(p->above[j], p->d_above[j], step);
  }
  return step;
}

/* Mean of lambda . y over the cones and bounds; 0 where there are none. */
static achd_real mean_product(const path *p) {
  const achd_contact_solver *s = p->s;
  achd_real sum = 0;
  int count = 0;
  for (int j = 0; j < s->n; j += s->rows[j]) {
    if (is_contact(p, j)) {
      for (int i = j; i < j + 3; i++) sum += p->lambda[i] * p->below[i];
      count++;
      continue;
    }
    if (is_fixed(p, j)) continue;
    if (achd_finite(s->lo[j])) sum += p->under[j] * p->below[j], count++;
    if (achd_finite(s->hi[j])) sum += p->over[j] * p->above[j], count++;
  }
  return count > 0 ? sum / (achd_real)count : 0;
}

/* The first point: every product is the square of the largest |c_j| / sqrt(A_jj). */
static void begin(const path *p) {
  const achd_contact_solver *s = p->s;
  const achd_real h = s->largest;
  achd_real *const places[] = {p->lambda, p->below, p->above, p->under, p->over};
  for (int k = 0; k < 5; k++) achd_zero(places[k], s->n);
  for (int j = 0; j < s->n; j += s->rows[j]) {
    const achd_real root = achd_sqrt(s->size[j]);
    const bool lo = achd_finite(s->lo[j]), hi = achd_finite(s->hi[j]);
    if (is_contact(p, j) || (lo && !hi)) {
      p->lambda[j] = h / root, p->below[j] = h * root;
    } else if (lo && !is_fixed(p, j)) {
      p->below[j] = p->above[j] = h * h / s->hi[j];
    }
    if (!is_contact(p, j))
      p->under[j] = p->lambda[j] - s->lo[j], p->over[j] = s->hi[j] - p->lambda[j];
  }
}

/* The largest |y - (A + R) lambda - c| / sqrt(size). */
static achd_real largest_residual(const path *p) {
  const achd_contact_solver *s = p->s;
  achd_real most = 0;
  for (int j = 0; j < s->n; j++) {
    if (s->rows[j] == 1 && is_fixed(p, j)) continue;
    const achd_real off = achd_magnitude(p->gradient[j] - p->below[j] + p->above[j]);
    if (!(off <= most * achd_sqrt(s->size[j]))) most = off / achd_sqrt(s->size[j]);
  }
  return most;
}

/* One step; false: there is none. Where the predictor meets a border after the share `reach` of its way, a corrector by
 * the whole second order, and one that meets the linear equations at once, lead into the next border, and steps
 * become shorter and shorter: so the second order is taken by `reach`, and the linear equations keep the share that the
 * products keep. */
static bool advance(const path *p, achd_real product) {
  achd_contact_solver *s = p->s;
  for (int j = 0; j < s->n; j += s->rows[j]) {
    if (is_contact(p, j)) find_scaling(p, j);
  }
  if (!factor(p)) return false;
  find_direction(p, false, 0);
  const achd_real reach = longest_step(p), left = reach < 1 ? 1 - reach : 0;
  const achd_real share = left * left * left;
  correct(p, share * product, 1 - left);
  find_direction(p, true, share);
  if (!achd_all_finite(p->d_lambda, s->n) || !achd_all_finite(p->d_below, s->n) ||
      !achd_all_finite(p->d_above, s->n)) {
    return false;
  }
  achd_real step = short_of_border * longest_step(p);
  if (!(step > least_step)) return false;
  for (int j = 0; j < s->n; j++) {
    p->lambda[j] += step * p->d_lambda[j];
    p->below[j] += step * p->d_below[j];
    p->above[j] += step * p->d_above[j];
    p->under[j] += step * p->d_lambda[j];
    p->over[j] -= step * p->d_lambda[j];
  }
  return true;
}

bool achd_contact_path(achd_contact_solver *s, bool first, achd_real gap) {
  const path p = path_of(s);
  if (first) begin(&p);
  const achd_real end_product = gap * s->largest * s->largest;
  bool more = true;
  for (;;) {
    achd_contact_gradient(s, p.lambda, p.gradient);
    const achd_real product = mean_product(&p);
    if (product <= end_product && largest_residual(&p) <= least_residual * s->largest) break;
    more = s->factored < s->most && advance(&p, product);
    if (!more) break;
  }
  achd_copy(s->lambda, p.lambda, s->n);
  return more;
}
