/* SPDX-License-Identifier: MIT */
/* falls.h: pushes of 0.2 s at 0.5 s, from eight directions, of 20 N to 240 N: what makes robots fall, the strongest from
 * every side. Every cycle has an answer, and its certificate holds, until 2.5 s or until the simulation ends because
 * its numbers are too large: a robot that lies on the ground with stiff servos may fling itself about. ACHD_SWEEP: all
 * 96 pushes. */
#ifndef WHOLE_BODY_FALLS_H
#define WHOLE_BODY_FALLS_H

#include "test.h"
#include "whole_body/account.h"
#include "whole_body/simulation.h"

enum { FALLS_FORCES = 12, FALLS_DIRECTIONS = 8, FALLS_ALL = FALLS_FORCES * FALLS_DIRECTIONS };

typedef struct pushed {
  double force[3], newtons, degrees; /* from the x axis to the y axis */
  char name[40];
  double before; /* the time of the last cycle */
  double tilt;   /* of the body, the largest angle of its z axis to the vertical [rad] */
} pushed;

static inline void falls_quietly(const char *message) {
  (void)message; /* MuJoCo's that a state is too large */
}

/* Push number k of FALLS_ALL. */
static inline pushed pushed_by(int k) {
  const double newtons = 20 * (1 + k / FALLS_DIRECTIONS), degrees = 45 * (k % FALLS_DIRECTIONS);
  pushed f = {.newtons = newtons, .degrees = degrees, .before = -1};
  f.force[0] = newtons * cos(degrees * M_PI / 180);
  f.force[1] = newtons * sin(degrees * M_PI / 180);
  snprintf(f.name, sizeof f.name, "push_%.0f_N_at_%.0f", newtons, degrees);
  mju_user_warning = falls_quietly;
  return f;
}

/* Pushes, if it is time, and returns whether the motion goes on: MuJoCo begins anew at 0 s where numbers are too large. */
static inline bool pushed_goes_on(pushed *f, const simulation *s, const char *body) {
  static const double none[3] = {0};
  const double t = simulation_time(s), up = simulation_at(s, body).R[8];
  if (!(t > f->before) || t >= 2.5) return false;
  f->before = t;
  f->tilt = fmax(f->tilt, acos(fmax(-1, fmin(1, up))));
  simulation_push(s, body, t >= 0.5 && t < 0.7 ? f->force : none);
  return true;
}

static inline void pushed_ends(const pushed *f, const account *a, const char *who) {
  printf("%s, %.0f N towards %.0f degrees: tilts by %.0f degrees until %.3f s\n", who, f->newtons,
         f->degrees, 57.3 * f->tilt, f->before);
  if (a->unsolved + a->refused > 0) account_print(a);
  CHECK(f->before > 0.7 && a->cycles > 700);
  if (a->stopped > 0)
    printf("  %d solves ended by the limit of %d steps\n", a->stopped, a->most_steps);
  CHECK(a->unsolved == a->given_up);
  CHECK(a->refused == 0 && a->checked == a->cycles - a->stopped);
}

#endif
