/* SPDX-License-Identifier: MIT */
/* mjcf_show.c: what MuJoCo made of a model, one thing a line: `body NAME mass`, `joint NAME type
 * armature damping frictionloss lower upper`, `motor NAME gain effort`, `sensor NAME`, `site NAME
 * body`, `geom BODY type sizes friction`, `key NUMBERS`, `value SENSOR NUMBERS` where it begins. Exit 1 and MuJoCo's word where it refuses. */
#include <math.h>
#include <mujoco/mujoco.h>
#include <stdio.h>

static const char *name(const mjModel *m, int type, int id) {
  const char *text = mj_id2name(m, type, id);
  return text ? text : "-";
}

int main(int argc, char **argv) {
  char error[1000] = "";
  mjModel *m = argc == 2 ? mj_loadXML(argv[1], NULL, error, sizeof error) : NULL;
  if (!m) {
    printf("refused: %s\n", error);
    return 1;
  }
  for (int i = 1; i < m->nbody; i++)
    printf("body %s %.6g\n", name(m, mjOBJ_BODY, i), m->body_mass[i]);
  for (int i = 0; i < m->njnt; i++) {
    const int dof = m->jnt_dofadr[i];
    printf("joint %s %d %.6g %.6g %.6g", name(m, mjOBJ_JOINT, i), m->jnt_type[i],
           m->dof_armature[dof], m->dof_damping[dof], m->dof_frictionloss[dof]);
    if (m->jnt_limited[i]) printf(" %.6g %.6g", m->jnt_range[2 * i], m->jnt_range[2 * i + 1]);
    printf("\n");
  }
  for (int i = 0; i < m->nu; i++)
    printf("motor %s %.6g %.6g\n", name(m, mjOBJ_ACTUATOR, i), m->actuator_gainprm[i * mjNGAIN],
           m->actuator_forcelimited[i] ? m->actuator_forcerange[2 * i + 1] : 0);
  for (int i = 0; i < m->nsensor; i++) printf("sensor %s\n", name(m, mjOBJ_SENSOR, i));
  for (int i = 0; i < m->nsite; i++)
    printf("site %s %s\n", name(m, mjOBJ_SITE, i), name(m, mjOBJ_BODY, m->site_bodyid[i]));
  for (int i = 0; i < m->ngeom; i++)
    printf("geom %s %d %.6g %.6g %.6g %.6g\n", name(m, mjOBJ_BODY, m->geom_bodyid[i]),
           m->geom_type[i], m->geom_size[3 * i], m->geom_size[3 * i + 1], m->geom_size[3 * i + 2],
           m->geom_friction[3 * i]);
  for (int i = 0; i < m->nkey; i++) {
    printf("key");
    for (int k = 0; k < m->nq; k++) printf(" %.6g", m->key_qpos[i * m->nq + k]);
    printf("\n");
  }
  /* with all controls at 0, no motor acts; and with the robot at rest, friction holds the rest */
  mjData *d = mj_makeData(m);
  if (m->nkey) mj_resetDataKeyframe(m, d, 0);
  mj_forward(m, d);
  double most = 0;
  for (int i = 0; i < m->nv; i++) most = fmax(most, fabs(d->qfrc_actuator[i]));
  printf("motors at rest %.6g\n", most);
  for (int i = 0; i < m->nsensor; i++) {
    printf("value %s", name(m, mjOBJ_SENSOR, i));
    for (int k = 0; k < m->sensor_dim[i]; k++)
      printf(" %.6g", d->sensordata[m->sensor_adr[i] + k] + 0.0);
    printf("\n");
  }
  for (int k = 0; k < 200; k++) mj_step(m, d);
  printf("warnings %d\n", d->warning[mjWARN_BADQACC].number + d->warning[mjWARN_BADQPOS].number);
  mj_deleteData(d);
  mj_deleteModel(m);
  return 0;
}
