/* SPDX-License-Identifier: MIT */
/* step_humanoid.c MODEL.xml [default]: a humanoid that stands on the eight corners of its feet, held by springs and
 * dampers, by step_begin, achd_contact_solve and step_end, and by MuJoCo with the same eight contacts, in turn:
 * microseconds of a step, the least of several rounds. default: with MuJoCo's default options in place of those of the
 * model. See step.sh. */
#include "step.h"

#include <achd/contact.h>

#define HUMANOID_IMPLEMENTATION
#include "humanoid_step_begin.h"

enum { CONTACTS = 8, ROWS = 3 * CONTACTS, STEPS = 400, ROUNDS = 12, JOINTS = HUMANOID_NJ };
enum { HIP = 2, KNEE = 3, ANKLE = 4, LEG = 6 }; /* pitch joints, and joints of a leg */
static const double damping = 20;               /* that of step_humanoid.lua [N m s/rad] */
static const double period = 1e-3;
static double posture[JOINTS];

static double torque(int j, double q) {
  return (j < 2 * LEG + 3 ? 2000 : 100) * (posture[j] - q); /* legs and waist, the rest */
}

static humanoid_step_in in = HUMANOID_STEP_IN_DEFAULT;
static double lambda[ROWS];
static int iterations;

/* Returns false where a step has no result. */
static bool ours(void) {
  static double work[ACHD_CONTACT_WORK(ROWS)];
  static humanoid_step_begin_out begin;
  static humanoid_step_out out;
  achd_contact_report report;
  for (int j = 0; j < JOINTS; j++) in.tau[j] = torque(j, in.q[j]);
  if (humanoid_step_begin(&in, &begin)) return false;
  const achd_contact_problem problem = {
      .contacts = CONTACTS, .A = begin.A, .b = begin.b, .gap = begin.gap, .mu = begin.mu};
  if (achd_contact_solve(&problem, lambda, 0, work, &report) != ACHD_CONTACT_SOLVED ||
      humanoid_step_end(&in, &begin, lambda, &out))
    return false;
  iterations += report.iterations;
  memcpy(in.q, out.q_next, sizeof in.q);
  memcpy(in.qd, out.qd_next, sizeof in.qd);
  memcpy(in.base.position, out.base_next.position, sizeof in.base.position);
  in.base.quat = out.base_next.quat, in.base.twist = out.base_next.twist;
  return true;
}

static void theirs(const mjModel *m, mjData *d) {
  for (int j = 0; j < JOINTS; j++) d->qfrc_applied[6 + j] = torque(j, d->qpos[7 + j]);
  mj_step(m, d);
}

static void start(mjModel *m, mjData *d) {
  for (int leg = 0; leg < 2; leg++) {
    posture[LEG * leg + HIP] = posture[LEG * leg + ANKLE] = -0.3;
    posture[LEG * leg + KNEE] = 0.6;
  }
  in.contact.left_1.friction = in.contact.left_2.friction = in.contact.left_3.friction =
      in.contact.left_4.friction = in.contact.right_1.friction = in.contact.right_2.friction =
          in.contact.right_3.friction = in.contact.right_4.friction = 0.7;
  for (int g = 0; g < m->ngeom; g++) m->geom_friction[3 * g] = 0.7;
  m->opt.timestep = in.time_step = period;
  m->opt.disableflags |= mjDSBL_LIMIT; /* none is reached */
  d->qpos[2] = in.base.position[2] = 0.16 + 2 * 0.35 * cos(0.3);
  d->qpos[3] = 1;
  for (int j = 0; j < JOINTS; j++) {
    m->dof_damping[6 + j] = damping;
    d->qpos[7 + j] = in.q[j] = posture[j];
  }
}

int main(int argc, char **argv) {
  mjModel *m = model_of(argc > 1 ? argv[1] : NULL, 7 + JOINTS, argc > 2);
  mjData *d = mj_makeData(m);
  start(m, d);
  double least[2] = {INFINITY, INFINITY}, load = 0;
  for (int round = 0; round < ROUNDS; round++) {
    iterations = 0;
    const double began = now();
    for (int k = 0; k < STEPS; k++) {
      if (!ours()) return 1;
    }
    const double middle = now();
    for (int k = 0; k < STEPS; k++) theirs(m, d);
    const double both[2] = {middle - began, now() - middle};
    for (int i = 0; i < 2 && round > 1; i++) /* first it comes to rest */
      least[i] = fmin(least[i], both[i]);
  }
  for (int i = 0; i < CONTACTS; i++) load += lambda[3 * i] / period;
  printf(
      "humanoid stands: achdgen %s, %.2f factorisations, MuJoCo %s %s (%d contacts): %.1f times; "
      "%.4f and %.4f m high, the floor bears %.2f N\n",
      speed(least[0] / STEPS), (double)iterations / STEPS, mj_versionString(),
      speed(least[1] / STEPS), d->ncon, least[1] / least[0], in.base.position[2], d->qpos[2], load);
  mj_deleteData(d);
  mj_deleteModel(m);
  return 0;
}
