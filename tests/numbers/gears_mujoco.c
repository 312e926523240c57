/* SPDX-License-Identifier: MIT */
/* gears_mujoco.c MODEL: how a model moves in MuJoCo without contacts and limits. Of each line "q .. qd .. ctrl ..", all
 * joints and then all actuators, the accelerations of the joints, the power of the actuators, the force of each, and the
 * speeds of all actuators where one velocity is 1 and the others are 0, velocity by velocity, in a line. */
#include <mujoco/mujoco.h>
#include <stdio.h>

int main(int argc, char **argv) {
  char error[300] = "";
  mjModel *m = argc == 2 ? mj_loadXML(argv[1], NULL, error, sizeof error) : NULL;
  if (!m) {
    fprintf(stderr, "%s\n", error);
    return 1;
  }
  m->opt.disableflags |= mjDSBL_CONSTRAINT;
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
