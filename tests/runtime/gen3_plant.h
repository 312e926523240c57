/* SPDX-License-Identifier: MIT */
/* gen3_plant.h: a Gen3 to be controlled: generated forward dynamics, exact or of a robot whose
 * masses are 20 % larger or smaller than the controller thinks; with friction and noise that it
 * does not know. */
#ifndef GEN3_PLANT_H
#define GEN3_PLANT_H

#include "gen3_robot.h"
#include "heavy_plant.h"
#include "light_plant.h"

typedef enum plant_masses { EXACT, HEAVY, LIGHT } plant_masses;

typedef struct plant {
  plant_masses masses;
  double friction;       /* Coulomb, share of each joint's effort limit */
  double position_noise; /* deviations [rad] */
  double velocity_noise; /* [rad/s] */
  double force_noise;    /* [N] */
  double q[NJ], qd[NJ];
  achd_wrench push; /* of the environment on the tool, at its origin, base axes */
  unsigned long long random;
} plant;

static inline plant plant_at(const double q[NJ], plant_masses masses) {
  plant p = {.masses = masses, .random = 1};
  memcpy(p.q, q, sizeof p.q);
  return p;
}

#define PLANT_FD(robot)                                                                            \
  do {                                                                                             \
    robot##_fd_in in = {.gravity = {0, 0, -9.81}};                                                 \
    robot##_fd_out out;                                                                            \
    memcpy(in.q, p->q, sizeof in.q);                                                               \
    memcpy(in.qd, p->qd, sizeof in.qd);                                                            \
    memcpy(in.tau, tau, sizeof in.tau);                                                            \
    ACHD_PUT_WRENCH(in.push, p->push);                                                             \
    robot##_fd(&in, &out);                                                                         \
    memcpy(qdd, out.qdd, sizeof out.qdd);                                                          \
  } while (0)

static inline void plant_acceleration(const plant *p, const double tau[NJ], double qdd[NJ]) {
  switch (p->masses) {
  case EXACT:
    PLANT_FD(gen3);
    break;
  case HEAVY:
    PLANT_FD(heavy);
    break;
  case LIGHT:
    PLANT_FD(light);
    break;
  }
}

/* One period [s]: friction against the motion, fading in below 0.01 rad/s; semi-implicit Euler. */
static inline void plant_move(plant *p, const double commanded[NJ], double period) {
  double tau[NJ], qdd[NJ];
  for (int j = 0; j < NJ; j++)
    tau[j] = commanded[j] - p->friction * gen3_joints[j].effort * tanh(p->qd[j] / 0.01);
  plant_acceleration(p, tau, qdd);
  for (int j = 0; j < NJ; j++) {
    p->qd[j] += qdd[j] * period;
    p->q[j] += p->qd[j] * period;
  }
}

static inline achd_measurement plant_measure(plant *p) {
  achd_measurement m = {.q = {0}};
  for (int j = 0; j < NJ; j++) {
    m.q[j] = p->q[j] + p->position_noise * random_normal(&p->random);
    m.qd[j] = p->qd[j] + p->velocity_noise * random_normal(&p->random);
  }
  m.wrench = p->push;
  for (int i = 0; i < 3; i++) m.wrench.lin[i] += p->force_noise * random_normal(&p->random);
  return m;
}

#endif
