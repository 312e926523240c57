/* SPDX-License-Identifier: MIT */
/* vehicle.h: vehicles on wheels whose places on the base are known, plain, steered or mecanum: from a
 * wrench on the base to torques of the wheels, and from the wheels' velocities to the base's twist.
 * (platform.h: drives that turn freely about a pivot.)
 *
 * Axes of the base: x forward, y to the left. A wheel stands at x, y; its heading is the angle,
 * counter-clockwise seen from above, from the base's x to the direction in which a positive velocity
 * rolls: 0 on a differential drive, the measured angle of a steered wheel. Without rollers a wheel
 * does not slip sideways. With rollers (mecanum, omnidirectional) the ground pushes along the axis of
 * the roller that touches it, at the angle `roller` from the heading: 45 degrees either way on
 * mecanum wheels, 0 on omnidirectional ones.
 *
 * With the velocity v of the wheel's centre over the ground, heading e, sideways s and the roller's
 * axis u (e itself without rollers), the wheel rolls with
 *
 *   u v = radius rate (u e),   and without rollers   s v = 0
 *
 * and a torque pushes the base along u with torque / (radius (u e)). (Siegwart, Nourbakhsh,
 * Introduction to Autonomous Mobile Robots, 2004, chapter 3.) */
#ifndef ACHD_VEHICLE_H
#define ACHD_VEHICLE_H

#include <achd/real.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct achd_wheel {
  achd_real x, y;    /* where it stands on the base [m] */
  achd_real radius;  /* above 0 [m] */
  achd_real heading; /* [rad] */
  bool rollers;
  achd_real roller; /* from the heading to the axis of the roller, below a right angle [rad] */
} achd_wheel;

typedef struct achd_vehicle {
  int count;
  const achd_wheel *wheels;
} achd_vehicle;

/* Twist of the base, about its origin and along its axes: x, y [m/s], yaw [rad/s], from the velocities
 * of the wheels [rad/s]: the one with the least sum of squared differences from the equations above;
 * of several such twists (a single plain wheel) the smallest, yaw measured at the distance of the
 * wheels. Returns false, with a twist of 0, if a number is not finite, a radius not above 0 or a
 * roller at a right angle. */
bool achd_vehicle_twist(const achd_vehicle *vehicle, const achd_real rates[], achd_real twist[3]);

/* Velocities [rad/s] with which the wheels roll under a twist of the base. Returns false, all 0, as
 * above. Wheels without rollers that the twist pushes sideways would slip: see missed. missed: the
 * largest sideways velocity [m/s]. */
bool achd_vehicle_rates(const achd_vehicle *vehicle, const achd_real twist[3], achd_real rates[],
                        achd_real *missed);

/* Torques of the wheels [N m] that push the base with a wrench, force x, y [N] and moment about the
 * origin [N m]: the smallest ones, which are unique. missed[3]: what of the wrench the motors cannot
 * exert (sideways on a differential drive, where the ground holds the wheels). Returns false, all 0,
 * as above. */
bool achd_vehicle_torques(const achd_vehicle *vehicle, const achd_real wrench[3],
                          achd_real torques[], achd_real missed[3]);

#ifdef __cplusplus
}
#endif

#endif
