/* SPDX-License-Identifier: MIT */
/* move.h: motions of joints within limits of position, velocity, acceleration and jerk: moves to rest in
 * the shortest time, from rest or from the middle of another motion, with all joints arriving together; and
 * paths through points.
 *
 *   achd_move_profile profiles[GEN3_NJ];
 *   achd_move move = {GEN3_NJ, profiles, 0};
 *   if (achd_move_plan(&move, limits, from, home) != ACHD_MOVE_OK) { say so; }
 *   for (t = 0; t < move.duration; t += period) achd_move_at(&move, t, want);      in every cycle
 *
 * Sources: Biagiotti, Melchiorri, Trajectory planning for automatic machines and robots, Springer 2008
 * (double S, section 3.4); Haschke, Weitnauer, Ritter, On-line planning of time-optimal, jerk-limited
 * trajectories, IROS 2008. */
#ifndef ACHD_MOVE_H
#define ACHD_MOVE_H

#include <achd/real.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { ACHD_MOVE_JOINTS = 32 }; /* largest number of joints */

/* Limits of a joint. */
typedef struct achd_move_limits {
  achd_real lower, upper; /* of its position; -infinity, infinity: none [rad; m] */
  achd_real velocity;     /* largest speed, > 0 [rad/s; m/s] */
  achd_real acceleration; /* largest acceleration of either sign, > 0 [rad/s^2; m/s^2] */
  achd_real jerk;         /* largest change of the acceleration, > 0 [rad/s^3; m/s^3] */
} achd_move_limits;

/* What a joint does at a time. */
typedef struct achd_move_state {
  achd_real q, qd, qdd; /* [rad; m], and per s, s^2 */
} achd_move_state;

typedef enum achd_move_status {
  ACHD_MOVE_OK,
  ACHD_MOVE_BEYOND,   /* somewhere on the way a joint is beyond a limit of its position */
  ACHD_MOVE_BAD_INPUT /* a number is NaN or senseless: nothing is planned */
} achd_move_status;

/* ---- a move to rest ---- */

/* A joint's motion: phases of constant jerk. To another velocity, 0 to 2; along with it, 3; to the last one, 4 to 6. */
typedef struct achd_move_profile {
  achd_move_state from;
  achd_real to,
      through; /* where it ends [rad; m], and with which velocity: 0, but between points of a path */
  achd_real time[7], jerk[7]; /* of each phase, >= 0 [s], [rad/s^3; m/s^3] */
} achd_move_profile;

typedef struct achd_move {
  int njoints;                /* 1 to ACHD_MOVE_JOINTS */
  achd_move_profile *profile; /* of each joint; the caller's memory */
  achd_real duration;         /* until all joints rest [s] */
} achd_move;

/* Plans a move from the joints' states `from` to rest at `to`, in the shortest time in which the last joint
 * can come to rest; the others take as long: those that begin at rest by slowing down their fastest motion,
 * which keeps its limits by a lower velocity, acceleration and jerk; those that move already by a lower
 * velocity, and where that is not possible they arrive earlier. Who begins faster than a limit allows comes
 * within it first, by as much jerk as there may be.
 *
 * BEYOND: `to` is beyond a limit of the position, and nothing is planned but a rest at `from`; or the speed at
 * the beginning is so large that a limit is passed before the joint can turn: then the move passes it by as
 * little as can be, and stands as planned. After BAD_INPUT the profiles are a rest at `from`, or at 0 where
 * that is not finite. */
achd_move_status achd_move_plan(achd_move *move, const achd_move_limits limits[],
                                const achd_move_state from[], const achd_real to[]);

/* What the joints do at the time t since the beginning [s]: before it and for NaN what they begin with, after
 * the duration a rest at the goal. state[njoints] */
void achd_move_at(const achd_move *move, achd_real t, achd_move_state state[]);

/* ---- a path through points ---- */

/* A path of joint positions that stands at its first and its last point. It passes each of the others exactly, without
 * an acceleration and with velocities that make the path short; joints that turn round at a point stop there. */
typedef struct achd_move_path {
  int njoints, npoints; /* of the joints, of the points: 2 at least */
  achd_move_profile
      *profile;       /* [npoints - 1][njoints], from each point to the next; the caller's memory */
  achd_real duration; /* [s] */
} achd_move_path;

/* Plans a path through points[npoints][njoints] within the limits: moves from point to point whose velocities at the points
 * are raised from 0 as long as that saves time, so that it is no longer than with a stop at every point. This
 * takes milliseconds: not for a control cycle. BEYOND: a point, or what is between two, is beyond a limit of the position.
 * Points in a row that are equal in all joints are BAD_INPUT. A path that is not planned has the duration 0, and rests at its
 * first point, or at 0 where that is not finite. */
achd_move_status achd_move_path_plan(achd_move_path *path, const achd_move_limits limits[],
                                     const achd_real points[]);

/* As achd_move_at. */
void achd_move_path_at(const achd_move_path *path, achd_real t, achd_move_state state[]);

/* The time at which the path passes point k, 0 to npoints - 1 [s]; 0 for any other k. */
achd_real achd_move_path_time(const achd_move_path *path, int k);

#ifdef __cplusplus
}
#endif

#endif
