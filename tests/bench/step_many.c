/* SPDX-License-Identifier: MIT */
/* step_many.c MODEL.xml: quadrupeds that stand on four feet, by functions over arrays of states, as Python's simulate()
 * calls them: step_begin_many for eight states, achd_contact_solve for each, step_end_many; and one of them by MuJoCo
 * with its default options, in turn. Microseconds of a step and steps a second, the least of several rounds. */
#include "step.h"

#include <achd/contact.h>

#include "quadruped.h"

enum { CONTACTS = 4, ROWS = 3 * CONTACTS, JOINTS = QUADRUPED_NJ };
enum { ROBOTS = 64, AT_ONCE = 8, STEPS = 50, THEIR_STEPS = 500, ROUNDS = 24 };
static const double posture[3] = {0, 0.8, -1.6}; /* hip, thigh and calf of each leg [rad] */
static const double period = 2e-3;

static quadruped_step_in in[ROBOTS];
static quadruped_step_out out[ROBOTS];
static double lambda[ROBOTS][ROWS];
static double parts[3]; /* seconds in step_begin_many, the solver, and step_end_many */
static bool
    parted; /* they are measured, in rounds of their own, as asking for the time takes time */

static double mark(void) {
  return parted ? now() : 0;
}

static double torque(int j, double q, double qd) {
  return 150 * (posture[j % 3] - q) - 3 * qd;
}

/* Returns false where a step of a robot has no result. */
static bool step_of_eight(int first) {
  static double work[ACHD_CONTACT_WORK(ROWS)];
  static quadruped_step_begin_out begin[AT_ONCE];
  quadruped_status status[AT_ONCE];
  const double began = mark();
  quadruped_step_begin_many(AT_ONCE, in + first, begin, status);
  const double begun = mark();
  for (int k = 0; k < AT_ONCE; k++) {
    achd_contact_report report;
    const achd_contact_problem problem = {.contacts = CONTACTS,
                                          .A = begin[k].A,
                                          .b = begin[k].b,
                                          .gap = begin[k].gap,
                                          .mu = begin[k].mu};
    if (status[k] ||
        achd_contact_solve(&problem, lambda[first + k], 0, work, &report) != ACHD_CONTACT_SOLVED)
      return false;
  }
  const double solved = mark();
  quadruped_step_end_many(AT_ONCE, in + first, begin, lambda + first, out + first, status);
  for (int k = 0; k < AT_ONCE; k++) {
    if (status[k]) return false;
  }
  parts[0] += begun - began, parts[1] += solved - begun, parts[2] += mark() - solved;
  return true;
}

static bool ours(void) {
  for (int i = 0; i < ROBOTS; i++) {
    for (int j = 0; j < JOINTS; j++) in[i].tau[j] = torque(j, in[i].q[j], in[i].qd[j]);
  }
  for (int i = 0; i < ROBOTS; i += AT_ONCE) {
    if (!step_of_eight(i)) return false;
  }
  for (int i = 0; i < ROBOTS; i++) {
    memcpy(in[i].q, out[i].q_next, sizeof in[i].q);
    memcpy(in[i].qd, out[i].qd_next, sizeof in[i].qd);
    memcpy(in[i].base.position, out[i].base_next.position, sizeof in[i].base.position);
    in[i].base.quat = out[i].base_next.quat, in[i].base.twist = out[i].base_next.twist;
  }
  return true;
}

static void theirs(const mjModel *m, mjData *d) {
  for (int j = 0; j < JOINTS; j++)
    d->qfrc_applied[6 + j] = torque(j, d->qpos[7 + j], d->qvel[6 + j]);
  mj_step(m, d);
}

/* Robots from 0.3 to 0.36 m high. */
static void start(mjModel *m, mjData *d) {
  m->opt.timestep = period;
  for (int g = 0; g < m->ngeom; g++) m->geom_friction[3 * g] = 0.7;
  for (int i = 0; i < ROBOTS; i++) {
    in[i] = (quadruped_step_in)QUADRUPED_STEP_IN_DEFAULT;
    in[i].time_step = period;
    in[i].base.position[2] = 0.3 + 0.06 * i / ROBOTS;
    in[i].contact.fl.friction = in[i].contact.fr.friction = in[i].contact.rl.friction =
        in[i].contact.rr.friction = 0.7;
    for (int j = 0; j < JOINTS; j++) in[i].q[j] = posture[j % 3];
  }
  d->qpos[2] = 0.35;
  d->qpos[3] = 1;
  for (int j = 0; j < JOINTS; j++) d->qpos[7 + j] = posture[j % 3];
}

int main(int argc, char **argv) {
  mjModel *m = model_of(argc > 1 ? argv[1] : NULL, 7 + JOINTS, true);
  mjData *d = mj_makeData(m);
  start(m, d);
  double least[2] = {INFINITY, INFINITY}, load = 0;
  for (int round = 0; round < ROUNDS; round++) {
    parted = round == ROUNDS / 2;
    const double began = now();
    for (int k = 0; k < STEPS; k++) {
      if (!ours()) return 1;
    }
    const double middle = now();
    for (int k = 0; k < THEIR_STEPS; k++) theirs(m, d);
    const double both[2] = {(middle - began) / (STEPS * ROBOTS), (now() - middle) / THEIR_STEPS};
    if (round <= ROUNDS / 2) continue; /* first they come to rest */
    for (int i = 0; i < 2; i++) least[i] = fmin(least[i], both[i]);
  }
  for (int i = 0; i < CONTACTS; i++) load += lambda[ROBOTS - 1][3 * i] / period;
  const double each = 1e6 / (STEPS * ROBOTS);
  printf("%d quadrupeds stand, %d at once: achdgen %s (step_begin %.2f, solver %.2f, step_end %.2f "
         "us), MuJoCo %s %s (%d "
         "contacts): %.1f times; the floor bears %.2f N\n",
         ROBOTS, AT_ONCE, speed(least[0]), each * parts[0], each * parts[1], each * parts[2],
         mj_versionString(), speed(least[1]), d->ncon, least[1] / least[0], load);
  mj_deleteData(d);
  mj_deleteModel(m);
  return 0;
}
