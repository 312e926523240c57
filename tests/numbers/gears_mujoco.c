/* SPDX-License-Identifier: MIT */
/* gears_mujoco.c MODEL [friction|ties]: how a model moves in MuJoCo without contacts and limits; with dry friction, or with what ties
 * its joints, where it says so. Of each line "q .. qd .. ctrl ..", all joints and then all actuators, the accelerations of the joints,
 * the power of the actuators, the force of each, the torques that they exert on the joints, and the speeds of all actuators where one
 * velocity is 1 and the others are 0, velocity by velocity, in a line. */
#include <mujoco/mujoco.h>
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv) {
  char error[300] = "";
  mjModel *m = argc >= 2 ? mj_loadXML(argv[1], NULL, error, sizeof error) : NULL;
  if (!m) {
    fprintf(stderr, "%s\n", error);
    return 1;
  }
  const char *with = argc == 3 ? argv[2] : "";
  m->opt.disableflags |= mjDSBL_CONTACT | mjDSBL_LIMIT;
  if (strcmp(with, "friction") != 0) m->opt.disableflags |= mjDSBL_FRICTIONLOSS;
  if (strcmp(with, "ties") != 0) m->opt.disableflags |= mjDSBL_EQUALITY;
  mjData *d = mj_makeData(m);
  for (;;) {
    int read = 0;
    for (int i = 0; i < m->nq; i++) read += scanf("%lf", &d->qpos[i]) == 1;
    for (int i = 0; i < m->nv; i++) read += scanf("%lf", &d->qvel[i]) == 1;
    for (int i = 0; i < m->nu; i++) read += scanf("%lf", &d->ctrl[i]) == 1;
    if (read < m->nq + m->nv + m->nu) break;
    mj_forward(m, d);
    double power = 0;
    for (int i = 0; i < m->nv; i++) printf("%.17g ", d->qacc[i]);
    for (int i = 0; i < m->nu; i++) power += d->actuator_force[i] * d->actuator_velocity[i];
    printf("%.17g", power);
    for (int i = 0; i < m->nu; i++) printf(" %.17g", d->actuator_force[i]);
    for (int i = 0; i < m->nv; i++) printf(" %.17g", d->qfrc_actuator[i]);
    for (int k = 0; k < m->nv; k++) {
      for (int i = 0; i < m->nv; i++) d->qvel[i] = i == k;
      mj_forward(m, d);
      for (int i = 0; i < m->nu; i++) printf(" %.17g", d->actuator_velocity[i]);
    }
    printf("\n");
  }
  mj_deleteData(d);
  mj_deleteModel(m);
  return 0;
}
