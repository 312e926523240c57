/* SPDX-License-Identifier: MIT */
/* base.h: where the moving base of a robot on legs is, from an inertial measurement unit, its joints, and feet that
 * stand: an
 * error-state Kalman filter of position, velocity, orientation, the biases of the unit, and the places of the feet,
 * with its
 * covariance. It needs of a generated header fk, and jac where the noise of joint angles counts, both with the
 * quaternion
 * 1, 0, 0, 0: then their axes are those of the base.
 *
 * A foot that stands does not move, so that its place seen from the base tells how the base moves. Of a foot that
 * moves
 * though it should stand, the reading does not fit what is expected (Mahalanobis distance): it is left out, until
 * it has
 * stood again for a while. What no foot can tell are position and heading: their errors grow for ever, and so does
 * their
 * covariance. Tilt, velocity along the base's axes and biases are observable.
 *
 * Error coordinates, of true less estimated values, with R = exp(theta) R_estimated:
 *   p - p',  v - exp(theta) v',  theta,  biases of acceleration and rate,  d_k - exp(theta) d_k'  for every foot,
 * d_k its place from that of the base along the world's axes. In these, what a foot tells does not depend on the
 * estimate,
 * so that the filter does not believe to have learnt the heading.
 *
 * Sources: Bloesch, Hutter, Hoepflinger, Leutenegger, Gehring, Remy, Siegwart, State estimation for legged robots:
 * consistent
 * fusion of leg kinematics and IMU, Robotics: Science and Systems 2012; Hartley, Ghaffari, Eustice, Grizzle,
 * Contact-aided
 * invariant extended Kalman filtering for robot state estimation, International Journal of Robotics Research 39
 * (2020). */
#ifndef ACHD_BASE_H
#define ACHD_BASE_H

#include <achd/real.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
  ACHD_BASE_FEET = 6,                        /* at most */
  ACHD_BASE_STATES = 15 + 3 * ACHD_BASE_FEET /* errors at most: 15, and 3 of each foot */
};

/* Where the errors begin in the covariance; those of foot k at ACHD_BASE_FOOT + 3 k. Each has x, y, z, along the
 * world's
 * axes; biases along the unit's. */
enum {
  ACHD_BASE_POSITION = 0,
  ACHD_BASE_VELOCITY = 3,
  ACHD_BASE_TURN = 6,
  ACHD_BASE_ACC_BIAS = 9,
  ACHD_BASE_RATE_BIAS = 12,
  ACHD_BASE_FOOT = 15
};

/* The unit's noise as its data sheet has it, white noise by its density. All > 0, gravity and joint_noise >= 0. */
typedef struct achd_base_parameters {
  int feet;              /* 1 to ACHD_BASE_FEET */
  achd_real gravity;     /* along -z of the world [m/s^2] */
  achd_real acc_noise;   /* of acceleration [m/s^2 per root Hz] */
  achd_real rate_noise;  /* of angular rate [rad/s per root Hz] */
  achd_real acc_offset;  /* standard deviation of its bias after power-on [m/s^2] */
  achd_real acc_walk;    /* how fast that changes [m/s^3 per root Hz] */
  achd_real rate_walk;   /* the same of the rate's [rad/s^2 per root Hz] */
  achd_real slip;        /* of a foot that stands: its velocity as white noise [m/s per root Hz] */
  achd_real place_noise; /* standard deviation of a foot's place seen from the base [m] */
  achd_real joint_noise; /* that of a joint's angle, with the foot's Jacobian [rad] */
  achd_real
      gate; /* largest square of the Mahalanobis distance, of three numbers: 16.3 for one in 1000 */
  achd_real settle; /* how long a foot that has slipped has to stand until it counts again [s] */
} achd_base_parameters;

/* What a foot tells. */
typedef struct achd_base_foot {
  bool stands;        /* it bears on the ground, as far as is known */
  achd_real place[3]; /* of a point of it from the base, along the base's axes [m]: fk */
  achd_real rolls
      [3]; /* velocity of that point over the ground while the foot stands, base's axes [m/s]: of the middle of a
                         ball of radius r, (its angular velocity) x r (normal); else 0 */
  const achd_real *
      jac; /* 3 x joints by rows, base's axes: jac, from its first joint on; NULL: joint_noise is left out */
  int joints, row; /* columns, and numbers from row to row */
} achd_base_foot;

typedef struct achd_base_input {
  achd_real acc[3];  /* specific force, base's axes: 0, 0, g at rest and upright [m/s^2] */
  achd_real rate[3]; /* angular velocity, base's axes [rad/s] */
  achd_real period;  /* since the last step, > 0 [s]; at most 0.1 */
  const achd_base_foot *feet;
} achd_base_input;

/* What a step tells, as bits. */
enum achd_base_status {
  ACHD_BASE_OK = 0,
  ACHD_BASE_NO_FOOT = 1,    /* no foot counts: the base is where the unit alone says */
  ACHD_BASE_SLIPS = 2,      /* a foot that should stand is left out */
  ACHD_BASE_NOT_FINITE = 4, /* an input is NaN or infinite: nothing has changed */
  ACHD_BASE_BAD_INPUT =
      8, /* a period or parameter that is none, or the filter has not been started: nothing has changed */
  ACHD_BASE_LOST = 16 /* the numbers became infinite: it has to be started again */
};

typedef struct achd_base {
  achd_real p[3], v[3];                              /* place and velocity, world's axes [m, m/s] */
  achd_real quat[4];                                 /* rotation in the world: w x y z */
  achd_real R[3][3];                                 /* the same, by rows */
  achd_real acc_bias[3], rate_bias[3];               /* [m/s^2, rad/s] */
  achd_real w[3];                                    /* angular velocity, world's axes [rad/s] */
  achd_real d[ACHD_BASE_FEET][3];                    /* feet from the base, world's axes [m] */
  achd_real P[ACHD_BASE_STATES][ACHD_BASE_STATES];   /* covariance of the errors */
  bool known[ACHD_BASE_FEET], slips[ACHD_BASE_FEET]; /* foot k has a place; it is left out */
  achd_real stood[ACHD_BASE_FEET];                   /* since it slipped [s] */
  achd_real distance[ACHD_BASE_FEET]; /* square of the Mahalanobis distance of its last reading */
  int feet;                           /* 0: not started */
  unsigned status;                    /* of the last step */
} achd_base;

/* Readings of the unit at rest, and where that is. */
typedef struct achd_base_rest {
  achd_real acc[3], rate[3]; /* their means, base's axes [m/s^2, rad/s] */
  achd_real duration;        /* over so long, > 0 [s] */
  achd_real p[3], heading;   /* place in the world [m]; angle of the base's x axis about z [rad] */
} achd_base_rest;

/* Starts from readings at rest, which tell the tilt and the bias of the rate. Returns false, and a filter that is
 * not started,
 * where numbers are none, and where the base is upside down. */
bool achd_base_start(achd_base *base, const achd_base_parameters *parameters,
                     const achd_base_rest *rest);

/* One step: what the unit says moves the base, and what the feet say corrects it. Returns the status. It does
 * not allocate. Its largest frames on the stack, of two functions that do not call one another, have 1.7 KB and 1.2 KB
 * in double; in float (ACHD_SINGLE) its one frame has 1.1 KB (gcc 12 -O2 -fstack-usage, x86-64). */
unsigned achd_base_step(achd_base *base, const achd_base_parameters *parameters,
                        const achd_base_input *input);

#ifdef __cplusplus
}
#endif

#endif
