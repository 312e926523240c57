/* SPDX-License-Identifier: MIT */
/* identify.h: parameters of a robot while it moves, by least squares that go on: what it carries (ten numbers, or
 * mass and centre of mass), or friction of a joint. Nothing is allocated, and nothing that is NaN or infinite enters.
 *
 *   y = a . x + noise      for each joint and cycle
 *
 * y is the torque that the model without these parameters does not explain, a what one unit of each would add to it.
 * Both pass the momentum observer's filter (achd/observer.h), so that no acceleration is needed: with p = M qd and beta of
 * the function `momentum`, and the same of the robot with one unit of each parameter,
 *
 *   y <- K / (s + K) (tau - friction + beta - dp/dt),  a <- K / (s + K) (d(p_k - p)/dt - (beta_k - beta))
 *
 * Beside the estimate there is its covariance, and whether the motion tells a parameter at all: an arm that holds still does not
 * tell where along gravity the centre of its load is. Friction is to be known before (achd-identify, or this);
 * where a joint stands it may be anything up to `coulomb`, and the joint's line counts less.
 *
 * Sources: Atkeson, An, Hollerbach, Estimation of inertial parameters of manipulator loads and links, International Journal of
 * Robotics Research 5 (1986); Slotine, Li, Applied Nonlinear Control (1991), chapter 8: least squares with forgetting, and filtered
 * torques; Wensing, Kim, Slotine, Linear matrix inequalities for physically consistent inertial parameter identification, IEEE
 * Robotics and Automation Letters 3 (2018): the pseudo-inertia. */
#ifndef ACHD_IDENTIFY_H
#define ACHD_IDENTIFY_H

#include <achd/load.h>
#include <achd/observer.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { ACHD_IDENTIFY_PARAMETERS = 10 }; /* largest number of parameters */

/* ---- least squares ---- */

/* What is known of a parameter before the robot moves. */
typedef struct achd_identify_prior {
  achd_real value;     /* expected */
  achd_real deviation; /* by which it may be other, > 0: far more than that is not believed */
} achd_identify_prior;

typedef struct achd_identify_setup {
  const achd_identify_prior *parameters;
  /* by joint, > 0: standard deviation of y where there is nothing to tell [N m; N] */
  const achd_real *sigma;
  int nparameters;  /* 1 .. ACHD_IDENTIFY_PARAMETERS */
  int njoints;      /* 1 .. ACHD_OBSERVER_JOINTS */
  achd_real gain;   /* K of the filter, > 0: lines nearer than 2 / K tell the same [1/s] */
  achd_real memory; /* after which the past counts a third, > 0; ACHD_INFINITY: always [s] */
  /* part of its prior deviation below which a parameter counts as known, 0 .. 1, such as 0.1 */
  achd_real told;
} achd_identify_setup;

enum achd_identify_status {
  ACHD_IDENTIFY_OK = 0,
  ACHD_IDENTIFY_NOT_FINITE = 1, /* an input is NaN or infinite: the cycle has been left out */
  ACHD_IDENTIFY_BAD_INPUT = 2,  /* of setup or period: likewise */
  ACHD_IDENTIFY_STARTED = 4,    /* the first cycle after a reset: there is none before it */
  ACHD_IDENTIFY_UNTOLD = 8 /* of an estimate: the motion does not show all parameters; see `told` */
};

/* State; one that has been reset is all zero. N and b are those of parameters in units of their prior deviations. */
typedef struct achd_identify {
  achd_real
      N[ACHD_IDENTIFY_PARAMETERS * (ACHD_IDENTIFY_PARAMETERS + 1) / 2]; /* lower triangle by rows */
  achd_real b[ACHD_IDENTIFY_PARAMETERS];
  achd_real squares, lines; /* sums of (y / sigma)^2, and of the weights */
} achd_identify;

typedef struct achd_identify_estimate {
  achd_real value[ACHD_IDENTIFY_PARAMETERS];     /* 0 to the prior's where nothing is known */
  achd_real deviation[ACHD_IDENTIFY_PARAMETERS]; /* standard */
  unsigned told;                                 /* bit k: the motion tells parameter k */
  achd_real
      unexplained; /* root mean square of what is left of y, in sigma: far above 1, something else acts [1] */
} achd_identify_estimate;

/* Forgets everything. */
void achd_identify_reset(achd_identify *state);

/* Adds a cycle: y by joint; a[joint * nparameters + parameter]; period since the cycle before [s]. */
unsigned achd_identify_add(achd_identify *state, const achd_identify_setup *setup,
                           const achd_real y[], const achd_real a[], achd_real period);

/* Computes the estimate, and its deviations: (N + 1) x = b, by Cholesky's factors, whose pivots are 1 at least. */
unsigned achd_identify_solve(const achd_identify *state, const achd_identify_setup *setup,
                             achd_identify_estimate *estimate);

/* ---- the filter ---- */

/* State: of y and of each parameter's column, by joint. One that has been reset is all zero. */
typedef struct achd_identify_filter {
  achd_real r[ACHD_OBSERVER_JOINTS][1 + ACHD_IDENTIFY_PARAMETERS];
  achd_real p[ACHD_OBSERVER_JOINTS][1 + ACHD_IDENTIFY_PARAMETERS];
  achd_real held[ACHD_OBSERVER_JOINTS][1 + ACHD_IDENTIFY_PARAMETERS];
  /* share of the filter's time in which friction may have held the joint [1] */
  achd_real stuck[ACHD_OBSERVER_JOINTS];
  bool running;
} achd_identify_filter;

/* What a cycle needs: of the robot without the parameters (index 0), and with one unit of each (index 1 ..). */
typedef struct achd_identify_input {
  const achd_real *const *p, *const
                                 *beta; /* of the function `momentum`: [1 + nparameters][njoints] */
  const achd_real *qd;                  /* joint velocity [rad/s; m/s] */
  const achd_real *tau;                 /* torques of the joints since the cycle before [N m; N] */
  const achd_observer_joint *friction;  /* of each joint; gain is not read. NULL: none */
  achd_real period;                     /* since the cycle before, > 0 [s] */
} achd_identify_input;

void achd_identify_filter_reset(achd_identify_filter *filter);

/* Filters a cycle and adds it. In the first one there is nothing to add: STARTED. A cycle that is not finite, or whose
 * period is none, resets the filter and is left out; the estimate stays what it was. */
unsigned achd_identify_step(achd_identify_filter *filter, achd_identify *state,
                            const achd_identify_setup *setup, const achd_identify_input *input);

/* ---- a load ---- */

/* The ten numbers of a load (m, mx my mz, xx xy xz yy yz zz, about the frame's origin) as a body that can be: mass and centre of mass
 * stay; of the second moments about the centre, S = tr(I)/2 - I, which a body of particles has positive, negative ones become 0. Numbers
 * that are not finite, and a mass of 0 or below: false, and no load. */
bool achd_identify_body(achd_inertia *load, const achd_real numbers[10]);

/* By generated code, of a layout with inertia_inputs = { "LINK" } and constant gravity (achdgen --functions momentum):
 *
 *   ACHD_IDENTIFY_LOAD(gen3, GEN3, bracelet_link);
 *
 * defines gen3_identify_load(filter, state, setup, own, q, qd, tau, friction, period): one cycle, with what LINK weighs without a
 * load as `own`. setup->nparameters is 4 (mass and first moment) or 10. */
#define ACHD_IDENTIFY_LOAD(robot, ROBOT, link)                                                     \
  static unsigned robot##_identify_load(                                                           \
      achd_identify_filter *filter, achd_identify *state, const achd_identify_setup *setup,        \
      const robot##_inertia *own, const achd_real *q, const achd_real *qd, const achd_real *tau,   \
      const achd_observer_joint *friction, achd_real period) {                                     \
    robot##_momentum_in in = ROBOT##_MOMENTUM_IN_DEFAULT;                                          \
    robot##_momentum_out out[1 + ACHD_IDENTIFY_PARAMETERS];                                        \
    const achd_real *p[1 + ACHD_IDENTIFY_PARAMETERS], *beta[1 + ACHD_IDENTIFY_PARAMETERS];         \
    unsigned status = 0;                                                                           \
    for (int j = 0; j < ROBOT##_NJ; j++) in.q[j] = q[j], in.qd[j] = qd[j];                         \
    for (int k = 0; k <= setup->nparameters && k <= ACHD_IDENTIFY_PARAMETERS; k++) {               \
      in.inertia.link = *own;                                                                      \
      achd_real *const number[] = {&in.inertia.link.m,  &in.inertia.link.mx, &in.inertia.link.my,  \
                                   &in.inertia.link.mz, &in.inertia.link.xx, &in.inertia.link.xy,  \
                                   &in.inertia.link.xz, &in.inertia.link.yy, &in.inertia.link.yz,  \
                                   &in.inertia.link.zz};                                           \
      if (k > 0) *number[k - 1] += 1;                                                              \
      status |= robot##_momentum(&in, &out[k]);                                                    \
      p[k] = out[k].p, beta[k] = out[k].beta;                                                      \
    }                                                                                              \
    const achd_identify_input input = {p, beta, qd, tau, friction, status ? -1 : period};          \
    return achd_identify_step(filter, state, setup, &input);                                       \
  }                                                                                                \
  struct robot##_identify_function /* for the semicolon */

#ifdef __cplusplus
}
#endif

#endif
