/* SPDX-License-Identifier: MIT */
/* limit.h: accelerations that keep a motion within limits of its position, its velocity and its
 * acceleration, all at once and in time: of a joint, of a direction of a tool, and of a base in the
 * plane within a convex area. They become rows of a generated solver that are bounded on one side:
 *
 *   A^T a <= most,   nu <= 0       (layout: bounds = { -math.huge, 0 }, b = most)
 *
 * so that a solver such as achd_mclp gives up as little as possible of everything else. Where the
 * layout gives joints their limits, the generated code has the same law (`limits`, docs/layouts.md).
 *
 * And the force with which something that moves can bump into something, before it does. */
#ifndef ACHD_LIMIT_H
#define ACHD_LIMIT_H

#include <achd/real.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Limits of the motion along one direction. */
typedef struct achd_limit {
  achd_real velocity; /* largest speed, > 0; infinite: none [m/s, rad/s] */
  achd_real braking;  /* deceleration that a stop counts on, > 0 [m/s^2, rad/s^2] */
  achd_real most; /* largest acceleration of either sign, no less than `braking`; infinite: none */
  achd_real rate; /* of the way back from beyond a limit, > 0, no more than 1 / period [1/s] */
  achd_real period; /* of the control, in which the acceleration stays, > 0 [s] */
} achd_limit;

/* The largest acceleration towards a limit of the position at the distance d (negative: beyond it;
 * infinite: none) at the speed v towards it. Over the period h it brings the speed to no more than
 *
 *   w = min(velocity, (S - a h) / 2),   S = sqrt((a h)^2 + 8 a (d - h v / 2)),   a = braking
 *
 * which is the speed from which braking with a still stops at the limit, w^2 = 2 a (d - h (v + w) / 2);
 * from beyond, w = -rate times what it is beyond. Clamped to +-most: who comes too fast for `most` goes
 * beyond. (Del Prete, Joint position and velocity bounds in discrete-time acceleration/torque control of
 * robot arms, IEEE Robotics and Automation Letters 3, 2018.) Returns false, with 0, if a number is
 * NaN or senseless. */
bool achd_limit_most(const achd_limit *limit, achd_real distance, achd_real speed,
                     achd_real *acceleration);

/* The distance in which a speed towards the limit can be braked to rest, v^2 / (2 a), which begins after
 * the present period: + h v. 0 at speeds away from it, infinite where a number is NaN or senseless. */
achd_real achd_limit_stop(const achd_limit *limit, achd_real speed);

/* ---- a base in the plane ---- */

/* A convex area of the plane, by its corners, counter-clockwise seen from above [m]. */
typedef struct achd_area {
  int corners; /* 3 at least */
  const achd_real (*corner)[2];
} achd_area;

/* What of the base has to stay inside: points on it, along its own axes, each with a disc around it. */
typedef struct achd_outline {
  int points; /* 1 at least */
  const achd_real (*point)[2];
  achd_real radius; /* >= 0 [m] */
} achd_outline;

/* A row: direction . (x, y, yaw) of the base's acceleration, along the axes of the world, <= most. */
typedef struct achd_area_row {
  achd_real direction[3]; /* of the velocity of a point per velocity of the base: 1, 1, [m] */
  achd_real most;
  achd_real distance; /* from the point to the side, negative outside [m] */
} achd_area_row;

/* Rows that keep the outline inside the area, point by point and of each side by side: points x
 * corners. pose and twist of the base: x, y, yaw in the world. A point c of the base that is seen at R c
 * from its origin moves along the outward normal n of a side with the acceleration
 *
 *   n . a + (n . z x R c) yaw'' - yaw'^2 n . R c
 *
 * Returns false, with rows of 0 (they ask for nothing that moves), if a number is NaN or senseless, a
 * side has no length, or the corners are not convex and counter-clockwise. */
bool achd_area_rows(const achd_area *area, const achd_outline *outline, const achd_limit *limit,
                    const achd_real pose[3], const achd_real twist[3], achd_area_row rows[]);

/* The row that keeps the base's origin below the speed limit->velocity: along the direction in which it
 * moves. What turns it within the period h adds (h a)^2 / (2 velocity). Returns as above. */
bool achd_area_speed(const achd_limit *limit, const achd_real twist[3], achd_area_row *row);

/* ---- bumps ---- */

/* What gives way at a bump: a spring with a damper. */
typedef struct achd_bumper {
  achd_real stiffness; /* > 0 [N/m] */
  achd_real damping;   /* >= 0 [N s/m] */
} achd_bumper;

/* A bound of the force f = k x + c x' with which a mass M that comes with a speed v >= 0, and is driven
 * with no more than a force F >= 0, pushes its bumper: the smaller one of
 *
 *   F + max(v, F / c) max(c, k M / c)                    f' <= k x' + c / M (F - f), x' <= max(v, F / c)
 *   F + (sqrt(k M) + c) sqrt(v^2 + F^2 / (k M))          energy, from the touch to the first rest
 *
 * The F in front is not in f itself; it is what a contact holds at once that lets nothing in (that of
 * MuJoCo does). Infinite if a number is NaN or senseless. */
achd_real achd_bump_force(const achd_bumper *bumper, achd_real mass, achd_real speed,
                          achd_real drive);

/* The largest speed of which achd_bump_force is no more than `force`; 0 where there is none. */
achd_real achd_bump_speed(const achd_bumper *bumper, achd_real mass, achd_real force,
                          achd_real drive);

#ifdef __cplusplus
}
#endif

#endif
