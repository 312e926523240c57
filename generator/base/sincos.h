/* SPDX-License-Identifier: MIT */
/* sincos.h: sine and cosine of constants, the same bits on every machine.
 *
 * glibc picks kernels by CPU, and their last bits differ; emitted constants must not. Computed in
 * double-double, so the result is the correctly rounded one but in the rarest ties. */
#ifndef AG_SINCOS_H
#define AG_SINCOS_H

/* The largest angle that a sine is taken of [rad], of doubles and floats, and its square, which is
 * what emitted code compares with. CMakeLists.txt reads these lines. */
#define AG_ANGLE_DOUBLE 1e5
#define AG_ANGLE_FLOAT 1e4
#define AG_ANGLE_SQUARE_DOUBLE 1e10
#define AG_ANGLE_SQUARE_FLOAT 1e8f

/* |x| <= AG_ANGLE_DOUBLE. */
void ag_sincos(double x, double *s, double *c);
/* Of k times pi/4, exact where the value is: 0, 1/2 sqrt 2 (rounded), 1. */
void ag_sincos_eighth(int k, double *s, double *c);

#endif
