/* SPDX-License-Identifier: MIT */
/* identified_runs.c MODEL SEED SECONDS: a log of an arm that moves in MuJoCo, for achd-identify: another motion of five harmonics for each seed, led by
 * computed torque. Positions have noise of 1e-4 rad, velocities of 1e-3 rad/s, torques of 1 % of the joints' efforts; they are
 * motor currents in steps of 0.01 A, at 11 N m/A or, of joints of 9 N m, 7.6. */
#include "runtime/random.h"

#include <math.h>
#include <mujoco/mujoco.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST = 8, HARMONICS = 5, EVERY = 20 };
static const double STEP = 5e-4, FIRST = 0.6283185307179586;
static unsigned long long seed;

static double noise(double deviation) {
  return deviation * random_normal(&seed);
}

typedef struct motion {
  double sine[MOST][HARMONICS], cosine[MOST][HARMONICS];
} motion;

static void at(const motion *x, int joint, double t, double out[3]) {
  out[0] = out[1] = out[2] = 0;
  for (int k = 0; k < HARMONICS; k++) {
    const double w = FIRST * (k + 1), s = sin(w * t), c = cos(w * t);
    const double a = x->sine[joint][k], b = x->cosine[joint][k];
    out[0] += a * s + b * c;
    out[1] += w * (a * c - b * s);
    out[2] -= w * w * (a * s + b * c);
  }
}

/* Between the two halves of a step: tau = M (qdd + 10^4 e + 200 de/dt) + bias + friction: a stiff drive, without which motions begin anew wherever dry friction turns around. */
static void lead(const mjModel *m, mjData *d, const motion *x) {
  double wanted[MOST], rub[MOST] = {0}, tau[MOST] = {0}, goal[3];
  for (int j = 0; j < m->nv; j++) {
    at(x, j, d->time, goal);
    wanted[j] = goal[2] + 1e4 * (goal[0] - d->qpos[j]) + 200 * (goal[1] - d->qvel[j]);
    rub[j] = m->dof_damping[j] * goal[1] + m->dof_frictionloss[j] * tanh(goal[1] / 0.005);
  }
  mj_mulM(m, d, tau, wanted);
  for (int j = 0; j < m->nv; j++) d->qfrc_applied[j] = tau[j] + d->qfrc_bias[j] + rub[j];
}

/* Torques are those of the step up to now: MuJoCo's friction is that of the velocity behind the step. */
static void print_line(const mjModel *m, const mjData *d, const double *effort) {
  printf("%.3f", d->time);
  for (int j = 0; j < m->nv; j++) printf(",%.6f", d->qpos[j] + noise(1e-4));
  for (int j = 0; j < m->nv; j++) printf(",%.5f", d->qvel[j] + noise(1e-3));
  for (int j = 0; j < m->nv; j++) {
    const double gain = effort[j] > 10 ? 11 : 7.6;
    const double current = (d->qfrc_applied[j] + noise(0.01 * effort[j])) / gain;
    printf(",%.2f", 0.01 * floor(100 * current + 0.5));
  }
  printf("\n");
}

int main(int argc, char **argv) {
  static const char *const quantities[3] = {"q", "qd", "current"};
  char fault[512] = "";
  double effort[MOST] = {0}, now[3];
  motion x;
  if (argc != 4) return 2;
  mjModel *m = mj_loadXML(argv[1], NULL, fault, sizeof fault);
  if (!m || m->nv > MOST || m->nu < m->nv) {
    (void)fprintf(stderr, "%s: %s\n", argv[1], m ? "no arm with motors" : fault);
    return 1;
  }
  mjData *d = mj_makeData(m);
  seed = strtoull(argv[2], NULL, 10) + 1;
  m->opt.timestep = STEP;
  for (int j = 0; j < m->nv; j++) {
    for (int k = 0; k < HARMONICS; k++) {
      x.sine[j][k] = random_between(&seed, -0.5, 0.5) / (k + 1);
      x.cosine[j][k] = random_between(&seed, -0.5, 0.5) / (k + 1);
    }
    at(&x, j, 0, now);
    /* MuJoCo's own 0.02 s make dry friction one that grows up to 0.05 rad/s. */
    m->dof_solref[(size_t)mjNREF * (size_t)j] = 2 * STEP;
    d->qpos[j] = now[0];
    d->qvel[j] = now[1];
    for (int u = 0; u < m->nu; u++)
      if (m->actuator_trnid[2 * (size_t)u] == j)
        effort[j] = m->actuator_forcerange[2 * (size_t)u + 1];
  }
  printf("t");
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < m->nv; j++) printf(",%s%d", quantities[i], j + 1);
  printf("\n");
  for (int i = 1; d->time < strtod(argv[3], NULL); i++) {
    mj_step1(m, d);
    lead(m, d, &x);
    mj_step2(m, d);
    if (i % EVERY == 0) print_line(m, d, effort);
  }
  mj_deleteData(d);
  mj_deleteModel(m);
  return 0;
}
