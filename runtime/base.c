/* SPDX-License-Identifier: MIT */
/* base.c: see achd/base.h */
#include <achd/base.h>

#include "vector.h"

enum {
  P0 = ACHD_BASE_POSITION,
  V = ACHD_BASE_VELOCITY,
  TURN = ACHD_BASE_TURN,
  ACC = ACHD_BASE_ACC_BIAS,
  RATE = ACHD_BASE_RATE_BIAS,
  FOOT = ACHD_BASE_FOOT
};

/* ---- rotations ---- */

/* M = [v]x, so that M u = v x u, times `scale`. */
static void cross_matrix(const achd_real v[3], achd_real scale, achd_real M[3][3]) {
  const achd_real x = scale * v[0], y = scale * v[1], z = scale * v[2];
  M[0][0] = M[1][1] = M[2][2] = 0;
  M[0][1] = -z, M[0][2] = y, M[1][0] = z, M[1][2] = -x, M[2][0] = -y, M[2][1] = x;
}

/* out = A u */
static void times(const achd_real A[3][3], const achd_real u[3], achd_real out[3]) {
  for (int i = 0; i < 3; i++) out[i] = A[i][0] * u[0] + A[i][1] * u[1] + A[i][2] * u[2];
}

/* C = A B */
static void product(const achd_real A[3][3], const achd_real B[3][3], achd_real C[3][3]) {
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) C[i][j] = A[i][0] * B[0][j] + A[i][1] * B[1][j] + A[i][2] * B[2][j];
}

/* The quaternion exp(turn / 2); sin(x) / x by its series where x is small. */
static void quaternion_of(const achd_real turn[3], achd_real e[4]) {
  const achd_real angle = achd_norm(turn), half = angle / 2;
  const achd_real share =
      angle > (achd_real)1e-3 ? achd_sin(half) / angle : (1 - half * half / 6) / 2;
  e[0] = achd_cos(half);
  for (int i = 0; i < 3; i++) e[1 + i] = share * turn[i];
}

/* c = a b, of norm 1 */
static void quaternion_product(const achd_real a[4], const achd_real b[4], achd_real c[4]) {
  const achd_real q[4] = {a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
                          a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
                          a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
                          a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0]};
  const achd_real norm = achd_sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  for (int i = 0; i < 4; i++) c[i] = q[i] / norm;
}

static void matrix_of(const achd_real q[4], achd_real (*R)[3]) {
  const achd_real w = q[0], x = q[1], y = q[2], z = q[3];
  R[0][0] = 1 - 2 * (y * y + z * z), R[0][1] = 2 * (x * y - w * z), R[0][2] = 2 * (x * z + w * y);
  R[1][0] = 2 * (x * y + w * z), R[1][1] = 1 - 2 * (x * x + z * z), R[1][2] = 2 * (y * z - w * x);
  R[2][0] = 2 * (x * z - w * y), R[2][1] = 2 * (y * z + w * x), R[2][2] = 1 - 2 * (x * x + y * y);
}

/* ---- the start ---- */

static bool parameters_are_some(const achd_base_parameters *p) {
  const achd_real above[] = {p->acc_noise, p->rate_noise, p->acc_offset,  p->acc_walk, p->rate_walk,
                             p->slip,      p->gravity,    p->place_noise, p->gate,     p->settle};
  bool good = p->feet >= 1 && p->feet <= ACHD_BASE_FEET && p->joint_noise >= 0 &&
              achd_finite(p->joint_noise);
  for (int i = 0; i < (int)(sizeof above / sizeof *above); i++)
    good = good && above[i] > 0 && achd_finite(above[i]);
  return good;
}

/* The rotation that turns `up`, along the base's axes, to z, and has the heading: by the half-way vector. */
static bool orient(achd_base *b, const achd_real acc[3], achd_real heading) {
  const achd_real most = achd_norm(acc);
  if (!(most > 0)) return false;
  const achd_real up[3] = {acc[0] / most, acc[1] / most, acc[2] / most};
  achd_real tilt[4] = {1 + up[2], up[1], -up[0], 0}; /* (1 + up . z, up x z) */
  if (up[2] < (achd_real)-0.99)
    tilt[0] = 0, tilt[1] = 1, tilt[2] = 0; /* upside down, nearly: refused */
  const achd_real turn[4] = {achd_cos(heading / 2), 0, 0, achd_sin(heading / 2)};
  quaternion_product(turn, tilt, b->quat);
  /* the heading is that of the x axis along the ground: what the tilt adds is taken out */
  matrix_of(b->quat, b->R);
  const achd_real has = achd_atan2(b->R[1][0], b->R[0][0]), half = (heading - has) / 2;
  const achd_real mend[4] = {achd_cos(half), 0, 0, achd_sin(half)};
  quaternion_product(mend, b->quat, b->quat);
  matrix_of(b->quat, b->R);
  return up[2] >= (achd_real)-0.99;
}

/* The tilt is that of the measured acceleration a, so its error is what the bias leaves: g x theta = R bias +
 * noise. */
static void covariance_at_rest(achd_base *b, const achd_base_parameters *p, achd_real duration) {
  const achd_real bias = p->acc_offset * p->acc_offset,
                  noise = p->acc_noise * p->acc_noise / duration;
  const achd_real down[3] = {0, 0, -1 / p->gravity};
  achd_real G[3][3], GR[3][3];
  cross_matrix(down, -1, G);
  const achd_real x = b->R[0][0], y = b->R[1][0], rise = b->R[2][0] / (x * x + y * y);
  for (int k = 0; k < 3; k++) G[2][k] = rise * (x * G[0][k] + y * G[1][k]);
  product((const achd_real(*)[3])G, (const achd_real(*)[3])b->R, GR);
  for (int i = 0; i < 3; i++) {
    b->P[P0 + i][P0 + i] = 0;
    b->P[ACC + i][ACC + i] = bias;
    b->P[RATE + i][RATE + i] = p->rate_noise * p->rate_noise / duration;
    b->P[V + i][V + i] = (achd_real)1e-6; /* at rest, to 1 mm/s */
    for (int j = 0; j < 3; j++) {
      achd_real sum = 0;
      for (int k = 0; k < 3; k++) sum += G[i][k] * G[j][k];
      b->P[TURN + i][TURN + j] = sum * (bias + noise);
      b->P[TURN + i][ACC + j] = b->P[ACC + j][TURN + i] = GR[i][j] * bias;
    }
  }
}

bool achd_base_start(achd_base *base, const achd_base_parameters *parameters,
                     const achd_base_rest *rest) {
  achd_clear(base, sizeof *base);
  const bool finite = achd_all_finite(rest->acc, 3) && achd_all_finite(rest->rate, 3) &&
                      achd_all_finite(rest->p, 3) && achd_finite(rest->duration) &&
                      achd_finite(rest->heading);
  base->status = finite ? ACHD_BASE_BAD_INPUT : ACHD_BASE_NOT_FINITE;
  if (!finite || !(rest->duration > 0) || !parameters_are_some(parameters)) return false;
  if (!orient(base, rest->acc, rest->heading)) return false;
  achd_copy(base->p, rest->p, 3);
  achd_copy(base->rate_bias, rest->rate, 3);
  covariance_at_rest(base, parameters, rest->duration);
  base->feet = parameters->feet;
  base->status = ACHD_BASE_NO_FOOT;
  return true;
}

/* ---- what the unit says ---- */

/* Adds M times the rows `from` to the rows `to` of P. */
static void add_rows(achd_base *b, int n, int to, int from, const achd_real M[3][3]) {
  for (int j = 0; j < n; j++)
    for (int i = 0; i < 3; i++)
      b->P[to + i][j] +=
          M[i][0] * b->P[from][j] + M[i][1] * b->P[from + 1][j] + M[i][2] * b->P[from + 2][j];
}

/* The same of columns. */
static void add_columns(achd_base *b, int n, int to, int from, const achd_real M[3][3]) {
  for (int j = 0; j < n; j++)
    for (int i = 0; i < 3; i++)
      b->P[j][to + i] +=
          M[i][0] * b->P[j][from] + M[i][1] * b->P[j][from + 1] + M[i][2] * b->P[j][from + 2];
}

typedef struct flow {  /* blocks of the transition, less 1, over a period T */
  achd_real one[3][3]; /* T */
  achd_real p_turn[3][3], v_turn[3][3], minus_R[3][3], v_rate[3][3],
      foot_rate[ACHD_BASE_FEET][3][3];
} flow;

/* With the errors' rates
 *   p: v - v' x theta,   v: g x theta - R acc_bias - v' x R rate_bias,   theta: - R rate_bias,
 *   d_k: - v - d_k' x R rate_bias
 * the blocks, and the noise of acceleration and rate, which come in like the biases. Velocity within the period as in
 * v T + 1/2 a T^2 is left out of the errors: it is of higher order. */
static void flow_of(const achd_base *b, const achd_base_parameters *p, achd_real T, flow *f) {
  const achd_real down[3] = {0, 0, -p->gravity};
  achd_real M[3][3];
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      f->one[i][j] = i == j ? T : 0;
      f->minus_R[i][j] = -T * b->R[i][j];
    }
  cross_matrix(b->v, -T, f->p_turn);
  cross_matrix(down, T, f->v_turn);
  cross_matrix(b->v, -T, M);
  product((const achd_real(*)[3])M, b->R, f->v_rate);
  for (int k = 0; k < b->feet; k++) {
    cross_matrix(b->d[k], -T, M);
    product((const achd_real(*)[3])M, b->R, f->foot_rate[k]);
  }
}

typedef void add_blocks(achd_base *, int, int, int, const achd_real[3][3]);

/* P <- A P, or P A^T: what a block reads comes after it. */
static void flows(achd_base *b, int n, flow *f, add_blocks *add) {
  achd_real minus_one[3][3] = {{-f->one[0][0], 0, 0}, {0, -f->one[0][0], 0}, {0, 0, -f->one[0][0]}};
#define BLOCK(M) ((const achd_real(*)[3])(M))
  add(b, n, P0, V, BLOCK(f->one)), add(b, n, P0, TURN, BLOCK(f->p_turn));
  for (int k = 0; k < b->feet; k++) {
    if (!b->known[k]) continue;
    add(b, n, FOOT + 3 * k, V, BLOCK(minus_one)),
        add(b, n, FOOT + 3 * k, RATE, BLOCK(f->foot_rate[k]));
  }
  add(b, n, V, TURN, BLOCK(f->v_turn)), add(b, n, V, ACC, BLOCK(f->minus_R)),
      add(b, n, V, RATE, BLOCK(f->v_rate));
  add(b, n, TURN, RATE, BLOCK(f->minus_R));
#undef BLOCK
}

/* Noise of the rate comes into turn, velocity and feet by one matrix over these, N N^T s^2 / T; that of
 * acceleration is
 * along all directions alike. */
static void add_noise(achd_base *b, const achd_base_parameters *p, achd_real T, const flow *f) {
  const achd_real rate = p->rate_noise * p->rate_noise / T, acc = p->acc_noise * p->acc_noise * T;
  const achd_real(*blocks[2 + ACHD_BASE_FEET])[3];
  int at[2 + ACHD_BASE_FEET], count = 2;
  blocks[0] = f->minus_R, blocks[1] = f->v_rate; /* an initialiser of all of them calls memset */
  at[0] = TURN, at[1] = V;
  for (int k = 0; k < b->feet; k++)
    if (b->known[k]) blocks[count] = f->foot_rate[k], at[count++] = FOOT + 3 * k;
  for (int a = 0; a < count; a++)
    for (int c = 0; c < count; c++)
      for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
          const achd_real *x = blocks[a][i], *y = blocks[c][j];
          b->P[at[a] + i][at[c] + j] += rate * (x[0] * y[0] + x[1] * y[1] + x[2] * y[2]);
        }
  for (int i = 0; i < 3; i++) {
    b->P[V + i][V + i] += acc;
    b->P[ACC + i][ACC + i] += p->acc_walk * p->acc_walk * T;
    b->P[RATE + i][RATE + i] += p->rate_walk * p->rate_walk * T;
    for (int k = 0; k < b->feet; k++)
      b->P[FOOT + 3 * k + i][FOOT + 3 * k + i] += p->slip * p->slip * T;
  }
}

static void predict(achd_base *b, const achd_base_parameters *p, const achd_base_input *in) {
  const achd_real T = in->period;
  const int n = FOOT + 3 * b->feet;
  achd_real rate[3], turn[3], acc[3], a[3], half[4], rolls[3], middle[3][3], q[4];
  flow f;
  flow_of(b, p, T, &f);
  flows(b, n, &f, add_rows);
  flows(b, n, &f, add_columns);
  add_noise(b, p, T, &f);
  for (int i = 0; i < 3; i++) {
    rate[i] = in->rate[i] - b->rate_bias[i];
    acc[i] = in->acc[i] - b->acc_bias[i];
    turn[i] = rate[i] * T / 2;
  }
  quaternion_of(turn, half);
  quaternion_product(b->quat, half, q);
  matrix_of((const achd_real *)q, middle); /* the orientation in the middle of the period */
  times((const achd_real(*)[3])middle, acc, a);
  a[2] -= p->gravity;
  for (int k = 0; k < b->feet; k++) {
    times((const achd_real(*)[3])middle, in->feet[k].rolls, rolls);
    for (int i = 0; i < 3; i++) b->d[k][i] += T * (rolls[i] - b->v[i] - T / 2 * a[i]);
  }
  for (int i = 0; i < 3; i++) {
    b->p[i] += T * (b->v[i] + T / 2 * a[i]);
    b->v[i] += T * a[i];
  }
  quaternion_product(q, half, b->quat);
  matrix_of(b->quat, b->R);
  times((const achd_real(*)[3])b->R, rate, b->w);
}

/* ---- what feet say ---- */

/* Covariance of a reading, along the world's axes: place_noise^2 + joint_noise^2 R J J^T R^T. */
static void noise_of(const achd_base *b, const achd_base_parameters *p, const achd_base_foot *foot,
                     achd_real N[3][3]) {
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) N[i][j] = i == j ? p->place_noise * p->place_noise : 0;
  for (int c = 0; foot->jac && c < foot->joints; c++) {
    const achd_real column[3] = {foot->jac[c], foot->jac[foot->row + c],
                                 foot->jac[2 * foot->row + c]};
    achd_real u[3];
    times(b->R, column, u);
    for (int i = 0; i < 3; i++)
      for (int j = 0; j < 3; j++) N[i][j] += p->joint_noise * p->joint_noise * u[i] * u[j];
  }
}

/* The place of a foot becomes what is read, and its error that of the reading alone: e = - R noise. */
static void anchor(achd_base *b, int k, const achd_real read[3], const achd_real N[3][3]) {
  const int at = FOOT + 3 * k, n = FOOT + 3 * b->feet;
  achd_copy(b->d[k], read, 3);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < n; j++) b->P[at + i][j] = b->P[j][at + i] = 0;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) b->P[at + i][at + j] = N[i][j];
  b->known[k] = true;
  b->stood[k] = 0;
}

/* L L^T = S. Returns false where S is not positive definite. */
static bool cholesky(const achd_real S[3][3], achd_real L[3][3]) {
  for (int i = 0; i < 3; i++)
    for (int j = 0; j <= i; j++) {
      achd_real left = S[i][j];
      for (int k = 0; k < j; k++) left -= L[i][k] * L[j][k];
      if (i == j && !(left > 0)) return false;
      L[i][j] = i == j ? achd_sqrt(left) : left / L[j][j];
    }
  return true;
}

/* u <- L^-1 u */
static void forward(const achd_real L[3][3], achd_real u[3]) {
  for (int i = 0; i < 3; i++) {
    for (int k = 0; k < i; k++) u[i] -= L[i][k] * u[k];
    u[i] /= L[i][i];
  }
}

/* The errors that a correction has found go into the estimate. */
static void shift(achd_base *b, const achd_real x[]) {
  achd_real turn[4], E[3][3], u[3];
  quaternion_of(&x[TURN], turn);
  matrix_of((const achd_real *)turn, E);
  quaternion_product((const achd_real *)turn, b->quat, b->quat);
  matrix_of(b->quat, b->R);
  times((const achd_real(*)[3])E, b->v, u);
  for (int i = 0; i < 3; i++) {
    b->p[i] += x[P0 + i];
    b->v[i] = u[i] + x[V + i];
    b->acc_bias[i] += x[ACC + i];
    b->rate_bias[i] += x[RATE + i];
  }
  for (int k = 0; k < b->feet; k++) {
    times((const achd_real(*)[3])E, b->d[k], u);
    for (int i = 0; i < 3; i++) b->d[k][i] = u[i] + x[FOOT + 3 * k + i];
  }
}

/* Corrects by y = read - d, whose covariance is S = L L^T: x = P H^T S^-1 y, P <- P - P H^T S^-1 H P, H = 1 at the
 * foot. */
static void correct(achd_base *b, int k, const achd_real L[3][3], const achd_real y[3]) {
  const int at = FOOT + 3 * k, n = FOOT + 3 * b->feet;
  achd_real W[ACHD_BASE_STATES][3], x[ACHD_BASE_STATES];
  achd_zero(x, ACHD_BASE_STATES);
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < 3; j++) W[i][j] = b->P[i][at + j];
    forward(L, W[i]);
    x[i] = W[i][0] * y[0] + W[i][1] * y[1] + W[i][2] * y[2]; /* y: L^-1 of the innovation */
  }
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++) {
      const achd_real less = W[i][0] * W[j][0] + W[i][1] * W[j][1] + W[i][2] * W[j][2];
      b->P[i][j] = b->P[j][i] = (b->P[i][j] + b->P[j][i]) / 2 - less;
    }
  shift(b, x);
}

/* What one foot tells. Returns whether it counted. */
static bool read_foot(achd_base *b, const achd_base_parameters *p, const achd_base_input *in,
                      int k) {
  const int at = FOOT + 3 * k;
  achd_real N[3][3], S[3][3], L[3][3], read[3], y[3];
  noise_of(b, p, &in->feet[k], N);
  times((const achd_real(*)[3])b->R, in->feet[k].place, read);
  if (!b->known[k]) {
    anchor(b, k, read, (const achd_real(*)[3])N);
    return !b->slips[k];
  }
  for (int i = 0; i < 3; i++) {
    y[i] = read[i] - b->d[k][i];
    for (int j = 0; j < 3; j++) S[i][j] = b->P[at + i][at + j] + N[i][j];
  }
  b->stood[k] += in->period;
  const bool regular = cholesky((const achd_real(*)[3])S, L);
  if (regular) forward((const achd_real(*)[3])L, y);
  b->distance[k] = regular ? achd_dot(y, y) : ACHD_INFINITY;
  if (!(b->distance[k] <= p->gate)) { /* it has moved */
    anchor(b, k, read, (const achd_real(*)[3])N);
    b->slips[k] = true;
    return false;
  }
  if (b->slips[k] && b->stood[k] < p->settle) return false;
  b->slips[k] = false;
  correct(b, k, (const achd_real(*)[3])L, y);
  return true;
}

static bool input_is_finite(const achd_base *b, const achd_base_input *in) {
  bool finite =
      achd_all_finite(in->acc, 3) && achd_all_finite(in->rate, 3) && achd_finite(in->period);
  for (int k = 0; k < b->feet; k++) {
    const achd_base_foot *foot = &in->feet[k];
    finite = finite && achd_all_finite(foot->place, 3) && achd_all_finite(foot->rolls, 3);
    for (int i = 0; foot->jac && i < 3; i++)
      finite = finite && achd_all_finite(foot->jac + (ptrdiff_t)i * foot->row, foot->joints);
  }
  return finite;
}

static bool state_is_finite(const achd_base *b) {
  const int n = FOOT + 3 * b->feet;
  bool finite = achd_all_finite(b->p, 3) && achd_all_finite(b->v, 3) && achd_all_finite(b->quat, 4);
  for (int i = 0; i < n; i++) finite = finite && achd_finite(b->P[i][i]);
  return finite;
}

unsigned achd_base_step(achd_base *base, const achd_base_parameters *parameters,
                        const achd_base_input *input) {
  if (base->feet < 1 || base->feet != parameters->feet || !parameters_are_some(parameters))
    return base->status = ACHD_BASE_BAD_INPUT;
  if (!input_is_finite(base, input)) return base->status = ACHD_BASE_NOT_FINITE;
  if (!(input->period > 0) || input->period > (achd_real)0.1)
    return base->status = ACHD_BASE_BAD_INPUT;
  predict(base, parameters, input);
  unsigned status = ACHD_BASE_NO_FOOT;
  for (int k = 0; k < base->feet; k++) {
    if (!input->feet[k].stands) {
      base->known[k] = base->slips[k] = false;
      continue;
    }
    if (read_foot(base, parameters, input, k)) status &= ~(unsigned)ACHD_BASE_NO_FOOT;
    if (base->slips[k]) status |= ACHD_BASE_SLIPS;
  }
  if (!state_is_finite(base)) {
    achd_clear(base, sizeof *base);
    status = ACHD_BASE_LOST;
  }
  return base->status = status;
}
