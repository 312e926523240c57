/* SPDX-License-Identifier: MIT */
/* motors.h: forces needed at freedoms without a motor, carried by contacts and motors, by definition
 * (docs/layouts.md, Motors and contacts). */
#ifndef AG_MOTORS_H
#define AG_MOTORS_H

#include "prove/demands.h"

/* U picks the freedoms without a motor, J_c are the physical rows in force, W = 1 / L_jj, C = U M U^T. The
 * least contact forces mu, and accelerations w that no contact sees:
 *   U load + U J_c^T mu + C w = 0,   mu = W J_c U^T x,   w = N z,   N spans U J_c^T W J_c U^T N = 0
 * of which x and z come with N^T x = 0, since x is known but for N. */
typedef struct ag_motors {
  const ag_robot *robot;
  const ag_demand *rows;
  int m, nidle, nfree;
  int *idle;          /* the coordinates that U picks */
  ag_number *weight;  /* by row: W; 0: it carries nothing */
  ag_number *free;    /* nfree x nidle: N^T */
  ag_number *inverse; /* of the system for x and z */
  bool borderline;    /* doubles cannot tell what contacts hold */
} ag_motors;

/* NULL: every freedom has a motor, or the layout asks for no such thing. compliance: L_jj by row. */
const ag_motors *ag_motors_of(const ag_robot *robot, const ag_demand *rows, int m,
                              const ag_number *compliance);

/* w and mu for a load by coordinate; w: by coordinate, what the motion changes by; mu: by row. */
void ag_motors_answer(const ag_motors *motors, const ag_number *load, ag_number *w, ag_number *mu);

#endif
