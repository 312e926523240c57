/* SPDX-License-Identifier: MIT */
/* replay.c: a motion of swing.c or sway.c in MuJoCo, with its torques and feedback gains, every
 * millisecond: u_k + K_k (x - x_ref), x_ref between the states x_k and x_k+1.
 *
 *   replay MODEL.xml MOTION.txt [shift=0] [gains=1] JOINT...
 *
 * JOINT...: the joints in the order of the motion; shift: how far their positions are off at the
 * start, in turn to either side [rad]; gains=0: the torques alone. Prints how far the motion ends
 * from where it should, and the contacts. */
#include <math.h>
#include <mujoco/mujoco.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 40 };

typedef struct motion {
  double period, *numbers;
  int steps, nq, nv, nu;
} motion;

static void stop(const char *what) {
  fprintf(stderr, "replay: %s\n", what);
  exit(2);
}

static size_t line_length(const motion *r) {
  return (size_t)(r->nq + r->nv + r->nu + r->nu * 2 * r->nv);
}

static motion read_motion(const char *path) {
  motion r;
  FILE *file = fopen(path, "r");
  if (!file) stop("no such motion");
  if (fscanf(file, "%lf %d %d %d %d", &r.period, &r.steps, &r.nq, &r.nv, &r.nu) != 5 ||
      !(r.period > 0) || r.steps < 1 || r.steps > 100000 || r.nv < 1 || r.nv > MOST ||
      r.nq < r.nv || r.nq > r.nv + 1 || r.nu < 1 || r.nu > r.nv)
    stop("the motion has other sizes");
  const size_t length = line_length(&r), count = length * (size_t)r.steps + (size_t)(r.nq + r.nv);
  r.numbers = malloc(count * sizeof(double));
  if (!r.numbers) stop("out of memory");
  for (size_t k = 0; k < count; k++)
    if (fscanf(file, "%lf", &r.numbers[k]) != 1) stop("the motion ends early");
  fclose(file);
  return r;
}

/* The state of MuJoCo, as the motion has it: the twist of a base along the axes of the world. */
static void state_of(const mjModel *m, const mjData *d, const int joint[], int nb, int nj,
                     double q[], double v[]) {
  if (nb) {
    memcpy(q, d->qpos, 7 * sizeof *q);
    memcpy(v, d->qvel, 3 * sizeof *v);
    mju_rotVecQuat(v + 3, d->qvel + 3, d->qpos + 3);
  }
  for (int i = 0; i < nj; i++) {
    q[(nb ? 7 : 0) + i] = d->qpos[m->jnt_qposadr[joint[i]]];
    v[nb + i] = d->qvel[m->jnt_dofadr[joint[i]]];
  }
}

/* dx = x - x_ref, x_ref a share of the way from one state to the next */
static void difference(const double q[], const double v[], const double *now, const double *next,
                       double share, int nb, int nq, int nv, double dx[]) {
  const int first = nb ? 7 : 0;
  for (int i = 0; i < 3 && nb; i++) dx[i] = q[i] - (now[i] + share * (next[i] - now[i]));
  if (nb) {
    double ref[4], conjugate[4], turn[4];
    for (int i = 0; i < 4; i++) ref[i] = now[3 + i] + share * (next[3 + i] - now[3 + i]);
    mju_normalize4(ref);
    mju_negQuat(conjugate, ref);
    mju_mulQuat(turn, q + 3, conjugate);
    mju_quat2Vel(dx + 3, turn, 1);
  }
  for (int i = nb; i < nv; i++) {
    const int at = first - nb + i;
    dx[i] = q[at] - (now[at] + share * (next[at] - now[at]));
  }
  for (int i = 0; i < nv; i++)
    dx[nv + i] = v[i] - (now[nq + i] + share * (next[nq + i] - now[nq + i]));
}

int main(int argc, char **argv) {
  char message[1000] = "";
  double shift = 0, gains = 1, q[MOST + 1], v[MOST], dx[2 * MOST] = {0}, most_torque = 0;
  int joint[MOST], motor[MOST], nj = 0, most_contacts = 0, least_contacts = 1000;
  if (argc < 4) stop("MODEL.xml MOTION.txt [shift=0] [gains=1] JOINT...");
  const motion r = read_motion(argv[2]);
  mjModel *m = mj_loadXML(argv[1], NULL, message, sizeof message);
  if (!m) stop(message);
  mjData *d = mj_makeData(m);
  const int nb = r.nq > r.nv ? 6 : 0;
  for (int i = 3; i < argc; i++) {
    char name[200];
    if (sscanf(argv[i], "shift=%lf", &shift) == 1 || sscanf(argv[i], "gains=%lf", &gains) == 1)
      continue;
    if (nj == r.nv - nb) stop("too many joints");
    snprintf(name, sizeof name, "%s_force", argv[i]);
    joint[nj] = mj_name2id(m, mjOBJ_JOINT, argv[i]);
    motor[nj] = mj_name2id(m, mjOBJ_ACTUATOR, name);
    if (joint[nj] < 0 || motor[nj] < 0) stop("the model has no such joint with a motor");
    nj++;
  }
  if (nj != r.nv - nb || nj != r.nu) stop("joints are missing");
  if (nb) memcpy(d->qpos, r.numbers, 7 * sizeof *q);
  for (int i = 0; i < nj; i++)
    d->qpos[m->jnt_qposadr[joint[i]]] = r.numbers[(nb ? 7 : 0) + i] + (i % 2 ? -shift : shift);

  const int inner = (int)lround(r.period / m->opt.timestep);
  const size_t length = line_length(&r);
  for (int k = 0; k < r.steps; k++)
    for (int n = 0; n < inner; n++) {
      const double *now = r.numbers + (size_t)k * length, *next = now + length;
      const double *u = now + r.nq + r.nv, *K = u + r.nu;
      state_of(m, d, joint, nb, nj, q, v);
      difference(q, v, now, next, n / (double)inner, nb, r.nq, r.nv, dx);
      for (int i = 0; i < r.nu; i++) {
        double torque = u[i];
        for (int j = 0; j < 2 * r.nv; j++) torque += gains * K[i * 2 * r.nv + j] * dx[j];
        d->ctrl[motor[i]] = torque; /* the model limits it to the joint's effort */
      }
      mj_step(m, d);
      for (int i = 0; i < r.nu; i++)
        most_torque = fmax(most_torque, fabs(d->actuator_force[motor[i]]));
      most_contacts = d->ncon > most_contacts ? d->ncon : most_contacts;
      least_contacts = d->ncon < least_contacts ? d->ncon : least_contacts;
    }
  const double *end = r.numbers + (size_t)r.steps * length;
  double far[2] = {0, 0};
  state_of(m, d, joint, nb, nj, q, v);
  difference(q, v, end, end, 0, nb, r.nq, r.nv, dx);
  for (int i = 0; i < 2 * r.nv; i++) /* of a base the base, else the joints */
    if (!nb || i % r.nv < nb) far[i / r.nv] = fmax(far[i / r.nv], fabs(dx[i]));
  printf("end: %.4f (m, rad), %.4f (m/s, rad/s) off; contacts: %d to %d; largest torque: %.1f\n",
         far[0], far[1], least_contacts, most_contacts, most_torque);
  free(r.numbers);
  mj_deleteData(d);
  mj_deleteModel(m);
  return 0;
}
