/* SPDX-License-Identifier: MIT */
/* predict.h: prediction of the pose of a frame, and of the limits that a joint will reach. */
#ifndef ACHD_PREDICT_H
#define ACHD_PREDICT_H

#include <achd/spatial.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Predicts the pose of a frame after a time t = horizon [s] from its present twist (Vukcevic 2020):
 *
 *   p + v t,   R exp(R^T w t)
 *
 * v: linear velocity [m/s], w: angular velocity [rad/s]. If `acceleration` is not NULL, it is
 * constant over the horizon, and v t + 1/2 a t^2 and w t + 1/2 wd t^2 replace v t and w t. Pose,
 * twist and acceleration [m/s^2, rad/s^2] are those of the frame's origin with respect to the base,
 * along the axes of the base. A controller that uses the predicted pose is damped by the
 * prediction. */
void achd_pose_predict(const achd_pose *pose, const achd_twist *twist,
                       const achd_twist *acceleration, achd_real horizon, achd_pose *predicted);

/* Limits of a joint: position [rad; m] and magnitude of the velocity [rad/s; m/s]. INFINITY: no
 * limit. */
typedef struct achd_joint_limits {
  achd_real lower, upper, velocity;
} achd_joint_limits;

/* Limits that a joint reaches, as bits. */
enum achd_joint_event {
  ACHD_JOINT_FREE = 0,
  ACHD_JOINT_LOWER = 1,
  ACHD_JOINT_UPPER = 2,
  ACHD_JOINT_VELOCITY = 4,
  ACHD_JOINT_NOT_FINITE = 8 /* q, qd or qdd is NaN or infinite */
};

/* Returns the bits of all limits that a joint exceeds now or within the next two periods [s], with
 * its position q [rad; m], velocity qd [rad/s; m/s] and constant acceleration qdd [rad/s^2; m/s^2]
 * (Vukcevic 2020). A joint at or beyond a position limit that moves back, or starts to from rest,
 * does not count as exceeding it. */
unsigned achd_joint_ahead(const achd_joint_limits *limits, achd_real q, achd_real qd, achd_real qdd,
                          achd_real period);

/* The same, and also the bit of a position limit that is nearer than the distance in which the
 * joint can be braked to rest, qd^2 / (2 deceleration).
 *
 * deceleration: what the brake achieves with any posture and load, > 0 [rad/s^2; m/s^2]. If it is
 * 0, negative or NaN, the braking distance is not checked. */
unsigned achd_joint_braking(const achd_joint_limits *limits, achd_real deceleration, achd_real q,
                            achd_real qd, achd_real qdd, achd_real period);

#ifdef __cplusplus
}
#endif

#endif
