/* SPDX-License-Identifier: MIT */
/* limits.h: how large numbers of a robot may be. Products of larger ones could overflow, or lose
 * their digits without a word. Of angles: sincos.h. */
#ifndef AG_LIMITS_H
#define AG_LIMITS_H

#define AG_LARGEST_LENGTH 1e9   /* [m] */
#define AG_LARGEST_INERTIA 1e15 /* [kg, kg m, kg m^2] */

#endif
