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

static unsigned met(const achd_joint_limits *limits, achd_real q, achd_real qd) {
  unsigned bits = ACHD_JOINT_FREE;
  if (q <= limits->lower) bits |= ACHD_JOINT_LOWER;
  if (q >= limits->upper) bits |= ACHD_JOINT_UPPER;
  if (qd >= limits->velocity || qd <= -limits->velocity) bits |= ACHD_JOINT_VELOCITY;
  return bits;
}

unsigned achd_joint_ahead(const achd_joint_limits *limits, achd_real q, achd_real qd, achd_real qdd,
                          achd_real period) {
  if (!achd_finite(q) || !achd_finite(qd) || !achd_finite(qdd) || !achd_finite(period))
    return ACHD_JOINT_NOT_FINITE;
  unsigned bits = met(limits, q, qd);
  for (int step = 0; step < 2; step++) {
    q += qd * period + qdd * period * period / 2;
    qd += qdd * period;
    bits |= met(limits, q, qd);
  }
  return bits;
}
