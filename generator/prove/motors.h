/* motors.h: what is asked of freedoms without a motor, carried by contacts and motors, by definition
 * (docs/layouts.md, Motors and contacts): an augmented
 * Lagrangian in three passes. */
#ifndef AG_MOTORS_H
#define AG_MOTORS_H

#include "prove/demands.h"

/* U picks the freedoms without a motor, J_c are the physical rows in force, W = 1 / L_jj. Three times, from
 * mu = 0, e small:
 *   (U M U^T + U J_c^T W J_c U^T / e) w = -U (load + J_c^T mu),    mu += W J_c U^T w / e */
typedef struct ag_motors {
  const ag_robot *robot;
  const ag_demand *rows;
  int m, nidle;
  int *idle;            /* the coordinates that U picks */
  ag_number *stiffness; /* by row: W / e; 0: it carries nothing */
  ag_number *inverse;   /* of the matrix above */
} ag_motors;

/* NULL: every freedom has a motor, or the layout asks for no such thing. compliance: L_jj by row. */
const ag_motors *ag_motors_of(const ag_robot *robot, const ag_demand *rows, int m,
                              const ag_number *compliance);

/* w and mu for a load by coordinate; w: by coordinate, what the motion changes by; mu: by row. */
void ag_motors_answer(const ag_motors *motors, const ag_number *load, ag_number *w, ag_number *mu);

#endif
