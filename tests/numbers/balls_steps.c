/* SPDX-License-Identifier: MIT */
/* balls_steps.c: robots with ball joints that move by generated steps of order 4 keep what motion keeps: a spherical pendulum its
 * energy and its angular momentum about the vertical, by formulas of this file; a floating chain its energy, momentum and angular
 * momentum about the centre of mass. Half the period leaves at most a tenth of the pendulum's error. And what is no rotation is told. */
#define PENDULUM_IMPLEMENTATION
#define CHAIN_IMPLEMENTATION
#include "chain_achd.h"
#include "pendulum_achd.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static int failed;

static void check(const char *what, int good, double number) {
  printf("%s %s: %.3g\n", good ? "ok" : "FAILED:", what, number);
  failed += !good;
}

/* The pendulum of balls_steps.sh: 1.2 kg at c, moments about the centre of mass; about the pivot, along its axes. */
static const double m = 1.2, c[3] = {0.05, 0.1, -0.4}, moments[3] = {0.02, 0.03, 0.01};

static void turn(const pendulum_quaternion *q, const double v[3], double out[3]) {
  const double u[3] = {q->x, q->y, q->z}, w = q->w;
  double t[3];
  for (int i = 0; i < 3; i++) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    t[i] = 2 * (u[j] * v[k] - u[k] * v[j]);
  }
  for (int i = 0; i < 3; i++) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    out[i] = v[i] + w * t[i] + u[j] * t[k] - u[k] * t[j];
  }
}

/* Energy, and angular momentum about the vertical: L = I w + m c x (w x c). */
static void measure(const pendulum_step_in *in, double kept[2]) {
  const double *w = in->qd;
  double v[3], L[3], world[3], height[3], energy = 0;
  for (int i = 0; i < 3; i++) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    v[i] = w[j] * c[k] - w[k] * c[j];
  }
  for (int i = 0; i < 3; i++) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    L[i] = moments[i] * w[i] + m * (c[j] * v[k] - c[k] * v[j]);
    energy += 0.5 * (moments[i] * w[i] * w[i] + m * v[i] * v[i]);
  }
  turn(&in->ball.pivot, L, world);
  turn(&in->ball.pivot, c, height);
  kept[0] = energy + m * 9.81 * height[2];
  kept[1] = world[2];
}

/* The largest change of what is kept, in 2 s. */
static double swing(int steps) {
  pendulum_step_in in = PENDULUM_STEP_IN_DEFAULT;
  pendulum_step_out out;
  double first[2], now[2], worst = 0;
  in.ball.pivot = (pendulum_quaternion){0.8, 0.6, 0, 0};
  in.qd[0] = 0.5, in.qd[1] = 3, in.qd[2] = -2;
  in.time_step = 2.0 / steps;
  measure(&in, first);
  for (int k = 0; k < steps; k++) {
    if (pendulum_step(&in, &out) != 0) return INFINITY;
    in.ball.pivot = out.ball_next.pivot;
    memcpy(in.qd, out.qd_next, sizeof in.qd);
    memcpy(in.q, out.q_next, sizeof in.q);
    measure(&in, now);
    for (int i = 0; i < 2; i++) worst = fmax(worst, fabs(now[i] - first[i]));
  }
  const pendulum_quaternion *q = &in.ball.pivot;
  return fmax(worst, fabs(q->w * q->w + q->x * q->x + q->y * q->y + q->z * q->z - 1));
}

static void kept_by_chain(const chain_step_in *in, double kept[7]) {
  chain_energy_in e = CHAIN_ENERGY_IN_DEFAULT;
  chain_centroidal_in h = CHAIN_CENTROIDAL_IN_DEFAULT;
  chain_energy_out energy;
  chain_centroidal_out momentum;
  memcpy(&e.ball, &in->ball, sizeof e.ball), memcpy(&h.ball, &in->ball, sizeof h.ball);
  memcpy(e.qd, in->qd, sizeof e.qd), memcpy(h.qd, in->qd, sizeof h.qd);
  e.base.quat = h.base.quat = in->base.quat;
  e.base.twist = h.base.twist = in->base.twist;
  chain_energy(&e, &energy);
  chain_centroidal(&h, &momentum);
  kept[0] = energy.kinetic;
  memcpy(kept + 1, momentum.h_G.lin, sizeof momentum.h_G.lin);
  memcpy(kept + 4, momentum.h_G.ang, sizeof momentum.h_G.ang);
}

/* Without gravity, 1 s. */
static double tumble(int steps) {
  chain_step_in in = CHAIN_STEP_IN_DEFAULT;
  chain_step_out out;
  double first[7], now[7], worst = 0;
  in.gravity[2] = 0;
  for (int i = 0; i < CHAIN_NJ; i++) in.qd[i] = 2 - 0.7 * i;
  in.base.twist.ang[1] = 1, in.base.twist.lin[0] = 0.5;
  in.time_step = 1.0 / steps;
  kept_by_chain(&in, first);
  for (int k = 0; k < steps; k++) {
    if (chain_step(&in, &out) != 0) return INFINITY;
    memcpy(&in.ball, &out.ball_next, sizeof in.ball);
    memcpy(in.qd, out.qd_next, sizeof in.qd);
    memcpy(in.base.position, out.base_next.position, sizeof in.base.position);
    in.base.quat = out.base_next.quat, in.base.twist = out.base_next.twist;
    kept_by_chain(&in, now);
    for (int i = 0; i < 7; i++) worst = fmax(worst, fabs(now[i] - first[i]));
  }
  return worst;
}

static void faults(void) {
  pendulum_step_in good = PENDULUM_STEP_IN_DEFAULT, in;
  pendulum_step_out out, other;
  good.qd[0] = 1, good.qd[2] = 2;
  check("a rotation is taken", pendulum_step(&good, &out) == 0, 0);
  in = good, in.q[0] = 2, in.q[1] = -1;
  check("q of a ball is not read",
        pendulum_step(&in, &other) == 0 && memcmp(&out, &other, sizeof out) == 0, 0);
  in = good, in.ball.pivot.w = 1.1;
  check("a norm of 1.1 is BAD_INPUT", pendulum_step(&in, &out) & PENDULUM_BAD_INPUT, 0);
  in = good, in.ball.pivot.w = 0;
  check("a norm of 0 too", pendulum_step(&in, &out) & PENDULUM_DO_NOT_COMMAND, 0);
  in = good, in.ball.pivot.y = NAN;
  check("a NaN is NOT_FINITE", pendulum_step(&in, &out) & PENDULUM_NOT_FINITE, 0);
  in = good, in.qd[1] = 1e6;
  check("a turn of 1000 rad in a step is BAD_INPUT", pendulum_step(&in, &out) & PENDULUM_BAD_INPUT,
        0);
}

int main(void) {
  const double coarse = swing(200), fine = swing(400), chain = tumble(1000);
  check("the pendulum keeps energy and momentum in 400 steps", fine < 1e-6, fine);
  check("twice the steps leave at most a tenth", fine < 0.1 * coarse, fine / coarse);
  check("the chain keeps energy and momenta in 1000 steps", chain < 1e-9, chain);
  faults();
  return failed != 0;
}
