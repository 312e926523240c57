/* SPDX-License-Identifier: MIT */
/* feel.h: where the robot is and which of its feet touch, from an inertial measurement unit, joint angles and
 * velocities, and the torques of the motors: the estimator achd/base.h and the momentum observer achd/observer.h, with
 * fk, jac and momentum of the generated header, which is included before. For a robot of your own: the feet's names,
 * and the figures of its unit. */
#ifndef FEEL_H
#define FEEL_H

#include "gait.h"

#include <achd/base.h>
#include <achd/observer.h>

/* What a step tells beside the bits of achd/base.h. */
enum feel_status {
  FEEL_NO_TOUCH = 32, /* the observer has stopped, or starts again: no foot is known to touch */
  FEEL_NO_LEGS = 64,  /* joint angles or velocities are NaN, infinite or refused by fk or jac */
  FEEL_REFUSED = ACHD_BASE_NOT_FINITE | ACHD_BASE_BAD_INPUT | ACHD_BASE_LOST | FEEL_NO_LEGS
};

/* What is measured in a cycle. */
typedef struct sensed {
  double q[ROBOT_NJ], qd[ROBOT_NJ];
  double acc[3], rate[3]; /* of the unit in the trunk's origin, along the trunk's axes */
  double tau[ROBOT_NJ];   /* of the motors since the last cycle */
  double period;
} sensed;

typedef struct feel {
  achd_base base;
  achd_base_parameters parameters;
  achd_observer observer;
  double radius; /* of the feet, which are balls; 0: points */
  double touch;  /* normal force from which on a foot touches [N]; below half of it, it does not */
  double load[GAIT_FEET]; /* normal forces as the observer has them [N] */
  bool touches[GAIT_FEET];
  bool blind; /* the observer has stopped, and has had no result since */
} feel;

/* The unit is a Bosch BMI088, by its data sheet BST-BMI088-DS001: noise of 0.014 degree/s and 190 ug (along z, 160
 * along x and y) per root Hz, offset of 20 mg. Its offsets change with the temperature by 0.015 degree/s and 0.2 mg
 * per K: the walks are those of some tenths of a K per second. Returns false where the estimator cannot start from
 * these readings: feel_step then refuses. */
static inline bool feel_begin(feel *f, const achd_base_rest *rest) {
  memset(f, 0, sizeof *f);
  f->parameters = (achd_base_parameters){.feet = 4,
                                         .gravity = 9.81,
                                         .acc_noise = 190e-6 * 9.81,
                                         .rate_noise = 0.014 * 3.14159265 / 180,
                                         .acc_offset = 0.02 * 9.81,
                                         .acc_walk = 1e-3,
                                         .rate_walk = 3e-5,
                                         .slip = 5e-3,
                                         .place_noise = 1e-3,
                                         .joint_noise = 5e-4,
                                         .gate = 30,
                                         .settle = 0.03};
  f->radius = 0.02;
  f->touch = 8;
  for (int k = 0; k < GAIT_FEET; k++) f->touches[k] = true;
  return achd_base_start(&f->base, &f->parameters, rest);
}

/* out = R u, or R^T u */
static inline void feel_turn(double R[3][3], const double u[3], bool back, double out[3]) {
  for (int i = 0; i < 3; i++) {
    out[i] = 0;
    for (int j = 0; j < 3; j++) out[i] += (back ? R[j][i] : R[i][j]) * u[j];
  }
}

static inline void feel_cross(const double a[3], const double b[3], double c[3]) {
  for (int i = 0; i < 3; i++)
    c[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
}

/* Nothing is known of what touches: no foot is said to, until the observer tells. */
static inline unsigned feel_no_touch(feel *f) {
  f->blind = true;
  memset(f->load, 0, sizeof f->load), memset(f->touches, 0, sizeof f->touches);
  return FEEL_NO_TOUCH;
}

/* Torques of what touches the legs, and of each leg the force at its foot: it touches where that presses. The torques
 * of leg k are those of joints 3 k to 3 k + 2. Returns 0, or FEEL_NO_TOUCH. */
static inline unsigned feel_touch(feel *f, const sensed *m,
                                  const robot_jacobian *const jac[GAIT_FEET],
                                  const double normal[3]) {
  static const achd_observer_joint joint = {.gain = 400};
  achd_observer_joint joints[ROBOT_NJ];
  robot_momentum_in in;
  robot_momentum_out out;
  for (int j = 0; j < ROBOT_NJ; j++) joints[j] = joint;
  memcpy(in.q, m->q, sizeof in.q), memcpy(in.qd, m->qd, sizeof in.qd);
  in.base.quat =
      (robot_quaternion){f->base.quat[0], f->base.quat[1], f->base.quat[2], f->base.quat[3]};
  memcpy(in.base.twist.lin, f->base.v, sizeof f->base.v),
      memcpy(in.base.twist.ang, f->base.w, sizeof f->base.w);
  const bool fresh = robot_momentum(&in, &out) == ROBOT_OK;
  const achd_observer_input input = {out.p, out.beta, m->qd, m->tau, m->period, fresh};
  const unsigned status = achd_observer_step(&f->observer, joints, ROBOT_NJ, &input);
  if (status == ACHD_OBSERVER_STARTED) return f->blind ? FEEL_NO_TOUCH : 0; /* touches stay */
  if (status != ACHD_OBSERVER_OK) return feel_no_touch(f);
  f->blind = false;
  for (int k = 0; k < GAIT_FEET; k++) {
    achd_contact_wrench at;
    double leg[9];
    for (int i = 0; i < 9; i++) leg[i] = jac[k]->lin[i / 3][ROBOT_NB + 3 * k + i % 3];
    f->load[k] = 0;
    if (achd_contact_locate(&at, 3, leg, NULL, &f->observer.tau_ext[3 * k]))
      for (int i = 0; i < 3; i++) f->load[k] += normal[i] * at.lin[i];
    f->touches[k] = f->load[k] > (f->touches[k] ? f->touch / 2 : f->touch);
  }
  return 0;
}

/* No estimate: NaN, which gait_step refuses, so that torques are 0. */
static inline unsigned feel_nothing(feel *f, gait_state *s, double foot_v[GAIT_FEET][3]) {
  achd_observer_reset(&f->observer);
  for (int i = 0; i < 3; i++) s->p[i] = s->v[i] = s->w[i] = NAN;
  for (int i = 0; i < 9; i++) s->R[i] = NAN;
  for (int k = 0; k < GAIT_FEET; k++)
    for (int i = 0; i < 3; i++) s->foot[k][i] = foot_v[k][i] = NAN;
  memset(s->touches, 0, sizeof s->touches);
  return feel_no_touch(f);
}

/* One cycle: fills in where trunk and feet are, and the velocities of the feet. Returns the status of the estimator,
 * with bits of feel_status. With one of FEEL_REFUSED there is no estimate, and s and foot_v are NaN; where only the
 * legs are not known, the estimator goes on by its unit alone. */
static inline unsigned feel_step(feel *f, const gait *g, const sensed *m, gait_state *s,
                                 double foot_v[GAIT_FEET][3]) {
  robot_fk_in fk_in;
  robot_fk_out fk;
  robot_jac_in jac_in;
  robot_jac_out jac;
  achd_base_foot feet[GAIT_FEET] = {{0}};
  const double up[3] = {g->begun ? g->ground[0][2] : 0, g->begun ? g->ground[1][2] : 0,
                        g->begun ? g->ground[2][2] : 1};
  double normal[3];
  fk_in.base.quat = jac_in.base.quat =
      (robot_quaternion){1, 0, 0, 0}; /* so all axes are those of the trunk */
  memcpy(fk_in.q, m->q, sizeof fk_in.q), memcpy(jac_in.q, m->q, sizeof jac_in.q);
  bool legs = (robot_fk(&fk_in, &fk) & ROBOT_DO_NOT_COMMAND) == 0;
  legs = (robot_jac(&jac_in, &jac) & ROBOT_DO_NOT_COMMAND) == 0 && legs;
  for (int j = 0; j < ROBOT_NJ; j++) legs = legs && isfinite(m->q[j]) && isfinite(m->qd[j]);
  const robot_pose *const at[GAIT_FEET] = {&fk.pose.fl_foot, &fk.pose.fr_foot, &fk.pose.rl_foot,
                                           &fk.pose.rr_foot};
  const robot_jacobian *const J[GAIT_FEET] = {&jac.jac.fl_foot, &jac.jac.fr_foot, &jac.jac.rl_foot,
                                              &jac.jac.rr_foot};
  feel_turn(f->base.R, up, true, normal);
  for (int k = 0; k < GAIT_FEET && legs; k++) {
    double spin[3];
    for (int i = 0; i < 3; i++) {
      spin[i] = m->rate[i] - f->base.rate_bias[i];
      foot_v[k][i] = 0;
      for (int j = 0; j < ROBOT_NJ; j++) spin[i] += J[k]->ang[i][ROBOT_NB + j] * m->qd[j];
      for (int j = 0; j < ROBOT_NJ; j++) foot_v[k][i] += J[k]->lin[i][ROBOT_NB + j] * m->qd[j];
    }
    feel_cross(spin, normal, feet[k].rolls);
    for (int i = 0; i < 3; i++) feet[k].rolls[i] *= f->radius, feet[k].place[i] = at[k]->p[i];
    feet[k].stands = f->touches[k] && (!g->begun || g->stands[k]);
    feet[k].jac = &J[k]->lin[0][ROBOT_NB], feet[k].joints = ROBOT_NJ, feet[k].row = ROBOT_NV;
  }
  achd_base_input in = {.period = m->period, .feet = feet};
  memcpy(in.acc, m->acc, sizeof in.acc), memcpy(in.rate, m->rate, sizeof in.rate);
  unsigned status = achd_base_step(&f->base, &f->parameters, &in);
  if (!legs) status |= FEEL_NO_LEGS;
  if (status & FEEL_REFUSED) return status | feel_nothing(f, s, foot_v);
  feel_turn(f->base.R, up, true, normal);
  status |= feel_touch(f, m, J, normal);
  memcpy(s->p, f->base.p, sizeof s->p), memcpy(s->v, f->base.v, sizeof s->v);
  memcpy(s->R, f->base.R, sizeof s->R), memcpy(s->w, f->base.w, sizeof s->w);
  memcpy(s->touches, f->touches, sizeof s->touches);
  for (int k = 0; k < GAIT_FEET; k++) {
    double along[3], own[3] = {foot_v[k][0], foot_v[k][1], foot_v[k][2]}, turned[3];
    feel_turn(f->base.R, at[k]->p, false, along), feel_turn(f->base.R, own, false, turned);
    feel_cross(s->w, along, foot_v[k]);
    for (int i = 0; i < 3; i++)
      s->foot[k][i] = s->p[i] + along[i], foot_v[k][i] += s->v[i] + turned[i];
  }
  return status;
}

#endif
