/* SPDX-License-Identifier: MIT */
/* closing.h: where the joints of a robot stand, and how the dependent joints of its linkages move, by definition.
 *
 * With r(q_i, q_d) what is left of a linkage's ties and rods, and J_d, J_i how joints move along them:
 *   Newton's steps from linkage_start: q_d -= x, J_d x = r; an angle by 2 atan(x / 2), which is rational in sines
 *   P = -J_d^-1 J_i,  qd_d = P qd_i;  qdd_d = P qdd_i + c,  J_d c = -J' qd
 * They hold at any position, closed or not. Of a derivative's direction: dq_d = P dq_i. Ties and rods are seen from the last
 * body that carries both ends, which stands still for them. */
#ifndef AG_CLOSING_H
#define AG_CLOSING_H

#include "prove/places.h"

typedef struct ag_closed { /* a linkage */
  const ag_value *told;    /* as it came (lua/functions/problem.lua) */
  ag_number residual, pivot;
} ag_closed;

typedef struct ag_closing {
  const ag_problem *problem;
  const ag_point *point;
  ag_arena *arena;
  ag_spot *spots;  /* by body, from 1 */
  bool *dependent; /* by body */
  bool *moves;  /* [body * joints + joint]: whether this is an independent joint of its linkage */
  ag_number *P; /* the same: the ratio */
  ag_closed *linkages;
  int nlinkages;
  bool open;  /* one is not closed, or at a singular position: torques are 0 */
  bool moved; /* a singular one moves along a derivative's direction */
} ag_closing;

ag_closing *ag_closing_at(const ag_problem *problem, const ag_point *point, ag_arena *arena);

/* The accelerations of dependent joints where the independent ones have none, by body; qd: by joint. */
ag_number *ag_closing_drift(const ag_closing *closing, const ag_number *qd);

/* Torques of a linkage's motors, by motor, that do the work of the torques tau, by joint; *bad: none do. */
ag_number *ag_closing_motors(const ag_closing *closing, const ag_closed *of, const ag_number *tau,
                             bool *bad);

/* Draws linkage_start of point number k: cosines and sines are points of the circle. */
void ag_closing_draw(const ag_problem *problem, const ag_point *point, int k);

#endif
