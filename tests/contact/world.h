/* SPDX-License-Identifier: MIT */
/* world.h: an arm in MuJoCo that torques move, its joints in the order of the header `arm` (contact/CMakeLists.txt). */
#ifndef CONTACT_WORLD_H
#define CONTACT_WORLD_H

#include "arm.h"

#include <mujoco/mujoco.h>

#include <stdio.h>
#include <stdlib.h>

enum { N = ARM_NJ };

typedef struct world {
  mjModel *model;
  mjData *data;
} world;

static const double period = 1e-3; /* [s] */

/* Without MuJoCo's own contacts and limits. Ends the program where the model cannot be read. */
static inline world open_world(const char *path) {
  char error[500] = "";
  world w = {mj_loadXML(path, NULL, error, sizeof error), NULL};
  if (!w.model) {
    fprintf(stderr, "%s: %s\n", path, error);
    exit(2);
  }
  w.model->opt.disableflags |= mjDSBL_CONTACT | mjDSBL_LIMIT;
  w.data = mj_makeData(w.model);
  return w;
}

static inline void close_world(world *w) {
  mj_deleteData(w->data);
  mj_deleteModel(w->model);
}

/* A body's mass and inertia, but no rotor's, are so many times what they were. */
static inline void scale_mass(world *w, int body, double factor) {
  w->model->body_mass[body] *= factor;
  for (int i = 0; i < 3; i++) w->model->body_inertia[3 * body + i] *= factor;
}

/* A period of these torques, and of those of whatever touches the arm, if anything does. Velocities and all that depends
 * on positions are known before, by mj_forward or the last call, and known anew behind it. */
static inline void act(world *w, const double tau[N], const double pushed[N]) {
  for (int j = 0; j < N; j++) w->data->qfrc_applied[j] = tau[j] + (pushed ? pushed[j] : 0);
  mj_step2(w->model, w->data);
  mj_step1(w->model, w->data);
}

/* J^T f: joint torques of a force at a point of a body, world axes. */
static inline void push_of(const world *w, int body, const double point[3], const double f[3],
                           double tau[N]) {
  double J[3 * N];
  mj_jac(w->model, w->data, J, NULL, point, body);
  for (int j = 0; j < N; j++) tau[j] = J[j] * f[0] + J[N + j] * f[1] + J[2 * N + j] * f[2];
}

#endif
