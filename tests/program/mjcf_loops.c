/* SPDX-License-Identifier: MIT */
/* mjcf_loops.c MODEL STATES SEED: what MuJoCo's equations of motion say of a model with equalities, at
 * random states that satisfy them, and at velocities that keep them satisfied. A number a line,
 * `NAME VALUE`; `state` ends each state:
 *   q.J, qd.J, tau.J, qacc.J of each joint; M.I.J, bias.J by the joints' numbers; gravity.x ..;
 *   row.R.kind (as mjtEq), row.R.J.I, row.R.Jdqd, row.R.R, row.R.aref by rows; eq.E.first, eq.E.R1.IJ, eq.E.R2.IJ,
 *   eq.E.sign: the first row of an equality, the rotations of its two bodies, the sign of a weld's quaternion.
 * Exit 1 and MuJoCo's word where it refuses the model. */
#include "runtime/random.h"

#include <math.h>
#include <mujoco/mujoco.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 60, NEWTON = 60 };

static unsigned long long seed;

static double draw(void) {
  return random_between(&seed, -1, 1);
}

/* x = J^T (J J^T + small)^-1 r, the least x with J x = r; the small term is for rows that depend on others. */
static void least(const mjModel *m, const mjData *d, const double *r, double *x) {
  static double A[MOST * MOST], y[MOST];
  const int n = d->ne;
  mju_mulMatMatT(A, d->efc_J, d->efc_J, n, m->nv, n);
  for (int i = 0; i < n; i++) A[i * n + i] += 1e-12;
  mju_cholFactor(A, n, 0);
  mju_cholSolve(y, A, r, n);
  mju_mulMatTVec(x, d->efc_J, y, n, m->nv);
}

/* Moves to a position that satisfies the equalities; the largest residual that is left. */
static double close_loops(const mjModel *m, mjData *d) {
  static double x[MOST];
  double largest = 1;
  for (int k = 0; k < NEWTON && largest > 1e-14; k++) {
    mj_forward(m, d);
    largest = 0;
    for (int i = 0; i < d->ne; i++)
      if (!(fabs(d->efc_pos[i]) <= largest)) largest = fabs(d->efc_pos[i]);
    if (!(largest < 10)) return INFINITY; /* far off, or not a number */
    least(m, d, d->efc_pos, x);
    for (int i = 0; i < m->nv; i++) x[i] = -x[i];
    mj_integratePos(m, d->qpos, x, 1);
  }
  mj_forward(m, d);
  return largest;
}

/* Three steps, since one leaves a millionth where rows depend on others. */
static void keep_closed(const mjModel *m, mjData *d) {
  static double r[MOST], x[MOST];
  for (int k = 0; k < 3; k++) {
    mju_mulMatVec(r, d->efc_J, d->qvel, d->ne, m->nv);
    least(m, d, r, x);
    for (int i = 0; i < m->nv; i++) d->qvel[i] -= x[i];
  }
}

/* d/dt (J) qd by differences of the fourth order along the motion: (8 (f(h) - f(-h)) - (f(2h) - f(-2h))) / 12 h. */
static void rate(const mjModel *m, mjData *d, double *out) {
  static double there[MOST], q[MOST];
  const double h = 1e-3, weight[5] = {1, -8, 0, 8, -1};
  mju_copy(q, d->qpos, m->nq);
  mju_zero(out, d->ne);
  for (int k = 0; k < 5; k++) {
    mju_copy(d->qpos, q, m->nq);
    mj_integratePos(m, d->qpos, d->qvel, (k - 2) * h);
    mj_forward(m, d);
    mju_mulMatVec(there, d->efc_J, d->qvel, d->ne, m->nv);
    mju_addToScl(out, there, weight[k] / (12 * h), d->ne);
  }
  mju_copy(d->qpos, q, m->nq);
  mj_forward(m, d);
}

static const char *name_of(const mjModel *m, int joint) {
  return mj_id2name(m, mjOBJ_JOINT, joint);
}

/* A weld's residual is the vector of a quaternion, which stands for the same rotation with either sign. */
static int sign_of(const mjModel *m, const mjData *d, int e) {
  double back[4], here[4], both[4];
  if (m->eq_type[e] != mjEQ_WELD) return 1;
  mju_negQuat(back, d->xquat + 4 * m->eq_obj2id[e]);
  mju_mulQuat(here, d->xquat + 4 * m->eq_obj1id[e], m->eq_data + mjNEQDATA * e + 6);
  mju_mulQuat(both, back, here);
  return both[0] < 0 ? -1 : 1;
}

static void print_rows(const mjModel *m, const mjData *d, const double *Jdqd) {
  for (int r = 0, last = -1; r < d->ne; r++) {
    const int e = d->efc_id[r];
    printf("row.%d.kind %d\nrow.%d.Jdqd %.17g\nrow.%d.R %.17g\nrow.%d.aref %.17g\n", r,
           m->eq_type[e], r, Jdqd[r], r, d->efc_R[r], r, d->efc_aref[r]);
    for (int i = 0; i < m->nv; i++) printf("row.%d.J.%d %.17g\n", r, i, d->efc_J[r * m->nv + i]);
    if (e == last) continue;
    last = e;
    printf("eq.%d.first %d\n", e, r);
    printf("eq.%d.sign %d\n", e, sign_of(m, d, e));
    for (int i = 0; i < 9 && m->eq_type[e] != mjEQ_JOINT; i++)
      printf("eq.%d.R1.%d%d %.17g\neq.%d.R2.%d%d %.17g\n", e, i / 3, i % 3,
             d->xmat[9 * m->eq_obj1id[e] + i], e, i / 3, i % 3, d->xmat[9 * m->eq_obj2id[e] + i]);
  }
}

static void print_state(const mjModel *m, const mjData *d, const double *Jdqd) {
  static double M[MOST * MOST];
  mj_fullM(m, M, d->qM);
  for (int j = 0; j < m->njnt; j++) {
    const char *name = name_of(m, j);
    printf("q.%s %.17g\nqd.%s %.17g\ntau.%s %.17g\nqacc.%s %.17g\nbias.%d %.17g\n", name,
           d->qpos[j], name, d->qvel[j], name, d->qfrc_applied[j], name, d->qacc[j], j,
           d->qfrc_bias[j]);
    for (int i = 0; i < m->nv; i++) printf("M.%d.%d %.17g\n", j, i, M[j * m->nv + i]);
  }
  for (int i = 0; i < 3; i++) printf("gravity.%c %.17g\n", "xyz"[i], m -> opt.gravity[i]);
  print_rows(m, d, Jdqd);
  printf("state 0\n");
}

int main(int argc, char **argv) {
  static double Jdqd[MOST];
  char error[1000] = "";
  mjModel *m = argc == 4 ? mj_loadXML(argv[1], NULL, error, sizeof error) : NULL;
  if (!m || m->nv > MOST || m->nv != m->njnt) {
    printf("refused: %s\n", error);
    return 1;
  }
  m->opt.disableflags |= mjDSBL_PASSIVE | mjDSBL_CONTACT | mjDSBL_LIMIT | mjDSBL_FRICTIONLOSS |
                         mjDSBL_ACTUATION | mjDSBL_WARMSTART;
  m->opt.jacobian = mjJAC_DENSE;
  m->opt.solver = mjSOL_NEWTON;
  m->opt.tolerance = 0;
  mjData *d = mj_makeData(m);
  seed = (unsigned)atoi(argv[3]);
  for (int k = atoi(argv[2]), tries = 0; k > 0; tries++) {
    mju_copy(d->qpos, m->qpos0, m->nq);
    mju_zero(d->qvel, m->nv);
    /* from the posture of the file, far enough to be another; there at last */
    for (int i = 0; i < m->nq && tries < 20; i++) d->qpos[i] += 0.5 * draw();
    for (int i = 0; i < 3; i++) m->opt.gravity[i] = 10 * draw();
    if (close_loops(m, d) > 1e-11) {
      if (tries > 30) return 2;
      continue;
    }
    for (int i = 0; i < m->nv; i++) d->qvel[i] = draw(), d->qfrc_applied[i] = 5 * draw();
    keep_closed(m, d);
    rate(m, d, Jdqd);
    print_state(m, d, Jdqd);
    k--;
  }
  mj_deleteData(d);
  mj_deleteModel(m);
  return 0;
}
