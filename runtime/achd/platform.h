/* SPDX-License-Identifier: MIT */
/* platform.h: platforms on drives with two wheels each, such as KELO's: from the forces that the drives
 * exert on the base to torques of the wheels, and from the wheels' velocities to the base's twist.
 *
 * A drive turns freely about its pivot, a vertical axis of the base. Its two wheels are `distance`
 * apart, their common axis is behind the pivot by the castor offset. By steering with the difference
 * of its wheels a drive can push its pivot in any direction, in any of its orientations (Holmberg and
 * Khatib, Development and control of a holonomic mobile robot for mobile manipulation tasks,
 * International Journal of Robotics Research 19, 2000).
 *
 * Axes of the base: x forward, y to the left. Axes of a drive: the same, turned by the angle of its
 * pivot, counter-clockwise seen from above. Arrays of wheels have two elements for each drive, the
 * right wheel, then the left one; the wheels' axes point outward, so that a positive velocity of the
 * left wheel rolls forward, one of the right wheel backward.
 *
 * Which forces the drives have to exert on the base, at their pivots, is computed by a generated
 * solver, see robots/platforms/robile.lua and robots/platforms/platform.lua. */
#ifndef ACHD_PLATFORM_H
#define ACHD_PLATFORM_H

#include <achd/real.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { ACHD_PLATFORM_DRIVES = 16 }; /* at most */

typedef struct achd_drive_geometry {
  achd_real radius;   /* of a wheel [m] */
  achd_real distance; /* between the wheels of a drive [m] */
  achd_real offset;   /* from the wheels' axis forward to the pivot, not 0 [m] */
} achd_drive_geometry;

typedef struct achd_platform {
  int drives;
  const achd_real (*pivots)[2]; /* where the pivot of each drive is on the base: x, y [m] */
  achd_drive_geometry drive;
} achd_platform;

/* Forces f of the wheels on the ground, positive in the direction in which a wheel with a positive
 * velocity rolls [N], that exert a force on the base at the pivot, along the axes of the drive [N]:
 *
 *   f_right = -1/2 force_x - offset/distance force_y
 *   f_left  =  1/2 force_x - offset/distance force_y
 *
 * wheels: right, left. This neglects the inertia of the drive. */
void achd_drive_wheel_forces(const achd_drive_geometry *drive, const achd_real force[2],
                             achd_real wheels[2]);

/* The inverse: force_x = f_left - f_right, force_y = -1/2 distance/offset (f_left + f_right). */
void achd_drive_pivot_force(const achd_drive_geometry *drive, const achd_real wheels[2],
                            achd_real force[2]);

/* Velocity of the pivot along the axes of the drive [m/s], from the velocities v of the wheels where
 * they touch the ground, without slip [m/s]:
 *
 *   velocity_x = 1/2 (v_left - v_right),   velocity_y = -offset/distance (v_left + v_right) */
void achd_drive_pivot_velocity(const achd_drive_geometry *drive, const achd_real wheels[2],
                               achd_real velocity[2]);

/* Torques of all wheels [N m] from the forces that the drives are to exert on the base: x and y of each
 * pivot, along the axes of the base [N] (nu of the generated solver). angles: of the pivots [rad].
 * Returns false, with all torques 0, if one is not finite. */
bool achd_platform_wheel_torques(const achd_platform *platform, const achd_real *angles,
                                 const achd_real *forces, achd_real *torques);

/* Twist of the base, about its origin and along its axes: x, y [m/s], yaw [rad/s], from the velocities
 * of the wheels [rad/s] and the angles of the pivots [rad]. Of several drives the twist with the least
 * sum of squared differences between the velocities of the pivots; of one drive, yaw is 0. Returns
 * false, with a twist of 0, if a velocity or an angle is not finite. */
bool achd_platform_twist(const achd_platform *platform, const achd_real *angles,
                         const achd_real *wheel_velocities, achd_real twist[3]);

/* Pose after a time [s] of constant twist: x, y of the base's origin [m] and its yaw [rad] in the
 * world. Returns false, and leaves the pose as it was, if a number is not finite. */
bool achd_platform_advance(achd_real pose[3], const achd_real twist[3], achd_real time);

#ifdef __cplusplus
}
#endif

#endif
