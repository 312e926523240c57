/* pid.h: PID and the cascade of two proportional controllers, one channel each. Units: those of the
 * channel; e is in E (rad, m, ...), commands are in U (N m, N, ...). */
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

/* State of a channel. All zero is a channel at rest. */
typedef struct achd_pid {
  achd_real sum;        /* the integral's part of the command [U] */
  achd_real error;      /* of the last cycle [E] */
  achd_real derivative; /* low-passed [E/s] */
  bool running;         /* an error is known */
} achd_pid;

/* Puts the channel at rest. */
void achd_pid_reset(achd_pid *pid);

/* One cycle of `period` > 0 seconds; e = desired - measured. Returns
 *
 *   u = sat( Kp e + Ki integral of e + Kd de/dt )
 *
 * The derivative is 0 in the first cycle. The integral holds where it would drive a saturated
 * command further. An error or a period that is not finite, a period that is not positive, or
 * numbers so large that a term of the sum is not finite, leave the state as it is, and the command
 * is the integral's part alone. */
achd_real achd_pid_step(achd_pid *pid, const achd_pid_parameters *parameters, achd_real e,
                        achd_real period);

typedef struct achd_cascade_parameters {
  achd_real position_gain; /* [1/s] */
  achd_real velocity_gain; /* [U s/E] */
  achd_real largest_speed; /* of the inner set-point, > 0 [E/s] */
  achd_real lower, upper;  /* limits of the command [U] */
} achd_cascade_parameters;

/* Cascaded P-P controller: a position error e [E] makes a velocity set-point, that one's error the
 * command; `velocity` measured and `feed_forward` of the velocity in E/s. 0 where an input is not
 * finite.
 *
 *   v = sat( Kp e + feed forward ),  u = sat( Kv (v - velocity) )                             */
achd_real achd_cascade(const achd_cascade_parameters *parameters, achd_real e, achd_real velocity,
                       achd_real feed_forward);

#ifdef __cplusplus
}
#endif

#endif
