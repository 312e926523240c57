/* SPDX-License-Identifier: MIT */
/* smooth.h: control without steps of one direction of a task: of a force, or of a motion. A task has it in
 * the place of ABAG (abag.h), direction by direction, where it says so (task.h).
 *
 * A force (or moment) F with the set-point f, of a tool that moves with the velocity v along it, every period T:
 *
 *   w = sat( (f - F) / D, speed )           the desired velocity: an admittance [m/s; rad/s]
 *   q = q + T rate^2 / 4 D (w - v)          how fast the integral grows [N/s; N m/s]
 *   s = sat( s + T (rate D (w - v) + q) )   the integral [N; N m]
 *   u = sat( s - D v )                      the command [N; N m]
 *
 * with the damping D. Where the tool touches nothing it goes with the velocity w, at most `speed`, whatever
 * friction and wrong masses are, and s does not wind up. Where it touches, v is small: F follows u, and s brings
 * F to f within some 1 / rate, q also where a disturbance grows. No share of the measured force reaches the command
 * at once, so that noise, and readings that come late, do little. A tool of the mass m on a spring k,
 *
 *   m p^4 + D p^3 + (k + rate D) p^2 + (rate k + rate^2 D / 4) p + rate^2 k / 4 = 0,
 *
 * is stable on every k >= 0 where rate < D / m (Routh), and the damper itself where D is well below m / t, with the
 * period and the age of the velocities in t.
 *
 * A motion, with the difference d of the desired velocity and the measured one:
 *
 *   s = sat( s + T rate^2 / 4 d ),  u = sat( rate d + s )        [m/s^2; rad/s^2]
 *
 * Both poles are at -rate / 2. */
#ifndef ACHD_SMOOTH_H
#define ACHD_SMOOTH_H

#include <achd/real.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct achd_smooth_parameters {
  achd_real rate;    /* how fast errors fade, > 0 [1/s] */
  achd_real damping; /* of forces: D, > 0 [N s/m; N m s/rad] */
  achd_real
      speed; /* of forces: largest velocity of a tool that touches nothing, > 0 [m/s; rad/s] */
  achd_real largest; /* magnitude of the command, and of the integral, >= 0 [unit of u] */
} achd_smooth_parameters;

/* State of a direction. One at rest is all zero. */
typedef struct achd_smooth {
  achd_real sum;   /* s [unit of u] */
  achd_real slope; /* q [unit of u / s] */
  achd_real u;     /* command of the last cycle */
  bool running;    /* there has been a cycle */
} achd_smooth;

/* Computes one cycle of a force and returns u. e: f - F; v: velocity along f; period [s]; side: 1 if what the command
 * drives is at its upper limit, -1 at its lower one, else 0. While u is at its own limit, or the side's, s does not
 * grow towards it, and q is 0. If e, v or the period is not finite, or the period is not above 0, s and q stay as they
 * are, and the command is s. */
achd_real achd_smooth_force(achd_smooth *state, const achd_smooth_parameters *parameters,
                            achd_real e, achd_real v, achd_real period, int side);

/* Computes one cycle of a motion and returns u; d: desired minus measured velocity. The rest is as above. */
achd_real achd_smooth_motion(achd_smooth *state, const achd_smooth_parameters *parameters,
                             achd_real d, achd_real period, int side);

#ifdef __cplusplus
}
#endif

#endif
