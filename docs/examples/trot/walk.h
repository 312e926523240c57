/* SPDX-License-Identifier: MIT */
/* walk.h: what a quadruped asks of its motors (torques.h) so that it does what gait.h wants. Include the generated
 * header before. For a robot of your own: the groups' names, and the gains. */
#ifndef WALK_H
#define WALK_H

#include "gait.h"
#include "torques.h"

static const int walk_swings[GAIT_FEET] = {ROBOT_FL_SWING_LIN_X, ROBOT_FR_SWING_LIN_X,
                                           ROBOT_RL_SWING_LIN_X, ROBOT_RR_SWING_LIN_X};
static const int walk_holds[GAIT_FEET] = {ROBOT_FL_LIN_X, ROBOT_FR_LIN_X, ROBOT_RL_LIN_X,
                                          ROBOT_RR_LIN_X};

/* A trot: feet on a diagonal swing together, in the order of the groups. */
static inline gait_parameters walk_trot(void) {
  const gait_parameters p = {.feet = 4,
                             .offset = {0, 0.5, 0.5, 0},
                             .period = 0.3,
                             .duty = 0.5,
                             .lift = 0.07,
                             .reach = 0.25,
                             .press = 0.015,
                             .sink = 0.4,
                             .acceleration = 1.5};
  return p;
}

static inline walk_gains walk_quadruped(void) {
  const walk_gains k = {.height = 150,
                        .climb = 24,
                        .turn = 200,
                        .spin = 28,
                        .speed = 8,
                        .behind = 12,
                        .swing = 900,
                        .rate = 60,
                        .damping = 2,
                        .brake = 20};
  return k;
}

/* What the feet stand on: axes of the ground, and friction that they may count on. */
static inline void walk_stand_on(walk *w, const gait *g, double friction) {
  memcpy(w->in.axes.fl, g->ground, sizeof g->ground),
      memcpy(w->in.axes.fr, g->ground, sizeof g->ground);
  memcpy(w->in.axes.rl, g->ground, sizeof g->ground),
      memcpy(w->in.axes.rr, g->ground, sizeof g->ground);
  w->in.mu.fl = w->in.mu.fr = w->in.mu.rl = w->in.mu.rr = friction;
}

/* Wanted accelerations of the trunk and of feet that swing: kp (wanted - is) + kd (wanted rate - rate) + wanted
 * acceleration. foot_v: velocities of the feet along the axes of the world. Where gait_step or the gains are refused,
 * walk_solve puts out torques of 0. */
static inline void walk_ask(walk *w, const gait *g, const gait_state *s,
                            double foot_v[GAIT_FEET][3]) {
  const walk_gains *const k = &w->gains;
  double turn[3];
  w->refused = g->status & GAIT_REFUSED ? WALK_NO_GAIT : walk_gains_fault(k);
  if (w->refused != WALK_OK) return;
  walk_turn(g->wanted, s->R, turn);
  w->in.b[ROBOT_UPRIGHT_LIN_Z] =
      k->height * (g->height - s->p[2]) + k->climb * (g->climb - s->v[2]);
  for (int i = 0; i < 3; i++)
    w->in.b[ROBOT_UPRIGHT_ANG_X + i] = k->turn * turn[i] - k->spin * s->w[i];
  for (int i = 0; i < 2; i++)
    w->in.b[ROBOT_PLACE_LIN_X + i] = k->speed * (g->speed[i] - s->v[i]) + k->behind * g->behind[i];
  for (int f = 0; f < GAIT_FEET; f++)
    for (int i = 0; i < 3; i++) {
      const int row = walk_swings[f] + i;
      w->in.b[row] = k->swing * (g->swing[f][i] - s->foot[f][i]) +
                     k->rate * (g->swing_v[f][i] - foot_v[f][i]) + g->swing_a[f][i];
      if (g->stands[f]) w->in.b[row] = 0;
      w->in.mask[row] = !g->stands[f];
      w->in.mask[walk_holds[f] + i] = g->stands[f];
    }
}

#endif
