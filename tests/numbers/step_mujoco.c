/* SPDX-License-Identifier: MIT */
/* step_mujoco.c MODEL.xml [planted]: a quadruped that stands, is dropped and slides, by step_begin, achd_contact_solve and step_end, and by
 * MuJoCo, in steps of 0.1 ms, with the same spheres as feet. MuJoCo's solref and solimp become R and the velocities that contacts are to
 * have (its documentation, Computation, Constraint model). At equal steps of 2 ms: how deep feet are in the floor. Prints what does not hold. planted: an impulse on a
 * foot does a tenth too little, and one run is enough. */
#include <achd/contact.h>
#include <math.h>
#include <mujoco/mujoco.h>
#include <stdio.h>
#include <string.h>

#define QUADRUPED_IMPLEMENTATION
#include "quadruped_step_begin.h"

enum { CONTACTS = 4, ROWS = 3 * CONTACTS, JOINTS = QUADRUPED_NJ };
static const double posture[3] = {0, 0.8, -1.6}; /* hip, thigh and calf of each leg [rad] */
static const double impedance = 0.95;
static const double time_constant = 0.02, damping_ratio = 1;
static const char *const feet[CONTACTS] = {"fl_foot", "fr_foot", "rl_foot", "rr_foot"};
static int failed;

static void check(const char *run, const char *what, double value, double bound) {
  if (fabs(value) <= bound) return;
  failed++;
  printf("FAILED: %s: %s: %g, at most %g\n", run, what, value, bound);
}

static double torque(int j, double q, double qd) {
  return 150 * (posture[j % 3] - q) - 3 * qd;
}

static quadruped_step_in in;
static double lambda[ROWS], deepest;
static double planted = 1; /* what an impulse on the first foot does is multiplied by it */

/* R of contact k as MuJoCo has it: (1 - d) / d of the inverse mass of the foot; the floor's is 0. */
static double regularisation(const mjModel *m, int k) {
  const int body = mj_name2id(m, mjOBJ_BODY, feet[k]);
  return (1 - impedance) / impedance * m->body_invweight0[2 * body];
}

/* soft: with MuJoCo's R and velocities, else rigid. */
static bool ours(const mjModel *m, bool soft) {
  static double work[ACHD_CONTACT_WORK(ROWS)];
  static quadruped_step_begin_out begin, now;
  quadruped_step_out out;
  achd_contact_report report;
  double R[ROWS] = {0}, gap[ROWS];
  const double h = in.time_step, d = impedance, r2 = damping_ratio * damping_ratio;
  const double B = 2 / (d * time_constant), K = 1 / (d * d * time_constant * time_constant * r2);
  for (int j = 0; j < JOINTS; j++) in.tau[j] = torque(j, in.q[j], in.qd[j]);
  if (quadruped_step_begin(&in, &begin)) return false;
  for (int c = 0; c < 6 + JOINTS; c++) begin.v_lambda[c] *= planted;
  in.time_step = 1e-12; /* b is then the velocity of the rows at the beginning of the step */
  if (quadruped_step_begin(&in, &now)) return false;
  in.time_step = h;
  memcpy(gap, begin.gap, sizeof gap);
  for (int j = 0; j < ROWS; j += 3) {
    const double away = h * begin.gap[j];
    deepest = fmin(deepest, away);
    for (int i = 0; soft && i < 3; i++) {
      R[j + i] = regularisation(m, j / 3);
      gap[j + i] = (h * B - 1) * now.b[j + i] + (i == 0 ? h * K * d * away : 0);
    }
    if (soft && away >= 0) gap[j] = 1e3; /* MuJoCo has no contact before they touch */
    if (soft && away >= 0) gap[j + 1] = gap[j + 2] = 0;
  }
  const achd_contact_problem problem = {
      .contacts = CONTACTS, .A = begin.A, .b = begin.b, .gap = gap, .mu = begin.mu, .R = R};
  if (achd_contact_solve(&problem, lambda, 0, work, &report) != ACHD_CONTACT_SOLVED ||
      quadruped_step_end(&in, &begin, lambda, &out))
    return false;
  for (int j = 0; j < JOINTS; j++) in.q[j] = out.q_next[j], in.qd[j] = out.qd_next[j];
  for (int i = 0; i < 3; i++) in.base.position[i] = out.base_next.position[i];
  in.base.quat = out.base_next.quat, in.base.twist = out.base_next.twist;
  return true;
}

/* One step; force: along the normal of each foot, and the deepest distance. */
static double theirs(const mjModel *m, mjData *d, double force[CONTACTS]) {
  double least = 0;
  for (int j = 0; j < JOINTS; j++)
    d->qfrc_applied[6 + j] = torque(j, d->qpos[7 + j], d->qvel[6 + j]);
  mj_step(m, d);
  memset(force, 0, CONTACTS * sizeof *force);
  for (int c = 0; c < d->ncon; c++) {
    double f[6];
    const mjContact *at = &d->contact[c];
    const int body = m->geom_bodyid[at->geom1] + m->geom_bodyid[at->geom2]; /* the floor's is 0 */
    mj_contactForce(m, d, c, f);
    for (int k = 0; k < CONTACTS; k++)
      if (body == mj_name2id(m, mjOBJ_BODY, feet[k])) force[k] += f[0];
    least = fmin(least, at->dist);
  }
  return least;
}

static void start(mjModel *m, mjData *d, double h, double height, double speed, double friction) {
  in = (quadruped_step_in)QUADRUPED_STEP_IN_DEFAULT;
  mj_resetData(m, d);
  memset(lambda, 0, sizeof lambda);
  deepest = 0;
  m->opt.timestep = in.time_step = h;
  d->qpos[2] = in.base.position[2] = height;
  d->qpos[3] = 1;
  d->qvel[0] = in.base.twist.lin[0] = speed;
  for (int j = 0; j < JOINTS; j++) d->qpos[7 + j] = in.q[j] = posture[j % 3];
  in.contact.fl.friction = in.contact.fr.friction = friction;
  in.contact.rl.friction = in.contact.rr.friction = friction;
  for (int g = 0; g < m->ngeom; g++) m->geom_friction[3 * g] = friction;
}

/* A second in steps of 0.1 ms by both, from the same state. */
static void compare(mjModel *m, mjData *d, const char *run, double height, double speed,
                    double friction) {
  double away = 0, turned = 0, apart = 0, force[CONTACTS], weight = 0;
  start(m, d, 1e-4, height, speed, friction);
  for (int k = 0; k < 10000; k++) {
    const bool solved = ours(m, true);
    check(run, "a step", !solved, 0);
    if (!solved) return;
    theirs(m, d, force);
    for (int i = 0; i < 3; i++) away = fmax(away, fabs(d->qpos[i] - in.base.position[i]));
    for (int j = 0; j < JOINTS; j++) turned = fmax(turned, fabs(d->qpos[7 + j] - in.q[j]));
  }
  double load = 0, theirs_load = 0;
  for (int i = 0; i < m->nbody; i++) weight += 9.81 * m->body_mass[i];
  for (int k = 0; k < CONTACTS; k++) {
    const double own = lambda[3 * k] / in.time_step;
    apart = fmax(apart, fabs(own - force[k]) / (0.25 * weight));
    load += own, theirs_load += force[k];
  }
  printf("%s: positions apart by %.2g m and %.2g rad at most, forces on feet by %.2g of a quarter "
         "of the weight; x %.4f and %.4f m, the floor "
         "bears %.2f and %.2f of %.2f N\n",
         run, away, turned, apart, in.base.position[0], d->qpos[0], load, theirs_load, weight);
  check(run, "positions of the trunk in a second [m]", away, 1e-3);
  check(run, "forces on feet", apart, 0.01);
  check(run, "the robot moves or stands as it is to", !(load > 0.9 * weight), 0);
  if (speed > 0) check(run, "it slid by at least 1 cm", !(in.base.position[0] > 0.01), 0);
}

/* Rigid contacts in steps of 2 ms beside MuJoCo's defaults. */
static void penetration(mjModel *m, mjData *d) {
  double least = 0, force[CONTACTS];
  start(m, d, 2e-3, 0.3626, 0, 0.7);
  for (int k = 0; k < 500; k++) {
    const bool solved = ours(m, false);
    check("dropped", "a step of 2 ms", !solved, 0);
    if (!solved) return;
    least = fmin(least, theirs(m, d, force));
  }
  printf("dropped, steps of 2 ms: feet at most %.2g m deep, by MuJoCo %.2g m\n", -deepest, -least);
  check("dropped", "deeper than in MuJoCo", deepest < least, 0);
  check("dropped", "feet in MuJoCo touch the floor", !(least < 0), 0);
}

int main(int argc, char **argv) {
  char error[500] = "";
  mjModel *m = argc > 1 ? mj_loadXML(argv[1], NULL, error, sizeof error) : NULL;
  if (!m || m->nq != 7 + JOINTS) {
    printf("no model: %s\n", error);
    return 2;
  }
  mj_defaultOption(&m->opt);
  m->opt.cone = mjCONE_ELLIPTIC;
  m->opt.tolerance = 1e-12;
  m->opt.disableflags |= mjDSBL_LIMIT;
  for (int g = 0; g < m->ngeom; g++) {
    m->geom_condim[g] = 3;
    m->geom_solref[mjNREF * g] = time_constant, m->geom_solref[mjNREF * g + 1] = damping_ratio;
    m->geom_solimp[mjNIMP * g] = m->geom_solimp[mjNIMP * g + 1] = impedance;
  }
  mjData *d = mj_makeData(m);
  planted = argc > 2 ? 0.9 : 1;
  compare(m, d, "standing", 0.3071, 0, 0.7);
  if (argc > 2) return failed != 0;
  compare(m, d, "dropped", 0.3626, 0, 0.7);
  compare(m, d, "sliding", 0.3071, 0.5, 0.3);
  penetration(m, d);
  mj_deleteData(d);
  mj_deleteModel(m);
  return failed != 0;
}
