/* SPDX-License-Identifier: MIT */
/* model_test.c: the worlds of the platforms are their URDFs: the inertia matrix of the world's robot, free
 * in space and in any position of its joints, is the one that achdgen computes from the URDF. So are masses,
 * centres, inertias, places and axes. */
#include <math.h>

#define WHOLE_ROBILE_IMPLEMENTATION
#define WHOLE_PLATFORM_IMPLEMENTATION
#include "whole_platform.h"
#include "whole_robile.h"

#include <mujoco/mujoco.h>

#include "../runtime/random.h"
#include "test.h"

enum { MOST = 24 };

static const char *const robile_joints[] = {
    "left_pivot",         "left_left",        "left_right",        "right_pivot",
    "right_left",         "right_right",      "left_castor_pivot", "left_castor_axle",
    "right_castor_pivot", "right_castor_axle"};
static const char *const platform_joints[] = {
    "front_left_pivot", "front_left_left",   "front_left_right", "rear_left_pivot",
    "rear_left_left",   "rear_left_right",   "rear_right_pivot", "rear_right_left",
    "rear_right_right", "front_right_pivot", "front_right_left", "front_right_right"};

static double robile_M[WHOLE_ROBILE_NV * (WHOLE_ROBILE_NV + 1) / 2];
static const double *of_robile(const double *q) {
  whole_robile_crba_in in = WHOLE_ROBILE_CRBA_IN_DEFAULT;
  whole_robile_crba_out out;
  memcpy(in.q, q, sizeof in.q);
  CHECK(whole_robile_crba(&in, &out) == WHOLE_ROBILE_OK);
  memcpy(robile_M, out.M, sizeof robile_M);
  return robile_M;
}

static double platform_M[WHOLE_PLATFORM_NV * (WHOLE_PLATFORM_NV + 1) / 2];
static const double *of_platform(const double *q) {
  whole_platform_crba_in in = WHOLE_PLATFORM_CRBA_IN_DEFAULT;
  whole_platform_crba_out out;
  memcpy(in.q, q, sizeof in.q);
  CHECK(whole_platform_crba(&in, &out) == WHOLE_PLATFORM_OK);
  memcpy(platform_M, out.M, sizeof platform_M);
  return platform_M;
}

static void same(const char *world, const char *const *joints, int n,
                 const double *(*matrix)(const double *q)) {
  char why[1000] = "";
  static mjtNum full[MOST * MOST];
  unsigned long long seed = 1;
  double worst = 0, q[MOST];
  int dof[MOST];
  mjModel *m = mj_loadXML(world, NULL, why, sizeof why);
  CHECK_TEXT(why, "");
  if (!m) return;
  mjData *d = mj_makeData(m);
  CHECK(m->nv == n + 6 && m->nv <= MOST);
  for (int k = 0; k < 6; k++) dof[k] = k;
  for (int round = 0; round < 50; round++) {
    for (int j = 0; j < n; j++) {
      const int id = mj_name2id(m, mjOBJ_JOINT, joints[j]);
      CHECK(id >= 0);
      if (id < 0) return;
      q[j] = 6 * random_number(&seed) - 3;
      d->qpos[m->jnt_qposadr[id]] = q[j];
      dof[6 + j] = m->jnt_dofadr[id];
    }
    mj_forward(m, d);
    mj_fullM(m, full, d->qM);
    const double *M = matrix(q);
    for (int i = 0; i < n + 6; i++)
      for (int k = 0; k <= i; k++)
        worst = fmax(worst, fabs(full[dof[i] * m->nv + dof[k]] - M[i * (i + 1) / 2 + k]));
  }
  printf("%s: largest difference %.1e\n", world, worst);
  CHECK(worst < 1e-10);
  mj_deleteData(d);
  mj_deleteModel(m);
}

static void worlds_are_their_robots(void) {
  same(ACHD_SOURCE_DIR "/robif2b/worlds/robile.xml", robile_joints, WHOLE_ROBILE_NJ, of_robile);
  same(ACHD_SOURCE_DIR "/robif2b/worlds/platform.xml", platform_joints, WHOLE_PLATFORM_NJ,
       of_platform);
}

int main(void) {
  RUN(worlds_are_their_robots);
  return test_end();
}
