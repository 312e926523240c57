/* SPDX-License-Identifier: MIT */
/* stand.c: a robot on its legs in MuJoCo: it stands for two seconds by the torques of its motors. For any URDF with a layout
 * as in stand.lua, whose group "trunk" is the base link:
 *   achdgen ROBOT.urdf --layout stand.lua --name robot
 *   achdgen ROBOT.urdf --layout stand.lua --scene floor.lua --mjcf robot.xml
 *   cc -O1 stand.c -o stand -lmujoco -lm && ./stand robot.xml */
#include <math.h>
#include <mujoco/mujoco.h>
#include <stdio.h>
#include <string.h>

#define ROBOT_IMPLEMENTATION
#include "robot_achd.h"

static const char *const joints[] = ROBOT_JOINT_NAMES;

/* Position and velocity of joints and base. MuJoCo's free joint has the angular velocity along the base's axes, achdgen along
 * the world's. */
static void measure(const mjModel *m, const mjData *d, robot_achd_in *in) {
  for (int j = 0; j < ROBOT_NJ; j++) {
    const int id = mj_name2id(m, mjOBJ_JOINT, joints[j]);
    in->q[j] = d->qpos[m->jnt_qposadr[id]];
    in->qd[j] = d->qvel[m->jnt_dofadr[id]];
  }
  const double *quat = d->qpos + 3;
  in->base.quat = (robot_quaternion){quat[0], quat[1], quat[2], quat[3]};
  memcpy(in->base.twist.lin, d->qvel, sizeof in->base.twist.lin);
  mju_rotVecQuat(in->base.twist.ang, d->qvel + 3, quat);
}

/* Brings the trunk home and upright: b = kp (wanted - position) - kd velocity; 2 w (x, y, z) of the quaternion is the
 * turn, where it is small. */
static void ask(const mjData *d, const double home[3], robot_achd_in *in) {
  const double *quat = d->qpos + 3;
  for (int i = 0; i < 3; i++) {
    in->b[ROBOT_TRUNK_LIN_X + i] = 200 * (home[i] - d->qpos[i]) - 28 * in->base.twist.lin[i];
    in->b[ROBOT_TRUNK_ANG_X + i] = -300 * 2 * quat[0] * quat[1 + i] - 34 * in->base.twist.ang[i];
  }
}

static void command(const mjModel *m, mjData *d, const double *tau) {
  for (int j = 0; j < ROBOT_NJ; j++) {
    char motor[200];
    snprintf(motor, sizeof motor, "%s_force", joints[j]);
    d->ctrl[mj_name2id(m, mjOBJ_ACTUATOR, motor)] = tau[j];
  }
}

static double load(const mjModel *m, const mjData *d) { /* of all contacts [N] */
  double sum = 0;
  for (int k = 0; k < d->ncon; k++) {
    double force[6];
    mj_contactForce(m, d, k, force);
    sum += force[0];
  }
  return sum;
}

int main(int argc, char **argv) {
  char error[500] = "say which model";
  mjModel *m = argc > 1 ? mj_loadXML(argv[1], NULL, error, sizeof error) : NULL;
  if (!m) return puts(error), 2;
  mjData *d = mj_makeData(m);
  mj_resetDataKeyframe(m, d, 0);
  double home[3], weight = 0;
  memcpy(home, d->qpos, sizeof home);
  for (int k = 1; k < m->nbody; k++) weight += 9.81 * m->body_mass[k];
  robot_achd_in in = ROBOT_ACHD_IN_DEFAULT; /* every row active */
  robot_achd_out out;
  unsigned told = 0; /* bits of robot_status, over all cycles */
  while (d->time < 2) {
    measure(m, d, &in);
    ask(d, home, &in);
    const robot_status status = robot_achd(&in, &out);
    told |= (unsigned)status;
    if (status & ROBOT_DO_NOT_COMMAND) break;
    command(m, d, out.tau_ctrl);
    mj_step(m, d);
  }
  const double off = hypot(hypot(d->qpos[0] - home[0], d->qpos[1] - home[1]), d->qpos[2] - home[2]);
  const double bears = load(m, d);
  printf("off by %.1f mm, feet bear %.1f of %.1f N, status %u\n", 1e3 * off, bears, weight, told);
  mj_deleteData(d);
  mj_deleteModel(m);
  return told == 0 && off < 0.005 && fabs(bears - weight) < 0.01 * weight ? 0 : 1;
}
