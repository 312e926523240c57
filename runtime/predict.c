/* SPDX-License-Identifier: MIT */
/* predict.c: see achd/predict.h */
#include <achd/predict.h>

#include <stddef.h>

void achd_pose_predict(const achd_pose *pose, const achd_twist *twist,
                       const achd_twist *acceleration, achd_real horizon, achd_pose *predicted) {
  const achd_real half_square = horizon * horizon / 2;
  achd_real turn[3];
  for (int i = 0; i < 3; i++) {
    predicted->p[i] = pose->p[i] + twist->lin[i] * horizon;
    turn[i] = twist->ang[i] * horizon;
    if (acceleration == NULL) continue;
    predicted->p[i] += acceleration->lin[i] * half_square;
    turn[i] += acceleration->ang[i] * half_square;
  }
  achd_rotation step; /* exp(w t) R = R exp(R^T w t) */
  achd_rotation_exp(turn, &step);
  achd_rotation_product(&step, &pose->R, &predicted->R);
}

/* Whether a joint that stands at or beyond a limit is on its way back: it moves there, or it begins
 * to. `side` is 1 for the upper limit, -1 for the lower. */
static bool leads_back(int side, achd_real qd, achd_real qdd) {
  const int way = achd_sign(qd) != 0 ? achd_sign(qd) : achd_sign(qdd);
  return way == -side;
}

static unsigned met(const achd_joint_limits *limits, achd_real q, achd_real qd, achd_real qdd) {
  unsigned bits = ACHD_JOINT_FREE;
  if (q <= limits->lower && !leads_back(-1, qd, qdd)) bits |= ACHD_JOINT_LOWER;
  if (q >= limits->upper && !leads_back(1, qd, qdd)) bits |= ACHD_JOINT_UPPER;
  if (qd >= limits->velocity || qd <= -limits->velocity) bits |= ACHD_JOINT_VELOCITY;
  return bits;
}

unsigned achd_joint_braking(const achd_joint_limits *limits, achd_real deceleration, achd_real q,
                            achd_real qd, achd_real qdd, achd_real period) {
  if (!achd_finite(q) || !achd_finite(qd) || !achd_finite(qdd) || !achd_finite(period))
    return ACHD_JOINT_NOT_FINITE;
  unsigned bits = met(limits, q, qd, qdd);
  for (int step = 0; step < 2; step++) {
    q += qd * period + qdd * period * period / 2;
    qd += qdd * period;
    bits |= met(limits, q, qd, qdd);
  }
  if (!(deceleration > 0)) return bits;
  const achd_real distance = qd * qd / (2 * deceleration);
  if (qd < 0 && q - distance <= limits->lower) bits |= ACHD_JOINT_LOWER;
  if (qd > 0 && q + distance >= limits->upper) bits |= ACHD_JOINT_UPPER;
  return bits;
}

unsigned achd_joint_ahead(const achd_joint_limits *limits, achd_real q, achd_real qd, achd_real qdd,
                          achd_real period) {
  return achd_joint_braking(limits, 0, q, qd, qdd, period);
}
