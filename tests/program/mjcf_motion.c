/* SPDX-License-Identifier: MIT */
/* mjcf_motion.c MODEL STATES SEED [all]: what MuJoCo's equations of motion say of a model at random
 * states, one number a line, `NAME VALUE`, as achdgen names its columns for `id`: inputs q, qd, qdd, gravity
 * and those of a floating base, and tau and base.wrench, which they need; `state` ends each. With `all` also
 * M.A.B for all pairs of freedoms, as columns of `crba`; bias.* for the outputs of `bias`, without
 * gravity; fd.tau.* and fd.qdd.*, fd.base.acc.*, what these torques cause where nothing acts on a floating base. Exit 1
 * and MuJoCo's word where it refuses the model. */
#include "runtime/random.h"

#include <mujoco/mujoco.h>
#include <stdio.h>
#include <stdlib.h>

static unsigned long long seed;

static double draw(void) {
  return random_between(&seed, -1, 1);
}

static const char *name_of(const mjModel *m, int joint) {
  static char unnamed[32];
  const char *name = mj_id2name(m, mjOBJ_JOINT, joint);
  if (name) return name;
  (void)snprintf(unnamed, sizeof unnamed, "joint_%d", joint);
  return unnamed;
}

static void print3(const char *name, const char *const ends[3], const double *v) {
  for (int i = 0; i < 3; i++) printf("%s%s %.17g\n", name, ends[i], v[i]);
}

/* Angular parts: MuJoCo has them along the body's axes, achdgen along the world's. */
static void print_twist(const char *name, const double *v, const double *quat) {
  static const char *const lin[3] = {"lin_x", "lin_y", "lin_z"}, *const ang[3] = {"ang_x", "ang_y",
                                                                                  "ang_z"};
  double turned[3];
  mju_rotVecQuat(turned, v + 3, quat);
  print3(name, lin, v);
  print3(name, ang, turned);
}

/* A vector over the freedoms: that of a free joint as MOVING says, those of others as STILL.NAME. */
static void print_freedoms(const mjModel *m, const mjData *d, const char *still, const char *moving,
                           const double *v) {
  for (int j = 0; j < m->njnt; j++)
    if (m->jnt_type[j] == mjJNT_FREE)
      print_twist(moving, v + m->jnt_dofadr[j], d->qpos + m->jnt_qposadr[j] + 3);
    else
      printf("%s.%s %.17g\n", still, name_of(m, j), v[m->jnt_dofadr[j]]);
}

/* M T^T column by column, where T turns the angular velocity of a base into the world's axes: what a unit force causes there. */
static void print_inertia(const mjModel *m, mjData *d, double *unit, double *column) {
  static const char *const base[6] = {"base.lin_x", "base.lin_y", "base.lin_z",
                                      "base.ang_x", "base.ang_y", "base.ang_z"};
  char moving[96], still[96];
  for (int j = 0; j < m->njnt; j++) {
    const int v = m->jnt_dofadr[j], free = m->jnt_type[j] == mjJNT_FREE;
    for (int i = 0; i < (free ? 6 : 1); i++) {
      mju_zero(unit, m->nv);
      unit[v + i] = 1;
      if (free && i >= 3) {
        double world[3] = {i == 3, i == 4, i == 5}, back[4];
        mju_negQuat(back, d->qpos + m->jnt_qposadr[j] + 3);
        mju_rotVecQuat(unit + v + 3, world, back);
      }
      mj_mulM(m, d, column, unit);
      (void)snprintf(still, sizeof still, "M.%s", free ? base[i] : name_of(m, j));
      (void)snprintf(moving, sizeof moving, "%s.base.", still);
      print_freedoms(m, d, still, moving, column);
    }
  }
}

/* Behind mj_fwdPosition; qacc and torque are lost. */
static void print_all(mjModel *m, mjData *d, double *qacc, double *torque) {
  double gravity[3];
  print_inertia(m, d, qacc, torque);
  for (int i = 0; i < m->nv; i++) torque[i] = 5 * draw();
  for (int j = 0; j < m->njnt; j++)
    if (m->jnt_type[j] == mjJNT_FREE) mju_zero(torque + m->jnt_dofadr[j], 6);
  print_freedoms(m, d, "fd.tau", "fd.base.wrench.", torque);
  for (int i = 0; i < m->nv; i++) torque[i] -= d->qfrc_bias[i];
  mj_solveM(m, d, qacc, torque, 1);
  print_freedoms(m, d, "fd.qdd", "fd.base.acc.", qacc);
  mju_copy3(gravity, m->opt.gravity);
  mju_zero3(m->opt.gravity);
  mj_fwdVelocity(m, d);
  print_freedoms(m, d, "bias.tau", "bias.base.wrench.", d->qfrc_bias);
  mju_copy3(m->opt.gravity, gravity);
}

static void print_state(const mjModel *m, mjData *d, double *qacc, double *torque) {
  static const char *const xyz[3] = {".x", ".y", ".z"};
  for (int j = 0; j < m->njnt; j++) {
    const int q = m->jnt_qposadr[j], v = m->jnt_dofadr[j];
    if (m->jnt_type[j] == mjJNT_FREE) {
      const double *quat = d->qpos + q + 3;
      printf("base.quat.w %.17g\n", quat[0]);
      print3("base.quat", xyz, quat + 1);
      print_twist("base.twist.", d->qvel + v, quat);
      print_twist("base.acc.", qacc + v, quat);
      print_twist("base.wrench.", torque + v, quat);
    } else {
      const char *name = name_of(m, j);
      printf("q.%s %.17g\nqd.%s %.17g\nqdd.%s %.17g\ntau.%s %.17g\n", name, d->qpos[q], name,
             d->qvel[v], name, qacc[v], name, torque[v]);
    }
  }
  print3("gravity", xyz, m->opt.gravity);
}

/* A singular M is no matter for inverse dynamics. */
static void say_nothing(const char *message) {
  (void)message;
}

int main(int argc, char **argv) {
  mju_user_warning = say_nothing;
  char error[1000] = "";
  mjModel *m = argc == 4 || argc == 5 ? mj_loadXML(argv[1], NULL, error, sizeof error) : NULL;
  if (!m) {
    printf("refused: %s\n", error);
    return 1;
  }
  m->opt.disableflags |= mjDSBL_CONSTRAINT;
  mjData *d = mj_makeData(m);
  double *qacc = malloc((size_t)(m->nv + 1) * sizeof *qacc);
  double *torque = malloc((size_t)(m->nv + 1) * sizeof *torque);
  if (!qacc || !torque) return 2;
  seed = (unsigned)atoi(argv[3]);
  for (int k = atoi(argv[2]); k > 0; k--) {
    for (int i = 0; i < m->nq; i++) d->qpos[i] = 3 * draw();
    for (int j = 0; j < m->njnt; j++)
      if (m->jnt_type[j] == mjJNT_FREE) mju_normalize4(d->qpos + m->jnt_qposadr[j] + 3);
    for (int i = 0; i < m->nv; i++) d->qvel[i] = draw(), qacc[i] = 5 * draw();
    for (int i = 0; i < 3; i++) m->opt.gravity[i] = 10 * draw();
    mj_fwdPosition(m, d); /* qM */
    mj_fwdVelocity(m, d); /* qfrc_bias */
    mj_mulM(m, d, torque, qacc);
    for (int i = 0; i < m->nv; i++) torque[i] += d->qfrc_bias[i];
    print_state(m, d, qacc, torque);
    if (argc == 5) print_all(m, d, qacc, torque);
    printf("state 0\n");
  }
  free(qacc);
  free(torque);
  mj_deleteData(d);
  mj_deleteModel(m);
  return 0;
}
