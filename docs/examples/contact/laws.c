/* SPDX-License-Identifier: MIT */
/* laws.c: see laws.h */
#include "laws.h"

#include <math.h>
#include <string.h>

const char *const law_names[LAWS] = {"computed torque", "Slotine and Li", "impedance at the tool"};

static const double rate = 12; /* natural frequency of all three, critically damped [rad/s] */
/* What a joint turns, roughly: rotor and links [kg m^2] */
static const double inertia[NJ] = {1.2, 1.2, 0.9, 0.8, 0.16, 0.16, 0.14};

/* tau = M (qdd_d + 2 w ed + w^2 e) + C qd + g */
static void computed_torque(const double q[NJ], const double qd[NJ], const motion *to,
                            double tau[NJ]) {
  gen3_id_in in = {0};
  gen3_id_out out;
  for (int j = 0; j < NJ; j++) {
    in.q[j] = q[j], in.qd[j] = qd[j];
    in.qdd[j] = to->qdd[j] + 2 * rate * (to->qd[j] - qd[j]) + rate * rate * (to->q[j] - q[j]);
  }
  (void)gen3_id(&in, &out);
  memcpy(tau, out.tau, sizeof out.tau);
}

/* tau = M qdd_r + C qd_r + g - K s,  qd_r = qd_d + w e,  s = qd - qd_r */
static void slotine_li(const double q[NJ], const double qd[NJ], const motion *to, double tau[NJ]) {
  gen3_slotine_li_in in = {0};
  gen3_slotine_li_out out;
  for (int j = 0; j < NJ; j++) {
    in.q[j] = q[j], in.qd[j] = qd[j];
    in.qd_r[j] = to->qd[j] + rate * (to->q[j] - q[j]);
    in.qdd_r[j] = to->qdd[j] + rate * (to->qd[j] - qd[j]);
  }
  (void)gen3_slotine_li(&in, &out);
  for (int j = 0; j < NJ; j++) tau[j] = out.tau[j] - rate * inertia[j] * (qd[j] - in.qd_r[j]);
}

/* The tool's pose, twist and acceleration in a motion of the joints. */
typedef struct tool {
  gen3_fk_out place;
  gen3_fvk_out speed;
  gen3_fak_out change;
} tool;

static void tool_of(const double q[NJ], const double qd[NJ], const double qdd[NJ], tool *t) {
  gen3_fk_in at;
  gen3_fvk_in moving;
  gen3_fak_in accelerated;
  memcpy(at.q, q, sizeof at.q);
  memcpy(moving.q, q, sizeof moving.q), memcpy(moving.qd, qd, sizeof moving.qd);
  memcpy(accelerated.q, q, sizeof accelerated.q), memcpy(accelerated.qd, qd, sizeof accelerated.qd);
  memcpy(accelerated.qdd, qdd, sizeof accelerated.qdd);
  (void)gen3_fk(&at, &t->place);
  (void)gen3_fvk(&moving, &t->speed);
  (void)gen3_fak(&accelerated, &t->change);
}

/* Half the sum of r_i x d_i over the columns of two rotations: the small turn from the one to the other [rad]. */
static void turn_between(const double R[3][3], const double D[3][3], double turn[3]) {
  memset(turn, 0, 3 * sizeof *turn);
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++) {
      const int a = (k + 1) % 3, b = (k + 2) % 3;
      turn[k] += 0.5 * (R[a][i] * D[b][i] - R[b][i] * D[a][i]);
    }
}

/* F = Lambda (xdd_d + 2 w ed + w^2 e) + mu + p, of the tool an inertia Lambda on spring and damper; what the tool does not
 * see of the joints' motions follows by computed torque:
 *   tau = J^T F + (1 - J^T Jbar^T) tau_0 */
static void impedance(const double q[NJ], const double qd[NJ], const motion *to, double tau[NJ]) {
  static const double none[NJ];
  tool is, wanted;
  gen3_osim_in in = {0};
  gen3_osim_out space;
  gen3_jac_in at;
  gen3_jac_out J;
  memcpy(in.q, q, sizeof in.q), memcpy(in.qd, qd, sizeof in.qd);
  memcpy(at.q, q, sizeof at.q);
  (void)gen3_osim(&in, &space);
  (void)gen3_jac(&at, &J);
  tool_of(q, qd, none, &is);
  tool_of(to->q, to->qd, to->qdd, &wanted);
  double turn[3], x[6], F[6], tau_0[NJ];
  turn_between((const double(*)[3])is.place.pose.tool_frame.R,
               (const double(*)[3])wanted.place.pose.tool_frame.R, turn);
  for (int i = 0; i < 3; i++) {
    x[i] = wanted.change.acc.tool_frame.lin[i] +
           2 * rate * (wanted.speed.twist.tool_frame.lin[i] - is.speed.twist.tool_frame.lin[i]) +
           rate * rate * (wanted.place.pose.tool_frame.p[i] - is.place.pose.tool_frame.p[i]);
    x[3 + i] =
        wanted.change.acc.tool_frame.ang[i] +
        2 * rate * (wanted.speed.twist.tool_frame.ang[i] - is.speed.twist.tool_frame.ang[i]) +
        rate * rate * turn[i];
  }
  for (int i = 0; i < 6; i++) {
    F[i] = space.mu[i] + space.p[i];
    for (int k = 0; k < 6; k++) {
      const int row = i > k ? i : k, column = i > k ? k : i;
      F[i] += space.Lambda[row * (row + 1) / 2 + column] * x[k];
    }
  }
  computed_torque(q, qd, to, tau_0);
  for (int i = 0; i < 6; i++)
    for (int j = 0; j < NJ; j++) F[i] -= space.Jbar[j][i] * tau_0[j];
  for (int j = 0; j < NJ; j++) {
    tau[j] = tau_0[j];
    for (int i = 0; i < 3; i++)
      tau[j] += J.jac.tool_frame.lin[i][j] * F[i] + J.jac.tool_frame.ang[i][j] * F[3 + i];
  }
}

void law_torques(law which, const double q[NJ], const double qd[NJ], const motion *to,
                 double tau[NJ]) {
  static void (*const all[LAWS])(const double[NJ], const double[NJ], const motion *,
                                 double[NJ]) = {computed_torque, slotine_li, impedance};
  all[which](q, qd, to, tau);
}

double tool_apart(const double q[NJ], const double from[NJ]) {
  gen3_fk_in at;
  gen3_fk_out here, there;
  memcpy(at.q, q, sizeof at.q);
  (void)gen3_fk(&at, &here);
  memcpy(at.q, from, sizeof at.q);
  (void)gen3_fk(&at, &there);
  double sum = 0;
  for (int i = 0; i < 3; i++) sum += pow(here.pose.tool_frame.p[i] - there.pose.tool_frame.p[i], 2);
  return sqrt(sum);
}
