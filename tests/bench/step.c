/* SPDX-License-Identifier: MIT */
/* step.c MODEL.xml [default] [slides]: a quadruped that stands on four feet, or slides on them down a slope, by
 * step_begin, achd_contact_solve and step_end, and by MuJoCo, in turn: microseconds of a step, the least of several
 * rounds, and how high both stand. default: with MuJoCo's default options in place of those of the model. See step.sh. */
#include "step.h"

#include <achd/contact.h>

#define QUADRUPED_IMPLEMENTATION
#include "quadruped_step_begin.h"

enum { CONTACTS = 4, ROWS = 3 * CONTACTS, STEPS = 2000, ROUNDS = 15, JOINTS = QUADRUPED_NJ };
static const double posture[3] = {0, 0.8, -1.6}; /* hip, thigh and calf of each leg [rad] */
static const double period = 2e-3;

static double torque(int j, double q, double qd) {
  return 150 * (posture[j % 3] - q) - 3 * qd;
}

static quadruped_step_in in = QUADRUPED_STEP_IN_DEFAULT;
static double lambda[ROWS];

/* Returns false where a step has no result. */
static bool ours(void) {
  static double work[ACHD_CONTACT_WORK(ROWS)];
  quadruped_step_begin_out begin;
  quadruped_step_out out;
  achd_contact_report report;
  for (int j = 0; j < JOINTS; j++) in.tau[j] = torque(j, in.q[j], in.qd[j]);
  if (quadruped_step_begin(&in, &begin)) return false;
  const achd_contact_problem problem = {
      .contacts = CONTACTS, .A = begin.A, .b = begin.b, .gap = begin.gap, .mu = begin.mu};
  if (achd_contact_solve(&problem, lambda, 0, work, &report) != ACHD_CONTACT_SOLVED ||
      quadruped_step_end(&in, &begin, lambda, &out)) {
    return false;
  }
  for (int j = 0; j < JOINTS; j++) in.q[j] = out.q_next[j], in.qd[j] = out.qd_next[j];
  for (int i = 0; i < 3; i++) in.base.position[i] = out.base_next.position[i];
  in.base.quat = out.base_next.quat, in.base.twist = out.base_next.twist;
  return true;
}

static void theirs(const mjModel *m, mjData *d) {
  for (int j = 0; j < JOINTS; j++)
    d->qfrc_applied[6 + j] = torque(j, d->qpos[7 + j], d->qvel[6 + j]);
  mj_step(m, d);
}

int main(int argc, char **argv) {
  mjModel *m = model_of(argv[1], 7 + JOINTS, argc > 2 && strcmp(argv[2], "default") == 0);
  mjData *d = mj_makeData(m);
  m->opt.timestep = in.time_step = period;
  d->qpos[2] = in.base.position[2] = 0.35;
  d->qpos[3] = 1;
  for (int j = 0; j < JOINTS; j++) d->qpos[7 + j] = in.q[j] = posture[j % 3];
  const bool slides = strcmp(argv[argc - 1], "slides") == 0;
  const double friction = slides ? 0.1 : 0.7, slope = slides ? 0.3 : 0; /* [rad] */
  m->opt.gravity[0] = in.gravity[0] = 9.81 * sin(slope);
  m->opt.gravity[2] = in.gravity[2] = -9.81 * cos(slope);
  for (int g = 0; g < m->ngeom; g++) m->geom_friction[3 * g] = friction;
  in.contact.fl.friction = in.contact.fr.friction = friction;
  in.contact.rl.friction = in.contact.rr.friction = friction;
  double least[2] = {INFINITY, INFINITY};
  for (int round = 0; round < ROUNDS; round++) {
    double began = now();
    for (int k = 0; k < STEPS; k++) {
      if (!ours()) return 1;
    }
    const double middle = now();
    for (int k = 0; k < STEPS; k++) theirs(m, d);
    const double both[2] = {middle - began, now() - middle};
    for (int i = 0; i < 2 && round > 0; i++)
      least[i] = fmin(least[i], both[i]); /* first it falls */
  }
  double load = 0;
  for (int i = 0; i < CONTACTS; i++) load += lambda[3 * i] / period;
  printf("quadruped %s: achdgen %s, MuJoCo %s %s (%d contacts): %.1f times; %.4f and %.4f m "
         "high, the floor bears %.2f N\n",
         slides ? "slides" : "stands", speed(least[0] / STEPS), mj_versionString(),
         speed(least[1] / STEPS), d->ncon, least[1] / least[0], in.base.position[2], d->qpos[2],
         load);
  mj_deleteData(d);
  mj_deleteModel(m);
  return 0;
}
