/* SPDX-License-Identifier: MIT */
/* wrench.h: conditioning of a measured wrench: what a sensor of force says becomes fit for a controller.
 *
 *   reading - zero of the sensor - load behind the sensor -> net -> low pass -> felt: for tasks
 *                                                             -> bound, rate -> fed: for the solver
 *
 * A reading that is wrong by 30 N from one cycle to the next otherwise is 30 N in the torques of that
 * cycle. The loop (loop.h) does all this unless its setup says `off`; the numbers that are 0 are those
 * below, and what limits the feed-forward follows from the efforts of the robot's joints. */
#ifndef ACHD_WRENCH_H
#define ACHD_WRENCH_H

#include <achd/spatial.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct achd_wrench_parameters {
  bool off; /* readings are used as they are */
  /* What hangs behind the sensor, as a gripper does, and is part of the robot's model: its weight and
   * inertia are in the reading, and are removed from it. Mass [kg]; its centre, in the tool frame [m];
   * gravity along the axes of the base, all 0: 0 0 -9.81 [m/s^2]. What is not part of the model must
   * not be removed: what it does to the robot is in the reading alone. */
  achd_real mass, centre[3], gravity[3];
  achd_real
      smoothing; /* time constant of the low pass for tasks [s]; 0: none, as controllers lose what comes late */
  achd_real feeding; /* time constant of the low pass of the feed-forward [s]; 0: 1 ms */
  achd_real share; /* of each joint's effort that the feed-forward may be; 0: 0.3; INFINITY: all */
  achd_real
      rate; /* of each joint's effort that it may change by in a second [1/s]; 0: 0.5; INFINITY */
} achd_wrench_parameters;

/* State; one that is all zero has seen no wrench, and has no tare. */
typedef struct achd_wrench_run {
  bool seen;         /* there has been a reading that was not 0 */
  achd_wrench tare;  /* zero of the sensor, along the axes of the tool frame [N, N m] */
  achd_wrench net;   /* of the environment on the tool: without tare and load; axes of the base */
  achd_wrench felt;  /* the same, low-passed with `smoothing` */
  achd_wrench slow;  /* the same, low-passed with `feeding` */
  achd_wrench fed;   /* the same, bounded and limited in its rate */
  achd_wrench mean;  /* of reading - load, along the axes of the tool, low-passed with 0.1 s */
  achd_real mean_of; /* time that it has been made of [s] */
} achd_wrench_run;

/* False: a number is negative or NaN where that has no meaning, or mass, centre or gravity is not finite. */
bool achd_wrench_valid(const achd_wrench_parameters *p);

/* Takes a reading: the wrench about the tool frame's origin, along the axes of the base. R: orientation of
 * the tool; acceleration: of the load's centre, along the axes of the base, without gravity [m/s^2]; period
 * [s]. With the load's centre r = R c and the force f = m (g - acceleration) that it exerts:
 *
 *   net = reading - R tare - (f, r x f),   felt += (net - felt) T / (T + smoothing),   slow alike
 *
 * A period that is not above 0 changes nothing but `net`. */
void achd_wrench_take(achd_wrench_run *run, const achd_wrench_parameters *p,
                      const achd_wrench *reading, const achd_rotation *R,
                      const achd_real acceleration[3], achd_real period);

/* What limits the feed-forward: by joint j, the velocity of the tool for a joint velocity of 1 (a column of
 * the Jacobian), and the effort [N m; N]. A joint whose effort is 0 or infinite is no limit. */
typedef struct achd_wrench_limits {
  int njoints;
  const achd_twist *columns;
  const achd_real *effort;
} achd_wrench_limits;

/* The largest |J_j^T wrench| / effort_j of all joints [1]. */
achd_real achd_wrench_load(const achd_wrench_limits *limits, const achd_wrench *wrench);

/* Renews `fed`: `slow`, made smaller so that no joint bears more than `share` of its effort by it, and
 * approached no faster than `rate` allows. */
void achd_wrench_feed(achd_wrench_run *run, const achd_wrench_parameters *p,
                      const achd_wrench_limits *limits, achd_real period);

/* Takes what the sensor shows now for its zero: the mean of about the last 0.1 s, during which nothing may have
 * touched the tool; nothing is felt and fed forward then. False, without any change: there have been no readings for 0.5 s. */
bool achd_wrench_tare(achd_wrench_run *run);

#ifdef __cplusplus
}
#endif

#endif
