/* SPDX-License-Identifier: MIT */
/* control.h: control of a link's position through a spring, of joint i:
 *
 *   a      = qdd_d + kp (q_d - q) + kd (qd_d - qd)         what the link is to do
 *   tau_d  = M a + h                                       the torque that the spring has to give (inverse dynamics)
 *   tau_s  = k (theta - q)                                 the torque that it gives: sensed by its deflection
 *   tau    = tau_d + J a + kt (tau_d - tau_s) - d (thetad - qd)
 *
 * tau, on the rotor at the joint's side of its gear, is ratio times the motor's torque, within the motor's
 * limit. With it the spring's torque follows tau_d with the frequency sqrt((1 + kt) k / J); without d it would swing.
 * J: the rotor's inertia at the joint's side. Sources: Spong, Modeling and control of elastic joint robots, Journal of
 * Dynamic Systems, Measurement, and Control 109, 1987; Albu-Schaeffer, Ott, Hirzinger, A unified passivity-based
 * control framework for position, torque and impedance control of flexible joint robots, International Journal of
 * Robotics Research 26, 2007. */
#ifndef ELASTIC_CONTROL_H
#define ELASTIC_CONTROL_H

#include "model_achd.h"

#define PERIOD 1e-3 /* [s] */

typedef struct elastic_joint {
  double k;       /* stiffness of the spring [N m/rad] */
  double J;       /* rotor's inertia times ratio^2 [kg m^2] */
  double ratio;   /* of the gear */
  double limit;   /* of the motor's torque [N m] */
  double kp, kd;  /* of the link's position [1/s^2, 1/s] */
  double kt;      /* of the spring's torque [1] */
  double damping; /* at the motor's side [N m s/rad] */
} elastic_joint;

typedef struct
    elastic_state { /* what the encoders of motors and links measured, and velocities by filtered differences */
  double theta[MODEL_NJ], thetad[MODEL_NJ], q[MODEL_NJ], qd[MODEL_NJ];
  int known; /* whether there are positions of a cycle before */
} elastic_state;

/* Positions of a cycle; velocities are differences through a filter of 3 ms. */
static void elastic_measure(elastic_state *s, const double theta[MODEL_NJ],
                            const double q[MODEL_NJ]) {
  const double share = PERIOD / (PERIOD + 3e-3);
  for (int i = 0; i < MODEL_NJ; i++) {
    if (s->known) {
      s->thetad[i] += share * ((theta[i] - s->theta[i]) / PERIOD - s->thetad[i]);
      s->qd[i] += share * ((q[i] - s->q[i]) / PERIOD - s->qd[i]);
    }
    s->theta[i] = theta[i];
    s->q[i] = q[i];
  }
  s->known = 1;
}

/* The motors' torques; 0 where an input is no number. goal: position, velocity, acceleration of the links. */
static model_status elastic_torques(const elastic_joint joints[MODEL_NJ], const elastic_state *s,
                                    double goal[3][MODEL_NJ], double motors[MODEL_NJ]) {
  model_id_in in = MODEL_ID_IN_DEFAULT;
  model_id_out out;
  for (int i = 0; i < MODEL_NJ; i++) {
    in.q[i] = s->q[i];
    in.qd[i] = s->qd[i];
    in.qdd[i] =
        goal[2][i] + joints[i].kp * (goal[0][i] - s->q[i]) + joints[i].kd * (goal[1][i] - s->qd[i]);
  }
  const model_status status = model_id(&in, &out);
  int finite = !(status & MODEL_DO_NOT_COMMAND);
  for (int i = 0; i < MODEL_NJ; i++) {
    const elastic_joint *e = &joints[i];
    const double sensed = e->k * (s->theta[i] - s->q[i]);
    double t = (out.tau[i] + e->J * in.qdd[i] + e->kt * (out.tau[i] - sensed) -
                e->damping * (s->thetad[i] - s->qd[i])) /
               e->ratio;
    if (t > e->limit) t = e->limit;
    if (t < -e->limit) t = -e->limit;
    finite &= t == t;
    motors[i] = t;
  }
  for (int i = 0; i < MODEL_NJ && !finite; i++) motors[i] = 0;
  return finite ? status : status | MODEL_NOT_FINITE;
}

#endif
