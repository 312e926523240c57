/* SPDX-License-Identifier: MIT */
/* body.h: what a humanoid asks of its motors (torques.h) so that it does what steps.h wants. Include the generated
 * header before. For a robot of your own: the groups' names, the joints of the posture, the gains. */
#ifndef BODY_H
#define BODY_H

#include "../trot/torques.h"
#include "steps.h"

enum {
  BODY_POSTURE =
      ROBOT_POSTURE_WAIST_YAW_JOINT, /* the first row of the posture, its first joint, how many they are */
  BODY_JOINT = ROBOT_WAIST_YAW_JOINT,
  BODY_JOINTS = ROBOT_NJ - ROBOT_WAIST_YAW_JOINT
};

static const int body_swings[2] = {ROBOT_LEFT_SWING_LIN_X, ROBOT_RIGHT_SWING_LIN_X};
static const int body_holds[2] = {ROBOT_LEFT_LIN_X, ROBOT_RIGHT_LIN_X};

/* What steps.h need not know: pelvis and soles along the axes of the world. */
typedef struct body_state {
  double z, R[9], v[3], w[3]; /* height of the pelvis, rotation by rows, velocities */
  double foot_R[2][9], foot_v[2][3], foot_w[2][3]; /* of the soles */
  double rest[ROBOT_NJ];                           /* joints of the posture */
  double over; /* height of the pelvis over the floor, as it should be [m] */
} body_state;

static inline steps_parameters body_steps(void) {
  const steps_parameters p = {.height = 0.805,
                              .width = 0.18,
                              .duration = 0.35,
                              .least = 0.15,
                              .shift = 0.04,
                              .lift = 0.06,
                              .press = 0.01,
                              .sink = 0.4,
                              .reach = 0.5,
                              .narrow = 0.11,
                              .wide = 0.6,
                              .hip = 0.62,
                              .leg = 0.67,
                              .sole = {0.08, 0.03},
                              .gain = 4,
                              .firm = 200};
  return p;
}

static inline walk_gains body_humanoid(void) {
  const walk_gains k = {.height = 150,
                        .climb = 24,
                        .turn = 200,
                        .spin = 28,
                        .swing = 900,
                        .rate = 60,
                        .damping = 2,
                        .brake = 20};
  return k;
}

/* A rotation about z. */
static inline void body_heading(double angle, double R[9]) {
  const double c = cos(angle), s = sin(angle), flat[9] = {c, -s, 0, s, c, 0, 0, 0, 1};
  memcpy(R, flat, sizeof flat);
}

/* A foot that swings goes where it should be, flat and along the heading; one that stands is a contact. */
static inline void body_foot(walk *w, const steps *g, const steps_state *s, const body_state *b,
                             int k, const double flat[9]) {
  double turn[3];
  walk_turn(flat, b->foot_R[k], turn);
  for (int i = 0; i < 6; i++) {
    const int row = body_swings[k] + i, j = i - 3;
    w->in.mask[row] = !g->stands[k], w->in.mask[body_holds[k] + i] = g->stands[k];
    if (g->stands[k])
      w->in.b[row] = 0;
    else if (i < 3)
      w->in.b[row] = w->gains.swing * (g->swing.p[i] - s->foot[k][i]) +
                     w->gains.rate * (g->swing.v[i] - b->foot_v[k][i]) + g->swing.a[i];
    else
      w->in.b[row] = w->gains.swing * turn[j] - w->gains.rate * b->foot_w[k][j];
  }
}

/* Wanted accelerations. Where steps_step or the gains are refused, walk_solve puts out torques of 0. */
static inline void body_ask(walk *w, const steps *g, const steps_state *s, const body_state *b,
                            double friction) {
  const walk_gains *const k = &w->gains;
  double flat[9], turn[3];
  w->refused = g->status & GAIT_REFUSED ? WALK_NO_GAIT : walk_gains_fault(k);
  if (w->refused != WALK_OK) return;
  w->in.mu.left = w->in.mu.right = friction;
  body_heading(g->heading, flat);
  walk_turn(flat, b->R, turn);
  w->in.b[ROBOT_UPRIGHT_LIN_Z] =
      k->height * (g->ground + b->over - g->lower - b->z) - k->climb * b->v[2];
  for (int i = 0; i < 3; i++)
    w->in.b[ROBOT_UPRIGHT_ANG_X + i] = k->turn * turn[i] - k->spin * b->w[i];
  for (int i = 0; i < 2; i++) w->in.b[ROBOT_PLACE_LIN_X + i] = g->pull[i];
  for (int i = 0; i < 2; i++) body_foot(w, g, s, b, i, flat);
  for (int j = 0; j < BODY_JOINTS; j++)
    w->in.b[BODY_POSTURE + j] = k->turn * (b->rest[BODY_JOINT + j] - w->in.q[BODY_JOINT + j]) -
                                k->spin * w->in.qd[BODY_JOINT + j];
}

#endif
