/* SPDX-License-Identifier: MIT */
/* observer.h: what touches an arm without a sensor of force: a momentum observer, detection of contacts
 * with bounds, the wrench of one contact, and how to react. It needs the function `momentum` of a generated
 * header (p = M qd and beta = C^T qd - g, with which dp/dt = tau + beta + torques from outside), and for
 * wrenches the function `jac`.
 *
 * What the observer tells is all that the model does not have: a wrong mass or friction looks like a contact
 * that is always there. Identify the model first, and calibrate the bounds on logs without contact
 * (achd-observe calibrate).
 *
 * Sources: De Luca, Mattone, Actuator failure detection and isolation using generalized momenta, ICRA 2003;
 * De Luca, Albu-Schaeffer, Haddadin, Hirzinger, Collision detection and safe reaction with the DLR-III
 * lightweight manipulator arm, IROS 2006; Haddadin, De Luca, Albu-Schaeffer, Robot collisions: a survey on
 * detection, isolation, and identification, IEEE Transactions on Robotics 33 (2017). */
#ifndef ACHD_OBSERVER_H
#define ACHD_OBSERVER_H

#include <achd/real.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { ACHD_OBSERVER_JOINTS = 32 }; /* largest number of joints */

/* ---- the torques of contacts ---- */

/* Friction that the model of the observer has, against the motion of a joint:
 *   viscous qd + coulomb sat(qd / speed) */
typedef struct achd_observer_joint {
  achd_real gain;    /* K: bandwidth of the observer, > 0 [1/s] */
  achd_real viscous; /* [N m s/rad; N s/m] */
  achd_real coulomb; /* [N m; N] */
  achd_real speed;   /* below which dry friction grows with qd [rad/s; m/s]; 0: no dry friction */
  achd_real offset;  /* torque that acts beside the commanded one, as a sensor's zero [N m; N] */
} achd_observer_joint;

/* Why a step has no result, as bits. */
enum achd_observer_status {
  ACHD_OBSERVER_OK = 0,
  ACHD_OBSERVER_STARTED = 1,    /* the first step after a reset: there is no step before it */
  ACHD_OBSERVER_STALE = 2,      /* the reading is missing or old: the observer has been reset */
  ACHD_OBSERVER_NOT_FINITE = 4, /* an input is NaN or infinite, or became so: reset */
  ACHD_OBSERVER_BAD_INPUT = 8   /* too many joints, a gain or period that is not above 0: reset */
};

/* What an update needs. */
typedef struct achd_observer_input {
  const achd_real *p, *beta; /* of the function `momentum`, with the reading of this cycle */
  const achd_real *qd;       /* joint velocity [rad/s; m/s] */
  const achd_real *tau;      /* torques of the joints from the last update until now [N m; N] */
  achd_real period;          /* time since the last update, > 0 [s] */
  bool fresh;                /* false: there is no new reading */
} achd_observer_input;

/* State of the observer. One that has been reset is all zero. */
typedef struct achd_observer {
  achd_real tau_ext[ACHD_OBSERVER_JOINTS]; /* joint torques of what touches the robot [N m; N] */
  achd_real p[ACHD_OBSERVER_JOINTS], held[ACHD_OBSERVER_JOINTS]; /* of the last update */
  bool running;                                                  /* there has been one */
  unsigned status;                                               /* of the last one */
} achd_observer;

/* Forgets everything. */
void achd_observer_reset(achd_observer *observer);

/* Updates tau_ext, the momentum observer r of the literature:
 *
 *   dr/dt = K (tau_ext - r),   tau_ext = dp/dt - tau - beta
 *
 * by the implicit rule, which is stable for every gain and period T, and forgets nothing of p:
 *
 *   r' = r / (1 + K T) + K T / (1 + K T) ((p' - p) / T - tau - (beta' + beta) / 2)
 *
 * Noise of p of standard deviation s becomes one of K s sqrt(2 / ((1 + K T) (2 + K T))) in r. Returns the status; with any bit
 * set tau_ext is 0. */
unsigned achd_observer_step(achd_observer *observer, const achd_observer_joint joints[],
                            int njoints, const achd_observer_input *input);

/* ---- whether something touches the robot ---- */

/* Largest |tau_ext| of a joint without a contact:
 *   constant + by_speed |qd| + by_acceleration |qdd| */
typedef struct achd_contact_bound {
  achd_real constant;        /* > 0 [N m; N] */
  achd_real by_speed;        /* >= 0 [N m s/rad; N s/m] */
  achd_real by_acceleration; /* >= 0 [kg m^2; kg] */
} achd_contact_bound;

typedef struct achd_contact_parameters {
  int njoints;
  const achd_contact_bound *bounds; /* of each joint */
  int cycles; /* in a row that tau_ext of a joint has to be above its bound: a contact; at least 1 */
  int settle; /* cycles after that in which joints farther outward may still be found to feel it */
} achd_contact_parameters;

/* State of the detection. One that has been released is all zero. */
typedef struct achd_contact {
  int above[ACHD_OBSERVER_JOINTS]; /* cycles in a row above the bound */
  bool found;                      /* latched, until released */
  int since;                       /* cycles since then */
  int joint;     /* the last joint that feels it, from 0 on; its link, or one beyond, is touched */
  uint32_t felt; /* bit j: joint j has been above its bound for long enough */
} achd_contact;

/* Forgets what has been found. */
void achd_contact_release(achd_contact *contact);

/* Compares |tau_ext| with the bounds; qdd: NULL where no bound grows with it. Returns whether a contact has been found, now
 * or since it was released: an event of the loop. A force on a link is felt by the joints before it and by no joint beyond:
 * `joint` is the last that feels it, in the order of the joints, in which those that carry others come first. Numbers that
 * are NaN count as above their bounds; a bound that is not above 0 in this cycle, or no or too many joints, find a contact
 * at once: who asks for something senseless is not safe. A joint whose bound is infinite is not watched. */
bool achd_contact_step(achd_contact *contact, const achd_contact_parameters *parameters,
                       const achd_real tau_ext[], const achd_real qd[], const achd_real qdd[]);

/* ---- where and how strong ---- */

typedef struct achd_contact_wrench {
  achd_real lin[3]; /* force on the robot [N] */
  achd_real ang[3]; /* moment about the point of the Jacobian [N m]; 0 where it has no `ang` */
  achd_real
      residual; /* |J^T wrench - tau_ext| / |tau_ext|: near 0, one contact there explains it */
  int rank;     /* how many of the directions the joints can tell */
} achd_contact_wrench;

/* The wrench at a frame that explains tau_ext best (least squares): J^T wrench = tau_ext. lin, ang: the Jacobian of the frame as
 * the function `jac` puts it out, 3 x njoints by rows; ang NULL: a force at the frame's origin, without a moment. Directions
 * that depend on others in what the joints feel are 0. Returns false, and a wrench of 0 with a residual of 1, where nothing
 * can be found: numbers that are not finite, a torque of 0, too many joints. */
bool achd_contact_locate(achd_contact_wrench *wrench, int njoints, const achd_real lin[],
                         const achd_real ang[], const achd_real tau_ext[]);

/* The mass at a frame whose weight explains tau_ext best, and what is left: a load that has been taken up, not a contact, where
 * `residual` is small. lin: as above; gravity: along the same axes [m/s^2]. Returns false, and 0: there is none. */
bool achd_contact_mass(achd_real *mass, achd_real *residual, int njoints, const achd_real lin[],
                       const achd_real gravity[3], const achd_real tau_ext[]);

/* ---- what to do ---- */

typedef enum achd_response {
  ACHD_RESPONSE_NONE,  /* go on */
  ACHD_RESPONSE_STOP,  /* brake the joints where they are */
  ACHD_RESPONSE_FLOAT, /* gravity only: the arm can be pushed */
  ACHD_RESPONSE_AWAY,  /* float, and follow the contact (reflex) */
  ACHD_RESPONSE_SLOW   /* go on with less speed */
} achd_response;

typedef struct achd_response_joint {
  achd_real
      damping; /* >= 0: of STOP, a share of which is there in FLOAT and AWAY, too [N m s/rad] */
  achd_real follow; /* >= 0: torque per torque of the contact in AWAY [1] */
  achd_real effort; /* > 0: largest torque [N m; N] */
} achd_response_joint;

/* What responses are made of, by joint. */
typedef struct achd_response_input {
  const achd_real *gravity; /* torques that hold the arm, of the function `gravity` [N m; N] */
  const achd_real *qd;      /* joint velocity [rad/s; m/s] */
  const achd_real *tau_ext; /* of the observer [N m; N] */
  const achd_real *tau;     /* torques of the controller [N m; N] */
} achd_response_input;

/* The torques of a response:
 *   NONE, SLOW  tau             (SLOW: of a task with less speed, which achd_response_speed tells)
 *   STOP        gravity - damping qd
 *   FLOAT       gravity - 0.05 damping qd
 *   AWAY        gravity - 0.05 damping qd + follow tau_ext
 * clamped to the efforts. What is not finite, and limits that are none, give 0. */
void achd_response_torques(achd_response reaction, const achd_response_joint joints[], int njoints,
                           const achd_response_input *input, achd_real out[]);

/* The share of the speed at which a task goes on, 0 to 1: `slow` for SLOW, 1 for NONE, else 0. */
achd_real achd_response_speed(achd_response reaction, achd_real slow);

#ifdef __cplusplus
}
#endif

#endif
