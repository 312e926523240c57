/* sincos.h: sine and cosine of constants, the same bits on every machine.
 *
 * glibc picks kernels by CPU, and their last bits differ; emitted constants must not. Computed in
 * double-double, so the result is the correctly rounded one but in the rarest ties. */
#ifndef AG_SINCOS_H
#define AG_SINCOS_H

/* |x| <= 1e5 rad. */
void ag_sincos(double x, double *s, double *c);
/* Of k times pi/4, exact where the value is: 0, 1/2 sqrt 2 (rounded), 1. */
void ag_sincos_eighth(int k, double *s, double *c);

#endif
