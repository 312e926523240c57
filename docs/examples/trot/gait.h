/* SPDX-License-Identifier: MIT */
/* gait.h: when the feet of a robot on legs stand and swing, where they go, and what its trunk should do. It knows
 * positions and velocities along the axes of the world, and no robot.
 *
 * Sources: Raibert, Legged robots that balance, MIT Press 1986 (where feet go); Di Carlo, Wensing, Katz, Bledt, Kim,
 * Dynamic locomotion in the MIT Cheetah 3 through convex model-predictive control, IROS 2018 (its gain sqrt(h / g),
 * after the capture point of Pratt, Carff, Drakunov, Goswami, Humanoids 2006); Bledt, Wensing, Ingersoll, Kim,
 * Contact model fusion for event-based locomotion in unstructured terrains, ICRA 2018 (feet that touch early or late;
 * the plane through the feet). */
#ifndef GAIT_H
#define GAIT_H

#include <math.h>
#include <stdbool.h>
#include <string.h>

enum { GAIT_FEET = 4 }; /* at most */

/* What a step tells, as bits. */
enum gait_status {
  GAIT_OK = 0,
  GAIT_NO_COMMAND = 1, /* the command is NaN, infinite or beyond 1e6: the robot slows down to 0 */
  GAIT_NOT_FINITE = 4, /* the state is NaN, infinite or beyond 1e6: nothing has changed */
  GAIT_BAD_INPUT = 8,  /* parameters or the cycle's length make no sense: nothing has changed */
  GAIT_REFUSED = GAIT_NOT_FINITE | GAIT_BAD_INPUT /* there is nothing to follow: torques 0 */
};

/* All lengths from 0 on. gait_fault says what is wrong with them. */
typedef struct gait_parameters {
  int feet;                     /* 1 to GAIT_FEET */
  double nominal[GAIT_FEET][3]; /* of each foot, seen from the trunk, as it stands, z < 0 [m] */
  double offset[GAIT_FEET];     /* share of the period by which a foot is ahead: 0 and 0.5 trot */
  double period;                /* from lift-off to lift-off of a foot, > 0 [s] */
  double duty;                  /* share of the period in which a foot stands, > 0 and < 1 */
  double lift;                  /* how high a foot swings [m] */
  double reach;                 /* largest distance of a foothold from the nominal one [m] */
  double press; /* how far below the ground a swing ends, so that the foot presses at once [m] */
  double sink;  /* speed at which a foot that is late looks for the ground [m/s] */
  double acceleration; /* largest of the trunk along the ground [m/s^2] */
} gait_parameters;

/* Where the robot is, measured or estimated. */
typedef struct gait_state {
  double p[3], R[9], v[3], w[3]; /* of the trunk: place, rotation by rows, velocities */
  double foot[GAIT_FEET][3];
  bool touches[GAIT_FEET]; /* foot k bears on something */
} gait_state;

/* What it should do, along the trunk's own heading. */
typedef struct gait_command {
  double forward, left, turn; /* [m/s, m/s, rad/s] */
} gait_command;

typedef struct gait {
  double time, heading, speed[2]; /* the command as it is followed: with its largest acceleration */
  double behind[2];               /* how far the trunk is behind it, up to 0.1 m */
  unsigned status;                /* of the last step */
  bool begun, walks;              /* walks: otherwise all feet stand */
  bool stands[GAIT_FEET];         /* foot k is a contact */
  double left[GAIT_FEET][3];      /* where it left the ground */
  double late[GAIT_FEET];         /* since when it should stand [s] */
  double hold[GAIT_FEET][3];      /* where it last stood */
  double plane[3];                /* of the ground: z = plane[0] + plane[1] x + plane[2] y */
  double swing[GAIT_FEET][3], swing_v[GAIT_FEET][3], swing_a[GAIT_FEET][3];
  double target[GAIT_FEET][3];
  double height, climb; /* of the trunk, and its rate */
  double wanted[9];     /* rotation of the trunk */
  double ground[3][3];  /* axes of the ground as columns: along the heading, to the left, normal */
} gait;

/* Whether all are numbers, and of a magnitude up to 1e6, beyond which no robot's are. */
static inline bool gait_numbers(const double *x, int count) {
  for (int i = 0; i < count; i++)
    if (!(fabs(x[i]) <= 1e6)) return false; /* NaN too */
  return true;
}

/* What is wrong with parameters, in words; NULL: nothing. */
static inline const char *gait_fault(const gait_parameters *p) {
  const double sizes[] = {p->lift, p->reach, p->press, p->sink, p->acceleration};
  static const char *const faults[] = {"lift is not from 0 to 1e6", "reach is not from 0 to 1e6",
                                       "press is not from 0 to 1e6", "sink is not from 0 to 1e6",
                                       "acceleration is not from 0 to 1e6"};
  if (p->feet < 1 || p->feet > GAIT_FEET) return "feet is not from 1 to GAIT_FEET";
  if (!(p->period > 0 && p->period <= 1e6)) return "period is not above 0, or beyond 1e6";
  if (!(p->duty > 0 && p->duty < 1)) return "duty is not between 0 and 1";
  for (int i = 0; i < 5; i++)
    if (!(sizes[i] >= 0 && sizes[i] <= 1e6)) return faults[i];
  for (int k = 0; k < p->feet; k++) {
    if (!gait_numbers(p->nominal[k], 3)) return "a foot's nominal place is NaN or beyond 1e6";
    if (!(p->nominal[k][2] < 0)) return "a foot's nominal place is not below the trunk";
    if (!gait_numbers(&p->offset[k], 1)) return "a foot's offset is NaN or beyond 1e6";
  }
  return NULL;
}

static inline bool gait_state_is_known(const gait_state *s, int feet) {
  return gait_numbers(s->p, 3) && gait_numbers(s->R, 9) && gait_numbers(s->v, 3) &&
         gait_numbers(s->w, 3) && gait_numbers(s->foot[0], 3 * feet);
}

/* From 0 to 1 without jerk: value, first and second derivative by x. */
static inline double gait_blend(double x, double *rate, double *curve) {
  const double s = fmin(1, fmax(0, x)), inside = x > 0 && x < 1;
  *rate = inside * 30 * s * s * (1 - s) * (1 - s);
  *curve = inside * 60 * s * (1 - s) * (1 - 2 * s);
  return s * s * s * (10 - 15 * s + 6 * s * s);
}

static inline double gait_heading(const double R[9]) {
  return atan2(R[3], R[0]);
}

static inline double gait_ground(const gait *g, double x, double y) {
  return g->plane[0] + g->plane[1] * x + g->plane[2] * y;
}

/* The plane through the places where feet last stood, by least squares about their mean, and by a little of the plane
 * before: feet on a line tell no slope across it. */
static inline void gait_fit_plane(gait *g, const gait_parameters *p, double share) {
  double mean[3] = {0}, xx = 1e-3, xy = 0, yy = 1e-3, xz = 0, yz = 0;
  for (int k = 0; k < p->feet; k++)
    for (int i = 0; i < 3; i++) mean[i] += g->hold[k][i] / p->feet;
  xz = xx * g->plane[1], yz = yy * g->plane[2];
  for (int k = 0; k < p->feet; k++) {
    const double x = g->hold[k][0] - mean[0], y = g->hold[k][1] - mean[1],
                 z = g->hold[k][2] - mean[2];
    xx += x * x, xy += x * y, yy += y * y, xz += x * z, yz += y * z;
  }
  const double det = xx * yy - xy * xy;
  if (!(det > 0)) return; /* feet so far away that rounding leaves no plane */
  const double a = (yy * xz - xy * yz) / det, b = (xx * yz - xy * xz) / det;
  g->plane[1] += share * (a - g->plane[1]);
  g->plane[2] += share * (b - g->plane[2]);
  const double here = mean[2] - g->plane[1] * mean[0] - g->plane[2] * mean[1];
  g->plane[0] = here;
}

static inline void gait_begin(gait *g, const gait_parameters *p, const gait_state *s) {
  memset(g, 0, sizeof *g);
  g->begun = true;
  g->heading = gait_heading(s->R);
  memcpy(g->hold, s->foot, sizeof g->hold);
  for (int k = 0; k < p->feet; k++) g->stands[k] = true;
  gait_fit_plane(g, p, 1);
  g->height = s->p[2];
}

/* Foothold: below the hip where the trunk will be when the foot touches down, half of the way that the trunk makes
 * while the foot stands, and the further outward, the more the trunk is faster than it should be:
 *   p + v t + R nominal + T_stance / 2 (v + turn x R nominal) + sqrt(h / g) (v - v_wanted) */
static inline void gait_foothold(const gait *g, const gait_parameters *p, const gait_state *s,
                                 int k, double left, double turn, double out[3]) {
  const double stance = p->duty * p->period, heading = gait_heading(s->R) + turn * left;
  const double c = cos(heading), n = sin(heading), gain = sqrt(-p->nominal[k][2] / 9.81);
  const double x = c * p->nominal[k][0] - n * p->nominal[k][1],
               y = n * p->nominal[k][0] + c * p->nominal[k][1];
  double dx = 0.5 * stance * (s->v[0] - turn * y) + gain * (s->v[0] - g->speed[0]);
  double dy = 0.5 * stance * (s->v[1] + turn * x) + gain * (s->v[1] - g->speed[1]);
  const double far = hypot(dx, dy);
  if (far > p->reach) dx *= p->reach / far, dy *= p->reach / far;
  out[0] = s->p[0] + s->v[0] * left + x + dx;
  out[1] = s->p[1] + s->v[1] * left + y + dy;
  out[2] = gait_ground(g, out[0], out[1]) - p->press;
}

/* A swing. */
typedef struct gait_arc {
  double p[3], v[3], a[3]; /* where the foot should be, its velocity and acceleration */
} gait_arc;

/* Share x of a swing of so many seconds, from a place to a target, over a height. */
static inline gait_arc gait_over(const double from[3], const double target[3], double height,
                                 double time, double x) {
  gait_arc at;
  double rate, curve, lift_rate, lift_curve;
  const double along = gait_blend(x, &rate, &curve);
  const bool up = x < 0.5;
  const double lift = gait_blend(up ? 2 * x : 2 - 2 * x, &lift_rate, &lift_curve);
  for (int i = 0; i < 3; i++) {
    const double way = target[i] - from[i];
    at.p[i] = from[i] + along * way;
    at.v[i] = rate * way / time, at.a[i] = curve * way / (time * time);
  }
  at.p[2] += lift * height;
  at.v[2] += (up ? 2 : -2) * lift_rate * height / time;
  at.a[2] += 4 * lift_curve * height / (time * time);
  return at;
}

/* Where a foot is in its swing, share x of it: from where it left the ground to its foothold. */
static inline void gait_swing(gait *g, const gait_parameters *p, const gait_state *s, int k,
                              double x, double turn) {
  const double time = (1 - p->duty) * p->period;
  gait_foothold(g, p, s, k, (1 - fmin(1, x)) * time, turn, g->target[k]);
  gait_arc at = gait_over(g->left[k], g->target[k], p->lift, time, x);
  if (x > 1) { /* late: downward until it touches */
    at.p[2] -= fmin(0.12, p->sink * (x - 1) * time);
    at.v[2] = -p->sink;
  }
  memcpy(g->swing[k], at.p, sizeof at.p), memcpy(g->swing_v[k], at.v, sizeof at.v);
  memcpy(g->swing_a[k], at.a, sizeof at.a);
}

/* The command with the largest acceleration that is allowed, along the axes of the world. */
static inline void gait_follow(gait *g, const gait_parameters *p, const gait_state *s,
                               const gait_command *c, double dt) {
  const double heading = gait_heading(s->R);
  const double x = cos(heading) * c->forward - sin(heading) * c->left,
               y = sin(heading) * c->forward + cos(heading) * c->left;
  const double dx = x - g->speed[0], dy = y - g->speed[1], far = hypot(dx, dy),
               most = p->acceleration * dt;
  const double share = far > most ? most / far : 1;
  g->speed[0] += share * dx, g->speed[1] += share * dy;
  for (int i = 0; i < 2; i++)
    g->behind[i] =
        fmin(0.1, fmax(-0.1, g->behind[i] + (g->walks ? g->speed[i] - s->v[i] : 0) * dt));
  double ahead = remainder(g->heading + c->turn * dt - heading, 2 * M_PI);
  ahead = fmin(0.3, fmax(-0.3, ahead)); /* it does not wind up */
  g->heading = heading + ahead;
}

/* The trunk: along the ground, at its height above it. */
static inline void gait_trunk(gait *g, const gait_parameters *p, const gait_state *s) {
  const double c = cos(g->heading), n = sin(g->heading), a = g->plane[1], b = g->plane[2];
  const double rise = c * a + n * b; /* along the heading */
  const double along = 1 / sqrt(1 + rise * rise), upright = 1 / sqrt(1 + a * a + b * b);
  const double x[3] = {c * along, n * along, rise * along},
               z[3] = {-a * upright, -b * upright, upright};
  for (int i = 0; i < 3; i++) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    g->ground[i][0] = x[i], g->ground[i][2] = z[i], g->ground[i][1] = z[j] * x[k] - z[k] * x[j];
    for (int m = 0; m < 3; m++) g->wanted[3 * i + m] = g->ground[i][m];
  }
  double below = 0;
  for (int k = 0; k < p->feet; k++) below -= p->nominal[k][2] / p->feet;
  g->height = gait_ground(g, s->p[0], s->p[1]) + below;
  g->climb = a * s->v[0] + b * s->v[1];
}

/* One cycle of dt seconds, above 0 and up to 0.1 and below the period. Foot k stands from when it touches, once its
 * swing is past its half, until its share of the period ends; a foot that does not touch in time goes downward until
 * it does. Returns the status. */
static inline unsigned gait_step(gait *g, const gait_parameters *p, const gait_state *s,
                                 const gait_command *c, double dt) {
  const double wanted[3] = {c->forward, c->left, c->turn};
  gait_command followed = {0};
  if (gait_fault(p) || !(dt > 0 && dt <= 0.1 && dt < p->period)) return g->status = GAIT_BAD_INPUT;
  if (!gait_state_is_known(s, p->feet)) return g->status = GAIT_NOT_FINITE;
  if (!g->begun) gait_begin(g, p, s);
  g->status = GAIT_NO_COMMAND;
  if (gait_numbers(wanted, 3)) followed = *c, g->status = GAIT_OK;
  if (g->walks) g->time += dt;
  gait_follow(g, p, s, &followed, dt);
  for (int k = 0; k < p->feet; k++) {
    const double phase = g->time / p->period + p->offset[k], in = phase - floor(phase);
    const double before = phase - dt / p->period;
    if (g->walks && in >= p->duty && before - floor(before) < p->duty && g->stands[k]) {
      g->stands[k] = false, g->late[k] = 0; /* lifts off */
      memcpy(g->left[k], s->foot[k], sizeof g->left[k]);
    }
    if (!g->stands[k]) {
      double x = in >= p->duty ? (in - p->duty) / (1 - p->duty) : 1;
      if (in < p->duty) g->late[k] += dt, x += g->late[k] / ((1 - p->duty) * p->period);
      gait_swing(g, p, s, k, x, followed.turn);
      if (x > 0.5 && s->touches[k]) g->stands[k] = true;
    }
    if (g->stands[k]) memcpy(g->hold[k], s->foot[k], sizeof g->hold[k]);
  }
  gait_fit_plane(g, p, dt / 0.15);
  gait_trunk(g, p, s);
  return g->status;
}

#endif
