/* SPDX-License-Identifier: MIT */
/* base_test.c: the estimator of a base on feet (achd/base.h). Over random motions with the noise that its
 * parameters
 * state, its errors are as large as its covariance says, and the heading is never learnt. Its transition is that of
 * differences of its own steps. Without noise it is where the base is. Feet that slip are left out. What is no
 * number, no
 * period, no contact, and feet that all slip. */
#include <achd/base.h>

#include "random.h"
#include "test.h"

#include <math.h>
#include <string.h>

#define REAL(x) ((achd_real)(x))
enum { FEET = 4, CORE = 15, ALL = CORE + 3 * FEET };
static const bool single = sizeof(achd_real) == sizeof(float);
static unsigned long long seed = 7;

static const achd_base_parameters plain = {.feet = FEET,
                                           .gravity = REAL(9.81),
                                           .acc_noise = REAL(2e-3),
                                           .rate_noise = REAL(2.5e-4),
                                           .acc_offset = REAL(0.1),
                                           .acc_walk = REAL(1e-4),
                                           .rate_walk = REAL(1e-5),
                                           .slip = REAL(2e-3),
                                           .place_noise = REAL(2e-3),
                                           .gate = REAL(30),
                                           .settle = REAL(0.08)};

/* ---- a base that moves, and what it measures ---- */

typedef struct truth {
  double p[3], v[3], q[4], w[3], acc_bias[3], rate_bias[3], foot[FEET][3];
  double wave[6][2];  /* of acceleration and rate: amplitude, phase */
  double time, noise; /* noise: 1, or 0 for none */
} truth;

static void rotate(const double q[4], const double u[3], double out[3]) { /* out = R u */
  const double c[3] = {q[2] * u[2] - q[3] * u[1] + q[0] * u[0],
                       q[3] * u[0] - q[1] * u[2] + q[0] * u[1],
                       q[1] * u[1] - q[2] * u[0] + q[0] * u[2]};
  const double x[3] = {u[0] + 2 * (q[2] * c[2] - q[3] * c[1]),
                       u[1] + 2 * (q[3] * c[0] - q[1] * c[2]),
                       u[2] + 2 * (q[1] * c[1] - q[2] * c[0])};
  /* u + 2 v x (v x u + w u) */
  for (int i = 0; i < 3; i++) out[i] = x[i];
}

static void back(const double q[4], const double u[3], double out[3]) { /* out = R^T u */
  const double other[4] = {q[0], -q[1], -q[2], -q[3]};
  rotate(other, u, out);
}

static void turn_by(double q[4], const double turn[3]) { /* q <- q exp(turn / 2) */
  const double angle = sqrt(turn[0] * turn[0] + turn[1] * turn[1] + turn[2] * turn[2]);
  const double s = angle > 1e-12 ? sin(angle / 2) / angle : 0.5, c = cos(angle / 2);
  const double e[3] = {s * turn[0], s * turn[1], s * turn[2]}, a[4] = {q[0], q[1], q[2], q[3]};
  q[0] = a[0] * c - a[1] * e[0] - a[2] * e[1] - a[3] * e[2];
  q[1] = a[0] * e[0] + a[1] * c + a[2] * e[2] - a[3] * e[1];
  q[2] = a[0] * e[1] - a[1] * e[2] + a[2] * c + a[3] * e[0];
  q[3] = a[0] * e[2] + a[1] * e[1] - a[2] * e[0] + a[3] * c;
}

static double normal(const truth *t) { /* of standard deviation 1, or 0 */
  return t->noise * random_normal(&seed);
}

static truth begins(double noise) {
  truth t = {.q = {1, 0, 0, 0}, .noise = noise};
  for (int i = 0; i < 6; i++) {
    t.wave[i][0] = random_between(&seed, 0, i < 3 ? 2 : 1);
    t.wave[i][1] = random_between(&seed, 0, 6.28);
  }
  const double tilt[3] = {random_between(&seed, -0.2, 0.2), random_between(&seed, -0.2, 0.2), 0};
  turn_by(t.q, tilt);
  for (int i = 0; i < 3; i++) {
    t.acc_bias[i] = (double)plain.acc_offset * normal(&t);
    t.rate_bias[i] = 0.01 * normal(&t);
    t.v[i] = 1e-3 * normal(&t);
  }
  return t;
}

/* Steps on the ground: a foot is put down somewhere below the base. */
static void put_down(truth *t, int k) {
  for (int i = 0; i < 2; i++) t->foot[k][i] = t->p[i] + random_between(&seed, -0.3, 0.3);
  t->foot[k][2] = t->p[2] - 0.3;
}

/* The base at rest for a second, and a filter that starts from that. */
static void start(truth *t, achd_base *b) {
  const double up[3] = {0, 0, (double)plain.gravity};
  double f[3];
  achd_base_rest rest = {.duration = 1};
  back(t->q, up, f);
  for (int i = 0; i < 3; i++) {
    rest.acc[i] = REAL(f[i] + t->acc_bias[i] + (double)plain.acc_noise * normal(t));
    rest.rate[i] = REAL(t->rate_bias[i] + (double)plain.rate_noise * normal(t));
  }
  double x[3], ahead[3] = {1, 0, 0};
  rotate(t->q, ahead, x);
  rest.heading = REAL(atan2(x[1], x[0]));
  CHECK(achd_base_start(b, &plain, &rest));
}

/* Moves the base by a period, and fills in what is measured; the rate, and the acceleration in the world, are
 * constant within. */
static void moves(truth *t, double T, achd_base_input *in, achd_base_foot feet[FEET]) {
  double a[3], f[3], up[3], turn[3], seen[3], d[3];
  for (int i = 0; i < 3; i++) {
    a[i] = t->wave[i][0] * sin(4 * t->time + t->wave[i][1]) - 0.5 * t->v[i];
    t->w[i] = t->wave[3 + i][0] * sin(3 * t->time + t->wave[3 + i][1]);
    turn[i] = t->w[i] * T / 2;
    up[i] = a[i] + (i == 2 ? (double)plain.gravity : 0);
  }
  turn_by(t->q, turn);
  back(t->q, up, f);
  for (int i = 0; i < 3; i++) {
    in->acc[i] = REAL(f[i] + t->acc_bias[i] + (double)plain.acc_noise / sqrt(T) * normal(t));
    in->rate[i] = REAL(t->w[i] + t->rate_bias[i] + (double)plain.rate_noise / sqrt(T) * normal(t));
    t->acc_bias[i] += (double)plain.acc_walk * sqrt(T) * normal(t);
    t->rate_bias[i] += (double)plain.rate_walk * sqrt(T) * normal(t);
    t->p[i] += T * (t->v[i] + T / 2 * a[i]);
    t->v[i] += T * a[i];
  }
  turn_by(t->q, turn);
  t->time += T;
  for (int k = 0; k < FEET; k++) {
    for (int i = 0; i < 3; i++) t->foot[k][i] += (double)plain.slip * sqrt(T) * normal(t);
    for (int i = 0; i < 3; i++) d[i] = t->foot[k][i] - t->p[i];
    back(t->q, d, seen);
    for (int i = 0; i < 3; i++)
      feet[k].place[i] = REAL(seen[i] + (double)plain.place_noise * normal(t));
  }
  in->period = REAL(T), in->feet = feet;
}

/* Feet on diagonals take turns, of 0.15 s. */
static void trots(truth *t, achd_base_foot feet[FEET]) {
  const bool second = fmod(t->time, 0.3) > 0.15;
  for (int k = 0; k < FEET; k++) {
    const bool stands = (k == 1 || k == 2) == second;
    if (stands && !feet[k].stands) put_down(t, k);
    feet[k].stands = stands;
  }
}

/* The errors as base.h defines them. */
static void errors(const truth *t, const achd_base *b, double e[ALL]) {
  const double c[4] = {(double)b->quat[0], -(double)b->quat[1], -(double)b->quat[2],
                       -(double)b->quat[3]};
  const double *q = t->q; /* q c: of what turns the estimate to the truth */
  const double D[4] = {q[0] * c[0] - q[1] * c[1] - q[2] * c[2] - q[3] * c[3],
                       q[0] * c[1] + q[1] * c[0] + q[2] * c[3] - q[3] * c[2],
                       q[0] * c[2] - q[1] * c[3] + q[2] * c[0] + q[3] * c[1],
                       q[0] * c[3] + q[1] * c[2] - q[2] * c[1] + q[3] * c[0]};
  const double v[3] = {(double)b->v[0], (double)b->v[1], (double)b->v[2]};
  double turned[3];
  rotate(D, v, turned);
  for (int i = 0; i < 3; i++) {
    e[i] = t->p[i] - (double)b->p[i];
    e[3 + i] = t->v[i] - turned[i];
    e[6 + i] = 2 * D[1 + i] * (D[0] < 0 ? -1 : 1);
    e[9 + i] = t->acc_bias[i] - (double)b->acc_bias[i];
    e[12 + i] = t->rate_bias[i] - (double)b->rate_bias[i];
  }
  for (int k = 0; k < FEET; k++) {
    const double d[3] = {(double)b->d[k][0], (double)b->d[k][1], (double)b->d[k][2]};
    rotate(D, d, turned);
    for (int i = 0; i < 3; i++) e[CORE + 3 * k + i] = t->foot[k][i] - t->p[i] - turned[i];
  }
}

/* e^T P^-1 e of the first CORE errors: chi-square with CORE degrees of freedom, if P is right. */
static double distance(const achd_base *b, const double e[CORE]) {
  double L[CORE][CORE], u[CORE], sum = 0;
  for (int i = 0; i < CORE; i++) {
    u[i] = e[i];
    for (int j = 0; j <= i; j++) {
      double left = (double)b->P[i][j];
      for (int k = 0; k < j; k++) left -= L[i][k] * L[j][k];
      L[i][j] = i == j ? sqrt(fmax(left, 1e-14)) : left / L[j][j];
    }
    for (int k = 0; k < i; k++) u[i] -= L[i][k] * u[k];
    u[i] /= L[i][i];
    sum += u[i] * u[i];
  }
  return sum;
}

/* ---- tests ---- */

/* The normalised square of the error, over random motions: its mean is CORE, within 3.3 standard deviations of the
 * mean of so
 * many chi-square numbers (Bar-Shalom, Li, Kirubarajan, Estimation with applications to tracking and navigation,
 * 2001). */
static void errors_are_as_large_as_the_covariance_says(void) {
  enum { RUNS = 60, STEPS = 600 };
  double sum = 0, worst = 0, bound = 3.3 * sqrt(2. * CORE / RUNS);
  int slipped = 0, steps = 0;
  for (int r = 0; r < RUNS; r++) {
    truth t = begins(1);
    achd_base b;
    achd_base_foot feet[FEET] = {0};
    achd_base_input in;
    start(&t, &b);
    for (int i = 0; i < STEPS; i++) {
      trots(&t, feet);
      moves(&t, 2.5e-3, &in, feet);
      slipped += (achd_base_step(&b, &plain, &in) & ACHD_BASE_SLIPS) != 0, steps++;
    }
    double e[ALL];
    errors(&t, &b, e);
    const double d = distance(&b, e);
    sum += d / RUNS, worst = fmax(worst, d);
    CHECK((double)b.P[0][0] > 0 && (double)b.P[1][1] > 0);
  }
  printf("mean of the normalised squared errors %.2f of %d +- %.2f, largest %.1f; %d of %d steps "
         "with a foot left out\n",
         sum, CORE, bound, worst, slipped, steps);
  CHECK(fabs(sum - CORE) < bound);
  CHECK(worst < 45); /* 1e-4 of chi-square numbers with 15 degrees of freedom are above 44.3 */
  CHECK(slipped < steps / 1000);
}

/* No foot tells the heading: a filter that knows it less by 0.1 rad knows it less by that after 1000 steps, and all
 * else as
 * well: the estimates are the same. */
static void the_heading_is_never_learnt(void) {
  truth t = begins(1);
  achd_base b, other;
  achd_base_foot feet[FEET] = {0};
  achd_base_input in;
  const int at = ACHD_BASE_TURN + 2;
  const double more = 0.01, digits = single ? 2e-4 : 1e-9;
  double half = 0;
  start(&t, &b);
  other = b;
  other.P[at][at] += REAL(more);
  for (int i = 0; i < 1000; i++) {
    trots(&t, feet);
    moves(&t, 2e-3, &in, feet);
    CHECK(achd_base_step(&b, &plain, &in) == achd_base_step(&other, &plain, &in));
    if (i == 500) half = (double)b.P[0][0];
  }
  CHECK_NEAR((double)(other.P[at][at] - b.P[at][at]), more, digits);
  CHECK((double)b.P[0][0] > half && (double)b.P[1][1] > 0); /* nor the place */
  for (int i = 0; i < 3; i++) CHECK_NEAR((double)(other.v[i] - b.v[i]), 0, digits);
  for (int i = 0; i < 4; i++) CHECK_NEAR((double)(other.quat[i] - b.quat[i]), 0, digits);
}

static void without_noise_it_is_where_the_base_is(void) {
  truth t = begins(0);
  achd_base b;
  achd_base_foot feet[FEET] = {0};
  achd_base_input in;
  double e[ALL];
  start(&t, &b);
  for (int i = 0; i < 2000; i++) {
    trots(&t, feet);
    moves(&t, 1e-3, &in, feet);
    CHECK(achd_base_step(&b, &plain, &in) == ACHD_BASE_OK);
  }
  errors(&t, &b, e);
  for (int i = 0; i < 9; i++) CHECK_NEAR(e[i], 0, single ? 2e-3 : 1e-5);
}

/* Column c of the transition, by two filters of which one begins with the error e_c, times that column: what P =
 * e_c e_c^T
 * becomes less what P = 0 becomes. */
static void the_transition_is_that_of_differences(void) {
  truth t = begins(0);
  achd_base b, still, other;
  achd_base_foot feet[FEET] = {0};
  achd_base_input in;
  const double small = 1e-6, T = 1e-3;
  if (single) return; /* differences need the digits of double */
  start(&t, &b);
  for (int i = 0; i < 300; i++) {
    trots(&t, feet);
    moves(&t, T, &in, feet);
    (void)achd_base_step(&b, &plain, &in);
  }
  moves(&t, T, &in, feet);
  for (int k = 0; k < FEET; k++) feet[k].stands = false, b.known[k] = true; /* no correction */
  memset(b.P, 0, sizeof b.P);
  still = b;
  (void)achd_base_step(&still, &plain, &in);
  for (int c = 0; c < CORE; c++) {
    truth moved = {
        .q = {(double)b.quat[0], (double)b.quat[1], (double)b.quat[2], (double)b.quat[3]}};
    double e[ALL], now[4];
    other = b;
    /* `other` is the estimate, b the truth, with the error e_c: p, v and biases smaller, or turned back by small */
    if (c < 3) other.p[c] -= REAL(small);
    if (c >= 3 && c < 6) other.v[c - 3] -= REAL(small);
    if (c >= 6 && c < 9) {
      double by[3] = {0}, v[3];
      by[c - 6] = -small;
      double q[4] = {1, 0, 0, 0};
      turn_by(q, by); /* exp(-theta), from the left */
      const double *r = moved.q;
      now[0] = q[0] * r[0] - q[1] * r[1] - q[2] * r[2] - q[3] * r[3];
      now[1] = q[0] * r[1] + q[1] * r[0] + q[2] * r[3] - q[3] * r[2];
      now[2] = q[0] * r[2] - q[1] * r[3] + q[2] * r[0] + q[3] * r[1];
      now[3] = q[0] * r[3] + q[1] * r[2] - q[2] * r[1] + q[3] * r[0];
      rotate(q, (const double[3]){(double)b.v[0], (double)b.v[1], (double)b.v[2]}, v);
      for (int i = 0; i < 4; i++) other.quat[i] = REAL(now[i]);
      for (int i = 0; i < 3; i++) other.v[i] = REAL(v[i]);
      for (int k = 0; k < FEET; k++) {
        rotate(q, (const double[3]){(double)b.d[k][0], (double)b.d[k][1], (double)b.d[k][2]}, v);
        for (int i = 0; i < 3; i++) other.d[k][i] = REAL(v[i]);
      }
      for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
          double u[3] = {0}, out[3];
          u[j] = 1;
          rotate(now, u, out);
          other.R[i][j] = REAL(out[i]);
        }
    }
    if (c >= 9 && c < 12) other.acc_bias[c - 9] -= REAL(small);
    if (c >= 12) other.rate_bias[c - 12] -= REAL(small);
    (void)achd_base_step(&other, &plain, &in);
    for (int i = 0; i < 3; i++) {
      moved.p[i] = (double)still.p[i], moved.v[i] = (double)still.v[i];
      moved.acc_bias[i] = (double)still.acc_bias[i],
      moved.rate_bias[i] = (double)still.rate_bias[i];
    }
    for (int i = 0; i < 4; i++) moved.q[i] = (double)still.quat[i];
    for (int k = 0; k < FEET; k++)
      for (int i = 0; i < 3; i++) moved.foot[k][i] = (double)still.p[i] + (double)still.d[k][i];
    errors(&moved, &other, e);
    achd_base with = b;
    with.P[c][c] = 1;
    (void)achd_base_step(&with, &plain, &in);
    for (int i = 0; i < ALL; i++)
      for (int j = 0; j < ALL; j++)
        CHECK_NEAR((double)(with.P[i][j] - still.P[i][j]), e[i] / small * e[j] / small, 5e-5);
  }
}

/* A foot that slides at 0.5 m/s for 0.15 s, of four that stand. Returns the largest error of the velocity. */
static double slides(const achd_base_parameters *p, unsigned *told) {
  truth t = begins(1);
  achd_base b;
  achd_base_foot feet[FEET] = {0};
  achd_base_input in;
  double most = 0;
  start(&t, &b);
  for (int k = 0; k < FEET; k++) feet[k].stands = true, put_down(&t, k);
  for (int i = 0; i < 1000; i++) {
    const bool now = t.time > 0.5 && t.time < 0.65;
    if (now) t.foot[1][0] += 0.5e-3;
    moves(&t, 1e-3, &in, feet);
    const unsigned status = achd_base_step(&b, p, &in);
    if (now) *told |= status;
    if (t.time > 0.6) CHECK(!now || b.slips[1]);
    if (t.time > 0.75) CHECK(!b.slips[1]); /* it counts again */
    double e[ALL];
    errors(&t, &b, e);
    if (t.time > 0.5) most = fmax(most, hypot(e[3], e[4]));
  }
  return most;
}

static void a_foot_that_slips_is_left_out(void) {
  achd_base_parameters deaf = plain;
  unsigned told = 0, nothing = 0;
  const unsigned long long same = seed;
  const double with = slides(&plain, &told);
  seed = same;
  CHECK(with < 0.05 && (told & ACHD_BASE_SLIPS) && !(told & ACHD_BASE_NO_FOOT));
  deaf.gate = REAL(1e30);
  truth t = begins(1);
  achd_base b;
  achd_base_foot feet[FEET] = {0};
  achd_base_input in;
  double most = 0, e[ALL];
  start(&t, &b);
  for (int k = 0; k < FEET; k++) feet[k].stands = true, put_down(&t, k);
  for (int i = 0; i < 700; i++) {
    if (t.time > 0.5 && t.time < 0.65) t.foot[1][0] += 0.5e-3;
    moves(&t, 1e-3, &in, feet);
    nothing |= achd_base_step(&b, &deaf, &in);
    errors(&t, &b, e);
    if (t.time > 0.5) most = fmax(most, hypot(e[3], e[4]));
  }
  printf("a foot slides at 0.5 m/s: error of the velocity %.3f m/s, %.3f m/s where it counts\n",
         with, most);
  CHECK(most > 2 * with && nothing == ACHD_BASE_OK);
}

/* On ice all feet slide alike: what they tell fits together, and not to the unit. */
static void where_all_feet_slip_the_unit_remains(void) {
  truth t = begins(1);
  achd_base b;
  achd_base_foot feet[FEET] = {0};
  achd_base_input in;
  double e[ALL];
  unsigned told = 0;
  start(&t, &b);
  for (int k = 0; k < FEET; k++) feet[k].stands = true, put_down(&t, k);
  for (int i = 0; i < 800; i++) {
    if (t.time > 0.5)
      for (int k = 0; k < FEET; k++) t.foot[k][k % 2] += 2e-3;
    moves(&t, 1e-3, &in, feet);
    const unsigned status = achd_base_step(&b, &plain, &in);
    if (t.time > 0.52) told |= status;
  }
  errors(&t, &b, e);
  printf("all feet slide at 2 m/s: error of the velocity %.3f m/s\n", hypot(e[3], e[4]));
  CHECK((told & ACHD_BASE_NO_FOOT) && (told & ACHD_BASE_SLIPS));
  CHECK(hypot(e[3], e[4]) < 0.15);
}

static void in_the_air_the_covariance_grows(void) {
  truth t = begins(1);
  achd_base b;
  achd_base_foot feet[FEET] = {0};
  achd_base_input in;
  start(&t, &b);
  double last = 0;
  for (int i = 0; i < 500; i++) {
    moves(&t, 1e-3, &in, feet);
    CHECK(achd_base_step(&b, &plain, &in) == ACHD_BASE_NO_FOOT);
    CHECK((double)b.P[ACHD_BASE_VELOCITY][ACHD_BASE_VELOCITY] >= last);
    last = (double)b.P[ACHD_BASE_VELOCITY][ACHD_BASE_VELOCITY];
  }
  double e[ALL];
  errors(&t, &b, e);
  CHECK(fabs(e[3]) < 5 * sqrt(last) && last > 1e-6);
  const double bias = (double)b.P[ACHD_BASE_RATE_BIAS][ACHD_BASE_RATE_BIAS],
               walk = (double)plain.rate_walk;
  const double first = (double)plain.rate_noise *
                       (double)plain.rate_noise; /* of the start; then the walk of 0.5 s */
  CHECK_NEAR(bias - first, 0.5 * walk * walk, single ? 5e-12 : 1e-14);
}

/* A ball of 2 cm rolls: its middle moves, and the filter is told. */
static void balls_roll(void) {
  truth t = begins(0);
  achd_base b;
  achd_base_foot feet[FEET] = {0};
  achd_base_input in;
  double e[ALL];
  start(&t, &b);
  for (int k = 0; k < FEET; k++) feet[k].stands = true, put_down(&t, k);
  const double rolling[3] = {0.06, -0.02, 0};
  for (int i = 0; i < 500; i++) {
    double own[3];
    for (int k = 0; k < FEET; k++)
      for (int j = 0; j < 3; j++) t.foot[k][j] += 1e-3 * rolling[j];
    moves(&t, 1e-3, &in, feet);
    back(t.q, rolling, own);
    for (int k = 0; k < FEET; k++)
      for (int j = 0; j < 3; j++) feet[k].rolls[j] = REAL(own[j]);
    CHECK(achd_base_step(&b, &plain, &in) == ACHD_BASE_OK);
  }
  errors(&t, &b, e);
  for (int i = 0; i < 6; i++) CHECK_NEAR(e[i], 0, 2e-3);
}

/* The noise of joints along a leg's Jacobian is in the covariance of a foot that has just come down. */
static void joints_have_noise(void) {
  truth t = begins(0);
  achd_base b;
  achd_base_foot feet[FEET] = {0};
  achd_base_input in;
  achd_base_parameters p = plain;
  static const achd_real jac[3 * 5] = {REAL(0.3), 0, 9, 9,         9, 0, REAL(0.2), 9,
                                       9,         9, 0, REAL(0.1), 9, 9, 9};
  p.joint_noise = REAL(0.01);
  const double tilted = t.q[1];
  t.q[0] = 1, t.q[1] = t.q[2] = t.q[3] = 0;
  start(&t, &b);
  put_down(&t, 2);
  moves(&t, 1e-9, &in, feet);
  feet[2].stands = true, feet[2].jac = jac, feet[2].joints = 2, feet[2].row = 5;
  CHECK(achd_base_step(&b, &p, &in) == ACHD_BASE_OK && tilted != 0);
  const achd_real(*P)[ACHD_BASE_STATES] = (const achd_real(*)[ACHD_BASE_STATES])b.P;
  const int at = ACHD_BASE_FOOT + 6;
  CHECK_NEAR((double)P[at][at], 4e-6 + 9e-6, 1e-8);
  CHECK_NEAR((double)P[at + 1][at + 1], 4e-6 + 5e-6 - 1e-6 + 0, 1.1e-6);
  CHECK_NEAR((double)P[at + 1][at + 2], 0.2 * 0.1 * 1e-4, 1e-8);
}

static bool same(const achd_base *a, const achd_base *b) {
  return memcmp(a->p, b->p, sizeof a->p) == 0 && memcmp(a->quat, b->quat, sizeof a->quat) == 0 &&
         memcmp(a->P, b->P, sizeof a->P) == 0 && memcmp(a->d, b->d, sizeof a->d) == 0;
}

static void senseless_numbers_change_nothing(void) {
  truth t = begins(1);
  achd_base b, before;
  achd_base_foot feet[FEET] = {0};
  achd_base_input in;
  start(&t, &b);
  for (int k = 0; k < FEET; k++) feet[k].stands = true, put_down(&t, k);
  moves(&t, 1e-3, &in, feet);
  (void)achd_base_step(&b, &plain, &in);
  before = b;
  const achd_real none[] = {REAL(NAN), REAL(INFINITY), REAL(-INFINITY)};
  achd_real jac[3 * 2] = {0};
  for (int k = 0; k < 3; k++) {
    achd_real *places[] = {&in.acc[1],        &in.rate[2],       &in.period,
                           &feet[3].place[0], &feet[0].rolls[2], &jac[5]};
    feet[1].jac = jac, feet[1].joints = feet[1].row = 2;
    for (int i = 0; i < 6; i++) {
      const achd_real kept = *places[i];
      *places[i] = none[k];
      CHECK(achd_base_step(&b, &plain, &in) == ACHD_BASE_NOT_FINITE && same(&b, &before));
      *places[i] = kept;
    }
  }
  const achd_real periods[] = {0, REAL(-1e-3), REAL(0.2)};
  for (int i = 0; i < 3; i++) {
    in.period = periods[i];
    CHECK(achd_base_step(&b, &plain, &in) == ACHD_BASE_BAD_INPUT && same(&b, &before));
  }
  in.period = REAL(1e-3);
  achd_base_parameters p = plain;
  achd_real *bad[] = {&p.acc_noise, &p.rate_noise, &p.acc_offset,  &p.acc_walk, &p.rate_walk,
                      &p.slip,      &p.gravity,    &p.place_noise, &p.gate,     &p.settle};
  for (int i = 0; i < 10; i++) {
    const achd_real kept = *bad[i];
    *bad[i] = i % 2 ? 0 : REAL(NAN);
    CHECK(achd_base_step(&b, &p, &in) == ACHD_BASE_BAD_INPUT && same(&b, &before));
    *bad[i] = kept;
  }
  p.joint_noise = -1;
  CHECK(achd_base_step(&b, &p, &in) == ACHD_BASE_BAD_INPUT);
  p = plain, p.feet = 3;
  CHECK(achd_base_step(&b, &p, &in) == ACHD_BASE_BAD_INPUT);
  CHECK((achd_base_step(&b, &plain, &in) & ~(unsigned)ACHD_BASE_SLIPS) ==
        ACHD_BASE_OK); /* it goes on */
}

static void starts_that_are_none_are_refused(void) {
  achd_base b;
  achd_base_foot feet[FEET] = {0};
  const achd_base_input in = {.acc = {0, 0, REAL(9.81)}, .period = REAL(1e-3), .feet = feet};
  const achd_base_rest up = {.acc = {0, 0, REAL(9.81)}, .duration = 1, .heading = REAL(0.5)};
  achd_base_rest rest = up;
  achd_base_parameters p = plain;
  rest.acc[2] = 0;
  CHECK(!achd_base_start(&b, &p, &rest) && b.status == ACHD_BASE_BAD_INPUT);
  rest.acc[2] = REAL(-9.81);
  CHECK(!achd_base_start(&b, &p, &rest) && b.status == ACHD_BASE_BAD_INPUT);
  rest = up, rest.p[1] = REAL(NAN);
  CHECK(!achd_base_start(&b, &p, &rest) && b.status == ACHD_BASE_NOT_FINITE);
  rest = up, rest.duration = 0;
  CHECK(!achd_base_start(&b, &p, &rest));
  p.feet = ACHD_BASE_FEET + 1;
  CHECK(!achd_base_start(&b, &p, &up));
  CHECK(achd_base_step(&b, &plain, &in) == ACHD_BASE_BAD_INPUT); /* not started */
  CHECK(achd_base_start(&b, &plain, &up));
  CHECK_NEAR((double)b.quat[3], sin(0.25), 1e-6);
}

/* A unit that says 1e30 m/s^2 breaks numbers, not the program: the filter says that it is lost. */
static void what_breaks_the_numbers_is_told(void) {
  truth t = begins(1);
  achd_base b;
  achd_base_foot feet[FEET] = {0};
  achd_base_input in;
  start(&t, &b);
  moves(&t, 1e-3, &in, feet);
  in.acc[0] = single ? REAL(3e38) : REAL(1e308);
  unsigned status = 0;
  for (int i = 0; i < 20000 && status != ACHD_BASE_LOST; i++)
    status = achd_base_step(&b, &plain, &in);
  CHECK(status == ACHD_BASE_LOST && b.feet == 0);
}

int main(void) {
  RUN(errors_are_as_large_as_the_covariance_says);
  RUN(the_heading_is_never_learnt);
  RUN(without_noise_it_is_where_the_base_is);
  RUN(the_transition_is_that_of_differences);
  RUN(a_foot_that_slips_is_left_out);
  RUN(where_all_feet_slip_the_unit_remains);
  RUN(in_the_air_the_covariance_grows);
  RUN(balls_roll);
  RUN(joints_have_noise);
  RUN(senseless_numbers_change_nothing);
  RUN(starts_that_are_none_are_refused);
  RUN(what_breaks_the_numbers_is_told);
  return test_end();
}
