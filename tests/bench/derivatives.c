/* SPDX-License-Identifier: MIT */
/* derivatives.c: how long forward dynamics takes with its derivatives by q, qd and tau: our function, a batch of 8 of them, central
 * differences of our own forward dynamics, and MuJoCo's finite differences (mjd_transitionFD). On one core, over 64 states;
 * the shortest of the repetitions. Built and run by derivatives.sh. Argument: the model in MJCF. */
#define _POSIX_C_SOURCE 200809L
#define ARM_IMPLEMENTATION
#include "arm.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#ifdef WITH_MUJOCO
#include <mujoco/mujoco.h>
#endif

enum { STATES = 64, ROUNDS = 60, INPUTS = 3 * ARM_NJ };

static arm_dfd_in states[STATES];
static arm_dfd_batch_in batches[STATES / ARM_K];
static volatile double sink;

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double uniform(void) {
  return 2.0 * rand() / RAND_MAX - 1;
}

static void derivative(void) {
  arm_dfd_out out;
  int k;
  for (k = 0; k < STATES; k++) {
    arm_dfd(&states[k], &out);
    sink += out.dqdd_dq[1][1];
  }
}

static void batch(void) {
  static arm_dfd_batch_out out;
  arm_status status[ARM_K];
  int k;
  for (k = 0; k < STATES / ARM_K; k++) {
    arm_dfd_batch(&batches[k], &out, status);
    sink += out.dqdd_dq[1][1][0];
  }
}

static void forward(void) {
  arm_fd_in in = ARM_FD_IN_DEFAULT;
  arm_fd_out out;
  int k, i;
  for (k = 0; k < STATES; k++) {
    for (i = 0; i < ARM_NJ; i++) {
      in.q[i] = states[k].q[i];
      in.qd[i] = states[k].qd[i];
      in.tau[i] = states[k].tau[i];
    }
    arm_fd(&in, &out);
    sink += out.qdd[1];
  }
}

static void differences(void) {
  double *inputs[3], jacobian[ARM_NJ][INPUTS];
  arm_fd_in in = ARM_FD_IN_DEFAULT;
  arm_fd_out out[2];
  int k, i, j, side;
  inputs[0] = in.q;
  inputs[1] = in.qd;
  inputs[2] = in.tau;
  for (k = 0; k < STATES; k++) {
    for (i = 0; i < ARM_NJ; i++) {
      in.q[i] = states[k].q[i];
      in.qd[i] = states[k].qd[i];
      in.tau[i] = states[k].tau[i];
    }
    for (j = 0; j < INPUTS; j++) {
      double *x = &inputs[j / ARM_NJ][j % ARM_NJ];
      const double kept = *x;
      for (side = 0; side < 2; side++) {
        *x = kept + (side ? -1e-6 : 1e-6);
        arm_fd(&in, &out[side]);
      }
      *x = kept;
      for (i = 0; i < ARM_NJ; i++) jacobian[i][j] = (out[0].qdd[i] - out[1].qdd[i]) / 2e-6;
    }
    sink += jacobian[1][1];
  }
}

static double measure(const char *what, void (*run)(void)) {
  double best = 1e9;
  int round;
  for (round = 0; round < ROUNDS; round++) {
    const double began = now();
    run();
    const double took = (now() - began) / STATES;
    if (took < best) best = took;
  }
  printf("%-58s %8.0f ns\n", what, best * 1e9);
  return best;
}

#ifdef WITH_MUJOCO
static mjModel *model;
static mjData *data;
static void mujoco(void) {
  static mjtNum A[64 * 64];
  int k, i;
  for (k = 0; k < STATES; k++) {
    for (i = 0; i < ARM_NJ; i++) {
      data->qpos[i] = states[k].q[i];
      data->qvel[i] = states[k].qd[i];
    }
    mjd_transitionFD(model, data, 1e-6, 1, A, NULL, NULL, NULL);
    sink += A[0];
  }
}
#endif

int main(int argc, char **argv) {
  double ours, own, eight;
  int k, i;
  for (k = 0; k < STATES; k++) {
    const arm_dfd_in rest = ARM_DFD_IN_DEFAULT;
    states[k] = rest;
    for (i = 0; i < ARM_NJ; i++) {
      batches[k / ARM_K].q[i][k % ARM_K] = states[k].q[i] = 3 * uniform();
      batches[k / ARM_K].qd[i][k % ARM_K] = states[k].qd[i] = 2 * uniform();
      batches[k / ARM_K].tau[i][k % ARM_K] = states[k].tau[i] = 10 * uniform();
    }
    batches[k / ARM_K].gravity[2][k % ARM_K] = -9.81;
  }
  measure("forward dynamics (fd)", forward);
  ours = measure("with derivatives by q, qd, tau (dfd)", derivative);
  eight = measure("the same in batches of 8, per state", batch);
  own = measure("central differences of fd", differences);
  printf("%-58s %8.2f million a second\n", "gradients in batches of 8", 1e-6 / eight);
  printf("%-58s %8.1f\n", "times as fast as central differences", own / ours);
#ifdef WITH_MUJOCO
  if (argc > 1) {
    char message[500] = "";
    model = mj_loadXML(argv[1], NULL, message, sizeof message);
    if (!model) {
      printf("MuJoCo: %s\n", message);
      return 1;
    }
    data = mj_makeData(model);
    measure("MuJoCo: mjd_transitionFD, centred, by q and qd", mujoco);
  }
#else
  (void)argc;
  (void)argv;
#endif
  return 0;
}
