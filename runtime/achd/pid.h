/* SPDX-License-Identifier: MIT */
/* pid.h: PID control, and cascaded proportional control of position and velocity; one channel each.
 * Units depend on the channel: errors have the unit E (rad, m, ...), commands the unit U (N m, N,
 * ...). */
#ifndef ACHD_PID_H
#define ACHD_PID_H

#include <achd/real.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct achd_pid_parameters {
  achd_real proportional; /* [U/E] */
  achd_real integral;     /* [U/(E s)] */
  achd_real derivative;   /* [U s/E] */
  achd_real filter;       /* time constant of the derivative's low-pass, 0: none [s] */
  achd_real lower, upper; /* limits of the command [U] */
} achd_pid_parameters;

/* State of a channel. A channel at rest is all zero. */
typedef struct achd_pid {
  achd_real sum;        /* integral part of the command [U] */
  achd_real error;      /* of the last cycle [E] */
  achd_real derivative; /* low-passed [E/s] */
  bool running;         /* `error` is valid: there has been a cycle */
} achd_pid;

/* Resets the channel: no integral, no last error. */
void achd_pid_reset(achd_pid *pid);

/* Computes one cycle and returns the command [U]
 *
 *   u = sat( Kp e + Ki integral of e + Kd de/dt )
 *
 * e: desired minus measured [E]; period: time since the last cycle, > 0 [s]. The derivative is 0 in
 * the first cycle. The integral does not grow while it would drive a saturated command further.
 * If e, the period or a term of the sum is not finite, or the period is not positive, the state
 * does not change, and the command is the integral part alone. */
achd_real achd_pid_step(achd_pid *pid, const achd_pid_parameters *parameters, achd_real e,
                        achd_real period);

typedef struct achd_cascade_parameters {
  achd_real position_gain; /* [1/s] */
  achd_real velocity_gain; /* [U s/E] */
  achd_real largest_speed; /* of the inner set-point, > 0 [E/s] */
  achd_real lower, upper;  /* limits of the command [U] */
} achd_cascade_parameters;

/* Cascaded proportional control: returns the command [U]
 *
 *   v = sat( Kp e + feed_forward ),  u = sat( Kv (v - velocity) )
 *
 * e: position error, desired minus measured [E]; velocity: measured [E/s]; feed_forward: desired
 * velocity [E/s]. v is limited to largest_speed. Returns 0 if an input is not finite. */
achd_real achd_cascade(const achd_cascade_parameters *parameters, achd_real e, achd_real velocity,
                       achd_real feed_forward);

#ifdef __cplusplus
}
#endif

#endif
