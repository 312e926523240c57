/* SPDX-License-Identifier: MIT */
/* linkage_sways.c MODEL: an ankle sways in MuJoCo, moved by its two motors through rods, which MuJoCo closes by <connect> or as tendons.
 *
 * In each cycle pitch and roll are measured; inverse dynamics of the header gives the torques of the cranks' motors, which
 * MuJoCo applies. Where the foot is to be moves along sines; first it is held against gravity. Prints how far the foot is
 * from there, and the cranks from where the header finds them. Then the angles jump to where no rod reaches: torques are 0. */
#define ANKLE_RODS_IMPLEMENTATION
#include "ankle_rods.h"

#include <math.h>
#include <mujoco/mujoco.h>
#include <stdio.h>

enum { STEPS = 10, CYCLES = 3000, SWAYS = 1700 }; /* MuJoCo's steps in a cycle of 1 ms */

static const char *const names[] = {"ankle_pitch", "ankle_roll", "left_crank", "right_crank"};
static int at[4]; /* of these joints, in qpos and qvel */

/* What is wanted of a joint at time t: angle, velocity, acceleration; these of the sine alone while it grows. */
static void wanted(int joint, double t, double x[3]) {
  const double size = joint ? 0.15 : 0.25, w = joint ? 5 : 3, begin = 0.5,
               s = t < begin ? 0 : t - begin;
  const double blend = s < 1 ? s * s * s * (10 - 15 * s + 6 * s * s) : 1, a = size * blend;
  x[0] = a * sin(w * s);
  x[1] = a * w * cos(w * s);
  x[2] = -a * w * w * sin(w * s);
}

int main(int argc, char **argv) {
  char error[500] = "";
  mjModel *m = argc > 1 ? mj_loadXML(argv[1], NULL, error, sizeof error) : NULL;
  if (!m) return fprintf(stderr, "%s\n", error), 2;
  mjData *d = mj_makeData(m);
  for (int k = 0; k < 4; k++) at[k] = m->jnt_dofadr[mj_name2id(m, mjOBJ_JOINT, names[k])];
  ankle_rods_id_in in = ANKLE_RODS_ID_IN_DEFAULT;
  ankle_rods_id_out out;
  double off = 0, crank = 0, largest = 0, acceleration = 0;
  for (int cycle = 0; cycle < CYCLES; cycle++) {
    for (int j = 0; j < 2; j++) {
      double x[3];
      wanted(j, d->time, x);
      in.q[j] = d->qpos[at[j]];
      in.qd[j] = d->qvel[at[j]];
      in.qdd[j] = x[2] + 60 * (x[1] - in.qd[j]) + 900 * (x[0] - in.q[j]);
      if (cycle < 500 || cycle > SWAYS) off = fmax(off, fabs(x[0] - in.q[j]));
    }
    in.gravity[2] = -9.81;
    const ankle_rods_status status = ankle_rods_id(&in, &out);
    if (status) return fprintf(stderr, "status %u in cycle %d\n", (unsigned)status, cycle), 1;
    for (int i = 0; i < ANKLE_RODS_LINKAGE; i++)
      in.linkage_start.ankle[i] = out.linkage_end.ankle[i];
    for (int k = 0; k < 2; k++) {
      const double *end = out.linkage_end.ankle + ANKLE_RODS_LINKAGE / 2 * k;
      crank = fmax(crank, fabs(atan2(end[1], end[0]) - d->qpos[at[2 + k]]));
      d->qfrc_applied[at[2 + k]] = out.linkage_tau.ankle[k];
      largest = fmax(largest, fabs(out.linkage_tau.ankle[k]));
    }
    mj_forward(m, d);
    for (int j = 0; cycle > 10 && j < 2; j++)
      acceleration = fmax(acceleration, fabs(d->qacc[at[j]] - in.qdd[j]) / (1 + fabs(in.qdd[j])));
    for (int k = 0; k < STEPS; k++) mj_step(m, d);
  }
  printf("foot off by %.2e rad, its acceleration by %.2e, cranks by %.2e rad, torques up to %.2f N "
         "m\n",
         off, acceleration, crank, largest);
  in.q[0] = 1.6;
  const unsigned status = (unsigned)ankle_rods_id(&in, &out);
  const int still = out.linkage_tau.ankle[0] == 0 && out.linkage_tau.ankle[1] == 0 &&
                    out.tau[0] == 0 && out.tau[1] == 0;
  printf("out of reach: status %u, torques %s\n", status, still ? "0" : "not 0");
  mj_deleteData(d);
  mj_deleteModel(m);
  return !(off < 1e-3 && acceleration < 1e-3 && crank < 1e-6 && largest > 0.1 &&
           (status & ANKLE_RODS_NOT_CLOSED) && still);
}
