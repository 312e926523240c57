/* predict.h: where a frame or a joint will be if it goes on as it goes now. */
#ifndef ACHD_PREDICT_H
#define ACHD_PREDICT_H

#include <achd/spatial.h>

#ifdef __cplusplus
extern "C" {
#endif

/* One step of constant twist over a horizon [s], position and orientation apart (Vukcevic 2020):
 *
 *   p + v t,   R exp(R^T w t)        w: angular velocity, R^T w: the same along the body's axes
 *
 * and where `acceleration` is not NULL, v t + 1/2 a t^2 and w t + 1/2 wd t^2 in their places. The
 * pose, the twist and the acceleration [m/s^2, rad/s^2] are those of a frame with respect to the
 * base, of its origin, along the base's axes. A controller that acts on the predicted pose is
 * damped by it. */
void achd_pose_predict(const achd_pose *pose, const achd_twist *twist,
                       const achd_twist *acceleration, achd_real horizon, achd_pose *predicted);

/* Limits of a joint: position [rad; m] and magnitude of the velocity [rad/s; m/s]. INFINITY for
 * none. */
typedef struct achd_joint_limits {
  achd_real lower, upper, velocity;
} achd_joint_limits;

/* What a joint comes to, as bits. */
enum achd_joint_event {
  ACHD_JOINT_FREE = 0,
  ACHD_JOINT_LOWER = 1,
  ACHD_JOINT_UPPER = 2,
  ACHD_JOINT_VELOCITY = 4,
  ACHD_JOINT_NOT_FINITE = 8 /* the state or the acceleration is no number */
};

/* Integrates a joint's acceleration qdd [rad/s^2; m/s^2] over two periods [s] and examines position
 * and velocity now and after each (Vukcevic 2020): the bits of all limits that are met now or then.
 * At or beyond a limit of its position a joint that moves back, or from rest begins to, is free. */
unsigned achd_joint_ahead(const achd_joint_limits *limits, achd_real q, achd_real qd, achd_real qdd,
                          achd_real period);

/* The same, and besides whether a joint that is braked from then on comes to rest before the limit
 * that it moves to: its braking distance is
 *
 *   qd^2 / (2 deceleration)
 *
 * deceleration: that the joint has with any posture and load, > 0 [rad/s^2; m/s^2]; 0 or less, or
 * NaN: the distance is not looked at. */
unsigned achd_joint_braking(const achd_joint_limits *limits, achd_real deceleration, achd_real q,
                            achd_real qd, achd_real qdd, achd_real period);

#ifdef __cplusplus
}
#endif

#endif
